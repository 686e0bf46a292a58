//! Nets that evaluate positions: a piece-square layer for each side, kept up to date move by move, and
//! an output layer chosen by the number of pieces. <https://www.chessprogramming.org/NNUE>
//!
//! Reading order: [`features`] (what a net sees), [`net`] (its numbers and its file), [`accumulator`]
//! (evaluating while moves are made and taken back), [`simd`] (the two operations, for each processor).

pub mod accumulator;
mod embedded;
pub mod features;
pub mod net;
pub mod simd;

pub use crate::util::net_error::NetError;
pub use accumulator::NnueEvaluator;
pub use embedded::embedded;
pub use features::{BoardFeatures, FeatureSet};
pub use net::Net;
