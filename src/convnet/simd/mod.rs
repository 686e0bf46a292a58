//! The operations that an evaluation spends its time in, for every instruction set, chosen at run time.
//!
//! All kernels give the same bits. A kernel exists only where the processor can run it, so calling one is safe; the
//! choice costs one predicted branch an operation.

mod layout;
mod plain;
mod scalar;

use super::CHANNELS;
use super::grid::Grid;
use super::packed::{Convolution, Gains, Matrix, Row};
pub(super) use layout::Layout;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Scalar,
}

/// An instruction set that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Set);

/// What a convolution does with its outputs, once they are numbers of 16 bits. All that is written has places for
/// [`CHANNELS`] numbers at each place of the grid that is read.
pub(super) enum Finish<'a> {
    /// Clamps them to activations.
    Clamp { to: &'a mut [u8] },
    /// Keeps them.
    Keep { to: &'a mut [i16] },
    /// Adds them to the stream, and makes activations of it.
    Add { stream: &'a mut [i16], gains: &'a Gains, to: &'a mut [u8] },
}

impl Kernel {
    /// Plain Rust without vectors: the definition.
    pub const SCALAR: Self = Self(Set::Scalar);

    /// The fastest one.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::SCALAR)
    }

    /// All that run here, slowest first.
    pub fn available() -> Vec<Self> {
        vec![Self::SCALAR]
    }

    /// `scalar`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Set::Scalar => "scalar",
        }
    }

    /// How it reads weights.
    pub(super) const fn layout(self) -> Layout {
        match self.0 {
            Set::Scalar => Layout::Plain,
        }
    }

    /// A convolution 3×3 of the points of `grid`. What `from` has off the board is 0.
    /// # Panics
    /// When a slice does not fit the grid.
    pub(super) fn convolve(self, layer: &Convolution, grid: &Grid, from: &[u8], finish: Finish<'_>) {
        assert_eq!(from.len(), grid.places * layer.inputs);
        let fits = |places: usize| places == grid.places * CHANNELS;
        assert!(match &finish {
            Finish::Clamp { to } => fits(to.len()),
            Finish::Keep { to } => fits(to.len()),
            Finish::Add { stream, to, .. } => fits(stream.len()) && fits(to.len()),
        });
        match self.0 {
            Set::Scalar => scalar::convolve(layer, grid, from, finish),
        }
    }

    /// Each row of inputs times the matrix, rescaled to 16 bits.
    /// # Panics
    /// When there are not as many rows of outputs as of inputs.
    pub(super) fn multiply(self, matrix: &Matrix, rows: &[i16], to: &mut [i16]) {
        assert!(rows.len().is_multiple_of(matrix.inputs) && to.len().is_multiple_of(matrix.outputs));
        assert_eq!(rows.len() / matrix.inputs, to.len() / matrix.outputs);
        match self.0 {
            Set::Scalar => scalar::multiply(matrix, rows, to),
        }
    }

    /// What pooling makes of the first `to.len() / 3` channels, clamped to activations.
    pub(super) fn pool(self, grid: &Grid, from: &[i16], to: &mut [i16]) {
        match self.0 {
            Set::Scalar => plain::pool(grid, from, to),
        }
    }

    /// Activations from numbers and a bias for each channel.
    pub(super) fn clamp_sum(self, grid: &Grid, from: &[i16], bias: &[i16], to: &mut [u8]) {
        match self.0 {
            Set::Scalar => plain::clamp_sum(grid, from, bias, to),
        }
    }

    /// The activations of the board's points alone, as numbers of 16 bits.
    pub(super) fn widen(self, grid: &Grid, from: &[u8], to: &mut [i16]) {
        match self.0 {
            Set::Scalar => plain::widen(grid, from, to),
        }
    }

    /// Adds a bias to rows as long as it, and clamps them to activations.
    pub(super) fn clamp_rows(self, rows: &mut [i16], bias: &[i16]) {
        match self.0 {
            Set::Scalar => plain::clamp_rows(rows, bias),
        }
    }

    /// Each row's product with a layer of one output.
    pub(super) fn project(self, row: &Row, rows: &[i16], to: &mut [i16]) {
        match self.0 {
            Set::Scalar => plain::project(row, rows, to),
        }
    }
}
