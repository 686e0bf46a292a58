//! Sequences of commands that no client would send in this order or at this speed: every `go` has its
//! `bestmove`, every `isready` its `readyok`, every id of GTP its response in its turn, and the engine ends
//! when it has to.
//!
//! Each sequence is drawn from its number, so that a failure repeats. `SANQI_SEQUENCES` sets how many there
//! are for each protocol.

use crate::session::Session;
use sanqi::util::rng::Rng;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Sequences of each protocol, without a wish.
const SEQUENCES: usize = 16;
/// Within this time the engine ends once it has to quit, or its input has ended.
const END: Duration = Duration::from_secs(1);
/// How much slower a machine may be that many others work on.
const MARGIN: u32 = 5;

/// A protocol, and what holds in it.
trait Commands {
    /// How the program is started.
    const ARGUMENTS: &'static [&'static str];
    /// Lines sent first.
    const BEGINNING: &'static [&'static str];
    /// The next line.
    fn line(&mut self, random: &mut Rng) -> String;
    /// Notes a line of the output.
    /// # Errors
    /// It must not come now.
    fn output(&mut self, line: &str) -> Result<(), String>;
    /// What ends whatever runs, and asks for a last answer.
    fn settle(&mut self) -> Vec<String>;
    /// Whether nothing is unanswered.
    fn is_settled(&self) -> bool;
    /// What ends the session.
    fn quit(&mut self) -> String;
}

/// UCI and UCCI.
struct Searches {
    words: &'static Words,
    gos: usize,
    best_moves: usize,
    refused: usize,
    ready: [usize; 2],
}

struct Words {
    go: &'static [&'static str],
    others: &'static [&'static str],
    refusal: &'static str,
}

impl Searches {
    fn new(words: &'static Words) -> Self {
        Self { words, gos: 0, best_moves: 0, refused: 0, ready: [0; 2] }
    }

    fn draw(&mut self, random: &mut Rng) -> String {
        match random.below(10) {
            0..4 => {
                self.gos += 1;
                random.pick(self.words.go).to_owned()
            }
            4 | 5 => "stop".to_owned(),
            6 => {
                self.ready[0] += 1;
                "isready".to_owned()
            }
            _ => random.pick(self.words.others).to_owned(),
        }
    }

    fn note(&mut self, line: &str) -> Result<(), String> {
        let first = line.split(' ').next().unwrap_or("");
        self.best_moves += usize::from(matches!(first, "bestmove" | "nobestmove"));
        self.refused += usize::from(line.contains(self.words.refusal));
        self.ready[1] += usize::from(line == "readyok");
        if self.best_moves + self.refused > self.gos {
            return Err("one answer more than there were searches".to_owned());
        }
        if self.ready[1] > self.ready[0] { Err("one readyok more than asked for".to_owned()) } else { Ok(()) }
    }

    fn end(&mut self) -> Vec<String> {
        self.ready[0] += 1;
        vec!["stop".to_owned(), "isready".to_owned()]
    }

    fn is_answered(&self) -> bool {
        self.best_moves + self.refused == self.gos && self.ready[1] == self.ready[0]
    }
}

macro_rules! searches {
    ($name:ident, $arguments:expr, $beginning:expr) => {
        struct $name(Searches);

        impl Commands for $name {
            const ARGUMENTS: &'static [&'static str] = $arguments;
            const BEGINNING: &'static [&'static str] = $beginning;
            fn line(&mut self, random: &mut Rng) -> String {
                self.0.draw(random)
            }
            fn output(&mut self, line: &str) -> Result<(), String> {
                self.0.note(line)
            }
            fn settle(&mut self) -> Vec<String> {
                self.0.end()
            }
            fn is_settled(&self) -> bool {
                self.0.is_answered()
            }
            fn quit(&mut self) -> String {
                "quit".to_owned()
            }
        }
    };
}

searches!(Uci, &["uci"], &["setoption name Hash value 1", "position startpos"]);
searches!(Ucci, &["ucci"], &["setoption hashsize 1", "setoption usemillisec true", "position startpos"]);

const UCI: Words = Words {
    go: &[
        "go depth 1",
        "go depth 5",
        "go nodes 700",
        "go movetime 3",
        "go wtime 100 btime 100",
        "go wtime 0 btime -5 winc 1 binc 1 movestogo 0",
        "go infinite",
        "go ponder movetime 2",
        "go ponder infinite",
        "go mate 1",
        "go",
        "go searchmoves e2e4 h3e3 depth 2",
        "go searchmoves a1a1 depth 1",
        "go depth nonsense",
    ],
    others: &[
        "ponderhit",
        "ucinewgame",
        "uci",
        "position startpos",
        "position startpos moves e2e4 e7e5",
        "position startpos moves e2e5",
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K2R w K - 98 200",
        "position fen nonsense",
        "position",
        "setoption name MultiPV value 2",
        "setoption name Clear Hash",
        "setoption name Threads value 2",
        "setoption name Threads value 4",
        "setoption name Threads value 1",
        "setoption name Threads value 0",
        "setoption name Hash value 1",
        "setoption name Hash value 2",
        "bench 1",
        "eval",
        "setoption name UCI_Variant value xiangqi",
        "setoption name UCI_Variant value chess",
        "setoption name Nonsense value 1",
        "debug on",
        "nonsense",
        "",
        "d",
    ],
    refusal: "go is refused",
};

const UCCI: Words = Words {
    go: &[
        "go depth 1",
        "go depth 4",
        "go nodes 500",
        "go time 100",
        "go time 50 increment 1 draw",
        "go time 10 movestogo 3 opptime 10",
        "go infinite",
        "go ponder time 10",
        "go depth 0",
        "go",
        "go depth nonsense",
    ],
    others: &[
        "ponderhit",
        "ponderhit draw",
        "setoption newgame",
        "newgame",
        "ucci",
        "position startpos moves h2e2 h9g7",
        "position startpos moves h2e9",
        "position fen 3ak4/9/4b4/9/9/9/9/4B4/9/3AK1R2 w - - 118 99",
        "position fen 3k5/3R5/4P4/9/9/9/9/9/9/4K4 b - - 0 1",
        "position fen nonsense",
        "banmoves h2e2",
        "probe startpos",
        "setoption threads 2",
        "setoption threads 1",
        "setoption hashsize 1",
        "setoption hashsize 2",
        "setoption clearhash",
        "setoption debug true",
        "setoption nonsense 1",
        "nonsense",
        "",
    ],
    refusal: "go is refused",
};

/// GTP: ids in order.
#[derive(Default)]
struct Gtp {
    sent: Vec<String>,
    answered: usize,
    /// Inside a response, which an empty line ends.
    inside: bool,
}

impl Gtp {
    fn numbered(&mut self, command: &str) -> String {
        let id = (self.sent.len() * 7 + 3).to_string();
        self.sent.push(id.clone());
        format!("{id} {command}")
    }
}

impl Commands for Gtp {
    const ARGUMENTS: &'static [&'static str] = &["gtp"];
    const BEGINNING: &'static [&'static str] = &[];

    fn line(&mut self, random: &mut Rng) -> String {
        // Without these a move would take its time.
        const FIRST: [&str; 3] =
            ["kata-set-param maxVisits 12", "kata-set-param maxTime 0.03", "boardsize 5"];
        if let Some(command) = FIRST.get(self.sent.len()) {
            return self.numbered(command);
        }
        let command = random.pick(&[
            "kata-set-param maxVisits 12",
            "boardsize 5",
            "boardsize 99",
            "boardsize 9",
            "kata-set-param maxVisits 2000",
            "kata-set-param numSearchThreads 1",
            "kata-set-param numSearchThreads 4",
            "kata-set-param hashMiB 1",
            "kata-set-param hashMiB 4",
            "kata-set-param evaluator playouts",
            "kata-set-param evaluator hybrid",
            "clear_cache",
            "kata-set-rules japanese",
            "heatmap",
            "estimate_score",
            "clear_board",
            "genmove b",
            "genmove w",
            "genmove b",
            "reg_genmove w",
            "kata-genmove_analyze b 1",
            "lz-genmove_analyze w 1",
            "kata-analyze b 1",
            "lz-analyze 1 minmoves 3",
            "analyze",
            "play b C3",
            "play w Z99",
            "play b pass",
            "play b",
            "undo",
            "showboard",
            "final_score",
            "final_status_list dead",
            "fixed_handicap 2",
            "set_free_handicap C3",
            "time_settings 1 1 1",
            "time_left b 1 1",
            "kgs-time_settings byoyomi 1 1 2",
            "unconditional_status C3",
            "known_command play",
            "nonsense",
            "stop",
            "lz-setoption name pondering value true",
            "lz-setoption name pondering value false",
            "name # interrupt",
            "",
        ]);
        match random.below(12) {
            0 => random.pick(&["# interrupt", "# a remark", "", " \t "]).to_owned(),
            _ => self.numbered(command),
        }
    }

    fn output(&mut self, line: &str) -> Result<(), String> {
        if line.is_empty() {
            return if std::mem::take(&mut self.inside) {
                Ok(())
            } else {
                Err("an empty line too many".to_owned())
            };
        }
        if self.inside {
            return Ok(());
        }
        let id: String = line.get(1..).unwrap_or("").chars().take_while(char::is_ascii_digit).collect();
        let expected = self.sent.get(self.answered);
        if !line.starts_with(['=', '?']) || Some(&id) != expected {
            return Err(format!("a response to {expected:?} should come"));
        }
        (self.answered, self.inside) = (self.answered + 1, true);
        Ok(())
    }

    fn settle(&mut self) -> Vec<String> {
        vec![self.numbered("name")]
    }

    fn is_settled(&self) -> bool {
        self.answered == self.sent.len() && !self.inside
    }

    fn quit(&mut self) -> String {
        self.numbered("quit")
    }
}

/// How a sequence ends.
#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    /// All is answered, then the engine has to quit.
    Quiet,
    /// It has to quit whatever runs.
    Quit,
    /// The input ends whatever runs.
    Closed,
}

fn run<C: Commands>(commands: &mut C, random: &mut Rng) -> (Duration, Vec<String>, Result<(), String>) {
    let mut session = Session::start(C::ARGUMENTS);
    let mut said: Vec<String> = C::BEGINNING.iter().map(|line| format!("< {line}")).collect();
    session.send(&C::BEGINNING.join("\n"));
    let hear = |commands: &mut C, said: &mut Vec<String>, line: String| {
        let outcome = commands.output(&line);
        said.push(format!("> {line}"));
        outcome
    };
    for _ in 0..1 + random.below(40) {
        // Some lines in one write, as a client sends them that does not wait.
        let lines: Vec<String> = (0..1 + random.below(4)).map(|_| commands.line(random)).collect();
        said.extend(lines.iter().map(|line| format!("< {line}")));
        session.send(&lines.join("\n"));
        let until = Instant::now() + Duration::from_micros(random.pick(&[0, 0, 200, 3000, 20_000]));
        while let Some(line) = session.next_before(until) {
            if let Err(problem) = hear(commands, &mut said, line) {
                return (Duration::ZERO, said, Err(problem));
            }
        }
    }
    let end = random.pick(&[End::Quiet, End::Quit, End::Closed]);
    if end == End::Quiet {
        let lines = commands.settle();
        said.extend(lines.iter().map(|line| format!("< {line}")));
        session.send(&lines.join("\n"));
        while !commands.is_settled() {
            let outcome = match session.try_next() {
                Ok(Some((_, line))) => hear(commands, &mut said, line),
                Ok(None) => Err("it ended".to_owned()),
                Err(problem) => Err(problem),
            };
            if outcome.is_err() {
                return (Duration::ZERO, said, outcome);
            }
        }
    }
    if end != End::Closed {
        session.send(&commands.quit());
    }
    said.push(format!("the end: {end:?}"));
    let (rest, status, took) = match session.try_finish() {
        Ok(end) => end,
        Err((rest, problem)) => {
            said.extend(rest.into_iter().map(|line| format!("> {line}")));
            return (Duration::ZERO, said, Err(problem));
        }
    };
    for line in rest {
        if let Err(problem) = hear(commands, &mut said, line) {
            return (took, said, Err(problem));
        }
    }
    let outcome = if !status.success() {
        Err(format!("it exited with {status}"))
    } else if took > END * MARGIN {
        Err(format!("it took {took:?} to end"))
    } else if !commands.is_settled() {
        Err("something was never answered".to_owned())
    } else {
        Ok(())
    };
    (took, said, outcome)
}

fn try_sequences<C: Commands>(make: impl Fn() -> C + Sync) {
    let wanted = std::env::var("SANQI_SEQUENCES").ok().and_then(|n| n.parse().ok()).unwrap_or(SEQUENCES);
    let (next, workers) = (AtomicUsize::new(0), std::thread::available_parallelism().map_or(1, usize::from));
    let slowest = std::sync::Mutex::new(Duration::ZERO);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= wanted {
                        return;
                    }
                    let (took, said, outcome) = run(&mut make(), &mut Rng::new(number as u64));
                    let mut slowest = slowest.lock().unwrap();
                    *slowest = took.max(*slowest);
                    drop(slowest);
                    if let Err(problem) = outcome {
                        panic!("sequence {number} of {:?}: {problem}\n{}", C::ARGUMENTS, said.join("\n"));
                    }
                }
            });
        }
    });
    println!("{:?}: {wanted} sequences, the slowest end took {:?}", C::ARGUMENTS, slowest.lock().unwrap());
}

#[test]
fn uci_in_any_order() {
    try_sequences(|| Uci(Searches::new(&UCI)));
}

#[test]
fn ucci_in_any_order() {
    try_sequences(|| Ucci(Searches::new(&UCCI)));
}

#[test]
fn gtp_in_any_order() {
    try_sequences(Gtp::default);
}

/// Neither `quit` nor the end of the input has to wait for the lines before it to be read.
#[test]
fn an_end_behind_thousands_of_lines_is_heard() {
    for (arguments, work, line) in
        [("uci", "go perft 12", "isready"), ("gtp", "kata-set-param maxTime 100\ngenmove b", "name")]
    {
        for end in ["quit\n", ""] {
            let mut session = Session::start(&[arguments]);
            session.send(&format!("{work}\n{}{end}", format!("{line}\n").repeat(6000)));
            let (_, status, took) = session.finish();
            assert!(status.success() && took < Duration::from_secs(10), "{arguments} {end}: {took:?}");
        }
    }
}

/// Whatever was searched before, a search after the beginning of a new game is the same as in a new process.
#[test]
fn a_new_game_is_a_new_process() {
    const FENS: [[&str; 4]; 2] = [
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/4r3/8/8/4n3/8/3P1P2/R3K2R b KQ - 0 1",
            "1rk2r2/8/8/8/8/8/8/RR3KRR w - - 0 1",
        ],
        [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKABR1 w - - 0 1",
            "3ak4/4a4/4b4/9/9/2p6/9/4B4/4A4/3AK1R2 w - - 0 1",
            "4kab2/4a4/4b4/2C6/9/2c6/9/4B4/4A4/3K5 w - - 0 1",
        ],
    ];
    let mut random = Rng::new(1);
    for fens in FENS {
        let search = |session: &mut Session, fen: &str, nodes: usize| -> Vec<String> {
            session.send(&format!("position fen {fen}\ngo nodes {nodes}"));
            let (_, lines) = session.until("bestmove");
            // Without what depends on time.
            let untimed = |line: String| {
                let words: Vec<&str> = line.split(' ').collect();
                let timed = |i: usize| i > 0 && matches!(words[i - 1], "time" | "nps");
                (0..words.len()).filter(|&i| !timed(i)).map(|i| words[i]).collect::<Vec<_>>().join(" ")
            };
            // The move being searched is reported only after a while.
            lines.into_iter().filter(|line| !line.contains(" currmove ")).map(untimed).collect()
        };
        let fresh: Vec<_> = fens.iter().map(|fen| search(&mut Session::start(&["uci"]), fen, 2000)).collect();
        let mut session = Session::start(&["uci"]);
        for _ in 0..12 {
            let at = random.below(fens.len());
            session.send("ucinewgame");
            assert_eq!(search(&mut session, fens[at], 2000), fresh[at], "{}", fens[at]);
            for _ in 0..random.below(4) {
                search(&mut session, random.pick(&fens), 1 + random.below(5000));
            }
        }
    }
}
