//! A fixed amount of work, to measure speed by and to tell whether a change changes what is searched.

use super::{Evaluator, Params, SetupError, TreeSearch};
use crate::clock::manager::Timer;
use crate::game::TreeGame;
use crate::search::limits::StopFlag;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Searches each of `positions` to `visits` visits with nothing remembered; returns all visits, weighed with
/// the moves found so that the number tells searches apart, and the time.
/// # Errors
/// As [`TreeSearch::new`].
pub fn run<G: TreeGame, E: Evaluator<G>>(
    evaluator: E,
    positions: &[G],
    visits: u64,
    threads: usize,
    hash_mib: usize,
) -> Result<(u64, Duration), SetupError> {
    let mut search = TreeSearch::new(evaluator, threads, hash_mib)?;
    let start = Instant::now();
    let mut total = 0;
    for pos in positions {
        search.clear();
        let params = Params { visits: Some(visits), stop_early: false, ..Params::default() };
        let (stop, timer) = (Arc::new(StopFlag::default()), Arc::new(Timer::new(None)));
        let report = search.search(pos, params, &stop, &timer, &mut |_| ());
        total += report.visits;
    }
    Ok((total, start.elapsed()))
}
