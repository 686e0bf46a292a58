//! The bench signatures: the same node count in every run and every build, and the one that was committed.

use crate::support::{built_with_tests, engine, last_line, program, run_program};
use std::path::PathBuf;

/// What `sanqi bench GAME` counts with one thread. Who changes a search or an evaluation changes its number
/// here.
const SIGNATURES: [(&str, u64); 3] = [("chess", 506_436), ("xiangqi", 221_385), ("go", 38_118)];

/// The node count of a bench.
fn signature(program: PathBuf, args: &[&str]) -> u64 {
    let output = run_program(program, &[&["bench"], args].concat(), "");
    let last = last_line(&output);
    let count = last.split(' ').next().and_then(|n| n.parse().ok());
    count.unwrap_or_else(|| panic!("{args:?} ends with {last:?}"))
}

/// Every run of every build counts the same.
#[test]
fn every_game_has_its_signature() {
    for (game, expected) in SIGNATURES {
        assert_eq!(signature(engine(), &[game]), expected, "sanqi bench {game}");
    }
}

#[test]
fn every_build_searches_the_same_tree() {
    for game in ["chess", "xiangqi"] {
        let checked = signature(built_with_tests(), &[game, "--depth", "8"]);
        assert_eq!(checked, signature(engine(), &[game, "--depth", "8"]), "{game}: debug and release differ");
        assert!(checked > 1000, "{game}: {checked} nodes are no bench");
    }
}

/// The last commit message with a `Bench: N` line names the signature of chess. Without a checkout there is
/// nothing to compare.
#[test]
fn the_log_names_the_signature_of_chess() {
    let log = program("git").args(["log", "-1", "--grep=^Bench: [0-9]", "--format=%B"]).output();
    let message = log.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    let Some(line) = message.lines().rev().find_map(|l| l.strip_prefix("Bench: ")) else { return };
    let committed: u64 = line.trim().parse().unwrap_or_else(|_| panic!("Bench: {line:?} is no number"));
    assert_eq!(SIGNATURES[0], ("chess", committed), "the last `Bench:` line differs");
}

/// Builds for an old processor, and compares. Minutes: it compiles everything once more.
#[test]
#[ignore = "minutes"]
fn a_portable_build_searches_the_same_tree() {
    let made = program("make").args(["-s", "portable"]).status().expect("make");
    assert!(made.success());
    for game in ["chess", "xiangqi", "go"] {
        assert_eq!(signature("./sanqi-portable".into(), &[game]), signature(engine(), &[game]), "{game}");
    }
}
