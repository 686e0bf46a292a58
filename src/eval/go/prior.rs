//! How promising each move looks before anything is searched.
//!
//! A move's prior is the product of the strengths of its [`features`] and of the
//! [`patterns`] around it (a generalized Bradley-Terry model), learned from games of the engine, and on
//! large boards of what is known of [openings](opening).
//! Source of the model: Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007).

use super::features;
use super::opening;
use super::patterns::{self, Surroundings};
use super::strengths::Strengths;
use crate::go::{Board, CELLS, Move};

/// The pass, against all moves together.
const PASS: f32 = 0.01;
/// That value while most of the board is empty: the many other moves leave each a small share.
const EARLY_PASS: f32 = 0.0003;
/// The same after the opponent's pass, when passing ends the game: always worth a look.
const LAST_PASS: f32 = 0.3;

#[derive(Clone)]
pub struct Scratch {
    features: features::FeatureScratch,
    /// The product of the strengths found so far, by point.
    strengths: [f32; CELLS],
}

impl Default for Scratch {
    fn default() -> Self {
        Self { features: features::FeatureScratch::default(), strengths: [1.0; CELLS] }
    }
}

pub fn fill(board: &Board, moves: &[Move], priors: &mut [f32], learned: &Strengths, scratch: &mut Scratch) {
    let strengths = &mut scratch.strengths;
    strengths[..board.cells()].fill(1.0);
    features::read(board, moves, &mut scratch.features, |v, feature| {
        strengths[v.index()] *= learned.feature(feature);
    });
    let (surroundings, hashes) = (Surroundings::of(board), patterns::hashes());
    let mut sum = 0.0;
    for (prior, &v) in priors.iter_mut().zip(moves).filter(|(_, v)| v.is_stone()) {
        let around: f32 = surroundings.keys(hashes, v).into_iter().map(|key| learned.pattern(key)).product();
        *prior = strengths[v.index()] * around * opening::strength(board, v);
        sum += *prior;
    }
    let pass = match board.passes() {
        0 if 2 * board.empty_count() > board.area() => EARLY_PASS,
        0 => PASS,
        _ => LAST_PASS,
    };
    for (prior, _) in priors.iter_mut().zip(moves).filter(|(_, v)| !v.is_stone()) {
        *prior = if sum > 0.0 { pass * sum } else { 1.0 };
    }
}

#[cfg(test)]
#[path = "prior_tests.rs"]
mod tests;
