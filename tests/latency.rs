//! How soon the engine answers. The figures are printed (`--nocapture`); the limits are those of the
//! issue tracker with a margin for busy machines, where other programs share the processors.

use crate::arbiter::{BAD, Folder, games, has_python};
use crate::session::Session;
use crate::support::{engine, program};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How much slower than promised a busy machine may be before a test fails.
const MARGIN: u32 = 10;
/// A busy moment of the machine passes; a slow engine is slow every time.
const ATTEMPTS: usize = 5;

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

/// Sixty-four games at once at 1+0.01 between engines that sleep: what of a processor `match` needs for a move.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "128 processes"]
fn a_crowd_of_games_costs_little_and_loses_no_time() {
    if !has_python() {
        return;
    }
    // In units of a hundredth of a second, as the system counts them: in the program, and for it in the kernel.
    let spent = |id: u32| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let numbers: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        Some(numbers.get(11)?.parse::<u64>().ok()? + numbers.get(12)?.parse::<u64>().ok()?)
    };
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let command = format!("cmd=python3 {BAD} slow");
    let mut manager = program(engine())
        .args([
            "match",
            "--engine",
            &command,
            "name=a",
            "--engine",
            &command,
            "name=b",
            "--each",
            "tc=1+0.01",
        ])
        .args([
            "--openings",
            "none",
            "--games",
            "2",
            "--rounds",
            "320",
            "--concurrency",
            "64",
            "--journal",
            &journal,
        ])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut hundredths = 0;
    while manager.try_wait().unwrap().is_none() {
        hundredths = spent(manager.id()).map_or(hundredths, |now| now.max(hundredths));
        std::thread::sleep(Duration::from_millis(50));
    }
    let games = games(&journal);
    let moves: usize = games.iter().map(|game| game["plies"].as_array().unwrap().len()).sum();
    let each = Duration::from_millis(10 * hundredths) / moves as u32;
    println!("{} games, {moves} moves, {each:?} of a processor each", games.len());
    assert_eq!(games.len(), 640);
    assert!(games.iter().all(|game| game["ending"]["reason"] == "repetition"));
    assert!(each < Duration::from_millis(2));
}
