//! `sanqi doctor`: what this machine gives the engine, whether the engine works on it, and what to do where either is not
//! as it could be; in lines to paste into a bug report.

use super::{Failure, Outcome, defaults, say, version};
use crate::controller::{self, Config};
use crate::convnet;
use crate::engine::tree::GoEngine;
use crate::engine::{self, GameId};
use crate::eval::go::planes::{self, Ending};
use crate::eval::{Evaluation, GameEval};
use crate::game::{Game, perft};
use crate::go::{Position, Rules, ladder};
use crate::nnue::{self, simd::Kernel};
use crate::protocol;
use crate::search::alphabeta::Evaluator;
use crate::util::rate::per_second;
use crate::util::sync::lock;
use crate::util::system;
use crate::{chess, xiangqi};
use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// With less memory than this, in MiB, tables of the usual sizes leave nothing to others.
const LITTLE_MEMORY: usize = 1024;

/// Findings so far: each is told when it is made.
#[derive(Default)]
struct Findings {
    /// What does not work.
    faults: usize,
}

impl Findings {
    /// Something about this machine.
    fn tell(&self, what: &str, found: &str) {
        say(format_args!("{what}: {found}"));
    }

    /// What could be better, and how.
    fn advise(&self, what: &str, found: &str, advice: &str) {
        say(format_args!("{what}: {found}\n  better: {advice}"));
    }

    /// Whether a part of the engine works. `found`: it does, and how; or why not.
    fn check(&mut self, what: &str, found: Result<String, String>) {
        match found {
            Ok(found) => say(format_args!("{what}: {found}")),
            Err(why) => {
                self.faults += 1;
                say(format_args!(
                    "{what}: WRONG: {why}\n  do: build again (make clean, make) or get the program again; if it stays, report \
                     all of this"
                ));
            }
        }
    }
}

/// Prints the findings.
/// # Errors
/// A part of the engine does not work.
pub fn run() -> Outcome {
    let mut findings = Findings::default();
    say(version::text()?);
    machine(&findings);
    options(&findings);
    findings.check("kernels of chess", kernels::<chess::Board>());
    findings.check("kernels of xiangqi", kernels::<xiangqi::Board>());
    findings.check("kernels of go", kernels_of_go());
    // The numbers of the start of chess and xiangqi are known; those of Go follow from 25 points and the pass.
    findings.check("perft of chess", count(&mut chess::Board::start(), 4, 197_281));
    findings.check("perft of xiangqi", count(&mut xiangqi::Board::start(), 3, 79_666));
    findings.check("perft of go", count(&mut Position::new(5, 5, Rules::CHINESE), 2, 25 * 25 + 26));
    for (name, lines, answers) in CONVERSATIONS {
        findings.check(&format!("conversation in {name}"), converse(name, lines, answers));
    }
    for game in GameId::ALL {
        let mut engine = engine::create(game);
        let speed = match quick_search(engine.as_mut()) {
            (Some(nodes), time) => format!("{} nodes/s", per_second(nodes, time)),
            (None, _) => "searches, and tells no nodes".to_owned(),
        };
        findings.tell(game.name(), &speed);
    }
    say(format_args!("go evaluates by {}", go_evaluator()));
    match findings.faults {
        0 => Ok(()),
        faults => Err(Failure(format!("parts that do not work: {faults}"))),
    }
}

/// What the machine has.
fn machine(findings: &Findings) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    match processors {
        1 => findings.tell("processors", "1"),
        n => findings.advise(
            "processors",
            &n.to_string(),
            &format!("searches use one until Threads says more, up to {n}"),
        ),
    }
    findings.tell("instructions", &instructions());
    match system::available_memory().map(|bytes| bytes >> 20) {
        None => findings.tell("memory", "this system does not tell"),
        Some(mib) if mib < LITTLE_MEMORY => findings.advise(
            "memory",
            &format!("{mib} MiB available"),
            &format!("end other programs, or keep Hash below {} (Go has 256 by itself)", (mib / 4).max(1)),
        ),
        Some(mib) => findings.tell("memory", &format!("{mib} MiB available")),
    }
    match system::huge_pages().as_deref() {
        None => findings.tell("huge pages", "this system does not tell"),
        Some("never") => findings.advise(
            "huge pages",
            "never",
            "large tables are searched faster with them: echo madvise | sudo tee \
             /sys/kernel/mm/transparent_hugepage/enabled",
        ),
        Some(mode) => findings.tell("huge pages", mode),
    }
    if cfg!(debug_assertions) {
        findings.advise("debug assertions", "on", "this is a slow build: make builds a fast one");
    } else {
        findings.tell("debug assertions", "off");
    }
}

/// The file of options, and what is wrong in it.
fn options(findings: &Findings) {
    let Some(path) = defaults::found() else {
        return findings.tell("file of options", "none; sanqi --print-config prints one");
    };
    let path = path.display().to_string();
    match defaults::load(None, false) {
        Ok(read) if read.problems().is_empty() => findings.tell("file of options", &path),
        Ok(read) => {
            let advice = "correct these lines; sanqi --print-config prints what there is";
            findings.advise(
                "file of options",
                &format!("{path}\n  {}", read.problems().join("\n  ")),
                advice,
            );
        }
        Err(why) => findings.tell("file of options", &why.0),
    }
}

/// Whether every kernel that this processor has evaluates as the one that defines the numbers.
fn kernels<G: GameEval>() -> Result<String, String> {
    let net = nnue::embedded().map_err(|error| error.to_string())?.map(Arc::new);
    let mut positions = vec![G::start()];
    for _ in 0..8 {
        let Some(mut next) = positions.last().cloned() else { break };
        let mut moves = G::Moves::default();
        next.legal_moves(&mut moves);
        let Some(mv) = moves.into_iter().next() else { break };
        next.do_move(mv, &mut ());
        positions.push(next);
    }
    let values = |kernel: Kernel| {
        let mut evaluation = Evaluation::<G>::with_kernel(net.clone(), kernel);
        let value = |pos: &G| {
            evaluation.reset(pos);
            evaluation.evaluate(pos)
        };
        positions.iter().map(value).collect::<Vec<_>>()
    };
    let defined = values(Kernel::SCALAR);
    agree(Kernel::available().into_iter().map(|kernel| (kernel.name(), values(kernel) == defined)))
}

/// The same for the net of Go.
fn kernels_of_go() -> Result<String, String> {
    let Some(net) = convnet::embedded() else { return Ok("no net is built in".to_owned()) };
    let (mut inputs, mut reader) = (planes::Inputs::default(), ladder::Reader::default());
    planes::read(&Position::new(9, 9, Rules::CHINESE), Ending::AllAlive, &mut inputs, &mut reader);
    let value = |kernel| {
        let mut evaluator = convnet::Evaluator::with_kernel(Arc::clone(&net), kernel);
        format!("{:?}", evaluator.evaluate(9, 9, &inputs.planes, &inputs.globals))
    };
    let defined = value(convnet::Kernel::SCALAR);
    agree(convnet::Kernel::available().into_iter().map(|kernel| (kernel.name(), value(kernel) == defined)))
}

fn agree(kernels: impl Iterator<Item = (&'static str, bool)>) -> Result<String, String> {
    let (good, bad): (Vec<_>, Vec<_>) = kernels.partition(|(_, agrees)| *agrees);
    let names =
        |list: Vec<(&'static str, bool)>| list.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    if bad.is_empty() {
        Ok(format!("{} agree", names(good)))
    } else {
        Err(format!("{} evaluate otherwise", names(bad)))
    }
}

/// Whether the tree of legal moves has as many leaves as it must have.
fn count<G: Game>(pos: &mut G, depth: u32, known: u64) -> Result<String, String> {
    let (start, found) = (Instant::now(), perft::perft(pos, depth));
    if found != known {
        return Err(format!("{found} leaves at depth {depth}, not {known}"));
    }
    Ok(format!("{found} leaves at depth {depth}, {} leaves/s", per_second(found, start.elapsed())))
}

/// Protocols, what is said in them, and how lines of the answer begin, in their order.
const CONVERSATIONS: [(&str, &str, &[&str]); 3] = [
    ("uci", "uci\nisready\nposition startpos moves e2e4\ngo depth 3\n", &["uciok", "readyok", "bestmove "]),
    (
        "ucci",
        "ucci\nisready\nposition startpos moves h2e2\ngo depth 3\n",
        &["ucciok", "readyok", "bestmove "],
    ),
    (
        "gtp",
        "protocol_version\nboardsize 9\nplay b E5\nkata-set-param maxVisits 2\ngenmove w\n",
        &["= 2", "=", "=", "=", "= "],
    ),
];

/// Whether the answers come when these lines are said.
fn converse(name: &str, lines: &'static str, answers: &'static [&'static str]) -> Result<String, String> {
    let sink = Shared::default();
    let start = Instant::now();
    let source = Source { lines: Cursor::new(lines), sink: sink.clone(), answers, until: start + PATIENCE };
    let config = Config { protocol: protocol::by_name(name), ..Config::default() };
    controller::converse(config, source, sink.clone()).map_err(|error| error.to_string())?;
    let took = start.elapsed();
    match sink.missing(answers) {
        Some(answer) => {
            Err(format!("'{answer}' was not answered: {}", sink.text().trim_end().replace('\n', " | ")))
        }
        None => Ok(format!("{} answers in {} ms", answers.len(), took.as_millis())),
    }
}

/// A conversation may take so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Lines, and then nothing more until they have been answered: the end of the input would end what runs.
struct Source {
    lines: Cursor<&'static str>,
    sink: Shared,
    answers: &'static [&'static str],
    until: Instant,
}

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.lines.read(into)?;
        while length == 0 && self.sink.missing(self.answers).is_some() && Instant::now() < self.until {
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(length)
    }
}

/// What a session writes.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8_lossy(&lock(&self.0)).into_owned()
    }

    /// The first of these beginnings of lines that no line has, one after the other.
    fn missing(&self, answers: &[&'static str]) -> Option<&'static str> {
        let text = self.text();
        let mut lines = text.lines();
        answers.iter().find(|answer| !lines.any(|line| line.starts_with(**answer))).copied()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Who evaluates positions of Go, and what decided that.
fn go_evaluator() -> String {
    match GoEngine::default().evaluator() {
        (mode, Some(speed)) => format!(
            "{mode} (an evaluation by the net takes {} µs, a visit {} µs)",
            speed.evaluation.as_micros(),
            speed.visit.as_micros()
        ),
        (mode, None) => mode.to_string(),
    }
}

/// Nodes and time of half a second of search from the start.
fn quick_search(engine: &mut dyn engine::Engine) -> (Option<u64>, Duration) {
    super::speedtest::search(engine, &engine::PositionSpec::default(), Duration::from_millis(500))
        .map_or((None, Duration::ZERO), |found| (Some(found.0), found.1))
}

#[cfg(target_arch = "x86_64")]
fn instructions() -> String {
    let mut found = Vec::new();
    macro_rules! look_for {
        ($($name:tt),*) => { $(if std::arch::is_x86_feature_detected!($name) { found.push($name); })* };
    }
    look_for!("sse4.1", "popcnt", "bmi2", "avx2", "fma", "avx512f", "avx512bw", "avx512vnni", "avx512bf16");
    found.join(" ")
}

#[cfg(not(target_arch = "x86_64"))]
fn instructions() -> String {
    "those every processor of this kind has".to_owned()
}
