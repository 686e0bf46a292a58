//! AVX2: 16 lanes.

use super::lanes::{Lanes, kernels, operations};
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(super) struct V(__m256i);

impl Lanes for V {
    const N: usize = 16;
    const IS_ROOMY: bool = false;
    type Wide = __m256i;

    operations! {
        fn load(at: *const i16) -> Self = Self(_mm256_loadu_si256(at.cast()));
        fn store(v: Self, at: *mut i16) = _mm256_storeu_si256(at.cast(), v.0);
        fn load_bytes(at: *const u8) -> Self = Self(_mm256_cvtepu8_epi16(_mm_loadu_si128(at.cast())));
        fn store_bytes(v: Self, at: *mut u8) = {
            // Packing works on halves of 128 bits: the bytes are the first 64 bits of each.
            let bytes = _mm256_packus_epi16(v.0, v.0);
            let bytes = _mm256_permute4x64_epi64::<0b1000>(bytes);
            _mm_storeu_si128(at.cast(), _mm256_castsi256_si128(bytes));
        };
        fn add(a: Self, b: Self) -> Self = Self(_mm256_add_epi16(a.0, b.0));
        fn sub(a: Self, b: Self) -> Self = Self(_mm256_sub_epi16(a.0, b.0));
        fn add_saturating(a: Self, b: Self) -> Self = Self(_mm256_adds_epi16(a.0, b.0));
        fn scale(a: Self, b: Self) -> Self = Self(_mm256_mulhrs_epi16(a.0, b.0));
        fn repeat_pair(at: *const i16) -> Self = Self(_mm256_set1_epi32(at.cast::<i32>().read_unaligned()));
        fn prefetch(at: *const i16) = _mm_prefetch::<_MM_HINT_T0>(at.cast());

        fn wide_all(n: i32) -> __m256i = _mm256_set1_epi32(n);
        fn wide_load(at: *const i32) -> __m256i = _mm256_loadu_si256(at.cast());
        fn wide_store(v: __m256i, at: *mut i32) = _mm256_storeu_si256(at.cast(), v);
        fn wide_add(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
        fn wide_sub(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi32(a, b);
        fn wide_multiply(a: __m256i, b: __m256i) -> __m256i = _mm256_mullo_epi32(a, b);
        fn dot(a: Self, b: Self, sum: __m256i) -> __m256i = _mm256_add_epi32(sum, _mm256_madd_epi16(a.0, b.0));
        fn wide_shift(v: __m256i, by: __m256i) -> __m256i = _mm256_srav_epi32(v, by);
        fn narrow(low: __m256i, high: __m256i) -> Self = Self(_mm256_packs_epi32(low, high));
    }
}

kernels!(V, "avx2");
