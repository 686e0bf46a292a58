//! The definition: plain loops, which the compiler turns into whatever the build's target has.

use super::{CLAMP, Update};

/// # Safety
/// As `update` promises.
pub(super) unsafe fn accumulate(update: Update) {
    // SAFETY: by the contract. `to` may equal `from`, so they are no slices at the same time.
    unsafe {
        let Update { to, from, lanes, rows, added, removed } = update;
        to.copy_from(from, lanes);
        let to = std::slice::from_raw_parts_mut(to, lanes);
        for &row in added {
            let row = std::slice::from_raw_parts(rows.add(row as usize * lanes), lanes);
            to.iter_mut().zip(row).for_each(|(a, &w)| *a = a.wrapping_add(w));
        }
        for &row in removed {
            let row = std::slice::from_raw_parts(rows.add(row as usize * lanes), lanes);
            to.iter_mut().zip(row).for_each(|(a, &w)| *a = a.wrapping_sub(w));
        }
    }
}

/// # Safety
/// The accumulators are valid for `lanes` lanes, `weights` for twice as many.
pub(super) unsafe fn dot(own: *const i16, other: *const i16, weights: *const i16, lanes: usize) -> i64 {
    // SAFETY: by the contract.
    unsafe { half(own, weights, lanes) + half(other, weights.add(lanes), lanes) }
}

/// # Safety
/// Both are valid for `lanes` lanes.
unsafe fn half(a: *const i16, weights: *const i16, lanes: usize) -> i64 {
    // SAFETY: by the contract.
    let (a, weights) =
        unsafe { (std::slice::from_raw_parts(a, lanes), std::slice::from_raw_parts(weights, lanes)) };
    // Thirty-two products of 2^23 fit in 32 bits, and 32-bit lanes are what the compiler vectorises.
    let chunks = a.chunks(32).zip(weights.chunks(32));
    chunks
        .map(|(a, weights)| {
            let product = |(&a, &w): (&i16, &i16)| {
                let v = a.clamp(0, CLAMP);
                i32::from(v) * i32::from(v.wrapping_mul(w))
            };
            i64::from(a.iter().zip(weights).map(product).sum::<i32>())
        })
        .sum()
}
