//! How tree search evaluates a position of Go: priors from patterns or from the net, outcomes from playouts,
//! from the net, or from both.

pub mod bench;
pub mod features;
pub mod mixed;
pub mod net;
pub mod opening;
pub mod patterns;
pub mod planes;
pub mod policy;
pub mod prior;
pub mod shape;
pub mod speed;
pub mod strengths;

use crate::game::{Game, Side, TreeGame};
use crate::go::playout::{self, AmafRecord};
use crate::go::rules::Scoring;
use crate::go::{BLACK, Board, Move, PointSet, Position, WHITE, score};
use crate::search::tree::{Evaluated, LeafEvaluator, LeafOutcome, Tuning};
use crate::util::rng::Rng;
pub use mixed::{Mixed, Mode};
use policy::Policy;
use prior::Scratch;
use strengths::Strengths;

/// Share of the outcome that the margin decides; winning or losing decides the rest. A tenth was no better:
/// docs/lab/go-openings.md.
const MARGIN_SHARE: f32 = 0.04;

/// Evaluates without a net. Owns the board its playouts run on.
#[derive(Clone)]
pub struct Playouts {
    /// How playouts choose their moves.
    pub policy: Policy,
    /// How strong the features and patterns of moves are.
    pub strengths: &'static Strengths,
    board: Board,
    record: AmafRecord,
    scratch: Scratch,
}

impl Default for Playouts {
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            strengths: strengths::embedded(),
            board: Board::new(19, 19),
            record: AmafRecord::default(),
            scratch: Scratch::default(),
        }
    }
}

impl LeafEvaluator<Position> for Playouts {
    fn evaluate(
        &mut self,
        pos: &Position,
        moves: &[Move],
        priors: &mut [f32],
        _: &mut LeafOutcome,
    ) -> Evaluated {
        prior::fill(pos.board(), moves, priors, self.strengths, &mut self.scratch);
        Evaluated::Priors
    }

    fn playout(&mut self, pos: &mut Position, rng: &mut Rng, result: &mut LeafOutcome) {
        // Where area counts, dead stones have to be taken off before the passes. To take them costs nothing.
        if pos.is_over() && pos.rules().scoring == Scoring::Area {
            return score_as_it_stands(pos, result);
        }
        self.board.clone_from(pos.board());
        if pos.is_over() {
            self.board.resume();
        }
        self.record.clear();
        policy::play_out(&mut self.board, &self.policy, rng, &mut self.record);
        let lead = playout::quick_score(&self.board);
        for v in self.board.points() {
            if let Some((side, _)) = self.record.first(v) {
                result.played(Position::pack(v), side);
            }
        }
        fill(result, &self.board, lead as f32 - pos.area_bonus());
    }

    fn tuning(&self, _: &Position) -> Tuning {
        Tuning::default()
    }
}

/// The result of a playout that has filled the board up to eyes: `score` is Black's lead after komi.
fn fill(result: &mut LeafOutcome, board: &Board, score: f32) {
    result.score = score;
    result.value = value_of(won(score), score, board.area());
    result.ownership.resize(board.cells(), 0.0);
    for v in board.points() {
        result.ownership[v.index()] = match board.color(v).side() {
            Some(side) => sign(side),
            None if board.pattern(v).is_walled_by(BLACK) => 1.0,
            None if board.pattern(v).is_walled_by(WHITE) => -1.0,
            None => 0.0,
        };
    }
}

/// Both sides have passed: every stone on the board is alive, so that the search clears up what is dead
/// before it passes.
fn score_as_it_stands(pos: &Position, result: &mut LeafOutcome) {
    let board = pos.board();
    let count = score::count(board, &PointSet::EMPTY);
    result.score = score::margin(pos, &PointSet::EMPTY).0;
    result.value = value_of(won(result.score), result.score, board.area());
    result.ownership.resize(board.cells(), 0.0);
    for side in [BLACK, WHITE] {
        for v in count.owned[side.index()].iter() {
            result.ownership[v.index()] = sign(side);
        }
    }
}

const fn sign(side: Side) -> f32 {
    match side {
        Side::First => 1.0,
        Side::Second => -1.0,
    }
}

/// Whether Black wins with this lead: 1, 0, or 0.5 in a draw.
fn won(score: f32) -> f32 {
    if score > 0.0 {
        1.0
    } else if score < 0.0 {
        0.0
    } else {
        0.5
    }
}

/// Outcome from Black, 0 to 1: the result, and a little for the margin, so that a lead is kept and a lost
/// game fought for.
fn value_of(result: f32, score: f32, area: usize) -> f32 {
    let margin = 0.5 + 0.5 * (score / area as f32).clamp(-1.0, 1.0);
    result + MARGIN_SHARE * (margin - result)
}

#[cfg(test)]
mod mixed_tests;
#[cfg(test)]
mod search_tests;
