//! When a search has to end.

use crate::clock::TimeControl;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A search younger than this reports nothing between iterations.
pub const PATIENCE: Duration = Duration::from_secs(3);

/// Everything a `go` command can ask for, in any mixture. The moves are still text: only the engine
/// knows how to read them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Nodes (Go: visits) of all threads together.
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// Exactly this long, less the move overhead.
    pub movetime: Option<Duration>,
    pub clock: Option<TimeControl>,
    /// What the clock was seen to charge for a move beyond the engine's own time.
    pub lag: Duration,
    pub infinite: bool,
    /// On the opponent's time: no limit counts before `ponderhit`.
    pub ponder: bool,
    /// Root moves to look at; empty means all.
    pub search_moves: Vec<String>,
    /// Root moves to leave out (UCCI `banmoves`, Leela's `avoid`).
    pub ban_moves: Vec<String>,
    /// Analysis rather than a move to play: no book move, and in Go the search continues even when the
    /// choice can no longer change.
    pub analysis: bool,
    /// The opponent offers a draw (UCCI `go draw`).
    pub draw_offered: bool,
    /// When the command arrived: the clock runs from then. `None` is now.
    pub received: Option<Instant>,
}

/// Stops every thread of a search. Set by the reader thread, read in every search node.
///
/// Relaxed: a thread that sees the flag stops, and reads nothing else because of it. What a search has found
/// is handed over by channels.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicBool);

impl StopFlag {
    pub fn set(&self) {
        self.0.store(true, Relaxed);
    }

    /// Before a new search.
    pub fn clear(&self) {
        self.0.store(false, Relaxed);
    }

    #[inline(always)]
    pub fn is_set(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// A count that one thread writes and any thread reads. Relaxed: nothing is concluded from its order with
/// anything else.
#[derive(Debug, Default)]
pub struct NodeCounter(AtomicU64);

impl NodeCounter {
    /// Counts one more. Only the owning thread calls it, so load and store need not be one step.
    #[inline(always)]
    pub fn increment(&self) {
        self.0.store(self.0.load(Relaxed) + 1, Relaxed);
    }

    /// Counts `count` more, as [`increment`](Self::increment) counts one.
    pub fn add(&self, count: u64) {
        self.0.store(self.0.load(Relaxed) + count, Relaxed);
    }

    pub fn reset(&self) {
        self.0.store(0, Relaxed);
    }

    #[inline(always)]
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}
