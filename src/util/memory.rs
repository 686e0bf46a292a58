//! Prefetching, memory-mapped files, and large allocations. One of the few homes of `unsafe`.

use super::system;
use memmap2::{Mmap, MmapMut, MmapRaw};
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::Deref;

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
/// The file must not be cut short or written to while it is mapped: meant for tables that do not change.
/// # Errors
/// When the system cannot map it: an empty file, a folder, no address space left.
#[allow(unsafe_code)]
pub fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only; that the file is not cut short is the documented demand on the caller's
    // user, as it is for every program that maps tables.
    unsafe { Mmap::map(file) }
}

/// A type of which memory full of zeros is a value: atomic numbers and arrays of them.
///
/// # Safety
/// What has references, enums or `Drop` must not implement this.
#[allow(unsafe_code)]
pub unsafe trait Zeroed: Sync {}

/// A slice that begins as zeros, on huge pages where the system gives them.
///
/// The system hands the memory out when it is first touched, so that a new slice costs nothing, and each
/// thread can touch its own part.
pub struct ZeroedSlice<T> {
    /// Raw: a reference to the bytes would forbid what atomics write through one to the items.
    bytes: MmapRaw,
    length: usize,
    item: PhantomData<T>,
}

/// Bytes of a page, at least: mapped memory begins at one, and is handed out by them.
pub const PAGE: usize = 4096;

impl<T: Zeroed> ZeroedSlice<T> {
    /// A slice of `length` items, at least one.
    pub fn new(length: usize) -> io::Result<Self> {
        const { assert!(align_of::<T>() <= PAGE && size_of::<T>() > 0 && !std::mem::needs_drop::<T>()) };
        let length = length.max(1);
        let size = length.checked_mul(size_of::<T>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let bytes = MmapMut::map_anon(size)?;
        // A table is read at random: fewer pages are fewer misses in the translation of addresses.
        system::prefer_huge_pages(&bytes);
        Ok(Self { bytes: bytes.into(), length, item: PhantomData })
    }
}

impl<T: Zeroed> Deref for ZeroedSlice<T> {
    type Target = [T];

    #[inline(always)]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[T] {
        // SAFETY: the map is `length * size_of::<T>()` bytes long, aligned to a page, began as zeros, which
        // is a value of `T`, and is reached only through this reference.
        unsafe { std::slice::from_raw_parts(self.bytes.as_mut_ptr().cast_const().cast(), self.length) }
    }
}

/// Whether programs can still have `needed` bytes once `returned` bytes are given back. Where the system does
/// not know, they can.
/// # Errors
/// How many bytes there are.
pub fn check(needed: usize, returned: usize) -> Result<(), usize> {
    match super::system::available_memory().map(|bytes| bytes.saturating_add(returned)) {
        Some(bytes) if bytes < needed => Err(bytes),
        _ => Ok(()),
    }
}

/// Whether the system gives this process `bytes` more in one piece, which are returned at once.
///
/// Asked before much is allocated in small pieces: the standard library ends the program where one of them is
/// refused.
pub fn can_allocate(bytes: usize) -> bool {
    MmapMut::map_anon(bytes.max(1)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    struct Word(AtomicU64);

    // SAFETY: a number is a number when its bits are zero.
    #[allow(unsafe_code)]
    unsafe impl Zeroed for Word {}

    #[test]
    fn a_slice_begins_as_zeros_and_keeps_what_is_written() {
        let words = ZeroedSlice::<Word>::new(100_000).unwrap();
        assert_eq!(words.len(), 100_000);
        assert!(words.iter().all(|word| word.0.load(Relaxed) == 0));
        words[99_999].0.store(7, Relaxed);
        assert_eq!(words[99_999].0.load(Relaxed), 7);
    }

    // Miri hands out addresses, and no memory can be too much for it.
    #[cfg_attr(miri, ignore)]
    #[test]
    fn too_much_memory_is_an_error() {
        assert!(ZeroedSlice::<Word>::new(usize::MAX).is_err());
        assert!(ZeroedSlice::<Word>::new(usize::MAX / 16).is_err());
        assert!(can_allocate(1 << 20) && !can_allocate(usize::MAX / 16));
    }
}
