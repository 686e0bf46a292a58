//! The pruning, extending and reducing of [`super::node`]: one function a step, named as the field does.

use super::entry::{Bound, NodeResult};
use super::node::{Node, NodeInfo, NonPv};
use super::picker::{Picker, Wanted};
use super::score::{NONE, is_decisive};
use super::{BEFORE_ROOT, Evaluator, Move, Worker};
use crate::game::AlphaBetaGame;
use crate::tune::ONE;

/// Deepest node that reverse futility cuts: beyond, a static margin is no evidence.
const RFP_MAX_DEPTH: i32 = 10;
/// Up to this ply reverse futility asks whether zugzwang is unlikely; further down a mistake costs less than
/// the question.
const RFP_PLIES_OF_ZUGZWANG: usize = 3;
/// Maximum plies by which the estimate's lead over beta reduces a null move's search.
const NMP_MAX_FOR_EVAL: i32 = 4;
/// From this depth a null move's cut is verified: zugzwang there costs the most, the search for it the least.
const NMP_VERIFIED_DEPTH: i32 = 15;
/// Minimum depth of ProbCut. At exactly this depth only quiescence decides.
const PROBCUT_MIN_DEPTH: i32 = 5;
/// Minimum depth of internal iterative reduction: below it the node costs less than the next visit.
const IIR_MIN_DEPTH: i32 = 5;
/// Units of history worth a centipawn where captures are pruned, and quiet moves.
const CAPTURE_HISTORY_PER_CENTIPAWN: i32 = 32;
const QUIET_HISTORY_PER_CENTIPAWN: i32 = 128;
/// Plies by which the table's depth may fall short of the node's for its score to be a singular search's
/// measure.
const SINGULAR_DEPTH_SLACK: i32 = 3;
/// Plies of reduction from which the evaluation may show that they were too few; one more, that they were too
/// many.
const HINDSIGHT_MIN_REDUCTION: i32 = 2;
/// Centipawns of a falling evaluation beyond which the reduction does not grow.
const MAX_FALL: i32 = 128;
/// Minimum depth at which the first move of a node may be reduced by a second ply.
const SECOND_PLY_MIN_DEPTH: i32 = 4;
/// More cutoffs among a node's children than this show that its moves fail.
const MANY_CUTOFFS: u32 = 3;

impl<E: Evaluator> Worker<E> {
    /// Ends the node when its score is plainly outside the window.
    pub(super) fn prune_node(&mut self, node: &NodeInfo<Move<E>>) -> Option<i32> {
        self.razoring(node)
            .or_else(|| self.reverse_futility(node))
            .or_else(|| self.null_move(node))
            .or_else(|| self.probcut(node))
    }

    /// The evaluation is so far below alpha that only a capture can help, so quiescence is asked.
    /// <https://www.chessprogramming.org/Razoring>
    fn razoring(&mut self, node: &NodeInfo<Move<E>>) -> Option<i32> {
        let p = E::PARAMS;
        let margin = p.razor_base.get() + p.razor_depth.get() * node.depth * node.depth;
        if node.estimate + margin >= node.alpha {
            return None;
        }
        let score = self.qsearch::<NonPv>(node.alpha, node.beta, node.ply, true);
        (score <= node.alpha && !is_decisive(score)).then_some(score)
    }

    /// The evaluation is so far above beta that a quiet move will keep it there. Within three plies of the
    /// root, where zugzwang hid a mate in two, passing must be safe too: docs/lab/zugzwang.md. A quiet move
    /// of the table is a reason to look: it was worth more than the evaluation shows.
    /// <https://www.chessprogramming.org/Reverse_Futility_Pruning>
    fn reverse_futility(&mut self, node: &NodeInfo<Move<E>>) -> Option<i32> {
        let p = E::PARAMS;
        let depth = node.depth - i32::from(node.improving());
        let margin = depth * (p.rfp_margin.get() + p.rfp_square.get() * depth) + node.correction / 2;
        let hit = node.depth <= RFP_MAX_DEPTH
            && !node.tt.pv
            && node.tt.mv.is_none_or(|mv| self.pos.is_capture(mv))
            && node.estimate - margin >= node.beta
            && !is_decisive(node.beta)
            && !is_decisive(node.estimate)
            && (node.ply > RFP_PLIES_OF_ZUGZWANG || self.pos.passing_is_safe());
        // Between estimate and bound: the estimate itself promises too much to the nodes above.
        let share = p.rfp_blend.get();
        hit.then_some((share * node.estimate + (12 - share) * node.beta) / 12)
    }

    /// Even passing fails high; at great depth a search without the pass has to confirm it.
    /// <https://www.chessprogramming.org/Null_Move_Pruning>
    fn null_move(&mut self, node: &NodeInfo<Move<E>>) -> Option<i32> {
        let (p, ply) = (E::PARAMS, node.ply);
        let last_was_null = ply > 0 && self.frame(ply - 1).played.is_none();
        if last_was_null
            || !node.cut_node
            || node.estimate < node.beta
            || node.static_eval < node.beta + p.nmp_margin.get() - p.nmp_margin_depth.get() * node.depth
            || is_decisive(node.beta)
            || ply < self.null_min_ply
            || !self.pos.passing_is_safe()
        {
            return None;
        }
        let reduction = p.nmp_base.get()
            + node.depth / p.nmp_divisor.get()
            + ((node.estimate - node.beta) / p.nmp_eval_divisor.get()).min(NMP_MAX_FOR_EVAL);
        let frame = self.frame(ply);
        (frame.played, frame.played_quiet) = (None, None);
        self.pos.do_null_move();
        let score = -self.search::<NonPv>(-node.beta, 1 - node.beta, node.depth - reduction, ply + 1, false);
        self.pos.undo_null_move();
        if score < node.beta || self.stopped {
            return None;
        }
        let score = if is_decisive(score) { node.beta } else { score };
        if self.null_min_ply > 0 || node.depth < NMP_VERIFIED_DEPTH {
            return Some(score);
        }
        // No pass in the first three quarters of the verification: it would only confirm itself.
        self.null_min_ply = ply + 3 * (node.depth - reduction).max(0) as usize / 4;
        let verified = self.search::<NonPv>(node.beta - 1, node.beta, node.depth - reduction, ply, false);
        self.null_min_ply = 0;
        (verified >= node.beta).then_some(score)
    }

    /// A good capture that beats beta by a margin at reduced depth will beat beta at full depth.
    /// <https://www.chessprogramming.org/ProbCut>
    fn probcut(&mut self, node: &NodeInfo<Move<E>>) -> Option<i32> {
        let p = E::PARAMS;
        let reduction = p.probcut_reduction.get();
        let beta =
            node.beta + p.probcut_margin.get() - p.probcut_improving.get() * i32::from(node.improving());
        let unlikely =
            node.tt.bound.is_some() && node.tt.depth > node.depth - reduction && node.tt.score < beta;
        if !node.cut_node || node.depth < PROBCUT_MIN_DEPTH || is_decisive(node.beta) || unlikely {
            return None;
        }
        let gain = beta - node.static_eval;
        let hash_move = node.tt.mv.filter(|&mv| self.pos.is_capture(mv) && self.pos.see_ge(mv, gain));
        let mut picker = Picker::new(hash_move, Wanted::Captures(gain));
        while let Some(mv) = picker.next(&self.pos, self.histories(), &node.context) {
            if !self.pos.is_legal(mv) {
                continue;
            }
            self.fetch_ahead(mv);
            self.do_move(mv, node.ply, &node.context);
            let mut score = -self.qsearch::<NonPv>(-beta, 1 - beta, node.ply + 1, false);
            if score >= beta && node.depth > PROBCUT_MIN_DEPTH {
                let depth = node.depth - reduction;
                score = -self.search::<NonPv>(-beta, 1 - beta, depth, node.ply + 1, !node.cut_node);
            }
            self.undo_move();
            if self.stopped {
                return None;
            }
            if score >= beta {
                let finding = NodeResult {
                    mv: Some(mv),
                    score,
                    raw_eval: node.raw_eval,
                    depth: node.depth - reduction + 1,
                    bound: Bound::Lower,
                    pv: node.tt.pv,
                };
                self.store(node.ply, finding);
                return Some(if is_decisive(score) { score } else { score - (beta - node.beta) });
            }
        }
        None
    }

    /// Change of depth, in plies, where the move before the node was searched less deeply: 1 if the
    /// evaluation does not show that the move was bad, -1 if it shows that plainly.
    pub(super) fn hindsight(&self, node: &NodeInfo<Move<E>>) -> i32 {
        let before = &self.frames[node.ply + BEFORE_ROOT - 1];
        if before.reduction < HINDSIGHT_MIN_REDUCTION
            || node.static_eval == NONE
            || before.static_eval == NONE
        {
            return 0;
        }
        let gain = node.static_eval + before.static_eval;
        if before.reduction > HINDSIGHT_MIN_REDUCTION && gain <= 0 {
            1
        } else {
            -i32::from(node.depth >= 2 && gain > E::PARAMS.hindsight.get())
        }
    }

    /// Without a hash move the node is searched less deeply: the next visit will have one.
    /// <https://www.chessprogramming.org/Internal_Iterative_Reductions>
    pub(super) fn internal_iterative_reduction<N: Node>(&self, node: &NodeInfo<Move<E>>) -> i32 {
        let unknown = node.tt.mv.is_none() && (N::PV || node.cut_node);
        node.depth - i32::from(unknown && node.depth >= IIR_MIN_DEPTH)
    }

    /// Late-move pruning (LMP): enough moves failed already that quiet ones are not tried any more.
    /// <https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning>
    pub(super) fn late_move_pruned(&self, node: &NodeInfo<Move<E>>, count: usize) -> bool {
        // Half as many where nothing improves, but one.
        let allowed = E::PARAMS.lmp_base.get() + E::PARAMS.lmp_square.of(node.depth * node.depth);
        count as i32 >= if node.improving() { allowed } else { allowed / 2 + 1 }
    }

    /// Whether a late move need not be searched at all.
    pub(super) fn prune_move<N: Node>(
        &self,
        node: &NodeInfo<Move<E>>,
        mv: Move<E>,
        is_capture: bool,
        count: usize,
    ) -> bool {
        let p = E::PARAMS;
        if is_capture {
            // https://www.chessprogramming.org/Static_Exchange_Evaluation#Pruning
            let margin = p.see_capture.get() * node.depth
                + self.histories.capture_score(&self.pos, mv) / CAPTURE_HISTORY_PER_CENTIPAWN;
            return !self.pos.see_ge(mv, -margin.max(0));
        }
        let depth = (node.depth - self.base_reduction(node.depth, count) / ONE).max(0);
        // https://www.chessprogramming.org/History_Leaf_Pruning
        let history = self.histories.continuation_score(&self.pos, mv, &node.context);
        if depth <= p.history_max_depth.get() && history < -p.history_prune.get() * node.depth {
            return true;
        }
        // https://www.chessprogramming.org/Futility_Pruning
        let reach = node.estimate
            + p.futility_base.get()
            + p.futility_depth.get() * depth
            + history / QUIET_HISTORY_PER_CENTIPAWN;
        if !node.in_check
            && depth <= p.futility_max_depth.get()
            && reach <= node.alpha
            && !is_decisive(node.alpha)
        {
            return !self.pos.gives_check(mv);
        }
        !self.pos.see_ge(mv, -p.see_quiet.get() * depth * depth)
    }

    /// Whether a singular search may show that `mv` is the only good move.
    fn may_be_singular<N: Node>(&mut self, node: &NodeInfo<Move<E>>, mv: Move<E>) -> bool {
        let (ply, tt) = (node.ply, &node.tt);
        !N::ROOT
            && Some(mv) == tt.mv
            && self.frame(ply).excluded.is_none()
            && node.depth >= E::PARAMS.singular_depth.get() + i32::from(tt.pv)
            && tt.depth >= node.depth - SINGULAR_DEPTH_SLACK
            && tt.bound.is_some_and(|bound| bound != Bound::Upper)
            && tt.score != NONE
            && !is_decisive(tt.score)
            // Extensions may double the length of a line, no more.
            && ply < 2 * self.root_depth as usize
    }

    /// The hash move is extended when all others fail against a lower bound, and the whole node when they
    /// fail by far; when they do not, the node may be cut (`Err`) or the move reduced.
    /// <https://www.chessprogramming.org/Singular_Extensions>
    pub(super) fn extension<N: Node>(
        &mut self,
        node: &mut NodeInfo<Move<E>>,
        mv: Move<E>,
    ) -> Result<i32, i32> {
        if !self.may_be_singular::<N>(node, mv) {
            return Ok(0);
        }
        let (ply, tt) = (node.ply, node.tt);
        let p = E::PARAMS;
        let former_pv = if tt.pv && !N::PV { p.singular_former_pv.get() } else { 0 };
        let beta = tt.score - (p.singular_margin.get() + former_pv) * node.depth / ONE;
        self.frame(ply).excluded = Some(mv);
        let score = self.search::<NonPv>(beta - 1, beta, (node.depth - 1) / 2, ply, node.cut_node);
        self.frame(ply).excluded = None;
        // The inner search used the same frame.
        self.frame(ply).pv.clear();
        self.frame(ply).static_eval =
            if node.in_check { NONE } else { self.corrected(node.raw_eval, &node.context) };
        if self.stopped {
            return Ok(0);
        }
        if score < beta {
            let quiet = if self.pos.is_capture(mv) { 0 } else { p.singular_quiet.get() };
            let more = if N::PV { p.singular_pv.get() } else { 0 } - quiet;
            let triple = score < beta - p.singular_triple.get() - more;
            // All moves but one are far worse: a critical node.
            node.depth += i32::from(triple);
            return Ok(1 + i32::from(score < beta - p.singular_double.get() - more) + i32::from(triple));
        }
        // Multi-cut: another move beats beta too. https://www.chessprogramming.org/Multi-Cut
        if score >= node.beta && !is_decisive(score) {
            return Err(score);
        }
        // Other moves are as good, so that this one needs less of a search, the less the surer the node is to
        // cut.
        Ok(if tt.score >= node.beta {
            -2
        } else if node.cut_node {
            -1
        } else {
            0
        })
    }

    /// Late-move reduction before its terms, in 1/1024 ply.
    fn base_reduction(&self, depth: i32, count: usize) -> i32 {
        let rows = &self.reductions;
        E::PARAMS.lmr_base.get() + rows[depth.clamp(1, 255) as usize] * rows[count.clamp(1, 255)]
    }

    /// Plies by which a move is searched less deeply at first; negative where its history is good. The first
    /// move is never searched again, so that it is reduced only where much speaks for it.
    /// <https://www.chessprogramming.org/Late_Move_Reductions>
    pub(super) fn reduction<N: Node>(
        &mut self,
        node: &NodeInfo<Move<E>>,
        mv: Move<E>,
        count: usize,
        is_capture: bool,
        order_score: i32,
    ) -> i32 {
        if node.depth < 2 || (N::PV && count <= 1 + usize::from(N::ROOT)) {
            return 0;
        }
        let p = E::PARAMS;
        let mut r = self.reduction_by_kind::<N>(node, mv, count);
        if count == 1 {
            let first = p.lmr_first.get();
            let second = node.depth >= SECOND_PLY_MIN_DEPTH && r > first * 3 / 2;
            return i32::from(r > first) + i32::from(second);
        }
        let history = if is_capture {
            self.histories.capture_score(&self.pos, mv) + p.lmr_capture.get()
        } else {
            order_score
        };
        r -= ONE * history / p.lmr_history.get();
        if !N::PV && !node.cut_node && r > 0 {
            // Every move of an expected all-node has to fail, the sooner the better.
            r += r / (node.depth + 1);
        }
        r / ONE
    }

    /// The reduction by what node and move are, history left aside, in 1/1024 ply.
    fn reduction_by_kind<N: Node>(&mut self, node: &NodeInfo<Move<E>>, mv: Move<E>, count: usize) -> i32 {
        let p = E::PARAMS;
        let tt_known = node.tt.bound.is_some();
        let tt_capture = node.tt.mv.is_some_and(|mv| self.pos.is_capture(mv));
        let cutoffs = self.frame(node.ply + 1).cutoffs;
        let mut r = self.base_reduction(node.depth, count);
        r += p.lmr_cut_node.get() * i32::from(node.cut_node);
        r += p.lmr_no_hash_move.get() * i32::from(node.cut_node && node.tt.mv.is_none());
        r += p.lmr_not_improving.get() * i32::from(!node.improving());
        r += p.lmr_fall.get() * (-node.improvement).clamp(0, MAX_FALL) / MAX_FALL;
        r -= p.lmr_pv.get() * i32::from(N::PV);
        r -= p.lmr_tt_pv.get() * i32::from(node.tt.pv);
        r -= p.lmr_tt_pv_high.get() * i32::from(node.tt.pv && tt_known && node.tt.score > node.alpha);
        r -= p.lmr_tt_deep.get() * i32::from(node.tt.depth >= node.depth);
        r += p.lmr_tt_low.get() * i32::from(tt_known && node.tt.score <= node.alpha);
        r -= p.lmr_correction.get() * node.correction;
        r += p.lmr_tt_capture.get() * i32::from(tt_capture);
        r -= p.lmr_check.get() * i32::from(self.pos.gives_check(mv));
        r + p.lmr_cutoffs.get() * i32::from(cutoffs > MANY_CUTOFFS)
    }

    /// Change of depth, in plies, when a reduced move beats alpha and is searched again: 1 if it beats the
    /// best score by much, 2 if by very much, -1 if by little, else 0.
    /// <https://www.chessprogramming.org/Late_Move_Reductions>
    pub(super) fn deeper_or_shallower(score: i32, best: i32, depth: i32) -> i32 {
        let p = E::PARAMS;
        let much = p.lmr_deeper.get() + p.lmr_deeper_depth.get() * depth;
        let little = p.lmr_shallower.of(depth);
        let lead = score - best;
        i32::from(lead > much) + i32::from(lead > p.lmr_deeper_twice.get() * much) - i32::from(lead < little)
    }
}
