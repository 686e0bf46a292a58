//! Where pieces can go, by tables that the compiler fills.
//!
//! A chariot's or cannon's targets on its rank and on its file depend on one occupancy word each, so two
//! look-ups give them (the idea of ElephantEye, <https://github.com/xqbase/eleeye>). Horses and elephants
//! have at most four legs or eyes to test.

use super::bitboard::Bitboard;
use super::types::{FILES, RANKS, SQUARES, Square};
use crate::game::Side;

/// Which points are occupied: as a set, as a word per rank and as a word per file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    /// All of them.
    pub all: Bitboard,
    /// Bit `file` of word `rank`.
    ranks: [u16; RANKS],
    /// Bit `rank` of word `file`.
    files: [u16; FILES],
}

impl Occupancy {
    /// Occupies a free point, or frees an occupied one.
    #[inline(always)]
    pub fn toggle(&mut self, sq: Square) {
        let (file, rank) = (sq.file(), sq.rank());
        self.all ^= Bitboard::of(sq);
        self.ranks[rank] ^= 1 << file;
        self.files[file] ^= 1 << rank;
    }

    /// The occupancy after a piece went from an occupied point to a free or an enemy's one.
    #[inline(always)]
    #[must_use]
    pub fn after(mut self, from: Square, to: Square) -> Self {
        self.toggle(from);
        if !self.all.has(to) {
            self.toggle(to);
        }
        self
    }

    /// Points that a chariot on `sq` reaches: free ones, and the first occupied one each way.
    #[inline(always)]
    pub fn chariot(&self, sq: Square) -> Bitboard {
        self.lines(sq, &RANK_CHARIOT, &FILE_CHARIOT)
    }

    /// Occupied points that a cannon on `sq` aims at: the second occupied one each way.
    #[inline(always)]
    pub fn cannon(&self, sq: Square) -> Bitboard {
        self.lines(sq, &RANK_CANNON, &FILE_CANNON)
    }

    #[inline(always)]
    fn lines(
        &self,
        sq: Square,
        by_rank: &LineTable<512, FILES>,
        by_file: &LineTable<1024, RANKS>,
    ) -> Bitboard {
        let (file, rank) = (sq.file(), sq.rank());
        let along = by_rank[file][(self.ranks[rank] & 511) as usize] as u128;
        let across = by_file[rank][(self.files[file] & 1023) as usize];
        Bitboard(along << (FILES * rank) | COLUMN[(across & 1023) as usize] << file)
    }

    /// Points that a horse on `sq` reaches.
    #[inline(always)]
    pub fn horse(&self, sq: Square) -> Bitboard {
        self.hops(&HORSE_FROM[sq.index()])
    }

    /// Points from which a horse reaches `sq`.
    #[inline(always)]
    pub fn horse_to(&self, sq: Square) -> Bitboard {
        self.hops(&HORSE_TO[sq.index()])
    }

    /// Points that an elephant on `sq` reaches; the way back is the same.
    #[inline(always)]
    pub fn elephant(&self, sq: Square) -> Bitboard {
        self.hops(&ELEPHANT_FROM[sq.index()])
    }

    #[inline(always)]
    fn hops(&self, hops: &[Hop; 4]) -> Bitboard {
        let mut out = Bitboard::EMPTY;
        for hop in hops {
            if !self.all.meets(hop.blocked_by) {
                out |= hop.reaches;
            }
        }
        out
    }
}

/// A jump that a piece on one point hinders.
#[derive(Clone, Copy)]
struct Hop {
    blocked_by: Bitboard,
    reaches: Bitboard,
}

type LineTable<const WORDS: usize, const N: usize> = [[u16; WORDS]; N];

/// Targets on a line of `N` points, for a piece at each point and each occupancy. With `SKIP` 0 those
/// of a chariot, with `SKIP` 1 the occupied ones behind exactly one screen.
const fn line_table<const WORDS: usize, const N: usize>(skip: u32) -> LineTable<WORDS, N> {
    let mut table = [[0; WORDS]; N];
    let mut at = 0;
    while at < N {
        let mut occupied = 0;
        while occupied < WORDS {
            table[at][occupied] = ray(at, occupied, N, skip, false) | ray(at, occupied, N, skip, true);
            occupied += 1;
        }
        at += 1;
    }
    table
}

const fn ray(at: usize, occupied: usize, len: usize, skip: u32, up: bool) -> u16 {
    let mut out = 0;
    let mut met = 0;
    let mut point = at;
    while if up { point + 1 < len } else { point > 0 } {
        point = if up { point + 1 } else { point - 1 };
        let hit = occupied >> point & 1 != 0;
        if met == skip && (skip == 0 || hit) {
            out |= 1 << point;
        }
        if hit {
            met += 1;
            if met > skip {
                break;
            }
        }
    }
    out
}

static RANK_CHARIOT: LineTable<512, FILES> = line_table(0);
static RANK_CANNON: LineTable<512, FILES> = line_table(1);
static FILE_CHARIOT: LineTable<1024, RANKS> = line_table(0);
static FILE_CANNON: LineTable<1024, RANKS> = line_table(1);

/// The points of file `a` whose ranks are the bits of a word.
static COLUMN: [u128; 1024] = {
    let mut table = [0; 1024];
    let mut word = 0;
    while word < 1024 {
        let mut rank = 0;
        while rank < RANKS {
            if word >> rank & 1 != 0 {
                table[word] |= 1 << (rank * FILES);
            }
            rank += 1;
        }
        word += 1;
    }
    table
};

/// `sq` moved by some files and ranks, as a set that is empty when that leaves the board.
const fn offset(sq: usize, files: isize, ranks: isize) -> u128 {
    let file = (sq % FILES) as isize + files;
    let rank = (sq / FILES) as isize + ranks;
    if file < 0 || rank < 0 { 0 } else { point(file as usize, rank as usize) }
}

const fn point(file: usize, rank: usize) -> u128 {
    match Square::at(file, rank) {
        Some(sq) => 1 << sq.index(),
        None => 0,
    }
}

const STRAIGHT: [(isize, isize); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const NO_HOP: Hop = Hop { blocked_by: Bitboard::EMPTY, reaches: Bitboard::EMPTY };

/// A horse steps straight onto its leg, then diagonally onward.
const fn horse_from() -> [[Hop; 4]; SQUARES] {
    let mut table = [[NO_HOP; 4]; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut way = 0;
        while way < 4 {
            let (f, r) = STRAIGHT[way];
            let reaches = offset(sq, 2 * f + r, 2 * r + f) | offset(sq, 2 * f - r, 2 * r - f);
            table[sq][way] = Hop { blocked_by: Bitboard(offset(sq, f, r)), reaches: Bitboard(reaches) };
            way += 1;
        }
        sq += 1;
    }
    table
}

/// Seen from the target, the leg is a diagonal neighbor, and two horses share it.
const fn horse_to() -> [[Hop; 4]; SQUARES] {
    let mut table = [[NO_HOP; 4]; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut way = 0;
        while way < 4 {
            let (f, r) = DIAGONAL[way];
            let reaches = offset(sq, 2 * f, r) | offset(sq, f, 2 * r);
            table[sq][way] = Hop { blocked_by: Bitboard(offset(sq, f, r)), reaches: Bitboard(reaches) };
            way += 1;
        }
        sq += 1;
    }
    table
}

const fn elephant_from() -> [[Hop; 4]; SQUARES] {
    let mut table = [[NO_HOP; 4]; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let half = if sq < SQUARES / 2 { HOME[0] } else { HOME[1] };
        let mut way = 0;
        while way < 4 {
            let (f, r) = DIAGONAL[way];
            let reaches = offset(sq, 2 * f, 2 * r) & half.0;
            table[sq][way] = Hop { blocked_by: Bitboard(offset(sq, f, r)), reaches: Bitboard(reaches) };
            way += 1;
        }
        sq += 1;
    }
    table
}

static HORSE_FROM: [[Hop; 4]; SQUARES] = horse_from();
static HORSE_TO: [[Hop; 4]; SQUARES] = horse_to();
static ELEPHANT_FROM: [[Hop; 4]; SQUARES] = elephant_from();

/// The half of the board that belongs to each side.
pub const HOME: [Bitboard; 2] =
    [Bitboard((1 << (SQUARES / 2)) - 1), Bitboard(Bitboard::ALL.0 & !((1 << (SQUARES / 2)) - 1))];

/// Each side's palace.
pub const PALACE: [Bitboard; 2] = [palace(0), palace(7)];

/// The five points of a side's advisors.
pub const ADVISOR_POINTS: [Bitboard; 2] = [advisor_points(0), advisor_points(7)];

/// The seven points of a side's elephants.
pub const ELEPHANT_POINTS: [Bitboard; 2] = [
    Bitboard(point(2, 0) | point(6, 0) | point(0, 2) | point(4, 2) | point(8, 2) | point(2, 4) | point(6, 4)),
    Bitboard(point(2, 9) | point(6, 9) | point(0, 7) | point(4, 7) | point(8, 7) | point(2, 5) | point(6, 5)),
];

/// Points where a side's soldier can stand: its starting files up to the river, anywhere beyond it.
pub const SOLDIER_POINTS: [Bitboard; 2] = [soldier_points(3, 4, 1), soldier_points(6, 5, 0)];

const fn palace(low: usize) -> Bitboard {
    let mut set = 0;
    let mut rank = low;
    while rank < low + 3 {
        set |= point(3, rank) | point(4, rank) | point(5, rank);
        rank += 1;
    }
    Bitboard(set)
}

const fn advisor_points(low: usize) -> Bitboard {
    let corners = point(3, low) | point(5, low) | point(3, low + 2) | point(5, low + 2);
    Bitboard(corners | point(4, low + 1))
}

const fn soldier_points(start: usize, bank: usize, beyond: usize) -> Bitboard {
    let mut set = HOME[beyond].0;
    let mut file = 0;
    while file < FILES {
        set |= point(file, start) | point(file, bank);
        file += 2;
    }
    Bitboard(set)
}

/// One straight step inside the palaces: a general's moves.
pub static GENERAL: [Bitboard; SQUARES] = steps(&STRAIGHT);
/// One diagonal step between advisor points: an advisor's moves, there and back.
pub static ADVISOR: [Bitboard; SQUARES] = {
    let mut table = steps(&DIAGONAL);
    let points = ADVISOR_POINTS[0].0 | ADVISOR_POINTS[1].0;
    let mut sq = 0;
    while sq < SQUARES {
        table[sq].0 &= if points >> sq & 1 != 0 { points } else { 0 };
        sq += 1;
    }
    table
};

const fn steps(ways: &[(isize, isize); 4]) -> [Bitboard; SQUARES] {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let palaces = PALACE[0].0 | PALACE[1].0;
    let mut sq = 0;
    while sq < SQUARES {
        let mut way = 0;
        while way < 4 {
            if palaces >> sq & 1 != 0 {
                table[sq].0 |= offset(sq, ways[way].0, ways[way].1) & palaces;
            }
            way += 1;
        }
        sq += 1;
    }
    table
}

/// Where a soldier of each side goes from a point.
static SOLDIER: [[Bitboard; SQUARES]; 2] = soldiers(false);
/// Where a soldier of each side comes from, to a point.
static SOLDIER_TO: [[Bitboard; SQUARES]; 2] = soldiers(true);

const fn soldiers(backward: bool) -> [[Bitboard; SQUARES]; 2] {
    let mut table = [[Bitboard::EMPTY; SQUARES]; 2];
    let mut side = 0;
    while side < 2 {
        let ahead = if (side == 0) != backward { 1 } else { -1 };
        let mut sq = 0;
        while sq < SQUARES {
            let across = HOME[1 - side].0 >> sq & 1 != 0;
            let sideways = if across { offset(sq, 1, 0) | offset(sq, -1, 0) } else { 0 };
            table[side][sq] = Bitboard(offset(sq, 0, ahead) | sideways);
            sq += 1;
        }
        side += 1;
    }
    table
}

/// Points that a soldier of `side` on `sq` reaches.
#[inline(always)]
pub fn soldier(side: Side, sq: Square) -> Bitboard {
    SOLDIER[side.index()][sq.index()]
}

/// Points from which a soldier of `side` reaches `sq`.
#[inline(always)]
pub fn soldier_to(side: Side, sq: Square) -> Bitboard {
    SOLDIER_TO[side.index()][sq.index()]
}

/// Rank and file of a point, without the point.
#[inline(always)]
pub fn cross(sq: Square) -> Bitboard {
    CROSS[sq.index()]
}

/// Points from which a horse could reach `sq` if no leg were blocked.
#[inline(always)]
pub fn horse_ring(sq: Square) -> Bitboard {
    HORSE_RING[sq.index()]
}

/// The diagonal neighbors of a point: the legs of all horses that could reach it.
#[inline(always)]
pub fn legs(sq: Square) -> Bitboard {
    LEGS[sq.index()]
}

/// Points strictly between two points of one rank or file; none for other pairs.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The leg that a horse on `from` needs free to reach `to`, a horse's jump away.
#[inline(always)]
pub fn leg(from: Square, to: Square) -> Bitboard {
    let hops = &HORSE_FROM[from.index()];
    hops.iter().find(|hop| hop.reaches.has(to)).map_or(Bitboard::EMPTY, |hop| hop.blocked_by)
}

static CROSS: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let rank = 0x1FF << (sq / FILES * FILES);
        let file = COLUMN[1023] << (sq % FILES);
        table[sq] = Bitboard((rank | file) & !(1 << sq));
        sq += 1;
    }
    table
};

static HORSE_RING: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut way = 0;
        while way < 4 {
            table[sq].0 |= HORSE_TO[sq][way].reaches.0;
            way += 1;
        }
        sq += 1;
    }
    table
};

static LEGS: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut way = 0;
        while way < 4 {
            table[sq].0 |= offset(sq, DIAGONAL[way].0, DIAGONAL[way].1);
            way += 1;
        }
        sq += 1;
    }
    table
};

static BETWEEN: [[Bitboard; SQUARES]; SQUARES] = {
    let mut table = [[Bitboard::EMPTY; SQUARES]; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut way = 0;
        while way < 4 {
            let (f, r) = STRAIGHT[way];
            let mut passed = 0;
            let mut step = 1;
            loop {
                let here = offset(sq, f * step, r * step);
                if here == 0 {
                    break;
                }
                table[sq][here.trailing_zeros() as usize] = Bitboard(passed);
                passed |= here;
                step += 1;
            }
            way += 1;
        }
        sq += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn sq(name: &str) -> Square {
        let bytes = name.as_bytes();
        Square::at((bytes[0] - b'a') as usize, (bytes[1] - b'0') as usize).unwrap()
    }

    fn set(names: &str) -> Bitboard {
        names.split_whitespace().map(sq).collect()
    }

    fn occupied(names: &str) -> Occupancy {
        let mut occ = Occupancy::default();
        set(names).for_each(|sq| occ.toggle(sq));
        occ
    }

    #[test]
    fn chariots_stop_at_the_first_piece_and_cannons_aim_at_the_second() {
        let occ = occupied("e4 g4 h4 e6 e8 e2 a4");
        assert_eq!(occ.chariot(sq("e4")), set("d4 c4 b4 a4 f4 g4 e5 e6 e3 e2"));
        assert_eq!(occ.cannon(sq("e4")), set("h4 e8"));
    }

    #[test]
    fn horses_need_their_leg() {
        let occ = occupied("e4 e5");
        assert_eq!(occ.horse(sq("e4")), set("c5 c3 g5 g3 d2 f2"));
        for from in (0..SQUARES).map(|n| Square::new(n).unwrap()) {
            for to in occ.horse(from) {
                assert!(occ.horse_to(to).has(from));
                assert!(horse_ring(to).has(from) && legs(to).meets(leg(from, to)));
            }
            for back in occ.horse_to(from) {
                assert!(occ.horse(back).has(from));
            }
        }
    }

    #[test]
    fn elephants_stay_home_and_need_the_eye() {
        assert_eq!(occupied("f1").elephant(sq("g0")), set("i2"));
        assert_eq!(occupied("").elephant(sq("g4")), set("e2 i2"));
        assert_eq!(occupied("").elephant(sq("c5")), set("a7 e7"));
    }

    #[test]
    fn soldiers_never_go_back() {
        assert_eq!(soldier(Side::First, sq("e4")), set("e5"));
        assert_eq!(soldier(Side::First, sq("e5")), set("e6 d5 f5"));
        assert_eq!(soldier(Side::Second, sq("a4")), set("a3 b4"));
        for side in [Side::First, Side::Second] {
            for from in SOLDIER_POINTS[side.index()] {
                for to in soldier(side, from) {
                    assert!(soldier_to(side, to).has(from), "{from}{to}");
                }
            }
        }
    }

    #[test]
    fn palaces_bound_generals_and_advisors() {
        assert_eq!(GENERAL[sq("e0").index()], set("d0 f0 e1"));
        assert_eq!(ADVISOR[sq("e1").index()], set("d0 f0 d2 f2"));
        assert_eq!(ADVISOR[sq("e0").index()], Bitboard::EMPTY);
        assert_eq!(between(sq("e0"), sq("e3")), set("e1 e2"));
        assert_eq!(between(sq("e0"), sq("d3")), Bitboard::EMPTY);
    }
}
