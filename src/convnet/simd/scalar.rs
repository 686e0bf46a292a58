//! The definition: direct sums in plain loops.

use super::Finish;
use super::lanes::Work;
use super::plain::MOST;
pub use super::plain::{clamp_rows, clamp_sum, pool, project, widen};
use crate::convnet::CHANNELS;
use crate::convnet::grid::Grid;
use crate::convnet::packed::{CONVOLUTION_SCALE, Convolution, Matrix};

pub fn convolve(layer: &Convolution, grid: &Grid, from: &[u8], mut finish: Finish<'_>, _: &Work) {
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
                finish.put(at * CHANNELS, channel, z);
            }
        }
    }
}

impl Finish<'_> {
    /// Takes the output of a channel at the point whose numbers begin at `at`.
    #[inline(always)]
    fn put(&mut self, at: usize, channel: usize, z: i16) {
        let at = at + channel;
        match self {
            Finish::Clamp { to } => to[at] = z.clamp(0, MOST) as u8,
            Finish::Keep { to } => to[at] = z,
            Finish::Add { stream, gains, to } => {
                let x = stream[at].saturating_add(z);
                stream[at] = x;
                let scaled = (i32::from(x) * i32::from(gains.gain[channel]) + (1 << 14)) >> 15;
                to[at] = (scaled + i32::from(gains.offset[channel])).clamp(0, MOST.into()) as u8;
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
