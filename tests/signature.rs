//! The bench signature: the same node count in every run and every build, and the one that was committed.

use crate::support::{built_with_tests, engine, last_line, run_program};
use std::path::PathBuf;
use std::process::Command;

/// The node count of a bench.
fn signature(program: PathBuf, args: &[&str]) -> u64 {
    let output = run_program(program, &[&["bench"], args].concat(), "");
    let last = last_line(&output);
    let count = last.split(' ').next().and_then(|n| n.parse().ok());
    count.unwrap_or_else(|| panic!("{args:?} ends with {last:?}"))
}

#[test]
fn every_build_searches_the_same_tree() {
    for game in ["chess", "xiangqi"] {
        let checked = signature(built_with_tests(), &[game, "--depth", "8"]);
        assert_eq!(checked, signature(engine(), &[game, "--depth", "8"]), "{game}: debug and release differ");
        assert!(checked > 1000, "{game}: {checked} nodes are no bench");
    }
}

#[test]
fn every_run_searches_the_same_tree() {
    let go = || signature(engine(), &["go"]);
    assert_eq!(go(), go());
    let chess = || signature(engine(), &[]);
    assert_eq!(chess(), chess());
}

/// The last commit message with a `Bench: N` line says what this code counts. No checkout: nothing to compare.
#[test]
fn the_committed_signature_holds() {
    let log = Command::new("git").args(["log", "-1", "--grep=^Bench: [0-9]", "--format=%B"]).output();
    let message = log.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    let Some(line) = message.lines().rev().find_map(|l| l.strip_prefix("Bench: ")) else {
        eprintln!("skipped: no commit with a signature");
        return;
    };
    let committed: u64 = line.trim().parse().unwrap_or_else(|_| panic!("Bench: {line:?} is no number"));
    assert_eq!(signature(engine(), &[]), committed, "sanqi bench differs from the last `Bench:` line");
}

/// Builds for an old processor, and compares. Minutes: it compiles everything once more.
#[test]
#[ignore = "minutes"]
fn a_portable_build_searches_the_same_tree() {
    let made = Command::new("make").args(["-s", "portable"]).status().expect("make");
    assert!(made.success());
    for game in ["chess", "xiangqi", "go"] {
        assert_eq!(signature("./sanqi-portable".into(), &[game]), signature(engine(), &[game]), "{game}");
    }
}
