//! Arrays over points whose indexing never needs a bounds check.

use super::types::{CELLS, STRIDE};
use std::ops::{Index, IndexMut};

/// Farthest neighbor, the diagonal one.
const PAD: usize = STRIDE + 1;
const LEN: usize = CELLS + 2 * PAD;

/// Index distances of the four neighbors, in the order of a pattern's low bits.
pub(super) const NEIGHBORS: [isize; 4] = [STRIDE as isize, 1, -1, -(STRIDE as isize)];
/// Index distances of the four diagonal neighbors, in the order of a pattern's high bits.
pub(super) const DIAGONALS: [isize; 4] =
    [STRIDE as isize + 1, STRIDE as isize - 1, 1 - STRIDE as isize, -1 - STRIDE as isize];

/// One value a point. Indices are taken modulo [`CELLS`]; with room before the first and after the last, a
/// neighbor of any index is inside too, which the compiler sees.
pub(super) struct Grid<T>([T; LEN]);

impl<T: Copy> Grid<T> {
    pub fn new(value: T) -> Self {
        Self([value; LEN])
    }

    /// The value at the neighbor of `v` at a distance that is one of [`NEIGHBORS`] or [`DIAGONALS`].
    #[inline(always)]
    pub const fn near(&self, v: usize, distance: isize) -> T {
        self.0[(v % CELLS) + PAD.wrapping_add_signed(distance)]
    }

    /// [`near`](Self::near), to be changed.
    #[inline(always)]
    pub const fn near_mut(&mut self, v: usize, distance: isize) -> &mut T {
        &mut self.0[(v % CELLS) + PAD.wrapping_add_signed(distance)]
    }

    /// Indexing for `const` functions.
    #[inline(always)]
    pub const fn get(&self, v: usize) -> T {
        self.near(v, 0)
    }

    /// The values of the indices below `n`.
    #[inline(always)]
    pub fn prefix(&self, n: usize) -> &[T] {
        &self.0[PAD..PAD + n.min(CELLS)]
    }

    /// Copies the values of all indices below `n`.
    #[inline(always)]
    pub fn copy_prefix(&mut self, other: &Self, n: usize) {
        let n = PAD + n.min(CELLS);
        self.0[..n].copy_from_slice(&other.0[..n]);
    }
}

impl<T: Copy> Clone for Grid<T> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<T> Index<usize> for Grid<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, v: usize) -> &T {
        &self.0[v % CELLS + PAD]
    }
}

impl<T> IndexMut<usize> for Grid<T> {
    #[inline(always)]
    fn index_mut(&mut self, v: usize) -> &mut T {
        &mut self.0[v % CELLS + PAD]
    }
}
