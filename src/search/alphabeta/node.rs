//! The spine of alpha-beta: one node, as numbered steps.
//! Source: <https://www.chessprogramming.org/Principal_Variation_Search>.

use super::endgames::Proof;
use super::entry::{Bound, Entry, Finding, NO_EVAL};
use super::history::Context;
use super::options::Pruning;
use super::picker::{Picker, Wanted};
use super::score::{INFINITE, MAX_PLY, NONE, is_decisive, mate_in, mated_in, won_by_rule};
use super::{Evaluator, Histories, Move, Worker};
use crate::game::{AlphaBetaGame, Game, Verdict};
use arrayvec::ArrayVec;

/// What kind of node a search call is for, known when it is compiled.
/// <https://www.chessprogramming.org/Node_Types>
pub(super) trait Node {
    /// In a principal variation: the window is open.
    const PV: bool;
    /// The root.
    const ROOT: bool;
    /// Its first child.
    type Child: Node;
}

/// The root.
pub(super) struct Root;
/// A node of a principal variation.
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
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    pub cut_node: bool,
    pub in_check: bool,
    /// The static evaluation rose over the last two plies, or four after a check.
    pub improving: bool,
    /// What the evaluation says of the position, [`NONE`] in check. The table keeps it.
    pub raw_eval: i32,
    /// The same as experience corrects it.
    pub static_eval: i32,
    /// The best guess of the score: the static evaluation, or the table's score where its bound says more.
    pub estimate: i32,
    pub tt: TableView<M>,
    pub context: Context,
}

/// What the table knows of a node.
#[derive(Clone, Copy)]
pub(super) struct TableView<M> {
    pub mv: Option<M>,
    pub score: i32,
    pub depth: i32,
    pub bound: Option<Bound>,
    pub raw_eval: Option<i32>,
    /// The node is, or ever was, in a principal variation.
    pub pv: bool,
}

impl<M> TableView<M> {
    /// The table's score where its bound tells more than `static_eval`, else that.
    #[inline(always)]
    pub fn estimate(&self, static_eval: i32) -> i32 {
        let decides = |bound: Bound| bound.decides(self.score, static_eval + 1);
        if !is_decisive(self.score) && self.bound.is_some_and(decides) { self.score } else { static_eval }
    }
}

/// Moves that were tried without a cut. Their histories fall when a later move cuts.
pub(super) type Tried<M> = ArrayVec<M, 32>;

/// Plies before the no-progress rule draws the game from which stored scores are not trusted.
const RULE_MARGIN: u16 = 10;

/// History bonus of a quiet move of the table that cuts without a search: per depth, and at most. Less than a cut by
/// search earns, because nothing new was learned.
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
        let (best, best_move) = self.search_moves::<N>(&node, excluded);
        if self.stopped {
            return 0;
        }

        // 7. No legal move: mate, stalemate, or a singular search that left out the only one.
        let Some(best) = best else {
            return match (excluded, node.in_check || E::Game::STALEMATE == Verdict::Loss) {
                (Some(_), _) => node.alpha,
                (None, true) => mated_in(ply),
                (None, false) => 0,
            };
        };

        let best = best.max(proof.alpha).min(proof.beta);

        // 8. Remember it.
        if excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            self.remember(&node, best, best_move, N::PV);
        }
        best
    }

    /// Step 1 of every node, those of quiescence too: counts it, and asks the rules for its score (`Err`) or window.
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
            Verdict::AtLeastDraw => alpha = alpha.max(0),
            Verdict::AtMostDraw => beta = beta.min(0),
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
        let (mut alpha, mut beta) = self.enter_node::<N>(alpha, beta, ply)?;
        if N::ROOT {
            return Ok((alpha, beta));
        }
        // A move that repeats is at hand. https://www.chessprogramming.org/Repetitions
        if E::Game::PLAIN_REPETITION && alpha < 0 && self.pos.upcoming_repetition(ply) {
            alpha = alpha.max(self.draw_score());
        }
        // https://www.chessprogramming.org/Mate_Distance_Pruning
        alpha = alpha.max(mated_in(ply));
        beta = beta.min(mate_in(ply + 1));
        if alpha >= beta { Err(alpha) } else { Ok((alpha, beta)) }
    }

    /// Step 2: the table's view of the position at `ply`; its move is known to be pseudo-legal.
    pub(super) fn probe(&self, ply: usize, pv: bool) -> TableView<Move<E>> {
        let nothing = TableView { mv: None, score: NONE, depth: -1, bound: None, raw_eval: None, pv };
        let Some(entry) = self.shared.table.probe(self.pos.key()) else { return nothing };
        let reserve = i32::from(E::Game::RULE_PLIES) - i32::from(self.pos.rule_counter());
        TableView {
            mv: (entry.mv != 0).then(|| E::Game::unpack(entry.mv)).filter(|&mv| self.pos.is_pseudo_legal(mv)),
            score: entry.score(ply, reserve),
            depth: i32::from(entry.depth),
            bound: Some(entry.bound()),
            raw_eval: (entry.eval != NO_EVAL).then_some(i32::from(entry.eval)),
            pv: pv || entry.was_pv(),
        }
    }

    /// Step 2: whether the stored score ends the search of this node.
    fn table_cutoff(&mut self, tt: &TableView<Move<E>>, beta: i32, depth: i32, ply: usize) -> Option<i32> {
        // Near the no-progress rule a stored score may promise what the rule takes away.
        let rule_is_far = self.pos.rule_counter() + RULE_MARGIN < E::Game::RULE_PLIES;
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
        tt: TableView<Move<E>>,
    ) -> NodeInfo<Move<E>> {
        let in_check = self.pos.in_check();
        let context = self.context(ply);
        let (mut raw_eval, mut static_eval) = (NONE, NONE);
        if !in_check {
            raw_eval = tt.raw_eval.unwrap_or_else(|| self.eval.evaluate(&self.pos));
            static_eval = self.corrected(raw_eval, &context);
        }
        self.frame(ply).static_eval = static_eval;
        let earlier = [2, 4].map(|back| if ply >= back { self.frame(ply - back).static_eval } else { NONE });
        let improving =
            !in_check && earlier.into_iter().find(|&e| e != NONE).is_some_and(|before| static_eval > before);
        let estimate = if in_check { NONE } else { tt.estimate(static_eval) };
        NodeInfo {
            ply,
            depth,
            alpha,
            beta,
            cut_node,
            in_check,
            improving,
            raw_eval,
            static_eval,
            estimate,
            tt,
            context,
        }
    }

    /// Step 6: the move loop. `None` when no move was legal.
    fn search_moves<N: Node>(
        &mut self,
        node: &NodeInfo<Move<E>>,
        excluded: Option<Move<E>>,
    ) -> (Option<i32>, Option<Move<E>>) {
        let ply = node.ply;
        let mut picker = Picker::new(node.tt.mv, Wanted::All);
        let (mut alpha, mut best, mut best_move) = (node.alpha, None::<i32>, None);
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
                if self.too_late::<N>(node, count) {
                    picker.skip_quiets();
                }
                if self.prune_move::<N>(node, mv, is_capture, count) {
                    continue;
                }
            }
            // 6b. Extend it.
            let extension = match self.extension::<N>(node, mv) {
                Ok(extension) => extension,
                // Multi-cut. The score is remembered at the node's full depth: not to store it cost 0.0005 of a game a move, see
                // docs/lab/search-numbers-150k.md.
                Err(score) => return (Some(score), None),
            };
            // 6c. Search it.
            if N::ROOT
                && let Some(tell) = &self.on_root_move
            {
                tell(mv, count + self.pv_index);
            }
            let nodes_before = self.nodes;
            let reduction = match self.options.pruning {
                Pruning::None => 0,
                _ => self.reduction::<N>(node, mv, count, is_capture, picker.score()),
            };
            self.do_move(mv, ply);
            let score =
                self.search_child::<N>(node, alpha, best, node.depth - 1 + extension, reduction, count);
            self.undo_move();
            if self.stopped {
                return (best, None);
            }
            if N::ROOT {
                self.note_root_move(mv, score, count, alpha, node.beta, self.nodes - nodes_before);
            }
            // 6d. Judge it.
            if best.is_none_or(|b| score > b) {
                best = Some(score);
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.extend_pv(ply, mv);
                    }
                    if score >= node.beta {
                        self.frame(ply).cutoffs += 1;
                        self.reward(node, mv, &quiets, &captures);
                        break;
                    }
                    alpha = score;
                }
            }
            let tried = if is_capture { &mut captures } else { &mut quiets };
            if Some(mv) != best_move && !tried.is_full() {
                tried.push(mv);
            }
        }
        (best, best_move)
    }

    /// Step 6c: null window first, wider and deeper when it fails high.
    /// <https://www.chessprogramming.org/Principal_Variation_Search>
    fn search_child<N: Node>(
        &mut self,
        node: &NodeInfo<Move<E>>,
        alpha: i32,
        best: Option<i32>,
        mut depth: i32,
        reduction: i32,
        count: usize,
    ) -> i32 {
        let ply = node.ply;
        let mut score = -INFINITE;
        let full_null_window = if reduction > 0 && count > 1 {
            let reduced = (depth - reduction).max(1).min(depth);
            score = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, ply + 1, true);
            let again = score > alpha && reduced < depth;
            if again {
                depth += Self::deeper_or_shallower(score, best.unwrap_or(alpha), depth);
            }
            again
        } else {
            !N::PV || count > 1
        };
        if full_null_window && !self.stopped {
            score = -self.search::<NonPv>(-alpha - 1, -alpha, depth, ply + 1, !node.cut_node);
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
    fn remember(&mut self, node: &NodeInfo<Move<E>>, best: i32, best_move: Option<Move<E>>, pv: bool) {
        let bound = if best >= node.beta {
            Bound::Lower
        } else if pv && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let finding = Finding {
            mv: best_move.or(node.tt.mv),
            score: best,
            raw_eval: node.raw_eval,
            depth: node.depth,
            bound,
            pv: node.tt.pv,
        };
        self.store(node.ply, finding);
        let quiet = best_move.is_none_or(|mv| !self.pos.is_capture(mv));
        // That of the frame, which a singular search corrected once more with what it learned.
        let static_eval = self.frame(node.ply).static_eval;
        if !node.in_check && quiet && !is_decisive(best) && bound.decides(best, static_eval + 1) {
            self.histories.update_correction(&self.pos, &node.context, best - static_eval, node.depth);
        }
    }

    /// Stores an entry for the position on the board, which is at `ply`.
    pub(super) fn store(&mut self, ply: usize, finding: Finding<Move<E>>) {
        let generation = self.shared.generation();
        let entry = Entry::new::<E::Game>(finding, ply, generation);
        self.shared.table.store(self.pos.key(), entry, generation);
    }

    /// The evaluation as experience corrects it, less certain the nearer the no-progress rule is.
    pub(super) fn corrected(&self, raw: i32, context: &Context) -> i32 {
        let limit = i32::from(E::Game::RULE_PLIES);
        let faded = raw * (2 * limit - i32::from(self.pos.rule_counter())) / (2 * limit);
        let corrected = faded + self.histories.correction(&self.pos, context);
        corrected.clamp(-super::score::EVAL_MAX, super::score::EVAL_MAX)
    }

    /// Learns from the move that cut, and from those tried before it.
    fn reward(&mut self, node: &NodeInfo<Move<E>>, mv: Move<E>, quiets: &[Move<E>], captures: &[Move<E>]) {
        let p = E::PARAMS;
        let bonus = (p.bonus_depth.get() * node.depth).min(p.bonus_max.get());
        let malus = (p.malus_depth.get() * node.depth).min(p.malus_max.get());
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

    /// Histories of this worker.
    pub(super) fn histories(&self) -> &Histories<E::Game> {
        &self.histories
    }
}
