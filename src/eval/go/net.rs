//! The net's output for a position of Go: chances of moves, the result, the score, and whose each point will
//! be.
//!
//! `nnue/GO-FORMAT.md` defines the numbers. The board is shown to the net turned or mirrored in one of eight
//! ways, drawn by the key of the position: what the net has learned badly in one corner does not spoil a
//! whole game, and the same position always gets the same answer.
//!
//! Chances are made from logits without the system's `exp`, whose last bit differs between systems and
//! processors.

use super::planes::{self, DeadStones, Inputs, ONE, PLANES};
use crate::convnet::{self, ConvNet, Kernel};
use crate::game::{Game, Side};
use crate::go::ladder::LadderReader;
use crate::go::symmetry::Symmetry;
use crate::go::{Board, Move, Position};
use std::sync::Arc;

/// Points that 1.0 of the net's score is.
const SCORE_UNIT: f32 = 20.0;

/// Whether a net can evaluate a board of this size.
pub fn fits(board: &Board) -> bool {
    convnet::fits(board.width(), board.height())
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetOutput {
    /// By the number of the point: the logit of the move there; [`ONE`] is 1.0.
    pub moves: Vec<i16>,
    pub pass: i16,
    /// Expected result of [`Side::First`], 0 to 1.
    pub value: f32,
    /// Points First is expected to be ahead, komi included.
    pub score: f32,
    /// By the number of the point: 1 will be First's, -1 Second's.
    pub owner: Vec<f32>,
}

/// A net with the scratch memory of one thread.
pub struct NetEvaluator {
    evaluator: convnet::ConvNetEvaluator,
    reader: LadderReader,
    inputs: Inputs,
    /// The planes as the net sees them.
    turned: Vec<u8>,
    /// The number on the turned board by the number of the point.
    places: Vec<u16>,
    output: NetOutput,
}

impl NetEvaluator {
    /// Evaluates by `net` with the fastest kernel.
    pub fn new(net: Arc<ConvNet>) -> Self {
        Self::with_kernel(net, Kernel::best())
    }

    /// Evaluates by `net` with another kernel.
    pub fn with_kernel(net: Arc<ConvNet>, kernel: Kernel) -> Self {
        Self {
            evaluator: convnet::ConvNetEvaluator::with_kernel(net, kernel),
            reader: LadderReader::default(),
            inputs: Inputs::default(),
            turned: Vec::new(),
            places: Vec::new(),
            output: NetOutput::default(),
        }
    }

    /// Evaluates a position on a board that [`fits`].
    pub fn ask(&mut self, pos: &Position) -> &NetOutput {
        self.ask_turned(pos, shown(pos))
    }

    fn ask_turned(&mut self, pos: &Position, symmetry: Symmetry) -> &NetOutput {
        // The nets have learned from games in which all stones left on the board count as alive, and so does
        // the search.
        planes::read(pos, DeadStones::AllAlive, &mut self.inputs, &mut self.reader);
        let Inputs { width, height, planes, globals } = &self.inputs;
        fill_places(symmetry, *width, *height, &mut self.places);
        self.turned.resize(planes.len(), 0);
        for (point, &place) in planes.chunks_exact(PLANES).zip(&self.places) {
            let at = usize::from(place) * PLANES;
            self.turned[at..at + PLANES].copy_from_slice(point);
        }
        let (width, height) = symmetry.size(*width, *height);
        let raw = self.evaluator.evaluate(width, height, &self.turned, globals);
        let is_first = pos.side_to_move() == Side::First;
        let sign = if is_first { 1.0 } else { -1.0 };
        let output = &mut self.output;
        let places = self.places.iter().map(|&place| usize::from(place));
        output.moves.clear();
        output.moves.extend(places.clone().map(|place| raw.moves[place]));
        output.pass = raw.pass;
        let chance = expected_result([raw.win, raw.draw, raw.loss]);
        output.value = if is_first { chance } else { 1.0 - chance };
        output.score = sign * SCORE_UNIT * f32::from(raw.score) / f32::from(ONE);
        output.owner.clear();
        output.owner.extend(places.map(|place| sign * tanh(raw.owner[place])));
        output
    }
}

impl NetOutput {
    /// Turns the logits of `moves` into chances whose sum is 1.
    pub fn fill_priors(&self, board: &Board, moves: &[Move], priors: &mut [f32]) {
        let logit = |mv: Move| if mv.is_stone() { self.moves[board.compact(mv)] } else { self.pass };
        let Some(max) = moves.iter().map(|&mv| logit(mv)).max() else { return };
        for (prior, &mv) in priors.iter_mut().zip(moves) {
            *prior = decay(max.abs_diff(logit(mv)).into());
        }
        let sum: f32 = priors.iter().sum();
        priors.iter_mut().for_each(|prior| *prior /= sum);
    }
}

/// Chance of a win and half of that of a draw, from the logits of win, draw and loss.
fn expected_result(logits: [i16; 3]) -> f32 {
    let max = logits.into_iter().fold(i16::MIN, i16::max);
    let [win, draw, loss] = logits.map(|logit| decay(max.abs_diff(logit).into()));
    (win + 0.5 * draw) / (win + draw + loss)
}

/// Hyperbolic tangent of a number of the net.
fn tanh(number: i16) -> f32 {
    let e = decay(2 * u32::from(number.unsigned_abs()));
    let size = (1.0 - e) / (1.0 + e);
    if number < 0 { -size } else { size }
}

/// e to the power of `-steps / 256`.
fn decay(steps: u32) -> f32 {
    /// Powers of e^(-1/256) and of e^-1. Anything below the last of them is negligible.
    static FINE: [f32; ONE as usize] = powers(0.996_101_369_470_117_5);
    static COARSE: [f32; 80] = powers(0.367_879_441_171_442_33);
    let (coarse, fine) = (steps as usize / FINE.len(), steps as usize % FINE.len());
    COARSE.get(coarse).map_or(0.0, |power| power * FINE[fine])
}

const fn powers<const N: usize>(base: f64) -> [f32; N] {
    let (mut table, mut power, mut i) = ([0.0; N], 1.0, 0);
    while i < N {
        table[i] = power as f32;
        power *= base;
        i += 1;
    }
    table
}

/// The symmetry by which a position is presented to the net.
fn shown(pos: &Position) -> Symmetry {
    // The index of the graph takes the other end of keys.
    Symmetry((pos.board().key() >> 40) as u8 % Symmetry::COUNT)
}

/// Fills `places` with the number on the turned board of each point.
fn fill_places(symmetry: Symmetry, width: usize, height: usize, places: &mut Vec<u16>) {
    places.clear();
    let turned_width = symmetry.size(width, height).0;
    for row in 0..height {
        for column in 0..width {
            let (x, y) = symmetry.turn(column, row, width, height);
            places.push((y * turned_width + x) as u16);
        }
    }
}

#[cfg(test)]
#[path = "net_tests.rs"]
mod tests;
