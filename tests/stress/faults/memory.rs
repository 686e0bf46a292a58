//! Less memory than a search needs, or the program.

use super::{confined, text};
use crate::support::{client_skipped, program};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Output, Stdio};

/// The least address space in KiB, in steps of 1,000, in which the program counts the first moves: below it
/// the kernel or the loader ends it, and no code of ours has run.
fn min_to_start() -> u32 {
    let starts = |kib: &u32| {
        let script = format!("ulimit -v {kib}; exec {} perft chess 1", env!("CARGO_BIN_EXE_sanqi"));
        program("sh").args(["-c", &script]).output().unwrap().status.success()
    };
    (10_000..200_000).step_by(1000).find(starts).expect("the program starts")
}

/// How the engine itself ended, in a shell that hands its exit code on: 128 and a signal's number, or its
/// own.
fn is_crash(out: &Output) -> bool {
    const SIGSEGV: i32 = 11;
    const SIGBUS: i32 = 7;
    out.status.signal().is_some_and(|signal| [SIGSEGV, SIGBUS].contains(&signal))
        || out.status.code().is_some_and(|code| [128 + SIGSEGV, 128 + SIGBUS].contains(&code))
}

/// From where the system starts the program, too little memory ends it in words or in those of the standard
/// library, and never by a wrong address. It ends though a backtrace is wanted that needs memory, too.
#[test]
fn too_little_memory_is_no_crash_at_any_size() {
    let least = min_to_start();
    for kib in (least..least + 25_000).step_by(1000) {
        let script = format!(
            "ulimit -v {kib}; printf 'uci\\nposition startpos\\ngo depth 1\\n' | timeout 60 {} uci",
            env!("CARGO_BIN_EXE_sanqi")
        );
        let mut command = program("sh");
        let out = command.args(["-c", &script]).env("RUST_BACKTRACE", "1").output().unwrap();
        let remarks = text(&out.stderr);
        assert!(!is_crash(&out), "{kib}: {} {remarks}", out.status);
        assert_ne!(out.status.code(), Some(124), "{kib}: it does not end: {remarks}");
        assert!(!remarks.contains("panicked"), "{kib}: {remarks}");
        // A program that ends reports why.
        assert!(out.status.success() || !remarks.is_empty(), "{kib}: {}", out.status);
    }
}

/// With less and less, a search is made or refused in a line: the standard library does not end the program.
#[test]
fn little_memory_is_a_move_or_a_line() {
    // 82,000 to 85,000 and 63,000 to 72,000 KiB once were too little for what a thread has to itself.
    let few = (60_000..120_000).step_by(3000);
    for kib in few.chain((120_000..=400_000).step_by(20_000)) {
        for (protocol, lines) in [
            ("uci", "position startpos\\ngo depth 5\\n"),
            ("ucci", "ucci\\nposition startpos\\ngo depth 5\\n"),
            ("gtp", "boardsize 9\\nkata-set-param maxVisits 8\\ngenmove b\\n"),
        ] {
            let script = format!(
                "ulimit -v {kib}; (printf '{lines}'; sleep 0.3) | {} {protocol}",
                env!("CARGO_BIN_EXE_sanqi")
            );
            let out = program("sh").args(["-c", &script]).output().unwrap();
            let (answers, remarks) = (text(&out.stdout), text(&out.stderr));
            let plays = out.status.success() && (answers.contains("bestmove ") || answers.contains("\n= "));
            let refuses = answers.contains("? nothing was searched: no ")
                || answers.contains("? no ")
                || (out.status.code() == Some(1)
                    && remarks.starts_with("sanqi: no ")
                    && remarks.lines().count() == 1);
            assert!(plays || refuses, "{protocol} {kib}: {} {answers} {remarks}", out.status);
        }
    }
}

/// The program in a control group with so much memory, if this machine lets one be made.
fn in_a_group(bytes: u64, script: &str) -> Option<Output> {
    let group = format!("/sys/fs/cgroup/memory/sanqi-test-{}", std::process::id());
    let made = std::fs::create_dir(&group)
        .and_then(|()| std::fs::write(format!("{group}/memory.limit_in_bytes"), bytes.to_string()));
    let out = made.is_ok().then(|| {
        let script = format!("echo $$ >{group}/cgroup.procs && {script}");
        program("sh").args(["-c", &script]).env("S", env!("CARGO_BIN_EXE_sanqi")).output().unwrap()
    });
    let _ = std::fs::remove_dir(&group);
    out
}

/// What a container does not have is refused: the kernel would end the engine when it is used.
#[test]
fn a_table_that_a_container_does_not_hold_is_refused() {
    let script = "printf 'setoption name Hash value 2000\nisready\nposition startpos\ngo depth 5\n' | $S uci";
    let Some(out) = in_a_group(300 << 20, script) else {
        return client_skipped("memory of a container", "root and control groups of version 1");
    };
    let answers = text(&out.stdout);
    assert!(out.status.success(), "{}", out.status);
    assert!(
        answers.starts_with("info string no memory for a table of 2000 MiB and 1 threads: "),
        "{answers}"
    );
    assert!(answers.contains("\nreadyok\n") && answers.contains("\nbestmove "), "{answers}");
}

/// Where there is no memory for one search, a move is refused with the reason, an analysis is empty, and
/// neither is a pass.
#[test]
fn without_memory_for_a_search_no_move_is_made() {
    let lines = "boardsize 9\\ngenmove b\\nkata-analyze b 1\\nshowboard\\nname\\n";
    let least = min_to_start();
    let (mut refused, mut empty) = (0, 0);
    for kib in (least + 8000..least + 28_000).step_by(4000) {
        let out = confined(kib, "gtp", lines);
        let (answers, remarks) = (text(&out.stdout), text(&out.stderr));
        assert!(!is_crash(&out) && !remarks.contains("panicked"), "{kib}: {} {remarks}", out.status);
        if !out.status.success() {
            // Too little for the session itself. It reports so, or the standard library does.
            let reports = remarks.starts_with("sanqi: ") || remarks.contains("memory allocation of");
            assert!(reports && !answers.contains("\n\n= "), "{kib}: {answers} {remarks}");
            continue;
        }
        let answers: Vec<&str> = answers.split("\n\n").collect();
        let [_, mv, analysis, board, name, ""] = answers[..] else { panic!("{kib}: {answers:?} {remarks}") };
        assert!(
            mv.starts_with("? nothing was searched: no ") || mv.starts_with("? no thread "),
            "{kib}: {mv}"
        );
        assert!(analysis.trim() == "=" || analysis.starts_with("? no thread "), "{kib}: {analysis}");
        assert!(name == "= Sanqi" && !board.contains(['X', 'O']), "{kib}: {board}");
        refused += usize::from(mv.starts_with("? nothing was searched: no "));
        empty += usize::from(analysis.trim() == "=");
    }
    assert!(refused > 0 && empty > 0, "no size has enough for a session and too little for a search");
}

/// What a session of Go with this many KiB of address space answers to lines of which the last is `name`. Its
/// input is held until then: its end would cancel a search.
fn answers_of_go(kib: u32, lines: &str) -> (Vec<String>, Output) {
    let script = format!("ulimit -v {kib}; exec {} gtp", env!("CARGO_BIN_EXE_sanqi"));
    let mut command = program("sh");
    command.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let mut answers = Vec::new();
    for line in output.lines().map_while(Result::ok).filter(|line| !line.is_empty()) {
        answers.push(line);
        if answers.last().is_some_and(|line| line == "= Sanqi") {
            break;
        }
    }
    drop(input);
    (answers, child.wait_with_output().unwrap())
}

/// 256 MiB are Go's default: with less it plays with less, and never passes for want of memory.
#[test]
fn go_plays_with_the_memory_there_is() {
    let lines =
        "boardsize 9\nkata-set-param maxVisits 8\ngenmove b\nlz-setoption name Hash value 4000\nname\n";
    let (answers, out) = answers_of_go(300_000, lines);
    let remarks = text(&out.stderr);
    let [_, limited, mv, refused, name] = &answers[..] else { panic!("{answers:?} {remarks}") };
    assert!(mv.starts_with("= ") && mv != "= pass" && name == "= Sanqi", "{answers:?} {remarks}");
    assert!(remarks.contains("no memory for a table of 256 MiB"), "{remarks}");
    assert_eq!(limited, "=");
    assert!(refused.starts_with("? no memory for a table of 4000 MiB"), "{refused}");
}

/// With more than a search needs, Go plays with a table that leaves enough for everything else.
#[test]
fn a_table_of_go_leaves_memory_for_its_search() {
    let lines = "boardsize 9\nkata-set-param maxVisits 8\ngenmove b\ngenmove w\nname\n";
    for kib in [100_000, 150_000, 200_000, 250_000, 300_000] {
        let (answers, out) = answers_of_go(kib, lines);
        let remarks = text(&out.stderr);
        assert!(out.status.success(), "{kib}: {} {answers:?} {remarks}", out.status);
        assert_eq!(answers.len(), 5, "{kib}: {answers:?} {remarks}");
        for mv in &answers[2..4] {
            assert!(mv.starts_with("= ") && mv != "= pass", "{kib}: {answers:?} {remarks}");
        }
        assert!(remarks.contains("no memory for a table of 256 MiB: it has "), "{kib}: {remarks}");
    }
}
