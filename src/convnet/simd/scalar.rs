//! The definition: direct sums in plain loops.

use super::Epilogue;
use super::lanes::Work;
use super::plain::MAX;
pub use super::plain::{clamp_rows, clamp_sum, conv1x1, pool, upcast};
use crate::convnet::CHANNELS;
use crate::convnet::grid::Grid;
use crate::convnet::packed::{CONVOLUTION_SCALE, Convolution, Matrix};

pub fn convolve(layer: &Convolution, grid: &Grid, from: &[u8], mut epilogue: Epilogue<'_>, _: &Work) {
    let inputs = layer.inputs;
    for row in 0..grid.height {
        for column in 0..grid.width {
            let at = grid.at(row, column);
            let mut sums = [0; CHANNELS];
            for tap in 0..9 {
                let neighbor = at + tap / 3 * grid.stride + tap % 3 - grid.stride - 1;
                let from = &from[neighbor * inputs..][..inputs];
                let weights = layer.weights[tap * CHANNELS * inputs..].chunks_exact(inputs);
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum += from.iter().zip(weights).map(|(&a, &w)| i32::from(a) * i32::from(w)).sum::<i32>();
                }
            }
            for (channel, sum) in sums.into_iter().enumerate() {
                let z = layer.rescale.apply(channel, CONVOLUTION_SCALE * sum);
                epilogue.put(at * CHANNELS, channel, z);
            }
        }
    }
}

impl Epilogue<'_> {
    /// Takes the output of a channel at the point whose numbers begin at `at`.
    #[inline(always)]
    fn put(&mut self, at: usize, channel: usize, z: i16) {
        let at = at + channel;
        match self {
            Epilogue::Clamp { to } => to[at] = z.clamp(0, MAX) as u8,
            Epilogue::Keep { to } => to[at] = z,
            Epilogue::Add { residual, norm, to } => {
                let x = residual[at].saturating_add(z);
                residual[at] = x;
                let scaled = (i32::from(x) * i32::from(norm.gain[channel]) + (1 << 14)) >> 15;
                to[at] = (scaled + i32::from(norm.offset[channel])).clamp(0, MAX.into()) as u8;
            }
        }
    }
}

pub fn multiply(matrix: &Matrix, rows: &[i16], to: &mut [i16], _: &Work) {
    for (row, to) in rows.chunks_exact(matrix.inputs).zip(to.chunks_exact_mut(matrix.outputs)) {
        for (output, weights) in matrix.weights.chunks_exact(matrix.inputs).enumerate() {
            let sum = row.iter().zip(weights).map(|(&a, &w)| i32::from(a) * i32::from(w)).sum();
            to[output] = matrix.rescale.apply(output, sum);
        }
    }
}
