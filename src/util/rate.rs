//! Speeds.

use std::time::Duration;

/// Events a second; at least one microsecond is taken to have passed.
#[allow(clippy::arithmetic_side_effects, reason = "64 bits times a million fit into 128")]
pub fn per_second(count: u64, time: Duration) -> u64 {
    let rate = u128::from(count) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}
