//! Visits and the sum of their outcomes in one atomic word.
//!
//! One `fetch_add` changes both, so that no reader ever sees a visit without its outcome. A descent counts
//! its visit on the way down, as if it were lost, and adds the outcome on the way back: that is virtual
//! loss, with nothing to take back. <https://www.chessprogramming.org/Parallel_Search#ParallelMCTS>

// All accesses are relaxed: each word is complete by itself, and no other memory is reached through it.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bits of the sum; the visits stand above them.
const SUM_BITS: u32 = 37;
const SUM_MASK: u64 = (1 << SUM_BITS) - 1;

/// Outcomes are counted in steps of 1/1024.
const STEPS: u32 = 1024;

/// The word can count no more visits than this (134 million).
pub const MAX_VISITS: u32 = (1 << (64 - SUM_BITS)) - 1;

/// A search does not go on through a node with this many.
pub const FULL_VISITS: u32 = MAX_VISITS - 4096;

const _: () = assert!((MAX_VISITS as u64) << 10 <= SUM_MASK, "the largest sum fits");

/// Visits and outcomes as they were at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stat {
    pub visits: u32,
    /// Sum of the outcomes, each 0 (lost) to 1 (won).
    pub sum: f32,
}

impl Stat {
    /// Mean outcome, or `default` without visits.
    #[inline(always)]
    pub fn mean_or(self, default: f32) -> f32 {
        if self.visits == 0 { default } else { self.sum / self.visits as f32 }
    }
}

#[inline(always)]
pub fn load(word: &AtomicU64) -> Stat {
    let bits = word.load(Relaxed);
    Stat { visits: (bits >> SUM_BITS) as u32, sum: (bits & SUM_MASK) as f32 * (1.0 / STEPS as f32) }
}

/// Whether outcomes can add up to a word of these bits.
pub const fn is_sound(bits: u64) -> bool {
    bits & SUM_MASK <= (bits >> SUM_BITS) << STEPS.ilog2()
}

/// Whether no more visits should be counted. Each of a thousand threads may still count one, or four.
#[inline(always)]
pub fn is_full(word: &AtomicU64) -> bool {
    word.load(Relaxed) >> SUM_BITS >= u64::from(FULL_VISITS)
}

/// Counts a visit with outcome 0; [`add_outcome`] follows. Returns the visits before.
#[inline(always)]
pub fn add_visit(word: &AtomicU64) -> u32 {
    (word.fetch_add(1 << SUM_BITS, Relaxed) >> SUM_BITS) as u32
}

/// Adds the outcome (0 to 1) of a visit already counted.
#[inline(always)]
pub fn add_outcome(word: &AtomicU64, outcome: f32) {
    word.fetch_add(steps(outcome), Relaxed);
}

/// Counts a visit and its outcome. Two threads at once may lose one of them: used where the statistics
/// are many and each is of little weight (AMAF), because it costs a fifth of a locked addition.
#[inline(always)]
pub fn add_lossy(word: &AtomicU64, outcome: f32) {
    let bits = word.load(Relaxed);
    word.store(bits + (1 << SUM_BITS) + steps(outcome), Relaxed);
}

#[inline(always)]
fn steps(outcome: f32) -> u64 {
    debug_assert!((0.0..=1.0).contains(&outcome));
    (outcome * STEPS as f32 + 0.5) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_counts_as_lost_until_its_outcome_comes() {
        let word = AtomicU64::new(0);
        assert_eq!(load(&word).mean_or(0.3), 0.3);
        assert_eq!(add_visit(&word), 0);
        assert_eq!(load(&word), Stat { visits: 1, sum: 0.0 });
        add_outcome(&word, 0.75);
        add_lossy(&word, 0.25);
        assert_eq!(load(&word), Stat { visits: 2, sum: 1.0 });
        assert!(is_sound(0) && is_sound(2 << SUM_BITS | 2048) && !is_sound(2 << SUM_BITS | 2049));
    }

    #[test]
    fn the_fullest_word_holds_its_visits_apart_from_its_sum() {
        let word = AtomicU64::new(u64::from(MAX_VISITS - 1) << SUM_BITS | u64::from(MAX_VISITS - 1) << 10);
        add_visit(&word);
        add_outcome(&word, 1.0);
        assert_eq!(load(&word), Stat { visits: MAX_VISITS, sum: MAX_VISITS as f32 });
    }
}
