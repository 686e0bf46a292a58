//! In which order kernels read weights.

use super::CHANNELS;
use super::grid::Tile;
use crate::util::aligned::Aligned;

/// An order of weights and of sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Convolutions `[tap][out][in]`, matrices `[out][in]`. The place of a sum is its output.
    Plain,
    /// For vectors of this many 16-bit lanes. Convolutions are transformed: `[product][in / 2][place][2]`.
    /// Matrices are `[in / 2][place][2]`.
    ///
    /// The places of as many sums as a vector has lanes are ordered so that the sums of both halves of the
    /// places, narrowed to one vector, are in the order of the outputs. Narrowing takes four lanes of each
    /// half by turns.
    Vectors(usize),
    /// For tiles of bytes, and vectors of 32 lanes. Convolutions are bytes `[tap][place / 16][in / 4][place %
    /// 16][4]`, all else is as for vectors.
    #[cfg(target_arch = "x86_64")]
    Tiles,
}

/// 16-bit lanes of the vectors that go with tiles.
#[cfg(target_arch = "x86_64")]
const LANES_WITH_TILES: usize = 32;

/// The transform of three weights in a line: six times `G` of F(3, 3).
const OF_THREE: &[[i32; 3]] = &[[3, 0, 0], [-3, -3, -3], [-1, 1, -1], [1, 2, 4], [0, 0, 6]];
/// 24 times `G` of F(4, 3), the last row halved: so all products of two numbers fit in 16 bits.
const OF_FOUR: &[[i32; 3]] = &[[6, 0, 0], [-4, -4, -4], [-4, 4, -4], [1, 2, 4], [1, -2, 4], [0, 0, 12]];

impl Layout {
    /// 16-bit lanes of a vector.
    pub const fn lanes(self) -> usize {
        match self {
            Self::Plain => 1,
            Self::Vectors(lanes) => lanes,
            #[cfg(target_arch = "x86_64")]
            Self::Tiles => LANES_WITH_TILES,
        }
    }

    pub const fn convolution_weights(self, inputs: usize, tile: Tile) -> usize {
        let pairs = CHANNELS * inputs;
        match self {
            Self::Plain => 9 * pairs,
            Self::Vectors(_) => tile.products() * pairs,
            // Two bytes are a number.
            #[cfg(target_arch = "x86_64")]
            Self::Tiles => 9 * pairs / 2,
        }
    }

    /// The weights `[out][in][3][3]` of a convolution.
    pub fn convolution(self, weights: &[i8], inputs: usize, tile: Tile) -> Aligned<i16> {
        let mut packed = Aligned::zeroed(self.convolution_weights(inputs, tile));
        for (pair, taps) in weights.chunks_exact(9).enumerate() {
            let (output, input) = (pair / inputs, pair % inputs);
            match self {
                Self::Plain => {
                    for (tap, &weight) in taps.iter().enumerate() {
                        packed[tap * CHANNELS * inputs + pair] = weight.into();
                    }
                }
                Self::Vectors(_) => {
                    let at = self.pair(output, input, CHANNELS);
                    for product in 0..tile.products() {
                        packed[product * CHANNELS * inputs + at] = transformed(taps, product, tile);
                    }
                }
                #[cfg(target_arch = "x86_64")]
                Self::Tiles => {
                    let place = self.place(output);
                    let at = place / 16 * 16 * inputs + input / 4 * 64 + place % 16 * 4 + input % 4;
                    let bytes: &mut [i8] = bytemuck::cast_slice_mut(&mut packed);
                    for (tap, &weight) in taps.iter().enumerate() {
                        bytes[tap * CHANNELS * inputs + at] = weight;
                    }
                }
            }
        }
        packed
    }

    pub fn matrix(self, weights: &[i8], inputs: usize) -> Aligned<i16> {
        let outputs = weights.len() / inputs;
        let mut packed = Aligned::zeroed(weights.len());
        for (at, &weight) in weights.iter().enumerate() {
            let at = if self == Self::Plain { at } else { self.pair(at / inputs, at % inputs, outputs) };
            packed[at] = weight.into();
        }
        packed
    }

    /// Where a weight stands in `[in / 2][place][2]`.
    fn pair(self, output: usize, input: usize, outputs: usize) -> usize {
        2 * (input / 2 * outputs + self.place(output)) + input % 2
    }

    /// Where the sum of an output stands among the sums.
    pub const fn place(self, output: usize) -> usize {
        if matches!(self, Self::Plain) {
            return output;
        }
        let lanes = self.lanes();
        let lane = output % lanes;
        let (eight, is_high) = (lane / 8, lane % 8 / 4);
        output - lane + is_high * lanes / 2 + 4 * eight + lane % 4
    }
}

/// A number of `G · taps · G^T`.
fn transformed(taps: &[i8], product: usize, tile: Tile) -> i16 {
    let transform = match tile {
        Tile::Three => OF_THREE,
        Tile::Four => OF_FOUR,
    };
    let (rows, columns) = (transform[product / tile.window()], transform[product % tile.window()]);
    let term = |tap: usize| rows[tap / 3] * columns[tap % 3] * i32::from(taps[tap]);
    (0..9).map(term).sum::<i32>() as i16
}
