//! Floats become a net file, and a net file floats.

use super::model::{Model, Shape};
use crate::nnue::FeatureSet;
use crate::nnue::net::{Info, Net, NetError, OUTPUT_SCALES, Parameters, QA};
use crate::nnue::simd::MAX_OUTPUT_WEIGHT;
use crate::nnue::weights::Aligned;
use std::ops::Range;

/// Rounds the weights of `model`. `info` must describe its shape; its output scale is chosen here.
/// # Errors
/// When a weight is beyond what exact arithmetic allows: the training did not clip.
pub fn quantise<F: FeatureSet>(model: &Model, mut info: Info) -> Result<Net<F>, NetError> {
    let shape = model.shape;
    let rounded = |x: f32, scale: i32| (x * scale as f32).round();
    let weights = &model.weights;
    let mut inputs = vec![0; shape.rows() * shape.hidden];
    for (at, &w) in model.input_weights().iter().enumerate() {
        let (row, lane) = shape.input_at(at);
        inputs[row * shape.hidden + lane] = rounded(w, QA) as i16;
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

/// The mean of all weights: of nets that came from one, it errs less than each where they err apart. Its header has
/// the largest numbers of positions and generation among them, and an id of them all.
/// Source: <https://arxiv.org/abs/2203.05482>.
/// # Errors
/// The place of one that differs in shape or scale from the first.
/// # Panics
/// When there is none.
pub fn mean(nets: &[(Info, Model)]) -> Result<(Info, Model), usize> {
    let (first, model) = &nets[0];
    let alike = |info: &Info| {
        let shape = |info: &Info| (info.hidden, info.buckets, info.king_map, info.threats, info.scale);
        shape(info) == shape(first)
    };
    if let Some(other) = nets.iter().position(|(info, _)| !alike(info)) {
        return Err(other);
    }
    let mut weights = Aligned::zeroed(model.weights.len());
    let share = 1.0 / nets.len() as f32;
    for (_, model) in nets {
        weights.iter_mut().zip(model.weights.iter()).for_each(|(sum, w)| *sum += share * w);
    }
    let infos = || nets.iter().map(|(info, _)| info);
    let info = Info {
        training: infos().fold(0, |id, info| id.rotate_left(1) ^ info.training),
        positions: infos().map(|info| info.positions).max().unwrap_or(0),
        generation: infos().map(|info| info.generation).max().unwrap_or(0),
        ..first.clone()
    };
    Ok((info, Model::of(model.shape, weights)))
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
