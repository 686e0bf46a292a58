//! Fits the model of [`crate::eval::chances`] to games by maximum likelihood.

use super::record::{GameResult, MATE_SCORE, Reader, RecordError};
use crate::eval::chances::{Chances, WdlModel};
use crate::game::{Side, Text};
use std::collections::BTreeMap;
use std::fs::File;
use std::marker::PhantomData;
use std::path::Path;

/// Scores are put together in steps of this many centipawns, and beyond the last one left out.
const SCORE_STEP: i32 = 20;
const LAST_SCORE: i32 = 2000;
/// Material is put together in steps of this many pawns.
const MATERIAL_STEP: u32 = 4;

/// A smaller gain of the log-likelihood is not significant. Where all games end alike the gain of a
/// step becomes small and never nothing.
const NOTICEABLE: f64 = 1e-4;

/// Counts of wins, draws and losses by score and material.
pub struct Results<G> {
    bins: BTreeMap<(i32, u32), [u64; 3]>,
    game: PhantomData<G>,
    /// Damage and games that do not replay, a line each; they are left out.
    pub complaints: Vec<String>,
}

impl<G> Default for Results<G> {
    fn default() -> Self {
        Self { bins: BTreeMap::new(), game: PhantomData, complaints: Vec::new() }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Fit {
    pub model: WdlModel,
    /// Natural logarithm of the likelihood, a position; near 0 is good.
    pub log_likelihood: f64,
    pub positions: u64,
}

impl<G: Chances + Text> Results<G> {
    /// Adds the positions of a file of records.
    /// # Errors
    /// When the file cannot be read. Damaged blocks and games that do not replay are complaints.
    pub fn add(&mut self, path: &Path) -> Result<(), RecordError> {
        let mut reader = Reader::new(File::open(path)?, G::NAME);
        while let Some(record) = reader.next_whole(path, &mut self.complaints)? {
            let mut found = Vec::with_capacity(record.plies.len());
            let (mut at, clean) = (0, record.result_counts_from());
            let replayed = record.replay::<G>(|pos, _, ply| {
                at += 1;
                if at > clean && ply.score.saturating_abs() < MATE_SCORE {
                    found.push((i32::from(ply.score), pos.material(), pos.side_to_move()));
                }
            });
            match replayed {
                Ok(_) => found
                    .into_iter()
                    .for_each(|(score, material, side)| self.note(score, material, side, record.result)),
                Err(error) => self.complaints.push(format!("{}: {error}", path.display())),
            }
        }
        Ok(())
    }

    /// Adds a position: its score from the side to move, its material, that side, and how the game ended.
    pub fn note(&mut self, score: i32, material: u32, side: Side, result: GameResult) {
        if score.unsigned_abs() > LAST_SCORE.unsigned_abs() {
            return;
        }
        let outcome = match (result, side) {
            (GameResult::Draw, _) => 1,
            (GameResult::FirstWins, Side::First) | (GameResult::SecondWins, Side::Second) => 0,
            _ => 2,
        };
        let bin = (score.div_euclid(SCORE_STEP), material / MATERIAL_STEP);
        self.bins.entry(bin).or_default()[outcome] += 1;
    }

    /// The likeliest model, found by trying steps of every number, ever smaller ones.
    pub fn fit(&self) -> Fit {
        let mut numbers = [200.0, 0.0, 0.0, 100.0, 0.0, 0.0];
        let mut best = self.log_likelihood(&model(&numbers));
        let mut step = 64.0;
        while step > 0.01 {
            let mut improved = false;
            for i in 0..numbers.len() {
                for change in [step, -step] {
                    let mut tried = numbers;
                    tried[i] += change;
                    let likelihood = self.log_likelihood(&model(&tried));
                    if likelihood > best + NOTICEABLE {
                        (numbers, best, improved) = (tried, likelihood, true);
                    }
                }
            }
            if !improved {
                step /= 2.0;
            }
        }
        let positions = self.bins.values().flatten().sum::<u64>();
        Fit { model: model(&numbers), log_likelihood: best / positions.max(1) as f64, positions }
    }

    fn log_likelihood(&self, model: &WdlModel) -> f64 {
        self.bins
            .iter()
            .map(|(&(score, material), counts)| {
                // The middle of the bin.
                let score = (f64::from(score) + 0.5) * f64::from(SCORE_STEP);
                let material = (f64::from(material) + 0.5) * f64::from(MATERIAL_STEP) - 0.5;
                let [win, loss] = model.chances(score, material / f64::from(G::ALL_MATERIAL));
                let chances = [win, 1.0 - win - loss, loss];
                counts.iter().zip(chances).map(|(&n, p)| n as f64 * p.max(1e-9).ln()).sum::<f64>()
            })
            .sum()
    }
}

fn model(n: &[f64; 6]) -> WdlModel {
    WdlModel { middle: [n[0], n[1], n[2]], width: [n[3], n[4], n[5]] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::util::rng::Rng;

    const ALL: f64 = Board::ALL_MATERIAL as f64;

    /// Results drawn by a known model give that model back.
    #[test]
    fn a_known_model_is_found_again() {
        let truth = model(&[180.0, 60.0, 20.0, 90.0, -15.0, 10.0]);
        let (mut results, mut rng) = (Results::<Board>::default(), Rng::new(5));
        for _ in 0..400_000 {
            let (score, material) = (rng.below(1601) as i32 - 800, 4 + rng.below(74) as u32);
            let [win, loss] = truth.chances(f64::from(score), f64::from(material) / ALL);
            let result = match f64::from(rng.unit_f32()) {
                x if x < win => GameResult::FirstWins,
                x if x < win + loss => GameResult::SecondWins,
                _ => GameResult::Draw,
            };
            results.note(score, material, Side::First, result);
        }
        let fit = results.fit();
        assert_eq!(fit.positions, 400_000);
        for score in [-400, -100, 0, 150, 300] {
            for material in [10, 39, 70] {
                let [a, b] =
                    [truth, fit.model].map(|m| m.chances(f64::from(score), f64::from(material) / ALL));
                assert!(
                    (a[0] - b[0]).abs() < 0.02 && (a[1] - b[1]).abs() < 0.02,
                    "{score} {material}: {a:?} {b:?}"
                );
            }
        }
    }

    /// No chance of a win or a loss is too small to be made smaller: that must end.
    #[test]
    fn a_fit_ends_where_all_games_end_alike() {
        let mut results = Results::<Board>::default();
        for score in -20..20 {
            results.note(score, 70, Side::First, GameResult::Draw);
        }
        assert_eq!(results.fit().positions, 40);
    }
}
