//! Sets of squares as 64 bits. <https://www.chessprogramming.org/Bitboards>

use super::types::{Color, Square};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A set of squares; bit 0 is a1.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct Bitboard(pub u64);

impl Square {
    /// The set of only this square.
    #[inline(always)]
    pub const fn bb(self) -> Bitboard {
        Bitboard(1 << self.index())
    }
}

impl Bitboard {
    pub const EMPTY: Self = Self(0);
    pub const ALL: Self = Self(!0);
    /// a1, c1, ... h8.
    pub const DARK: Self = Self(0xAA55_AA55_AA55_AA55);
    /// b1, d1, ... g8.
    pub const LIGHT: Self = Self(!Self::DARK.0);

    /// The squares of a file, 0 = a.
    #[inline(always)]
    pub const fn file(file: usize) -> Self {
        Self(0x0101_0101_0101_0101 << (file & 7))
    }

    /// The squares of a rank, 0 = first.
    #[inline(always)]
    pub const fn rank(rank: usize) -> Self {
        Self(0xFF << ((rank & 7) * 8))
    }

    /// The rank that `color` calls its `rank`, 0 = first.
    #[inline(always)]
    pub const fn relative_rank(color: Color, rank: usize) -> Self {
        Self::rank(rank ^ (7 * color as usize))
    }

    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the set has no square.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has any square.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether both sets have a square in common.
    #[inline(always)]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set has two squares or more.
    #[inline(always)]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The lowest square; a1 if there is none.
    #[inline(always)]
    pub const fn first(self) -> Square {
        Square::new(self.0.trailing_zeros() as usize)
    }

    /// The highest square; any if there is none.
    #[inline(always)]
    pub const fn last(self) -> Square {
        Square::new(63 ^ (self.0 | 1).leading_zeros() as usize)
    }

    /// One step toward the eighth rank.
    #[inline(always)]
    #[must_use]
    pub const fn north(self) -> Self {
        Self(self.0 << 8)
    }

    /// One step toward the first rank.
    #[inline(always)]
    #[must_use]
    pub const fn south(self) -> Self {
        Self(self.0 >> 8)
    }

    /// One step toward the h-file.
    #[inline(always)]
    #[must_use]
    pub const fn east(self) -> Self {
        Self(self.0 << 1 & !Self::file(0).0)
    }

    /// One step toward the a-file.
    #[inline(always)]
    #[must_use]
    pub const fn west(self) -> Self {
        Self(self.0 >> 1 & !Self::file(7).0)
    }

    #[inline(always)]
    #[must_use]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::First => self.north(),
            Color::Second => self.south(),
        }
    }

    /// The squares in front of the set, all the way, the set itself left out.
    #[inline(always)]
    #[must_use]
    pub const fn front_fill(self, color: Color) -> Self {
        let mut bits = self.forward(color).0;
        match color {
            Color::First => {
                bits |= bits << 8;
                bits |= bits << 16;
                bits |= bits << 32;
            }
            Color::Second => {
                bits |= bits >> 8;
                bits |= bits >> 16;
                bits |= bits >> 32;
            }
        }
        Self(bits)
    }

    /// Every file that has a square of the set.
    #[inline(always)]
    #[must_use]
    pub const fn file_fill(self) -> Self {
        Self(self.0 | self.front_fill(Color::First).0 | self.front_fill(Color::Second).0)
    }

    /// Intersection, in constants.
    #[inline(always)]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Union, in constants.
    #[inline(always)]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// Yields the squares of a set, lowest first.
#[derive(Clone)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.first();
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }
}

macro_rules! bit_op {
    ($op:ident $method:ident, $assign:ident $assign_method:ident, $sign:tt) => {
        impl $op for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $sign other.0)
            }
        }
        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = *self $sign other;
            }
        }
    };
}
bit_op!(BitAnd bitand, BitAndAssign bitand_assign, &);
bit_op!(BitOr bitor, BitOrAssign bitor_assign, |);
bit_op!(BitXor bitxor, BitXorAssign bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Shl<u32> for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        Self(self.0 << by)
    }
}

impl Shr<u32> for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Self(self.0 >> by)
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Self {
        square.bb()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stop_at_the_edge() {
        assert_eq!(Bitboard::file(7).east(), Bitboard::EMPTY);
        assert_eq!(Bitboard::file(0).west(), Bitboard::EMPTY);
        assert_eq!(Bitboard::rank(7).north(), Bitboard::EMPTY);
        assert_eq!(Bitboard::rank(0).south(), Bitboard::EMPTY);
    }

    #[test]
    fn fills_leave_their_origin_out() {
        let e4 = Square::at(4, 3).bb();
        assert_eq!(e4.front_fill(Color::First).count(), 4);
        assert_eq!(e4.front_fill(Color::Second).count(), 3);
        assert_eq!(e4.file_fill(), Bitboard::file(4));
    }

    #[test]
    fn squares_come_lowest_first() {
        let squares: Vec<_> = Bitboard(0x8000_0000_0000_0011).into_iter().map(Square::index).collect();
        assert_eq!(squares, [0, 4, 63]);
        assert!(Bitboard::DARK.has(Square::at(0, 0)));
    }
}
