//! The loops all vector kernels share, over a vector of 16-bit lanes. The functions are always inlined into
//! one that has the instruction set enabled; only there do they become vector code.

use super::Update;

/// A vector of 16-bit lanes.
///
/// # Safety
/// Every method needs the processor to have the instruction set; pointers must be valid for [`N`](Self::N)
/// lanes and need no alignment.
pub(super) trait Lanes: Copy {
    const N: usize;
    /// Sums of products, in 32-bit lanes.
    type Sum: Copy;

    unsafe fn load(at: *const i16) -> Self;
    unsafe fn store(self, at: *mut i16);
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn zero() -> Self::Sum;
    /// `sum + clamp(self)^2 * weights`, neighbouring lanes added.
    unsafe fn square_times(self, weights: Self, sum: Self::Sum) -> Self::Sum;
    /// All lanes added up, exactly.
    unsafe fn total(sum: Self::Sum) -> i64;
}

/// # Safety
/// As `update` promises; the instruction set of `L` is enabled.
#[inline(always)]
pub(super) unsafe fn accumulate<L: Lanes>(update: Update) {
    // SAFETY: by the contract; every tile ends within `lanes`.
    unsafe {
        let mut at = 0;
        while at + 8 * L::N <= update.lanes {
            tile::<L, 8>(&update, at);
            at += 8 * L::N;
        }
        while at < update.lanes {
            tile::<L, 1>(&update, at);
            at += L::N;
        }
    }
}

/// `T` vectors of the accumulator from lane `at` on, held in registers while all rows pass.
///
/// # Safety
/// As for [`accumulate`]; the vectors end within the lanes.
#[inline(always)]
unsafe fn tile<L: Lanes, const T: usize>(update: &Update, at: usize) {
    // SAFETY: by the contract.
    unsafe {
        let (to, from, rows) = (update.to.add(at), update.from.add(at), update.rows.add(at));
        let mut held = [L::load(from); T];
        for (i, vector) in held.iter_mut().enumerate() {
            *vector = L::load(from.add(i * L::N));
        }
        for &row in update.added {
            let row = rows.add(row as usize * update.lanes);
            for (i, vector) in held.iter_mut().enumerate() {
                *vector = vector.add(L::load(row.add(i * L::N)));
            }
        }
        for &row in update.removed {
            let row = rows.add(row as usize * update.lanes);
            for (i, vector) in held.iter_mut().enumerate() {
                *vector = vector.sub(L::load(row.add(i * L::N)));
            }
        }
        for (i, vector) in held.iter().enumerate() {
            vector.store(to.add(i * L::N));
        }
    }
}

/// # Safety
/// Both are valid for `lanes` lanes, a multiple of `L::N`; the instruction set of `L` is enabled.
#[inline(always)]
pub(super) unsafe fn dot<L: Lanes>(a: *const i16, weights: *const i16, lanes: usize) -> i64 {
    // SAFETY: by the contract.
    unsafe {
        // Four sums hide the latency of one, and keep each below 2^31 for up to `MAX_LANES` lanes.
        let mut sums = [L::zero(); 4];
        let mut at = 0;
        while at + 4 * L::N <= lanes {
            for (i, sum) in sums.iter_mut().enumerate() {
                let at = at + i * L::N;
                *sum = L::load(a.add(at)).square_times(L::load(weights.add(at)), *sum);
            }
            at += 4 * L::N;
        }
        while at < lanes {
            sums[0] = L::load(a.add(at)).square_times(L::load(weights.add(at)), sums[0]);
            at += L::N;
        }
        // No closure here: it would be compiled without the instruction set.
        L::total(sums[0]) + L::total(sums[1]) + L::total(sums[2]) + L::total(sums[3])
    }
}

/// Defines the operations of an instruction set: the loops above over its vector, with its features enabled.
macro_rules! kernels {
    ($vector:ty, $features:literal) => {
        /// # Safety
        /// As `update` promises; the processor has the features.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn accumulate(update: super::Update) {
            // SAFETY: by the contract.
            unsafe { super::lanes::accumulate::<$vector>(update) }
        }

        /// # Safety
        /// The accumulators are valid for `lanes` lanes, `weights` for twice as many; the processor has the
        /// features.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn dot(
            own: *const i16,
            other: *const i16,
            weights: *const i16,
            lanes: usize,
        ) -> i64 {
            // SAFETY: by the contract.
            unsafe {
                super::lanes::dot::<$vector>(own, weights, lanes)
                    + super::lanes::dot::<$vector>(other, weights.add(lanes), lanes)
            }
        }
    };
}
pub(super) use kernels;
