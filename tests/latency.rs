//! How soon the engine answers. The figures are printed (`--nocapture`); the limits are those of the
//! issue tracker with a margin for busy machines, where other programs share the processors.

use crate::session::Session;
use std::time::{Duration, Instant};

/// How often a measurement is repeated until it keeps the promise: other programs and other tests use
/// the processors too, and only the engine is to be judged.
const ROUNDS: usize = 5;

/// How far the best round may stay from the promise on a machine that was busy in all of them.
const MARGIN: u32 = 5;

/// Measures `samples` times what `sample` returns, given the number of the sample; prints median and 99th
/// percentile, and holds the latter to what is promised, the former strictly.
fn measure(what: &str, promised: Duration, samples: usize, mut sample: impl FnMut(usize) -> Duration) {
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        let mut all: Vec<Duration> = (0..samples).map(&mut sample).collect();
        all.sort_unstable();
        let (median, p99) = (all[samples / 2], all[(samples * 99).div_ceil(100) - 1]);
        println!("{what}: median {median:?}, 99 % {p99:?} of {samples} (promised {promised:?})");
        best = (best.0.min(median), best.1.min(p99));
        if p99 < promised {
            return;
        }
    }
    assert!(best.0 < promised, "{what}: median {:?}, promised {promised:?}", best.0);
    assert!(best.1 < promised * MARGIN, "{what}: 99 % {:?}, promised {promised:?}", best.1);
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
    for (argument, answer) in [("uci", "uciok"), ("ucci", "ucciok")] {
        measure(&format!("start to {answer}"), Duration::from_millis(50), 20, |_| {
            let began = Instant::now();
            let mut session = Session::start(&[argument]);
            session.send(argument);
            session.until(answer).0 - began
        });
    }
}

#[test]
fn stop_to_bestmove() {
    for (arguments, go) in [(&["uci"], "go infinite"), (&["ucci"], "go depth infinite")] {
        let mut session = busy(arguments, "isready");
        session.until("readyok");
        let what = format!("{} stop to bestmove", arguments[0]);
        measure(&what, Duration::from_millis(10), 200, |i| {
            session.send(go);
            // At all stages of a search.
            std::thread::sleep(Duration::from_millis(i as u64 % 20));
            let began = Instant::now();
            session.send("stop");
            session.until("bestmove").0 - began
        });
    }
}

#[test]
fn isready_while_searching() {
    for (arguments, go) in [(&["uci"], "go infinite"), (&["ucci"], "go depth infinite")] {
        let mut session = busy(arguments, go);
        let what = format!("{} isready while searching", arguments[0]);
        measure(&what, Duration::from_millis(1), 200, |_| {
            std::thread::sleep(Duration::from_millis(2));
            let began = Instant::now();
            session.send("isready");
            session.until("readyok").0 - began
        });
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
