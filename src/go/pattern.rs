//! 3x3 patterns: the eight cells around a point in sixteen bits.
//!
//! Two bits a cell ([`Color`](super::Color) codes), the four neighbors in the low byte, the four diagonals in
//! the high byte. The codes are chosen so that "own stone or border" is one bit of a cell.

use super::types::BLACK;
use crate::game::Side;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pattern(pub u16);

/// The lower bit of each cell of one byte.
const LOW: u16 = 0x55;

/// Neighbors in the low byte of `code` that are stones of `side`, as the lower bit of each cell.
#[inline(always)]
pub(super) const fn neighbors_of(code: u16, side: Side) -> u16 {
    let (low, high) = (code & LOW, code >> 1 & LOW);
    if side.index() == BLACK.index() { low & !high } else { high & !low }
}

impl Pattern {
    /// Whether a neighbor is empty.
    #[inline(always)]
    pub const fn has_liberty(self) -> bool {
        (self.0 | self.0 >> 1) & LOW != LOW
    }

    /// Whether two neighbors or more are empty.
    #[inline(always)]
    pub const fn has_two_liberties(self) -> bool {
        let empty = !(self.0 | self.0 >> 1) & LOW;
        empty & empty.wrapping_sub(1) != 0
    }

    /// Whether all neighbors are stones of `side` or border.
    #[inline(always)]
    pub const fn is_walled_by(self, side: Side) -> bool {
        // Black is 01 and White is 10, the border 11.
        self.0 >> side.index() & LOW == LOW
    }

    /// See [`Board::is_eye_like`](super::Board::is_eye_like).
    #[inline(always)]
    pub const fn is_eye_like(self, side: Side) -> bool {
        let diagonals = self.0 >> 8;
        let enemies = neighbors_of(diagonals, side.other());
        let border = diagonals & diagonals >> 1 & LOW;
        // Two enemies anywhere, or one on the edge, make the eye false.
        self.is_walled_by(side) & (enemies & enemies.wrapping_sub(1) == 0) & ((border == 0) | (enemies == 0))
    }
}
