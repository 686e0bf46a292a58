//! Response times. `--nocapture` prints the figures; the limits have a margin for other programs on the
//! machine. A test target of its own, one test at a time: hundreds of other tests beside it would be what is
//! measured.

#[path = "../session.rs"]
mod session;
#[path = "../support.rs"]
mod support;

use session::Session;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How much slower than promised a busy machine may be before a test fails.
const MARGIN: u32 = 10;
/// A busy moment of the machine passes; a slow engine is slow every time.
const ATTEMPTS: usize = 5;

/// Lets one test measure at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes samples, prints the median and the 99th percentile, and holds the latter against the promise.
fn holds(what: &str, promised: Duration, mut samples: impl FnMut() -> Vec<Duration>) {
    let mut attempt = || {
        let mut sorted = samples();
        sorted.sort_unstable();
        let percentile = |percent: usize| sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)];
        let (median, p99) = (percentile(50), percentile(99));
        println!("{what}: median {median:?}, p99 {p99:?}, n = {} (promised {promised:?})", sorted.len());
        p99 < promised * MARGIN
    };
    assert!((0..ATTEMPTS).any(|_| attempt()), "{what}: not within {MARGIN} times {promised:?}");
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
    let _alone = alone();
    for (argument, start, answer) in [("uci", "uci", "uciok"), ("ucci", "ucci", "ucciok")] {
        let sample = |_| {
            let began = Instant::now();
            let mut session = Session::start(&[argument]);
            session.send(start);
            session.until(answer).0 - began
        };
        let what = format!("start to {answer}");
        holds(&what, Duration::from_millis(50), || (0..20).map(sample).collect());
    }
}

#[test]
fn stop_to_bestmove() {
    let _alone = alone();
    for (arguments, go) in [(&["uci"], "go infinite"), (&["ucci"], "go depth infinite")] {
        let mut session = busy(arguments, "isready");
        session.until("readyok");
        let mut sample = |i: u64| {
            session.send(go);
            // At all stages of a search.
            std::thread::sleep(Duration::from_millis(i % 20));
            let began = Instant::now();
            session.send("stop");
            session.until("bestmove").0 - began
        };
        let what = format!("{} stop to bestmove", arguments[0]);
        holds(&what, Duration::from_millis(10), || (0..200).map(&mut sample).collect());
    }
}

#[test]
fn isready_while_searching() {
    let _alone = alone();
    for (arguments, go) in [(&["uci"], "go infinite"), (&["ucci"], "go depth infinite")] {
        let mut session = busy(arguments, go);
        let mut sample = |_| {
            std::thread::sleep(Duration::from_millis(2));
            let began = Instant::now();
            session.send("isready");
            session.until("readyok").0 - began
        };
        let what = format!("{} isready while searching", arguments[0]);
        holds(&what, Duration::from_millis(1), || (0..200).map(&mut sample).collect());
    }
}

#[test]
fn the_end_of_input_or_quit_ends_a_search_within_a_second() {
    let _alone = alone();
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

/// A clock that charges every move 150 ms more than the engine takes, with 200 ms for each: whoever plans by his
/// own clock only has nothing left after twenty moves.
#[test]
fn a_clock_behind_a_slow_line_does_not_run_out() {
    const LAG: Duration = Duration::from_millis(150);
    const INCREMENT: Duration = Duration::from_millis(200);
    let _alone = alone();
    for arguments in [["uci"], ["gtp"]] {
        let mut session = Session::start(&arguments);
        if arguments == ["gtp"] {
            // The first search loads the net.
            session.send("7 genmove b");
            session.until("=7");
            session.send("kata-time_settings fischer 2 0.2");
        }
        let mut left = Duration::from_secs(2);
        for mv in 1..=40 {
            let (go, answer) = match arguments {
                ["gtp"] => (format!("undo\ntime_left b {:.3} 0\n7 genmove b", left.as_secs_f64()), "=7"),
                _ => (format!("position startpos\ngo wtime {} winc 200", left.as_millis()), "bestmove"),
            };
            session.send(&go);
            let began = Instant::now();
            let took = session.until(answer).0 - began;
            left = (left + INCREMENT)
                .checked_sub(took + LAG)
                .unwrap_or_else(|| panic!("{arguments:?}: move {mv}"));
        }
        println!("{arguments:?}: {left:?} left after 40 moves");
    }
}
