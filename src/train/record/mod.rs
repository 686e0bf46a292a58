//! Self-play games on disk: the moves, the score of each, and how the game ended.
//!
//! A file is a 64-byte [`RecordHeader`] and blocks of games, each with a length and a CRC-32, so that files
//! of many machines concatenate (`cat a b > c`) and a tail torn by a crash is found and cut. A game costs
//! about 4.3 bytes a position: a position is stored as the move that leads out of it, and comes back by
//! playing the game again, which also checks every move against the rules.
//!
//! All numbers are little-endian.
//!
//! | bytes | header | | bytes | block |
//! |---|---|---|---|---|
//! | 8 | `SANQIREC` | | 4 | `SQBK` |
//! | 4 | version, 2 | | 4 | length of the payload |
//! | 8 | game (`chess`, zero padded) | | 4 | number of games |
//! | 8 | seed | | 4 | number of the first game in its shard |
//! | 4, 4 | shard, shards | | 4 | CRC-32 of the 16 bytes above and the payload |
//! | 4, 4 | soft and hard node limit | | n | games |
//! | 8 | training id of the net that played, 0: hand-made evaluation | | | |
//! | 4 | thousandths of the moves that are random | | | |
//! | 4 | 0; a file with another number has lines off its games, and is refused | | | |
//! | 4 | CRC-32 of the 60 bytes above | | | |
//!
//! A game: result (2 bits: 0 second side wins, 1 draw, 2 first side wins) with the [`EndReason`] above them
//! (3 bits); length of the start FEN (0: the game's own starting position), FEN, number of opening moves, the
//! moves (16 bits each), number of plies (16 bits), then for each ply the move (16 bits) and the score (16
//! bits, signed, from the side to move; -32768: the move is random and there is no score). Version 1 is the
//! same.
//!
//! That is a game of chess or xiangqi. Games of [`go`] lie in the same blocks; their header has numbers of
//! its own where the node limits, the random moves and the 0 stand here.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

pub mod go;
mod reader;
mod writer;

pub use reader::{Reader, RecordError, game_of};
pub use writer::{Resumed, Writer, WriterError};

use crate::ensure;
use crate::game::{AlphaBetaGame, Side, Text, Verdict};
use crate::util::bytes::{u32_at, u64_at};
use crate::util::lang::named;
use crate::util::message::Message;
use crate::{errors, message};

/// First bytes of a file.
pub const MAGIC: [u8; 8] = *b"SANQIREC";
pub const BLOCK_MAGIC: [u8; 4] = *b"SQBK";
/// The version written, and the newest one read; older ones are read too.
pub const VERSION: u32 = 2;
/// Maximum length of a payload: garbage must not make a reader allocate without end.
pub const MAX_PAYLOAD: usize = 1 << 22;
/// Scores beyond this are mates. Stored scores are clamped to it.
pub const MATE_SCORE: i16 = 30_000;
/// In the place of a score: the move was drawn at random, without a search.
pub const NO_SCORE: i16 = i16::MIN;

const HEADER_BYTES: usize = 64;
const BLOCK_HEADER_BYTES: usize = 20;

pub trait Record: Sized {
    type Header: FileHeader<Record = Self>;
    /// Games in a block. A crash loses fewer than this, and a resumed run plays those again.
    const BLOCK_GAMES: u32;
    /// Number of the game in its shard.
    fn index(&self) -> u32;
    /// Positions in it that a trainer can use.
    fn positions(&self) -> u64;
    fn encode(&self, out: &mut Vec<u8>);
    /// Takes one game off the front of `bytes`. `None`: they are not a game.
    fn decode(bytes: &mut &[u8], index: u32) -> Option<Self>;
}

/// Where the games of a file come from: the settings that they depend on.
pub trait FileHeader: Clone + PartialEq + std::fmt::Debug {
    type Record: Record<Header = Self>;
    fn to_fields(&self) -> Fields;
    /// Inverse of [`to_fields`](Self::to_fields); invalid numbers become valid
    /// ones.
    fn from_fields(fields: Fields) -> Self;
}

/// The contents of a header: what every game has, and four numbers that each game has its own meaning for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Name of the game, at most eight bytes.
    pub game: String,
    pub seed: u64,
    /// This part of the run, from 0.
    pub shard: u32,
    pub shards: u32,
    /// Training id of the net that played; 0: none did.
    pub net: u64,
    /// The game's own.
    pub numbers: [u32; 4],
}

/// Offsets of the [`numbers`](Fields::numbers).
const NUMBERS_AT: [usize; 4] = [36, 40, 52, 56];

impl Fields {
    fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..20].iter_mut().zip(self.game.bytes()).for_each(|(byte, letter)| *byte = letter);
        bytes[20..28].copy_from_slice(&self.seed.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.shard.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.shards.to_le_bytes());
        bytes[44..52].copy_from_slice(&self.net.to_le_bytes());
        for (at, number) in NUMBERS_AT.into_iter().zip(self.numbers) {
            bytes.iter_mut().skip(at).zip(number.to_le_bytes()).for_each(|(byte, part)| *byte = part);
        }
        let crc = crc32fast::hash(&bytes[..60]);
        bytes[60..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// Reads a header whose magic is known to be right, found at `offset`.
    fn decode(bytes: &[u8; HEADER_BYTES], offset: u64) -> Result<Self, RecordError> {
        let (u32_at, u64_at) = (|at| u32_at(bytes, at), |at| u64_at(bytes, at));
        if crc32fast::hash(&bytes[..60]) != u32_at(60) {
            let what = message!("checksum of the header is wrong" | "文件头的校验和不对");
            return Err(RecordError::Damaged(offset, what));
        }
        ensure!((1..=VERSION).contains(&u32_at(8)), RecordError::Version(u32_at(8)));
        let name = bytes[12..20].split(|&b| b == 0).next().unwrap_or_default();
        if u32_at(56) != 0 && name != b"go" {
            return Err(RecordError::Branches);
        }
        Ok(Self {
            game: String::from_utf8_lossy(name).into_owned(),
            seed: u64_at(20),
            shard: u32_at(28),
            shards: u32_at(32),
            net: u64_at(44),
            numbers: NUMBERS_AT.map(u32_at),
        })
    }
}

/// Where the games of a file of chess or xiangqi come from.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RecordHeader {
    /// `chess` or `xiangqi`; at most eight bytes.
    pub game: String,
    pub seed: u64,
    /// This part of the run, from 0.
    pub shard: u32,
    pub shards: u32,
    /// Nodes after which a search ends with the iteration.
    pub soft_nodes: u32,
    /// Nodes after which a search ends at once.
    pub hard_nodes: u32,
    /// Training id of the net that played; 0 for the hand-made evaluation.
    pub net: u64,
    pub random_moves: u32,
    /// Thousandths of the games that begin with an opening that people know.
    pub known_openings: u32,
}

impl FileHeader for RecordHeader {
    type Record = TrainingGame;

    fn to_fields(&self) -> Fields {
        let Self { seed, shard, shards, soft_nodes, hard_nodes, net, random_moves, known_openings, .. } =
            *self;
        // Both are thousandths.
        let numbers = [soft_nodes, hard_nodes, known_openings << 16 | random_moves, 0];
        Fields { game: self.game.clone(), seed, shard, shards, net, numbers }
    }

    fn from_fields(fields: Fields) -> Self {
        let Fields { game, seed, shard, shards, net, numbers } = fields;
        let [soft_nodes, hard_nodes, thousandths, _] = numbers;
        let (known_openings, random_moves) = (thousandths >> 16, thousandths & 0xFFFF);
        Self { game, seed, shard, shards, soft_nodes, hard_nodes, net, random_moves, known_openings }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum GameResult {
    /// Black of both games.
    SecondWins = 0,
    Draw = 1,
    /// White, Red.
    FirstWins = 2,
}

impl GameResult {
    pub const fn of(winner: Option<Side>) -> Self {
        match winner {
            Some(Side::First) => Self::FirstWins,
            Some(Side::Second) => Self::SecondWins,
            None => Self::Draw,
        }
    }

    /// Who won; `None`: a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::FirstWins => Some(Side::First),
            Self::SecondWins => Some(Side::Second),
            Self::Draw => None,
        }
    }
}

named! {
    /// The reason why a game ended. Files have its number, from 0.
    pub enum EndReason {
        /// No legal move: mate or stalemate.
        NoMove = "no move",
        /// Repetition, no progress, dead position.
        Rules = "rules",
        /// Adjudicated: the score stayed decisive.
        WinningScore = "winning score",
        /// Adjudicated: the score stayed near zero.
        DrawnScore = "drawn score",
        /// Adjudicated: the longest game allowed.
        Length = "length",
    }
}

/// One position of a game: the move played in it and the score the search gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrainingPly {
    /// The move, packed by [`Game::pack`](crate::game::Game::pack).
    pub mv: u16,
    /// From the side to move, in centipawns; at least [`MATE_SCORE`] in size for mates, [`NO_SCORE`] for
    /// random moves.
    pub score: i16,
}

impl TrainingPly {
    /// Whether the move was drawn at random.
    pub const fn is_random(self) -> bool {
        self.score == NO_SCORE
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrainingGame {
    /// Number of the game in its shard.
    pub index: u32,
    /// FEN of the start; empty for the game's own starting position. At most 255 bytes.
    pub start: String,
    /// Random moves before the first searched one; at most 255.
    pub opening: Vec<u16>,
    /// The positions after the opening.
    pub plies: Vec<TrainingPly>,
    pub result: GameResult,
    pub ending: EndReason,
}

impl TrainingGame {
    /// The first ply after the last random move: from there on only play led to the result.
    pub fn result_counts_from(&self) -> usize {
        self.plies.iter().rposition(|ply| ply.is_random()).map_or(0, |at| at.saturating_add(1))
    }

    /// Plays the game again and calls `visit(position, move, ply)` before each move after the opening.
    /// Returns the final position.
    /// # Errors
    /// When the start is not a position of `G` or a move is not legal; the plies before it were visited.
    pub fn replay<G: AlphaBetaGame + Text>(
        &self,
        mut visit: impl FnMut(&G, G::Move, TrainingPly),
    ) -> Result<G, ReplayError> {
        let mut pos = match self.start.as_str() {
            "" => G::start(),
            fen => G::from_fen(fen).map_err(|why| ReplayError::Start(self.index, why))?,
        };
        let opening = self.opening.iter().map(|&mv| (mv, None));
        let plies = self.plies.iter().map(|&ply| (ply.mv, Some(ply)));
        for (at, (bits, ply)) in opening.chain(plies).enumerate() {
            let mv = G::unpack(bits);
            ensure!(pos.is_pseudo_legal(mv) && pos.is_legal(mv), ReplayError::illegal(self.index, at, bits));
            if let Some(ply) = ply {
                visit(&pos, mv, ply);
            }
            pos.do_move(mv, &mut ());
        }
        Ok(pos)
    }

    /// Whether the final position agrees with the recorded [`EndReason`], as far as the rules decide it.
    pub fn ending_holds<G: AlphaBetaGame>(&self, end: &G) -> bool {
        let moves = end.legal();
        match self.ending {
            EndReason::NoMove => moves.is_empty(),
            EndReason::Rules => end.verdict() != Verdict::Ongoing,
            _ => !moves.is_empty(),
        }
    }
}

impl Record for TrainingGame {
    type Header = RecordHeader;
    const BLOCK_GAMES: u32 = 16;

    fn index(&self) -> u32 {
        self.index
    }

    fn positions(&self) -> u64 {
        self.plies.len() as u64
    }

    fn encode(&self, out: &mut Vec<u8>) {
        debug_assert!(self.start.len() < 256 && self.opening.len() < 256 && self.plies.len() < 65_536);
        out.push(self.result as u8 | (self.ending as u8) << 2);
        out.push(self.start.len() as u8);
        out.extend_from_slice(self.start.as_bytes());
        out.push(self.opening.len() as u8);
        self.opening.iter().for_each(|mv| out.extend_from_slice(&mv.to_le_bytes()));
        out.extend_from_slice(&(self.plies.len() as u16).to_le_bytes());
        for ply in &self.plies {
            out.extend_from_slice(&ply.mv.to_le_bytes());
            out.extend_from_slice(&ply.score.to_le_bytes());
        }
    }

    fn decode(bytes: &mut &[u8], index: u32) -> Option<Self> {
        let [head] = take_array(bytes)?;
        let result = match head & 3 {
            0 => GameResult::SecondWins,
            1 => GameResult::Draw,
            2 => GameResult::FirstWins,
            _ => return None,
        };
        let ending = *EndReason::ALL.get(usize::from(head >> 2))?;
        let [length] = take_array(bytes)?;
        let start = std::str::from_utf8(take(bytes, length.into())?).ok()?.to_owned();
        let [length] = take_array(bytes)?;
        let opening = take(bytes, 2 * usize::from(length))?.as_chunks().0;
        let opening = opening.iter().map(|&mv| u16::from_le_bytes(mv)).collect();
        let length = u16::from_le_bytes(take_array(bytes)?);
        let ply = |&[m0, m1, s0, s1]: &[u8; 4]| TrainingPly {
            mv: u16::from_le_bytes([m0, m1]),
            score: i16::from_le_bytes([s0, s1]),
        };
        let plies = take(bytes, 4 * usize::from(length))?.as_chunks().0.iter().map(ply).collect();
        Some(Self { index, start, opening, plies, result, ending })
    }
}

errors! {
    /// A record that its own game refuses.
    pub enum ReplayError {
        Start(game: u32, why: Message) = "game {game}: {why}" | "第 {game} 局：{why}",
        /// A move, as stored, is not legal at a ply, counted from the opening on.
        Move(game: u32, mv: String, ply: usize) =
            "game {game}: illegal move {mv} at ply {ply}" | "第 {game} 局：第 {ply} 步的着法 {mv} 不合规则",
    }
}

impl ReplayError {
    fn illegal(game: u32, ply: usize, bits: u16) -> Self {
        Self::Move(game, format!("{bits:#06x}"), ply)
    }
}

fn take<'a>(bytes: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
    let (head, rest) = bytes.split_at_checked(n)?;
    *bytes = rest;
    Some(head)
}

fn take_array<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    take(bytes, N)?.first_chunk().copied()
}

#[cfg(test)]
pub(crate) mod tests;
