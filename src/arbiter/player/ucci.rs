//! Asking UCCI engines.

use super::uci::{listen, moves_to_go, ready, time_left};
use super::{Choice, Dialog, EngineSpec, Fault, Reply, Request, Setup, Wire};
use crate::arbiter::record::GameKind;
use crate::arbiter::time::Clock;
use std::collections::HashSet;
use std::fmt::Write;
use std::time::Duration;

/// The state of a UCCI conversation.
#[derive(Default)]
pub struct Ucci {
    options: HashSet<String>,
}

impl Dialog for Ucci {
    fn hello(&mut self, wire: &mut Wire, spec: &EngineSpec, _: GameKind) -> Result<String, Fault> {
        wire.send("ucci");
        let mut name = String::new();
        wire.wait_for("ucciok", |line| {
            let text = line.text.trim();
            if let Some(own) = text.strip_prefix("id name ") {
                name = own.trim().to_owned();
            } else if let Some(option) = text.strip_prefix("option ") {
                self.options.extend(option.split_ascii_whitespace().next().map(str::to_owned));
            }
            Ok((text == "ucciok").then_some(()))
        })?;
        // Without this option an engine counts in seconds.
        if self.counts_milliseconds() {
            wire.send("setoption usemillisec true");
        }
        for (option, value) in &spec.options {
            wire.send(format!("setoption {option} {value}").trim_end());
        }
        for line in &spec.init {
            wire.send(line);
        }
        ready(wire)?;
        Ok(name)
    }

    fn new_game(&mut self, wire: &mut Wire, _: &Setup) -> Result<(), Fault> {
        if self.options.contains("newgame") {
            wire.send("setoption newgame");
        }
        ready(wire)
    }

    fn think(&mut self, wire: &mut Wire, request: &Request) -> Result<Reply, Fault> {
        let mut position = match request.setup.fen {
            Some(fen) => format!("position fen {fen}"),
            None => "position startpos".to_owned(),
        };
        if !request.moves.is_empty() {
            position.push_str(" moves ");
            position.push_str(&request.moves.join(" "));
        }
        wire.send(&position);
        ready(wire)?;
        wire.send(&self.go(request));
        listen(wire, request, |text, _| {
            if text == "nobestmove" {
                return Some((Choice::NoMove, false));
            }
            let mut words = text.strip_prefix("bestmove")?.split_ascii_whitespace();
            let mv = words.next().unwrap_or("").to_owned();
            match words.any(|w| w == "resign") {
                true => Some((Choice::Resign, false)),
                false => Some((Choice::Move(mv), text.ends_with(" draw"))),
            }
        })
    }
}

impl Ucci {
    fn counts_milliseconds(&self) -> bool {
        self.options.contains("usemillisec")
    }

    fn units(&self, time: Duration) -> u128 {
        if self.counts_milliseconds() { time.as_millis() } else { u128::from(time.as_secs()) }
    }

    fn go(&self, request: &Request) -> String {
        let mut line = if request.draw_offered { "go draw".to_owned() } else { "go".to_owned() };
        let clock = request.clock();
        // Writing to a String cannot fail. UCCI has one mode a command.
        if let Some(nodes) = request.nodes {
            let _ = write!(line, " nodes {nodes}");
        } else if let Some(depth) = request.depth {
            let _ = write!(line, " depth {depth}");
        } else if let Some(per_move) = clock.control().per_move {
            let _ = write!(line, " time {} movestogo 1", self.units(per_move));
        } else {
            self.clock(&mut line, "", clock);
            let opponent = &request.clocks[request.side.other().index()];
            if opponent.control().is_timed() && opponent.control().per_move.is_none() {
                self.clock(&mut line, "opp", opponent);
            }
        }
        line
    }

    fn clock(&self, line: &mut String, whose: &str, clock: &Clock) {
        let (time, increment) = time_left(clock);
        let _ = write!(line, " {whose}time {}", self.units(time));
        let _ = match moves_to_go(clock) {
            Some(moves) => write!(line, " {whose}movestogo {moves}"),
            None => write!(line, " {whose}increment {}", self.units(increment)),
        };
    }
}
