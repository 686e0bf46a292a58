//! Statistics of files of records: counts, histograms, duplicates, damage.

use super::record::{
    EndReason, GameResult, MATE_SCORE, Reader, Record, RecordError, RecordHeader, ReplayError, TrainingPly,
};
use crate::game::{AlphaBetaGame, Text};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::path::Path;

/// Positions are looked up for duplicates when the low bits of their key are zero: one in 16.
const SAMPLED_BITS: u64 = 15;
/// Width of a bar of the score histogram, in centipawns, and the last one.
const SCORE_STEP: i32 = 100;
const LAST_SCORE: i32 = 2000;
/// Width of a bar of the histogram of game lengths.
const PLY_STEP: usize = 20;

#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub game: &'static str,
    /// Headers met: files, or parts that were concatenated.
    pub headers: Vec<RecordHeader>,
    /// Games that replay without an error.
    pub games: u64,
    pub positions: u64,
    /// Games by result: second side won, drawn, first side won.
    pub results: [u64; 3],
    /// Games by ending, in the order of [`EndReason::ALL`].
    pub endings: [u64; 5],
    /// Positions by absolute score in steps of 100 centipawns, the last one beyond 2000; mates apart.
    pub scores: BTreeMap<i32, u64>,
    /// Positions whose score is a mate.
    pub mates: u64,
    /// Positions whose move was random and that have no score.
    pub random: u64,
    /// Games by length in plies, in steps of 20.
    pub lengths: BTreeMap<usize, u64>,
    pub pieces: BTreeMap<usize, u64>,
    /// Positions a trainer could use: not in check, best move no capture.
    pub quiet: u64,
    /// Games that were there before.
    pub duplicate_games: u64,
    /// Sampled positions, and how many of them were there before.
    pub sampled: (u64, u64),
    /// Damage and illegal games, a line each.
    pub complaints: Vec<String>,
    games_seen: HashSet<u64>,
    positions_seen: HashSet<u64>,
}

impl Statistics {
    pub fn new<G: AlphaBetaGame>() -> Self {
        Self { game: G::NAME, ..Self::default() }
    }

    /// Adds a file.
    pub fn add<G: AlphaBetaGame + Text>(&mut self, path: &Path) -> Result<(), RecordError> {
        let mut reader = Reader::new(File::open(path)?, G::NAME);
        while let Some(record) = reader.next_whole(path, &mut self.complaints)? {
            // Nothing is counted of a game that does not replay.
            let end = match record.replay::<G>(|_, _, _| ()) {
                Ok(end) => end,
                Err(e) => {
                    self.complaints.push(format!("{}: {e}", path.display()));
                    continue;
                }
            };
            let mut hash = crc32fast::Hasher::new();
            let mut keys = 0u64;
            let replayed: Result<G, ReplayError> = record.replay::<G>(|pos, mv, ply| {
                hash.update(&ply.mv.to_le_bytes());
                keys ^= pos.key();
                self.note(pos, pos.is_capture(mv), ply);
            });
            debug_assert!(replayed.is_ok(), "it replayed before");
            if !record.ending_holds(&end) {
                let how = record.ending.name();
                let complaint = format!("game {} ended by {how} at {}", record.index, end.fen());
                self.complaints.push(format!("{}: {complaint}", path.display()));
            }
            self.games += 1;
            self.positions += record.positions();
            self.results[record.result as usize] += 1;
            self.endings[record.ending as usize] += 1;
            *self.lengths.entry(record.plies.len() / PLY_STEP * PLY_STEP).or_default() += 1;
            let identity = keys ^ u64::from(hash.finalize());
            self.duplicate_games += u64::from(!self.games_seen.insert(identity));
        }
        self.headers.extend_from_slice(reader.headers());
        Ok(())
    }

    fn note<G: AlphaBetaGame>(&mut self, pos: &G, captures: bool, ply: TrainingPly) {
        let size = i32::from(ply.score).abs();
        if ply.is_random() {
            self.random += 1;
        } else if size >= MATE_SCORE.into() {
            self.mates += 1;
        } else {
            *self.scores.entry((size / SCORE_STEP * SCORE_STEP).min(LAST_SCORE)).or_default() += 1;
        }
        let mut pieces = 0;
        pos.for_each_piece(|_, _| pieces += 1);
        *self.pieces.entry(pieces).or_default() += 1;
        self.quiet += u64::from(!captures && !pos.in_check());
        let key = pos.key();
        if key & SAMPLED_BITS == 0 {
            self.sampled.0 += 1;
            self.sampled.1 += u64::from(!self.positions_seen.insert(key));
        }
    }

    /// Overlapping parts: shards of one seed that are there more than once.
    fn repeated_shards(&self) -> usize {
        let mut count = HashMap::new();
        for header in &self.headers {
            *count.entry((header.seed, header.shard, header.shards, header.net)).or_insert(0usize) += 1;
        }
        count.values().map(|n| n - 1).sum()
    }
}

pub(super) fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// A line with a bar of at most 40 characters.
fn bar(f: &mut fmt::Formatter<'_>, label: &str, n: u64, whole: u64, max: u64) -> fmt::Result {
    let length = (40 * n).div_ceil(max.max(1)) as usize;
    writeln!(f, "{label:>14} {n:>12} {:6.2}% {}", percent(n, whole), "#".repeat(length))
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "game: {}", self.game)?;
        writeln!(f, "parts: {}", self.headers.len())?;
        for header in &self.headers {
            let RecordHeader {
                seed,
                shard,
                shards,
                soft_nodes,
                hard_nodes,
                net,
                random_moves,
                known_openings,
                ..
            } = header;
            writeln!(
                f,
                "  seed {seed} shard {shard}/{shards} nodes {soft_nodes}..{hard_nodes} net {net:016x} random moves {random_moves} known openings {known_openings}"
            )?;
        }
        writeln!(f, "results:")?;
        let max = self.results.iter().copied().max().unwrap_or(0);
        for (result, name) in [
            (GameResult::FirstWins, "first wins"),
            (GameResult::Draw, "draw"),
            (GameResult::SecondWins, "second wins"),
        ] {
            bar(f, name, self.results[result as usize], self.games, max)?;
        }
        writeln!(f, "endings:")?;
        let max = self.endings.iter().copied().max().unwrap_or(0);
        for ending in EndReason::ALL {
            bar(f, ending.name(), self.endings[ending as usize], self.games, max)?;
        }
        writeln!(f, "length in plies:")?;
        let max = self.lengths.values().copied().max().unwrap_or(0);
        for (&from, &n) in &self.lengths {
            bar(f, &format!("{from}-{}", from + PLY_STEP - 1), n, self.games, max)?;
        }
        writeln!(f, "score, absolute:")?;
        let max = self.scores.values().copied().max().unwrap_or(0).max(self.mates);
        for (&from, &n) in &self.scores {
            let to = if from == LAST_SCORE { "more".to_owned() } else { (from + SCORE_STEP - 1).to_string() };
            bar(f, &format!("{from}-{to}"), n, self.positions, max)?;
        }
        bar(f, "mate", self.mates, self.positions, max)?;
        bar(f, "random move", self.random, self.positions, max)?;
        writeln!(f, "pieces:")?;
        let max = self.pieces.values().copied().max().unwrap_or(0);
        for (&count, &n) in &self.pieces {
            bar(f, &count.to_string(), n, self.positions, max)?;
        }
        writeln!(f, "quiet: {:.1}%", percent(self.quiet, self.positions))?;
        writeln!(f, "duplicate games: {}", self.duplicate_games)?;
        writeln!(f, "duplicate positions: {:.2}% (of one in 16)", percent(self.sampled.1, self.sampled.0))?;
        if self.repeated_shards() > 0 {
            writeln!(f, "repeated parts: {}", self.repeated_shards())?;
        }
        writeln!(f, "damage: {}", self.complaints.len())?;
        write!(f, "{} positions, {} games", self.positions, self.games)
    }
}
