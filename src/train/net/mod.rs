//! The trainer for the nets of chess and xiangqi, on the processor.
//!
//! Reading order: [`data`] (records become samples), [`model`] (the net in floats, forward and backward),
//! [`fit`] (batches, optimizer), [`checkpoint`] (a training on disk), [`quantize`](mod@quantize) (floats
//! become a net file), [`curve`] (the loss as CSV and SVG), [`compare`] (two evaluations of the same
//! positions).

pub mod checkpoint;
pub mod compare;
pub mod curve;
pub mod data;
pub mod fit;
pub mod model;
pub mod quantize;

#[cfg(test)]
mod tests;
