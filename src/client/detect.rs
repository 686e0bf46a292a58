//! Which protocol an engine speaks: it is greeted in all of them, each time in a process of its own.

use super::grammar::gtp::is_version_2;
use super::player::EngineSpec;
use super::process::{CommandLine, Silence};
use super::request::EngineProtocol;
use super::spec::protocols;
use super::wire::{Wire, later};
use crate::games::record::GameKind;
use crate::message;
use crate::util::message::Message;
use std::time::{Duration, Instant};

/// How long a protocol that comes first is waited for when another has answered.
const COURTESY: Duration = Duration::from_secs(1);

/// How long to listen to one process before turning to the next.
const POLL: Duration = Duration::from_millis(5);

/// A greeting, and what answers it. The first that is answered counts.
struct Greeting {
    protocol: EngineProtocol,
    lines: &'static [&'static str],
    is_answer: fn(&str) -> bool,
}

const GREETINGS: [Greeting; 4] = [
    Greeting { protocol: EngineProtocol::Uci, lines: &["uci"], is_answer: |text| text == "uciok" },
    Greeting { protocol: EngineProtocol::Ucci, lines: &["ucci"], is_answer: |text| text == "ucciok" },
    Greeting { protocol: EngineProtocol::Gtp, lines: &["protocol_version"], is_answer: is_version_2 },
    Greeting {
        protocol: EngineProtocol::Xboard,
        lines: &["xboard", "protover 2"],
        is_answer: |text| text.starts_with("feature ") || text.contains(" feature "),
    },
];

/// How long an engine is waited for in the usual protocol of its game before it is asked in the others.
const USUAL: Duration = Duration::from_secs(4);

/// The protocol of an engine that has none given and does not answer in the usual one of its game. `None`: it
/// needs no other, or answers in none.
pub fn other_protocol(spec: &EngineSpec, kind: GameKind, patience: Duration) -> Option<EngineProtocol> {
    let (usual, others) = protocols(kind).split_first().filter(|(_, others)| !others.is_empty())?;
    if spec.proto.is_some() || spec.human {
        return None;
    }
    let command = spec.command().ok()?;
    let is_usual = detect(&command, std::slice::from_ref(usual), patience.min(USUAL)).is_ok();
    // Each question starts the engine: the others are asked only if need be.
    if is_usual { None } else { detect(&command, others, patience).ok() }
}

/// The one of these protocols that the engine answers in within `patience`.
pub fn detect(
    command: &CommandLine,
    among: &[EngineProtocol],
    patience: Duration,
) -> Result<EngineProtocol, Message> {
    let mut engines = Vec::new();
    for greeting in GREETINGS.iter().filter(|greeting| among.contains(&greeting.protocol)) {
        let engine = Wire::start(command, None)?;
        for line in greeting.lines {
            engine.send(line);
        }
        // Whether it answers; `None`: not known yet.
        engines.push((greeting, engine, None));
    }
    let deadline = later(Instant::now(), patience);
    let mut first = None;
    while Instant::now() < deadline && engines.iter().any(|(_, _, answers)| answers.is_none()) {
        for (greeting, engine, answers) in engines.iter_mut().filter(|(_, _, answers)| answers.is_none()) {
            *answers = match engine.wait_for(later(Instant::now(), POLL), greeting.is_answer) {
                Ok(_) => Some(true),
                Err(Silence::Ended) => Some(false),
                Err(_) => None,
            };
        }
        let open = engines.iter().find(|(_, _, answers)| *answers != Some(false));
        let is_clear = open.is_some_and(|(_, _, answers)| *answers == Some(true));
        if engines.iter().any(|(_, _, answers)| *answers == Some(true)) {
            let first = *first.get_or_insert_with(Instant::now);
            if is_clear || first.elapsed() > COURTESY {
                break;
            }
        }
    }
    let found = engines.iter().find(|(_, _, answers)| *answers == Some(true));
    if let Some((greeting, _, _)) = found {
        return Ok(greeting.protocol);
    }
    let mut ended =
        engines.into_iter().map_while(|(_, engine, answers)| (answers == Some(false)).then_some(engine));
    Err(match (ended.next(), ended.count()) {
        (Some(mut engine), others) if others.saturating_add(1) == among.len() => message!(
            "the engine ends and answers none of uci, ucci, gtp and xboard: {status}"
                | "引擎没有应答 uci、ucci、gtp 和 xboard 就结束了：{status}",
            status = engine.end_status()
        ),
        _ => message!(
            "the engine answers none of uci, ucci, gtp and xboard within {s} s; proto= or --protocol names it"
                | "引擎没有应答 uci、ucci、gtp 和 xboard（{s} 秒内）；用 proto= 或 --protocol 说明它用哪种协议",
            s = patience.as_secs_f64()
        ),
    })
}
