//! The spine of alpha-beta: one node, as numbered steps.
//! Source: <https://www.chessprogramming.org/Principal_Variation_Search>.

use super::endgames::Proof;
use super::entry::{Bound, Entry, NO_EVAL, NodeResult};
use super::history::Context;
use super::options::Pruning;
use super::picker::{Picker, Wanted};
use super::score::{EVAL_MAX, INFINITE, MAX_PLY, NONE, is_decisive, mate_in, mated_in, won_by_rule};
use super::{Evaluator, Histories, Move, Worker};
use crate::game::{AlphaBetaGame, Game, Verdict};
use arrayvec::ArrayVec;

/// What kind of node a search call is for, known when it is compiled.
/// <https://www.chessprogramming.org/Node_Types>
pub(super) trait Node {
    /// In a principal variation: the window is open.
    const PV: bool;
    const ROOT: bool;
    type Child: Node;
}

pub(super) struct Root;
pub(super) struct Pv;
/// A node searched with a null window.
pub(super) struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}
impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Pv;
}
impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = NonPv;
}

/// What a node knows before it looks at its moves.
pub(super) struct NodeInfo<M> {
    pub ply: usize,
    /// Plies to search; a ply more beside a move that is singular by far.
    pub depth: i32,
    /// Rises while moves are searched.
    pub alpha: i32,
    pub beta: i32,
    pub cut_node: bool,
    pub in_check: bool,
    /// By how much the static evaluation rose over the last two plies, or four after a check; 0 when unknown.
    /// At least 1 above beta where [`AlphaBetaGame::IMPROVES_ABOVE_BETA`].
    pub improvement: i32,
    /// The evaluation of the position, [`NONE`] in check. The table keeps it.
    pub raw_eval: i32,
    /// The evaluation after correction history.
    pub static_eval: i32,
    /// Absolute value of the correction, in centipawns: a measure of how unreliable the evaluation is.
    pub correction: i32,
    /// The best guess of the score: the static evaluation, or the table's score where its bound is tighter.
    pub estimate: i32,
    pub tt: TtHit<M>,
    pub context: Context,
}

/// What the table knows of a node.
#[derive(Clone, Copy)]
pub(super) struct TtHit<M> {
    pub mv: Option<M>,
    pub score: i32,
    pub depth: i32,
    pub bound: Option<Bound>,
    pub raw_eval: Option<i32>,
    /// The node is, or ever was, in a principal variation.
    pub pv: bool,
}

impl<M> NodeInfo<M> {
    /// The static evaluation rose since the same side's last move.
    #[inline(always)]
    pub fn improving(&self) -> bool {
        self.improvement > 0
    }
}

impl<M> TtHit<M> {
    /// The table's score where its bound is sharper than `static_eval`, else that.
    #[inline(always)]
    pub fn estimate(&self, static_eval: i32) -> i32 {
        let decides = |bound: Bound| bound.decides(self.score, static_eval + 1);
        if !is_decisive(self.score) && self.bound.is_some_and(decides) { self.score } else { static_eval }
    }
}

/// Moves that were tried without a cut. Their histories fall when a later move cuts.
pub(super) type Tried<M> = ArrayVec<M, 32>;

/// Best score and best move of a node's moves, as far as there are any.
type Found<E> = (Option<i32>, Option<Move<E>>);

/// Up to this depth a stored score ends only a node of the kind that was expected to have it: what it saves
/// is small, and an unexpected score is worth another look.
const EXPECTED_MAX_DEPTH: i32 = 5;
/// Maximum plies by which a good history extends a late move.
const MAX_EXTENSION_BY_HISTORY: i32 = 1;

/// Plies before the no-progress rule draws the game from which stored scores are not trusted.
const RULE_MARGIN: u16 = 10;

/// History bonus of a quiet move of the table that cuts without a search: per depth, and at most. Less than a
/// cut by search earns, because nothing new was learned.
const TABLE_CUTOFF_BONUS: i32 = 100;
const TABLE_CUTOFF_BONUS_MAX: i32 = 1000;

impl<E: Evaluator> Worker<E> {
    /// Best score of the position within `(alpha, beta)`, fail-soft, searched `depth` plies deep.
    pub(super) fn search<N: Node>(
        &mut self,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(N::PV || alpha == beta - 1);
        if depth <= 0 {
            return self.qsearch::<N>(alpha, beta, ply, true);
        }

        // 1. Limits, rules, and bounds that hold without a search.
        let (alpha, beta) = match self.open::<N>(alpha, beta, ply) {
            Ok(window) => window,
            Err(score) => return score,
        };

        // 2. What the table knows.
        let excluded = self.frame(ply).excluded;
        let tt = self.probe(ply, N::PV);
        if !N::PV
            && excluded.is_none()
            && tt.depth >= depth
            && (depth > EXPECTED_MAX_DEPTH || cut_node == (tt.score >= beta))
            && let Some(score) = self.table_cutoff(&tt, beta, depth, ply)
        {
            return score;
        }

        // 3. What endgame tables know.
        let proof = match N::ROOT || excluded.is_some() {
            true => Proof::NONE,
            false => self.ask_tables(alpha, beta, depth, ply),
        };
        if let Some(score) = proof.decided {
            return score;
        }
        let alpha = if N::PV { alpha.max(proof.alpha) } else { alpha };

        // 4. Static evaluation.
        let mut node = self.node_info(alpha, beta, depth, ply, cut_node, tt);

        self.learn_from_evaluation(&node);
        if excluded.is_none() {
            node.depth += self.hindsight(&node);
        }

        // 5. Prune the whole node, or look less deeply where nothing is known.
        if !N::PV
            && !node.in_check
            && excluded.is_none()
            && self.options.pruning >= Pruning::Medium
            && let Some(score) = self.prune_node(&node)
        {
            return score;
        }
        node.depth = self.internal_iterative_reduction::<N>(&node);

        // 6. The moves.
        let (best, best_move) = match self.search_moves::<N>(&mut node, excluded) {
            Ok(found) => found,
            // Multi-cut: half the depth proves too little for the table.
            Err(score) => return score,
        };
        if self.stopped {
            return 0;
        }

        // 7. No legal move: mate, stalemate, or a singular search that left out the only one.
        let Some(best) = best else {
            return match (excluded, node.in_check || E::Game::STALEMATE == Verdict::Loss) {
                (Some(_), _) => node.alpha,
                (None, true) => mated_in(ply),
                (None, false) => self.draw_value(),
            };
        };

        // Between score and bound: a null window reveals little about how far beyond it a score is.
        let fails_high = !N::PV && best >= beta && !is_decisive(best) && !is_decisive(beta);
        let best = if fails_high { (best * node.depth + beta) / (node.depth + 1) } else { best };
        let best = best.max(proof.alpha).min(proof.beta);

        // 8. Store it.
        if best_move.is_none() {
            self.learn_from_fail_low::<N>(&node);
        }
        // The root without some of its moves is another position.
        if excluded.is_none() && !(N::ROOT && (self.pv_index > 0 || self.is_restricted)) {
            self.store_result(&node, best, best_move, N::PV);
        }
        best
    }

    /// Step 1 of every node, those of quiescence too: counts it, and asks the rules for its score (`Err`) or
    /// window.
    #[inline]
    pub(super) fn enter_node<N: Node>(
        &mut self,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
    ) -> Result<(i32, i32), i32> {
        self.count_node(ply);
        self.frame(ply).pv.clear();
        if N::ROOT {
            return Ok((alpha, beta));
        }
        if self.stopped {
            return Err(0);
        }
        match self.pos.verdict_in_tree(ply, &mut self.verdicts) {
            Verdict::Ongoing => (),
            Verdict::Draw => return Err(self.draw_score()),
            Verdict::Win => return Err(won_by_rule(ply)),
            Verdict::Loss => return Err(-won_by_rule(ply)),
            Verdict::AtLeastDraw => alpha = alpha.max(self.draw_value()),
            Verdict::AtMostDraw => beta = beta.min(self.draw_value()),
        }
        if alpha >= beta {
            return Err(alpha);
        }
        if ply >= MAX_PLY {
            return Err(if self.pos.in_check() { 0 } else { self.eval.evaluate(&self.pos) });
        }
        Ok((alpha, beta))
    }

    /// Step 1: enters the node and narrows its window. `Err` is the node's score.
    fn open<N: Node>(&mut self, alpha: i32, beta: i32, ply: usize) -> Result<(i32, i32), i32> {
        self.frame(ply + 1).excluded = None;
        self.frame(ply + 2).cutoffs = 0;
        if N::ROOT {
            self.frame(ply + 1).cutoffs = 0;
        }
        let (mut alpha, mut beta) = self.enter_node::<N>(alpha, beta, ply)?;
        if N::ROOT {
            return Ok((alpha, beta));
        }
        alpha = self.at_least_a_repetition(alpha, ply);
        // https://www.chessprogramming.org/Mate_Distance_Pruning
        alpha = alpha.max(mated_in(ply));
        beta = beta.min(mate_in(ply + 1));
        if alpha >= beta { Err(alpha) } else { Ok((alpha, beta)) }
    }

    /// Raises alpha to a draw where a move that repeats is at hand.
    /// <https://www.chessprogramming.org/Repetitions>
    #[inline(always)]
    pub(super) fn at_least_a_repetition(&self, alpha: i32, ply: usize) -> i32 {
        let repeats = E::Game::PLAIN_REPETITION && alpha < 0 && self.pos.upcoming_repetition(ply);
        if repeats { alpha.max(self.draw_score()) } else { alpha }
    }

    /// Step 2: the table's view of the position at `ply`; its move is known to be pseudo-legal.
    pub(super) fn probe(&self, ply: usize, pv: bool) -> TtHit<Move<E>> {
        let nothing = TtHit { mv: None, score: NONE, depth: -1, bound: None, raw_eval: None, pv };
        let Some(entry) = self.shared.table.probe(self.pos.key()) else { return nothing };
        let reserve = self.pos.plies_left();
        TtHit {
            mv: (entry.mv != 0).then(|| E::Game::unpack(entry.mv)).filter(|&mv| self.pos.is_pseudo_legal(mv)),
            score: if entry.bound().is_some() { entry.score(ply, reserve) } else { NONE },
            depth: if entry.bound().is_some() { i32::from(entry.depth) } else { -1 },
            bound: entry.bound(),
            raw_eval: (entry.eval != NO_EVAL).then_some(i32::from(entry.eval)),
            pv: pv || entry.was_pv(),
        }
    }

    /// Step 2: whether the stored score ends the search of this node.
    fn table_cutoff(&mut self, tt: &TtHit<Move<E>>, beta: i32, depth: i32, ply: usize) -> Option<i32> {
        // Near the no-progress rule a stored score may promise what the rule takes away.
        let rule_is_far = self.pos.rule_counter().saturating_add(RULE_MARGIN) < E::Game::RULE_PLIES;
        if !(tt.bound?.decides(tt.score, beta) && rule_is_far) {
            return None;
        }
        if let Some(mv) = tt.mv.filter(|&mv| tt.score >= beta && !self.pos.is_capture(mv)) {
            let context = self.context(ply);
            let bonus = (TABLE_CUTOFF_BONUS * depth).min(TABLE_CUTOFF_BONUS_MAX);
            self.histories.update_quiet(&self.pos, mv, &context, bonus);
        }
        Some(tt.score)
    }

    /// Step 4: everything the node knows before its moves.
    fn node_info(
        &mut self,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
        tt: TtHit<Move<E>>,
    ) -> NodeInfo<Move<E>> {
        let in_check = self.pos.in_check();
        let context = self.context(ply);
        let (mut raw_eval, mut static_eval, mut correction) = (NONE, NONE, 0);
        if !in_check {
            raw_eval = tt.raw_eval.unwrap_or_else(|| self.evaluate_and_store(tt.pv));
            correction = self.histories.correction(&self.pos, &context);
            static_eval = self.corrected_by(raw_eval, correction);
        }
        self.frame(ply).static_eval = static_eval;
        let earlier = [2, 4].map(|back| if ply >= back { self.frame(ply - back).static_eval } else { NONE });
        let before = earlier.into_iter().find(|&eval| !in_check && eval != NONE);
        let mut improvement = before.map_or(0, |before| static_eval - before);
        if E::Game::IMPROVES_ABOVE_BETA && !in_check && static_eval >= beta {
            improvement = improvement.max(1);
        }
        let estimate = if in_check { NONE } else { tt.estimate(static_eval) };
        NodeInfo {
            ply,
            depth,
            alpha,
            beta,
            cut_node,
            in_check,
            improvement,
            raw_eval,
            static_eval,
            correction: correction.abs(),
            estimate,
            tt,
            context,
        }
    }

    /// Step 4: the evaluation of a node that the table does not know, which knows it from now on: most nodes
    /// end before they have a score, and many of them are seen again.
    fn evaluate_and_store(&mut self, pv: bool) -> i32 {
        let raw_eval = self.eval.evaluate(&self.pos);
        let generation = self.shared.generation();
        self.shared.table.store(self.pos.key(), Entry::evaluated(raw_eval, pv, generation), generation);
        raw_eval
    }

    /// Step 6: the move loop. The best score is `None` when no move was legal, the best move when none beat
    /// alpha. `Err` is the score of multi-cut.
    fn search_moves<N: Node>(
        &mut self,
        node: &mut NodeInfo<Move<E>>,
        excluded: Option<Move<E>>,
    ) -> Result<Found<E>, i32> {
        let ply = node.ply;
        let mut picker = Picker::new(node.tt.mv, Wanted::All);
        let (mut best, mut best_move) = (None::<i32>, None);
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());
        let mut count = 0;
        while let Some(mv) = picker.next(&self.pos, &self.histories, &node.context) {
            if Some(mv) == excluded || (N::ROOT && !self.is_open_root_move(mv)) || !self.pos.is_legal(mv) {
                continue;
            }
            self.fetch_ahead(mv);
            count += 1;
            let is_capture = self.pos.is_capture(mv);
            // 6a. Prune the move.
            if !N::ROOT
                && best.is_some_and(|b| !is_decisive(b) || b > 0)
                && self.pos.has_heavy_material()
                && self.options.pruning == Pruning::Large
            {
                if !node.in_check && self.late_move_pruned(node, count) {
                    match E::Game::LATE_CHECKS {
                        true => picker.keep_checks(&self.pos),
                        false => picker.skip_quiets(),
                    }
                }
                if self.prune_move::<N>(node, mv, is_capture, count) {
                    continue;
                }
            }
            // 6b. Extend it.
            let extension = self.extension::<N>(node, mv)?;
            // 6c. Search it.
            if N::ROOT
                && let Some(report) = &self.on_root_move
            {
                report(mv, count + self.pv_index);
            }
            let nodes_before = self.nodes;
            let reduction = match self.options.pruning {
                Pruning::None => 0,
                _ => self.reduction::<N>(node, mv, count, is_capture, picker.score()),
            };
            self.do_move(mv, ply, &node.context);
            self.frame(ply).count = count;
            let score = self.search_child::<N>(node, best, node.depth - 1 + extension, reduction, count);
            self.undo_move();
            if self.stopped {
                return Ok((best, None));
            }
            if N::ROOT {
                self.note_root_move(mv, score, count, node.alpha, node.beta, self.nodes - nodes_before);
            }
            // 6d. Compare its score.
            if best.is_none_or(|b| score > b) {
                best = Some(score);
                if score > node.alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.extend_pv(ply, mv);
                    }
                    if score >= node.beta {
                        self.frame(ply).cutoffs += 1;
                        break;
                    }
                    node.alpha = score;
                }
            }
            let tried = if is_capture { &mut captures } else { &mut quiets };
            if Some(mv) != best_move && !tried.is_full() {
                tried.push(mv);
            }
        }
        if let Some(mv) = best_move {
            let cuts = best.is_some_and(|best| best >= node.beta);
            self.learn_from_best(node, mv, cuts, &quiets, &captures);
        }
        Ok((best, best_move))
    }

    /// Step 6c: null window first, wider and deeper when it fails high.
    /// <https://www.chessprogramming.org/Principal_Variation_Search>
    fn search_child<N: Node>(
        &mut self,
        node: &NodeInfo<Move<E>>,
        best: Option<i32>,
        mut depth: i32,
        reduction: i32,
        count: usize,
    ) -> i32 {
        let (ply, alpha) = (node.ply, node.alpha);
        let mut score = -INFINITE;
        let mut again = false;
        // The first move is not searched again. In principal variations it is not reduced.
        if count == 1 {
            depth -= reduction;
        }
        let full_null_window = if reduction != 0 && count > 1 {
            let reduced = (depth - reduction).max(1).min(depth + MAX_EXTENSION_BY_HISTORY);
            self.frame(ply).reduction = depth - reduced;
            score = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, ply + 1, true);
            self.frame(ply).reduction = 0;
            again = score > alpha && reduced < depth;
            if again {
                depth += Self::deeper_or_shallower(score, best.unwrap_or(alpha), depth);
            }
            again
        } else {
            !N::PV || count > 1
        };
        if full_null_window && !self.stopped {
            score = -self.search::<NonPv>(-alpha - 1, -alpha, depth, ply + 1, !node.cut_node);
            if again && score >= node.beta {
                self.learn_from_second_search(node);
            }
        }
        if N::PV && (count == 1 || score > alpha) && !self.stopped {
            score = -self.search::<N::Child>(-node.beta, -alpha, depth, ply + 1, false);
        }
        score
    }

    /// The best line from `ply` is `mv` and then the child's.
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move<E>) {
        let (node, below) = self.frames.split_at_mut(ply + super::BEFORE_ROOT + 1);
        if let (Some(node), Some(child)) = (node.last_mut(), below.first()) {
            node.pv.clear();
            node.pv.push(mv);
            node.pv.extend_from_slice(&child.pv);
        }
    }

    /// Step 8: stores the result and learns how wrong the evaluation was.
    fn store_result(&mut self, node: &NodeInfo<Move<E>>, best: i32, best_move: Option<Move<E>>, pv: bool) {
        let bound = if best >= node.beta {
            Bound::Lower
        } else if pv && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let finding = NodeResult {
            mv: best_move.or(node.tt.mv),
            score: best,
            raw_eval: node.raw_eval,
            depth: node.depth,
            bound,
            pv: node.tt.pv,
        };
        self.store(node.ply, finding);
        self.learn_correction(node, best, best_move, bound);
    }

    /// Stores an entry for the position on the board, which is at `ply`.
    pub(super) fn store(&mut self, ply: usize, finding: NodeResult<Move<E>>) {
        let generation = self.shared.generation();
        let entry = Entry::new::<E::Game>(finding, ply, generation);
        self.shared.table.store(self.pos.key(), entry, generation);
    }

    /// The evaluation with its correction, scaled down towards the no-progress rule.
    pub(super) fn corrected(&self, raw: i32, context: &Context) -> i32 {
        self.corrected_by(raw, self.histories.correction(&self.pos, context))
    }

    fn corrected_by(&self, raw: i32, correction: i32) -> i32 {
        let limit = i32::from(E::Game::RULE_PLIES);
        let faded = raw * (2 * limit - i32::from(self.pos.rule_counter())) / (2 * limit);
        (faded + correction).clamp(-EVAL_MAX, EVAL_MAX)
    }

    pub(super) fn histories(&self) -> &Histories<E> {
        &self.histories
    }
}
