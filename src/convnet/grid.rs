//! Where the points of a board stand in memory.

/// The square of outputs that the fast convolution computes at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tile {
    /// 3×3 outputs by 25 products.
    #[default]
    Three,
    /// 4×4 outputs by 36 products: fewer for each, if the board fills the squares.
    Four,
}

impl Tile {
    /// The fastest tile on a board of this size. A product of the larger square costs a fifth more: its
    /// transforms are longer and its weights take more memory. By measurement on 13×13.
    pub fn best(width: usize, height: usize) -> Self {
        let products = |tile: Self| {
            let (columns, rows) = Grid::padded(width, height, tile).tiles();
            columns * rows * tile.products()
        };
        if 6 * products(Self::Four) < 5 * products(Self::Three) { Self::Four } else { Self::Three }
    }

    pub const fn side(self) -> usize {
        match self {
            Self::Three => 3,
            Self::Four => 4,
        }
    }

    pub const fn window(self) -> usize {
        self.side() + 2
    }

    /// Products that make the outputs.
    pub const fn products(self) -> usize {
        self.window() * self.window()
    }
}

/// Unused places behind a padded board: some kernels read this many places at once.
pub const PLACES_BEHIND: usize = 32;

/// A board in memory, in points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    pub width: usize,
    pub height: usize,
    pub stride: usize,
    /// Place of the lowest point of the first column.
    pub first: usize,
    pub places: usize,
    /// The tile that it is padded to and convolved by.
    pub tile: Tile,
}

impl Grid {
    /// The points only, row by row.
    pub fn compact(width: usize, height: usize) -> Self {
        Self { width, height, stride: width, first: 0, places: width * height, tile: Tile::default() }
    }

    /// Filled up to whole tiles, with a border of one place around the tiles, and [`PLACES_BEHIND`].
    pub fn padded(width: usize, height: usize, tile: Tile) -> Self {
        let side = |length: usize| length.next_multiple_of(tile.side()) + 2;
        let stride = side(width);
        let places = stride * side(height) + PLACES_BEHIND;
        Self { width, height, stride, first: stride + 1, places, tile }
    }

    #[inline(always)]
    pub fn at(&self, row: usize, column: usize) -> usize {
        self.first + row * self.stride + column
    }

    pub fn area(&self) -> usize {
        self.width * self.height
    }

    #[inline(always)]
    pub fn tiles(&self) -> (usize, usize) {
        (self.width.div_ceil(self.tile.side()), self.height.div_ceil(self.tile.side()))
    }
}
