//! The lines to a king, and what stands in them. <https://www.chessprogramming.org/Pin>

use super::Army;
use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::magic;

pub struct KingLines {
    /// Squares from which a rook would give check.
    pub rook: Bitboard,
    /// Squares from which a bishop would give check.
    pub bishop: Bitboard,
    /// Pieces of either side that stand alone between the king and an enemy slider: pinned ones, and those
    /// whose move discovers a check.
    pub blockers: Bitboard,
}

impl KingLines {
    /// The lines from the sliders of `enemy` to the king of `own`.
    #[inline(always)]
    pub fn new(own: &Army, enemy: &Army) -> Self {
        let (square, occupied) = (own.king.first(), own.all | enemy.all);
        let (rook, bishop) = (magic::rook(square, occupied), magic::bishop(square, occupied));
        let (straight, diagonal) = (enemy.rooks | enemy.queens, enemy.bishops | enemy.queens);
        let blockers = attacks::screens(square, straight & !rook, diagonal & !bishop, occupied);
        Self { rook, bishop, blockers }
    }
}
