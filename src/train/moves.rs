//! Learns how strong the features and patterns of moves of Go are, from records of games.
//!
//! The weight of a move is the product of the strengths of its features and patterns; its probability is its
//! share of the sum of all weights. Gradient ascent (AdaGrad) raises the logarithm of the probability of the
//! moves that were played. The logarithm of each strength has a normal prior, so that strengths that are
//! rarely seen stay near 1. Source of the model: Coulom, "Computing Elo ratings of move patterns in the game
//! of Go" (2007).

use crate::eval::go::features::{self, FEATURES};
use crate::eval::go::patterns::{self, Surroundings};
use crate::eval::go::strengths;
use crate::game::{Game, TreeGame};
use crate::games::formats::sgf;
use crate::go::{CELLS, Point, Position, Rules};
use crate::util::rng::Rng;
use std::collections::HashMap;

/// One game in this many is set aside to measure by.
const VALIDATION: usize = 10;
/// AdaGrad's step.
const RATE: f32 = 0.1;
/// More weights than this have no number of 16 bits.
const MAX_WEIGHTS: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
pub struct StrengthsConfig {
    /// Times each position is used.
    pub epochs: u32,
    /// A pattern has a strength of its own if it was played this often.
    pub min_count: u32,
    /// Standard deviation of the logarithms beforehand.
    pub deviation: f32,
    pub seed: u64,
}

/// Positions with the features of all their moves, as numbers of weights.
#[derive(Default)]
struct Positions {
    /// Of all moves of all positions, one after the other.
    weights: Vec<u16>,
    /// Where each move's weights end.
    ends: Vec<usize>,
    /// Where each position's moves begin, and which of them was played.
    starts: Vec<(usize, usize)>,
}

/// The data of a run, and its result.
#[derive(Clone, Debug, Default)]
pub struct LearningSummary {
    pub games: usize,
    /// Positions learned from, and set aside.
    pub positions: [usize; 2],
    pub patterns: usize,
    /// Mean logarithm of the probability of the moves set aside.
    pub likelihood: f64,
    /// How often the most probable move is the one played, in the games set aside.
    pub first_choice: f64,
    /// The faults of games that were left out.
    pub complaints: Vec<String>,
}

/// Learns from `records`, texts of SGF collections with their names. Returns the file.
pub fn learn(
    records: &[(String, String)],
    config: StrengthsConfig,
    mut each: impl FnMut(u32, &LearningSummary),
) -> (Vec<u8>, LearningSummary) {
    let mut summary = LearningSummary::default();
    let mut games = Vec::new();
    for (name, text) in records {
        match sgf::load_all(text, Rules::CHINESE) {
            Ok(found) => {
                for (number, game) in (1..).zip(found) {
                    let complain = |error| summary.complaints.push(format!("{name}: game {number}: {error}"));
                    games.extend(game.map_err(complain));
                }
            }
            Err(error) => summary.complaints.push(format!("{name}: {error}")),
        }
    }
    summary.games = games.len();
    let dictionary = Dictionary::of(&games, config.min_count);
    summary.patterns = dictionary.keys.len();
    let mut sets = [Positions::default(), Positions::default()];
    for (i, game) in games.iter().enumerate() {
        sets[usize::from(i % VALIDATION == 0)].add(game, &dictionary);
    }
    drop(games);
    summary.positions = [sets[0].starts.len(), sets[1].starts.len()];
    let mut model = Model::new(FEATURES + dictionary.keys.len());
    let mut rng = Rng::new(config.seed);
    let mut order: Vec<usize> = (0..sets[0].starts.len()).collect();
    for epoch in 1..=config.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        order.iter().for_each(|&i| model.learn(&sets[0], i));
        model.pull(config.deviation);
        (summary.likelihood, summary.first_choice) = model.measure(&sets[1]);
        each(epoch, &summary);
    }
    (model.file(&dictionary), summary)
}

/// The patterns that are worth a weight, numbered.
struct Dictionary {
    keys: Vec<u32>,
    numbers: HashMap<u32, u16>,
}

impl Dictionary {
    fn of(games: &[sgf::FinishedGame], min_count: u32) -> Self {
        let mut counts = HashMap::<u32, u32>::new();
        for game in games {
            replay(game, |pos, mv| {
                for key in Surroundings::of(pos.board()).keys(patterns::hashes(), mv) {
                    *counts.entry(key).or_default() += 1;
                }
            });
        }
        let mut frequent: Vec<_> = counts.into_iter().filter(|&(_, count)| count >= min_count).collect();
        frequent.sort_by_key(|&(key, count)| (std::cmp::Reverse(count), key));
        frequent.truncate(MAX_WEIGHTS - FEATURES);
        let keys: Vec<u32> = frequent.into_iter().map(|(key, _)| key).collect();
        let numbers = keys.iter().enumerate().map(|(i, &key)| (key, (FEATURES + i) as u16)).collect();
        Self { keys, numbers }
    }
}

/// Calls `each` with every position of `game` in which a stone was played by choice, and the move.
fn replay(game: &sgf::FinishedGame, mut each: impl FnMut(&Position, Point)) {
    let mut pos = game.end.clone();
    pos.rewind(0);
    for (i, &(side, mv)) in game.end.moves().iter().enumerate() {
        pos.set_side_to_move(side);
        if mv.is_stone() && i >= game.book {
            each(&pos, mv);
        }
        pos.do_move(mv, &mut ());
    }
}

impl Positions {
    fn add(&mut self, game: &sgf::FinishedGame, dictionary: &Dictionary) {
        let mut scratch = features::FeatureScratch::default();
        let mut found = vec![Vec::new(); CELLS];
        let mut moves = Vec::new();
        replay(game, |pos, played| {
            pos.candidate_moves(&mut moves);
            moves.retain(|v| v.is_stone());
            let Some(chosen) = moves.iter().position(|&v| v == played) else { return };
            moves.iter().for_each(|v| found[v.index()].clear());
            features::read(pos.board(), &moves, &mut scratch, |v, feature| {
                found[v.index()].push(feature as u16)
            });
            self.starts.push((self.ends.len(), chosen));
            let surroundings = Surroundings::of(pos.board());
            for &v in &moves {
                self.weights.extend(&found[v.index()]);
                let keys = surroundings.keys(patterns::hashes(), v);
                self.weights.extend(keys.iter().filter_map(|key| dictionary.numbers.get(key)));
                self.ends.push(self.weights.len());
            }
        });
    }

    /// The weights of the moves of a position, and which move was played.
    fn moves(&self, i: usize) -> (impl Iterator<Item = &[u16]>, usize) {
        let (start, chosen) = self.starts[i];
        let end = self.starts.get(i + 1).map_or(self.ends.len(), |&(next, _)| next);
        let begin = |m: usize| if m == 0 { 0 } else { self.ends[m - 1] };
        ((start..end).map(move |m| &self.weights[begin(m)..self.ends[m]]), chosen)
    }
}

/// Logarithms of strengths, and AdaGrad's sums of squares.
struct Model {
    logs: Vec<f32>,
    squares: Vec<f32>,
    shares: Vec<f32>,
}

impl Model {
    fn new(weights: usize) -> Self {
        Self { logs: vec![0.0; weights], squares: vec![1e-6; weights], shares: Vec::new() }
    }

    /// Fills in the probability of each move.
    fn predict(&mut self, positions: &Positions, i: usize) -> usize {
        let (moves, chosen) = positions.moves(i);
        self.shares.clear();
        let logs = &self.logs;
        self.shares.extend(moves.map(|ids| ids.iter().map(|&id| logs[usize::from(id)]).sum::<f32>()));
        let max = self.shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        self.shares.iter_mut().for_each(|share| *share = (*share - max).exp());
        let sum: f32 = self.shares.iter().sum();
        self.shares.iter_mut().for_each(|share| *share /= sum);
        chosen
    }

    fn learn(&mut self, positions: &Positions, i: usize) {
        let chosen = self.predict(positions, i);
        let shares = std::mem::take(&mut self.shares);
        for (m, (ids, share)) in positions.moves(i).0.zip(&shares).enumerate() {
            let gradient = if m == chosen { 1.0 - share } else { -share };
            ids.iter().for_each(|&id| self.step(id.into(), gradient));
        }
        self.shares = shares;
    }

    fn step(&mut self, id: usize, gradient: f32) {
        self.squares[id] += gradient * gradient;
        self.logs[id] += RATE * gradient / self.squares[id].sqrt();
    }

    /// The prior counts as one more observation an epoch.
    fn pull(&mut self, deviation: f32) {
        for id in 0..self.logs.len() {
            let pull = self.logs[id] / (deviation * deviation);
            let step = RATE * pull / (self.squares[id] + pull * pull).sqrt();
            self.logs[id] -= step.clamp(-self.logs[id].abs(), self.logs[id].abs());
        }
    }

    /// Mean logarithm of the probability of the moves played, and how often they are the first choice.
    fn measure(&mut self, positions: &Positions) -> (f64, f64) {
        let (mut sum, mut first) = (0.0, 0);
        let n = positions.starts.len().max(1) as f64;
        for i in 0..positions.starts.len() {
            let chosen = self.predict(positions, i);
            sum += f64::from(self.shares[chosen].max(f32::MIN_POSITIVE).ln());
            first += usize::from(self.shares.iter().all(|&share| share <= self.shares[chosen]));
        }
        (sum / n, f64::from(first as u32) / n)
    }

    fn file(&self, dictionary: &Dictionary) -> Vec<u8> {
        let features = std::array::from_fn(|i| self.logs[i]);
        let patterns: Vec<_> =
            dictionary.keys.iter().copied().zip(self.logs[FEATURES..].iter().copied()).collect();
        strengths::to_bytes(&features, &patterns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games that are over when Black has taken a stone in a corner, 30 times each.
    fn record() -> String {
        let game = |[beside, corner, tenuki, takes]: [&str; 4]| {
            format!("(;SZ[9];B[{beside}];W[{corner}];B[{tenuki}];W[dg];B[{takes}])").repeat(30)
        };
        let corners = [["ba", "aa", "ee", "ab"], ["ha", "ia", "dd", "ib"], ["bi", "ai", "ff", "ah"]];
        corners.map(game).concat()
    }

    #[test]
    fn captures_are_learned_from_games_full_of_them() {
        let config = StrengthsConfig { epochs: 5, min_count: 5, deviation: 1.0, seed: 1 };
        let (file, summary) = learn(&[("test".to_owned(), record())], config, |_, _| ());
        assert_eq!((summary.games, summary.complaints.len()), (90, 0));
        assert_eq!(summary.positions, [405, 45]);
        let strengths = strengths::Strengths::from_bytes(&file).unwrap();
        let capture = features::tactical(features::Tactic::CaptureCaught, 1);
        assert!(strengths.feature(capture) > 2.0, "{}", strengths.feature(capture));
        assert!(summary.first_choice > 0.4, "{summary:?}");
    }

    #[test]
    fn openings_and_passes_are_not_learned_from() {
        let text = "(;SZ[9];B[ee]C[book];W[cc]C[book];B[gg]C[0.1s];W[];B[cg])";
        let games = sgf::load_all(text, Rules::CHINESE).unwrap();
        let mut learned = Vec::new();
        replay(games[0].as_ref().unwrap(), |pos, mv| learned.push((pos.moves().len(), mv.col_row())));
        assert_eq!(learned, [(2, (6, 2)), (4, (2, 2))]);
    }

    #[test]
    fn bad_records_are_named() {
        let config = StrengthsConfig { epochs: 1, min_count: 1, deviation: 1.0, seed: 1 };
        let named = [("bad.sgf", "(;GM[1"), ("half.sgf", "(;SZ[9];B[aa])(;SZ[9];B[aa];W[zz])")];
        let records = named.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let (_, summary) = learn(&records, config, |_, _| ());
        assert!(summary.complaints[0].starts_with("bad.sgf: "), "{summary:?}");
        assert!(summary.complaints[1].starts_with("half.sgf: game 2: move 2"), "{summary:?}");
        assert_eq!((summary.games, summary.complaints.len()), (1, 2));
    }
}
