//! Quiescence search: captures until the position is quiet, every move when in check.
//! <https://www.chessprogramming.org/Quiescence_Search>

use super::entry::{Bound, NodeResult};
use super::node::Node;
use super::picker::{Picker, Wanted};
use super::score::{NONE, is_decisive, mated_in};
use super::{Evaluator, Worker};
use crate::game::AlphaBetaGame;

impl<E: Evaluator> Worker<E> {
    /// Score of the position once nothing hangs, within `(alpha, beta)`, fail-soft.
    /// `checks`: quiet moves that give check are tried too.
    pub(super) fn qsearch<N: Node>(&mut self, alpha: i32, beta: i32, ply: usize, checks: bool) -> i32 {
        // 1. Limits and rules.
        let (mut alpha, beta) = match self.enter_node::<N>(alpha, beta, ply) {
            Ok(window) => window,
            Err(score) => return score,
        };
        alpha = self.at_least_a_repetition(alpha, ply);
        if alpha >= beta {
            return alpha;
        }
        let in_check = self.pos.in_check();

        // 2. What the table knows.
        let tt = self.probe(ply, N::PV);
        if !N::PV && tt.bound.is_some_and(|bound| bound.decides(tt.score, beta)) {
            return tt.score;
        }

        // 3. Standing pat.
        let context = self.context(ply);
        let (mut raw_eval, mut best, mut reach) = (NONE, mated_in(ply), NONE);
        if !in_check {
            raw_eval = tt.raw_eval.unwrap_or_else(|| self.eval.evaluate(&self.pos));
            best = tt.estimate(self.corrected(raw_eval, &context));
            if best >= beta {
                if tt.bound.is_none() {
                    let (score, bound) = (best, Bound::Lower);
                    self.store(ply, NodeResult { mv: None, score, raw_eval, depth: 0, bound, pv: false });
                }
                return best;
            }
            alpha = alpha.max(best);
            reach = best + E::PARAMS.qs_futility.get();
        }

        // 4. Captures, or every move out of check.
        let wanted = match (in_check, checks) {
            (true, _) => Wanted::All,
            (false, true) => Wanted::CapturesAndChecks,
            (false, false) => Wanted::Captures(0),
        };
        let hash_move = tt.mv.filter(|&mv| in_check || self.pos.is_capture(mv));
        let mut picker = Picker::new(hash_move, wanted);
        let (mut best_move, mut count) = (None, 0);
        while let Some(mv) = picker.next(&self.pos, &self.histories, &context) {
            if !self.pos.is_legal(mv) {
                continue;
            }
            self.fetch_ahead(mv);
            count += 1;
            if !is_decisive(best) {
                if in_check {
                    // One evasion does not lose, so the remaining quiet evasions are skipped.
                    picker.skip_quiets();
                    if !self.pos.is_capture(mv) {
                        continue;
                    }
                } else if let Some(victim) = self.pos.captured_kind(mv)
                    && !self.pos.gives_check(mv)
                {
                    let to = self.pos.from_to(mv).1;
                    let recaptures = context.previous[0].is_some_and(|p| p.target::<E::Game>() == to);
                    if count > E::PARAMS.qs_captures.get() && !recaptures {
                        continue;
                    }
                    // Delta pruning. https://www.chessprogramming.org/Delta_Pruning
                    let gain = E::Game::piece_value(victim);
                    if reach + gain <= alpha && !is_decisive(alpha) {
                        best = best.max(reach + gain);
                        continue;
                    }
                    if reach <= alpha && !self.pos.see_ge(mv, (alpha - reach).max(1)) {
                        best = best.max(reach);
                        continue;
                    }
                }
            }
            self.do_move(mv, ply, &context);
            let score = -self.qsearch::<N::Child>(-beta, -alpha, ply + 1, false);
            self.undo_move();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }

        // 5. Store it. In check without a legal move `best` is still the mate score. Without a better move
        // the table's move stays.
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.store(
            ply,
            NodeResult { mv: best_move.or(tt.mv), score: best, raw_eval, depth: 0, bound, pv: tt.pv },
        );
        best
    }
}
