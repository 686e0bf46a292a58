//! NEON: 8 lanes.

use super::lanes::{Lanes, kernels, operations};
use std::arch::aarch64::*;
use std::arch::asm;

#[derive(Clone, Copy)]
pub(super) struct V(int16x8_t);

impl Lanes for V {
    const N: usize = 8;
    const IS_ROOMY: bool = true;
    type Wide = int32x4_t;

    operations! {
        fn load(at: *const i16) -> Self = Self(vld1q_s16(at));
        fn store(v: Self, at: *mut i16) = vst1q_s16(at, v.0);
        fn load_bytes(at: *const u8) -> Self = Self(vreinterpretq_s16_u16(vmovl_u8(vld1_u8(at))));
        fn store_bytes(v: Self, at: *mut u8) = vst1_u8(at, vqmovun_s16(v.0));
        fn add(a: Self, b: Self) -> Self = Self(vaddq_s16(a.0, b.0));
        fn sub(a: Self, b: Self) -> Self = Self(vsubq_s16(a.0, b.0));
        fn add_saturating(a: Self, b: Self) -> Self = Self(vqaddq_s16(a.0, b.0));
        fn scale(a: Self, b: Self) -> Self = Self(vqrdmulhq_s16(a.0, b.0));
        fn repeat_pair(at: *const i16) -> Self =
            Self(vreinterpretq_s16_s32(vdupq_n_s32(at.cast::<i32>().read_unaligned())));
        fn prefetch(at: *const i16) =
            asm!("prfm pldl1keep, [{0}]", in(reg) at, options(nostack, readonly, preserves_flags));

        fn wide_all(n: i32) -> int32x4_t = vdupq_n_s32(n);
        fn wide_load(at: *const i32) -> int32x4_t = vld1q_s32(at);
        fn wide_store(v: int32x4_t, at: *mut i32) = vst1q_s32(at, v);
        fn wide_add(a: int32x4_t, b: int32x4_t) -> int32x4_t = vaddq_s32(a, b);
        fn wide_sub(a: int32x4_t, b: int32x4_t) -> int32x4_t = vsubq_s32(a, b);
        fn wide_multiply(a: int32x4_t, b: int32x4_t) -> int32x4_t = vmulq_s32(a, b);
        fn dot(a: Self, b: Self, sum: int32x4_t) -> int32x4_t = {
            let low = vmull_s16(vget_low_s16(a.0), vget_low_s16(b.0));
            vaddq_s32(sum, vpaddq_s32(low, vmull_high_s16(a.0, b.0)))
        };
        // A shift left by less than nothing is one to the right.
        fn wide_shift(v: int32x4_t, by: int32x4_t) -> int32x4_t = vshlq_s32(v, vnegq_s32(by));
        fn narrow(low: int32x4_t, high: int32x4_t) -> Self =
            Self(vcombine_s16(vqmovn_s32(low), vqmovn_s32(high)));
    }
}

kernels!(V, "neon");
