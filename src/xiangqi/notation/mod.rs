//! Moves as text: coordinates (ICCS and ranks from one), Chinese notation, WXF and algebraic notation.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod algebraic;
mod chinese;
mod coordinate;
mod find;
mod relative;
mod wxf;

use crate::errors;
use crate::game::Game;
use crate::util::message::Message;
use algebraic::Algebraic;
pub use algebraic::read_algebraic;
pub use chinese::{chinese, kind_of, read_chinese};
pub use coordinate::{coordinates, read};
pub use find::piece_name;
pub use wxf::{read_wxf, wxf};

use super::board::Board;
use super::types::Move;

/// How coordinates and algebraic notation count ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// From 0 to 9, as ICCS does: `h2e2`.
    #[default]
    Coordinate,
    /// From 1 to 10: `h3e3`, `b10c8`.
    RanksFromOne,
}

errors! {
    /// Why a text names no move here.
    pub enum MoveError {
        Malformed(text: String) = "\"{text}\" is not a move" | "“{text}”不是着法",
        Impossible(text: String, why: Message) = "\"{text}\" is not possible here: {why}" | "这里不能走“{text}”：{why}",
        Exposes(text: String) = "\"{text}\" leaves the general in check" | "走“{text}”会送将",
        InCheck(text: String) = "\"{text}\" does not answer the check" | "走“{text}”没有应将",
        Facing(text: String) = "\"{text}\" leaves the generals facing each other" | "走“{text}”会使两将（帅）照面",
        Ambiguous(text: String) = "\"{text}\" could be several moves" | "“{text}”可以是几种着法",
    }
}

/// Finds the legal move that `text` names in whatever notation it is written, with ranks from 0 or, where it
/// is no move so, from 1. Moves of a game are better read by [`read_with`]: [`ranks_of`] looks at all of
/// them.
/// # Errors
/// [`MoveError`] of the first notation that knows the text as a move.
pub fn read_any(board: &Board, text: &str) -> Result<Move, MoveError> {
    match read_with(board, text, Notation::Coordinate) {
        Err(MoveError::Malformed(_)) => read_with(board, text, Notation::RanksFromOne),
        answer => answer,
    }
}

/// Finds the legal move that `text` names in whatever notation it is written: coordinates first, then
/// Chinese, WXF and algebraic notation.
/// # Errors
/// [`MoveError`] of the first notation that knows the text as a move, if it is legal in none.
pub fn read_with(board: &Board, text: &str, ranks: Notation) -> Result<Move, MoveError> {
    let readers: [fn(&Board, &str, Notation) -> Result<Move, MoveError>; 4] = [
        read,
        |board, text, _| read_chinese(board, text),
        |board, text, _| read_wxf(board, text),
        read_algebraic,
    ];
    // `E10i8` may be an elephant's move or one from e10: one of them is legal.
    let mut refused = None;
    for reader in readers {
        match reader(board, text, ranks) {
            Ok(mv) => return Ok(mv),
            Err(MoveError::Malformed(_)) => {}
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    Err(refused.unwrap_or_else(|| MoveError::Malformed(text.to_owned())))
}

/// How the moves of a game from `start` count ranks: the way in which more of them can be read from the first
/// on, or else fit their signs of captures and checks better; from 0 where both are the same.
pub fn ranks_of<'w>(start: &Board, words: impl Iterator<Item = &'w str> + Clone) -> Notation {
    // Chinese notation has no ranks.
    if !words.clone().any(str::is_ascii) {
        return Notation::Coordinate;
    }
    let read_all = |ranks| {
        let (mut board, mut plies, mut odd) = (start.clone(), 0_usize, 0_usize);
        for word in words.clone() {
            let Ok(mv) = read_with(&board, word, ranks) else {
                return (plies, std::cmp::Reverse(odd), false);
            };
            let signs = Algebraic::parse(word, ranks);
            odd = odd.saturating_add(signs.is_some_and(|signs| signs.is_odd(&board, mv)).into());
            board.do_move(mv, &mut ());
            plies = plies.saturating_add(1);
        }
        (plies, std::cmp::Reverse(odd), odd == 0)
    };
    let from_zero = read_all(Notation::Coordinate);
    if !from_zero.2 && read_all(Notation::RanksFromOne) > from_zero {
        Notation::RanksFromOne
    } else {
        Notation::Coordinate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::testing::play_at_random;
    use crate::util::rng::Rng;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).unwrap()
    }

    /// The move in ICCS in both notations.
    fn written(fen: &str, iccs: &str) -> [String; 2] {
        let board = board(fen);
        let mv = read(&board, iccs, Notation::Coordinate).unwrap();
        [chinese(&board, mv), wxf(&board, mv)]
    }

    #[test]
    fn the_first_moves_of_every_book() {
        let start = Board::start().fen();
        assert_eq!(written(&start, "h2e2"), ["炮二平五", "C2=5"]);
        assert_eq!(written(&start, "b0c2"), ["马八进七", "H8+7"]);
        assert_eq!(written(&start, "g3g4"), ["兵三进一", "P3+1"]);
        assert_eq!(written(&start, "c0e2"), ["相七进五", "E7+5"]);
        let black = start.replace('w', "b");
        assert_eq!(written(&black, "h9g7"), ["马８进７", "H8+7"]);
        assert_eq!(written(&black, "b7e7"), ["炮２平５", "C2=5"]);
        assert_eq!(written(&black, "f9e8"), ["士６进５", "A6+5"]);
    }

    #[test]
    fn pieces_that_share_a_file() {
        let chariots = "3k5/9/9/R8/9/9/9/9/R8/4K4 w";
        assert_eq!(written(chariots, "a6b6"), ["前车平八", "R+=8"]);
        assert_eq!(written(chariots, "a1a0"), ["后车退一", "R--1"]);
        let three = "3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w";
        assert_eq!(written(three, "e7e8"), ["前兵进一", "P++1"]);
        assert_eq!(written(three, "e6d6"), ["中兵平六", "P.=6"]);
        assert_eq!(written(three, "e5f5"), ["后兵平四", "P-=4"]);
        let two_files = "3k5/9/4P1P2/4P1P2/9/9/9/9/9/4K4 w";
        assert_eq!(written(two_files, "g7h7"), ["一兵平二", "Pa=2"]);
        assert_eq!(written(two_files, "e6d6"), ["四兵平六", "Pd=6"]);
        let five = "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w";
        assert_eq!(written(five, "e8f8"), ["一兵平四", "Pa=4"]);
        let advisors = "3k5/9/9/9/9/9/9/3A5/9/3AK4 w";
        assert_eq!(written(advisors, "d2e1"), ["仕六退五", "A6-5"]);
        assert_eq!(written(advisors, "d0e1"), ["仕六进五", "A6+5"]);
    }

    #[test]
    fn old_characters_and_any_digits_are_read() {
        let start = Board::start();
        let cannon = read(&start, "h2e2", Notation::Coordinate);
        for text in ["炮二平五", "砲2平5", "炮２平５", "包二平5", "C2=5", "c2.5", "h2e2", "H2-E2"]
        {
            assert_eq!(read_any(&start, text), cannon);
        }
        for text in ["", "炮", "炮二平五五", "炮二平零", "C2=0", "X2=5", "车九平九十", "++++"]
        {
            assert!(matches!(read_any(&start, text), Err(MoveError::Malformed(_))), "{text}");
        }
        assert!(matches!(read_any(&start, "车二进九"), Err(MoveError::Impossible(..))));
        let columns = board("3k5/9/4P1P2/4P1P2/9/9/9/9/9/4K4 w");
        let soldier = read(&columns, "g6h6", Notation::Coordinate);
        for text in ["二兵平二", "Pb=2", "后三平二", "后兵三平二", "二3平2", "23=2"] {
            assert_eq!(read_any(&columns, text), soldier, "{text}");
        }
        let column = board("3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w");
        assert_eq!(read_any(&column, "15+1"), read(&column, "e7e8", Notation::Coordinate));
        assert!(matches!(read_any(&column, "13+1"), Err(MoveError::Impossible(..))));
        let tandem = board("3k5/9/9/R8/9/9/9/9/R8/4K4 w");
        assert!(matches!(read_any(&tandem, "车九平八"), Err(MoveError::Ambiguous(_))));
    }

    #[test]
    fn whatever_is_written_is_read_back() {
        let mut rng = Rng::new(5);
        let mut checked = 0;
        let ends = ["3k5/9/4P1P2/4P1P2/6P2/9/9/9/9/4K4 w", "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w"];
        for game in 0..30 {
            let start = if game < 4 { board(ends[game % 2]) } else { Board::start() };
            play_at_random(start, 100, &mut rng, |pos, moves| {
                for &mv in moves {
                    let (text, letters) = (chinese(pos, mv), wxf(pos, mv));
                    assert_eq!(read_chinese(pos, &text), Ok(mv), "{text} in {}", pos.fen());
                    assert_eq!(read_wxf(pos, &letters), Ok(mv), "{letters} in {}", pos.fen());
                    checked += 1;
                }
            });
        }
        assert!(checked > 50_000);
    }
}
