//! The loops that all vector kernels share, over a vector of 16-bit lanes. The functions are always inlined
//! into one that has the instruction set enabled; only there do they become vector code.
//!
//! A convolution 3×3 is Winograd's F(3×3, 3×3) or F(4×4, 3×3): squares of 5×5 or 6×6 inputs become as many
//! numbers, which are multiplied by numbers made of the weights, and become squares of 3×3 or 4×4 outputs. So
//! nine outputs cost 25 multiplications instead of 81, and sixteen 36 instead of 144. With the points 0, 1,
//! −1, 2, ∞, and −2 for the larger square, the transforms have whole numbers, and what is multiplied fits in
//! 16 bits: inputs become at most 68 · 255 in size, weights at most 144 · 127.
//!
//! Sums wrap in 32 bits, and the outputs are exact all the same. F(3×3) gives 36 times the direct
//! convolution, which fits in 32 bits. F(4×4) gives 576 times it, which does not fit. But 9 has an inverse
//! modulo 2^32, and 64 times the direct convolution fits. Source: Lavin and Gray, "Fast Algorithms for
//! Convolutional Neural Networks" (2015). What was measured: docs/lab/go-net-kernels.md.
//!
//! The file is long because the transforms and the products between them rely on one layout of the working
//! memory ([`Work`]).

use super::Epilogue;
use crate::convnet::CHANNELS;
use crate::convnet::grid::{Grid, Tile};
use crate::convnet::packed::{Convolution, FoldedNorm, Matrix, Rescale};

/// Maximum number of matrix rows held in registers together.
const ROWS: usize = 6;

/// Numbers of 16 bits in a cache line.
const LINE: usize = 32;

pub struct Work {
    /// `[product][tile][channel]`: transformed inputs.
    pub inputs: *mut i16,
    /// `[product][tile][place]`, or `[row][place]`: sums. [`Layout`](super::Layout) defines a place.
    pub sums: *mut i32,
}

/// A vector of 16-bit lanes, and one of half as many 32-bit lanes.
///
/// # Safety
/// Every function needs the processor to have the instruction set; pointers must be valid for as many numbers
/// as the vector has lanes, and need no alignment.
pub trait Lanes: Copy {
    /// 16-bit lanes, at most [`OUTPUT_MULTIPLE`](crate::convnet::packed::OUTPUT_MULTIPLE).
    const N: usize;
    /// Whether registers hold the sums of [`ROWS`] rows and four vectors, else two.
    const IS_ROOMY: bool;
    /// 32-bit lanes.
    type Wide: Copy;

    unsafe fn load(at: *const i16) -> Self;
    unsafe fn store(v: Self, at: *mut i16);
    /// Bytes as numbers of 16 bits.
    unsafe fn load_bytes(at: *const u8) -> Self;
    /// Lanes clamped to 0..=255.
    unsafe fn store_bytes(v: Self, at: *mut u8);
    unsafe fn add(a: Self, b: Self) -> Self;
    unsafe fn sub(a: Self, b: Self) -> Self;
    unsafe fn add_saturating(a: Self, b: Self) -> Self;
    /// `(a · b + 2^14) >> 15`.
    unsafe fn scale(a: Self, b: Self) -> Self;
    /// Broadcasts two numbers to every pair of lanes.
    unsafe fn repeat_pair(at: *const i16) -> Self;
    /// Asks for the cache line of `at`, which may be any address.
    unsafe fn prefetch(at: *const i16);

    /// Broadcasts a number to all lanes.
    unsafe fn wide_all(n: i32) -> Self::Wide;
    unsafe fn wide_load(at: *const i32) -> Self::Wide;
    unsafe fn wide_store(v: Self::Wide, at: *mut i32);
    unsafe fn wide_add(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    unsafe fn wide_sub(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Wraps.
    unsafe fn wide_multiply(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `sum` and the products of `a` and `b`, neighboring lanes added. Wraps.
    unsafe fn dot(a: Self, b: Self, sum: Self::Wide) -> Self::Wide;
    /// Shifts lanes right by those of `by`, and rounds down.
    unsafe fn wide_shift(v: Self::Wide, by: Self::Wide) -> Self::Wide;
    /// Saturated to 16 bits. Lane `i` comes from the place that [`Layout::Vectors`](super::Layout::Vectors)
    /// gives.
    unsafe fn narrow(low: Self::Wide, high: Self::Wide) -> Self;
}

/// Defines functions of [`Lanes`], an expression each.
macro_rules! operations {
    ($(fn $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? = $body:expr;)*) => {$(
        #[inline(always)]
        unsafe fn $name($($arg: $type),*) $(-> $out)? {
            // SAFETY: by the contract of the trait.
            unsafe { $body }
        }
    )*};
}
pub(super) use operations;

/// A convolution 3×3.
///
/// # Safety
/// As `Kernel::convolve` checks. `work` holds the numbers of all tiles of the grid. The instruction set of
/// `L` is enabled.
#[inline(always)]
pub unsafe fn convolve<L: Lanes>(
    layer: &Convolution,
    grid: &Grid,
    from: &[u8],
    epilogue: Epilogue<'_>,
    work: &Work,
) {
    // SAFETY: by the contract; the side of the window belongs to the tile.
    unsafe {
        match grid.tile {
            Tile::Three => convolve_squares::<L, 3, 5>(layer, grid, from, epilogue, work),
            Tile::Four => convolve_squares::<L, 4, 6>(layer, grid, from, epilogue, work),
        }
    }
}

/// Convolves squares of `T`×`T` outputs from `W`×`W` inputs.
///
/// # Safety
/// As for [`convolve`]; `T` is the side of the grid's tile, and `W` that of its window.
#[inline(always)]
unsafe fn convolve_squares<L: Lanes, const T: usize, const W: usize>(
    layer: &Convolution,
    grid: &Grid,
    from: &[u8],
    epilogue: Epilogue<'_>,
    work: &Work,
) {
    let (columns, rows) = grid.tiles();
    let tiles = columns * rows;
    // SAFETY: by the contract; the parts of each product follow each other.
    unsafe {
        transform_inputs::<L, T, W>(grid, layer.inputs, from.as_ptr(), work.inputs);
        for product in 0..W * W {
            multiply_rows::<L>(Product {
                rows: tiles,
                inputs: layer.inputs,
                outputs: CHANNELS,
                from: work.inputs.add(product * tiles * layer.inputs),
                weights: layer.weights.as_ptr().add(product * layer.inputs * CHANNELS),
                to: work.sums.add(product * tiles * CHANNELS),
            });
        }
        let outputs = Outputs { grid, sums: work.sums, rescale: &layer.rescale };
        match epilogue {
            Epilogue::Clamp { to } => outputs.transform::<L, T, W>(&Clamp { to: to.as_mut_ptr() }),
            Epilogue::Keep { to } => outputs.transform::<L, T, W>(&Keep { to: to.as_mut_ptr() }),
            Epilogue::Add { residual, norm, to } => {
                let (residual, to) = (residual.as_mut_ptr(), to.as_mut_ptr());
                outputs.transform::<L, T, W>(&Add { residual, norm, to });
            }
        }
    }
}

/// Each row of inputs times the matrix, rescaled to 16 bits.
///
/// # Safety
/// As `Kernel::multiply` checks. `work` holds the sums of all rows. The instruction set of `L` is enabled.
#[inline(always)]
pub unsafe fn multiply<L: Lanes>(matrix: &Matrix, rows: &[i16], to: &mut [i16], work: &Work) {
    let Matrix { inputs, outputs, weights, rescale } = matrix;
    let (inputs, outputs, rows, from) = (*inputs, *outputs, rows.len() / inputs, rows.as_ptr());
    // SAFETY: by the contract.
    unsafe {
        multiply_rows::<L>(Product { rows, inputs, outputs, from, weights: weights.as_ptr(), to: work.sums });
        for row in 0..rows {
            for output in (0..outputs).step_by(L::N) {
                let sums = work.sums.add(row * outputs + output);
                let low = L::wide_load(sums);
                let high = L::wide_load(sums.add(L::N / 2));
                let scale = Scale::<L>::load(rescale, output);
                L::store(scale.apply(low, high), to.as_mut_ptr().add(row * outputs + output));
            }
        }
    }
}

/// `to[row][place] = from[row] · weights[place]`, in 32 bits.
struct Product {
    rows: usize,
    inputs: usize,
    outputs: usize,
    from: *const i16,
    /// `[input / 2][place][2]`.
    weights: *const i16,
    to: *mut i32,
}

/// # Safety
/// The pointers are valid for the numbers that their comments name; the instruction set of `L` is enabled.
#[inline(always)]
unsafe fn multiply_rows<L: Lanes>(product: Product) {
    let blocks = product.rows.div_ceil(ROWS);
    let mut place = 0;
    while place < product.outputs {
        let vectors = if L::IS_ROOMY && place + 2 * L::N <= product.outputs { 4 } else { 2 };
        let mut row = 0;
        for block in 1..=blocks {
            // Blocks of equal size waste no registers on a last one of a single row.
            let end = product.rows * block / blocks;
            // SAFETY: by the contract; rows and places are those of the product.
            unsafe {
                if vectors == 4 {
                    hold_rows::<L, 4>(&product, row, end - row, place);
                } else {
                    hold_rows::<L, 2>(&product, row, end - row, place);
                }
            }
            row = end;
        }
        place += vectors * L::N / 2;
    }
}

/// # Safety
/// As for [`hold`].
#[inline(always)]
unsafe fn hold_rows<L: Lanes, const C: usize>(product: &Product, row: usize, rows: usize, place: usize) {
    // SAFETY: by the contract.
    unsafe {
        match rows {
            6 => hold::<L, 6, C>(product, row, place),
            5 => hold::<L, 5, C>(product, row, place),
            4 => hold::<L, 4, C>(product, row, place),
            3 => hold::<L, 3, C>(product, row, place),
            2 => hold::<L, 2, C>(product, row, place),
            _ => hold::<L, 1, C>(product, row, place),
        }
    }
}

/// The sums of `R` rows and `C` vectors, held in registers while all inputs pass.
///
/// # Safety
/// As for [`multiply_rows`]; rows and places end within the product.
#[inline(always)]
unsafe fn hold<L: Lanes, const R: usize, const C: usize>(product: &Product, row: usize, place: usize) {
    // SAFETY: by the contract.
    unsafe {
        let &Product { inputs, outputs, .. } = product;
        let from = product.from.add(row * inputs);
        let weights = product.weights.add(2 * place);
        let to = product.to.add(row * outputs + place);
        let mut sums = [[L::wide_all(0); C]; R];
        for pair in 0..inputs / 2 {
            let weights = weights.add(2 * pair * outputs);
            let mut column = [L::load(weights); C];
            for c in 1..C {
                column[c] = L::load(weights.add(c * L::N));
            }
            // What the next product is multiplied by comes from far away: the weights of a net are larger
            // than the nearer caches. Behind the last product other weights follow, or the address means
            // nothing.
            for line in (0..C * L::N).step_by(LINE) {
                L::prefetch(weights.wrapping_add(inputs * outputs + line));
            }
            for r in 0..R {
                let input = L::repeat_pair(from.add(r * inputs + 2 * pair));
                for c in 0..C {
                    sums[r][c] = L::dot(input, column[c], sums[r][c]);
                }
            }
        }
        for r in 0..R {
            for c in 0..C {
                L::wide_store(sums[r][c], to.add(r * outputs + c * L::N / 2));
            }
        }
    }
}

/// Squares of inputs to the numbers that are multiplied.
///
/// # Safety
/// `from` is valid for the grid, `to` for all tiles; the instruction set of `L` is enabled.
#[inline(always)]
unsafe fn transform_inputs<L: Lanes, const T: usize, const W: usize>(
    grid: &Grid,
    inputs: usize,
    from: *const u8,
    to: *mut i16,
) {
    let (columns, rows) = grid.tiles();
    let tiles = columns * rows;
    // SAFETY: by the contract; a padded grid holds the inputs of all its tiles.
    unsafe {
        for tile in 0..tiles {
            let corner = tile / columns * T * grid.stride + tile % columns * T;
            for channel in (0..inputs).step_by(L::N) {
                let from = from.add(corner * inputs + channel);
                let to = to.add(tile * inputs + channel);
                let mut half = [[L::load_bytes(from); W]; W];
                for x in 0..W {
                    let mut column = [half[0][0]; W];
                    for y in 0..W {
                        column[y] = L::load_bytes(from.add((y * grid.stride + x) * inputs));
                    }
                    let column = transform_line::<L, W>(column);
                    for y in 0..W {
                        half[y][x] = column[y];
                    }
                }
                for y in 0..W {
                    let row = transform_line::<L, W>(half[y]);
                    for x in 0..W {
                        L::store(row[x], to.add((y * W + x) * tiles * inputs));
                    }
                }
            }
        }
    }
}

/// `B^T · d`. The rows for five inputs are (2 −1 −2 1 0), (0 −2 −1 1 0), (0 2 −3 1 0), (0 −1 0 1 0), (0 2 −1
/// −2 1); those for six are (4 0 −5 0 1 0), (0 −4 −4 1 1 0), (0 4 −4 −1 1 0), (0 −2 −1 2 1 0), (0 2 −1 −2 1
/// 0), (0 4 0 −5 0 1).
///
/// # Safety
/// The instruction set of `L` is enabled.
#[inline(always)]
unsafe fn transform_line<L: Lanes, const W: usize>(d: [L; W]) -> [L; W] {
    let mut out = d;
    // SAFETY: by the contract.
    unsafe {
        if W == 5 {
            let outer = L::sub(d[3], d[1]);
            let even = L::sub(d[0], d[2]);
            let inner = L::sub(d[1], d[2]);
            out[0] = L::add(twice(even), outer);
            out[1] = L::sub(outer, L::add(d[1], d[2]));
            out[2] = L::add(L::add(outer, inner), twice(inner));
            out[3] = outer;
            out[4] = L::sub(L::sub(d[4], d[2]), twice(outer));
        } else {
            let even = L::sub(d[4], d[2]);
            let odd = twice(L::sub(d[3], d[1]));
            let even_four = L::sub(d[4], twice(twice(d[2])));
            let odd_four = L::sub(d[3], twice(twice(d[1])));
            out[0] = L::add(twice(twice(L::sub(d[0], d[2]))), even);
            out[1] = L::add(even_four, odd_four);
            out[2] = L::sub(even_four, odd_four);
            out[3] = L::add(even, odd);
            out[4] = L::sub(even, odd);
            out[5] = L::sub(L::sub(d[5], d[3]), twice(odd));
        }
    }
    out
}

/// # Safety
/// The instruction set of `L` is enabled.
#[inline(always)]
unsafe fn twice<L: Lanes>(a: L) -> L {
    // SAFETY: by the contract.
    unsafe { L::add(a, a) }
}

/// Bias, shift and multiplier of as many outputs as a vector has lanes.
pub struct Scale<L: Lanes> {
    bias: [L::Wide; 2],
    shift: [L::Wide; 2],
    multiplier: L,
}

impl<L: Lanes> Scale<L> {
    /// # Safety
    /// The outputs are some of `rescale`; the instruction set of `L` is enabled.
    #[inline(always)]
    pub unsafe fn load(rescale: &Rescale, output: usize) -> Self {
        // SAFETY: by the contract.
        unsafe {
            let bias = rescale.bias.as_ptr().add(output);
            let shift = rescale.shift.as_ptr().add(output);
            Self {
                bias: [L::wide_load(bias), L::wide_load(bias.add(L::N / 2))],
                shift: [L::wide_load(shift), L::wide_load(shift.add(L::N / 2))],
                multiplier: L::load(rescale.multiplier.as_ptr().add(output)),
            }
        }
    }

    /// Sums as numbers of 16 bits.
    ///
    /// # Safety
    /// The instruction set of `L` is enabled.
    #[inline(always)]
    pub unsafe fn apply(&self, low: L::Wide, high: L::Wide) -> L {
        // SAFETY: by the contract.
        unsafe {
            let low = L::wide_shift(L::wide_add(low, self.bias[0]), self.shift[0]);
            let high = L::wide_shift(L::wide_add(high, self.bias[1]), self.shift[1]);
            L::scale(L::narrow(low, high), self.multiplier)
        }
    }
}

/// Sums `[product][tile][place]` of a convolution.
struct Outputs<'a> {
    grid: &'a Grid,
    sums: *const i32,
    rescale: &'a Rescale,
}

impl Outputs<'_> {
    /// Sums to squares of outputs, which `outlet` takes.
    ///
    /// # Safety
    /// The sums are those of the grid, and `outlet` has room for it; the instruction set of `L` is enabled.
    #[inline(always)]
    unsafe fn transform<L: Lanes, const T: usize, const W: usize>(&self, outlet: &impl Outlet<L>) {
        let grid = self.grid;
        let (columns, rows) = grid.tiles();
        let tiles = columns * rows;
        // SAFETY: by the contract; outputs off the board are dropped.
        unsafe {
            for channel in (0..CHANNELS).step_by(L::N) {
                let scale = Scale::<L>::load(self.rescale, channel);
                let channels = outlet.channels(channel);
                for tile in 0..tiles {
                    let (y, x) = (tile / columns * T, tile % columns * T);
                    let sums = self.sums.add(tile * CHANNELS + channel);
                    let low = square_of_outputs::<L, T, W>(sums, tiles * CHANNELS);
                    let high = square_of_outputs::<L, T, W>(sums.add(L::N / 2), tiles * CHANNELS);
                    let height = T.min(grid.height - y);
                    let width = T.min(grid.width - x);
                    for dy in 0..T {
                        for dx in 0..T {
                            if dy < height && dx < width {
                                let at = grid.at(y + dy, x + dx) * CHANNELS + channel;
                                outlet.put(&channels, at, scale.apply(low[dy][dx], high[dy][dx]));
                            }
                        }
                    }
                }
            }
        }
    }
}

/// 36 times the direct convolution, in one half of a vector.
///
/// # Safety
/// `sums` is valid for a vector at each product; the instruction set of `L` is enabled.
#[inline(always)]
unsafe fn square_of_outputs<L: Lanes, const T: usize, const W: usize>(
    sums: *const i32,
    stride: usize,
) -> [[L::Wide; T]; T] {
    // SAFETY: by the contract.
    unsafe {
        let zero = L::wide_all(0);
        let mut half = [[zero; W]; T];
        for x in 0..W {
            let mut column = [zero; W];
            for y in 0..W {
                column[y] = L::wide_load(sums.add((y * W + x) * stride));
            }
            let column = gather_line::<L, T, W>(column);
            for y in 0..T {
                half[y][x] = column[y];
            }
        }
        let mut square = [[zero; T]; T];
        for y in 0..T {
            square[y] = gather_line::<L, T, W>(half[y]);
        }
        if T == 4 {
            for output in square.as_flattened_mut() {
                *output = sixteenth::<L>(*output);
            }
        }
        square
    }
}

/// 36 times a number of 25 bits and a sign, from 576 times it modulo 2^32.
///
/// # Safety
/// The instruction set of `L` is enabled.
#[inline(always)]
unsafe fn sixteenth<L: Lanes>(v: L::Wide) -> L::Wide {
    const INVERSE_OF_NINE: i32 = 0x38E3_8E39;
    const { assert!(INVERSE_OF_NINE.wrapping_mul(9) == 1) };
    // SAFETY: by the contract.
    unsafe {
        // 64 times the number is exact, and 36 is 32 and 4.
        let exact = L::wide_multiply(v, L::wide_all(INVERSE_OF_NINE));
        L::wide_add(L::wide_shift(exact, L::wide_all(1)), L::wide_shift(exact, L::wide_all(4)))
    }
}

/// `A^T · m`. The rows for three outputs are (1 1 1 1 0), (0 1 −1 2 0), (0 1 1 4 1); those for four are (1 1
/// 1 1 1 0), (0 1 −1 2 −2 0), (0 1 1 4 4 0), (0 1 −1 8 −8 2).
///
/// # Safety
/// The instruction set of `L` is enabled.
#[inline(always)]
unsafe fn gather_line<L: Lanes, const T: usize, const W: usize>(m: [L::Wide; W]) -> [L::Wide; T] {
    let mut out = [m[0]; T];
    // SAFETY: by the contract.
    unsafe {
        let sum = L::wide_add(m[1], m[2]);
        let difference = L::wide_sub(m[1], m[2]);
        if T == 3 {
            let two = wide_twice::<L>(m[3]);
            out[0] = L::wide_add(L::wide_add(m[0], sum), m[3]);
            out[1] = L::wide_add(difference, two);
            out[2] = L::wide_add(L::wide_add(sum, m[4]), wide_twice::<L>(two));
        } else {
            let sum_of_two = L::wide_add(m[3], m[4]);
            let two = wide_twice::<L>(L::wide_sub(m[3], m[4]));
            out[0] = L::wide_add(L::wide_add(m[0], sum), sum_of_two);
            out[1] = L::wide_add(difference, two);
            out[2] = L::wide_add(sum, wide_twice::<L>(wide_twice::<L>(sum_of_two)));
            out[3] = L::wide_add(difference, wide_twice::<L>(L::wide_add(wide_twice::<L>(two), m[5])));
        }
    }
    out
}

/// # Safety
/// The instruction set of `L` is enabled.
#[inline(always)]
unsafe fn wide_twice<L: Lanes>(a: L::Wide) -> L::Wide {
    // SAFETY: by the contract.
    unsafe { L::wide_add(a, a) }
}

/// What becomes of outputs: [`Epilogue`] for vectors.
pub trait Outlet<L: Lanes> {
    /// What is the same at all points.
    type Channels;

    /// # Safety
    /// The channels exist; the instruction set of `L` is enabled.
    unsafe fn channels(&self, channel: usize) -> Self::Channels;

    /// # Safety
    /// There is room for a vector at `at`; the instruction set of `L` is enabled.
    unsafe fn put(&self, channels: &Self::Channels, at: usize, z: L);
}

pub struct Clamp {
    pub to: *mut u8,
}

impl<L: Lanes> Outlet<L> for Clamp {
    type Channels = ();

    #[inline(always)]
    unsafe fn channels(&self, _: usize) {}

    #[inline(always)]
    unsafe fn put(&self, (): &(), at: usize, z: L) {
        // SAFETY: by the contract.
        unsafe { L::store_bytes(z, self.to.add(at)) }
    }
}

pub struct Keep {
    pub to: *mut i16,
}

impl<L: Lanes> Outlet<L> for Keep {
    type Channels = ();

    #[inline(always)]
    unsafe fn channels(&self, _: usize) {}

    #[inline(always)]
    unsafe fn put(&self, (): &(), at: usize, z: L) {
        // SAFETY: by the contract.
        unsafe { L::store(z, self.to.add(at)) }
    }
}

pub struct Add<'a> {
    pub residual: *mut i16,
    pub norm: &'a FoldedNorm,
    pub to: *mut u8,
}

impl<L: Lanes> Outlet<L> for Add<'_> {
    type Channels = (L, L);

    #[inline(always)]
    unsafe fn channels(&self, channel: usize) -> (L, L) {
        let FoldedNorm { gain, offset } = self.norm;
        // SAFETY: by the contract.
        unsafe { (L::load(gain.as_ptr().add(channel)), L::load(offset.as_ptr().add(channel))) }
    }

    #[inline(always)]
    unsafe fn put(&self, &(gain, offset): &(L, L), at: usize, z: L) {
        // SAFETY: by the contract.
        unsafe {
            let residual = self.residual.add(at);
            let x = L::add_saturating(L::load(residual), z);
            L::store(x, residual);
            L::store_bytes(L::add_saturating(L::scale(x, gain), offset), self.to.add(at));
        }
    }
}

/// Defines the operations of an instruction set: the loops above over its vector, and the plain loops, with
/// its features enabled.
macro_rules! kernels {
    ($vector:ty, $features:literal) => {
        /// # Safety
        /// As for `lanes::convolve`; the processor has the features.
        #[target_feature(enable = $features)]
        pub unsafe fn convolve(
            layer: &$crate::convnet::packed::Convolution,
            grid: &$crate::convnet::grid::Grid,
            from: &[u8],
            epilogue: $crate::convnet::simd::Epilogue<'_>,
            work: &$crate::convnet::simd::lanes::Work,
        ) {
            // SAFETY: by the contract.
            unsafe { $crate::convnet::simd::lanes::convolve::<$vector>(layer, grid, from, epilogue, work) }
        }

        /// # Safety
        /// As for `lanes::multiply`; the processor has the features.
        #[target_feature(enable = $features)]
        pub unsafe fn multiply(
            matrix: &$crate::convnet::packed::Matrix,
            rows: &[i16],
            to: &mut [i16],
            work: &$crate::convnet::simd::lanes::Work,
        ) {
            // SAFETY: by the contract.
            unsafe { $crate::convnet::simd::lanes::multiply::<$vector>(matrix, rows, to, work) }
        }

        $crate::convnet::simd::lanes::kernels! { plain $features
            fn pool(grid: &$crate::convnet::grid::Grid, from: &[i16], to: &mut [i16]);
            fn clamp_sum(grid: &$crate::convnet::grid::Grid, from: &[i16], bias: &[i16], to: &mut [u8]);
            fn upcast(grid: &$crate::convnet::grid::Grid, from: &[u8], to: &mut [i16]);
            fn clamp_rows(rows: &mut [i16], bias: &[i16]);
            fn conv1x1(layer: &$crate::convnet::packed::Row, rows: &[i16], to: &mut [i16]);
        }
    };
    (plain $features:literal $(fn $name:ident($($arg:ident: $type:ty),*);)*) => {$(
        /// The plain loops, compiled for the instruction set.
        #[target_feature(enable = $features)]
        pub fn $name($($arg: $type),*) {
            $crate::convnet::simd::plain::$name($($arg),*);
        }
    )*};
}
pub(super) use kernels;
