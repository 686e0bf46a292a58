//! A fixed amount of work, to measure speed and to notice changes of what is searched.

use super::{LeafEvaluator, SetupError, TreeLimits, TreeSearch};
use crate::clock::manager::Timer;
use crate::game::TreeGame;
use crate::search::limits::StopFlag;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Searches each of `positions`, with nothing remembered, until one move has `best_visits` visits; returns
/// the visits of all roots and the time. With one thread the number is the same on every machine, and
/// changes with nearly every change of what the search does.
pub fn run<G: TreeGame, E: LeafEvaluator<G>>(
    evaluator: E,
    positions: &[G],
    best_visits: u64,
    threads: usize,
    hash_mib: usize,
) -> Result<(u64, Duration), SetupError> {
    let mut search = TreeSearch::new(evaluator, threads, hash_mib)?;
    let start = Instant::now();
    let mut total = 0;
    for pos in positions {
        total += visits(&mut search, pos, best_visits);
    }
    Ok((total, start.elapsed()))
}

/// Searches `pos` with nothing remembered, until one move has `best_visits` visits; returns those of the
/// root.
pub fn visits<G: TreeGame, E: LeafEvaluator<G>>(
    search: &mut TreeSearch<G, E>,
    pos: &G,
    best_visits: u64,
) -> u64 {
    search.clear();
    let params = TreeLimits { best_visits: Some(best_visits), stop_early: false, ..TreeLimits::default() };
    let (stop, timer) = (Arc::new(StopFlag::default()), Arc::new(Timer::new(None)));
    search.search(pos, params, &stop, &timer, &mut |_| ()).visits
}
