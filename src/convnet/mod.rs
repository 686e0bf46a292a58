//! Convolutional nets: residual blocks over the points of a board, with heads for moves, the result and
//! ownership.
//!
//! The arithmetic is whole numbers, and every processor gives the same bits. `nnue/GO-FORMAT.md` defines the
//! numbers that go in and come out, the arithmetic, and the file. This module does not know which game the
//! planes describe.
//!
//! Reading order: `parameters` (the numbers), [`mod@file`] (their bytes), `layout` and `packed` (the order in
//! which kernels read them), [`simd`] (the operations that cost time, for each instruction set), `net` (what
//! threads share), [`evaluator`] (from planes to [`ConvNetOutput`]).
//!
//! Residual blocks: He et al., "Deep Residual Learning for Image Recognition" (2015). Global pooling in
//! blocks and heads: Wu, "Accelerating Self-Play Learning in Go" (2019).

mod embedded;
pub mod evaluator;
pub mod file;
mod grid;
mod layout;
mod net;
mod output;
mod packed;
mod parameters;
pub mod server;
pub mod simd;

pub use embedded::embedded;
pub use evaluator::ConvNetEvaluator;
pub use net::ConvNet;
pub use output::ConvNetOutput;
pub use parameters::ConvNetHeader;
pub use server::Server;
pub use simd::Kernel;

/// Bytes of a point that go in.
pub const PLANES: usize = 32;
/// Numbers of the whole board that go in.
pub const GLOBALS: usize = 8;
/// Channels: numbers of a point in the residual trunk, and in the activations between two convolutions.
pub const CHANNELS: usize = 64;
/// Lengths that a side of the board may have.
pub const SIDES: std::ops::RangeInclusive<usize> = 5..=25;

/// Whether a net can evaluate a board of this size.
pub fn fits(width: usize, height: usize) -> bool {
    SIDES.contains(&width) && SIDES.contains(&height)
}

#[cfg(test)]
mod tests;
