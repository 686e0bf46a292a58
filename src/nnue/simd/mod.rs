//! The two operations that inference spends its time in, for every instruction set, chosen at run time.
//!
//! [`Kernel::accumulate`] adds and subtracts rows of weights; [`Kernel::dot`] is the output layer. All
//! kernels give the same bits.
#![allow(unsafe_code)]

mod lanes;
mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

use crate::util::kernels::kernels;

/// Largest value of an activation: accumulators are clamped to `0..=CLAMP`.
pub const CLAMP: i16 = 255;
/// Largest size of an output weight: a clamped activation times it fits in 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 128;
/// Accumulators have a multiple of this many lanes, whatever the kernel.
pub const LANE_MULTIPLE: usize = 32;
/// Maximum of lanes for which no kernel's 32-bit sums overflow: the narrowest keeps 16 of them.
pub const MAX_LANES: usize = 2048;

kernels! { $
    Scalar = "scalar" in scalar if true;
    #[cfg(target_arch = "x86_64")]
    Avx2 = "avx2" in avx2 if is_x86_feature_detected!("avx2");
    #[cfg(target_arch = "x86_64")]
    Avx512 = "avx512-vnni" in avx512
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vnni");
    #[cfg(target_arch = "aarch64")]
    Neon = "neon" in neon if std::arch::is_aarch64_feature_detected!("neon");
}

/// `to = from + rows[added] - rows[removed]`, lane by lane, wrapping. `to` may be `from`.
///
/// `to` and `from` are valid for `lanes` lanes, a multiple of [`LANE_MULTIPLE`], and each row for `lanes`
/// lanes from `rows + row * lanes`.
#[derive(Clone, Copy)]
struct Update<'a> {
    to: *mut i16,
    from: *const i16,
    lanes: usize,
    rows: *const i16,
    added: &'a [u32],
    removed: &'a [u32],
}

impl Kernel {
    /// `to = from + rows[added] - rows[removed]`, lane by lane, wrapping.
    /// # Panics
    /// When `to` and `from` differ in length, or a row lies outside `rows`.
    #[inline]
    pub fn accumulate(self, to: &mut [i16], from: &[i16], rows: &[i16], added: &[u32], removed: &[u32]) {
        assert_eq!(to.len(), from.len());
        check(to.len(), rows, added, removed);
        let (lanes, to) = (to.len(), to.as_mut_ptr());
        // SAFETY: the slices are equally long, and `check` saw every row inside `rows`.
        unsafe { self.update(Update { to, from: from.as_ptr(), lanes, rows: rows.as_ptr(), added, removed }) }
    }

    /// `at += rows[added] - rows[removed]`, lane by lane, wrapping.
    /// # Panics
    /// When a row lies outside `rows`.
    #[inline]
    pub fn accumulate_in_place(self, at: &mut [i16], rows: &[i16], added: &[u32], removed: &[u32]) {
        check(at.len(), rows, added, removed);
        let (lanes, to) = (at.len(), at.as_mut_ptr());
        // SAFETY: as in `accumulate`; the kernels load a lane before they store it.
        unsafe { self.update(Update { to, from: to, lanes, rows: rows.as_ptr(), added, removed }) }
    }

    /// # Safety
    /// As `update` promises.
    #[inline(always)]
    unsafe fn update(self, update: Update) {
        call!(self, accumulate(update));
    }

    /// The sum over both accumulators of `clamp(a)^2 * weight`: `weights` belong to `own`, then to `other`.
    /// # Panics
    /// When the lengths do not match. Weights beyond [`MAX_OUTPUT_WEIGHT`] give a number without meaning.
    #[inline]
    pub fn dot(self, own: &[i16], other: &[i16], weights: &[i16]) -> i64 {
        let lanes = own.len();
        assert!(lanes == other.len() && weights.len() == 2 * lanes);
        assert!(lanes.is_multiple_of(LANE_MULTIPLE) && lanes <= MAX_LANES);
        let (own, other) = (own.as_ptr(), other.as_ptr());
        let weights = weights.as_ptr();
        call!(self, dot(own, other, weights, lanes))
    }
}

#[inline(always)]
fn check(lanes: usize, rows: &[i16], added: &[u32], removed: &[u32]) {
    assert_eq!(lanes % LANE_MULTIPLE, 0);
    for &row in added.iter().chain(removed) {
        assert!((row as usize + 1) * lanes <= rows.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    /// Random lanes, one in eight an extreme.
    fn lanes(n: usize, max: i16, rng: &mut Rng) -> Vec<i16> {
        let edges = [0, 1, -1, CLAMP, CLAMP + 1, i16::MAX, i16::MIN, -CLAMP];
        let mut one = || match rng.below(8) {
            0 => rng.pick(&edges).clamp(-max, max),
            _ => (rng.below(2 * max as usize + 1) as i32 - i32::from(max)) as i16,
        };
        (0..n).map(|_| one()).collect()
    }

    #[test]
    fn every_kernel_accumulates_like_the_scalar_one() {
        let mut rng = Rng::new(1);
        // Miri takes a second for what a processor does in microseconds.
        let lengths = if cfg!(miri) { &[32, 96][..] } else { &[32, 64, 96, 256, 288, 512, 768, 1024, 1536] };
        for &n in lengths {
            let rows = lanes(40 * n, i16::MAX, &mut rng);
            for (a, r) in [(0, 0), (1, 1), (1, 2), (2, 2), (32, 0), (0, 30), (5, 7)] {
                let mut pick = |k| (0..k).map(|_| rng.below(40) as u32).collect::<Vec<_>>();
                let (added, removed) = (pick(a), pick(r));
                let from = lanes(n, i16::MAX, &mut rng);
                let mut expected = vec![0; n];
                Kernel::SCALAR.accumulate(&mut expected, &from, &rows, &added, &removed);
                for kernel in Kernel::available() {
                    let mut to = vec![7; n];
                    kernel.accumulate(&mut to, &from, &rows, &added, &removed);
                    assert_eq!(to, expected, "{} {n}", kernel.name());
                    let mut at = from.clone();
                    kernel.accumulate_in_place(&mut at, &rows, &added, &removed);
                    assert_eq!(at, expected, "{} {n} in place", kernel.name());
                }
            }
        }
    }

    #[test]
    fn every_kernel_multiplies_like_the_definition() {
        let mut rng = Rng::new(2);
        let lengths = if cfg!(miri) { &[32, 96][..] } else { &[32, 64, 96, 160, 256, 512, 1024, MAX_LANES] };
        for &n in lengths {
            for case in 0..if cfg!(miri) { 3 } else { 20 } {
                let weights = match case {
                    0 => vec![MAX_OUTPUT_WEIGHT; 2 * n],
                    1 => vec![-MAX_OUTPUT_WEIGHT; 2 * n],
                    _ => lanes(2 * n, MAX_OUTPUT_WEIGHT, &mut rng),
                };
                let max = if case < 2 { None } else { Some(()) };
                let mut side = || max.map_or(vec![i16::MAX; n], |()| lanes(n, i16::MAX, &mut rng));
                let (own, other) = (side(), side());
                let expected: i64 = own
                    .iter()
                    .chain(&other)
                    .zip(&weights)
                    .map(|(&a, &w)| i64::from(a.clamp(0, CLAMP)).pow(2) * i64::from(w))
                    .sum();
                for kernel in Kernel::available() {
                    assert_eq!(kernel.dot(&own, &other, &weights), expected, "{} {n}", kernel.name());
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "assertion")]
    fn a_row_outside_the_weights_is_refused() {
        Kernel::best().accumulate_in_place(&mut [0; 32], &[0; 320], &[10], &[]);
    }
}
