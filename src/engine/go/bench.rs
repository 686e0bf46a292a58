//! A fixed amount of search: the same visits of the same positions in every run.

use super::GoEngine;
use super::options::Options;
use super::searcher::GoSearcher;
use crate::engine::Engine;
use crate::eval::go::{Mixed, Mode, bench::positions};
use crate::search::tree;
use crate::util::sync::lock;
use std::time::Duration;

/// Visits of a position, unless another number is asked for.
const VISITS: u64 = 2000;

/// Divisor of the visits with the net only, which is asked at every one.
const NET_ALONE: u64 = 8;

impl GoEngine {
    /// Searches every position to `visits` visits, and with the net only to fewer, for that is how games by
    /// the clock are played where the net is fast; the visits of all, and the time.
    pub(super) fn run_bench(&mut self, visits: Option<u32>) -> (u64, Duration) {
        self.wait();
        // The memory of the game's own search is not needed meanwhile.
        *lock(&self.searcher) = GoSearcher::default();
        let visits = visits.map_or(VISITS, u64::from);
        let Options { threads, hash_mib, .. } = self.options;
        let net = self.options.net.get();
        let run = |mode, visits| {
            let evaluator = Mixed::new(net.cloned(), mode);
            tree::bench::run(evaluator, &positions(), visits, threads, hash_mib).unwrap_or_default()
        };
        let mode = self.options.mode(None);
        let (mut total, mut time) = run(mode, visits);
        if net.is_some() && matches!(mode, Mode::Hybrid { .. }) {
            let (more, longer) = run(Mode::Net, (visits / NET_ALONE).max(1));
            (total, time) = (total + more, time + longer);
        }
        (total, time)
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
