//! AMX: whole tiles of bytes multiplied at once. Convolutions are direct; all else is done by AVX-512 with
//! VNNI.
//!
//! Eight registers hold tiles of 16 rows of 64 bytes. One instruction multiplies a tile of 16 places and 64
//! inputs by one of 64 inputs and 16 outputs. Few processors have it, so that the driver is written over
//! [`Tiles`]: the tests run it with registers in memory. The instructions themselves are checked against
//! those before they are used. Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume
//! 1, chapter 18.

use super::Epilogue;
use super::avx512::V;
pub use super::avx512::vnni::{clamp_rows, clamp_sum, conv1x1, multiply, pool, upcast};
use super::lanes::{Add, Clamp, Keep, Lanes, Outlet, Scale, Work};
use crate::convnet::CHANNELS;
use crate::convnet::grid::{Grid, PLACES_BEHIND};
use crate::convnet::packed::{CONVOLUTION_SCALE, Convolution};
use crate::util::system;
use once_cell::sync::Lazy;
use std::arch::asm;
use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// Rows of a tile: places of the grid, or outputs.
const ROWS: usize = 16;
/// Places whose sums are held at once.
pub const PLACES: usize = 2 * ROWS;
const _: () = assert!(PLACES <= PLACES_BEHIND);
/// Bytes of the weights of 16 outputs and as many inputs as there are channels.
const LINE: usize = 64;

type Vector = V<true>;

/// Whether the processor has the instructions, the system lets them be used, and they give what they should.
pub fn is_available() -> bool {
    static IS_AVAILABLE: Lazy<bool> = Lazy::new(|| has_instructions() && is_permitted() && is_right());
    *IS_AVAILABLE
}

/// Whether the processor and the system support tile registers and products of bytes.
fn has_instructions() -> bool {
    const TILES_AND_BYTES: u32 = 3 << 24;
    const OS_SAVES: u32 = 1 << 27;
    const TILE_STATE: u64 = 3 << 17;
    #[target_feature(enable = "xsave")]
    fn saved_state() -> u64 {
        // SAFETY: the system has enabled the instruction.
        unsafe { _xgetbv(0) }
    }
    #[allow(unused_unsafe)]
    // SAFETY: every x86-64 processor has the instruction, and the leaf is asked for only if it is there.
    let (leaves, features) = unsafe { (__cpuid(0).eax, __cpuid(1).ecx) };
    if leaves < 7 || features & OS_SAVES == 0 {
        return false;
    }
    #[allow(unused_unsafe)]
    // SAFETY: as above.
    let has_them = unsafe { __cpuid_count(7, 0) }.edx & TILES_AND_BYTES == TILES_AND_BYTES;
    // SAFETY: by the processor's flags the system saves extended states.
    has_them && unsafe { saved_state() } & TILE_STATE == TILE_STATE
}

/// Linux gives the memory that saves the tiles of a thread only to a process that asks for them.
fn is_permitted() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST_PERMISSION: i64 = 0x1023;
    const TILE_DATA: i64 = 18;
    if !system::IS_LINUX {
        return false;
    }
    let mut result = ARCH_PRCTL;
    // SAFETY: the call reads and writes no memory of this process.
    unsafe {
        asm!("syscall", inlateout("rax") result, in("rdi") REQUEST_PERMISSION, in("rsi") TILE_DATA,
            lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result == 0
}

/// Whether the registers multiply as those in memory do. The processor has the instructions, and they are
/// permitted.
fn is_right() -> bool {
    [CHANNELS / 2, CHANNELS].into_iter().all(|inputs| {
        let bytes: Vec<u8> = (0..PLACES * inputs).map(|i| (i * i * 37 + i * 11) as u8).collect();
        let weights: Vec<i8> = (0..2 * ROWS * inputs).map(|i| (i * 101 + i / 7) as i8).collect();
        let (mut found, mut expected) = (vec![0; PLACES * CHANNELS], vec![0; PLACES * CHANNELS]);
        // SAFETY: the processor has the instructions; all slices are as long as the tiles.
        unsafe {
            sum_twice(&mut Registers, inputs, &bytes, &weights, &mut found);
            sum_twice(&mut Emulated::new(), inputs, &bytes, &weights, &mut expected);
        }
        found == expected
    })
}

/// # Safety
/// `T` can be used; the slices are as long as the tiles that are read and written.
unsafe fn sum_twice<T: Tiles>(tiles: &mut T, inputs: usize, bytes: &[u8], weights: &[i8], sums: &mut [i32]) {
    // SAFETY: by the contract.
    unsafe {
        tiles.begin(inputs);
        tiles.clear();
        for _ in 0..2 {
            tiles.add(bytes.as_ptr(), weights.as_ptr(), inputs);
        }
        tiles.store(sums.as_mut_ptr());
        tiles.end();
    }
}

/// Registers that hold the sums of [`PLACES`] places and 32 outputs.
///
/// # Safety
/// Between [`begin`](Tiles::begin) and [`end`](Tiles::end) nothing else uses the registers.
pub trait Tiles {
    /// Prepares for 32 or 64 inputs.
    unsafe fn begin(&mut self, inputs: usize);
    unsafe fn clear(&mut self);
    /// Adds the products of `[place][input]` and of twice `[input / 4][output][4]`, 16 outputs each.
    unsafe fn add(&mut self, from: *const u8, weights: *const i8, inputs: usize);
    /// Stores the sums as `[place][..]`, from a place to the next as far as there are channels.
    unsafe fn store(&self, to: *mut i32);
    unsafe fn end(&mut self);
}

/// The registers of the processor: four tiles of sums, two of inputs, two of weights.
pub struct Registers;

/// What the tiles are, as the instruction that sets them up reads it.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

impl Tiles for Registers {
    #[inline(always)]
    unsafe fn begin(&mut self, inputs: usize) {
        let mut shapes =
            Shapes { palette: 1, start_row: 0, reserved: [0; 14], row_bytes: [0; 16], rows: [0; 16] };
        shapes.row_bytes[..8].fill(LINE as u16);
        shapes.rows[..8].fill(ROWS as u8);
        shapes.row_bytes[4..6].fill(inputs as u16);
        shapes.rows[6..8].fill((inputs / 4) as u8);
        // SAFETY: by the contract; the shapes are valid ones.
        unsafe { asm!("ldtilecfg [{0}]", in(reg) &raw const shapes, options(nostack, readonly)) }
    }

    #[inline(always)]
    unsafe fn clear(&mut self) {
        // SAFETY: by the contract.
        unsafe {
            asm!("tilezero tmm0", "tilezero tmm1", "tilezero tmm2", "tilezero tmm3", options(nostack, nomem));
        }
    }

    #[inline(always)]
    unsafe fn add(&mut self, from: *const u8, weights: *const i8, inputs: usize) {
        // SAFETY: by the contract.
        unsafe {
            asm!(
                "tileloadd tmm4, [{low} + {inputs}*1]",
                "tileloadd tmm6, [{first} + {line}*1]",
                "tdpbusd tmm0, tmm4, tmm6",
                "tileloadd tmm7, [{second} + {line}*1]",
                "tdpbusd tmm1, tmm4, tmm7",
                "tileloadd tmm5, [{high} + {inputs}*1]",
                "tdpbusd tmm2, tmm5, tmm6",
                "tdpbusd tmm3, tmm5, tmm7",
                low = in(reg) from,
                high = in(reg) from.add(ROWS * inputs),
                first = in(reg) weights,
                second = in(reg) weights.add(ROWS * inputs),
                inputs = in(reg) inputs,
                line = in(reg) LINE,
                options(nostack, readonly),
            );
        }
    }

    #[inline(always)]
    unsafe fn store(&self, to: *mut i32) {
        // SAFETY: by the contract.
        unsafe {
            asm!(
                "tilestored [{low} + {line}*1], tmm0",
                "tilestored [{low} + {line}*1 + 64], tmm1",
                "tilestored [{high} + {line}*1], tmm2",
                "tilestored [{high} + {line}*1 + 64], tmm3",
                low = in(reg) to,
                high = in(reg) to.add(ROWS * CHANNELS),
                line = in(reg) CHANNELS * size_of::<i32>(),
                options(nostack),
            );
        }
    }

    #[inline(always)]
    unsafe fn end(&mut self) {
        // SAFETY: by the contract. Threads without tiles are switched faster.
        unsafe { asm!("tilerelease", options(nostack, nomem)) }
    }
}

/// Registers in memory: what the instructions mean.
pub struct Emulated {
    sums: [[i32; 2 * ROWS]; PLACES],
}

impl Emulated {
    pub fn new() -> Self {
        Self { sums: [[0; 2 * ROWS]; PLACES] }
    }
}

impl Tiles for Emulated {
    unsafe fn begin(&mut self, _: usize) {}

    unsafe fn clear(&mut self) {
        *self = Self::new();
    }

    unsafe fn add(&mut self, from: *const u8, weights: *const i8, inputs: usize) {
        // SAFETY: by the contract.
        let (from, weights) = unsafe {
            (
                std::slice::from_raw_parts(from, PLACES * inputs),
                std::slice::from_raw_parts(weights, 2 * ROWS * inputs),
            )
        };
        for (sums, from) in self.sums.iter_mut().zip(from.chunks_exact(inputs)) {
            for (output, sum) in sums.iter_mut().enumerate() {
                let weights = &weights[output / ROWS * ROWS * inputs..];
                for (input, &byte) in from.iter().enumerate() {
                    let at = input / 4 * LINE + output % ROWS * 4 + input % 4;
                    *sum = sum.wrapping_add(i32::from(byte) * i32::from(weights[at]));
                }
            }
        }
    }

    unsafe fn store(&self, to: *mut i32) {
        for (place, sums) in self.sums.iter().enumerate() {
            // SAFETY: by the contract.
            unsafe { to.add(place * CHANNELS).copy_from(sums.as_ptr(), sums.len()) };
        }
    }

    unsafe fn end(&mut self) {}
}

/// A convolution 3×3.
///
/// # Safety
/// As `Kernel::convolve` checks. `work` holds the sums of [`PLACES`] places. The instructions are available.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub unsafe fn convolve(layer: &Convolution, grid: &Grid, from: &[u8], epilogue: Epilogue<'_>, work: &Work) {
    // SAFETY: by the contract.
    unsafe { convolve_by(&mut Registers, layer, grid, from, epilogue, work) }
}

/// # Safety
/// As for [`convolve`]; `tiles` can be used.
#[inline(always)]
unsafe fn convolve_by<T: Tiles>(
    tiles: &mut T,
    layer: &Convolution,
    grid: &Grid,
    from: &[u8],
    epilogue: Epilogue<'_>,
    work: &Work,
) {
    let direct = Direct { layer, grid, from: from.as_ptr(), sums: work.sums };
    // SAFETY: by the contract.
    unsafe {
        match epilogue {
            Epilogue::Clamp { to } => direct.run(tiles, &Clamp { to: to.as_mut_ptr() }),
            Epilogue::Keep { to } => direct.run(tiles, &Keep { to: to.as_mut_ptr() }),
            Epilogue::Add { residual, norm, to } => {
                let (residual, to) = (residual.as_mut_ptr(), to.as_mut_ptr());
                direct.run(tiles, &Add { residual, norm, to });
            }
        }
    }
}

/// A convolution, tap by tap.
struct Direct<'a> {
    layer: &'a Convolution,
    grid: &'a Grid,
    from: *const u8,
    /// `[place][place of a sum]`, for [`PLACES`] places.
    sums: *mut i32,
}

impl Direct<'_> {
    /// # Safety
    /// As for [`convolve`]; `tiles` can be used, and `outlet` has room for the grid.
    #[inline(always)]
    unsafe fn run<T: Tiles>(&self, tiles: &mut T, outlet: &impl Outlet<Vector>) {
        let Self { layer, grid, .. } = *self;
        let inputs = layer.inputs;
        let weights = layer.weights.as_ptr().cast::<i8>();
        let end = grid.at(grid.height - 1, grid.width);
        // SAFETY: by the contract. A padded grid goes on for as many places behind the board as are read at
        // once.
        unsafe {
            tiles.begin(inputs);
            for place in (grid.first..end).step_by(PLACES) {
                for half in 0..CHANNELS / (2 * ROWS) {
                    tiles.clear();
                    for tap in 0..9 {
                        let neighbor = place + tap / 3 * grid.stride + tap % 3 - grid.stride - 1;
                        let weights = weights.add((tap * CHANNELS + half * 2 * ROWS) * inputs);
                        tiles.add(self.from.add(neighbor * inputs), weights, inputs);
                    }
                    tiles.store(self.sums.add(half * 2 * ROWS));
                }
                self.put(place, outlet);
            }
            tiles.end();
        }
    }

    /// Gives the sums of the places from `first` on, as far as they are on the board, to `outlet`.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    #[inline(always)]
    unsafe fn put(&self, first: usize, outlet: &impl Outlet<Vector>) {
        let Self { layer, grid, .. } = *self;
        // SAFETY: by the contract.
        unsafe {
            let factor = Vector::wide_all(CONVOLUTION_SCALE);
            for channel in (0..CHANNELS).step_by(Vector::N) {
                let scale = Scale::<Vector>::load(&layer.rescale, channel);
                let channels = outlet.channels(channel);
                for i in 0..PLACES {
                    let from_first = first + i - grid.first;
                    let (row, column) = (from_first / grid.stride, from_first % grid.stride);
                    if row >= grid.height || column >= grid.width {
                        continue;
                    }
                    let sums = self.sums.add(i * CHANNELS + channel);
                    let low = Vector::wide_multiply(Vector::wide_load(sums), factor);
                    let high = Vector::wide_load(sums.add(Vector::N / 2));
                    let high = Vector::wide_multiply(high, factor);
                    outlet.put(&channels, (first + i) * CHANNELS + channel, scale.apply(low, high));
                }
            }
        }
    }
}

/// The driver with registers in memory, for processors without these instructions.
#[cfg(test)]
pub mod emulated {
    use super::*;
    pub use crate::convnet::simd::avx512::vnni::{clamp_rows, clamp_sum, conv1x1, multiply, pool, upcast};

    /// # Safety
    /// As for [`super::convolve`], but for the tiles.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub unsafe fn convolve(
        layer: &Convolution,
        grid: &Grid,
        from: &[u8],
        epilogue: Epilogue<'_>,
        work: &Work,
    ) {
        // SAFETY: by the contract.
        unsafe { convolve_by(&mut Emulated::new(), layer, grid, from, epilogue, work) }
    }
}
