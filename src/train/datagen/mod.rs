//! Self-play games for the nets of chess and xiangqi.
//!
//! Game `i` of a shard is a function of seed, shard and `i` only, and games are written in order: a run
//! gives the same bytes with any number of threads, and after any number of interruptions.

mod play;
mod searcher;

pub use super::generate::{DatagenError, Existing, Goal, Summary};
pub use play::{play, random_moves};
pub use searcher::Searcher;

use super::generate;
use super::record::RecordHeader;
use crate::game::{AlphaBetaGame, Game, Text};
use std::path::Path;

/// How long a search lasts, in nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeLimits {
    /// No new iteration after this many.
    pub soft: u64,
    /// The end, at once, after this many.
    pub hard: u64,
}

#[derive(Clone, Copy, Debug)]
pub struct Found<M> {
    pub mv: M,
    /// Its score in centipawns from the side to move.
    pub score: i32,
    pub is_mate: bool,
    pub nodes: u64,
}

pub trait MoveSearcher: Send {
    type Game: AlphaBetaGame + Text;
    /// Forgets everything: results must not depend on earlier searches.
    fn new_game(&mut self);
    /// Searches a position that has a legal move.
    fn search(&mut self, pos: &Self::Game, limits: NodeLimits) -> Found<<Self::Game as Game>::Move>;
}

/// The settings that determine the games of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub seed: u64,
    /// This part of the run, `0..shards`.
    pub shard: u32,
    /// Parts of the run; each has games of its own.
    pub shards: u32,
    pub limits: NodeLimits,
    /// Openings whose score exceeds this, in centipawns, are refused.
    pub opening_score: i32,
    /// Training id of the net that plays; 0 for the hand-made evaluation.
    pub net: u64,
    /// Thousandths of the moves that are random: most leaves of a search hold a blunder, and games without
    /// any never show one.
    pub random_moves: u32,
    /// Thousandths of the games that begin with one of `openings` and up to three random moves.
    pub known_openings: u32,
    /// Their moves, packed.
    pub openings: Vec<Vec<u16>>,
}

impl Settings {
    /// The recipe's numbers for game `name`: 1000 nodes soft, 8 times that hard.
    pub fn for_game(name: &str) -> Self {
        let opening_score = if name == "xiangqi" { 300 } else { 400 };
        let limits = NodeLimits { soft: 1000, hard: 8000 };
        Self {
            seed: 1,
            shard: 0,
            shards: 1,
            limits,
            opening_score,
            net: 0,
            random_moves: 0,
            known_openings: 0,
            openings: Vec::new(),
        }
    }

    fn header(&self, game: &str) -> RecordHeader {
        RecordHeader {
            game: game.to_owned(),
            seed: self.seed,
            shard: self.shard,
            shards: self.shards,
            soft_nodes: self.limits.soft.min(u32::MAX.into()) as u32,
            hard_nodes: self.limits.hard.min(u32::MAX.into()) as u32,
            net: self.net,
            random_moves: self.random_moves,
            known_openings: self.known_openings,
        }
    }

    /// The file of this shard: `chess-1-0of1.rec`.
    pub fn file_name(&self, game: &str) -> String {
        format!("{game}-{}-{}of{}.rec", self.seed, self.shard, self.shards)
    }
}

/// Plays games into a file of `directory` until `goal` is reached, with as many threads as there are
/// `players`.
pub fn run<P: MoveSearcher>(
    directory: &Path,
    settings: &Settings,
    goal: Goal,
    existing: Existing,
    players: Vec<P>,
) -> Result<Summary, DatagenError> {
    let name = <P::Game as Game>::NAME;
    let players = players.into_iter().map(|mut player| move |index| play(&mut player, settings, index));
    let (file, header) = (settings.file_name(name), settings.header(name));
    generate::run(directory, &file, name, &header, goal, existing, players.collect())
}

#[cfg(test)]
mod tests;
