//! Points, colors and the limits of the board.

use crate::game::Side;
use std::fmt;

/// Longest side of a board.
pub const MAX_SIZE: usize = 25;
/// No komi is larger: it would decide any game on the largest board.
pub const MAX_KOMI: f32 = 1000.0;
/// Distance of the indices of vertical neighbors: the same for every board, so that it is a constant in code.
pub(super) const STRIDE: usize = MAX_SIZE + 1;
/// Indices of points are below this: a power of two, so that an index masked by `CELLS - 1` is known to be
/// inside every array over points and needs no bounds check. Of the 25x25 board 703 indices are in use.
pub const CELLS: usize = 1024;
const MASK: usize = CELLS - 1;

/// The player who moves first.
pub const BLACK: Side = Side::First;
/// The player who is given komi.
pub const WHITE: Side = Side::Second;

/// Contents of a cell; the value is its code in [3x3 patterns](super::pattern).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Color {
    #[default]
    Empty = 0,
    Black = 1,
    White = 2,
    Border = 3,
}

impl Color {
    /// The color of a side's stones.
    #[inline(always)]
    pub const fn of(side: Side) -> Self {
        match side {
            Side::First => Self::Black,
            Side::Second => Self::White,
        }
    }

    /// Whose stone it is, if it is one.
    #[inline(always)]
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Black => Some(BLACK),
            Self::White => Some(WHITE),
            Self::Empty | Self::Border => None,
        }
    }
}

/// A point, as an index into a board with a border around it; also a move, [`PASS`](Point::PASS) included.
/// Column and row give the same point on boards of every size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Point(u16);

/// A move is the point that is played, or [`Point::PASS`].
pub type Move = Point;

impl Point {
    /// No point: no ko, no last move.
    pub const NONE: Self = Self(0);
    /// The move that plays no stone.
    pub const PASS: Self = Self(1);

    /// The point in column `col` (0 = A) and row `row` (0 = the lowest, GTP's 1), both below [`MAX_SIZE`].
    #[inline(always)]
    pub const fn new(col: usize, row: usize) -> Self {
        debug_assert!(col < MAX_SIZE && row < MAX_SIZE);
        Self::from_index((row + 1) * STRIDE + col + 1)
    }

    /// Column and row of a point of a board: inverse of [`new`](Self::new).
    #[inline(always)]
    pub const fn col_row(self) -> (usize, usize) {
        debug_assert!(self.index() > STRIDE && !self.index().is_multiple_of(STRIDE));
        ((self.index() % STRIDE).wrapping_sub(1), (self.index() / STRIDE).wrapping_sub(1))
    }

    /// The four neighbors, border cells among them, in the order of a [pattern](super::pattern)'s low bits.
    #[inline(always)]
    pub const fn neighbors(self) -> [Self; 4] {
        let v = self.index();
        [
            Self::from_index(v + STRIDE),
            Self::from_index(v + 1),
            Self::from_index(v.wrapping_sub(1)),
            Self::from_index(v.wrapping_sub(STRIDE)),
        ]
    }

    /// The four diagonal neighbors, border cells among them, in the order of a pattern's high bits.
    #[inline(always)]
    pub const fn diagonals(self) -> [Self; 4] {
        let v = self.index();
        [
            Self::from_index(v + STRIDE + 1),
            Self::from_index(v + STRIDE - 1),
            Self::from_index(v.wrapping_sub(STRIDE - 1)),
            Self::from_index(v.wrapping_sub(STRIDE + 1)),
        ]
    }

    /// The point of a padded index, taken modulo [`CELLS`].
    #[inline(always)]
    pub const fn from_index(index: usize) -> Self {
        Self((index & MASK) as u16)
    }

    /// The padded index, below [`CELLS`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & MASK
    }

    /// The point as 16 bits; 0 for [`NONE`](Self::NONE).
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether a stone is played, that is, neither pass nor none.
    #[inline(always)]
    pub const fn is_stone(self) -> bool {
        self.0 > 1
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NONE => f.write_str("none"),
            Self::PASS => f.write_str("pass"),
            Self(index) => write!(f, "#{index}"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PointSet([u64; CELLS / 64]);

impl Default for PointSet {
    fn default() -> Self {
        Self([0; CELLS / 64])
    }
}

impl PointSet {
    pub const EMPTY: Self = Self([0; CELLS / 64]);

    /// Adds a point; returns whether it is new.
    #[inline(always)]
    pub const fn insert(&mut self, v: Point) -> bool {
        let (word, bit) = (v.index() / 64, 1 << (v.index() % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    #[inline(always)]
    pub const fn remove(&mut self, v: Point) {
        self.0[v.index() / 64] &= !(1 << (v.index() % 64));
    }

    #[inline(always)]
    pub const fn contains(&self, v: Point) -> bool {
        self.0[v.index() / 64] >> (v.index() % 64) & 1 != 0
    }

    /// The point of the lowest index.
    pub fn first(&self) -> Option<Point> {
        let word = self.0.iter().position(|&w| w != 0)?;
        Some(Point::from_index(word * 64 + self.0[word].trailing_zeros() as usize))
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// The points in ascending order of index.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(Point::from_index(i * 64 + bit))
            })
        })
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::EMPTY;
        for v in points {
            set.insert(v);
        }
        set
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
