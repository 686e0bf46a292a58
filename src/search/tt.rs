//! The one table all three games share: lock-free, written by every thread, read by every thread.
//!
//! A cluster is half a cache line: three 64-bit payloads and a word of three 16-bit tags. A tag is
//! stored XORed with a fold of its payload, so that a pair torn between two writers reads as a miss
//! instead of a wrong hit. The meaning of a payload is up to the search.
//!
//! All accesses are `Relaxed`. A payload is one word, so a reader sees a complete one; nothing
//! else in memory is reached through it, so that no order with other words is needed. A store beside another
//! one in the same cluster may write an older tag over a newer one: the entry then reads as a miss, or, once
//! in 65536 times, as one for another key. That is no more than the tag's length allows anyway, and why moves
//! of entries are checked. Source: <https://www.chessprogramming.org/Shared_Hash_Table#Lockless> (Hyatt and
//! Mann, 2002).

use crate::errors;
use crate::util::memory::{self, Zeroed, ZeroedSlice};
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What one 64-bit slot means. No payload may pack to 0, which marks an empty slot.
pub trait Payload: Copy {
    /// The payload as 64 bits, never all zero.
    fn pack(self) -> u64;
    /// Inverse of [`pack`](Self::pack).
    fn unpack(bits: u64) -> Self;
    /// Replacement worth: the entry with the least is overwritten. `generation` is the current one.
    fn worth(self, generation: u8) -> i32;
    /// Whether `self` may overwrite `old`, an entry for the same position.
    fn replaces(self, old: Self, generation: u8) -> bool;
    /// The generation the entry was stored in.
    fn generation(self) -> u8;
    /// Whether a search can have stored it. Bits from a file may be anything.
    fn is_sound(self) -> bool {
        true
    }
}

const SLOTS: usize = 3;

#[repr(align(32))]
struct Cluster([AtomicU64; SLOTS + 1]);

const _: () = assert!(size_of::<Cluster>() == 32);

/// Clusters that are copied to or from a file at once.
const PIECE: usize = 2048;

// SAFETY: atomic numbers are numbers when all bits are zero: no slot is taken.
#[allow(unsafe_code)]
unsafe impl Zeroed for Cluster {}

fn fold(bits: u64) -> u16 {
    (bits ^ (bits >> 16) ^ (bits >> 32) ^ (bits >> 48)) as u16
}

/// A table of payloads of one type. Shared by reference; resized only by its owner.
pub struct TranspositionTable<P> {
    clusters: ZeroedSlice<Cluster>,
    payload: PhantomData<fn() -> P>,
}

impl<P: Payload> TranspositionTable<P> {
    /// An empty table of at most `mib` MiB, one cluster at least.
    pub fn new(mib: usize) -> Result<Self, MemoryError> {
        Self::with_bytes(mib.saturating_mul(1 << 20))
    }

    /// An empty table of at most `bytes`, one cluster at least.
    pub fn with_bytes(bytes: usize) -> Result<Self, MemoryError> {
        let count = (bytes / size_of::<Cluster>()).max(1);
        let clusters = ZeroedSlice::new(count).map_err(|_| MemoryError::Table(bytes >> 20))?;
        Ok(Self { clusters, payload: PhantomData })
    }

    /// Number of entries the table has room for.
    pub fn capacity(&self) -> usize {
        self.clusters.len() * SLOTS
    }

    /// Length of the table in bytes, and of its copy in a file.
    pub fn bytes(&self) -> u64 {
        (self.clusters.len() * size_of::<Cluster>()) as u64
    }

    /// Writes a copy of the table, and returns its number of entries. No search may run meanwhile.
    pub fn copy_to(&self, out: &mut dyn Write) -> io::Result<u64> {
        let (mut bytes, mut entries) = (Vec::with_capacity(PIECE * size_of::<Cluster>()), 0);
        for piece in self.clusters.chunks(PIECE) {
            bytes.clear();
            for cluster in piece {
                let words = cluster.0.each_ref().map(|word| word.load(Relaxed));
                entries += words[..SLOTS].iter().filter(|&&bits| bits != 0).count() as u64;
                bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            }
            out.write_all(&bytes)?;
        }
        Ok(entries)
    }

    /// Reads a copy of a table of the same length in place of this one, and returns its number of entries.
    /// What no search [can have stored](Payload::is_sound) is left out. No search may run meanwhile.
    /// # Errors
    /// Those of `input`: some of the table may be read then.
    pub fn copy_from(&self, input: &mut dyn Read) -> io::Result<u64> {
        let (mut bytes, mut entries) = (vec![0; PIECE * size_of::<Cluster>()], 0);
        for piece in self.clusters.chunks(PIECE) {
            let bytes = &mut bytes[..size_of_val(piece)];
            input.read_exact(bytes)?;
            for (cluster, words) in piece.iter().zip(bytes.chunks_exact(size_of::<Cluster>())) {
                for (slot, word) in words.chunks_exact(8).enumerate() {
                    let bits = u64::from_le_bytes(std::array::from_fn(|i| word[i]));
                    let is_good = slot == SLOTS || bits != 0 && P::unpack(bits).is_sound();
                    entries += u64::from(is_good && slot < SLOTS);
                    cluster.0[slot].store(if is_good { bits } else { 0 }, Relaxed);
                }
            }
        }
        Ok(entries)
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }

    /// Asks the processor to fetch the cluster of `key`.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        crate::util::memory::prefetch(&self.clusters[self.index(key)]);
    }

    /// The entry stored for `key`. Another position with the same 16 low bits may answer instead:
    /// moves must be checked before they are played.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<P> {
        let cluster = &self.clusters[self.index(key)].0;
        let tags = cluster[SLOTS].load(Relaxed);
        (0..SLOTS).find_map(|slot| {
            let bits = cluster[slot].load(Relaxed);
            (bits != 0 && (tags >> (16 * slot)) as u16 == key as u16 ^ fold(bits)).then(|| P::unpack(bits))
        })
    }

    /// Stores `entry` over the same position's older entry or over the least worthy of its cluster.
    #[inline]
    pub fn store(&self, key: u64, entry: P, generation: u8) {
        let cluster = &self.clusters[self.index(key)].0;
        let tags = cluster[SLOTS].load(Relaxed);
        let (mut at, mut min) = (0, i32::MAX);
        for slot in 0..SLOTS {
            let bits = cluster[slot].load(Relaxed);
            if bits == 0 {
                at = slot;
                break;
            }
            let old = P::unpack(bits);
            if (tags >> (16 * slot)) as u16 == key as u16 ^ fold(bits) {
                if !entry.replaces(old, generation) {
                    return;
                }
                at = slot;
                break;
            }
            let worth = old.worth(generation);
            if worth < min {
                (at, min) = (slot, worth);
            }
        }
        let bits = entry.pack();
        let shift = 16 * at;
        cluster[at].store(bits, Relaxed);
        // Another thread may have changed the other two tags since: they then read as misses.
        cluster[SLOTS]
            .store(tags & !(0xFFFF << shift) | u64::from(key as u16 ^ fold(bits)) << shift, Relaxed);
    }

    /// Empties part `part` of `parts`: each thread of a pool clears its own.
    pub fn clear_part(&self, part: usize, parts: usize) {
        let n = self.clusters.len();
        for cluster in &self.clusters[n * part / parts..n * (part + 1) / parts] {
            for word in &cluster.0 {
                word.store(0, Relaxed);
            }
        }
    }

    /// Has the system hand out the memory of part `part` of `parts` of a new table: each thread of a pool
    /// its own, before a search would have to wait for it.
    pub fn touch_part(&self, part: usize, parts: usize) {
        let n = self.clusters.len();
        let per_page = memory::PAGE / size_of::<Cluster>();
        for cluster in self.clusters[n * part / parts..n * (part + 1) / parts].iter().step_by(per_page) {
            cluster.0[0].store(0, Relaxed);
        }
    }

    /// Share of the table filled in this generation, in permille, from a sample.
    pub fn permille_full(&self, generation: u8) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(334)];
        let used = sample
            .iter()
            .flat_map(|c| &c.0[..SLOTS])
            .map(|w| w.load(Relaxed))
            .filter(|&bits| bits != 0 && P::unpack(bits).generation() == generation)
            .count();
        (used * 1000 / (sample.len() * SLOTS)) as u32
    }
}

errors! {
    /// The table could not be allocated.
    pub enum MemoryError {
        Table(mib: usize) = "no memory for a table of {mib} MiB" | "没有内存给 {mib} MiB 的置换表",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;
    use std::thread;

    /// A payload that holds the key it was stored for, and shows whether any of its bits is another's.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Sealed {
        key: u32,
        seal: u32,
    }

    impl Sealed {
        fn of(key: u64) -> Self {
            let key = (key >> 32) as u32 | 1;
            Self { key, seal: Self::seal(key) }
        }

        fn seal(key: u32) -> u32 {
            Rng::new(u64::from(key)).next_u64() as u32
        }
    }

    impl Payload for Sealed {
        fn pack(self) -> u64 {
            u64::from(self.key) << 32 | u64::from(self.seal)
        }
        fn unpack(bits: u64) -> Self {
            Self { key: (bits >> 32) as u32, seal: bits as u32 }
        }
        fn worth(self, _: u8) -> i32 {
            (self.seal >> 1) as i32
        }
        fn replaces(self, _: Self, _: u8) -> bool {
            true
        }
        fn generation(self) -> u8 {
            0
        }
        fn is_sound(self) -> bool {
            self.seal == Self::seal(self.key)
        }
    }

    #[test]
    fn a_copy_answers_as_the_table_does() {
        let share = if cfg!(miri) { 64 } else { 1 };
        let table = || TranspositionTable::<Sealed>::with_bytes((1 << 17) / share).unwrap();
        let (table, copy) = (table(), table());
        let keys: Vec<u64> = (0..9000 / share as u64).map(|n| Rng::new(n).next_u64()).collect();
        keys.iter().for_each(|&key| table.store(key, Sealed::of(key), 0));
        let mut file = Vec::new();
        let entries = table.copy_to(&mut file).unwrap();
        assert!(entries > 6000 / share as u64 && file.len() as u64 == table.bytes());
        copy.store(1, Sealed::of(1), 0);
        assert_eq!(copy.copy_from(&mut &file[..]).unwrap(), entries);
        assert!(keys.iter().all(|&key| copy.probe(key) == table.probe(key)) && copy.probe(1).is_none());
        let first = file.chunks_exact(8).position(|word| word != [0; 8]).unwrap();
        file[8 * first] ^= 1;
        assert_eq!(copy.copy_from(&mut &file[..]).unwrap(), entries - 1, "what is not sound is left out");
        assert!(copy.copy_from(&mut &file[1..]).is_err());
    }

    #[test]
    fn an_entry_is_found_by_its_key_until_better_ones_take_its_place() {
        let table = TranspositionTable::<Sealed>::with_bytes(0).unwrap();
        assert_eq!(table.capacity(), SLOTS);
        let keys = [1u64, 2, 3].map(|n| n << 40 | n);
        for key in keys {
            assert_eq!(table.probe(key), None);
            table.store(key, Sealed::of(key), 0);
        }
        assert!(keys.iter().all(|&key| table.probe(key) == Some(Sealed::of(key))));
        assert_eq!(table.permille_full(0), 1000);
        table.store(4, Sealed::of(4), 0);
        let left = keys.iter().filter(|&&key| table.probe(key).is_some()).count();
        assert_eq!((left, table.probe(4)), (SLOTS - 1, Some(Sealed::of(4))));
        table.clear_part(0, 1);
        assert_eq!((table.permille_full(0), table.probe(4)), (0, None));
    }

    #[test]
    fn parts_cover_the_table_and_no_more() {
        let table = TranspositionTable::<Sealed>::with_bytes(1 << 12).unwrap();
        let keys: Vec<u64> = (0..300).map(|n| Rng::new(n).next_u64()).collect();
        keys.iter().for_each(|&key| table.store(key, Sealed::of(key), 0));
        table.touch_part(0, 1);
        (0..6).for_each(|part| table.clear_part(part, 7));
        assert!(table.permille_full(0) > 0, "the last part is not cleared yet");
        table.clear_part(6, 7);
        assert!(keys.iter().all(|&key| table.probe(key).is_none()));
    }

    /// What a reader meets between the two stores of a writer: the new payload beside the old tag.
    #[test]
    fn a_pair_torn_between_two_writers_is_a_miss() {
        let table = TranspositionTable::<Sealed>::with_bytes(0).unwrap();
        let keys: Vec<u64> = (0..1000).map(|n| Rng::new(n).next_u64()).collect();
        let mut hits = 0;
        for pair in keys.windows(2) {
            table.clear_part(0, 1);
            table.store(pair[0], Sealed::of(pair[0]), 0);
            table.clusters[0].0[0].store(Sealed::of(pair[1]).pack(), Relaxed);
            hits += usize::from(table.probe(pair[0]).is_some());
        }
        // One in 65536 has the right tag by chance.
        assert!(hits <= 1, "{hits} torn pairs were believed");
    }

    /// Four threads store and probe in a few clusters. Returns how many probes hit, and how many of these
    /// gave the entry of another key.
    fn race(probes: u64) -> (u64, u64) {
        const THREADS: u64 = 4;
        let table = TranspositionTable::<Sealed>::with_bytes(64 * size_of::<Cluster>()).unwrap();
        // Tags all different, so that only a race can give the wrong entry.
        let keys: Vec<u64> = (0..4096).map(|n| Rng::new(n).next_u64() & !0xFFFF | (n * 16)).collect();
        let play = |seed: u64| {
            let (mut random, mut hits, mut wrong) = (Rng::new(seed), 0, 0);
            for _ in 0..probes / THREADS {
                let key = random.pick(&keys);
                match table.probe(key) {
                    Some(found) => {
                        assert_eq!(found.seal, Sealed::seal(found.key), "a torn payload");
                        hits += 1;
                        wrong += u64::from(found != Sealed::of(key));
                    }
                    None => table.store(key, Sealed::of(key), 0),
                }
            }
            (hits, wrong)
        };
        let sum = |(a, b): (u64, u64), (c, d): (u64, u64)| (a + c, b + d);
        thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|seed| scope.spawn(move || play(seed))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no torn payload")).fold((0, 0), sum)
        })
    }

    /// A race for a cluster that makes a hit is lost with the tag of another key once in 65536 times.
    fn holds(probes: u64) {
        let (hits, wrong) = race(probes);
        println!("{probes} probes by 4 threads, {hits} hits: no torn payload, {wrong} for another key");
        assert!(hits > probes / 200, "{hits} hits are no race");
        assert!(wrong <= 1 + hits / 65_536, "{wrong} of {hits}");
    }

    /// A probe for a key that is not there meets three tags of 16 bits.
    #[test]
    #[cfg(not(miri))]
    fn keys_that_are_not_there_hit_as_seldom_as_their_tags_allow() {
        const PROBES: u32 = 10_000_000;
        let table = TranspositionTable::<Sealed>::with_bytes(64 * size_of::<Cluster>()).unwrap();
        let mut random = Rng::new(1);
        for _ in 0..10_000 {
            let key = random.next_u64();
            table.store(key, Sealed::of(key), 0);
        }
        let hits = (0..PROBES).filter(|_| table.probe(random.next_u64()).is_some()).count() as f64;
        let expected = f64::from(PROBES) * SLOTS as f64 / 65_536.0;
        println!("{PROBES} probes for keys that are not there: {hits} hits, {expected:.0} expected");
        assert!((hits - expected).abs() < 5.0 * expected.sqrt(), "{hits} hits, not {expected}");
    }

    #[test]
    fn no_payload_is_ever_torn() {
        holds(if cfg!(miri) { 4000 } else { 400_000 });
    }

    #[test]
    #[ignore = "minutes"]
    fn no_payload_of_a_billion_is_torn() {
        holds(1_000_000_000);
    }
}
