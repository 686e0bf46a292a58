//! A set of points of the board in 90 of 128 bits.

use super::types::Square;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of points; bit `n` is the point with index `n`. Iterating yields the points in order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Bitboard(pub u128);

impl Bitboard {
    pub const EMPTY: Self = Self(0);
    /// All 90 points.
    pub const ALL: Self = Self((1 << 90) - 1);

    #[inline(always)]
    pub const fn of(sq: Square) -> Self {
        Self(1 << sq.0)
    }

    /// Whether the point belongs to the set.
    #[inline(always)]
    pub const fn has(self, sq: Square) -> bool {
        self.0 >> sq.0 & 1 != 0
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the sets share a point.
    #[inline(always)]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[inline(always)]
    pub const fn count(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Whether there are two points or more.
    #[inline(always)]
    pub const fn is_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The point with the lowest index.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    #[inline(always)]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set as two words: points 0 to 63, and 64 to 89.
    #[inline(always)]
    pub const fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let sq = self.first()?;
        self.0 &= self.0 - 1;
        Some(sq)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(points: I) -> Self {
        points.into_iter().fold(Self::EMPTY, |set, sq| set | Self::of(sq))
    }
}

macro_rules! operator {
    ($($name:ident $method:ident $assign:ident $assign_method:ident $op:tt),*) => {$(
        impl $name for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self { Self(self.0 $op other.0) }
        }
        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) { *self = *self $op other; }
        }
    )*};
}
operator!(BitAnd bitand BitAndAssign bitand_assign &,
          BitOr bitor BitOrAssign bitor_assign |,
          BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}
