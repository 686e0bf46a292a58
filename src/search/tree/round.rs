//! What the threads of a search share: where it starts and when it ends.

use super::arena::NodeId;
use super::evaluate::Tuning;
use super::graph::Graph;
use super::gumbel::{Gumbel, Plan};
use super::tally::Tally;
use crate::clock::manager::Timer;
use crate::game::{Side, TreeGame};
use crate::search::limits::StopFlag;
use std::sync::Arc;
use std::sync::atomic::{
    AtomicU8,
    Ordering::{Acquire, Relaxed, Release},
};
use std::time::Duration;

/// What a search may look at and when it is enough.
#[derive(Clone, Debug)]
pub struct TreeLimits<M> {
    /// Visits of the root, those of earlier searches included, but at least `fresh` new ones after those.
    pub visits: Option<u64>,
    /// The least number of new visits where earlier searches made some.
    pub fresh: u64,
    /// Visits of the most visited move of the root.
    pub best_visits: Option<u64>,
    /// Moves that are forbidden near the root, or the only ones allowed there.
    pub restrictions: Vec<Restriction<M>>,
    /// Moves of the root that are not searched, each with the move that is searched in its place: its image
    /// under a symmetry of the position.
    pub images: Vec<(M, M)>,
    /// How often to report while searching.
    pub report_every: Option<Duration>,
    /// Whether to stop as soon as no other move can become the best. Analysis goes on.
    pub stop_early: bool,
    /// Report ownership after each move of the root.
    pub moves_ownership: bool,
    /// How the root spends its visits, `visits` of them; `None`: as every other
    /// node.
    pub gumbel: Option<Gumbel>,
}

impl<M: PartialEq> TreeLimits<M> {
    /// Whether `mv` is not to be searched `depth` plies below the root, where `side` is to move: a
    /// restriction forbids it, or its image is searched.
    pub(super) fn is_barred(&self, depth: usize, side: Side, mv: M) -> bool {
        let mut active =
            self.restrictions.iter().filter(|r| r.side == side && depth < r.until_depth as usize);
        active.any(|r| r.moves.contains(&mv) != r.allow)
            || depth == 0 && self.images.iter().any(|(image, _)| *image == mv)
    }

    /// Whether every move of the root is searched.
    pub(super) fn bars_nothing(&self) -> bool {
        self.restrictions.is_empty() && self.images.is_empty()
    }
}

impl<M> Default for TreeLimits<M> {
    fn default() -> Self {
        Self {
            visits: None,
            fresh: super::MIN_FRESH,
            best_visits: None,
            restrictions: Vec::new(),
            images: Vec::new(),
            report_every: None,
            stop_early: true,
            moves_ownership: false,
            gumbel: None,
        }
    }
}

/// Limits what one side may play near the root.
#[derive(Clone, PartialEq, Debug)]
pub struct Restriction<M> {
    pub side: Side,
    pub moves: Vec<M>,
    /// Whether these moves are the only ones allowed, or are forbidden.
    pub allow: bool,
    /// Number of plies from the root to which it applies (1: the root only).
    pub until_depth: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum End {
    /// It has not.
    Running = 0,
    /// Time, visits, or a stop.
    Done = 1,
    /// The memory is full: shrink the graph and go on.
    Full = 2,
}

/// One round: from the start of the search, or from the last shrinking of the graph, to the next.
pub struct Round<G: TreeGame> {
    pub(super) graph: Arc<Graph>,
    pub(super) pos: G,
    pub(super) root: NodeId,
    pub(super) tuning: Tuning,
    pub(super) stop: Arc<StopFlag>,
    pub(super) timer: Arc<Timer>,
    pub(super) params: Arc<TreeLimits<G::Move>>,
    pub(super) plan: Option<Arc<Plan>>,
    pub(super) tally: Arc<Tally>,
    pub(super) ending: Ending,
}

/// An [`End`] that threads share; at first it is [`End::Running`].
#[derive(Default)]
pub(super) struct Ending(AtomicU8);

impl<G: TreeGame> Round<G> {
    /// Ends the round for all threads. The first reason counts.
    pub(super) fn finish(&self, end: End) {
        // Release: pairs with the acquire in `end`, so that a thread that stops sees what was done before.
        let _ = self.ending.0.compare_exchange(End::Running as u8, end as u8, Release, Relaxed);
    }

    /// The end of the round, once there is one.
    #[inline]
    pub(super) fn end(&self) -> End {
        match self.ending.0.load(Acquire) {
            0 => End::Running,
            1 => End::Done,
            _ => End::Full,
        }
    }

    /// As [`TreeLimits::is_barred`].
    #[inline]
    pub(super) fn is_barred(&self, depth: usize, side: Side, mv: G::Move) -> bool {
        self.params.is_barred(depth, side, mv)
    }
}
