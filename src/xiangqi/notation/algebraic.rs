//! Algebraic notation, as chess has it: `Che2`, `Hg7`, `xe5`, `R8xd7`, `Chf4+`, soldiers with their letter or
//! without. XBoard and BanksiaGUI count ranks from 0, Fairy-Stockfish and pychess.org from 1. The long form,
//! `Ch2-e2`, is read besides.

use super::coordinate::{point, rank};
use super::find::find;
use super::{MoveError, Notation};
use crate::game::AlphaBetaGame;
use crate::xiangqi::Board;
use crate::xiangqi::types::{Kind, Move, Square};

/// A move as a text describes it.
pub(super) struct Algebraic {
    /// `None`: both points are given without a letter.
    kind: Option<Kind>,
    file: Option<usize>,
    rank: Option<usize>,
    to: Square,
    captures: bool,
    checks: bool,
}

/// Finds the legal move that `text` names; what has an `x` must capture. Checks and annotations (`+ # ! ?`)
/// are not looked at.
/// # Errors
/// [`MoveError`] is the reason that there is none.
pub fn read_algebraic(board: &Board, text: &str, ranks: Notation) -> Result<Move, MoveError> {
    let wanted = Algebraic::parse(text, ranks).ok_or_else(|| MoveError::Malformed(text.to_owned()))?;
    find(board, text, wanted.kind, |mv| wanted.fits(board, mv))
}

impl Algebraic {
    pub(super) fn parse(text: &str, ranks: Notation) -> Option<Self> {
        let bare = text.trim_end_matches(['+', '#', '!', '?']);
        let checks = text.contains(['+', '#']);
        let named = bare.chars().next().filter(char::is_ascii_uppercase).map(Kind::from_letter);
        let (letter, rest) = bare.split_at_checked(usize::from(named.is_some()))?;
        if !letter.is_empty() && named.flatten().is_none() {
            return None;
        }
        let (head, to) = rest.split_at_checked(rest.rfind(|c| matches!(c, 'a'..='i'))?)?;
        let to = point(to, ranks).filter(|(_, behind)| behind.is_empty())?.0;
        let captures = head.ends_with('x');
        let origin = head.strip_suffix(['x', '-']).unwrap_or(head);
        let (file, origin) = match *origin.as_bytes() {
            [letter @ b'a'..=b'i', ..] => (Some(usize::from(letter.wrapping_sub(b'a'))), origin.get(1..)?),
            _ => (None, origin),
        };
        let rank = match origin {
            "" => None,
            digits => Some(rank(digits, ranks).filter(|(_, behind)| behind.is_empty())?.0),
        };
        let has_origin = file.is_some() && rank.is_some();
        let kind = named.flatten().or((!has_origin).then_some(Kind::Soldier));
        Some(Self { kind, file, rank, to, captures, checks })
    }

    fn fits(&self, board: &Board, mv: Move) -> bool {
        let from = mv.from();
        mv.to() == self.to
            && self.kind.is_none_or(|kind| board.piece_at(from).kind() == kind)
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
            && (!self.captures || board.is_capture(mv))
    }

    /// Whether programs would write the legal move with other signs: captures have an `x`, and only checks a
    /// `+`.
    pub(super) fn is_odd(&self, board: &Board, mv: Move) -> bool {
        self.captures != board.is_capture(mv) && self.kind.is_some() || self.checks && !board.gives_check(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::xiangqi::notation::{coordinates, ranks_of, read_with};

    const FROM_ZERO: Notation = Notation::Coordinate;
    const FROM_ONE: Notation = Notation::RanksFromOne;

    /// How the game counts ranks, and its moves in coordinates up to the first that cannot be read.
    fn played(fen: &str, words: &str) -> (Notation, String) {
        let mut board = Board::from_fen(fen).unwrap();
        let words = words.split(' ');
        let ranks = ranks_of(&board, words.clone());
        let moves = words.map_while(|word| {
            let mv = read_with(&board, word, ranks).ok()?;
            board.do_move(mv, &mut ());
            Some(coordinates(mv, FROM_ZERO))
        });
        (ranks, moves.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn games_are_read_as_their_programs_write_them() {
        let start = crate::xiangqi::START_FEN;
        for (words, ranks, moves) in [
            // XBoard, BanksiaGUI, elephantchess.
            ("Che2 Hg7", FROM_ZERO, "h2e2 h9g7"),
            ("Cbe2 Hg7 Hc2", FROM_ZERO, "b2e2 h9g7 b0c2"),
            ("c4 g5 Che2 Nc7", FROM_ZERO, "c3c4 g6g5 h2e2 b9c7"),
            ("Che2 Nc7 Cxe6 Hg7", FROM_ZERO, "h2e2 b9c7 e2e6 h9g7"),
            ("e4 e5 xe5 Hc7", FROM_ZERO, "e3e4 e6e5 e4e5 b9c7"),
            ("e4 e5 exe5 Hc7", FROM_ZERO, "e3e4 e6e5 e4e5 b9c7"),
            ("Pe4 Pe5 Pxe5 Hc7", FROM_ZERO, "e3e4 e6e5 e4e5 b9c7"),
            ("Ch2-e2 Nh9-g7 Ce2xe6", FROM_ZERO, "h2e2 h9g7 e2e6"),
            ("h2e2 h9g7 e2xe6 Nb9c7", FROM_ZERO, "h2e2 h9g7 e2e6 b9c7"),
            // Fairy-Stockfish, pychess.org.
            ("Che3 Hg8", FROM_ONE, "h2e2 h9g7"),
            ("h3e3 h10g8", FROM_ONE, "h2e2 h9g7"),
            ("h3e3 Hg8 e3e7 Hb10c8", FROM_ONE, "h2e2 h9g7 e2e6 b9c7"),
            ("Pc5 Pg6 Che3 Hc8", FROM_ONE, "c3c4 g6g5 h2e2 b9c7"),
            ("H2-E2 H9-G7", FROM_ZERO, "h2e2 h9g7"),
            // Another notation shows nothing, signs of captures and checks do.
            ("炮二平五 马8进7", FROM_ZERO, "h2e2 h9g7"),
            ("C2=5 H8+7", FROM_ZERO, "h2e2 h9g7"),
            ("Ra2", FROM_ZERO, "a0a2"),
            ("Ra2 Ra9", FROM_ONE, "a0a1 a9a8"),
            ("Ra2 Ra9 Rb2 Rb9 Rb9", FROM_ONE, "a0a1 a9a8 a1b1 a8b8"),
            ("Ra2 Cxb1", FROM_ONE, "a0a1 b7b0"),
            ("Ra1 Cxb0", FROM_ZERO, "a0a1 b7b0"),
            // A fault shows where the game ends.
            ("h3e3 h10g8 h3h9 i10h10", FROM_ONE, "h2e2 h9g7"),
            ("Che2 Hg7 Che9", FROM_ZERO, "h2e2 h9g7"),
        ] {
            assert_eq!(played(start, words), (ranks, moves.to_owned()), "{words}");
        }
    }

    #[test]
    fn a_piece_named_by_its_rank_is_no_point() {
        let board = Board::from_fen("2b1k1b2/9/9/9/9/9/9/9/9/3K5 b - - 0 1").unwrap();
        for (text, ranks) in [("E9i7", FROM_ZERO), ("Eg9i7", FROM_ZERO), ("E10i8", FROM_ONE)] {
            let mv = read_with(&board, text, ranks).map(|mv| coordinates(mv, FROM_ZERO));
            assert_eq!(mv.as_deref(), Ok("g9i7"), "{text}");
        }
    }

    #[test]
    fn pieces_are_named_by_file_and_rank() {
        let board = Board::from_fen("5k3/9/3R5/9/3h5/9/3R5/4C4/9/3K5 w - - 0 1").unwrap();
        let read = |text, ranks| read_algebraic(&board, text, ranks).map(|mv| coordinates(mv, FROM_ZERO));
        for (from_zero, from_one, mv) in [
            ("R7xd5", "R8xd6", "d7d5"),
            ("R3xd5", "R4xd6", "d3d5"),
            ("Rd7xd5", "Rd8xd6", "d7d5"),
            ("Rd7-d5", "Rd8-d6", "d7d5"),
            ("Rd3xd5!?", "Rd4xd6!?", "d3d5"),
            ("Rf7+", "Rf8+", "d7f7"),
            ("Rdf7+!", "Rdf8+!", "d7f7"),
            ("Rd9", "Rd10", "d7d9"),
            ("R7d9#", "R8d10#", "d7d9"),
            ("Ce9", "Ce10", "e2e9"),
            ("Gd1", "Gd2", "d0d1"),
            ("d7xd5", "d8xd6", "d7d5"),
        ] {
            assert_eq!(read(from_zero, FROM_ZERO).as_deref(), Ok(mv), "{from_zero}");
            assert_eq!(read(from_one, FROM_ONE).as_deref(), Ok(mv), "{from_one}");
        }
        for text in ["Rxd5", "Rdxd5", "Rd5"] {
            assert!(matches!(read(text, FROM_ZERO), Err(MoveError::Ambiguous(_))), "{text}");
        }
        for text in ["Rxd6", "R7d4", "Rd7xd6", "c4", "xd6", "Hc7", "Kd0"] {
            assert!(matches!(read(text, FROM_ZERO), Err(MoveError::Impossible(..))), "{text}");
        }
        for text in
            ["", "R", "Rd", "Rd10", "Qd5", "R=d5", "Rd5d", "7d5x", "Rj5", "Ré5", "rf7", "x", "-", "R10d5"]
        {
            assert!(matches!(read(text, FROM_ZERO), Err(MoveError::Malformed(_))), "{text}");
        }
        assert!(matches!(read("Rd0", FROM_ONE), Err(MoveError::Malformed(_))));
    }
}
