//! A middlegame and an endgame value in one integer, added in one instruction.
//! <https://www.chessprogramming.org/Tapered_Eval>

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Centipawns in the middlegame (low 16 bits) and in the endgame (high 16 bits). Sums stay exact while
/// both parts fit in 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TaperedScore(i32);

/// Short form for tables: middlegame, endgame.
pub const fn s(mg: i32, eg: i32) -> TaperedScore {
    TaperedScore((eg << 16).wrapping_add(mg))
}

impl TaperedScore {
    pub const ZERO: Self = Self(0);

    #[inline(always)]
    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    #[inline(always)]
    pub const fn eg(self) -> i32 {
        // A negative middlegame part has borrowed one from above.
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for TaperedScore {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl AddAssign for TaperedScore {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for TaperedScore {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for TaperedScore {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for TaperedScore {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<u32> for TaperedScore {
    type Output = Self;
    #[inline(always)]
    fn mul(self, times: u32) -> Self {
        Self(self.0.wrapping_mul(times as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_survive_arithmetic() {
        for (a, b) in [(-3, 7), (5, -9), (-300, -1200), (0, -1), (1, 0)] {
            let sum = s(a, b) + s(b, a) * 2 - s(17, -17);
            assert_eq!((sum.mg(), sum.eg()), (a + 2 * b - 17, b + 2 * a + 17));
            assert_eq!((-sum).mg(), -sum.mg());
            assert_eq!((-sum).eg(), -sum.eg());
        }
    }
}
