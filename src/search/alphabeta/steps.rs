//! The pruning, extending and reducing of [`super::node`]: one function a step, named as the field does.

use super::entry::Bound;
use super::node::{Here, Node, NonPv};
use super::picker::{Picker, Wanted};
use super::score::{NONE, is_decisive, is_mate};
use super::{Evaluator, Move, Worker};
use crate::game::AlphaBetaGame;

impl<E: Evaluator> Worker<E> {
    /// Ends the node when its score is plainly outside the window.
    pub(super) fn prune_node(&mut self, here: &Here<Move<E>>) -> Option<i32> {
        self.razoring(here)
            .or_else(|| self.reverse_futility(here))
            .or_else(|| self.null_move(here))
            .or_else(|| self.probcut(here))
    }

    /// The evaluation is so far below alpha that only a capture can help, so quiescence is asked.
    /// <https://www.chessprogramming.org/Razoring>
    fn razoring(&mut self, here: &Here<Move<E>>) -> Option<i32> {
        let p = E::PARAMS;
        let margin = p.razor_base.get() + p.razor_depth.get() * here.depth * here.depth;
        if here.eval + margin >= here.alpha {
            return None;
        }
        let score = self.qsearch::<NonPv>(here.alpha, here.beta, here.ply, true);
        (score <= here.alpha && !is_decisive(score)).then_some(score)
    }

    /// The evaluation is so far above beta that a quiet move will keep it there. Within three plies of the root,
    /// where zugzwang hid a mate in two, passing must be safe too: docs/lab/zugzwang.md.
    /// <https://www.chessprogramming.org/Reverse_Futility_Pruning>
    fn reverse_futility(&mut self, here: &Here<Move<E>>) -> Option<i32> {
        let depth = here.depth - i32::from(here.improving);
        let hit = here.depth <= 10
            && !here.tt.pv
            && here.eval - E::PARAMS.rfp_margin.get() * depth >= here.beta
            && !is_decisive(here.beta)
            && !is_decisive(here.eval)
            && (here.ply > 3 || self.pos.passing_is_safe());
        hit.then_some((here.eval + 2 * here.beta) / 3)
    }

    /// Even passing fails high; at great depth a search without the pass has to confirm it.
    /// <https://www.chessprogramming.org/Null_Move_Pruning>
    fn null_move(&mut self, here: &Here<Move<E>>) -> Option<i32> {
        let (p, ply) = (E::PARAMS, here.ply);
        let last_was_null = ply > 0 && self.frame(ply - 1).played.is_none();
        let eval = self.frame(ply).eval;
        if last_was_null
            || here.eval < here.beta
            || eval < here.beta + 170 - 20 * here.depth
            || is_decisive(here.beta)
            || ply < self.null_min_ply
            || !self.pos.passing_is_safe()
        {
            return None;
        }
        let reduction = p.nmp_base.get()
            + here.depth / p.nmp_divisor.get()
            + ((here.eval - here.beta) / p.nmp_eval_divisor.get()).min(4);
        self.frame(ply).played = None;
        self.pos.do_null_move();
        let score = -self.search::<NonPv>(-here.beta, 1 - here.beta, here.depth - reduction, ply + 1, false);
        self.pos.undo_null_move();
        if score < here.beta || self.stopped {
            return None;
        }
        let score = if is_decisive(score) { here.beta } else { score };
        if self.null_min_ply > 0 || here.depth < 15 {
            return Some(score);
        }
        self.null_min_ply = ply + 3 * (here.depth - reduction).max(0) as usize / 4;
        let verified = self.search::<NonPv>(here.beta - 1, here.beta, here.depth - reduction, ply, false);
        self.null_min_ply = 0;
        (verified >= here.beta).then_some(score)
    }

    /// A good capture that beats beta by a margin at reduced depth will beat beta at full depth.
    /// <https://www.chessprogramming.org/ProbCut>
    fn probcut(&mut self, here: &Here<Move<E>>) -> Option<i32> {
        let beta = here.beta + E::PARAMS.probcut_margin.get() - 50 * i32::from(here.improving);
        let unlikely = here.tt.bound.is_some() && here.tt.depth >= here.depth - 3 && here.tt.score < beta;
        if here.depth < 5 || is_decisive(here.beta) || unlikely {
            return None;
        }
        let eval = self.frame(here.ply).eval;
        let hash_move = here.tt.mv.filter(|&mv| self.pos.is_capture(mv) && self.pos.see_ge(mv, beta - eval));
        let mut picker = Picker::new(hash_move, Wanted::Captures(beta - eval));
        while let Some(mv) = picker.next(&self.pos, self.histories(), &here.context) {
            if !self.pos.is_legal(mv) {
                continue;
            }
            self.fetch_ahead(mv);
            self.do_move(mv, here.ply);
            let mut score = -self.qsearch::<NonPv>(-beta, 1 - beta, here.ply + 1, false);
            if score >= beta && here.depth > 5 {
                score = -self.search::<NonPv>(-beta, 1 - beta, here.depth - 4, here.ply + 1, !here.cut_node);
            }
            self.undo_move();
            if self.stopped {
                return None;
            }
            if score >= beta {
                self.store(
                    here.ply,
                    here.raw_eval,
                    score,
                    Some(mv),
                    here.depth - 3,
                    Bound::Lower,
                    here.tt.pv,
                );
                return Some(if is_decisive(score) { score } else { score - (beta - here.beta) });
            }
        }
        None
    }

    /// Without a hash move the node is searched less deeply: the next visit will have one.
    /// <https://www.chessprogramming.org/Internal_Iterative_Reductions>
    pub(super) fn internal_iterative_reduction<N: Node>(&self, here: &Here<Move<E>>) -> i32 {
        let unknown = here.tt.mv.is_none() && (N::PV || here.cut_node);
        here.depth - i32::from(unknown && here.depth >= 5)
    }

    /// So many moves failed already that quiet ones are not tried any more.
    /// <https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning>
    pub(super) fn too_late<N: Node>(&self, here: &Here<Move<E>>, count: usize) -> bool {
        let allowed = E::PARAMS.lmp_base.get() + here.depth * here.depth;
        count as i32 >= if here.improving { allowed } else { allowed / 2 + 1 }
    }

    /// Whether a late move need not be searched at all.
    pub(super) fn prune_move<N: Node>(
        &self,
        here: &Here<Move<E>>,
        mv: Move<E>,
        is_capture: bool,
        count: usize,
    ) -> bool {
        let p = E::PARAMS;
        if is_capture {
            // https://www.chessprogramming.org/Static_Exchange_Evaluation#Pruning
            let margin = p.see_capture.get() * here.depth + self.histories.capture_score(&self.pos, mv) / 32;
            return !self.pos.see_ge(mv, -margin.max(0));
        }
        let depth = (here.depth - self.base_reduction(here.depth, count) / 1024).max(0);
        // https://www.chessprogramming.org/History_Leaf_Pruning
        let history = self.histories.continuation_score(&self.pos, mv, &here.context);
        if depth <= 5 && history < -p.history_prune.get() * here.depth {
            return true;
        }
        // https://www.chessprogramming.org/Futility_Pruning
        let reach = here.eval + p.futility_base.get() + p.futility_depth.get() * depth + history / 128;
        if !here.in_check && depth <= 8 && reach <= here.alpha && !is_decisive(here.alpha) {
            return !self.pos.gives_check(mv);
        }
        !self.pos.see_ge(mv, -p.see_quiet.get() * depth * depth)
    }

    /// The hash move is extended when all others fail against a lower bound; when they do not, the node
    /// may be cut (`Err`) or the move reduced. <https://www.chessprogramming.org/Singular_Extensions>
    pub(super) fn extension<N: Node>(&mut self, here: &Here<Move<E>>, mv: Move<E>) -> Result<i32, i32> {
        let (ply, tt) = (here.ply, &here.tt);
        let singular = !N::ROOT
            && Some(mv) == tt.mv
            && self.frame(ply).excluded.is_none()
            && here.depth >= 6 + i32::from(tt.pv)
            && tt.depth >= here.depth - 3
            && tt.bound.is_some_and(|bound| bound != Bound::Upper)
            && tt.score != NONE
            && !is_decisive(tt.score)
            && ply < 2 * self.root_depth as usize;
        if !singular {
            return Ok(0);
        }
        let beta = tt.score - E::PARAMS.singular_margin.get() * here.depth / 64;
        self.frame(ply).excluded = Some(mv);
        let score = self.search::<NonPv>(beta - 1, beta, (here.depth - 1) / 2, ply, here.cut_node);
        self.frame(ply).excluded = None;
        // The inner search used the same frame.
        self.frame(ply).pv.clear();
        self.frame(ply).eval =
            if here.in_check { NONE } else { self.corrected(here.raw_eval, &here.context) };
        if self.stopped {
            return Ok(0);
        }
        if score < beta {
            return Ok(1 + i32::from(!N::PV && score < beta - E::PARAMS.singular_double.get()));
        }
        // Multi-cut: another move beats beta too.
        if beta >= here.beta && !is_mate(beta) {
            return Err(beta);
        }
        Ok(if tt.score >= here.beta {
            -2
        } else if here.cut_node {
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

    /// Plies by which a move is searched less deeply at first; negative is never returned.
    /// <https://www.chessprogramming.org/Late_Move_Reductions>
    pub(super) fn reduction<N: Node>(
        &mut self,
        here: &Here<Move<E>>,
        mv: Move<E>,
        count: usize,
        is_capture: bool,
        order_score: i32,
    ) -> i32 {
        if here.depth < 2 || count <= 1 + usize::from(N::ROOT) {
            return 0;
        }
        let p = E::PARAMS;
        let tt_capture = here.tt.mv.is_some_and(|mv| self.pos.is_capture(mv));
        let cutoffs = self.frame(here.ply + 1).cutoffs;
        let mut r = self.base_reduction(here.depth, count);
        r += p.lmr_cut_node.get() * i32::from(here.cut_node);
        r += p.lmr_not_improving.get() * i32::from(!here.improving);
        r -= p.lmr_tt_pv.get() * i32::from(here.tt.pv);
        r += p.lmr_tt_capture.get() * i32::from(tt_capture);
        r -= p.lmr_check.get() * i32::from(self.pos.gives_check(mv));
        r += 512 * i32::from(cutoffs > 3);
        let history =
            if is_capture { self.histories.capture_score(&self.pos, mv) + 4000 } else { order_score };
        r -= 1024 * history / p.lmr_history.get();
        (r / 1024).max(0)
    }

    /// Change of depth, in plies, when a reduced move beats alpha and is searched again: 1 if it beats the best score by
    /// much, -1 if by little, else 0.
    /// <https://www.chessprogramming.org/Late_Move_Reductions>
    pub(super) fn deeper_or_shallower(score: i32, best: i32, depth: i32) -> i32 {
        i32::from(score > best + E::PARAMS.lmr_deeper.get() + 2 * depth) - i32::from(score < best + depth)
    }
}
