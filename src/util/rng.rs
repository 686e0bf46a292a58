//! SplitMix64: a random number generator of eight bytes of state, usable in constants.
//! Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (2014).

use std::time::SystemTime;

/// A deterministic stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Starts the stream that belongs to `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A stream that cannot be repeated, for choices that should vary.
    pub fn of_the_moment() -> Self {
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Self(time.map_or(1, |time| time.as_nanos() as u64))
    }

    #[inline(always)]
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `0..n`, by multiplication: the bias is below `n / 2^64`.
    ///
    /// `n` must not be 0.
    #[inline(always)]
    #[allow(clippy::arithmetic_side_effects, reason = "64 bits times 64 fit into 128")]
    pub const fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0);
        ((self.next_u64() as u128 * n as u128) >> 64) as usize
    }

    /// A uniformly random element of `from`.
    /// # Panics
    /// When `from` is empty.
    #[inline]
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A number in `[0, 1)` with 24 random bits.
    pub const fn unit_f32(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1u64 << 24) as f32
    }
}
