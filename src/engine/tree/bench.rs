//! A fixed amount of search: the same visits of the same positions in every run.

use super::GoEngine;
use super::options::Options;
use super::search::{Searcher, lock};
use crate::engine::Engine;
use crate::eval::go::{Mixed, bench::positions};
use crate::search::tree;
use std::time::Duration;

/// Visits of a position, unless another number is asked for.
const VISITS: u64 = 2000;

impl GoEngine {
    /// Searches every position to so many visits; the visits of all, and the time.
    pub(super) fn run_bench(&mut self, visits: Option<u32>) -> (u64, Duration) {
        self.wait();
        // The memory of the game's own search is not needed meanwhile.
        *lock(&self.searcher) = Searcher::default();
        let visits = visits.map_or(VISITS, u64::from);
        let Options { threads, hash_mib, .. } = self.options;
        let evaluator = Mixed::new(self.options.net.get().cloned(), self.options.mode(None));
        tree::bench::run(evaluator, &positions(), visits, threads, hash_mib).unwrap_or((0, Duration::ZERO))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_does_the_same_work_every_time() {
        let mut engine = GoEngine::default();
        engine.set_option("Hash", "8").unwrap();
        let (first, _) = engine.run_bench(Some(50));
        assert_eq!(engine.run_bench(Some(50)).0, first);
        assert!(first >= 4 * 50);
    }
}
