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

    /// Points on which a cannon on `sq` could capture: those behind the first occupied one each way, up to
    /// the second.
    #[inline(always)]
    pub fn behind_screens(&self, sq: Square) -> Bitboard {
        self.lines(sq, &RANK_BEHIND, &FILE_BEHIND)
    }

    /// Points of its file that a chariot on `sq` reaches.
    #[inline(always)]
    pub fn along_file(&self, sq: Square) -> Bitboard {
        let (file, rank) = (sq.file(), sq.rank());
        let across = FILE_CHARIOT[rank][(self.files[file] & 1023) as usize];
        Bitboard(COLUMN[(across & 1023) as usize] << file)
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

    #[inline(always)]
    pub fn horse(&self, sq: Square) -> Bitboard {
        self.hops(sq, &STRAIGHT_NEIGHBORS, &HORSE)
    }

    /// Points from which a horse reaches `sq`.
    #[inline(always)]
    pub fn horse_to(&self, sq: Square) -> Bitboard {
        self.hops(sq, &DIAGONAL_NEIGHBORS, &HORSE_BACK)
    }

    /// Points that an elephant on `sq` reaches; the way back is the same.
    #[inline(always)]
    pub fn elephant(&self, sq: Square) -> Bitboard {
        self.hops(sq, &DIAGONAL_NEIGHBORS, &ELEPHANT)
    }

    #[inline(always)]
    fn hops(&self, sq: Square, neighbors: &Neighbors, table: &HopTable) -> Bitboard {
        table[sq.index()][neighbors.index((self.all.0 << SURROUNDINGS >> sq.index()) as u32)]
    }
}

/// Points of the board before a point that its surroundings begin with: one rank and one file.
const SURROUNDINGS: usize = FILES + 1;

/// Which of the four neighbors of a point that hinder a jump are occupied, as a number from 0 to 15.
/// <https://www.chessprogramming.org/Magic_Bitboards>
struct Neighbors {
    /// Their places in the surroundings of the point.
    mask: u32,
    /// What brings the bits of `mask` to the highest four, each set of them to other ones.
    factor: u32,
}

const STRAIGHT_NEIGHBORS: Neighbors =
    Neighbors { mask: around(&STRAIGHT), factor: 1 << 9 | 1 << 20 | 1 << 29 };
const DIAGONAL_NEIGHBORS: Neighbors = Neighbors { mask: around(&DIAGONAL), factor: 1 << 10 | 1 << 29 };

impl Neighbors {
    #[inline(always)]
    const fn index(&self, surroundings: u32) -> usize {
        ((surroundings & self.mask).wrapping_mul(self.factor) >> 28) as usize
    }
}

/// The places around a point that lie this many files and ranks away.
const fn around(ways: &[(isize, isize); 4]) -> u32 {
    let (mut mask, mut way) = (0, 0);
    while way < 4 {
        mask |= place(ways[way]);
        way += 1;
    }
    mask
}

const fn place((files, ranks): (isize, isize)) -> u32 {
    1 << (SURROUNDINGS as isize + files + ranks * FILES as isize)
}

/// Where jumps lead, by point and [`Neighbors::index`].
type HopTable = [[Bitboard; 16]; SQUARES];

/// The table of jumps that each a neighbor in one of these directions hinders.
const fn hop_table(
    ways: &[(isize, isize); 4],
    neighbors: &Neighbors,
    hops: &[[Hop; 4]; SQUARES],
) -> HopTable {
    let mut table = [[Bitboard::EMPTY; 16]; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut occupied = 0;
        while occupied < 16 {
            let (mut surroundings, mut reached, mut way) = (0, 0, 0);
            while way < 4 {
                if occupied >> way & 1 != 0 {
                    surroundings |= place(ways[way]);
                } else {
                    reached |= hops[sq][way].reaches.0;
                }
                way += 1;
            }
            table[sq][neighbors.index(surroundings)] = Bitboard(reached);
            occupied += 1;
        }
        sq += 1;
    }
    table
}

/// A jump that a piece on one point hinders.
#[derive(Clone, Copy)]
struct Hop {
    blocked_by: Bitboard,
    reaches: Bitboard,
}

type LineTable<const WORDS: usize, const N: usize> = [[u16; WORDS]; N];

/// What a [`line_table`] lists.
#[derive(Clone, Copy)]
enum Reach {
    /// Points up to the first occupied one.
    Chariot,
    /// The second occupied point.
    Cannon,
    /// Points behind the first occupied one, up to the second.
    Behind,
}

/// Targets on a line of `N` points, for a piece at each point and each occupancy.
const fn line_table<const WORDS: usize, const N: usize>(reach: Reach) -> LineTable<WORDS, N> {
    let mut table = [[0; WORDS]; N];
    let mut at = 0;
    while at < N {
        let mut occupied = 0;
        while occupied < WORDS {
            table[at][occupied] = ray(at, occupied, N, reach, false) | ray(at, occupied, N, reach, true);
            occupied += 1;
        }
        at += 1;
    }
    table
}

const fn ray(at: usize, occupied: usize, len: usize, reach: Reach, up: bool) -> u16 {
    let mut out = 0;
    let mut met = 0;
    let mut point = at;
    while if up { point + 1 < len } else { point > 0 } {
        point = if up { point + 1 } else { point - 1 };
        let hit = occupied >> point & 1 != 0;
        let reached = match reach {
            Reach::Chariot => met == 0,
            Reach::Cannon => met == 1 && hit,
            Reach::Behind => met == 1,
        };
        if reached {
            out |= 1 << point;
        }
        met += hit as u32;
    }
    out
}

static RANK_CHARIOT: LineTable<512, FILES> = line_table(Reach::Chariot);
static RANK_CANNON: LineTable<512, FILES> = line_table(Reach::Cannon);
static RANK_BEHIND: LineTable<512, FILES> = line_table(Reach::Behind);
static FILE_CHARIOT: LineTable<1024, RANKS> = line_table(Reach::Chariot);
static FILE_CANNON: LineTable<1024, RANKS> = line_table(Reach::Cannon);
static FILE_BEHIND: LineTable<1024, RANKS> = line_table(Reach::Behind);

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

enum Jump {
    Horse,
    /// To a target, seen from there.
    HorseBack,
    Elephant,
}

/// The jumps from each point over its neighbor in each direction.
const fn jumps(jump: &Jump) -> [[Hop; 4]; SQUARES] {
    let ways = if let Jump::Horse = jump { &STRAIGHT } else { &DIAGONAL };
    let mut table = [[NO_HOP; 4]; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut way = 0;
        while way < 4 {
            let (f, r) = ways[way];
            let reaches = match jump {
                // It steps straight onto its leg, then diagonally onward.
                Jump::Horse => offset(sq, 2 * f + r, 2 * r + f) | offset(sq, 2 * f - r, 2 * r - f),
                // The leg is a diagonal neighbor, and two horses share it.
                Jump::HorseBack => offset(sq, 2 * f, r) | offset(sq, f, 2 * r),
                Jump::Elephant => offset(sq, 2 * f, 2 * r) & HOME[2 * sq / SQUARES].0,
            };
            table[sq][way] = Hop { blocked_by: Bitboard(offset(sq, f, r)), reaches: Bitboard(reaches) };
            way += 1;
        }
        sq += 1;
    }
    table
}

static HORSE_FROM: [[Hop; 4]; SQUARES] = jumps(&Jump::Horse);
static HORSE: HopTable = hop_table(&STRAIGHT, &STRAIGHT_NEIGHBORS, &jumps(&Jump::Horse));
static HORSE_BACK: HopTable = hop_table(&DIAGONAL, &DIAGONAL_NEIGHBORS, &jumps(&Jump::HorseBack));
static ELEPHANT: HopTable = hop_table(&DIAGONAL, &DIAGONAL_NEIGHBORS, &jumps(&Jump::Elephant));

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

#[inline(always)]
pub fn soldier(side: Side, sq: Square) -> Bitboard {
    SOLDIER[side.index()][sq.index()]
}

/// Points from which a soldier of `side` reaches `sq`.
#[inline(always)]
pub fn soldier_to(side: Side, sq: Square) -> Bitboard {
    SOLDIER_TO[side.index()][sq.index()]
}

/// Where the soldiers of `side` on `from` go: ahead, and to both sides of those across the river.
#[inline(always)]
pub fn soldier_steps(side: Side, from: Bitboard) -> (Bitboard, [Bitboard; 2]) {
    let ahead = match side {
        Side::First => Bitboard(from.0 << FILES) & Bitboard::ALL,
        Side::Second => Bitboard(from.0 >> FILES),
    };
    let across = from & HOME[side.other().index()];
    let (first, last) = (Bitboard(COLUMN[1023]), Bitboard(COLUMN[1023] << (FILES - 1)));
    (ahead, [Bitboard(across.without(first).0 >> 1), Bitboard(across.without(last).0 << 1)])
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
    let hops = jumps(&Jump::HorseBack);
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut sq = 0;
    while sq < SQUARES {
        let mut way = 0;
        while way < 4 {
            table[sq].0 |= hops[sq][way].reaches.0;
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
mod tests;
