//! How soon the engine answers. The figures are printed (`--nocapture`); the limits are those of the
//! issue tracker with a margin for busy machines, where other programs share the processors.

use crate::session::Session;
use std::time::{Duration, Instant};

/// How much slower than promised a busy machine may be before a test fails.
const MARGIN: u32 = 10;

/// Sorted samples.
struct Samples(Vec<Duration>);

impl Samples {
    fn of(mut samples: Vec<Duration>) -> Self {
        samples.sort_unstable();
        Self(samples)
    }

    /// The sample that `percent` of all do not exceed.
    fn percentile(&self, percent: usize) -> Duration {
        let last = self.0.len() - 1;
        self.0[(self.0.len() * percent / 100).min(last)]
    }

    fn report(&self, what: &str, promised: Duration) {
        let (median, p99) = (self.percentile(50), self.percentile(99));
        println!("{what}: median {median:?}, p99 {p99:?}, n = {} (promised {promised:?})", self.0.len());
        assert!(p99 < promised * MARGIN, "{what}: p99 {p99:?}, promised {promised:?}");
    }
}

/// An engine that searches on as many threads as there are processors.
fn busy(arguments: &[&str], go: &str) -> Session {
    let mut session = Session::start(arguments);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let set = if arguments == ["ucci"] { "setoption threads" } else { "setoption name Threads value" };
    session.send(&format!("{set} {threads}"));
    session.send("isready");
    session.until("readyok");
    session.send(go);
    session
}

#[test]
fn start_to_uciok() {
    for (argument, start, answer) in [("uci", "uci", "uciok"), ("ucci", "ucci", "ucciok")] {
        let sample = |_| {
            let began = Instant::now();
            let mut session = Session::start(&[argument]);
            session.send(start);
            session.until(answer).0 - began
        };
        let samples = Samples::of((0..20).map(sample).collect());
        samples.report(&format!("start to {answer}"), Duration::from_millis(50));
    }
}

#[test]
fn stop_to_bestmove() {
    for (arguments, go) in [(&["uci"], "go infinite"), (&["ucci"], "go depth infinite")] {
        let mut session = busy(arguments, "isready");
        session.until("readyok");
        let samples = (0..200).map(|i| {
            session.send(go);
            // At all stages of a search.
            std::thread::sleep(Duration::from_millis(i % 20));
            let began = Instant::now();
            session.send("stop");
            session.until("bestmove").0 - began
        });
        Samples::of(samples.collect())
            .report(&format!("{} stop to bestmove", arguments[0]), Duration::from_millis(10));
    }
}

#[test]
fn isready_while_searching() {
    for (arguments, go) in [(&["uci"], "go infinite"), (&["ucci"], "go depth infinite")] {
        let mut session = busy(arguments, go);
        let samples = (0..200).map(|_| {
            std::thread::sleep(Duration::from_millis(2));
            let began = Instant::now();
            session.send("isready");
            session.until("readyok").0 - began
        });
        Samples::of(samples.collect())
            .report(&format!("{} isready while searching", arguments[0]), Duration::from_millis(1));
    }
}

#[test]
fn the_end_of_input_or_quit_ends_a_search_within_a_second() {
    for (arguments, go) in [(&["uci"], "go infinite"), (&["ucci"], "go depth infinite")] {
        for quit in [false, true] {
            let mut session = busy(arguments, go);
            std::thread::sleep(Duration::from_millis(50));
            if quit {
                session.send("quit");
            }
            let (rest, status, took) = session.finish();
            println!("{} to exit (quit: {quit}): {took:?}", arguments[0]);
            assert!(status.success());
            assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
            assert!(took < Duration::from_secs(1), "{took:?}");
        }
    }
}
