//! Moves as protocols write them: `e2e4`, `e7e8q`. castling is written as in the [`Notation`].

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::board::Board;
use super::types::{Kind, Move, MoveType, Square};
use crate::game::Game;
use crate::message;
use crate::util::message::Message;
use std::fmt::Write;

/// The file on which the king stands in standard chess.
const E_FILE: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// As the king's squares, `e1g1`. A king that does not start on the e-file takes the rook instead,
    /// `f1h1`: its squares, `f1g1`, can be a plain step.
    #[default]
    Coordinate,
    /// As king takes rook, `e1h1`.
    Chess960,
}

impl Board {
    pub fn move_to_text(&self, mv: Move, notation: Notation) -> String {
        let by_king = notation == Notation::Coordinate && mv.from().file() == E_FILE;
        let to = match mv.move_type() {
            MoveType::Castling if by_king => mv.castling_targets().0,
            _ => mv.to(),
        };
        let mut text = String::with_capacity(5);
        for square in [mv.from(), to] {
            text.push(square.file_letter());
            text.push(square.rank_digit());
        }
        if mv.move_type() == MoveType::Promotion {
            text.push(mv.promotion_kind().letter().to_ascii_lowercase());
        }
        text
    }

    /// The legal move that `text` names. Castling is understood in both spellings whatever the
    /// notation; where the king's squares could also be a plain move of the king (`f1g1`), they are.
    /// # Errors
    /// Says whether `text` is no move at all or not a legal one.
    pub fn move_from_text(&self, text: &str) -> Result<Move, Message> {
        let malformed = || message!("{text:?} is no move" | "“{text}”不是着法", text);
        let (from, to, promotion) = match *text.as_bytes() {
            [a, b, c, d] => ([a, b], [c, d], None),
            [a, b, c, d, letter] => ([a, b], [c, d], Some(letter)),
            _ => return Err(malformed()),
        };
        let from = Square::parse(&from).ok_or_else(malformed)?;
        let to = Square::parse(&to).ok_or_else(malformed)?;
        let promotion = match promotion {
            None => None,
            Some(letter) => Some(
                Kind::from_letter(letter)
                    .filter(|kind| Kind::PROMOTIONS.contains(kind))
                    .ok_or_else(malformed)?,
            ),
        };
        let moves = self.legal();
        let plain = moves.iter().find(|mv| {
            let promotes = mv.move_type() == MoveType::Promotion;
            mv.from() == from && mv.to() == to && promotes.then(|| mv.promotion_kind()) == promotion
        });
        let castling = || {
            let by_king = |mv: &&Move| {
                mv.move_type() == MoveType::Castling && mv.from() == from && mv.castling_targets().0 == to
            };
            moves.iter().find(by_king).filter(|_| promotion.is_none())
        };
        plain
            .or_else(castling)
            .copied()
            .ok_or_else(|| message!("{text} is not legal here" | "这里不能走 {text}", text))
    }

    /// The board for people to look at, White below, with the FEN and the key.
    pub fn picture(&self) -> String {
        let mut text = String::new();
        let line = "  +---+---+---+---+---+---+---+---+\n";
        for (rank, number) in (0..8).rev().zip((1..=8).rev()) {
            let _ = write!(text, "{line}{number} ");
            for file in 0..8 {
                let letter = self.piece_on(Square::at(file, rank)).map_or(' ', |piece| piece.letter());
                let _ = write!(text, "| {letter} ");
            }
            text.push_str("|\n");
        }
        let _ = write!(text, "{line}    a   b   c   d   e   f   g   h\n\nCheckers:");
        for square in self.masks().checkers {
            let _ = write!(text, " {square}");
        }
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn castling_has_two_spellings() {
        let board = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        for (text, chess960) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
            let mv = board.move_from_text(text).unwrap();
            assert_eq!(board.move_from_text(chess960), Ok(mv));
            assert_eq!(board.move_to_text(mv, Notation::Coordinate), text);
            assert_eq!(board.move_to_text(mv, Notation::Chess960), chess960);
        }
    }

    #[test]
    fn a_king_step_is_a_king_step() {
        let board = Board::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        assert_eq!(board.move_from_text("f1g1").map(Move::move_type), Ok(MoveType::Normal));
        let castling = board.move_from_text("f1h1").unwrap();
        assert_eq!(castling.move_type(), MoveType::Castling);
        assert_eq!(board.move_to_text(castling, Notation::Coordinate), "f1h1");
    }

    #[test]
    fn what_is_no_move_is_refused() {
        let board = Board::start();
        for bad in ["", "e2", "e2e5", "e2e4q", "e7e5", "0000", "e2e4 ", "z9z9", "e2e4qq", "éa1"] {
            assert!(board.move_from_text(bad).is_err(), "{bad}");
        }
        let board = Board::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(board.move_from_text("a7a8").is_err() && board.move_from_text("a7a8k").is_err());
        assert!(board.move_from_text("a7a8q").is_ok() && board.move_from_text("a7a8N").is_ok());
    }
}
