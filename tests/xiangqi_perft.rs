//! Counts of move trees.

use crate::support::suite;
use sanqi::game::perft::perft;
use sanqi::xiangqi::Board;

/// Trees of at most this many leaves are counted in every run.
const QUICK: u64 = 25_000_000;
/// Trees of at most this many leaves are counted in long runs.
const LONG: u64 = 400_000_000;

/// The lines `FEN ;D1 n ;D2 n ..` of the suite.
fn positions() -> Vec<(String, Vec<(u32, u64)>)> {
    let line = |line: &str| {
        let mut parts = line.split(';');
        let fen = parts.next().unwrap().trim().to_owned();
        let count = |part: &str| {
            let (depth, nodes) = part.trim().strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
        };
        (fen, parts.filter_map(count).collect())
    };
    suite("xiangqi_perft.epd").lines().filter(|text| !text.trim().is_empty()).map(line).collect()
}

/// Counts the trees of `more_than..=at_most` leaves. Returns how many numbers were compared.
fn check(more_than: u64, at_most: u64) -> usize {
    let mut counted = 0;
    for (fen, counts) in positions() {
        let mut board = Board::from_fen(&fen).unwrap();
        for (depth, nodes) in counts {
            if nodes <= at_most && (nodes > more_than || more_than == 0) {
                assert_eq!(perft(&mut board, depth), nodes, "depth {depth} of {fen}");
                counted += 1;
            }
        }
        assert_eq!(Board::from_fen(&fen).unwrap().fen(), board.fen(), "perft left the board changed");
    }
    counted
}

#[test]
fn counts() {
    assert!(check(0, QUICK) > 40);
}

#[test]
#[ignore = "minutes"]
fn deep_counts() {
    assert!(check(QUICK, LONG) > 10);
}
