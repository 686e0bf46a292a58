//! The lock-free table: probe and store, in cache and far out of it.

use criterion::{Criterion, criterion_group, criterion_main};
use sanqi::search::tt::{Payload, TranspositionTable};
use sanqi::util::rng::Rng;
use std::hint::black_box;

/// Depth in the low byte, the rest is ballast.
#[derive(Clone, Copy)]
struct Entry(u64);

impl Payload for Entry {
    fn pack(self) -> u64 {
        self.0 | 1
    }
    fn unpack(bits: u64) -> Self {
        Self(bits)
    }
    fn worth(self, _: u8) -> i32 {
        (self.0 & 255) as i32
    }
    fn replaces(self, old: Self, _: u8) -> bool {
        self.0 & 255 >= old.0 & 255
    }
    fn generation(self) -> u8 {
        0
    }
}

fn table(c: &mut Criterion) {
    for mib in [1, 256] {
        let table = TranspositionTable::<Entry>::new(mib).expect("memory for the table");
        let mut rng = Rng::new(1);
        let keys: Vec<u64> = (0..1 << 16).map(|_| rng.next_u64()).collect();
        for &key in &keys {
            table.store(key, Entry(key), 0);
        }
        let mut at = 0;
        let mut next = move |keys: &[u64]| {
            at = (at + 1) % keys.len();
            keys[at]
        };
        c.bench_function(&format!("tt/probe/hit/{mib}"), |b| {
            b.iter(|| black_box(table.probe(next(&keys))).map(|e| e.0));
        });
        let mut fresh = Rng::new(2);
        c.bench_function(&format!("tt/probe/miss/{mib}"), |b| {
            b.iter(|| black_box(table.probe(fresh.next_u64())).map(|e| e.0));
        });
        c.bench_function(&format!("tt/store/new/{mib}"), |b| {
            b.iter(|| {
                let key = fresh.next_u64();
                table.store(black_box(key), Entry(key), 0);
            });
        });
    }
}

criterion_group!(benches, table);
criterion_main!(benches);
