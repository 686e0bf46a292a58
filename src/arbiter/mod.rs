//! Matches between engines, refereed by the rules.

pub mod process; // an engine's process and its lines
pub mod stats; // Elo, likelihoods, sequential tests
pub mod time; // time controls and clocks
