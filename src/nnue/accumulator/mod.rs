//! Evaluation of a position by a net, kept up to date while moves are made and taken back.
//! <https://www.chessprogramming.org/NNUE#Accumulator>
//!
//! Which of two kinds of accumulator does it is decided when the net is loaded. [`moves`] follows the pieces
//! that come and go; [`board`] compares boards, because one move changes some inputs all over the board.

mod board;
mod moves;

use super::features::FeatureSet;
use super::net::Net;
use super::simd::Kernel;
use crate::game::{Game, Observer, Side};
use board::BoardAccumulator;
use moves::MoveAccumulator;
use std::sync::Arc;

/// Evaluations missing between two accumulators above which starting from a remembered board is cheaper.
const LONGEST_CHAIN: usize = 8;

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// Evaluates positions of one game by one net.
#[derive(Clone)]
pub struct NnueEvaluator<F: FeatureSet> {
    net: Arc<Net<F>>,
    kernel: Kernel,
    accumulator: Accumulator<F>,
}

#[derive(Clone)]
enum Accumulator<F: FeatureSet> {
    Moves(MoveAccumulator<F>),
    Board(BoardAccumulator<F>),
}

/// The input of the output layer.
struct Output<'a> {
    /// By side, the accumulated lanes.
    lanes: [&'a [i16]; 2],
    pieces: usize,
}

impl<F: FeatureSet> NnueEvaluator<F> {
    /// Evaluates by `net` with the fastest kernel there is.
    pub fn new(net: Arc<Net<F>>) -> Self {
        Self::with_kernel(net, Kernel::best())
    }

    pub fn with_kernel(net: Arc<Net<F>>, kernel: Kernel) -> Self {
        let accumulator = match net.info().threats {
            false => Accumulator::Moves(MoveAccumulator::new(net.info())),
            true => Accumulator::Board(BoardAccumulator::new(net.info())),
        };
        Self { net, kernel, accumulator }
    }

    /// Forgets the moves seen so far: `pos` is the new root.
    pub fn reset(&mut self, pos: &F::Game) {
        match &mut self.accumulator {
            Accumulator::Moves(accumulator) => accumulator.reset(pos),
            Accumulator::Board(accumulator) => accumulator.reset(pos),
        }
    }

    /// A move is about to be made: its changes follow.
    #[inline]
    pub fn push(&mut self) {
        match &mut self.accumulator {
            Accumulator::Moves(accumulator) => accumulator.push(self.net.info().hidden),
            Accumulator::Board(accumulator) => accumulator.push(self.net.info().hidden),
        }
    }

    #[inline]
    pub fn pop(&mut self) {
        match &mut self.accumulator {
            Accumulator::Moves(accumulator) => accumulator.pop(),
            Accumulator::Board(accumulator) => accumulator.pop(),
        }
    }

    /// Evaluation of `pos`, in centipawns from the side to move. It must be the position that the moves
    /// since [`reset`](Self::reset) lead to.
    #[inline]
    pub fn evaluate(&mut self, pos: &F::Game) -> i32 {
        let Output { lanes: [first, second], pieces } = match &mut self.accumulator {
            Accumulator::Moves(accumulator) => accumulator.update(&self.net, self.kernel, pos),
            Accumulator::Board(accumulator) => accumulator.update(&self.net, self.kernel, pos),
        };
        let (own, other) = if pos.side_to_move() == Side::First { (first, second) } else { (second, first) };
        let (bucket, width) = (self.net.bucket(pieces), 2 * first.len());
        let weights = &self.net.outputs[bucket * width..][..width];
        self.net.centipawns(self.kernel.dot(own, other, weights), bucket)
    }
}

impl<F: FeatureSet> Observer for NnueEvaluator<F> {
    #[inline(always)]
    fn added(&mut self, piece: usize, square: usize) {
        match &mut self.accumulator {
            Accumulator::Moves(accumulator) => accumulator.added(piece, square),
            Accumulator::Board(accumulator) => accumulator.shift::<1>(piece, square),
        }
    }

    #[inline(always)]
    fn removed(&mut self, piece: usize, square: usize) {
        match &mut self.accumulator {
            Accumulator::Moves(accumulator) => accumulator.removed(piece, square),
            Accumulator::Board(accumulator) => accumulator.shift::<-1>(piece, square),
        }
    }
}
