//! The state of every piece and the motifs of both sides, as a net sees them: what the games share.

use crate::game::Side;
use std::ops::{BitOr, BitXor};

/// Number of states that a piece may be in.
pub const STATES: usize = 8;

pub trait SquareSet: Copy + Default + BitOr<Output = Self> + BitXor<Output = Self> {
    type Point: Copy;
    fn contains(self, point: Self::Point) -> bool;
}

/// The state of every piece and the motifs of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threats<S> {
    /// Binary digits of the states: the points whose state has that digit.
    digits: [S; 3],
    /// By side, a bit each.
    motifs: [u64; 2],
}

impl<S: SquareSet> Threats<S> {
    #[inline(always)]
    pub fn state(&self, point: S::Point) -> usize {
        self.digits.iter().rev().fold(0, |state, set| 2 * state + usize::from(set.contains(point)))
    }

    /// The points on which states are not the same.
    #[inline(always)]
    pub fn differences(&self, other: &Self) -> S {
        self.digits.iter().zip(other.digits).fold(S::default(), |all, (&a, b)| all | (a ^ b))
    }

    #[inline(always)]
    pub fn motifs(&self, side: Side) -> impl Iterator<Item = usize> + use<S> {
        bits(self.motifs[side.index()])
    }

    /// The motifs that `side` has either here or there, and whether here.
    #[inline(always)]
    pub fn motif_differences(
        &self,
        other: &Self,
        side: Side,
    ) -> impl Iterator<Item = (usize, bool)> + use<S> {
        let [here, there] = [self, other].map(|threats| threats.motifs[side.index()]);
        bits(here ^ there).map(move |motif| (motif, here >> motif & 1 != 0))
    }

    #[inline(always)]
    pub fn note_motifs(&mut self, side: Side, motifs: u64) {
        self.motifs[side.index()] = motifs;
    }

    /// Notes the pieces in the states 1 to 7. Each is in one of them at most.
    #[inline(always)]
    pub fn note_states(&mut self, states: [S; STATES - 1]) {
        for (state, set) in states.into_iter().enumerate() {
            for (digit, points) in self.digits.iter_mut().enumerate() {
                if (state + 1) >> digit & 1 != 0 {
                    *points = *points | set;
                }
            }
        }
    }
}

#[inline(always)]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}
