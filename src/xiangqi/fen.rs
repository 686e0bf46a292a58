//! FEN of xiangqi: `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1`.
//!
//! Ranks from Black's home down, Red in upper case; `K A B N R C P`, also `E` for the elephant and `H` for the
//! horse. Only the first field is needed. Positions that no game can reach are refused by name.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::bitboard::Bitboard;
use super::board::Board;
use super::lookup;
use super::types::{FILES, Kind, Piece, RANKS, Square};
use crate::game::Side;
use thiserror::Error;

/// The starting position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a FEN is not a position of xiangqi.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FenError {
    /// Nothing but blanks.
    #[error("empty fen")]
    Empty,
    /// More than six fields.
    #[error("fen has {0} fields, at most 6 are known")]
    TooManyFields(usize),
    /// Not ten ranks.
    #[error("fen has {0} ranks instead of 10")]
    RankCount(usize),
    /// A rank that does not describe nine points.
    #[error("rank {rank} of the fen describes {points} points instead of 9")]
    RankWidth {
        /// 0 to 9, Red's home being 0.
        rank: usize,
        /// Points described.
        points: usize,
    },
    /// A character that is neither a piece nor a digit.
    #[error("unknown piece \"{letter}\" on rank {rank}")]
    BadPiece {
        /// The character.
        letter: char,
        /// 0 to 9.
        rank: usize,
    },
    /// A side field other than `w`, `r` or `b`.
    #[error("unknown side to move \"{0}\"")]
    BadSide(String),
    /// A counter that is no number.
    #[error("\"{0}\" is no move counter")]
    BadCounter(String),
    /// A side without general.
    #[error("{} has no general", side_name(*.0))]
    NoGeneral(Side),
    /// A side with two generals or more.
    #[error("{} has {count} generals", side_name(*.side))]
    ManyGenerals {
        /// Whose.
        side: Side,
        /// How many.
        count: u32,
    },
    /// More pieces of a kind than a game begins with.
    #[error("{} has {count} pieces of \"{}\", at most {} are possible", side_name(*.side), .kind.letter(), .kind.at_most())]
    TooMany {
        /// Whose.
        side: Side,
        /// Of what kind.
        kind: Kind,
        /// How many.
        count: u32,
    },
    /// A general outside its palace.
    #[error("{} general on {sq} is outside the palace", side_name(*.side))]
    GeneralOutside {
        /// Whose.
        side: Side,
        /// Where.
        sq: Square,
    },
    /// An advisor or elephant where it can never get.
    #[error("{} \"{}\" cannot stand on {sq}", side_name(*.side), .kind.letter())]
    Unreachable {
        /// Whose.
        side: Side,
        /// What.
        kind: Kind,
        /// Where.
        sq: Square,
    },
    /// The generals see each other, so the last move was illegal whoever made it.
    #[error("the generals face each other on the {} file", file_letter(*.0))]
    FacingGenerals(usize),
    /// The side that just moved left its general to be captured.
    #[error("{} is in check but not to move", side_name(*.0))]
    CheckIgnored(Side),
}

const fn file_letter(file: usize) -> char {
    b'a'.saturating_add(file as u8) as char
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "red",
        Side::Second => "black",
    }
}

impl Board {
    /// Reads a FEN of one to six fields.
    /// # Errors
    /// [`FenError`] names what is wrong.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let Some(placement) = fields.first() else { return Err(FenError::Empty) };
        if fields.len() > 6 {
            return Err(FenError::TooManyFields(fields.len()));
        }
        let mut board = Self::empty();
        board.read_placement(placement)?;
        let side = match fields.get(1).copied().unwrap_or("w") {
            "w" | "r" | "W" | "R" => Side::First,
            "b" | "B" => Side::Second,
            other => return Err(FenError::BadSide(other.to_owned())),
        };
        let halfmoves = counter(fields.get(4))?.unwrap_or(0);
        let fullmoves = counter(fields.get(5))?.unwrap_or(1).max(1);
        board.check_pieces()?;
        board.state.rule_counter = halfmoves;
        board.first_move.0 = fullmoves;
        board.finish(side);
        board.check_generals()?;
        Ok(board)
    }

    fn read_placement(&mut self, placement: &str) -> Result<(), FenError> {
        let ranks: Vec<&str> = placement.split('/').collect();
        if ranks.len() != RANKS {
            return Err(FenError::RankCount(ranks.len()));
        }
        for (rank, text) in (0..RANKS).rev().zip(ranks) {
            let mut file = 0_usize;
            for letter in text.chars() {
                if let Some(gap) = letter.to_digit(10).filter(|&gap| gap > 0) {
                    file = file.saturating_add(gap as usize);
                    continue;
                }
                let kind = Kind::from_letter(letter).ok_or(FenError::BadPiece { letter, rank })?;
                let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
                if let Some(sq) = Square::at(file, rank) {
                    self.put(Piece::new(side, kind), sq);
                }
                file = file.saturating_add(1);
            }
            if file != FILES {
                return Err(FenError::RankWidth { rank, points: file });
            }
        }
        Ok(())
    }

    #[allow(clippy::indexing_slicing, reason = "a side is 0 or 1")]
    fn check_pieces(&self) -> Result<(), FenError> {
        for side in [Side::First, Side::Second] {
            let generals = self.pieces(side, Kind::General);
            match generals.count() {
                0 => return Err(FenError::NoGeneral(side)),
                1 => {}
                count => return Err(FenError::ManyGenerals { side, count }),
            }
            if let Some(sq) = generals.without(lookup::PALACE[side.index()]).first() {
                return Err(FenError::GeneralOutside { side, sq });
            }
            for kind in Kind::ALL {
                let count = self.pieces(side, kind).count();
                if count > kind.at_most() {
                    return Err(FenError::TooMany { side, kind, count });
                }
                let possible = match kind {
                    Kind::Advisor => lookup::ADVISOR_POINTS[side.index()],
                    Kind::Elephant => lookup::ELEPHANT_POINTS[side.index()],
                    // Composed endings have soldiers anywhere.
                    _ => Bitboard::ALL,
                };
                if let Some(sq) = self.pieces(side, kind).without(possible).first() {
                    return Err(FenError::Unreachable { side, kind, sq });
                }
            }
        }
        Ok(())
    }

    fn check_generals(&self) -> Result<(), FenError> {
        let (red, black) = (self.general(Side::First), self.general(Side::Second));
        if red.file() == black.file() && !lookup::between(red, black).meets(self.occ.all) {
            return Err(FenError::FacingGenerals(red.file()));
        }
        if !self.opponent_checkers().is_empty() {
            return Err(FenError::CheckIgnored(self.side.other()));
        }
        Ok(())
    }

    /// The position as a FEN of six fields.
    #[allow(clippy::arithmetic_side_effects, reason = "ranks of the board, and a gap of at most nine points")]
    pub fn fen(&self) -> String {
        let mut out = String::with_capacity(96);
        for rank in (0..RANKS).rev() {
            let mut gap = 0;
            for piece in self.squares.iter().skip(rank * FILES).take(FILES) {
                if piece.is_none() {
                    gap += 1;
                    continue;
                }
                push_gap(&mut out, &mut gap);
                out.push(piece.letter());
            }
            push_gap(&mut out, &mut gap);
            if rank > 0 {
                out.push('/');
            }
        }
        out.push_str(match self.side {
            Side::First => " w",
            Side::Second => " b",
        });
        out + &format!(" - - {} {}", self.state.rule_counter, self.full_move())
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "a gap of at most nine points")]
fn push_gap(out: &mut String, gap: &mut u8) {
    if *gap > 0 {
        out.push((b'0' + *gap) as char);
        *gap = 0;
    }
}

fn counter(field: Option<&&str>) -> Result<Option<u16>, FenError> {
    match field {
        None => Ok(None),
        Some(&"-") => Ok(None),
        // Counters beyond their range are the greatest there are, as in chess.
        Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(Some(text.parse().unwrap_or(u16::MAX)))
        }
        Some(text) => Err(FenError::BadCounter((*text).to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, MoveList};

    fn error(fen: &str) -> FenError {
        Board::from_fen(fen).expect_err(fen)
    }

    #[test]
    fn the_start_comes_back() {
        assert_eq!(Board::start().fen(), START_FEN);
        let black = "4k4/9/9/9/4n4/9/5C3/9/4N4/4K4 b - - 17 42";
        assert_eq!(Board::from_fen(black).unwrap().fen(), black);
    }

    #[test]
    fn one_field_is_enough_and_letters_have_two_habits() {
        let short = Board::from_fen("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR").unwrap();
        assert_eq!(short.fen(), START_FEN);
        assert_eq!(Board::from_fen(&START_FEN.replace('w', "r")).unwrap().fen(), START_FEN);
    }

    #[test]
    fn every_fault_has_a_name() {
        let bare = |rest: &str| format!("3k5/9/9/9/9/9/9/9/9/4{rest} w");
        assert_eq!(error("  "), FenError::Empty);
        assert_eq!(error("9/9 w - - 0 1 x"), FenError::TooManyFields(7));
        assert_eq!(error("9/9 w"), FenError::RankCount(2));
        assert_eq!(error(&bare("K3")), FenError::RankWidth { rank: 0, points: 8 });
        assert_eq!(error(&bare("K5")), FenError::RankWidth { rank: 0, points: 10 });
        assert_eq!(error(&bare("KQ3")), FenError::BadPiece { letter: 'Q', rank: 0 });
        assert_eq!(error(&bare("K0N3")), FenError::BadPiece { letter: '0', rank: 0 });
        assert_eq!(error("3k5/9/9/9/9/9/9/9/9/4K4 x"), FenError::BadSide("x".into()));
        assert_eq!(error("3k5/9/9/9/9/9/9/9/9/4K4 w - - x 1"), FenError::BadCounter("x".into()));
        assert_eq!(error("9/9/9/9/9/9/9/9/9/4K4 w"), FenError::NoGeneral(Side::Second));
        assert_eq!(error(&bare("KK3")), FenError::ManyGenerals { side: Side::First, count: 2 });
        assert_eq!(
            error("3k5/9/9/9/9/9/9/RRR6/9/4K4 w"),
            FenError::TooMany { side: Side::First, kind: Kind::Chariot, count: 3 }
        );
        assert!(matches!(error("3k5/9/9/9/9/9/9/9/9/6K2 w"), FenError::GeneralOutside { .. }));
        assert!(matches!(error("3k5/9/9/9/9/9/4K4/9/9/9 w"), FenError::GeneralOutside { .. }));
        for fen in [
            "3k5/9/9/9/9/9/9/9/9/3AKA3 w",
            "3k5/9/9/9/9/9/9/9/9/4AK3 w",
            "3k5/9/9/9/9/9/9/9/9/1B2K4 w",
            "3k5/9/9/9/2B6/9/9/9/9/4K4 w",
        ] {
            let wrong = Board::from_fen(fen);
            assert_eq!(wrong.is_ok(), fen.contains("3AKA3"), "{fen}");
            assert!(wrong.is_ok() || matches!(wrong, Err(FenError::Unreachable { .. })), "{fen}");
        }
        assert_eq!(error("4k4/9/9/9/9/9/9/9/9/4K4 w"), FenError::FacingGenerals(4));
        assert_eq!(error("3k5/9/9/9/9/9/9/9/3R5/4K4 w"), FenError::CheckIgnored(Side::Second));
        assert!(Board::from_fen("3k5/9/9/9/9/9/9/9/3R5/4K4 b").is_ok());
    }

    #[test]
    fn soldiers_may_stand_where_composers_put_them() {
        for fen in ["3k2p2/4P4/9/9/9/9/9/9/4p4/2p1K4 w - - 0 1", "3k5/9/9/9/9/9/1P7/P8/9/4KP3 w - - 0 1"] {
            assert_eq!(Board::from_fen(fen).unwrap().fen(), fen);
        }
        let mut moves = MoveList::new();
        Board::from_fen("3k2p2/9/9/9/9/9/9/9/9/4K4 b").unwrap().legal_moves(&mut moves);
        assert!(moves.iter().any(|mv| mv.to_string() == "g9g8"));
    }

    #[test]
    fn messages_are_one_line_of_lower_case() {
        let text = error("3k5/9/9/9/9/9/9/RRR6/9/4K4 w").to_string();
        assert_eq!(text, "red has 3 pieces of \"R\", at most 2 are possible");
        assert_eq!(error("9/9/9/9/9/9/9/9/9/4K4 w").to_string(), "black has no general");
    }
}
