//! Numbers in memory aligned to cache lines. One of the few homes of `unsafe`.
#![allow(unsafe_code)]

use bytemuck::{Pod, Zeroable};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A cache line, the widest vector there is.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

// SAFETY: 64 bytes without padding; every bit pattern is one.
unsafe impl Zeroable for Line {}
// SAFETY: as above.
unsafe impl Pod for Line {}

/// A slice of numbers that begins at a cache line.
#[derive(Clone)]
pub struct Aligned<T> {
    lines: Vec<Line>,
    len: usize,
    numbers: PhantomData<T>,
}

impl<T: Pod> Aligned<T> {
    pub fn zeroed(len: usize) -> Self {
        Self { lines: vec![Line([0; 64]); lines::<T>(len)], len, numbers: PhantomData }
    }

    pub fn copied(numbers: &[T]) -> Self {
        let mut copy = Self::zeroed(numbers.len());
        copy.copy_from_slice(numbers);
        copy
    }

    /// Changes the length; new elements are zero.
    pub fn resize(&mut self, len: usize) {
        self.lines.resize(lines::<T>(len), Line([0; 64]));
        self.len = len;
    }
}

const fn lines<T>(len: usize) -> usize {
    len.saturating_mul(size_of::<T>()).div_ceil(64)
}

impl<T: Pod> Deref for Aligned<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &bytemuck::cast_slice(&self.lines)[..self.len]
    }
}

impl<T: Pod> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.len]
    }
}
