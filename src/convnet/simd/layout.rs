//! In which order kernels read weights.

use super::lanes::{PRODUCTS, WINDOW};
use crate::convnet::CHANNELS;
use crate::nnue::weights::Aligned;

/// An order of weights and of sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Convolutions `[tap][out][in]`, matrices `[out][in]`. The place of a sum is its output.
    Plain,
    /// For vectors of so many 16-bit lanes. Convolutions are transformed: `[product][in / 2][place][2]`. Matrices are
    /// `[in / 2][place][2]`.
    ///
    /// The places of as many sums as a vector has lanes are such that the sums of both halves of the places, narrowed to
    /// one vector, are in the order of the outputs. Narrowing takes four lanes of each half by turns.
    Vectors(usize),
}

/// Six times `G`: the transform of three weights in a line.
const TRANSFORM: [[i32; 3]; WINDOW] = [[3, 0, 0], [-3, -3, -3], [-1, 1, -1], [1, 2, 4], [0, 0, 6]];

impl Layout {
    /// 16-bit lanes of a vector.
    pub const fn lanes(self) -> usize {
        match self {
            Self::Plain => 1,
            Self::Vectors(lanes) => lanes,
        }
    }

    /// Number of weights of a packed convolution.
    pub const fn convolution_weights(self, inputs: usize) -> usize {
        let each = if matches!(self, Self::Plain) { 9 } else { PRODUCTS };
        each * CHANNELS * inputs
    }

    /// The weights `[out][in][3][3]` of a convolution.
    pub fn convolution(self, weights: &[i8], inputs: usize) -> Aligned<i16> {
        if self == Self::Plain {
            let mut packed = Aligned::zeroed(weights.len());
            for (at, &weight) in weights.iter().enumerate() {
                packed[at % 9 * CHANNELS * inputs + at / 9] = weight.into();
            }
            return packed;
        }
        let mut packed = Aligned::zeroed(PRODUCTS * CHANNELS * inputs);
        for (pair, taps) in weights.chunks_exact(9).enumerate() {
            let at = self.pair(pair / inputs, pair % inputs, CHANNELS);
            for (product, weight) in transformed(taps).into_iter().enumerate() {
                packed[product * CHANNELS * inputs + at] = weight;
            }
        }
        packed
    }

    /// The weights `[out][in]` of a matrix.
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
        match self {
            Self::Plain => output,
            Self::Vectors(lanes) => {
                let lane = output % lanes;
                let (eight, is_high) = (lane / 8, lane % 8 / 4);
                output - lane + is_high * lanes / 2 + 4 * eight + lane % 4
            }
        }
    }
}

/// 36 times `G · taps · G^T`.
fn transformed(taps: &[i8]) -> [i16; PRODUCTS] {
    std::array::from_fn(|product| {
        let (rows, columns) = (TRANSFORM[product / WINDOW], TRANSFORM[product % WINDOW]);
        let term = |tap: usize| rows[tap / 3] * columns[tap % 3] * i32::from(taps[tap]);
        (0..9).map(term).sum::<i32>() as i16
    })
}
