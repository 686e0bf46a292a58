//! The reader of net files, with and without a checksum that is right: what it accepts must evaluate.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sanqi::eval::{Chess768, Xiangqi689};
use sanqi::nnue::{FeatureSet, Net};

/// Where the checksum stands; it is computed with itself taken as zero.
const CHECKSUM: std::ops::Range<usize> = 188..192;

fn try_out<F: FeatureSet>(bytes: &[u8]) {
    if let Ok(net) = Net::<F>::from_bytes(bytes) {
        assert_eq!(net.to_bytes(), bytes);
        let rows: Vec<u32> = (0..32).collect();
        net.evaluate_rows(&rows, &rows, 32);
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = data.to_vec();
    for _ in 0..2 {
        try_out::<Chess768>(&bytes);
        try_out::<Xiangqi689>(&bytes);
        if bytes.len() < CHECKSUM.end {
            return;
        }
        bytes[CHECKSUM].fill(0);
        let crc = crc32fast::hash(&bytes);
        bytes[CHECKSUM].copy_from_slice(&crc.to_le_bytes());
    }
});
