//! In which order kernels read weights.

use crate::convnet::CHANNELS;
use crate::nnue::weights::Aligned;

/// An order of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Convolutions `[tap][out][in]`, matrices `[out][in]`.
    Plain,
}

impl Layout {
    /// The weights `[out][in][3][3]` of a convolution.
    pub fn convolution(self, weights: &[i8], inputs: usize) -> Aligned<i16> {
        match self {
            Self::Plain => {
                let mut packed = Aligned::zeroed(weights.len());
                for (at, &weight) in weights.iter().enumerate() {
                    let (pair, tap) = (at / 9, at % 9);
                    packed[tap * CHANNELS * inputs + pair] = weight.into();
                }
                packed
            }
        }
    }

    /// The weights `[out][in]` of a matrix.
    pub fn matrix(self, weights: &[i8], _inputs: usize) -> Aligned<i16> {
        match self {
            Self::Plain => {
                let wide: Vec<i16> = weights.iter().map(|&w| w.into()).collect();
                Aligned::copied(&wide)
            }
        }
    }

    /// Where the sum of an output stands among the sums.
    pub const fn place(self, output: usize) -> usize {
        match self {
            Self::Plain => output,
        }
    }
}
