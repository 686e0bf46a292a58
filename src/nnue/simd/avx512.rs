//! AVX-512 with VNNI: 32 lanes, and a multiplication that adds up.

use super::CLAMP;
use super::lanes::{Lanes, kernels};
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
struct V(__m512i);

impl Lanes for V {
    const N: usize = 32;
    type Sum = __m512i;

    #[inline(always)]
    unsafe fn load(at: *const i16) -> Self {
        // SAFETY: by the contract of the trait.
        Self(unsafe { _mm512_loadu_si512(at.cast()) })
    }
    #[inline(always)]
    unsafe fn store(self, at: *mut i16) {
        // SAFETY: by the contract of the trait.
        unsafe { _mm512_storeu_si512(at.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        // SAFETY: by the contract of the trait.
        Self(unsafe { _mm512_add_epi16(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        // SAFETY: by the contract of the trait.
        Self(unsafe { _mm512_sub_epi16(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn zero() -> __m512i {
        // SAFETY: by the contract of the trait.
        unsafe { _mm512_setzero_si512() }
    }
    #[inline(always)]
    unsafe fn square_times(self, weights: Self, sum: __m512i) -> __m512i {
        // SAFETY: by the contract of the trait.
        unsafe {
            let floor = _mm512_max_epi16(self.0, _mm512_setzero_si512());
            let v = _mm512_min_epi16(floor, _mm512_set1_epi16(CLAMP));
            let product = _mm512_mullo_epi16(v, weights.0);
            _mm512_dpwssd_epi32(sum, product, v)
        }
    }
    #[inline(always)]
    unsafe fn total(sum: __m512i) -> i64 {
        let mut lanes = [0i32; 16];
        // SAFETY: the array is as long as the vector.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), sum) };
        let mut total = 0;
        for lane in lanes {
            total += i64::from(lane);
        }
        total
    }
}

kernels!(V, "avx512f,avx512bw,avx512vnni");
