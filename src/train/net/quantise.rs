//! Floats become a net file.

use super::super::simd::CHUNK;
use super::model::Model;
use crate::nnue::FeatureSet;
use crate::nnue::net::{Info, Net, NetError, OUTPUT_SCALES, Parameters, QA};
use crate::nnue::simd::MAX_OUTPUT_WEIGHT;

/// Rounds the weights of `model`. `info` must describe its shape; its output scale is chosen here.
/// # Errors
/// When a weight is beyond what exact arithmetic allows: the training did not clip.
pub fn quantise<F: FeatureSet>(model: &Model, mut info: Info) -> Result<Net<F>, NetError> {
    let shape = model.shape;
    let rounded = |x: f32, scale: i32| (x * scale as f32).round();
    let weights = &model.weights;
    let mut inputs = vec![0; shape.rows() * shape.hidden];
    // From [chunk][row][CHUNK] to [row][hidden].
    for (at, &w) in model.input_weights().iter().enumerate() {
        let (chunk, row, lane) = (at / (CHUNK * shape.rows()), at / CHUNK % shape.rows(), at % CHUNK);
        inputs[row * shape.hidden + chunk * CHUNK + lane] = rounded(w, QA) as i16;
    }
    info.output_scale = output_scale(&weights[shape.output_range()]);
    let scale = i32::from(info.output_scale);
    let to_i16 = |numbers: &[f32], scale| numbers.iter().map(|&w| rounded(w, scale) as i16).collect();
    let numbers = Parameters {
        inputs,
        bias: to_i16(&weights[shape.bias_range()], QA),
        outputs: to_i16(&weights[shape.output_range()], scale),
        output_bias: weights[shape.output_bias_range()]
            .iter()
            .map(|&w| rounded(w, QA * scale) as i32)
            .collect(),
    };
    Net::new(info, &numbers)
}

/// The largest power of two that leaves every output weight in range. Half a unit of 1/64, over hundreds of
/// weights, is 20 centipawns; weights are mostly small enough for 1/256.
fn output_scale(weights: &[f32]) -> u16 {
    let largest = weights.iter().fold(0.0, |most: f32, w| most.max(w.abs()));
    let (least, most) = OUTPUT_SCALES.into_inner();
    let fits = |scale: u16| (largest * f32::from(scale)).round() <= f32::from(MAX_OUTPUT_WEIGHT);
    let mut powers = std::iter::successors(Some(most), |s| Some(s / 2)).take_while(|&s| s > least);
    powers.find(|&s| fits(s)).unwrap_or(least)
}
