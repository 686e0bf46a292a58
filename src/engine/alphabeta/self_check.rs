//! What an engine can be asked besides a move: perft, the benchmark, its table, its evaluation.

use super::report::score_of;
use super::{AlphaBeta, Eval, Position, Setup};
use crate::engine::{HashProbe, PositionSpec};
use crate::game::{AlphaBetaGame, Game, Text, perft::perft};
use crate::search::alphabeta::Evaluator;
use crate::search::alphabeta::budget::SearchLimits;
use crate::search::alphabeta::entry::{self, NO_EVAL};
use crate::search::alphabeta::iterate::Task;
use crate::search::limits::StopFlag;
use crate::util::message::Message;
use std::time::{Duration, Instant};

impl<S: Setup> AlphaBeta<S> {
    /// Perft with one line a root move, until `stop` is set.
    pub(super) fn count_leaves(&self, depth: u32, stop: &StopFlag) -> Vec<(String, u64)> {
        let mut pos = self.root.clone();
        let moves = pos.legal();
        let count = |mv| {
            let text = pos.move_text(mv, self.notation);
            pos.do_move(mv, &mut ());
            let nodes = perft_until(&mut pos, depth.saturating_sub(1), stop);
            pos.undo_move();
            (text, nodes)
        };
        if depth == 0 { Vec::new() } else { moves.into_iter().map(count).collect() }
    }

    /// What the table knows of a position.
    pub(super) fn probe_table(&self, spec: &PositionSpec) -> Result<Option<HashProbe>, Message> {
        let (pos, _, result) = self.read(spec)?;
        result?;
        let Some(entry) = self.shared.table.probe(pos.key()) else { return Ok(None) };
        let mv = Position::<S>::unpack(entry.mv);
        let known = entry.mv != 0 && pos.is_pseudo_legal(mv) && pos.is_legal(mv);
        let value = Some((score_of(entry.score(0, i32::MAX)), u32::from(entry.depth)));
        Ok(Some(HashProbe {
            best_move: known.then(|| pos.move_text(mv, spec.notation.into())),
            lower: value.filter(|_| entry.bound().is_some_and(|bound| bound != entry::Bound::Upper)),
            upper: value.filter(|_| entry.bound().is_some_and(|bound| bound != entry::Bound::Lower)),
        }))
    }

    /// Static evaluation of the root, within what an entry of the table can hold.
    pub(super) fn evaluate_root(&mut self) -> i32 {
        let mut evaluator = self.common.net.evaluation();
        evaluator.reset(&self.root);
        evaluator.evaluate(&self.root).clamp(i32::from(NO_EVAL) + 1, i32::from(i16::MAX))
    }

    /// Searches the positions of the benchmark, each as a new game, until `stop` is set.
    pub(super) fn run_bench(&mut self, depth: Option<u32>, stop: &StopFlag) -> (u64, Duration) {
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for fen in S::BENCH {
            if stop.is_set() {
                break;
            }
            self.forget(true);
            let Ok(mut root) = Position::<S>::from_fen(fen) else { continue };
            self.setup.configure(&mut root);
            let depth = i32::try_from(depth.unwrap_or(S::BENCH_DEPTH)).unwrap_or(i32::MAX);
            let bounds = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
            let task = Task::new(root, bounds);
            let start = Instant::now();
            nodes += self.search_now(task, stop);
            time += start.elapsed();
        }
        self.forget(true);
        (nodes, time)
    }

    /// Searches `task` to its end, silently.
    fn search_now(&self, task: Task<Eval<S>>, stop: &StopFlag) -> u64 {
        let running = self.launch(task, None);
        // What was set before the search cleared its own flag counts too.
        if stop.is_set() {
            self.stop.set();
        }
        running.join();
        self.shared.total_nodes()
    }
}

/// Leaves of a tree so deep are counted without a look at whether to stop: some hundredths of a second.
const UNWATCHED_PLIES: u32 = 4;

/// Perft, until `stop` is set: then it is less.
fn perft_until<G: AlphaBetaGame>(pos: &mut G, depth: u32, stop: &StopFlag) -> u64 {
    if depth <= UNWATCHED_PLIES {
        return if stop.is_set() { 0 } else { perft(pos, depth) };
    }
    let mut nodes = 0;
    for mv in pos.legal() {
        if stop.is_set() {
            break;
        }
        pos.do_move(mv, &mut ());
        nodes += perft_until(pos, depth - 1, stop);
        pos.undo_move();
    }
    nodes
}
