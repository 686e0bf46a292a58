//! Updates of the histories after a node: about its own moves, about the move that led to it, about its
//! evaluation. <https://www.chessprogramming.org/History_Heuristic>

use super::entry::Bound;
use super::history::{ButterflyIndex, PieceTo};
use super::node::{Node, NodeInfo};
use super::score::{NONE, is_decisive};
use super::{Evaluator, Move, Worker};
use crate::game::AlphaBetaGame;
use crate::tune::ONE;

/// Minimum bonus of a good move.
const MIN_BONUS: i32 = 10;
/// This many beaten moves halve the malus of each: a node of many moves is less evidence against any of them.
const BLAME_HALVED: i32 = 16;
/// Reward of a quiet move for each centipawn that the evaluation of both plies together rose by it, and its
/// limit.
const EVAL_WEIGHT: i32 = 6;
const EVAL_BONUS_MAX: i32 = 700;

impl<E: Evaluator> Worker<E> {
    /// The best move beat alpha, or even beta (`cuts`); those tried before it did not, or by less.
    pub(super) fn learn_from_best(
        &mut self,
        node: &NodeInfo<Move<E>>,
        mv: Move<E>,
        cuts: bool,
        quiets: &[Move<E>],
        captures: &[Move<E>],
    ) {
        let p = E::PARAMS;
        let bonus = Self::bonus(node.depth);
        let malus = (p.malus_depth.get() * node.depth).min(p.malus_max.get());
        if cuts {
            self.blame_first_move(node.ply, malus);
        }
        let beaten = (quiets.len() + captures.len()) as i32;
        let malus = malus * BLAME_HALVED / (BLAME_HALVED + beaten);
        if self.pos.is_capture(mv) {
            self.histories.update_capture(&self.pos, mv, bonus);
        } else {
            self.histories.update_quiet(&self.pos, mv, &node.context, bonus);
            for &other in quiets {
                self.histories.update_quiet(&self.pos, other, &node.context, -malus);
            }
        }
        for &other in captures {
            self.histories.update_capture(&self.pos, other, -malus);
        }
    }

    /// A quiet move that was the first choice is refuted.
    fn blame_first_move(&mut self, ply: usize, malus: i32) {
        if let Some((_, played)) = self.quiet_before(ply)
            && self.frame(ply - 1).count == 1
        {
            let previous = self.previous(ply - 1);
            self.histories.update_continuation(&previous, played, -malus);
        }
    }

    /// A quiet move is as good as the evaluation after it is better than before it, for the side that made
    /// it.
    pub(super) fn learn_from_evaluation(&mut self, node: &NodeInfo<Move<E>>) {
        let Some((quiet, _)) = self.quiet_before(node.ply) else { return };
        let before = self.frame(node.ply - 1).static_eval;
        if node.static_eval == NONE || before == NONE || self.frame(node.ply).excluded.is_some() {
            return;
        }
        let bonus = (-EVAL_WEIGHT * (before + node.static_eval)).clamp(-EVAL_BONUS_MAX, EVAL_BONUS_MAX);
        self.histories.update_squares(quiet, bonus);
    }

    /// No move beat alpha, so the quiet move before the node was good.
    pub(super) fn learn_from_fail_low<N: Node>(&mut self, node: &NodeInfo<Move<E>>) {
        let Some((quiet, played)) = self.quiet_before(node.ply) else { return };
        let surprise = N::PV || node.cut_node;
        let share = if surprise { ONE } else { E::PARAMS.fail_low_share.get() };
        let bonus = Self::bonus(node.depth) * share / ONE;
        self.histories.update_squares(quiet, bonus);
        let previous = self.previous(node.ply - 1);
        self.histories.update_continuation(&previous, played, bonus);
    }

    /// A move on the board that was searched less deeply at first cut when it was searched again.
    pub(super) fn learn_from_second_search(&mut self, node: &NodeInfo<Move<E>>) {
        let frame = self.frame(node.ply);
        if let (Some(played), Some(_)) = (frame.played, frame.played_quiet) {
            let played = played.piece_to::<E::Game>();
            self.histories.update_continuation(&node.context.previous, played, Self::bonus(node.depth));
        }
    }

    /// Learns how wrong the evaluation was, as far as the score's bound shows it.
    pub(super) fn learn_correction(
        &mut self,
        node: &NodeInfo<Move<E>>,
        best: i32,
        best_move: Option<Move<E>>,
        bound: Bound,
    ) {
        let quiet = best_move.is_none_or(|mv| !self.pos.is_capture(mv));
        // That of the frame, which a singular search corrected once more with what it learned.
        let static_eval = self.frame(node.ply).static_eval;
        if !node.in_check && quiet && !is_decisive(best) && bound.decides(best, static_eval + 1) {
            self.histories.update_correction(&self.pos, &node.context, best - static_eval, node.depth);
        }
    }

    /// What a good move earns at `depth`.
    fn bonus(depth: i32) -> i32 {
        let p = E::PARAMS;
        (p.bonus_depth.get() * depth - p.bonus_less.get()).clamp(MIN_BONUS, p.bonus_max.get())
    }

    /// The move before the node at `ply`, if there is one and it is quiet.
    fn quiet_before(&mut self, ply: usize) -> Option<(ButterflyIndex, PieceTo)> {
        let before = self.frame(ply.checked_sub(1)?);
        before.played_quiet.zip(before.played.map(|played| played.piece_to::<E::Game>()))
    }
}
