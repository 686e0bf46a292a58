//! The joint between games and search: which evaluation each game has, and which numbers go with it.

pub mod chess;
pub mod go;
pub mod xiangqi;

use crate::game::{AlphaBetaGame, Observer};
use crate::search::alphabeta::Evaluator;
use crate::tune::Params;
use std::marker::PhantomData;

/// A game with a hand-made evaluation.
pub trait HandMade: AlphaBetaGame {
    /// The search's numbers for it.
    const PARAMS: &'static Params;
    /// Evaluation in centipawns from the side to move.
    fn evaluate(&self) -> i32;
    /// The evaluation term by term, for people.
    fn explain(&self) -> String;
}

/// The evaluation of game `G`.
#[derive(Clone)]
pub struct Evaluation<G> {
    game: PhantomData<G>,
}

impl<G> Default for Evaluation<G> {
    fn default() -> Self {
        Self { game: PhantomData }
    }
}

impl<G> Observer for Evaluation<G> {
    #[inline(always)]
    fn added(&mut self, _piece: usize, _square: usize) {}
    #[inline(always)]
    fn removed(&mut self, _piece: usize, _square: usize) {}
}

impl<G: HandMade> Evaluator for Evaluation<G> {
    type Game = G;
    const PARAMS: &'static Params = G::PARAMS;

    fn reset(&mut self, _pos: &G) {}
    #[inline(always)]
    fn push(&mut self) {}
    #[inline(always)]
    fn pop(&mut self) {}
    #[inline(always)]
    fn evaluate(&mut self, pos: &G) -> i32 {
        pos.evaluate()
    }
}

impl HandMade for crate::xiangqi::Board {
    const PARAMS: &'static Params = &crate::tune::XIANGQI;

    fn evaluate(&self) -> i32 {
        xiangqi::evaluate(self)
    }

    fn explain(&self) -> String {
        xiangqi::trace(self)
    }
}

impl HandMade for crate::chess::Board {
    const PARAMS: &'static Params = &crate::tune::CHESS;

    fn evaluate(&self) -> i32 {
        chess::evaluate(self)
    }

    fn explain(&self) -> String {
        chess::trace(self)
    }
}
