//! Prefetching, and (later) aligned and huge-page memory. One of the few homes of `unsafe`.

/// Asks the processor to fetch the cache line of `at`. Has no other effect.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(at: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64, and a prefetch of any address cannot fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(std::ptr::from_ref(at).cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
