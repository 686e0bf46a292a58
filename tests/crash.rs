//! What a fault of the engine itself leaves behind. Builds without assertions cannot be made to fail.
#![cfg(debug_assertions)]

use crate::support::{program, stderr, stdout};
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use tempfile::tempdir;

/// The engine, which fails by `fault`; its files go below `state`.
fn fail(fault: &str, args: &[&str], lines: &str, state: &Path) -> Output {
    let mut child = program(env!("CARGO_BIN_EXE_sanqi"))
        .args(args)
        .env("SANQI_TEST_FAULT", fault)
        .env("XDG_STATE_HOME", state)
        .env("LOCALAPPDATA", state)
        .env("TMPDIR", state.parent().unwrap())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    child.wait_with_output().unwrap()
}

/// The path that the line behind `start` names, and what is in the file.
fn report(printed: &str, start: &str) -> (String, String) {
    let said = "the engine has failed; please report it with ";
    let line = printed.lines().find_map(|line| line.strip_prefix(start)?.strip_prefix(said));
    let path = line.unwrap_or_else(|| panic!("{start}: {printed}")).to_owned();
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

#[test]
fn a_fault_leaves_a_report_and_is_named_in_the_dialect() {
    let folder = tempdir().unwrap();
    let state = folder.path().join("state");
    let uci = "uci\nposition startpos moves e2e4 e7e5\nisready\ngo depth 1\nquit\n";
    let board = "ucci\nposition startpos moves h2e2\nisready\nquit\n";
    let go = "boardsize 5\nplay b C3\nplay w D3\nname\n";
    for (args, lines, fault, start, position) in [
        ("uci", uci, "main isready", "info string ", "position: chess, the start, moves e2e4 e7e5\n"),
        ("uci", uci, "worker go depth 1", "info string ", "position: chess, the start, moves e2e4 e7e5\n"),
        ("ucci", board, "main isready", "info message ", "position: xiangqi, the start, moves h2e2\n"),
        ("gtp", go, "worker name", "? ", "position: go, 5 x 5, komi 7.5, moves b C3 w D3\n"),
    ] {
        let output = fail(fault, &[args], lines, &state);
        assert!(!output.status.success(), "{fault}");
        let (path, text) = report(&stdout(&output), start);
        assert!(Path::new(&path).starts_with(&state), "{path}");
        assert_eq!(report(&stderr(&output), "sanqi: ").0, path);
        let last = fault.split_once(' ').unwrap().1;
        for part in ["a test asked for this fault", position, "commit", &format!("{last}\n")] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let thread = if fault.starts_with("main") { "thread main: " } else { "thread worker: " };
        assert!(text.contains(thread), "{text}");
    }
    assert_eq!(std::fs::read_dir(state.join("sanqi")).unwrap().count(), 4);
}

/// The last 500 commands are in it, and of each 2,000 characters.
#[test]
fn a_report_has_the_last_commands() {
    let folder = tempdir().unwrap();
    let state = folder.path().join("state");
    let long = format!("long {}", "x".repeat(3000));
    let lines: Vec<String> = (1..=600).map(|n| format!("remark {n}.")).collect();
    let lines = format!("{}\n{long}\nisready\n", lines.join("\n"));
    let (path, text) = report(&stdout(&fail("main isready", &["uci"], &lines, &state)), "info string ");
    let kept = text.lines().filter(|line| line.trim_start().starts_with("remark ")).count();
    assert_eq!(kept, 498, "{path}");
    assert!(text.contains("remark 103.\n") && !text.contains("remark 102.\n"), "{text}");
    assert!(text.lines().any(|line| line.trim() == &long[..2000]), "{text}");
}

/// Where nothing can be written among the person's own files, the report is among those that may go.
#[test]
fn a_report_finds_another_place() {
    let folder = tempdir().unwrap();
    let state = folder.path().join("state");
    std::fs::write(&state, "a file").unwrap();
    let output = fail("main isready", &["uci"], "isready\n", &state);
    let (path, _) = report(&stdout(&output), "info string ");
    assert_eq!(Path::new(&path).parent(), Some(folder.path()));
}
