//! Games of Go on disk: moves, search results, and the owner of each point at the end.
//!
//! | bytes | game |
//! |---|---|
//! | 1 | length of a side of the board |
//! | 1 | rules: 0 Chinese |
//! | 2 | komi in half points, signed |
//! | 1 | [`GoEnding`] |
//! | 1 | agreement: 255 when playouts from the end give every point to the side that owns it |
//! | 2 | Black's lead after komi in half points, signed |
//! | 1 | opening: number of moves drawn without a search |
//! | 2 | number of plies |
//! | n | plies: the move (16 bits, the highest set when a [`SearchedPosition`] follows) and the row |
//! | n | owners of the points, two bits each: 0 neither, 1 Black, 2 White |
//!
//! A row: number of its moves, value, score (a byte each), then each move (16 bits) with its share (8 bits).
//! A move is the number of its point, row by row from the lower left; a pass is the number of points.

use super::{Fields, FileHeader, Record, ReplayError, take, take_array};
use crate::game::{Game, Side};
use crate::go::{Board, Move, Point, Position, Rules};
use crate::util::lang::named;

pub const MIN_SIZE: u8 = 5;
pub const MAX_SIZE: u8 = crate::go::MAX_SIZE as u8;
/// Maximum moves of a [`SearchedPosition`]; the least visited are left out.
pub const ROW_MOVES: usize = 16;
/// Maximum number of board sizes in one run.
pub const MAX_SIZES: usize = 5;

/// Set in a move that a row follows.
const HAS_ROW: u16 = 1 << 15;
/// Bits of a size and of its share in the header.
const SIZE_BITS: u32 = 5;
const SHARE_BITS: u32 = 7;

/// Above the sizes in the header: whether playouts were used beside the net.
const HYBRID_BIT: u32 = 63;
const _: () = assert!(MAX_SIZES as u32 * (SIZE_BITS + SHARE_BITS) <= HYBRID_BIT);

pub const MAX_SHARE: u8 = (1 << SHARE_BITS) - 1;

/// Where the games of a file come from.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct GoHeader {
    pub seed: u64,
    /// This part of the run, from 0.
    pub shard: u32,
    pub shards: u32,
    /// Training id of the net that played; 0: playouts did.
    pub net: u64,
    /// Whether playouts were used beside the net.
    pub hybrid: bool,
    /// Visits of a root on boards up to 13x13.
    pub visits: u32,
    pub large_visits: u32,
    /// Sizes of the boards, and the shares of the time that they take; at most [`MAX_SIZES`].
    pub sizes: Vec<(u8, u8)>,
}

impl FileHeader for GoHeader {
    type Record = GoGame;

    fn to_fields(&self) -> Fields {
        let pack = |packed: u64, &(size, share): &(u8, u8)| {
            packed << (SIZE_BITS + SHARE_BITS) | u64::from(size) << SHARE_BITS | u64::from(share)
        };
        let sizes = self.sizes.iter().rev().fold(0, pack) | u64::from(self.hybrid) << HYBRID_BIT;
        Fields {
            game: Position::NAME.to_owned(),
            seed: self.seed,
            shard: self.shard,
            shards: self.shards,
            net: self.net,
            numbers: [self.visits, self.large_visits, sizes as u32, (sizes >> 32) as u32],
        }
    }

    fn from_fields(fields: Fields) -> Self {
        let Fields { seed, shard, shards, net, numbers: [visits, large_visits, low, high], .. } = fields;
        let packed = u64::from(high) << 32 | u64::from(low);
        let hybrid = packed >> HYBRID_BIT & 1 != 0;
        let mut packed = packed & ((1 << HYBRID_BIT) - 1);
        let mut sizes = Vec::new();
        while packed != 0 {
            let share = packed as u8 & MAX_SHARE;
            sizes.push(((packed >> SHARE_BITS) as u8 & ((1 << SIZE_BITS) - 1), share));
            packed >>= SIZE_BITS + SHARE_BITS;
        }
        Self { seed, shard, shards, net, hybrid, visits, large_visits, sizes }
    }
}

named! {
    /// The reason why a game ended. Files have its number, from 0.
    pub enum GoEnding {
        /// Both sides passed.
        Passes = "two passes",
        /// Every point had an owner that it cannot lose.
        Owned = "all owned",
        /// The longest game allowed.
        Length = "length",
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchedPosition {
    /// Expected result of the side to move: 0 lost, 255 won.
    pub value: u8,
    /// Points that the side to move is expected to be ahead, komi included, cut to the range of the type.
    pub score: i8,
    /// Moves by visits, the most visited first, with their shares of the visits in 255ths, which are at least
    /// 1; at most [`ROW_MOVES`].
    pub visits: Vec<(u16, u8)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoPly {
    /// The move, by the number of its point.
    pub mv: u16,
    /// The result of a full search of the position before the move, if one was made.
    pub row: Option<SearchedPosition>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoGame {
    /// Number of the game in its shard.
    pub index: u32,
    /// Length of a side of the board.
    pub size: u8,
    /// Points given to White, in halves.
    pub komi: i16,
    /// Moves at the start that were drawn without a search.
    pub opening: u8,
    pub plies: Vec<GoPly>,
    pub ending: GoEnding,
    /// Black's lead after komi, in half points.
    pub margin: i16,
    /// Share of the owned points that playouts from the end give to their owners, in 255ths.
    pub agreement: u8,
    /// By the number of the point: 0 neither's, 1 Black's, 2 White's.
    pub owners: Vec<u8>,
}

pub fn number(board: &Board, mv: Move) -> u16 {
    let number = if mv == Point::PASS { board.area() } else { board.compact(mv) };
    number as u16
}

/// The move of a number, below or equal to the number of points.
#[allow(clippy::arithmetic_side_effects, reason = "a board has a column")]
pub fn numbered(board: &Board, number: u16) -> Move {
    let number = usize::from(number);
    if number >= board.area() {
        return Point::PASS;
    }
    Point::new(number % board.width(), number / board.width())
}

impl GoGame {
    /// The board before the first move, with komi.
    pub fn start(&self) -> Position {
        let size = usize::from(self.size);
        let mut position = Position::new(size, size, Rules::CHINESE);
        position.set_komi(f32::from(self.komi) / 2.0);
        position
    }

    /// Who won; `None`: a draw.
    pub fn winner(&self) -> Option<Side> {
        match self.margin {
            0 => None,
            1.. => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    /// Plays the game again and calls `visit(position, move, ply)` before each move. Returns the final
    /// position.
    /// # Errors
    /// When a move is not legal; the plies before it were visited.
    pub fn replay(&self, mut visit: impl FnMut(&Position, Move, &GoPly)) -> Result<Position, ReplayError> {
        let mut position = self.start();
        for (at, ply) in self.plies.iter().enumerate() {
            let mv = numbered(position.board(), ply.mv);
            let side = position.side_to_move();
            if usize::from(ply.mv) > position.board().area() || position.check(side, mv).is_err() {
                return Err(ReplayError::illegal(self.index, at, ply.mv));
            }
            visit(&position, mv, ply);
            position.do_move(mv, &mut ());
        }
        Ok(position)
    }
}

impl Record for GoGame {
    type Header = GoHeader;
    /// A game may take a minute.
    const BLOCK_GAMES: u32 = 1;

    fn index(&self) -> u32 {
        self.index
    }

    fn positions(&self) -> u64 {
        self.plies.iter().filter(|ply| ply.row.is_some()).count() as u64
    }

    fn encode(&self, out: &mut Vec<u8>) {
        debug_assert!(self.plies.len() < 65_536 && self.owners.len() == usize::from(self.size).pow(2));
        out.extend_from_slice(&[self.size, 0]);
        out.extend_from_slice(&self.komi.to_le_bytes());
        out.extend_from_slice(&[self.ending as u8, self.agreement]);
        out.extend_from_slice(&self.margin.to_le_bytes());
        out.push(self.opening);
        out.extend_from_slice(&(self.plies.len() as u16).to_le_bytes());
        for ply in &self.plies {
            let flag = if ply.row.is_some() { HAS_ROW } else { 0 };
            out.extend_from_slice(&(ply.mv | flag).to_le_bytes());
            let Some(SearchedPosition { value, score, visits }) = &ply.row else { continue };
            debug_assert!(visits.len() <= ROW_MOVES);
            out.extend_from_slice(&[visits.len() as u8, *value, *score as u8]);
            for (mv, share) in visits {
                out.extend_from_slice(&mv.to_le_bytes());
                out.push(*share);
            }
        }
        let four = |owners: &[u8]| owners.iter().rev().fold(0, |byte, owner| byte << 2 | owner);
        out.extend(self.owners.chunks(4).map(four));
    }

    fn decode(bytes: &mut &[u8], index: u32) -> Option<Self> {
        let [size, rules, k0, k1, ending, agreement, m0, m1, opening, n0, n1] = take_array(bytes)?;
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) || rules != 0 {
            return None;
        }
        let area = u16::from(size).pow(2);
        let count = usize::from(u16::from_le_bytes([n0, n1]));
        let mut plies = Vec::with_capacity(count.min(bytes.len() / 2));
        for _ in 0..count {
            plies.push(decode_ply(bytes, area)?);
        }
        let packed = take(bytes, usize::from(area).div_ceil(4))?;
        let owners = packed.iter().flat_map(|&byte| [0, 2, 4, 6].map(|shift| byte >> shift & 3));
        let owners: Vec<u8> = owners.take(area.into()).collect();
        Some(Self {
            index,
            size,
            komi: i16::from_le_bytes([k0, k1]),
            opening,
            plies,
            ending: *GoEnding::ALL.get(usize::from(ending))?,
            margin: i16::from_le_bytes([m0, m1]),
            agreement,
            owners: owners.iter().all(|&owner| owner < 3).then_some(owners)?,
        })
    }
}

fn decode_ply(bytes: &mut &[u8], area: u16) -> Option<GoPly> {
    let word = |bytes: &mut &[u8]| take_array(bytes).map(u16::from_le_bytes);
    let bits = word(bytes)?;
    let mv = bits & !HAS_ROW;
    let mut ply = GoPly { mv, row: None };
    if bits & HAS_ROW != 0 {
        let [count, value, score] = take_array(bytes)?;
        if usize::from(count) > ROW_MOVES {
            return None;
        }
        let mut visits = Vec::with_capacity(usize::from(count));
        for _ in 0..count {
            let mv = word(bytes)?;
            let [share] = take_array(bytes)?;
            visits.push((mv, share));
        }
        if visits.iter().any(|&(mv, _)| mv > area) {
            return None;
        }
        ply.row = Some(SearchedPosition { value, score: score as i8, visits });
    }
    (mv <= area).then_some(ply)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{come_back, read_all, write_all};
    use super::*;
    use crate::util::rng::Rng;

    fn header() -> GoHeader {
        let sizes = vec![(9, 40), (13, 25), (19, 35), (25, 127), (5, 1)];
        GoHeader {
            seed: 7,
            shard: 1,
            shards: 3,
            net: 0xABCD,
            hybrid: true,
            visits: 400,
            large_visits: 300,
            sizes,
        }
    }

    fn game(index: u32, rng: &mut Rng) -> GoGame {
        let size = 5 + rng.below(21) as u8;
        let area = usize::from(size).pow(2);
        let row = |rng: &mut Rng| SearchedPosition {
            value: rng.next_u64() as u8,
            score: rng.next_u64() as i8,
            visits: (0..rng.below(17))
                .map(|_| (rng.below(area + 1) as u16, 1 + rng.below(255) as u8))
                .collect(),
        };
        let ply = |rng: &mut Rng| GoPly {
            mv: rng.below(area + 1) as u16,
            row: (rng.below(3) > 0).then(|| row(rng)),
        };
        GoGame {
            index,
            size,
            komi: rng.next_u64() as i16,
            opening: rng.below(9) as u8,
            plies: (0..rng.below(60)).map(|_| ply(rng)).collect(),
            ending: GoEnding::ALL[rng.below(3)],
            margin: rng.next_u64() as i16,
            agreement: rng.next_u64() as u8,
            owners: (0..area).map(|_| rng.below(3) as u8).collect(),
        }
    }

    fn games(count: u32, seed: u64) -> Vec<GoGame> {
        let mut rng = Rng::new(seed);
        (0..count).map(|index| game(index, &mut rng)).collect()
    }

    #[test]
    fn games_and_header_come_back_as_written() {
        come_back(&header(), &games(100, 1), "go");
    }

    #[test]
    fn every_flipped_byte_is_refused() {
        let games = games(3, 2);
        let bytes = write_all(&header(), &games);
        for at in 0..bytes.len() {
            for flip in [1, 0x80, 0xFF] {
                let mut broken = bytes.clone();
                broken[at] ^= flip;
                let (good, bad) = read_all::<GoGame>(&broken, "go");
                assert!(!bad.is_empty() && good.len() < 3, "byte {at}");
                assert!(good.iter().all(|game| games.contains(game)), "byte {at} made up a game");
            }
        }
    }

    #[test]
    fn what_is_no_game_is_not_decoded() {
        let game = games(1, 3).remove(0);
        let mut good = Vec::new();
        game.encode(&mut good);
        assert_eq!(GoGame::decode(&mut &good[..], 0).as_ref(), Some(&game));
        let broken = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            GoGame::decode(&mut &bytes[..], 0).is_some()
        };
        assert!(!broken(0, 4) && !broken(0, 26) && !broken(1, 1) && !broken(4, 3), "size, rules, ending");
        assert!(!broken(good.len() - 1, 0xFF), "an owner of 3");
        for length in 0..good.len() {
            assert_eq!(GoGame::decode(&mut &good[..length], 0), None);
        }
    }
}
