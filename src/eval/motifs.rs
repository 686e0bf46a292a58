//! Motifs: what one side has against the other, at most 64 things, each of which a net gives an input.
//! <https://www.chessprogramming.org/Tactics>

/// Motifs that belong together and have neighboring numbers: one for each piece, or the steps of one scale.
pub struct Family<const SIZE: usize> {
    /// The number of its first motif.
    pub first: usize,
}

/// A constant for each family; each begins where the one before ends.
macro_rules! families {
    ($($(#[$doc:meta])* $name:ident[$size:literal];)*) => {
        /// Name and size of each family, in the order of their numbers.
        #[cfg(test)]
        pub const FAMILIES: &[(&str, usize)] = &[$((stringify!($name), $size)),*];
        families!(@from 0; $($(#[$doc])* $name[$size];)*);
    };
    (@from $first:expr; $(#[$doc:meta])* $name:ident[$size:literal]; $($rest:tt)*) => {
        $(#[$doc])*
        const $name: $crate::eval::motifs::Family<$size> = $crate::eval::motifs::Family { first: $first };
        families!(@from $first + $size; $($rest)*);
    };
    (@from $end:expr;) => {
        pub const MOTIFS: usize = $end;
        const _: () = assert!(MOTIFS <= u64::BITS as usize);
    };
}
pub(super) use families;

/// The motifs found so far, a bit each.
#[derive(Default)]
pub(super) struct Found(pub u64);

impl Found {
    #[inline(always)]
    pub fn note<const SIZE: usize>(&mut self, family: Family<SIZE>, found: [bool; SIZE]) {
        for (at, found) in found.into_iter().enumerate() {
            self.0 |= u64::from(found) << (family.first + at);
        }
    }

    /// Notes the last one that is found; what is found comes before what is not.
    #[inline(always)]
    pub fn note_last<const SIZE: usize>(&mut self, family: Family<SIZE>, found: [bool; SIZE]) {
        let count = found.into_iter().map(u32::from).sum::<u32>();
        self.0 |= (1 << count >> 1) << family.first;
    }

    /// Notes which of the numbers from 1 on the count reaches.
    #[inline(always)]
    pub fn note_count<const SIZE: usize>(&mut self, family: Family<SIZE>, count: u32) {
        self.0 |= ((1 << count.min(SIZE as u32)) - 1) << family.first;
    }
}
