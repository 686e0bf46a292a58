//! What the threads of a search share: where it starts, when it ends, what the playouts said.

use super::arena::NodeId;
use super::evaluate::{Outcome, Tuning};
use super::graph::Graph;
use super::gumbel::{Gumbel, Plan};
use crate::clock::manager::Timer;
use crate::game::{Side, TreeGame};
use crate::search::limits::StopFlag;
use std::sync::Arc;
use std::sync::atomic::{
    AtomicI64, AtomicU8, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::time::Duration;

/// What a search may look at and when it is enough.
#[derive(Clone, Debug)]
pub struct Params<M> {
    /// Visits of the root, those of earlier searches included.
    pub visits: Option<u64>,
    /// Visits of the most visited move of the root.
    pub best_visits: Option<u64>,
    /// Moves that may not, or alone may, be played near the root.
    pub restrictions: Vec<Restriction<M>>,
    /// How often to report while searching.
    pub report_every: Option<Duration>,
    /// Whether to stop as soon as no other move can become the best. Analysis goes on.
    pub stop_early: bool,
    /// How the root spends its visits, of which `visits` says how many there are; `None`: as every other node.
    pub gumbel: Option<Gumbel>,
}

impl<M: PartialEq> Params<M> {
    /// Whether a restriction forbids `mv` to `side`, `depth` plies below the root.
    pub(super) fn is_barred(&self, depth: usize, side: Side, mv: M) -> bool {
        self.restrictions
            .iter()
            .filter(|r| r.side == side && depth < r.until_depth as usize)
            .any(|r| r.moves.contains(&mv) != r.allow)
    }
}

impl<M> Default for Params<M> {
    fn default() -> Self {
        Self {
            visits: None,
            best_visits: None,
            restrictions: Vec::new(),
            report_every: None,
            stop_early: true,
            gumbel: None,
        }
    }
}

/// Limits what one side may play near the root.
#[derive(Clone, Debug)]
pub struct Restriction<M> {
    /// Whose moves.
    pub side: Side,
    /// Which.
    pub moves: Vec<M>,
    /// Whether these moves are the only ones allowed, or are forbidden.
    pub allow: bool,
    /// In the first so many plies from the root (1: the root alone).
    pub until_depth: u32,
}

/// Why the threads went home.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum End {
    /// They have not.
    Running = 0,
    /// Time, visits, or somebody said stop.
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
    pub(super) params: Arc<Params<G::Move>>,
    pub(super) plan: Option<Arc<Plan>>,
    pub(super) tally: Arc<Tally>,
    end: AtomicU8,
}

impl<G: TreeGame> Round<G> {
    #[allow(clippy::too_many_arguments)] // one argument a field
    pub(super) fn new(
        graph: &Arc<Graph>,
        pos: &G,
        root: NodeId,
        tuning: Tuning,
        stop: &Arc<StopFlag>,
        timer: &Arc<Timer>,
        params: &Arc<Params<G::Move>>,
        plan: &Option<Arc<Plan>>,
        tally: &Arc<Tally>,
    ) -> Self {
        Self {
            graph: Arc::clone(graph),
            pos: pos.clone(),
            root,
            tuning,
            stop: Arc::clone(stop),
            timer: Arc::clone(timer),
            params: Arc::clone(params),
            plan: plan.clone(),
            tally: Arc::clone(tally),
            end: AtomicU8::new(End::Running as u8),
        }
    }

    /// Sends all threads home. The first reason counts.
    pub(super) fn finish(&self, end: End) {
        let _ = self.end.compare_exchange(End::Running as u8, end as u8, Release, Relaxed);
    }

    /// Whether, and why, to go home.
    #[inline]
    pub(super) fn end(&self) -> End {
        match self.end.load(Acquire) {
            0 => End::Running,
            1 => End::Done,
            _ => End::Full,
        }
    }

    /// Whether a restriction forbids `mv` to `side`, `depth` plies below the root.
    #[inline]
    pub(super) fn is_barred(&self, depth: usize, side: Side, mv: G::Move) -> bool {
        self.params.is_barred(depth, side, mv)
    }
}

/// Points are summed up in steps of 1/16.
const SCORE_STEPS: f32 = 16.0;
/// Ownership is summed up in steps of 1/256.
const OWNER_STEPS: f32 = 256.0;

/// What the playouts of one search said of the score and of each point, from [`Side::First`].
pub struct Tally {
    /// Visits handed out to threads, those of earlier searches included.
    tickets: AtomicU64,
    /// Playouts of this search.
    playouts: AtomicU64,
    deepest: AtomicU64,
    moves: Vec<ScoreSum>,
    ownership: Vec<AtomicI64>,
}

#[derive(Default)]
struct ScoreSum {
    count: AtomicU64,
    sum: AtomicI64,
    squares: AtomicU64,
}

/// Mean and standard deviation of the score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoreStats {
    /// How many outcomes it rests on.
    pub count: u64,
    /// Mean, in points.
    pub mean: f64,
    /// Standard deviation, in points.
    pub stdev: f64,
}

impl Tally {
    /// For a root of so many moves on a board of so many points, visited so often in earlier searches.
    pub(super) fn new(moves: usize, points: usize, visits: u64) -> Self {
        Self {
            tickets: AtomicU64::new(visits),
            playouts: AtomicU64::new(0),
            deepest: AtomicU64::new(0),
            moves: std::iter::repeat_with(ScoreSum::default).take(moves).collect(),
            ownership: std::iter::repeat_with(AtomicI64::default).take(points).collect(),
        }
    }

    /// A number for the next visit of the root, counted from 0.
    #[inline]
    pub(super) fn ticket(&self) -> u64 {
        self.tickets.fetch_add(1, Relaxed)
    }

    pub(super) fn add(&self, root_move: usize, depth: usize, outcome: &Outcome) {
        self.playouts.fetch_add(1, Relaxed);
        self.deepest.fetch_max(depth as u64, Relaxed);
        let score = (outcome.score * SCORE_STEPS) as i64;
        let slot = &self.moves[root_move];
        slot.count.fetch_add(1, Relaxed);
        slot.sum.fetch_add(score, Relaxed);
        slot.squares.fetch_add((score * score) as u64, Relaxed);
        for (sum, &owner) in self.ownership.iter().zip(&outcome.ownership) {
            // Two threads at once may lose a playout here; a sum over thousands does not notice.
            sum.store(sum.load(Relaxed) + (owner * OWNER_STEPS) as i64, Relaxed);
        }
    }

    /// Playouts of this search.
    pub(super) fn playouts(&self) -> u64 {
        self.playouts.load(Relaxed)
    }

    /// Longest path from the root.
    pub(super) fn deepest(&self) -> u64 {
        self.deepest.load(Relaxed)
    }

    /// Score after root move `i`.
    pub(super) fn score(&self, i: usize) -> ScoreStats {
        let s = &self.moves[i];
        Self::score_of(s.count.load(Relaxed), s.sum.load(Relaxed), s.squares.load(Relaxed))
    }

    /// Score over all root moves, in the proportion of their visits.
    pub(super) fn total_score(&self) -> ScoreStats {
        let (mut count, mut sum, mut squares) = (0, 0, 0);
        for s in &self.moves {
            count += s.count.load(Relaxed);
            sum += s.sum.load(Relaxed);
            squares += s.squares.load(Relaxed);
        }
        Self::score_of(count, sum, squares)
    }

    fn score_of(count: u64, sum: i64, squares: u64) -> ScoreStats {
        let n = count.max(1) as f64;
        let mean = sum as f64 / n;
        let variance = (squares as f64 / n - mean * mean).max(0.0);
        let steps = f64::from(SCORE_STEPS);
        ScoreStats { count, mean: mean / steps, stdev: variance.sqrt() / steps }
    }

    /// Mean owner of each point, -1 to 1.
    pub(super) fn ownership(&self) -> Vec<f32> {
        let n = self.playouts().max(1) as f32 * OWNER_STEPS;
        self.ownership.iter().map(|o| (o.load(Relaxed) as f32 / n).clamp(-1.0, 1.0)).collect()
    }
}
