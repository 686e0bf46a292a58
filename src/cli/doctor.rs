//! `sanqi doctor`: checks this machine and the engine on it, with advice, in lines to paste into a bug
//! report.

use crate::app::about;
use crate::app::console::{Outcome, say};
use crate::app::defaults;
use crate::app::language::LanguageArg;
use crate::app::seat::time_search;
use crate::controller::{self, Config};
use crate::engine::go::GoEngine;
use crate::engine::{self, GameId};
use crate::ensure;
use crate::eval::go::planes::{self, DeadStones};
use crate::eval::{Evaluation, GameEval};
use crate::game::{Game, perft};
use crate::go::{Position, Rules, ladder};
use crate::nnue::{self, simd::Kernel};
use crate::search::alphabeta::Evaluator;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::rate::per_second;
use crate::util::sync::lock;
use crate::util::{system, words};
use crate::{chess, convnet, protocol, xiangqi};
use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// With less memory than this, in MiB, tables of the usual sizes leave nothing to others.
const LITTLE_MEMORY: usize = 1024;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    language: LanguageArg,
}

/// Findings so far, each printed when it is made.
struct Findings {
    language: Language,
    /// The parts that do not work.
    faults: usize,
}

impl Findings {
    /// Something about this machine.
    fn print(&self, what: &str, found: &str) {
        say(words::finding(self.language, what, found));
    }

    /// Advice: what could be better, and how.
    fn advise(&self, what: &str, found: &str, advice: &str) {
        self.print(what, found);
        say(words::advice(self.language, advice));
    }

    /// Whether a part of the engine works. `found`: it does, and how; or why not.
    fn check(&mut self, what: &str, found: Result<String, Message>) {
        match found {
            Ok(found) => self.print(what, &found),
            Err(why) => {
                self.faults += 1;
                say(words::wrong(self.language, what, why.text(self.language)));
            }
        }
    }
}

pub fn run(args: &Args) -> Outcome {
    let language = args.language.language();
    let mut findings = Findings { language, faults: 0 };
    let kernels_of = |game: GameId| words::kernels_of(language, game.text(language));
    let perft_of = |game: GameId| words::perft_of(language, game.text(language));
    say(about::text(language)?);
    machine(&findings);
    options(&findings);
    findings.check(&kernels_of(GameId::Chess), kernels::<chess::Board>(language));
    findings.check(&kernels_of(GameId::Xiangqi), kernels::<xiangqi::Board>(language));
    findings.check(&kernels_of(GameId::Go), kernels_of_go(language));
    // The numbers of the start of chess and xiangqi are known; those of Go follow from 25 points and the
    // pass.
    let small_board = Position::new(5, 5, Rules::CHINESE);
    findings.check(&perft_of(GameId::Chess), count(language, &mut chess::Board::start(), 4, 197_281));
    findings.check(&perft_of(GameId::Xiangqi), count(language, &mut xiangqi::Board::start(), 3, 79_666));
    findings.check(&perft_of(GameId::Go), count(language, &mut small_board.clone(), 2, 25 * 25 + 26));
    for (name, lines, answers) in CONVERSATIONS {
        findings.check(&words::conversation_in(language, name), converse(language, name, lines, answers));
    }
    for game in GameId::ALL {
        let mut engine = engine::create(game);
        let (nodes, time) = quick_search(engine.as_mut());
        let name = game.text(language);
        say(match nodes {
            Some(nodes) => words::speed_of(language, name, per_second(nodes, time)),
            None => words::no_speed_of(language, name),
        });
    }
    say(words::go_evaluates_by(language, go_evaluator(language)));
    match findings.faults {
        0 => Ok(()),
        faults => Err(Message::from(words::parts_do_not_work(language, faults))),
    }
}

fn machine(findings: &Findings) {
    let language = findings.language;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let label = words::processors(language);
    let found = match system::processor() {
        Some(name) => format!("{processors} × {name}"),
        None => processors.to_string(),
    };
    let sets_threads = defaults::load(None, false).is_ok_and(|set| {
        GameId::ALL.into_iter().any(|game| set.of(Some(game)).any(|option| option.name == "Threads"))
    });
    match processors {
        _ if sets_threads => findings.print(&label, &found),
        1 => findings.print(&label, &found),
        n => findings.advise(&label, &found, &words::use_threads(language, n)),
    }
    findings.print(&words::instructions(language), &instructions(language));
    let label = words::memory(language);
    match system::available_memory().map(|bytes| bytes >> 20) {
        None => findings.print(&label, &words::not_reported_by_system(language)),
        Some(mib) if mib < LITTLE_MEMORY => {
            let advice = words::spare_memory(language, (mib / 4).max(1));
            findings.advise(&label, &words::mib_available(language, mib), &advice);
        }
        Some(mib) => findings.print(&label, &words::mib_available(language, mib)),
    }
    let label = words::huge_pages(language);
    match system::huge_pages().as_deref() {
        None => findings.print(&label, &words::not_reported_by_system(language)),
        Some("never") => findings.advise(&label, "never", &words::allow_huge_pages(language)),
        Some(mode) => findings.print(&label, mode),
    }
    let label = words::debug_assertions(language);
    if cfg!(debug_assertions) {
        findings.advise(&label, &words::on(language), &words::build_a_fast_one(language));
    } else {
        findings.print(&label, &words::off(language));
    }
}

fn options(findings: &Findings) {
    let language = findings.language;
    let label = words::file_of_options(language);
    let Some(path) = defaults::found() else {
        return findings.print(&label, &words::no_file_of_options(language));
    };
    let path = path.display().to_string();
    match defaults::load(None, false) {
        Ok(read) if read.problems().is_empty() => findings.print(&label, &path),
        Ok(read) => {
            let found = format!(
                "{path}\n  {}",
                read.problems().iter().map(|problem| problem.text(language)).collect::<Vec<_>>().join("\n  ")
            );
            findings.advise(&label, &found, &words::correct_these_lines(language));
        }
        Err(why) => findings.print(&label, why.text(language)),
    }
}

/// Whether every kernel that this processor has evaluates as the one that defines the numbers.
fn kernels<G: GameEval>(language: Language) -> Result<String, Message> {
    let net = nnue::embedded()?.map(Arc::new);
    let mut positions = vec![G::start()];
    for _ in 0..8 {
        let Some(mut next) = positions.last().cloned() else { break };
        let Some(mv) = next.legal().into_iter().next() else { break };
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
    agree(language, Kernel::available().into_iter().map(|kernel| (kernel.name(), values(kernel) == defined)))
}

/// The same for the net of Go.
fn kernels_of_go(language: Language) -> Result<String, Message> {
    let Some(net) = convnet::embedded() else { return Ok(words::no_net_built_in(language)) };
    let (mut inputs, mut reader) = (planes::Inputs::default(), ladder::LadderReader::default());
    planes::read(&Position::new(9, 9, Rules::CHINESE), DeadStones::AllAlive, &mut inputs, &mut reader);
    let value = |kernel| {
        let mut evaluator = convnet::ConvNetEvaluator::with_kernel(Arc::clone(&net), kernel);
        format!("{:?}", evaluator.evaluate(9, 9, &inputs.planes, &inputs.globals))
    };
    let defined = value(convnet::Kernel::SCALAR);
    agree(
        language,
        convnet::Kernel::available().into_iter().map(|kernel| (kernel.name(), value(kernel) == defined)),
    )
}

fn agree(language: Language, kernels: impl Iterator<Item = (&'static str, bool)>) -> Result<String, Message> {
    let (good, bad): (Vec<_>, Vec<_>) = kernels.partition(|(_, agrees)| *agrees);
    let names =
        |list: Vec<(&'static str, bool)>| list.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    if bad.is_empty() {
        Ok(words::kernels_agree(language, names(good)))
    } else {
        Err(words::kernels_differ(language, names(bad)).into())
    }
}

/// Whether the tree of legal moves has as many leaves as it must have.
fn count<G: Game>(language: Language, pos: &mut G, depth: u32, known: u64) -> Result<String, Message> {
    let (start, found) = (Instant::now(), perft::perft(pos, depth));
    ensure!(found == known, words::leaves_not(language, found, depth, known).into());
    Ok(words::leaves(language, found, depth, per_second(found, start.elapsed())))
}

/// Protocols, lines to send, and how lines of the answer begin, in their order.
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

/// Whether these lines get the answers.
fn converse(
    language: Language,
    name: &str,
    lines: &'static str,
    answers: &'static [&'static str],
) -> Result<String, Message> {
    let sink = Shared::default();
    let start = Instant::now();
    let source = Source { lines: Cursor::new(lines), sink: sink.clone(), answers, until: start + PATIENCE };
    let config = Config { protocol: protocol::by_name(name), ..Config::default() };
    controller::converse(config, source, sink.clone())?;
    let took = start.elapsed();
    match sink.missing(answers) {
        Some(answer) => {
            let said = sink.text().trim_end().replace('\n', " | ");
            Err(words::not_answered(language, answer, said).into())
        }
        None => Ok(words::answers_in(language, answers.len(), took.as_millis())),
    }
}

/// Maximum time of a conversation.
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

/// The output of a session.
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

/// The evaluator of Go, and the reason for the choice.
fn go_evaluator(language: Language) -> String {
    match GoEngine::default().evaluator() {
        (mode, Some(speed)) => {
            let mode = Message::of(&mode);
            let [net, visit] = [speed.evaluation, speed.visit].map(|time| time.as_micros());
            words::evaluator_speed(language, mode.text(language), net, visit)
        }
        (mode, None) => Message::of(&mode).text(language).to_owned(),
    }
}

/// Nodes and time of half a second of search from the start.
fn quick_search(engine: &mut dyn engine::Engine) -> (Option<u64>, Duration) {
    time_search(engine, &engine::PositionSpec::default(), Duration::from_millis(500))
        .map_or((None, Duration::ZERO), |found| (Some(found.0), found.1))
}

#[cfg(target_arch = "x86_64")]
fn instructions(_: Language) -> String {
    let mut found = Vec::new();
    macro_rules! look_for {
        ($($name:tt),*) => { $(if std::arch::is_x86_feature_detected!($name) { found.push($name); })* };
    }
    look_for!("sse4.1", "popcnt", "bmi2", "avx2", "fma", "avx512f", "avx512bw", "avx512vnni", "avx512bf16");
    found.join(" ")
}

#[cfg(not(target_arch = "x86_64"))]
fn instructions(language: Language) -> String {
    words::usual_instructions(language)
}
