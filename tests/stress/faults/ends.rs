//! Work that has to end, and readers that do not read.

use crate::support::{processes, program, program_to_signal, signal};
use std::fs;
use std::io::{PipeReader, Read, Write, pipe};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

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

/// Waits until the process has computed for half a second: its work is under way.
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

/// Whatever is counted, measured or searched, and whatever waits, a session ends within a second of `quit`,
/// of the end of its input and of its client's leaving.
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

/// Starts work, and measures how long the session goes on after `end`.
fn hears(protocol: &str, work: &str, end: &str) -> Duration {
    let (mut child, mut input, output) = start(protocol);
    writeln!(input, "{work}").unwrap();
    await_work(&mut child);
    let (took, _) = finish(child, input, output, end);
    println!("{protocol}, {:?}: {took:?} after {end}", work.lines().last());
    took
}

/// Ends a session: how long it goes on, and what it still writes.
fn finish(mut child: Child, mut input: ChildStdin, mut output: ChildStdout, end: &str) -> (Duration, String) {
    let (began, end_closes_output) = (Instant::now(), end == "closed pipes");
    // Held open, so that nothing but the word is the end.
    let mut held = None;
    if end == "quit" {
        writeln!(input, "quit").unwrap();
        held = Some(input);
    } else {
        drop(input);
    }
    let mut text = String::new();
    let reader = std::thread::spawn(move || {
        if end_closes_output {
            return text;
        }
        let _ = output.read_to_string(&mut text);
        text
    });
    let status = wait(&mut child, HANGS).unwrap_or_else(|| panic!("{end} is not heard"));
    let took = began.elapsed();
    assert!(status.success(), "{status} after {end}");
    drop(held);
    (took, reader.join().unwrap())
}

/// Waits for the end of a process, and kills it when that takes too long.
fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let began = Instant::now();
    while began.elapsed() < limit {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    None
}

/// KiB of memory that a process holds.
fn memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Lines and reports that are not read are not kept. Once they are read, the session gets what was sent.
#[test]
fn searches_without_a_reader_cost_no_memory() {
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
        let mut text = String::new();
        let reader = std::thread::spawn(move || output.read_to_string(&mut text).map(|_| text));
        let status = wait(&mut child, HANGS).unwrap_or_else(|| panic!("{protocol} does not end"));
        let text = reader.join().unwrap().unwrap();
        assert!(status.success() && text.contains(answer), "{protocol}: {text}");
    }
}

/// Lines that wait, and how often: each is quick, all of them together are not.
const QUEUES: [(&str, &str, usize); 12] = [
    ("uci", "setoption name Hash value 2\nsetoption name Hash value 300", 200),
    ("uci", "setoption name Threads value 64\nsetoption name Threads value 1", 100),
    ("uci", "ucinewgame", 3000),
    ("uci", "d", 20_000),
    ("uci", "eval", 20_000),
    ("uci", "go depth 6", 3000),
    ("ucci", "go depth 4", 3000),
    ("uci", "go depth 1", 20_000),
    ("gtp", "clear_board", 5000),
    ("gtp", "final_score", 3000),
    ("gtp", "genmove b", 1000),
    ("gtp", "kata-analyze b 1", 1000),
];

/// However much waits, a session ends within a second, and no line is answered twice. In GTP each is
/// answered.
#[test]
fn queues_do_not_hold_the_end() {
    for (protocol, line, times) in QUEUES {
        std::thread::scope(|scope| {
            for end in ["quit", "the end of the input"] {
                scope.spawn(move || {
                    let is_in_time = (0..ATTEMPTS).any(|_| passes(protocol, line, times, end) < END);
                    assert!(is_in_time, "{times} x {line}: {end} is heard late");
                });
            }
        });
    }
}

fn passes(protocol: &str, line: &str, times: usize, end: &str) -> Duration {
    let (child, mut input, output) = start(protocol);
    input.write_all(format!("{line}\n").repeat(times).as_bytes()).unwrap();
    let (took, text) = finish(child, input, output, end);
    println!("{protocol}, {times} x {line:?}: {took:?} after {end}");
    let count =
        |marks: &[&str]| text.lines().filter(|line| marks.iter().any(|m| line.starts_with(m))).count();
    if protocol == "gtp" {
        assert_eq!(count(&["=", "?"]), times + usize::from(end == "quit"), "{line}, {end}");
    } else {
        assert!(count(&["bestmove", "nobestmove"]) <= times, "{line}, {end}");
    }
    took
}

/// An output that is full already, and its other end.
fn full_pipe() -> (Stdio, PipeReader) {
    let (reader, writer) = pipe().unwrap();
    let mut filler = writer.try_clone().unwrap();
    // However much it takes: what is too much waits for ever.
    std::thread::spawn(move || filler.write_all(&[b'\n'; 1 << 20]));
    std::thread::sleep(Duration::from_millis(100));
    (writer.into(), reader)
}

/// A reader that does not read holds no end: neither `quit` nor the end of the input nor a signal.
#[test]
fn an_output_that_is_not_read_does_not_hold_the_end() {
    let folder = tempdir().unwrap();
    let mark = folder.path().to_str().unwrap();
    let engine = format!("cmd={} uci --sandbox {mark}", env!("CARGO_BIN_EXE_sanqi"));
    let players = ["match", "--tc", "nodes=50", "--engine", "name=A", &engine, "--engine", "name=B", &engine];
    let query = r#"{"id":"a","moves":[],"rules":"chinese","boardXSize":19,"boardYSize":19,"maxVisits":20,"includeOwnership":true}"#;
    let version = "{\"id\":\"a\",\"action\":\"query_version\"}\n".repeat(100);
    let word = ["quit", "the end of the input", "SIGTERM"];
    let kinds: [(&[&str], &str, &[&str]); 10] = [
        (&["uci"], "setoption name MultiPV value 20\ngo infinite", &word),
        (&["uci"], &format!("go infinite\n{}", "isready\n".repeat(1000)), &word),
        (&["uci"], &format!("{}{}", "uci\n".repeat(60), "isready\n".repeat(20_000)), &word),
        (&["ucci"], &"isready\n".repeat(1000), &word),
        (&["gtp"], "kata-analyze b 1", &word),
        (&["gtp"], &"showboard\n".repeat(3000), &word),
        (&["katago"], &format!("{query}\n").repeat(60), &word[1..]),
        (&["katago"], &version, &word[1..]),
        (&["serve", "--port", "0"], "", &word[2..]),
        (&players, "", &word[2..]),
    ];
    for (arguments, lines, ends) in kinds {
        std::thread::scope(|scope| {
            for end in ends {
                scope.spawn(move || {
                    let is_in_time = (0..ATTEMPTS).any(|_| outlasts(arguments, lines, end) < 3 * END);
                    assert!(is_in_time, "{arguments:?}: {end} is heard late");
                });
            }
        });
        assert!(processes(mark).is_empty(), "{arguments:?} left an engine behind");
    }
}

fn outlasts(arguments: &[&str], lines: &str, end: &str) -> Duration {
    let (output, unread) = full_pipe();
    let mut command = program_to_signal(env!("CARGO_BIN_EXE_sanqi"));
    command.args(arguments).stdin(Stdio::piped()).stdout(output).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{lines}").unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let began = Instant::now();
    match end {
        "quit" => writeln!(input, "quit").unwrap(),
        "SIGTERM" => signal(child.id(), "TERM"),
        _ => (),
    }
    // Held open but for the end of the input.
    let held = Some(input).filter(|_| end != "the end of the input");
    let status = wait(&mut child, HANGS).unwrap_or_else(|| panic!("{arguments:?}: {end} is not heard"));
    println!("{arguments:?}: {:?} after {end}, {status}", began.elapsed());
    drop((held, unread));
    began.elapsed()
}

/// Who reads late, and slowly at first, still gets everything.
#[test]
fn a_late_reader_loses_nothing() {
    let query = format!("{{\"id\":\"a\",\"action\":\"query_version\",\"text\":\"{}\"}}\n", "x".repeat(3000));
    for (protocol, line, times, answers) in [
        ("uci", "isready\n", 20_000, &["readyok"][..]),
        ("gtp", "showboard\n", 3000, &["=", "?"]),
        ("katago", &query, 60, &["{"]),
    ] {
        let (mut child, mut input, mut output) = start(protocol);
        let lines = line.repeat(times);
        let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
        let mut text = vec![0; 3 << 12];
        for page in text.chunks_mut(1 << 12) {
            std::thread::sleep(Duration::from_millis(700));
            output.read_exact(page).unwrap();
        }
        output.read_to_end(&mut text).unwrap();
        writer.join().unwrap().unwrap();
        let text = String::from_utf8(text).unwrap();
        let count = text.lines().filter(|line| answers.iter().any(|answer| line.starts_with(answer))).count();
        assert_eq!((count, child.wait().unwrap().success()), (times, true), "{protocol}");
    }
}
