//! The operations that an evaluation spends its time in, for every instruction set, chosen at run time.
//!
//! All kernels give the same bits.
#![allow(unsafe_code)]

mod lanes;
mod plain;
mod scalar;

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

use super::CHANNELS;
use super::grid::Grid;
use super::layout::Layout;
use super::packed::{Convolution, FoldedNorm, Matrix, OUTPUT_MULTIPLE, Row};
use crate::util::aligned::Aligned;
use crate::util::kernels::kernels;

kernels! { $
    Scalar = "scalar" in scalar if true;
    #[cfg(target_arch = "x86_64")]
    Avx2 = "avx2" in avx2 if is_x86_feature_detected!("avx2");
    #[cfg(target_arch = "x86_64")]
    Avx512 = "avx512" in avx512::base if has_avx512();
    // The driver of AMX without its instructions.
    #[cfg(all(test, target_arch = "x86_64"))]
    EmulatedAmx = "amx-emulated" in amx::emulated if has_vnni();
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni = "avx512-vnni" in avx512::vnni if has_vnni();
    #[cfg(target_arch = "x86_64")]
    Amx = "amx" in amx if has_vnni() && amx::is_available();
    #[cfg(target_arch = "aarch64")]
    Neon = "neon" in neon if std::arch::is_aarch64_feature_detected!("neon");
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
}

#[cfg(target_arch = "x86_64")]
fn has_vnni() -> bool {
    has_avx512() && is_x86_feature_detected!("avx512vnni")
}

/// What a convolution does with its outputs, once they are numbers of 16 bits. All that is written has places
/// for [`CHANNELS`] numbers at each place of the grid that is read.
pub(super) enum Epilogue<'a> {
    /// Clamps them to activations.
    Clamp {
        to: &'a mut [u8],
    },
    Keep {
        to: &'a mut [i16],
    },
    /// Adds them to the residual trunk, and makes activations of it.
    Add {
        residual: &'a mut [i16],
        norm: &'a FoldedNorm,
        to: &'a mut [u8],
    },
}

pub(super) struct Work {
    inputs: Aligned<i16>,
    sums: Aligned<i32>,
}

impl Work {
    /// For nothing yet.
    pub fn new() -> Self {
        Self { inputs: Aligned::zeroed(0), sums: Aligned::zeroed(0) }
    }

    /// Makes room for convolutions of `grid`, and for `sums` sums of a matrix.
    pub fn fit(&mut self, grid: &Grid, sums: usize) {
        let of_convolution = numbers(grid);
        self.inputs.resize(of_convolution);
        self.sums.resize(of_convolution.max(sums));
    }

    fn pointers(&mut self) -> lanes::Work {
        lanes::Work { inputs: self.inputs.as_mut_ptr(), sums: self.sums.as_mut_ptr() }
    }
}

/// Numbers that a convolution works with.
fn numbers(grid: &Grid) -> usize {
    let (columns, rows) = grid.tiles();
    grid.tile.products() * columns * rows * CHANNELS
}

impl Kernel {
    /// How it reads weights.
    pub(super) const fn layout(self) -> Layout {
        match self.0 {
            Set::Scalar => Layout::Plain,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => Layout::Vectors(16),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 | Set::Avx512Vnni => Layout::Vectors(32),
            #[cfg(target_arch = "x86_64")]
            Set::Amx => Layout::Tiles,
            #[cfg(all(test, target_arch = "x86_64"))]
            Set::EmulatedAmx => Layout::Tiles,
            #[cfg(target_arch = "aarch64")]
            Set::Neon => Layout::Vectors(8),
        }
    }

    /// A convolution 3×3 of the points of a padded grid. What `from` has off the board is 0. `layer` has the
    /// layout of this kernel.
    /// # Panics
    /// When a slice does not fit the grid.
    pub(super) fn convolve(
        self,
        layer: &Convolution,
        grid: &Grid,
        from: &[u8],
        epilogue: Epilogue<'_>,
        work: &mut Work,
    ) {
        assert_eq!(*grid, Grid::padded(grid.width, grid.height, grid.tile));
        assert_eq!(from.len(), grid.places * layer.inputs);
        assert_eq!(layer.weights.len(), self.layout().convolution_weights(layer.inputs, grid.tile));
        assert!(layer.inputs.is_multiple_of(self.layout().lanes()) && layer.inputs <= CHANNELS);
        let fits = |places: usize| places == grid.places * CHANNELS;
        assert!(match &epilogue {
            Epilogue::Clamp { to } => fits(to.len()),
            Epilogue::Keep { to } => fits(to.len()),
            Epilogue::Add { residual, to, .. } => fits(residual.len()) && fits(to.len()),
        });
        assert!(work.inputs.len() >= numbers(grid) && work.sums.len() >= numbers(grid));
        call!(self, convolve(layer, grid, from, epilogue, &work.pointers()));
    }

    /// Each row of inputs times the matrix, rescaled to 16 bits. The matrix has the layout of this kernel.
    /// # Panics
    /// When there are not as many rows of outputs as of inputs.
    pub(super) fn multiply(self, matrix: &Matrix, rows: &[i16], to: &mut [i16], work: &mut Work) {
        assert!(rows.len().is_multiple_of(matrix.inputs) && to.len().is_multiple_of(matrix.outputs));
        assert_eq!(rows.len() / matrix.inputs, to.len() / matrix.outputs);
        assert!(matrix.inputs.is_multiple_of(2) && matrix.outputs.is_multiple_of(OUTPUT_MULTIPLE));
        assert_eq!(matrix.weights.len(), matrix.inputs * matrix.outputs);
        assert!(work.sums.len() >= to.len());
        call!(self, multiply(matrix, rows, to, &work.pointers()));
    }

    /// What pooling makes of the first `to.len() / 3` channels, clamped to activations.
    pub(super) fn pool(self, grid: &Grid, from: &[i16], to: &mut [i16]) {
        call!(self, pool(grid, from, to));
    }

    /// Activations from numbers and a bias for each channel.
    pub(super) fn clamp_sum(self, grid: &Grid, from: &[i16], bias: &[i16], to: &mut [u8]) {
        call!(self, clamp_sum(grid, from, bias, to));
    }

    /// The activations of the board's points only, as numbers of 16 bits.
    pub(super) fn upcast(self, grid: &Grid, from: &[u8], to: &mut [i16]) {
        call!(self, upcast(grid, from, to));
    }

    /// Adds a bias to rows as long as it, and clamps them to activations.
    pub(super) fn clamp_rows(self, rows: &mut [i16], bias: &[i16]) {
        call!(self, clamp_rows(rows, bias));
    }

    /// Each row's product with a layer of one output.
    pub(super) fn conv1x1(self, row: &Row, rows: &[i16], to: &mut [i16]) {
        call!(self, conv1x1(row, rows, to));
    }
}
