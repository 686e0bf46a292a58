//! Vectors of floats. Their methods are inlined into functions that have the instruction set switched on.

/// A vector of floats.
///
/// Callers must run on a processor with the instruction set; `kernels` is only entered through functions
/// that make sure of it.
pub(super) trait Lanes: Copy {
    const N: usize;

    fn splat(x: f32) -> Self;
    /// The first `N` floats of `from`, which has at least as many.
    fn load(from: &[f32]) -> Self;
    /// Writes the first `N` floats of `to`, which has at least as many.
    fn store(self, to: &mut [f32]);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    /// `self * b + c`.
    fn mul_add(self, b: Self, c: Self) -> Self;
    fn sqrt(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// `value` where `0 < self < 1`, else 0.
    fn inside_unit(self, value: Self) -> Self;
    fn total(self) -> f32;
}

/// Eight floats in plain Rust.
#[derive(Clone, Copy)]
pub(super) struct Plain([f32; 8]);

impl Plain {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Lanes for Plain {
    const N: usize = 8;

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self([x; 8])
    }
    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        Self(std::array::from_fn(|i| from[i]))
    }
    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        to[..8].copy_from_slice(&self.0);
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        self.mul(b).add(c)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn inside_unit(self, value: Self) -> Self {
        self.zip(value, |x, value| if x > 0.0 && x < 1.0 { value } else { 0.0 })
    }
    #[inline(always)]
    fn total(self) -> f32 {
        self.0.iter().sum()
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Lanes;
    use std::arch::x86_64::*;

    macro_rules! x86_lanes {
        (
            $(#[$doc:meta])* $name:ident, $inner:ty, $n:literal, $splat:ident, $load:ident, $store:ident,
            $fma:ident, $sqrt:ident, $inside:ident, $($op:ident = $intrinsic:ident),*
        ) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub(in super::super) struct $name($inner);

            // SAFETY of every block: the trait's callers have the instruction set; loads and stores are
            // unaligned, and `[..N]` checks the length.
            impl Lanes for $name {
                const N: usize = $n;

                #[inline(always)]
                fn splat(x: f32) -> Self {
                    // SAFETY: as above.
                    Self(unsafe { $splat(x) })
                }
                #[inline(always)]
                fn load(from: &[f32]) -> Self {
                    // SAFETY: as above.
                    Self(unsafe { $load(from[..Self::N].as_ptr()) })
                }
                #[inline(always)]
                fn store(self, to: &mut [f32]) {
                    // SAFETY: as above.
                    unsafe { $store(to[..Self::N].as_mut_ptr(), self.0) }
                }
                $(
                    #[inline(always)]
                    fn $op(self, other: Self) -> Self {
                        // SAFETY: as above.
                        Self(unsafe { $intrinsic(self.0, other.0) })
                    }
                )*
                #[inline(always)]
                fn mul_add(self, b: Self, c: Self) -> Self {
                    // SAFETY: as above.
                    Self(unsafe { $fma(self.0, b.0, c.0) })
                }
                #[inline(always)]
                fn sqrt(self) -> Self {
                    // SAFETY: as above.
                    Self(unsafe { $sqrt(self.0) })
                }
                #[inline(always)]
                fn inside_unit(self, value: Self) -> Self {
                    // SAFETY: as above.
                    Self(unsafe { $inside(self.0, value.0) })
                }
                #[inline(always)]
                fn total(self) -> f32 {
                    let mut floats = [0.0; $n];
                    self.store(&mut floats);
                    // Pairwise, which is also the more exact order.
                    let mut n = $n;
                    while n > 1 {
                        n /= 2;
                        for i in 0..n {
                            floats[i] += floats[i + n];
                        }
                    }
                    floats[0]
                }
            }
        };
    }

    x86_lanes!(
        /// Eight floats; needs AVX2 and FMA.
        Avx2, __m256, 8, _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_fmadd_ps, _mm256_sqrt_ps, inside_avx2,
        add = _mm256_add_ps, sub = _mm256_sub_ps, mul = _mm256_mul_ps,
        div = _mm256_div_ps, min = _mm256_min_ps, max = _mm256_max_ps
    );
    x86_lanes!(
        /// Sixteen floats; needs AVX-512 F and DQ.
        Avx512, __m512, 16, _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_fmadd_ps, _mm512_sqrt_ps, inside_avx512,
        add = _mm512_add_ps, sub = _mm512_sub_ps, mul = _mm512_mul_ps,
        div = _mm512_div_ps, min = _mm512_min_ps, max = _mm512_max_ps
    );

    #[inline]
    #[target_feature(enable = "avx2")]
    fn inside_avx2(x: __m256, value: __m256) -> __m256 {
        let above = _mm256_cmp_ps::<_CMP_GT_OQ>(x, _mm256_setzero_ps());
        let below = _mm256_cmp_ps::<_CMP_LT_OQ>(x, _mm256_set1_ps(1.0));
        _mm256_and_ps(_mm256_and_ps(above, below), value)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    fn inside_avx512(x: __m512, value: __m512) -> __m512 {
        let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(x, _mm512_setzero_ps());
        let below = _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(above, x, _mm512_set1_ps(1.0));
        _mm512_maskz_mov_ps(below, value)
    }
}
