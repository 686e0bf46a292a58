//! NEON: 8 lanes.

use super::CLAMP;
use super::lanes::{Lanes, kernels};
use std::arch::aarch64::*;

#[derive(Clone, Copy)]
struct V(int16x8_t);

impl Lanes for V {
    const N: usize = 8;
    type Sum = int32x4_t;

    #[inline(always)]
    unsafe fn load(at: *const i16) -> Self {
        // SAFETY: by the contract of the trait.
        Self(unsafe { vld1q_s16(at) })
    }
    #[inline(always)]
    unsafe fn store(self, at: *mut i16) {
        // SAFETY: by the contract of the trait.
        unsafe { vst1q_s16(at, self.0) }
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: by the contract of the trait.
        Self(unsafe { vaddq_s16(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        // SAFETY: by the contract of the trait.
        Self(unsafe { vsubq_s16(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn zero() -> int32x4_t {
        // SAFETY: by the contract of the trait.
        unsafe { vdupq_n_s32(0) }
    }
    #[inline(always)]
    unsafe fn square_times(self, weights: Self, sum: int32x4_t) -> int32x4_t {
        // SAFETY: by the contract of the trait.
        unsafe {
            let v = vminq_s16(vmaxq_s16(self.0, vdupq_n_s16(0)), vdupq_n_s16(CLAMP));
            let product = vmulq_s16(v, weights.0);
            let low = vmlal_s16(sum, vget_low_s16(product), vget_low_s16(v));
            vmlal_high_s16(low, product, v)
        }
    }
    #[inline(always)]
    unsafe fn total(sum: int32x4_t) -> i64 {
        // SAFETY: by the contract of the trait.
        unsafe { vaddlvq_s32(sum) }
    }
}

kernels!(V, "neon");
