//! What a user may ask of a search besides when it stops: pruning, contempt, idling.

use std::time::{Duration, Instant};

/// How much of the tree is pruned. Less pruning is slower, and finds more of the moves that look bad at
/// first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Pruning {
    /// Every move is searched to the full depth.
    None,
    /// Late moves are searched less deeply.
    Small,
    /// Nodes far outside the window are cut too.
    Medium,
    /// So are late and hopeless moves.
    #[default]
    Large,
}

impl Pruning {
    /// Every degree and its name.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::None, "none"), (Self::Small, "small"), (Self::Medium, "medium"), (Self::Large, "large")];
}

/// What a user may ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchOptions {
    pub pruning: Pruning,
    /// Centipawns by which a draw is worse than an even position, for the side at the root.
    pub contempt: i32,
    /// Percent of the time that each thread leaves the processor to others; at most 90.
    pub idle: u32,
}

/// The pauses of a thread that leaves the processor to others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Idle {
    idle: u32,
    busy_since: Instant,
}

/// The longest rest, so that a resting thread notices a stop in time.
const LONGEST: Duration = Duration::from_millis(20);

impl Idle {
    /// For a search that begins now.
    pub fn new(idle: u32) -> Self {
        Self { idle: idle.min(90), busy_since: Instant::now() }
    }

    /// Sleeps as long as the work since the last time demands.
    pub fn rest(&mut self) {
        if self.idle > 0 {
            let due = self.busy_since.elapsed() * self.idle / (100 - self.idle);
            std::thread::sleep(due.min(LONGEST));
            self.busy_since = Instant::now();
        }
    }
}
