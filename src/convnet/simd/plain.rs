//! Operations that are the same code for every instruction set: loops that the compiler turns into vectors.

use crate::convnet::CHANNELS;
use crate::convnet::grid::Grid;
use crate::convnet::packed::Row;
use crate::convnet::parameters::POOLS;

pub const MAX: i16 = 255;

/// What pooling makes of the first `to.len() / POOLS` channels, clamped to activations: the means, the means
/// scaled by the size of the board, the maxima; 16 is one step of an activation.
#[inline(always)]
pub fn pool(grid: &Grid, from: &[i16], to: &mut [i16]) {
    let channels = to.len() / POOLS;
    assert!(channels <= CHANNELS);
    let (mut sums, mut max) = ([0i32; CHANNELS], [0i16; CHANNELS]);
    for row in 0..grid.height {
        for column in 0..grid.width {
            let point = &from[grid.at(row, column) * CHANNELS..][..CHANNELS];
            for c in 0..channels {
                let value = point[c].clamp(0, MAX);
                sums[c] += i32::from(value);
                max[c] = max[c].max(value);
            }
        }
    }
    let n = grid.area() as i32;
    let size = (grid.width + grid.height) as i32 - 28;
    for c in 0..channels {
        let mean = (16 * sums[c] + n / 2) / n;
        to[c] = mean as i16;
        to[channels + c] = (mean * size).div_euclid(20) as i16;
        to[2 * channels + c] = 16 * max[c];
    }
}

/// Activations from numbers and a bias for each channel.
#[inline(always)]
pub fn clamp_sum(grid: &Grid, from: &[i16], bias: &[i16], to: &mut [u8]) {
    let bias = &bias[..CHANNELS];
    for row in 0..grid.height {
        let range = grid.at(row, 0) * CHANNELS..grid.at(row, grid.width) * CHANNELS;
        let points = from[range.clone()].chunks_exact(CHANNELS).zip(to[range].chunks_exact_mut(CHANNELS));
        for (from, to) in points {
            for c in 0..CHANNELS {
                to[c] = from[c].saturating_add(bias[c]).clamp(0, MAX) as u8;
            }
        }
    }
}

/// The activations of the board's points only, as numbers of 16 bits.
#[inline(always)]
pub fn upcast(grid: &Grid, from: &[u8], to: &mut [i16]) {
    for row in 0..grid.height {
        let from = &from[grid.at(row, 0) * CHANNELS..grid.at(row, grid.width) * CHANNELS];
        let to = &mut to[row * grid.width * CHANNELS..][..from.len()];
        for (to, &from) in to.iter_mut().zip(from) {
            *to = from.into();
        }
    }
}

/// Adds a bias to rows as long as it, and clamps them to activations.
#[inline(always)]
pub fn clamp_rows(rows: &mut [i16], bias: &[i16]) {
    for row in rows.chunks_exact_mut(bias.len()) {
        for (value, &bias) in row.iter_mut().zip(bias) {
            *value = value.saturating_add(bias).clamp(0, MAX);
        }
    }
}

/// Each row's product with a layer of one output.
#[inline(always)]
pub fn conv1x1(layer: &Row, rows: &[i16], to: &mut [i16]) {
    let weights = &layer.weights[..];
    for (to, row) in to.iter_mut().zip(rows.chunks_exact(weights.len())) {
        let mut sum = 0;
        for i in 0..weights.len() {
            sum += i32::from(row[i]) * i32::from(weights[i]);
        }
        *to = layer.rescale(sum);
    }
}
