//! The results of a search's playouts, summed over threads.

use super::evaluate::LeafOutcome;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// Points are summed up in steps of 1/16.
const SCORE_STEPS: f32 = 16.0;
/// Ownership is summed up in steps of 1/256.
const OWNER_STEPS: f32 = 256.0;

/// The score and the owner of each point by the playouts of one search, from
/// [`Side::First`](crate::game::Side::First).
pub(super) struct Tally {
    /// Visits handed out to threads, those of earlier searches included.
    tickets: AtomicU64,
    playouts: AtomicU64,
    /// Playouts of earlier searches of the root, whose outcomes are in the sums.
    earlier: u64,
    deepest: AtomicU64,
    moves: Vec<ScoreSum>,
    ownership: Vec<AtomicI64>,
    /// Ownership sums after each root move, one move after the other; empty unless asked for.
    moves_ownership: Vec<AtomicI64>,
}

#[derive(Default)]
struct ScoreSum {
    count: AtomicU64,
    sum: AtomicI64,
    squares: AtomicU64,
}

/// Mean of the score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoreStats {
    /// How many outcomes it rests on.
    pub count: u64,
    pub mean: f64,
    /// Standard error of the mean, in points.
    pub error: f64,
}

impl Tally {
    /// For a root with `moves` moves on a board of `points` points, with `visits` visits by earlier searches.
    /// Whose each point is after each move costs memory and time:
    /// [`with_moves_ownership`](Self::with_moves_ownership) sums it up.
    pub(super) fn new(moves: usize, points: usize, visits: u64) -> Self {
        Self {
            tickets: AtomicU64::new(visits),
            playouts: AtomicU64::new(0),
            earlier: 0,
            deepest: AtomicU64::new(0),
            moves: std::iter::repeat_with(ScoreSum::default).take(moves).collect(),
            ownership: std::iter::repeat_with(AtomicI64::default).take(points).collect(),
            moves_ownership: Vec::new(),
        }
    }

    /// Sums up whose each point is after each root move, too.
    pub(super) fn with_moves_ownership(self) -> Self {
        let count = self.moves.len().saturating_mul(self.ownership.len());
        Self { moves_ownership: std::iter::repeat_with(AtomicI64::default).take(count).collect(), ..self }
    }

    /// Goes on from the outcomes of an earlier search of the same root, if that has summed up the same.
    pub(super) fn continuing(mut self, earlier: &Self) -> Self {
        let lengths = |tally: &Self| (tally.moves.len(), tally.moves_ownership.len());
        if lengths(&self) != lengths(earlier) {
            return self;
        }
        let copy = |sums: &[AtomicI64]| sums.iter().map(|sum| sum.load(Relaxed).into()).collect();
        for (sum, before) in self.moves.iter_mut().zip(&earlier.moves) {
            sum.count = before.count.load(Relaxed).into();
            sum.sum = before.sum.load(Relaxed).into();
            sum.squares = before.squares.load(Relaxed).into();
        }
        self.ownership = copy(&earlier.ownership);
        self.moves_ownership = copy(&earlier.moves_ownership);
        self.earlier = earlier.earlier + earlier.playouts();
        self
    }

    /// A number for the next visit of the root, counted from 0.
    #[inline]
    pub(super) fn ticket(&self) -> u64 {
        self.tickets.fetch_add(1, Relaxed)
    }

    pub(super) fn add(&self, root_move: usize, depth: usize, outcome: &LeafOutcome) {
        // Relaxed, like all of this tally: sums that meet in nothing. They are exact once the pool has joined
        // the threads, and a report from the midst of a search may miss the latest playouts.
        self.playouts.fetch_add(1, Relaxed);
        self.deepest.fetch_max(depth as u64, Relaxed);
        let score = (outcome.score * SCORE_STEPS) as i64;
        let slot = &self.moves[root_move];
        slot.count.fetch_add(1, Relaxed);
        slot.sum.fetch_add(score, Relaxed);
        slot.squares.fetch_add((score * score) as u64, Relaxed);
        add_owners(&self.ownership, &outcome.ownership);
        add_owners(self.owners_after(root_move), &outcome.ownership);
    }

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
        ScoreStats { count, mean: mean / steps, error: (variance / n).sqrt() / steps }
    }

    /// The sums of root move `i`; none unless asked for.
    fn owners_after(&self, i: usize) -> &[AtomicI64] {
        let points = self.ownership.len();
        self.moves_ownership.get(i * points..(i + 1) * points).unwrap_or_default()
    }

    /// Mean owner of each point after root move `i`, -1 to 1. Empty unless asked for, and for a move that
    /// no search of this root has played.
    pub(super) fn ownership_after(&self, i: usize) -> Vec<f32> {
        match self.moves[i].count.load(Relaxed) {
            0 => Vec::new(),
            count => mean_owners(self.owners_after(i), count),
        }
    }

    /// Mean owner of each point, -1 to 1.
    pub(super) fn ownership(&self) -> Vec<f32> {
        mean_owners(&self.ownership, self.earlier + self.playouts())
    }
}

/// Adds whose the points were at the end of a playout.
fn add_owners(sums: &[AtomicI64], owners: &[f32]) {
    for (sum, &owner) in sums.iter().zip(owners) {
        // Two threads at once may lose a playout here; a sum over thousands does not notice.
        sum.store(sum.load(Relaxed) + (owner * OWNER_STEPS) as i64, Relaxed);
    }
}

/// Mean owner of each point over `playouts` playouts, -1 to 1.
fn mean_owners(sums: &[AtomicI64], playouts: u64) -> Vec<f32> {
    let n = playouts.max(1) as f32 * OWNER_STEPS;
    sums.iter().map(|sum| (sum.load(Relaxed) as f32 / n).clamp(-1.0, 1.0)).collect()
}
