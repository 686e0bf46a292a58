//! Floats become a net file, and a net file floats.

use super::model::{Model, Shape};
use crate::nnue::FeatureSet;
use crate::nnue::net::{Net, NetInfo, OUTPUT_SCALES, Parameters, QA};
use crate::nnue::simd::MAX_OUTPUT_WEIGHT;
use crate::util::aligned::Aligned;
use crate::util::net_error::NetError;
use std::ops::Range;

/// Rounds the weights of `model`. `info` must describe its shape; its output scale is chosen here.
/// # Errors
/// When a bias or an output weight is beyond what exact arithmetic allows: the training did not clip.
pub fn quantize<F: FeatureSet>(model: &Model, mut info: NetInfo) -> Result<Net<F>, NetError> {
    let shape = model.shape;
    let rounded = |x: f32, scale: i32| (x * scale as f32).round();
    let weights = &model.weights;
    let mut inputs = vec![0; shape.rows() * shape.hidden];
    let max = f32::from(info.largest_input::<F>());
    for (at, &w) in model.input_weights().iter().enumerate() {
        let (row, lane) = shape.input_at(at);
        // A training clips sums with the factorizer there, not its two parts.
        inputs[row * shape.hidden + lane] = rounded(w, QA).clamp(-max, max) as i16;
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

/// The floats that `net` was rounded to: a training can begin with them.
pub fn restore<F: FeatureSet>(net: &Net<F>) -> Model {
    let shape = Shape::of::<F>(net.info());
    let scale = i32::from(net.info().output_scale);
    let numbers = net.parameters();
    let mut weights = Aligned::zeroed(shape.len());
    for (at, w) in weights[shape.input_range()].iter_mut().enumerate() {
        let (row, lane) = shape.input_at(at);
        *w = f32::from(numbers.inputs[row * shape.hidden + lane]) / QA as f32;
    }
    let mut fill = |range: Range<usize>, numbers: &[i16], scale: i32| {
        weights[range].iter_mut().zip(numbers).for_each(|(w, &n)| *w = f32::from(n) / scale as f32);
    };
    fill(shape.bias_range(), &numbers.bias, QA);
    fill(shape.output_range(), &numbers.outputs, scale);
    let biases = weights[shape.output_bias_range()].iter_mut();
    biases.zip(&numbers.output_bias).for_each(|(w, &n)| *w = n as f32 / (QA * scale) as f32);
    Model::of(shape, weights)
}

/// The largest power of two that leaves every output weight in range. Half a unit of 1/64, over hundreds of
/// weights, is 20 centipawns; weights are mostly small enough for 1/256.
fn output_scale(weights: &[f32]) -> u16 {
    let largest = weights.iter().fold(0.0, |max: f32, w| max.max(w.abs()));
    let (min, max) = OUTPUT_SCALES.into_inner();
    let fits = |scale: u16| (largest * f32::from(scale)).round() <= f32::from(MAX_OUTPUT_WEIGHT);
    let mut powers = std::iter::successors(Some(max), |s| Some(s / 2)).take_while(|&s| s > min);
    powers.find(|&s| fits(s)).unwrap_or(min)
}
