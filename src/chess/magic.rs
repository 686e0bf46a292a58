//! Attacks of sliders on an occupied board, by magic multiplication.
//! <https://www.chessprogramming.org/Magic_Bitboards>
//!
//! Fancy magics: each square has a slice of one table as long as its number of relevant blockers asks
//! for, 841 KiB in all. The table is a constant, so there is nothing to initialize and nothing to check
//! on the way to it. The multipliers were found by `tests::find_magics`.

use super::attacks::{antidiagonal_of, diagonal_of, file_of, rank_of, slide};
use super::bitboard::Bitboard;
use super::types::Square;

/// Squares a bishop on `square` attacks, blockers included.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let magic = &BISHOP[square.index()];
    TABLE[magic.slot(occupied)]
}

/// Squares a rook on `square` attacks, blockers included.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let magic = &ROOK[square.index()];
    TABLE[magic.slot(occupied)]
}

/// Squares a queen on `square` attacks, blockers included.
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// How the attacks from one square are found in [`TABLE`].
struct Magic {
    /// Squares whose occupation matters.
    mask: u64,
    factor: u64,
    /// First slot of the square.
    offset: u32,
    /// `64 -` bits of the index.
    shift: u32,
}

impl Magic {
    #[inline(always)]
    const fn slot(&self, occupied: Bitboard) -> usize {
        self.offset as usize + ((occupied.0 & self.mask).wrapping_mul(self.factor) >> self.shift) as usize
    }
}

const BISHOP_SLOTS: usize = slots(false);
const ROOK_SLOTS: usize = slots(true);
const BISHOP_MAGICS: [Magic; 64] = magics(false, &BISHOP_FACTORS, 0);
const ROOK_MAGICS: [Magic; 64] = magics(true, &ROOK_FACTORS, BISHOP_SLOTS);
static BISHOP: [Magic; 64] = BISHOP_MAGICS;
static ROOK: [Magic; 64] = ROOK_MAGICS;
// Some hundred thousand short steps: a fraction of a second, once a build.
#[allow(long_running_const_eval)]
static TABLE: [Bitboard; BISHOP_SLOTS + ROOK_SLOTS] = table();

/// The two lines of a slider through `square`, without it.
const fn lines(square: Square, rook: bool) -> [Bitboard; 2] {
    if rook { [rank_of(square), file_of(square)] } else { [diagonal_of(square), antidiagonal_of(square)] }
}

/// Squares whose occupation changes what the slider attacks: its lines less their far ends.
const fn relevant(square: Square, rook: bool) -> Bitboard {
    let ranks = Bitboard::rank(0).or(Bitboard::rank(7)).0 & !Bitboard::rank(square.rank()).0;
    let files = Bitboard::file(0).or(Bitboard::file(7)).0 & !Bitboard::file(square.file()).0;
    let lines = lines(square, rook);
    Bitboard(lines[0].or(lines[1]).0 & !(ranks | files))
}

/// Slots that all squares together need.
const fn slots(rook: bool) -> usize {
    let (mut total, mut index) = (0, 0);
    while index < 64 {
        total += 1 << relevant(Square::new(index), rook).count();
        index += 1;
    }
    total
}

const fn magics(rook: bool, factors: &[u64; 64], first: usize) -> [Magic; 64] {
    let mut all = [const { Magic { mask: 0, factor: 0, offset: 0, shift: 0 } }; 64];
    let (mut offset, mut index) = (first as u32, 0);
    while index < 64 {
        let mask = relevant(Square::new(index), rook);
        all[index] = Magic { mask: mask.0, factor: factors[index], offset, shift: 64 - mask.count() };
        offset += 1 << mask.count();
        index += 1;
    }
    all
}

const fn table() -> [Bitboard; BISHOP_SLOTS + ROOK_SLOTS] {
    let mut table = [Bitboard::EMPTY; BISHOP_SLOTS + ROOK_SLOTS];
    let mut row = 0;
    while row < 128 {
        let (square, rook) = (Square::new(row), row >= 64);
        let magic = if rook { &ROOK_MAGICS[row - 64] } else { &BISHOP_MAGICS[row] };
        let lines = lines(square, rook);
        let mut blockers: u64 = 0;
        loop {
            let occupied = Bitboard(blockers);
            table[magic.slot(occupied)] =
                slide(square, lines[0], occupied).or(slide(square, lines[1], occupied));
            // All subsets of the mask: https://www.chessprogramming.org/Traversing_Subsets_of_a_Set
            blockers = blockers.wrapping_sub(magic.mask) & magic.mask;
            if blockers == 0 {
                break;
            }
        }
        row += 1;
    }
    table
}

#[rustfmt::skip]
const BISHOP_FACTORS: [u64; 64] = [
    0x0088_2001_0041_0104, 0x1020_F404_0080_2000, 0x2021_0800_8480_0401, 0x0002_0A02_0200_C118,
    0x4001_1040_0080_01A0, 0x1031_0420_8440_1942, 0x0020_4C02_2840_0008, 0x0405_0401_0401_0400,
    0x0108_2002_0408_00A0, 0x0000_5808_CC90_8200, 0xC005_0888_8410_8002, 0x0100_420A_0600_8602,
    0x0080_0424_2040_0030, 0x0001_0248_2004_0240, 0x1004_0412_0104_2020, 0x4500_1082_480A_9000,
    0x0140_8444_0908_0100, 0x0290_2084_8102_2400, 0x0001_0008_1803_0010, 0x0108_0844_2022_2002,
    0x0004_2082_0201_0200, 0x8005_8023_4050_4002, 0x0400_8229_0088_2021, 0x0058_2880_4404_1405,
    0x0002_4800_2008_1040, 0x2030_0800_020E_0C50, 0x0C0C_0100_1000_4080, 0x6402_0800_0404_40A8,
    0x0112_0401_0200_8201, 0x0020_8100_0C80_6000, 0x0021_2440_0504_1000, 0x0015_022D_4900_8800,
    0x0084_0404_0041_1004, 0x0102_1090_0C42_0200, 0x0200_8410_0001_0040, 0x0032_0080_2202_0200,
    0x81C0_0020_2202_0080, 0x0810_0040_430A_0100, 0x0201_9200_9042_0800, 0x1000_8506_0583_0080,
    0x00A8_0442_2000_0800, 0x0884_2405_2440_8806, 0x0000_E114_1000_4201, 0x0000_0022_1400_0804,
    0x0102_0810_1044_2400, 0x0820_8A0A_4440_0200, 0x0009_0801_2040_0400, 0x0088_1840_8088_0022,
    0x4010_4108_2110_8200, 0x8205_0048_0405_0020, 0x1000_0500_4110_0280, 0x0212_8800_8404_0901,
    0x2100_0012_2022_0002, 0x4002_2014_092A_0000, 0x1E20_8202_6801_0048, 0x0228_9808_0080_2030,
    0x5508_3488_0518_2009, 0x4042_0042_0201_2010, 0x0900_0402_0042_0884, 0x0000_2000_0084_2410,
    0x8040_8008_9020_2200, 0x4080_01A0_0404_4821, 0x0000_11A0_0204_0040, 0x2003_2004_0100_4100,
];

#[rustfmt::skip]
const ROOK_FACTORS: [u64; 64] = [
    0x5280_0010_4004_8420, 0x8040_1000_2000_4000, 0x0900_0D00_1040_2000, 0x0580_1428_0080_1000,
    0x1480_0800_4400_2280, 0x0200_0200_0410_0801, 0x0280_0900_0080_0600, 0x0200_0102_0888_4024,
    0x0000_8000_8020_4000, 0x0006_0020_8041_0211, 0x0030_8080_2000_1000, 0x0400_8010_0008_0080,
    0x0002_0009_2200_0410, 0x4009_0008_1F00_2400, 0x0011_0004_0200_8100, 0x6001_0002_4883_0026,
    0x0080_0040_0040_2002, 0x4050_00C0_00A0_0040, 0x4080_1100_2000_4100, 0x0001_8180_4800_1000,
    0x4028_0180_0401_2880, 0x2004_0080_0200_0480, 0x0080_0101_0004_0200, 0x6000_0200_2900_4094,
    0x8100_8000_8020_4004, 0x2241_0042_0020_8200, 0x9188_8202_0016_4220, 0x10B0_0800_8010_0080,
    0x0800_0400_8008_0080, 0x0802_0012_0090_280C, 0x0081_0011_0002_002C, 0x0020_0402_0000_4081,
    0x0080_0820_0440_0041, 0x0100_4000_8480_2000, 0x0320_0020_8080_1000, 0x0028_0008_8080_1001,
    0x0A04_8004_0080_0800, 0x4042_00C8_5600_1014, 0x1800_0110_0400_0208, 0x0000_0080_4200_0421,
    0x8008_8038_4000_8000, 0x0000_5000_2002_4000, 0x0000_4200_8022_0010, 0x1008_4200_0822_0010,
    0x000C_0080_0801_800C, 0x0116_0002_0400_8080, 0x2000_18A5_2A04_0010, 0x0004_1104_6082_0004,
    0x0000_4020_8102_1A00, 0x0260_9020_0040_0080, 0x0020_0010_0080_2080, 0x0010_0810_0021_0100,
    0x8042_0009_2004_1200, 0x0043_0004_0008_1300, 0x0412_0001_0408_0200, 0x0000_2120_4084_0200,
    0x1122_0286_1041_0022, 0x0002_0100_2448_1082, 0x0022_0008_2082_1142, 0x0400_0900_0420_1001,
    0x0802_0004_2009_1002, 0x0001_0004_0008_0201, 0x8900_0102_2810_1084, 0x0188_0044_8034_0302,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    /// Walks from `square` until a blocker or the edge.
    fn walk(square: Square, occupied: Bitboard, rook: bool) -> Bitboard {
        let steps: [(i32, i32); 4] =
            if rook { [(1, 0), (-1, 0), (0, 1), (0, -1)] } else { [(1, 1), (1, -1), (-1, 1), (-1, -1)] };
        let mut attacked = Bitboard::EMPTY;
        for (df, dr) in steps {
            let (mut file, mut rank) = (square.file() as i32 + df, square.rank() as i32 + dr);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let to = Square::at(file as usize, rank as usize);
                attacked |= to.bb();
                if occupied.has(to) {
                    break;
                }
                (file, rank) = (file + df, rank + dr);
            }
        }
        attacked
    }

    #[test]
    fn magics_agree_with_walking() {
        let mut rng = Rng::new(7);
        for square in Bitboard::ALL {
            for _ in 0..2_000 {
                let occupied = Bitboard(rng.next_u64() & rng.next_u64());
                assert_eq!(bishop(square, occupied), walk(square, occupied, false));
                assert_eq!(rook(square, occupied), walk(square, occupied, true));
            }
        }
    }

    /// Tries sparse random factors for each square until one maps no two different attack sets to one
    /// slot, and prints them: `cargo test --lib find_magics -- --ignored --nocapture`.
    #[test]
    #[ignore = "makes the numbers above anew"]
    fn find_magics() {
        let mut rng = Rng::new(0x5A17_0001);
        for rook in [false, true] {
            for square in Bitboard::ALL {
                let mask = relevant(square, rook).0;
                let shift = 64 - mask.count_ones();
                let mut cases = Vec::new();
                let mut blockers = 0;
                loop {
                    cases.push((blockers, walk(square, Bitboard(blockers), rook)));
                    blockers = u64::wrapping_sub(blockers, mask) & mask;
                    if blockers == 0 {
                        break;
                    }
                }
                let mut seen = vec![(0u32, Bitboard::EMPTY); cases.len()];
                let mut round = 0;
                let factor = loop {
                    let factor = rng.next_u64() & rng.next_u64() & rng.next_u64();
                    if (mask.wrapping_mul(factor) >> 56).count_ones() < 6 {
                        continue;
                    }
                    round += 1;
                    let fits = cases.iter().all(|&(blockers, attacks)| {
                        let slot = &mut seen[(blockers.wrapping_mul(factor) >> shift) as usize];
                        if slot.0 != round {
                            *slot = (round, attacks);
                        }
                        slot.1 == attacks
                    });
                    if fits {
                        break factor;
                    }
                };
                print!("0x{factor:016X}, ");
                if square.index() % 4 == 3 {
                    println!();
                }
            }
            println!();
        }
    }
}
