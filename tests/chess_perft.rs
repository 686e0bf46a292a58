//! The generator of chess against known counts, by both ways of walking the tree: the fast one on bare
//! positions and the plain one through `do_move` and `undo_move`.

use crate::support::suite;
use sanqi::chess::Board;
use sanqi::game::perft::walk;

/// `FEN ;D1 20 ;D2 400 ...` as (FEN, pairs of depth and count).
fn parse_line(line: &str) -> Option<(&str, Vec<(u32, u64)>)> {
    let (fen, counts) = line.split_once(';')?;
    let pair = |field: &str| {
        let (depth, count) = field.trim().strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, count.trim().parse().ok()?))
    };
    Some((fen.trim(), counts.split(';').filter_map(pair).collect()))
}

/// Counts every depth of every position up to `most` leaves. Returns how many numbers were compared.
fn check_suite(text: &str, most: u64) -> usize {
    let mut compared = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let (fen, counts) = parse_line(line).unwrap_or_else(|| panic!("no perft line: {line}"));
        let mut board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for (depth, expected) in counts.into_iter().take_while(|&(_, count)| count <= most) {
            assert_eq!(board.position().perft(depth), expected, "{fen} depth {depth}");
            if expected <= most / 16 {
                assert_eq!(walk(&mut board, depth), expected, "{fen} depth {depth}, with keys and undo");
            }
            compared += 1;
        }
        assert_eq!(Board::from_fen(fen).as_ref(), Ok(&board), "perft leaves the board as it was");
    }
    compared
}

#[test]
fn own_suite() {
    assert!(check_suite(&suite("chess_perft.epd"), 5_000_000) >= 40);
}

#[test]
fn published_suite() {
    assert!(check_suite(&suite("chess_perft_published.epd"), 5_000_000) > 300);
}

#[test]
fn chess960_suite() {
    assert!(check_suite(&suite("chess_perft960.epd"), 800_000) > 2_000);
}

#[test]
#[ignore = "minutes"]
fn suites_to_20_million() {
    for name in ["chess_perft_published.epd", "chess_perft960.epd"] {
        check_suite(&suite(name), 20_000_000);
    }
}
