//! Work that is told to end, and readers that do not read.

use crate::support::program;
use std::fs;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// How long an end may take.
pub const END: Duration = Duration::from_secs(1);
/// What hangs takes longer still.
pub const HANGS: Duration = Duration::from_secs(10);
/// A busy moment of the machine passes; an end that is slow is slow every time.
pub const ATTEMPTS: usize = 5;

/// A session in this protocol.
fn start(protocol: &str) -> (Child, ChildStdin, ChildStdout) {
    let mut command = program(env!("CARGO_BIN_EXE_sanqi"));
    command.arg(protocol).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, input, output)
}

/// Waits until the process has computed for half a second: what it was told to do is under way.
fn await_work(child: &mut Child) {
    let began = Instant::now();
    let computed = |id: u32| -> u64 {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // Hundredths of a second in the program and in the system, the 14th and the 15th field.
        let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
        fields.filter_map(|field| field.parse::<u64>().ok()).sum()
    };
    while computed(child.id()) < 50 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        assert!(began.elapsed() < Duration::from_secs(60), "it does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whatever is counted, measured or searched, and whatever waits, a session ends within a second of `quit`, of the end of its
/// input and of its client's leaving.
#[test]
fn work_hears_the_end() {
    let counts: String =
        (1..13).map(|i| format!("\nplay b A{i}\nfinal_score\nfinal_status_list dead")).collect();
    let counts = format!("boardsize 19{counts}");
    let works = [
        ("uci", "go perft 12"),
        ("uci", "bench 60"),
        ("uci", "setoption name MultiPV value 50\ngo infinite"),
        ("ucci", "setoption batch true\ngo depth 255\nposition startpos\ngo depth 255"),
        ("gtp", "boardsize 19\nkata-set-param maxTime 600\ngenmove b\nfinal_score\ngenmove w"),
        ("gtp", &counts),
        ("gtp", "kata-benchmark 100000000\nfinal_score"),
        ("gtp", "kata-set-param maxTime 600\nkata-analyze b 1"),
    ];
    for (protocol, work) in works {
        std::thread::scope(|scope| {
            for end in ["quit", "the end of the input", "closed pipes"] {
                scope.spawn(move || {
                    let is_in_time = (0..ATTEMPTS).any(|_| hears(protocol, work, end) < END);
                    assert!(is_in_time, "{protocol}, {work}: {end} is heard late");
                });
            }
        });
    }
}

/// Starts work, and tells how long the session goes on after `end`.
fn hears(protocol: &str, work: &str, end: &str) -> Duration {
    let (mut child, mut input, mut output) = start(protocol);
    writeln!(input, "{work}").unwrap();
    await_work(&mut child);
    let began = Instant::now();
    // Held open, so that nothing but the word is the end.
    let mut held = None;
    if end == "quit" {
        writeln!(input, "quit").unwrap();
        held = Some(input);
    } else {
        drop(input);
    }
    match end {
        "closed pipes" => drop(output),
        _ => drop(std::thread::spawn(move || output.read_to_end(&mut Vec::new()))),
    }
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if began.elapsed() > HANGS {
            child.kill().unwrap();
            panic!("{protocol}, {work}: {end} is not heard");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let took = began.elapsed();
    println!("{protocol}, {:?}: {took:?} after {end}", work.lines().last());
    assert!(status.success(), "{protocol}, {work}: {status} after {end}");
    drop(held);
    took
}

/// KiB of memory that a process holds.
fn memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Lines and reports that nobody reads are not kept. Once they are read, the session hears what it was told.
#[test]
fn searches_that_nobody_reads_cost_no_memory() {
    let lines = "setoption name Hash value 1\nsetoption name MultiPV value 3\nposition fen 8/8/8/8/8/4k3/8/4K2R w - - 0 \
                 1\ngo infinite\n";
    let query = r#"{"id":"a","moves":[],"rules":"chinese","boardXSize":9,"boardYSize":9,"maxVisits":1000000000,"reportDuringSearchEvery":0.001,"includeOwnership":true,"includeMovesOwnership":true}"#;
    let terminate = r#"{"id":"t","action":"terminate","terminateId":"a"}"#;
    for (protocol, work, end, answer) in [
        ("uci", lines, "stop\nisready\nquit\n", "\nreadyok\n"),
        ("analysis", query, terminate, "\"action\":\"terminate\""),
    ] {
        let (mut child, mut input, mut output) = start(protocol);
        writeln!(input, "{work}").unwrap();
        // The tree and the table fill; the pipe does too.
        std::thread::sleep(Duration::from_secs(3));
        let early = memory(&child);
        std::thread::sleep(Duration::from_secs(3));
        let late = memory(&child);
        println!("{protocol}: {early} KiB, then {late} KiB");
        assert!(late < early + 8192, "{protocol}: {early} KiB, then {late} KiB");
        input.write_all(format!("{end}\n").as_bytes()).unwrap();
        drop(input);
        let mut told = String::new();
        let reader = std::thread::spawn(move || output.read_to_string(&mut told).map(|_| told));
        let began = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if began.elapsed() > HANGS {
                child.kill().unwrap();
                panic!("{protocol} does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let told = reader.join().unwrap().unwrap();
        assert!(child.wait().unwrap().success() && told.contains(answer), "{protocol}: {told}");
    }
}
