//! What follows from a score between two engines for their strength: Elo, normalized Elo, likelihood of
//! superiority, and the log-likelihood ratio of a sequential test.
//!
//! Games come in pairs, one opening with colors reversed. The two results of a pair depend on each other,
//! so variances are taken over pairs (the pentanomial model) wherever there are pairs.
//! Source: Michel Van den Bergh, "A practical introduction to the GSPRT" and "Normalized Elo" (2021);
//! <https://www.chessprogramming.org/Sequential_Probability_Ratio_Test>.

use crate::message;
use crate::util::message::Message;
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_10;
use std::fmt;

/// Standard normal quantile of a two-sided 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;

/// Standard normal quantile of a one-sided 95 % bound.
const Z90: f64 = 1.644_853_626_951_472_2;

/// Where the mean of few results is this near to 0 or 1, they bound the strength on one side only.
const CLEAR: f64 = 0.25;

/// Weight of the prior, in observed results: one imaginary pair (or game) spread evenly over all results. A
/// match of few games or of equal results has an interval by it; after hundreds of games it is worth less
/// than an Elo.
const PRIOR: f64 = 1.0;

/// One unit of normalized strength (expected score over standard deviation of a game) in normalized Elo.
const NELO: f64 = 800.0 / LN_10;

/// Results of one engine against another, from its side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Finished pairs by the number of half points made in them, 0 to 4.
    pub pairs: [u64; 5],
}

#[allow(clippy::arithmetic_side_effects, reason = "counts of games")]
impl Tally {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Counts a game worth `half_points` (0, 1 or 2).
    pub fn add_game(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts a finished pair worth `half_points` (0 to 4).
    pub fn add_pair(&mut self, half_points: u8) {
        let [none, one, two, three, four] = &mut self.pairs;
        *match half_points {
            0 => none,
            1 => one,
            2 => two,
            3 => three,
            _ => four,
        } += 1;
    }

    /// Counts what another tally has, too.
    pub fn add_tally(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (all, more) in self.pairs.iter_mut().zip(other.pairs) {
            *all += more;
        }
    }

    /// The same results from the opponent's side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self { wins: self.losses, draws: self.draws, losses: self.wins, pairs }
    }

    /// Points per game, 0 to 1; one half when there are no games.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            n => (self.wins as f64 + 0.5 * self.draws as f64) / n as f64,
        }
    }

    /// The distribution of results: by finished pairs where games are played in pairs, else by games. A game
    /// whose partner is still being played waits for it, so that a test does not change its model meanwhile.
    pub fn distribution(&self) -> Distribution {
        let paired: u64 = 2 * self.pairs.iter().sum::<u64>();
        if paired > 0 && 2 * paired >= self.games() {
            Distribution::from_pairs(self.pairs)
        } else {
            Distribution::from_games(self.wins, self.draws, self.losses)
        }
    }
}

/// Observed frequencies of equally spaced results between 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    counts: Vec<f64>,
    /// Games per result: 1, or 2 for pairs.
    games: f64,
}

/// Mean and variance of a result.
#[derive(Clone, Copy, Debug)]
struct Moments {
    mean: f64,
    variance: f64,
}

impl Distribution {
    pub fn from_games(wins: u64, draws: u64, losses: u64) -> Self {
        Self { counts: [losses, draws, wins].map(|n| n as f64).to_vec(), games: 1.0 }
    }

    pub fn from_pairs(pairs: [u64; 5]) -> Self {
        Self { counts: pairs.map(|n| n as f64).to_vec(), games: 2.0 }
    }

    fn total(&self) -> f64 {
        self.counts.iter().sum()
    }

    fn values(&self) -> impl Iterator<Item = f64> + Clone + use<> {
        let steps = self.counts.len().saturating_sub(1);
        (0..=steps).map(move |i| i as f64 / steps as f64)
    }

    /// The distribution with the [`PRIOR`] added.
    #[must_use]
    fn with_prior(&self) -> Self {
        let share = PRIOR / self.counts.len() as f64;
        Self { counts: self.counts.iter().map(|count| count + share).collect(), games: self.games }
    }

    fn moments(&self) -> Moments {
        let n = self.total().max(1.0);
        moments(self.values().zip(self.counts.iter().map(|c| c / n)))
    }

    /// Variance of the points of all games together, by the prior.
    pub fn variance_of_points(&self) -> f64 {
        self.with_prior().moments().variance * self.games.powi(2) * self.total()
    }

    /// Elo difference and half the width of its 95 % interval, by the prior.
    pub fn elo(&self) -> Estimate {
        self.with_prior().plain_elo()
    }

    fn plain_elo(&self) -> Estimate {
        let Moments { mean, variance } = self.moments();
        let deviation = (variance / self.total()).sqrt();
        let (half, margin) = (Z95 * deviation, mean.min(1.0 - mean));
        // Near 0 and 1 the far end of the interval runs away to infinity: the slope at the mean must do, and
        // the near end is the news.
        if 2.0 * half < margin {
            return Estimate::new(elo(mean), (elo(mean + half) - elo(mean - half)) / 2.0);
        }
        let error = 400.0 / LN_10 / (mean * (1.0 - mean)) * half;
        let near = if mean > 0.5 { mean - Z90 * deviation } else { mean + Z90 * deviation };
        let bound = (margin <= CLEAR).then(|| elo(near.clamp(0.01, 0.99)));
        Estimate { bound, ..Estimate::new(elo(mean), error) }
    }

    /// Normalized Elo and half the width of its 95 % interval: what decides how many games a test needs.
    pub fn normalized_elo(&self) -> Estimate {
        self.with_prior().plain_normalized_elo()
    }

    fn plain_normalized_elo(&self) -> Estimate {
        let Moments { mean, variance } = self.moments();
        let value = (mean - 0.5) / (self.games * variance).sqrt() * NELO;
        Estimate::new(value, Z95 * NELO / (self.games * self.total()).sqrt())
    }

    /// Probability that the engine is the stronger one.
    pub fn superiority(&self) -> f64 {
        self.with_prior().plain_superiority()
    }

    fn plain_superiority(&self) -> f64 {
        let Moments { mean, variance } = self.moments();
        0.5 * (1.0 + erf((mean - 0.5) / (2.0 * variance / self.total()).sqrt()))
    }

    /// Frequencies with unseen results given a small weight, so that logarithms exist.
    fn regularized(&self) -> (f64, Vec<(f64, f64)>) {
        let counts: Vec<f64> = self.counts.iter().map(|&c| if c == 0.0 { 1e-3 } else { c }).collect();
        let total: f64 = counts.iter().sum();
        (total, self.values().zip(counts.iter().map(|c| c / total)).collect())
    }

    /// Logarithm of how much likelier the results are under `elo1` than under `elo0`.
    pub fn llr(&self, model: EloModel, elo0: f64, elo1: f64) -> f64 {
        if self.total() == 0.0 {
            return 0.0;
        }
        let (total, pdf) = self.regularized();
        let likeliest = |elo: f64| match model {
            EloModel::Logistic => likeliest_with_mean(&pdf, expected_score(elo)),
            EloModel::Normalized => likeliest_with_t(&pdf, 0.5, elo / NELO * self.games.sqrt()),
        };
        let (p0, p1) = (likeliest(elo0), likeliest(elo1));
        total * pdf.iter().zip(p0.iter().zip(p1)).map(|((_, p), (p0, p1))| p * (p1 / p0).ln()).sum::<f64>()
    }
}

/// A value and half the width of its 95 % interval; or, where few games were won or lost clearly, the bound
/// that it exceeds, or stays below, with 95 % likelihood. The bound is above 0 if and only if the likelihood
/// of superiority is above 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// Half the width of the interval.
    pub error: f64,
    pub bound: Option<f64>,
}

impl Estimate {
    pub const fn new(value: f64, error: f64) -> Self {
        Self { value, error, bound: None }
    }

    /// The same in other units.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        let bound = self.bound.map(|bound| factor * bound);
        Self { value: factor * self.value, error: factor.abs() * self.error, bound }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not "-0.0".
        let rounded = |value: f64| if value.abs() < 0.05 { 0.0 } else { value };
        if let Some(bound) = self.bound {
            let sign = if self.value > 0.0 { '>' } else { '<' };
            return write!(f, "{sign} {:+.1} (95 %)", rounded(bound));
        }
        let value = rounded(self.value);
        write!(f, "{value:+.1} ± {:.1}", self.error)
    }
}

/// In which units the hypotheses of a test are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    Logistic,
    #[default]
    Normalized,
}

/// A sequential probability ratio test of `elo1` against `elo0`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sprt {
    /// The difference not worth having.
    pub elo0: f64,
    /// The difference hoped for.
    pub elo1: f64,
    /// Chance of accepting `elo1` when `elo0` is true.
    pub alpha: f64,
    /// Chance of accepting `elo0` when `elo1` is true.
    pub beta: f64,
    /// Units of `elo0` and `elo1`.
    pub model: EloModel,
}

impl Default for Sprt {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::default() }
    }
}

/// The result of a sequential test so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    Continue,
    /// `elo1` holds.
    Accept,
    /// `elo0` holds.
    Reject,
}

impl Sprt {
    pub fn check(&self) -> Result<(), Message> {
        let chance = |p: f64| p > 0.0 && p < 0.5;
        let bound = |elo: f64| elo.abs() <= 2000.0;
        let fits = bound(self.elo0) && bound(self.elo1) && self.elo0 < self.elo1;
        match fits && chance(self.alpha) && chance(self.beta) {
            true => Ok(()),
            false => Err(message!(
                "sprt: elo0 must be below elo1, alpha and beta between 0 and 0.5"
                    | "sprt：elo0 须小于 elo1，alpha 和 beta 须在 0 和 0.5 之间"
            )),
        }
    }

    /// The log-likelihood ratios at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of `tally`.
    pub fn llr(&self, tally: &Tally) -> f64 {
        tally.distribution().llr(self.model, self.elo0, self.elo1)
    }

    pub fn decide(&self, tally: &Tally) -> Decision {
        let (lower, upper) = self.bounds();
        match self.llr(tally) {
            llr if llr >= upper => Decision::Accept,
            llr if llr <= lower => Decision::Reject,
            _ => Decision::Continue,
        }
    }
}

/// Expected score of a player who is `elo` stronger.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Inverse of [`expected_score`]; infinite at and beyond 0 and 1.
pub fn elo(score: f64) -> f64 {
    match score {
        s if s <= 0.0 => f64::NEG_INFINITY,
        s if s >= 1.0 => f64::INFINITY,
        s => -400.0 * (1.0 / s - 1.0).log10(),
    }
}

fn moments(pdf: impl Iterator<Item = (f64, f64)> + Clone) -> Moments {
    let mean = pdf.clone().map(|(a, p)| a * p).sum::<f64>();
    Moments { mean, variance: pdf.map(|(a, p)| p * (a - mean).powi(2)).sum() }
}

/// The probabilities most likely to have given `pdf` among those with `sum p (a - mean) = 0`.
fn likeliest_with_mean(pdf: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let shifted: Vec<(f64, f64)> = pdf.iter().map(|&(a, p)| (a - mean, p)).collect();
    constrain(&shifted)
}

/// How far the iteration of [`likeliest_with_t`] may start from its end: beyond this it starts from what
/// fulfills the constraint already.
const MODERATE_T: f64 = 0.5;

/// The probabilities most likely to have given `pdf` among those with `(mean - reference) / deviation = t`.
/// A fixed-point iteration: the constraint is linearized at the current solution.
fn likeliest_with_t(pdf: &[(f64, f64)], reference: f64, t: f64) -> Vec<f64> {
    let start = match t.abs() < MODERATE_T {
        true => vec![1.0 / pdf.len() as f64; pdf.len()],
        false => some_with_t(pdf, reference, t),
    };
    let mut best = start.clone();
    for _ in 0..10 {
        let Moments { mean, variance } = moments(pdf.iter().map(|x| x.0).zip(best.iter().copied()));
        let deviation = variance.sqrt();
        let shifted: Vec<(f64, f64)> = pdf
            .iter()
            .map(|&(a, p)| {
                (a - reference - t * deviation * (1.0 + ((mean - a) / deviation).powi(2)) / 2.0, p)
            })
            .collect();
        // Values of one sign have no mean of 0: the linearization has led too far.
        if shifted.iter().all(|x| x.0 >= 0.0) || shifted.iter().all(|x| x.0 <= 0.0) {
            return start;
        }
        let next = constrain(&shifted);
        let change = next.iter().zip(&best).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        best = next;
        if change < 1e-9 {
            break;
        }
    }
    best
}

/// Probabilities near `pdf` with `(mean - reference) / deviation = t`, which rises with the mean.
fn some_with_t(pdf: &[(f64, f64)], reference: f64, t: f64) -> Vec<f64> {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = f64::midpoint(low, high);
        let found = likeliest_with_mean(pdf, middle);
        if high - low < 1e-9 {
            return found;
        }
        let Moments { mean, variance } = moments(pdf.iter().map(|x| x.0).zip(found.iter().copied()));
        if (mean - reference) / variance.sqrt() < t { low = middle } else { high = middle }
    }
}

/// Maximizes likelihood under `sum q a = 0`: the solution is `q = p / (1 + x a)` with x such that the
/// constraint holds; x is found by bisection, for the sum falls monotonically in x.
fn constrain(pdf: &[(f64, f64)]) -> Vec<f64> {
    let min = pdf.iter().map(|x| x.0).fold(f64::INFINITY, f64::min);
    let max = pdf.iter().map(|x| x.0).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / max, -1.0 / min);
    for _ in 0..200 {
        let x = f64::midpoint(low, high);
        if pdf.iter().map(|&(a, p)| p * a / (1.0 + x * a)).sum::<f64>() > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = f64::midpoint(low, high);
    pdf.iter().map(|&(a, p)| p / (1.0 + x * a)).collect()
}

/// The error function, by its series near 0 and its continued fraction elsewhere; accurate to 1e-12.
fn erf(x: f64) -> f64 {
    let z = x.abs();
    let value = if z < 2.5 {
        let (mut term, mut sum) = (z, z);
        for n in (1..60).map(f64::from) {
            term *= -z * z / n;
            sum += term / (2.0 * n + 1.0);
        }
        sum * std::f64::consts::FRAC_2_SQRT_PI
    } else {
        let fraction = (1..60).rev().fold(0.0, |f, n| f64::from(n) / 2.0 / (z + f));
        1.0 - (-z * z).exp() / (z + fraction) / std::f64::consts::PI.sqrt()
    };
    value.copysign(x)
}

#[cfg(test)]
mod tests;
