//! Floats become a net file.

use super::super::simd::CHUNK;
use super::model::Model;
use crate::nnue::FeatureSet;
use crate::nnue::net::{Info, Net, NetError, Parameters, QA, QB};

/// Rounds the weights of `model`. `info` must describe its shape.
/// # Errors
/// When a weight is beyond what exact arithmetic allows: the training did not clip.
pub fn quantise<F: FeatureSet>(model: &Model, info: Info) -> Result<Net<F>, NetError> {
    let shape = model.shape;
    let rounded = |x: f32, scale: i32| (x * scale as f32).round();
    let weights = &model.weights;
    let mut inputs = vec![0; shape.rows() * shape.hidden];
    // From [chunk][row][CHUNK] to [row][hidden].
    for (at, &w) in model.input_weights().iter().enumerate() {
        let (chunk, row, lane) = (at / (CHUNK * shape.rows()), at / CHUNK % shape.rows(), at % CHUNK);
        inputs[row * shape.hidden + chunk * CHUNK + lane] = rounded(w, QA) as i16;
    }
    let to_i16 = |numbers: &[f32], scale| numbers.iter().map(|&w| rounded(w, scale) as i16).collect();
    let numbers = Parameters {
        inputs,
        bias: to_i16(&weights[shape.bias_range()], QA),
        outputs: to_i16(&weights[shape.output_range()], QB),
        output_bias: weights[shape.output_bias_range()].iter().map(|&w| rounded(w, QA * QB) as i32).collect(),
    };
    Net::new(info, &numbers)
}
