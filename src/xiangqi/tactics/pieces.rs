//! The pieces on the board as sets, without rules or history.

use crate::game::Side;
use crate::xiangqi::bitboard::Bitboard;
use crate::xiangqi::board::Board;
use crate::xiangqi::lookup::Occupancy;
use crate::xiangqi::types::{Kind, Piece, SQUARES, Square};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PiecePlacement {
    squares: [Piece; SQUARES],
    /// By [`Piece::index`].
    sets: [Bitboard; Piece::COUNT],
    occupancy: Occupancy,
}

impl Default for PiecePlacement {
    fn default() -> Self {
        Self {
            squares: [Piece::NONE; SQUARES],
            sets: [Bitboard::EMPTY; Piece::COUNT],
            occupancy: Occupancy::default(),
        }
    }
}

impl PiecePlacement {
    /// These pieces on their points; no point may be named twice.
    pub fn of(pieces: impl Iterator<Item = (Piece, Square)>) -> Self {
        let mut all = Self::default();
        for (piece, square) in pieces {
            all.squares[square.index()] = piece;
            all.sets[piece.index()] |= Bitboard::of(square);
            all.occupancy.toggle(square);
        }
        all
    }

    #[inline(always)]
    pub const fn on(&self, square: Square) -> Piece {
        self.squares[square.index()]
    }

    #[inline(always)]
    pub fn of_kind(&self, side: Side, kind: Kind) -> Bitboard {
        self.sets[Piece::new(side, kind).index()]
    }

    #[inline(always)]
    pub const fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// The points on which not the same stands.
    #[inline(always)]
    pub fn differences(&self, other: &Self) -> Bitboard {
        self.sets.iter().zip(other.sets).fold(Bitboard::EMPTY, |all, (&a, b)| all | (a ^ b))
    }
}

impl From<&Board> for PiecePlacement {
    #[inline(always)]
    fn from(board: &Board) -> Self {
        Self { squares: board.squares, sets: board.by_piece, occupancy: board.occ }
    }
}
