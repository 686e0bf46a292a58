//! Compares two evaluations on the same positions.

use super::super::sample::{Active, Sample};
use super::super::simd::Kernel;
use super::model::{MICRO_BATCH, Model, Pass};
use crate::nnue::net::NetInfo;
use crate::nnue::{FeatureSet, Net};

/// How two lists of centipawns differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    pub count: usize,
    pub correlation: f64,
    /// Mean of the absolute difference, in centipawns.
    pub mean: f64,
    /// Largest difference, in centipawns.
    pub largest: f64,
    /// Mean of the squared difference of the expected results.
    pub loss: f64,
}

impl Comparison {
    /// Compares two equally long lists.
    pub fn of(a: &[f64], b: &[f64]) -> Self {
        let n = a.len().max(1) as f64;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / n;
        let (mean_a, mean_b) = (mean(a), mean(b));
        let product = |x: &[f64], mx: f64, y: &[f64], my: f64| -> f64 {
            x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum()
        };
        let spread = (product(a, mean_a, a, mean_a) * product(b, mean_b, b, mean_b)).sqrt();
        let differences = || a.iter().zip(b).map(|(a, b)| (a - b).abs());
        Self {
            count: a.len(),
            correlation: if spread > 0.0 { product(a, mean_a, b, mean_b) / spread } else { 1.0 },
            mean: differences().sum::<f64>() / n,
            largest: differences().fold(0.0, f64::max),
            loss: mean(
                &a.iter().zip(b).map(|(a, b)| (expected(*a) - expected(*b)).powi(2)).collect::<Vec<_>>(),
            ),
        }
    }
}

/// Expected result in `0..=1`, by a curve that suits all nets alike.
fn expected(centipawns: f64) -> f64 {
    1.0 / (1.0 + (-centipawns / 300.0).exp())
}

/// Centipawns by a net in floats.
pub fn by_model<F: FeatureSet>(model: &Model, info: &NetInfo, samples: &[Sample]) -> Vec<f64> {
    let mut pass = Pass::new(model.shape, info, Kernel::best());
    let scale = f64::from(info.scale);
    let of_few =
        |few| pass.forward::<F>(model, few).iter().map(|&o| f64::from(o) * scale).collect::<Vec<_>>();
    samples.chunks(MICRO_BATCH).flat_map(of_few).collect()
}

/// Centipawns by a quantized net.
pub fn by_net<F: FeatureSet>(net: &Net<F>, samples: &[Sample]) -> Vec<f64> {
    let mut active = Active::default();
    let one = |sample: &Sample| {
        sample.active::<F>(net.info(), &mut active);
        let rows = |list: &[u16]| list[..active.count].iter().map(|&r| r.into()).collect::<Vec<u32>>();
        f64::from(net.evaluate_rows(&rows(&active.own), &rows(&active.other), sample.count.into()))
    };
    samples.iter().map(one).collect()
}

/// The scores in the samples: those of the recorded search or of the judge that replaced it.
pub fn by_score(samples: &[Sample]) -> Vec<f64> {
    samples.iter().map(|s| s.score.into()).collect()
}
