//! AVX-512: 32 lanes, with VNNI's multiplication that adds up or without it.

use super::lanes::{Lanes, operations};
use std::arch::asm;
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(super) struct V<const VNNI: bool>(__m512i);

impl<const VNNI: bool> Lanes for V<VNNI> {
    const N: usize = 32;
    const IS_ROOMY: bool = true;
    type Wide = __m512i;

    operations! {
        fn load(at: *const i16) -> Self = Self(_mm512_loadu_si512(at.cast()));
        fn store(v: Self, at: *mut i16) = _mm512_storeu_si512(at.cast(), v.0);
        fn load_bytes(at: *const u8) -> Self = Self(_mm512_cvtepu8_epi16(_mm256_loadu_si256(at.cast())));
        fn store_bytes(v: Self, at: *mut u8) = {
            let floor = _mm512_max_epi16(v.0, _mm512_setzero_si512());
            _mm256_storeu_si256(at.cast(), _mm512_cvtusepi16_epi8(floor));
        };
        fn add(a: Self, b: Self) -> Self = Self(_mm512_add_epi16(a.0, b.0));
        fn sub(a: Self, b: Self) -> Self = Self(_mm512_sub_epi16(a.0, b.0));
        fn add_saturating(a: Self, b: Self) -> Self = Self(_mm512_adds_epi16(a.0, b.0));
        fn scale(a: Self, b: Self) -> Self = Self(_mm512_mulhrs_epi16(a.0, b.0));
        fn repeat_pair(at: *const i16) -> Self = Self(_mm512_set1_epi32(at.cast::<i32>().read_unaligned()));
        fn prefetch(at: *const i16) = _mm_prefetch::<_MM_HINT_T0>(at.cast());

        fn wide_all(n: i32) -> __m512i = _mm512_set1_epi32(n);
        fn wide_load(at: *const i32) -> __m512i = _mm512_loadu_si512(at.cast());
        fn wide_store(v: __m512i, at: *mut i32) = _mm512_storeu_si512(at.cast(), v);
        fn wide_add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        fn wide_sub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
        fn wide_multiply(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi32(a, b);
        fn dot(a: Self, b: Self, sum: __m512i) -> __m512i = if VNNI {
            multiply_and_add(a.0, b.0, sum)
        } else {
            _mm512_add_epi32(sum, _mm512_madd_epi16(a.0, b.0))
        };
        fn wide_shift(v: __m512i, by: __m512i) -> __m512i = _mm512_srav_epi32(v, by);
        fn narrow(low: __m512i, high: __m512i) -> Self = Self(_mm512_packs_epi32(low, high));
    }
}

/// `sum` and the products of `a` and `b`, neighboring lanes added.
#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
fn multiply_and_add(a: __m512i, b: __m512i, mut sum: __m512i) -> __m512i {
    // Of the intrinsic the compiler makes a multiplication and an addition, which have less latency together.
    // Here are enough sums to hide latency, and the addition takes a slot that others need. SAFETY: the
    // function has the feature; the instruction touches three registers and nothing else.
    unsafe {
        asm!("vpdpwssd {0}, {1}, {2}", inout(zmm_reg) sum, in(zmm_reg) a, in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags));
    }
    sum
}

pub mod base {
    super::super::lanes::kernels!(super::V<false>, "avx512f,avx512bw");
}

pub mod vnni {
    super::super::lanes::kernels!(super::V<true>, "avx512f,avx512bw,avx512vnni");
}
