//! Iterative deepening with aspiration windows, for one or several best lines.
//! <https://www.chessprogramming.org/Iterative_Deepening>

use super::budget::SearchLimits;
use super::endgames::{EndgameTables, Ranked};
use super::entry::Bound;
use super::node::Root;
use super::options::{Idle, SearchOptions};
use super::score::{EVAL_MAX, INFINITE, MATE, MAX_PLY, is_decisive, is_mate, mate_in};
use super::{Evaluator, Move, RootMove, Worker};
use crate::clock::manager::Trend;
use crate::game::{AlphaBetaGame, Game};
use crate::search::limits::PATIENCE;
use crate::tune::ONE;
use std::sync::Arc;

/// Scores that widen the first window by a centipawn: large ones jump more.
const WINDOW_OF_SCORE: i32 = 64;
/// Minimum depth of an aspiration window: shallow scores jump, and cost nothing.
const WINDOW_MIN_DEPTH: i32 = 4;
/// Scores beyond have no window: they soon turn into mates.
const WINDOW_MAX_SCORE: i32 = 2000;
/// Maximum plies by which an iteration that keeps failing high is reduced.
const MAX_FAIL_HIGHS: i32 = 3;
/// A mate counts as the shortest when the search went to this multiple of its length, plus this many plies.
const MATE_PROOF: i32 = 3;
const MATE_PROOF_MIN: i32 = 8;
/// Depth after which the only legal move is played at once: its score and the answer to ponder on are good
/// enough.
const FORCED_DEPTH: i32 = 8;
/// Depths that every thread searches: too cheap to share out.
const SHARED_DEPTHS: i32 = 4;

/// What a search is to do besides stopping in time.
pub struct Task<E: Evaluator> {
    pub root: E::Game,
    /// Moves to look at; all when empty.
    pub search_moves: Vec<Move<E>>,
    pub ban_moves: Vec<Move<E>>,
    pub lines: usize,
    pub limits: SearchLimits,
    pub options: SearchOptions,
    /// Endgame tables' ranks of the root moves; empty when they have none.
    pub ranked: Vec<Ranked<Move<E>>>,
    pub tables: Option<Arc<dyn EndgameTables<E::Game>>>,
    /// Called with each root move that the first thread is about to search.
    pub on_root_move: Option<OnRootMove<E>>,
}

/// Called with each root move and its number, from 1.
pub type OnRootMove<E> = Arc<dyn Fn(Move<E>, usize) + Send + Sync>;

impl<E: Evaluator> Task<E> {
    /// All moves of `root`, one line.
    pub fn new(root: E::Game, limits: SearchLimits) -> Self {
        Self {
            root,
            search_moves: Vec::new(),
            ban_moves: Vec::new(),
            lines: 1,
            limits,
            options: SearchOptions::default(),
            ranked: Vec::new(),
            tables: None,
            on_root_move: None,
        }
    }
}

impl<E: Evaluator> Worker<E> {
    /// Sets up the root. Without root moves there is nothing to search.
    pub fn prepare(&mut self, task: &Task<E>) {
        self.pos = task.root.clone();
        self.histories.begin();
        self.eval.reset(&self.pos);
        self.limits = task.limits.clone();
        (self.options, self.rests) = (task.options, Idle::new(task.options.idle));
        self.draw_values = [task.options.contempt; 2];
        self.draw_values[self.pos.side_to_move().index()] *= -1;
        let legal = self.pos.legal();
        let wanted = |mv: &Move<E>| {
            (task.search_moves.is_empty() || task.search_moves.contains(mv)) && !task.ban_moves.contains(mv)
        };
        self.is_only_move = legal.len() == 1;
        self.root_moves = legal.iter().copied().filter(wanted).map(RootMove::new).collect();
        self.is_restricted = self.root_moves.len() < legal.len();
        for ranked in &task.ranked {
            for root in self.root_moves.iter_mut().filter(|root| root.mv == ranked.mv) {
                (root.rank, root.outcome) = (ranked.rank, Some(ranked.outcome));
            }
        }
        self.root_moves.sort_by_key(|root| -root.rank);
        self.tables.clone_from(&task.tables);
        self.on_root_move = task.on_root_move.clone().filter(|_| self.index == 0);
        if cfg!(feature = "tune") {
            self.reductions = super::reductions(E::PARAMS);
        }
        (self.nodes, self.completed_depth, self.root_depth) = (0, 0, 0);
        (self.null_min_ply, self.pv_index, self.stopped) = (0, 0, false);
        self.ends_with_ponderhit = false;
        self.mate_search.begin();
        self.mate = None;
    }

    /// Searches `task` on this thread only, silently: what self-play and benchmarks do. The best line is
    /// then `root_moves[0]`; there is none when the game is over.
    pub fn search_alone(&mut self, task: &Task<E>) {
        self.shared.stop.clear();
        self.shared.begin();
        self.prepare(task);
        self.iterate(task.lines, |_, _| ());
    }

    /// Deepens until a limit is reached; the best line is then `root_moves[0]`. `report` is called with the
    /// rank, from 0, of every line that is finished, or failed low or high in a long search.
    pub fn iterate(&mut self, lines: usize, mut report: impl FnMut(&Self, usize)) {
        if self.root_moves.is_empty() {
            return;
        }
        let lines = lines.clamp(1, self.root_moves.len());
        let last = self.limits.depth.unwrap_or(MAX_PLY as i32 - 1).min(MAX_PLY as i32 - 1);
        let (mut stable, mut best, mut average) = (0, self.root_moves[0].mv, None::<i32>);
        let thread = self.index;
        for depth in (1..=last).filter(|&depth| !skips_depth(thread, depth, last)) {
            self.root_depth = depth;
            for root in &mut self.root_moves {
                root.begin_iteration();
                root.previous_pv.clone_from(&root.pv);
            }
            for line in 0..lines {
                self.pv_index = line;
                self.aspirate(depth, line, &mut report);
                self.root_moves[..=line].sort_by_key(|root| (-root.rank, -root.score));
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                self.keep_finished();
                self.prefer_mate();
                // The move that is played is that of the first line as last reported. The other lines may
                // have changed their places.
                for line in 0..lines {
                    if self.root_moves[line].score > -INFINITE {
                        self.root_moves[line].settle();
                        report(self, line);
                    }
                }
                break;
            }
            self.look_for_mate();
            self.prefer_mate();
            (0..lines).for_each(|line| report(self, line));
            self.completed_depth = depth;
            stable = if self.root_moves[0].mv == best { stable + 1 } else { 0 };
            best = self.root_moves[0].mv;
            let score = self.root_moves[0].score;
            let trend = Trend {
                best_move_nodes: self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64,
                stable_iterations: stable,
                score_drop: average.map_or(0.0, |a| f64::from(a - score)),
            };
            // The last iteration counts for a third, so that one jump does not hide the next.
            average = Some(average.map_or(score, |a| (a * 2 + score) / 3));
            if self.settled(depth, &trend) {
                break;
            }
        }
    }

    /// Looks for a mate by checks only, with its share of the nodes.
    fn look_for_mate(&mut self) {
        let share = E::PARAMS.mate_share.get() as u64;
        let is_known = self.mate.is_some() || is_mate(self.root_moves[0].score);
        // The defender could make a third occurrence of what has occurred twice.
        if share == 0 || self.index > 0 || is_known || self.pos.has_repeated() {
            return;
        }
        let before = self.mate_search.nodes();
        let line = self.mate_search.search(&mut self.pos, self.nodes * share / ONE as u64);
        let spent = self.mate_search.nodes() - before;
        self.nodes += spent;
        self.shared.nodes[self.index].add(spent);
        // A draw by the rules must not come first.
        self.mate = line.filter(|line| {
            line.len() as i32 <= self.pos.plies_left()
                && self
                    .root_moves
                    .iter()
                    .any(|root| root.mv == line[0] && root.rank == self.root_moves[0].rank)
        });
    }

    /// Puts the mate that was found by checks only before every root move that is not known to mate sooner.
    fn prefer_mate(&mut self) {
        let Some(line) = &self.mate else { return };
        let score = mate_in(line.len());
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == line[0]) else { return };
        if root.score < score || root.bound != Bound::Exact {
            (root.score, root.bound, root.is_old) = (score, Bound::Exact, false);
            root.pv.clone_from(line);
        }
        self.root_moves.sort_by_key(|root| (-root.rank, -root.score));
    }

    /// After an iteration: whether the search is over.
    fn settled(&mut self, depth: i32, trend: &Trend) -> bool {
        let score = self.root_moves[0].score;
        let mate_found = self.limits.mate.is_some_and(|n| score > MATE - 2 * n);
        // A mate is proven once the search has looked past its last move.
        let nothing_to_find = is_mate(score)
            && depth > MATE_PROOF * (MATE - score.abs()) + MATE_PROOF_MIN
            && self.limits.mate.is_none();
        let can_save = self.limits.can_save();
        let only_move = can_save && self.is_only_move && depth >= FORCED_DEPTH;
        let is_pondering = self.limits.is_pondering();
        self.ends_with_ponderhit = is_pondering && (only_move || self.limits.has_pondered_enough(trend));
        let forced = only_move && !is_pondering;
        mate_found
            || forced
            || ((nothing_to_find || self.mate.is_some()) && can_save)
            || (self.index == 0 && !self.limits.another_iteration(self.nodes, &self.shared, trend))
    }

    /// One iteration of one line: a window around the mean of the last two scores, widened where it fails.
    /// <https://www.chessprogramming.org/Aspiration_Windows>
    fn aspirate(&mut self, depth: i32, line: usize, report: &mut impl FnMut(&Self, usize)) {
        let previous = self.root_moves[line].mean;
        let mut delta = E::PARAMS.aspiration.get() + previous.abs() / WINDOW_OF_SCORE;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= WINDOW_MIN_DEPTH && previous.abs() < WINDOW_MAX_SCORE {
            (alpha, beta) = (previous - delta, previous + delta);
        }
        let mut reduction = 0;
        loop {
            self.seldepth = 0;
            let score = self.search::<Root>(alpha, beta, (depth - reduction).max(1), 0, false);
            self.root_moves[line..].sort_by_key(|root| (-root.rank, -root.score, -root.previous));
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                reduction = 0;
            } else if score >= beta {
                beta = (score + delta).min(INFINITE);
                reduction = (reduction + 1).min(MAX_FAIL_HIGHS);
            } else {
                return;
            }
            if self.limits.elapsed() >= PATIENCE {
                report(self, line);
            }
            delta += E::PARAMS.window_growth.of(delta);
            if is_decisive(score) {
                (alpha, beta) = if score > 0 { (alpha, INFINITE) } else { (-INFINITE, beta) };
            }
        }
    }

    /// Ends an unfinished iteration: root moves whose search was finished keep their new score, all other
    /// root moves get back the score of the last iteration.
    fn keep_finished(&mut self) {
        for root in &mut self.root_moves {
            if root.score == -INFINITE {
                root.go_back();
            }
        }
        self.root_moves[self.pv_index..].sort_by_key(|root| (-root.rank, -root.score));
    }

    /// Whether `mv` is among the root moves of the line being searched.
    pub(super) fn is_open_root_move(&self, mv: Move<E>) -> bool {
        let open = &self.root_moves[self.pv_index..];
        open.iter().any(|root| root.mv == mv && root.rank == open[0].rank)
    }

    /// Notes the score of a root move: its own if it is the first or raised alpha, else none.
    pub(super) fn note_root_move(
        &mut self,
        mv: Move<E>,
        score: i32,
        count: usize,
        alpha: i32,
        beta: i32,
        nodes: u64,
    ) {
        let child = &self.frames[super::BEFORE_ROOT + 1];
        let seldepth = self.seldepth;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if count > 1 && score <= alpha {
            root.score = -INFINITE;
            return;
        }
        (root.score, root.seldepth) = (score, seldepth);
        root.bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        if score > alpha || root.pv.len() <= 1 {
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(&child.pv);
        }
    }
}

/// Whether a thread skips `depth`. Thread 0 searches every depth. A helper skips two depths of three, so that
/// its table entries are ahead of thread 0; which depths depends on the helper.
/// <https://www.chessprogramming.org/Lazy_SMP>; two of three: docs/lab/threads.md.
fn skips_depth(thread: usize, depth: i32, last: i32) -> bool {
    let is_shared = thread == 0 || depth <= SHARED_DEPTHS || depth == last;
    !is_shared && !(depth as usize + thread - 1).is_multiple_of(3)
}

impl<M> RootMove<M> {
    /// Makes the score final. A mate is never reported from a bound: an upper bound (the opponent may mate)
    /// gives way to the last iteration, a lower bound (we may mate) becomes [`EVAL_MAX`].
    fn settle(&mut self)
    where
        M: Copy,
    {
        if is_mate(self.score) {
            match self.bound {
                Bound::Exact => (),
                Bound::Lower => self.score = EVAL_MAX * self.score.signum(),
                Bound::Upper => self.go_back(),
            }
        }
        self.bound = Bound::Exact;
    }

    /// Back to score and line of the last iteration.
    fn go_back(&mut self)
    where
        M: Copy,
    {
        if self.previous > -INFINITE {
            self.score = self.previous;
            self.pv.clone_from(&self.previous_pv);
            (self.bound, self.is_old) = (Bound::Exact, true);
        }
    }

    /// The score becomes the last iteration's.
    fn begin_iteration(&mut self) {
        let known = self.previous > -INFINITE && !is_decisive(self.previous) && !is_decisive(self.score);
        self.mean = if known { (self.previous + self.score) / 2 } else { self.score };
        (self.previous, self.score, self.is_old) = (self.score, -INFINITE, false);
    }

    /// A move of which nothing is known yet.
    pub fn new(mv: M) -> Self
    where
        M: Copy,
    {
        Self {
            mv,
            score: -INFINITE,
            bound: Bound::Exact,
            is_old: false,
            previous: -INFINITE,
            mean: -INFINITE,
            pv: vec![mv],
            previous_pv: vec![mv],
            seldepth: 0,
            nodes: 0,
            rank: 0,
            outcome: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_leave_out_two_depths_of_three() {
        assert!((1..=40).all(|depth| !skips_depth(0, depth, 40)), "the first thread searches every depth");
        for thread in 1..8 {
            assert!((1..=4).all(|depth| !skips_depth(thread, depth, 40)) && !skips_depth(thread, 40, 40));
            for depth in 5..=37 {
                let taken = (depth..depth + 3).filter(|&depth| !skips_depth(thread, depth, 99)).count();
                assert_eq!(taken, 1, "thread {thread}, depths from {depth}");
            }
        }
        let deep = |depth| (1..4).filter(|&thread| !skips_depth(thread, depth, 99)).count();
        assert!((5..=37).all(|depth| deep(depth) == 1), "three helpers share all depths");
    }
}
