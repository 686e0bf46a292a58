//! AVX2: 16 lanes.

use super::CLAMP;
use super::lanes::{Lanes, kernels};
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
struct V(__m256i);

impl Lanes for V {
    const N: usize = 16;
    type Sum = __m256i;

    #[inline(always)]
    unsafe fn load(at: *const i16) -> Self {
        // SAFETY: by the contract of the trait.
        Self(unsafe { _mm256_loadu_si256(at.cast()) })
    }
    #[inline(always)]
    unsafe fn store(self, at: *mut i16) {
        // SAFETY: by the contract of the trait.
        unsafe { _mm256_storeu_si256(at.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: by the contract of the trait.
        Self(unsafe { _mm256_add_epi16(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        // SAFETY: by the contract of the trait.
        Self(unsafe { _mm256_sub_epi16(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn zero() -> __m256i {
        // SAFETY: by the contract of the trait.
        unsafe { _mm256_setzero_si256() }
    }
    #[inline(always)]
    unsafe fn square_times(self, weights: Self, sum: __m256i) -> __m256i {
        // SAFETY: by the contract of the trait.
        unsafe {
            let floor = _mm256_max_epi16(self.0, _mm256_setzero_si256());
            let v = _mm256_min_epi16(floor, _mm256_set1_epi16(CLAMP));
            let product = _mm256_mullo_epi16(v, weights.0);
            _mm256_add_epi32(sum, _mm256_madd_epi16(product, v))
        }
    }
    #[inline(always)]
    unsafe fn total(sum: __m256i) -> i64 {
        let mut lanes = [0i32; 8];
        // SAFETY: the array is as long as the vector.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sum) };
        let mut total = 0;
        for lane in lanes {
            total += i64::from(lane);
        }
        total
    }
}

kernels!(V, "avx2");
