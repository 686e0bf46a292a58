//! From records to samples: plays the games again, keeps the quiet positions, sets whole games aside for
//! validation.

use super::super::record::{MATE_SCORE, Reader, Record, RecordError, TrainingGame, TrainingPly};
use super::super::sample::Sample;
use crate::errors;
use crate::eval::{Evaluation, GameEval};
use crate::search::alphabeta::Evaluator;
use crate::util::sync::in_parallel;
use std::fs::File;
use std::path::{Path, PathBuf};

/// One game in this many is for validation.
const VALIDATION: u32 = 50;
/// The largest score that is mixed with others, in centipawns.
const FAR: i16 = 2000;
/// Games replayed between two looks at the progress bar.
const PORTION: usize = 8192;

#[derive(Default)]
pub struct Dataset {
    pub training: Vec<Sample>,
    /// Samples for validation: positions of other games.
    pub validation: Vec<Sample>,
    pub games: u64,
    /// Searched positions in them, before filtering.
    pub positions: u64,
    /// The faults of the files, a line each; other games were used.
    pub complaints: Vec<String>,
}

errors! {
    pub enum DataError {
        /// A file cannot be used at all.
        File(path: String, why: RecordError) = "{path}: {why}" | "{path}：{why}",
        /// Nothing is left after filtering.
        Empty = "no usable position in the files" | "这些文件里没有可用的局面",
    }
}

/// How positions of a game become samples.
#[derive(Clone)]
pub struct Selection<G: GameEval> {
    /// Plies from the start, opening included, that are left out.
    pub skip: usize,
    /// The lambda of temporal differences: how much of a position's score comes from the mixed score of the
    /// next position of its game, 0 to 1.
    pub lambda: f32,
    /// Whether positions whose best move is a capture are kept, for nets whose inputs describe exchanges.
    pub captures: bool,
    /// Scores positions in the place of the recorded search, if given.
    pub judge: Option<Evaluation<G>>,
}

impl<G: GameEval> Default for Selection<G> {
    /// All quiet positions but the first 16 plies, 12 in xiangqi, with the recorded scores.
    fn default() -> Self {
        let skip = if G::NAME == "xiangqi" { 12 } else { 16 };
        Self { skip, lambda: 0.0, captures: false, judge: None }
    }
}

impl<G: GameEval> Selection<G> {
    /// Whether a net can learn the search's score of `pos`, where it chose `mv`.
    fn is_learnable(&self, pos: &G, mv: G::Move, score: i16) -> bool {
        score.unsigned_abs() < MATE_SCORE.unsigned_abs()
            && !pos.in_check()
            && (self.captures || !pos.is_capture(mv))
    }

    /// The score of `pos` in centipawns; `recorded` unless there is a judge.
    fn score(&mut self, pos: &G, recorded: i16) -> i16 {
        let Some(judge) = &mut self.judge else { return recorded };
        judge.reset(pos);
        judge.evaluate(pos) as i16
    }
}

impl Dataset {
    /// Reads all `files` with `threads` threads. The order of samples does not depend on their number.
    pub fn load<G: GameEval>(
        files: &[PathBuf],
        selection: &Selection<G>,
        threads: usize,
    ) -> Result<Self, DataError> {
        let sizes = files.iter().map(|f| f.metadata().map_or(0, |m| m.len())).collect::<Vec<_>>();
        let template = "reading [{bar:30}] {bytes}/{total_bytes} {msg}";
        let bar = crate::train::progress_bar(Some(sizes.iter().sum()), template);
        let mut data = Self::default();
        let mut before = 0;
        for (path, size) in files.iter().zip(sizes) {
            data.read::<G>(path, selection, threads, |offset, positions| {
                bar.set_position(before + offset);
                bar.set_message(format!("{positions} positions"));
            })?;
            before += size;
        }
        bar.finish_and_clear();
        if data.training.is_empty() { Err(DataError::Empty) } else { Ok(data) }
    }

    fn read<G: GameEval>(
        &mut self,
        path: &Path,
        selection: &Selection<G>,
        threads: usize,
        mut progress: impl FnMut(u64, usize),
    ) -> Result<(), DataError> {
        let fail = |why| DataError::File(path.display().to_string(), why);
        let file = File::open(path).map_err(|e| fail(e.into()))?;
        let mut reader = Reader::new(file, G::NAME);
        let mut portion = Vec::with_capacity(PORTION);
        loop {
            let record = reader.next_whole(path, &mut self.complaints).map_err(fail)?;
            let ended = record.is_none();
            portion.extend(record);
            if portion.len() == PORTION || ended {
                self.replay::<G>(path, &portion, selection, threads);
                portion.clear();
                progress(reader.offset(), self.training.len());
            }
            if ended {
                return Ok(());
            }
        }
    }

    /// Adds a portion of games, each thread replaying its share.
    fn replay<G: GameEval>(
        &mut self,
        path: &Path,
        games: &[TrainingGame],
        selection: &Selection<G>,
        threads: usize,
    ) {
        let share = games.len().div_ceil(threads.max(1)).max(1);
        let parts =
            in_parallel(threads, games.chunks(share), |games| Self::of_games::<G>(path, games, selection));
        for mut part in parts {
            self.training.append(&mut part.training);
            self.validation.append(&mut part.validation);
            self.complaints.append(&mut part.complaints);
            self.games += part.games;
            self.positions += part.positions;
        }
    }

    fn of_games<G: GameEval>(path: &Path, games: &[TrainingGame], selection: &Selection<G>) -> Self {
        let mut data = Self::default();
        let mut selection = selection.clone();
        for record in games {
            let mut kept = Vec::with_capacity(record.plies.len());
            let mut at = record.opening.len();
            let result_from = record.opening.len() + record.result_counts_from();
            let scores = foresee(&record.plies, selection.lambda);
            let replayed = record.replay::<G>(|pos, mv, ply| {
                let foreseen = scores[at - record.opening.len()];
                at += 1;
                if at > selection.skip && selection.is_learnable(pos, mv, ply.score) {
                    let score = selection.score(pos, foreseen);
                    let sample = Sample::new::<G::Features, G>(pos, score, record.result);
                    kept.extend(sample.map(|s| if at > result_from { s } else { s.without_result() }));
                }
            });
            if let Err(e) = replayed {
                data.complaints.push(format!("{}: {e}", path.display()));
                continue;
            }
            data.games += 1;
            data.positions += record.positions();
            let to = if is_for_validation(record) { &mut data.validation } else { &mut data.training };
            to.append(&mut kept);
        }
        data
    }
}

/// The scores of a game's positions. Each is mixed with the scores of the positions that follow, up to the
/// next random move: a row of short searches sees what a single one cannot (docs/lab/nets.md). Mates count as
/// [`FAR`].
fn foresee(plies: &[TrainingPly], lambda: f32) -> Vec<i16> {
    let mut next: Option<f32> = None;
    let mut scores: Vec<i16> = plies
        .iter()
        .rev()
        .map(|ply| {
            let own = f32::from(ply.score.clamp(-FAR, FAR));
            next = (!ply.is_random()).then(|| next.map_or(own, |next| own + lambda * (-next - own)));
            next.filter(|_| lambda > 0.0).map_or(ply.score, |mixed| mixed as i16)
        })
        .collect();
    scores.reverse();
    scores
}

/// Decided by the opening, so that both copies of a game that is there twice are on one side.
fn is_for_validation(record: &TrainingGame) -> bool {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(record.start.as_bytes());
    record.opening.iter().for_each(|mv| hasher.update(&mv.to_le_bytes()));
    hasher.finalize().is_multiple_of(VALIDATION)
}

#[cfg(test)]
mod tests {
    use super::super::super::record::NO_SCORE;
    use super::*;

    #[test]
    fn scores_look_ahead_up_to_the_next_random_move() {
        let plies =
            |scores: &[i16]| scores.iter().map(|&score| TrainingPly { mv: 0, score }).collect::<Vec<_>>();
        let game = plies(&[100, -20, NO_SCORE, 8, -MATE_SCORE]);
        assert_eq!(foresee(&game, 0.0), [100, -20, NO_SCORE, 8, -MATE_SCORE]);
        assert_eq!(foresee(&game, 1.0), [20, -20, NO_SCORE, FAR, -FAR]);
        assert_eq!(foresee(&game, 0.5), [60, -20, NO_SCORE, (8 + FAR) / 2, -FAR]);
        assert_eq!(foresee(&plies(&[40, -80, 160]), 0.5), [80, -120, 160]);
        assert!(foresee(&[], 0.5).is_empty());
    }
}
