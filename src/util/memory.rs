//! Prefetching, and files mapped into memory. One of the few homes of `unsafe`.

use memmap2::Mmap;
use std::fs::File;
use std::io;

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

/// The contents of `file`, read by the system when they are looked at.
///
/// The file must not be cut short or written to while it is mapped: meant for tables that nobody changes.
/// # Errors
/// When the system cannot map it: an empty file, a folder, no address space left.
#[allow(unsafe_code)]
pub fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only; that nobody cuts the file short is the documented demand on the caller's
    // user, as it is for every program that maps tables.
    unsafe { Mmap::map(file) }
}
