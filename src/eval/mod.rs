//! The interface between games and search: the evaluation of each game, and its search parameters.

pub mod chances;
pub mod chess;
pub mod go;
mod motifs;
mod threats;
pub mod xiangqi;

#[cfg(test)]
mod features_tests;

use crate::game::{AlphaBetaGame, Observer, Text};
use crate::nnue::simd::Kernel;
use crate::nnue::{self, FeatureSet, Net};
use crate::search::alphabeta::Evaluator;
use crate::tune::Params;
use std::sync::Arc;

pub use self::chess::Chess768;
pub use self::xiangqi::Xiangqi689;

/// A net's evaluation is clamped to this: far from the scores of proven wins.
const NET_MAX: i32 = 20_000;

/// A game that can be evaluated: by hand, and by nets of its inputs.
pub trait GameEval: AlphaBetaGame + Text {
    type Features: FeatureSet<Game = Self>;
    const PARAMS: &'static Params;
    /// Evaluation in centipawns from the side to move.
    fn evaluate(&self) -> i32;
    /// The evaluation of an ending whose winning method is known; a net makes no progress there. `None`:
    /// another position.
    #[inline(always)]
    fn known_ending(&self) -> Option<i32> {
        None
    }
    /// The evaluation term by term, for people.
    fn explain(&self) -> String;
}

/// The evaluation of game `G`: by a net where there is one, else by hand.
#[derive(Clone)]
pub struct Evaluation<G: GameEval> {
    net: Option<Box<nnue::NnueEvaluator<G::Features>>>,
}

impl<G: GameEval> Evaluation<G> {
    pub fn new(net: Option<Arc<Net<G::Features>>>) -> Self {
        Self::with_kernel(net, Kernel::best())
    }

    pub fn with_kernel(net: Option<Arc<Net<G::Features>>>, kernel: Kernel) -> Self {
        Self { net: net.map(|net| Box::new(nnue::NnueEvaluator::with_kernel(net, kernel))) }
    }
}

impl<G: GameEval> Default for Evaluation<G> {
    /// By the embedded net, or by hand when there is none.
    fn default() -> Self {
        Self::new(nnue::embedded().ok().flatten().map(Arc::new))
    }
}

impl<G: GameEval> Observer for Evaluation<G> {
    #[inline(always)]
    fn added(&mut self, piece: usize, square: usize) {
        if let Some(net) = &mut self.net {
            net.added(piece, square);
        }
    }

    #[inline(always)]
    fn removed(&mut self, piece: usize, square: usize) {
        if let Some(net) = &mut self.net {
            net.removed(piece, square);
        }
    }
}

impl<G: GameEval> Evaluator for Evaluation<G> {
    type Game = G;
    const PARAMS: &'static Params = G::PARAMS;

    fn reset(&mut self, pos: &G) {
        if let Some(net) = &mut self.net {
            net.reset(pos);
        }
    }

    #[inline(always)]
    fn push(&mut self) {
        if let Some(net) = &mut self.net {
            net.push();
        }
    }

    #[inline(always)]
    fn pop(&mut self) {
        if let Some(net) = &mut self.net {
            net.pop();
        }
    }

    #[inline(always)]
    fn evaluate(&mut self, pos: &G) -> i32 {
        match &mut self.net {
            Some(net) => pos.known_ending().unwrap_or_else(|| net.evaluate(pos).clamp(-NET_MAX, NET_MAX)),
            None => pos.evaluate(),
        }
    }
}

impl GameEval for crate::xiangqi::Board {
    type Features = xiangqi::Xiangqi689;
    const PARAMS: &'static Params = &crate::tune::XIANGQI;

    fn evaluate(&self) -> i32 {
        xiangqi::evaluate(self)
    }

    fn explain(&self) -> String {
        xiangqi::trace(self)
    }
}

impl GameEval for crate::chess::Board {
    type Features = chess::Chess768;
    const PARAMS: &'static Params = &crate::tune::CHESS;

    fn evaluate(&self) -> i32 {
        chess::evaluate(self)
    }

    #[inline(always)]
    fn known_ending(&self) -> Option<i32> {
        chess::known_ending(self)
    }

    fn explain(&self) -> String {
        chess::trace(self)
    }
}
