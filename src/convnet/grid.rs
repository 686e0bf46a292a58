//! Where the points of a board stand in memory.

/// Outputs on a side of the square that the fast convolution computes at once.
pub const TILE: usize = 3;

/// A board in memory, in points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// From a point to the one above it.
    pub stride: usize,
    /// Place of the lowest point of the first column.
    pub first: usize,
    /// Places in all.
    pub places: usize,
}

impl Grid {
    /// The points alone, row by row.
    pub fn compact(width: usize, height: usize) -> Self {
        Self { width, height, stride: width, first: 0, places: width * height }
    }

    /// Filled up to whole tiles, with a border of one place around the tiles.
    pub fn padded(width: usize, height: usize) -> Self {
        let side = |length: usize| length.next_multiple_of(TILE) + 2;
        let stride = side(width);
        Self { width, height, stride, first: stride + 1, places: stride * side(height) }
    }

    /// Place of a point.
    #[inline(always)]
    pub fn at(&self, row: usize, column: usize) -> usize {
        self.first + row * self.stride + column
    }

    /// Points of the board.
    pub fn area(&self) -> usize {
        self.width * self.height
    }

    /// Tiles of a row, and rows of tiles.
    #[inline(always)]
    pub fn tiles(&self) -> (usize, usize) {
        (self.width.div_ceil(TILE), self.height.div_ceil(TILE))
    }
}
