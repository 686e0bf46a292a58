//! Zobrist keys, made by the compiler. <https://www.chessprogramming.org/Zobrist_Hashing>

use crate::util::rng::Rng;

/// `ROWS x COLS` random numbers of the stream that belongs to `seed`.
pub const fn table<const ROWS: usize, const COLS: usize>(seed: u64) -> [[u64; COLS]; ROWS] {
    let mut rng = Rng::new(seed);
    let mut out = [[0; COLS]; ROWS];
    let mut row = 0;
    while row < ROWS {
        let mut col = 0;
        while col < COLS {
            out[row][col] = rng.next_u64();
            col += 1;
        }
        row += 1;
    }
    out
}
