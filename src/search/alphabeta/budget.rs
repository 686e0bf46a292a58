//! When one search thread has to stop: time and nodes, soft (between iterations) and hard (at once).

use super::Shared;
use crate::clock::manager::{Timer, Trend};
use std::sync::Arc;
use std::time::Duration;

/// The limits of one search, as numbers. `None` is no limit.
#[derive(Clone, Default)]
pub struct SearchLimits {
    /// The clock and its budget; shared with the thread that reads `ponderhit`.
    pub timer: Option<Arc<Timer>>,
    /// The whole time is for this search: an early answer saves nothing.
    pub whole_time: bool,
    /// No new iteration after this many nodes (of this thread).
    pub soft_nodes: Option<u64>,
    /// Stop at once after this many nodes (of all threads).
    pub hard_nodes: Option<u64>,
    /// Target of nodes (of all threads), as the soft time limit is one: fewer when the best move is stable.
    pub paced_nodes: Option<u64>,
    pub depth: Option<i32>,
    /// Stop when a mate in at most this many moves is found.
    pub mate: Option<i32>,
}

impl SearchLimits {
    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.timer.as_ref().map_or(Duration::ZERO, |t| t.elapsed())
    }

    /// Whether the search runs on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.timer.as_ref().is_some_and(|t| t.is_pondering())
    }

    /// Whether time or nodes that this search does not use are left for later moves.
    pub(super) fn can_save(&self) -> bool {
        let is_timed = self.timer.as_ref().is_some_and(|timer| timer.budget().is_some());
        self.paced_nodes.is_some() || (is_timed && !self.whole_time)
    }

    /// Whether the nodes are used up. Exact with one thread; looked up now and then with more.
    #[inline(always)]
    pub(super) fn hard_nodes_reached(&self, own: u64, shared: &Shared) -> bool {
        let Some(limit) = self.hard_nodes else { return false };
        if shared.nodes.len() == 1 { own >= limit } else { own & 255 == 0 && shared.total_nodes() >= limit }
    }

    /// Whether the time is used up.
    #[inline(never)]
    pub(super) fn hard_time_reached(&self) -> bool {
        self.timer.as_ref().is_some_and(|t| t.hard_reached())
    }

    /// Whether only pondering keeps the search going: it has used enough of the opponent's time.
    pub(super) fn has_pondered_enough(&self, trend: &Trend) -> bool {
        self.timer.as_ref().is_some_and(|timer| timer.is_pondering() && timer.soft_used(trend.factor()))
    }

    /// Whether another iteration should start.
    pub(super) fn another_iteration(&self, nodes: u64, shared: &Shared, trend: &Trend) -> bool {
        let nodes_left = self.soft_nodes.is_none_or(|limit| nodes < limit)
            && self.paced_nodes.is_none_or(|aim| (shared.total_nodes() as f64) < aim as f64 * trend.factor());
        nodes_left && self.timer.as_ref().is_none_or(|t| t.is_pondering() || !t.soft_reached(trend.factor()))
    }
}
