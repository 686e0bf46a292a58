//! Counts of move trees: every line of the shared suite, and of the project's own.

use sanqi::game::Text;
use sanqi::game::perft::perft;
use sanqi::xiangqi::Board;
use std::path::{Path, PathBuf};

/// Trees of at most this many leaves are counted in every run.
const QUICK: u64 = 25_000_000;
/// Trees of at most this many leaves are counted in long runs.
const LONG: u64 = 400_000_000;

/// The lines `FEN ;D1 n ;D2 n ..` of a file.
fn suite(path: &Path) -> Vec<(String, Vec<(u32, u64)>)> {
    let text = std::fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let mut parts = line.split(';');
        let fen = parts.next().unwrap().trim().to_owned();
        let count = |part: &str| {
            let (depth, nodes) = part.trim().strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
        };
        (fen, parts.filter_map(count).collect())
    };
    text.lines().filter(|text| !text.trim().is_empty()).map(line).collect()
}

fn check(path: &Path, more_than: u64, at_most: u64) {
    let mut counted = 0;
    for (fen, counts) in suite(path) {
        let mut board = Board::from_fen(&fen).unwrap();
        for (depth, nodes) in counts {
            if nodes <= at_most && (nodes > more_than || more_than == 0) {
                assert_eq!(perft(&mut board, depth), nodes, "depth {depth} of {fen}");
                counted += 1;
            }
        }
        assert_eq!(Board::from_fen(&fen).unwrap().fen(), board.fen(), "perft left the board changed");
    }
    assert!(counted > 0, "no count in {}", path.display());
}

fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/xiangqi_perft.epd")
}

/// The suite beside the checkout, where there is one.
fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/xiangqi/perft.epd");
    if !path.exists() {
        eprintln!("skipped: {} is not there", path.display());
    }
    path.exists().then_some(path)
}

#[test]
fn own_counts() {
    check(&own(), 0, QUICK);
}

#[test]
fn shared_counts() {
    if let Some(path) = shared() {
        check(&path, 0, QUICK);
    }
}

#[test]
#[ignore = "minutes"]
fn own_counts_deep() {
    check(&own(), QUICK, LONG);
}

#[test]
#[ignore = "minutes"]
fn shared_counts_deep() {
    if let Some(path) = shared() {
        check(&path, QUICK, LONG);
    }
}
