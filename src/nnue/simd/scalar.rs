//! The definition: plain loops, which the compiler turns into whatever the build's target has.

use super::CLAMP;

/// # Safety
/// See `Kernel::accumulate_at`.
pub(super) unsafe fn accumulate(
    to: *mut i16,
    from: *const i16,
    lanes: usize,
    rows: *const i16,
    added: &[u32],
    removed: &[u32],
) {
    // SAFETY: by the contract. `to` may equal `from`, so they are no slices at the same time.
    unsafe {
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
/// Both are valid for `lanes` lanes.
pub(super) unsafe fn dot(a: *const i16, weights: *const i16, lanes: usize) -> i64 {
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
