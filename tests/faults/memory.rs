//! Less memory than a search needs, or the program.

use super::{confined, text};
use crate::support::program;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Output, Stdio};

/// The least address space in KiB, in steps of 1,000, in which the program counts the first moves: below it the kernel or the
/// loader ends it, and no code of ours has run.
fn least_to_start() -> u32 {
    let starts = |kib: &u32| {
        let script = format!("ulimit -v {kib}; exec {} perft chess 1", env!("CARGO_BIN_EXE_sanqi"));
        program("sh").args(["-c", &script]).output().unwrap().status.success()
    };
    (10_000..200_000).step_by(1000).find(starts).expect("the program starts")
}

/// How the engine itself ended, in a shell that hands its exit code on: 128 and a signal's number, or its own.
fn is_crash(out: &Output) -> bool {
    const SIGSEGV: i32 = 11;
    const SIGBUS: i32 = 7;
    out.status.signal().is_some_and(|signal| [SIGSEGV, SIGBUS].contains(&signal))
        || out.status.code().is_some_and(|code| [128 + SIGSEGV, 128 + SIGBUS].contains(&code))
}

/// From where the system starts the program, too little memory ends it in words or in those of the standard library, and
/// never by a wrong address. It ends though a backtrace is wanted that needs memory, too.
#[test]
fn too_little_memory_is_no_crash_at_any_size() {
    let least = least_to_start();
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
        // Whoever ends says why.
        assert!(out.status.success() || !remarks.is_empty(), "{kib}: {}", out.status);
    }
}

/// Where there is no memory for one search, a move is refused with the reason, an analysis is empty, and neither is a pass.
#[test]
fn without_memory_for_a_search_no_move_is_made() {
    let lines = "boardsize 9\\ngenmove b\\nkata-analyze b 1\\nshowboard\\nname\\n";
    let least = least_to_start();
    let (mut refused, mut empty) = (0, 0);
    for kib in (least + 8000..least + 28_000).step_by(4000) {
        let out = confined(kib, "gtp", lines);
        let (answers, remarks) = (text(&out.stdout), text(&out.stderr));
        assert!(!is_crash(&out) && !remarks.contains("panicked"), "{kib}: {} {remarks}", out.status);
        if !out.status.success() {
            // Too little for the session itself. Its own words, or those of the standard library, say so.
            let says = remarks.starts_with("sanqi: ") || remarks.contains("memory allocation of");
            assert!(says && !answers.contains("\n\n= "), "{kib}: {answers} {remarks}");
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

/// What a session of Go with so many KiB of address space answers to lines of which the last is `name`. Its input is held until
/// then: its end would cancel a search.
fn answers_of_go(kib: u32, arenas: Option<&str>, lines: &str) -> (Vec<String>, Output) {
    let script = format!("ulimit -v {kib}; exec {} gtp", env!("CARGO_BIN_EXE_sanqi"));
    let mut command = program("sh");
    command.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.envs(arenas.map(|most| ("MALLOC_ARENA_MAX", most)));
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
    let (answers, out) = answers_of_go(340_000, None, lines);
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
        // Else the C library sets 64 MiB of addresses aside for each thread, and there may be none left for the next.
        let (answers, out) = answers_of_go(kib, Some("1"), lines);
        let remarks = text(&out.stderr);
        assert!(out.status.success(), "{kib}: {} {answers:?} {remarks}", out.status);
        assert_eq!(answers.len(), 5, "{kib}: {answers:?} {remarks}");
        for mv in &answers[2..4] {
            assert!(mv.starts_with("= ") && mv != "= pass", "{kib}: {answers:?} {remarks}");
        }
        assert!(remarks.contains("no memory for a table of 256 MiB: it has "), "{kib}: {remarks}");
    }
}
