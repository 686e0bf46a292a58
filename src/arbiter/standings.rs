//! Who has scored what against whom.

use super::fixture::Fixture;
use super::stats::{Estimate, Tally, expected_score};
use crate::util::lang::Language;
use crate::util::words;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::{AddAssign, SubAssign};

/// Points for a win, a draw and a loss.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum PointSystem {
    // CH-16.
    #[default]
    #[serde(rename = "1/0.5/0")]
    #[value(name = "1/0.5/0")]
    Half,
    // XQ-8.
    #[serde(rename = "3/1/0")]
    #[value(name = "3/1/0")]
    Three,
}

impl PointSystem {
    /// Points of a tally, in halves of a point.
    #[allow(clippy::arithmetic_side_effects, reason = "counts of games")]
    pub const fn half_points(self, tally: &Tally) -> u64 {
        match self {
            Self::Half => 2 * tally.wins + tally.draws,
            Self::Three => 6 * tally.wins + 2 * tally.draws,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Standings {
    players: usize,
    pub scoring: PointSystem,
    /// Whether every game has a partner with colors reversed, so that statistics are by pairs.
    pub in_pairs: bool,
    /// Players who did not come to a game, and in which round first.
    absent: HashMap<usize, usize>,
    /// By pair of players, lower index first and from its side.
    tallies: HashMap<(usize, usize), Tally>,
    /// The same of games that were not played: they count, and are not rated.
    unplayed: HashMap<(usize, usize), Tally>,
    /// The same of each round, which comes first.
    rounds: HashMap<(usize, usize, usize), Tally>,
    /// Half points of the first seat, by number of the game.
    games: HashMap<usize, u8>,
    /// First finished game of a pair: the lower index's half points.
    half_pairs: HashMap<usize, u8>,
    /// Half points taken off a player, by round and player.
    deductions: HashMap<(usize, usize), u64>,
    /// Games that count as won for a player that sits a round out, by round and player.
    byes: HashMap<(usize, usize), u64>,
}

impl Standings {
    pub fn new(players: usize) -> Self {
        Self {
            players,
            scoring: PointSystem::default(),
            in_pairs: true,
            absent: HashMap::new(),
            tallies: HashMap::new(),
            unplayed: HashMap::new(),
            rounds: HashMap::new(),
            games: HashMap::new(),
            half_pairs: HashMap::new(),
            deductions: HashMap::new(),
            byes: HashMap::new(),
        }
    }

    /// Counts a game: `half_points` are those of the first seat.
    #[allow(clippy::arithmetic_side_effects, reason = "a game is worth two half points")]
    pub fn add(&mut self, fixture: &Fixture, half_points: u8) {
        self.games.insert(fixture.number, half_points);
        let [first, second] = fixture.seats;
        let (low, high) = (first.min(second), first.max(second));
        let points = if first == low { half_points } else { 2 - half_points };
        let pair = self.half_pairs.remove(&fixture.pair);
        if pair.is_none() {
            self.half_pairs.insert(fixture.pair, points);
        }
        for tally in [
            self.tallies.entry((low, high)).or_default(),
            self.rounds.entry((fixture.round, low, high)).or_default(),
        ] {
            tally.add_game(points);
            if let (Some(other), true) = (pair, self.in_pairs) {
                tally.add_pair(points + other);
            }
        }
    }

    /// Counts a game that was forfeited.
    pub fn add_forfeited(&mut self, fixture: &Fixture, half_points: u8) {
        self.add(fixture, half_points);
        let [first, second] = fixture.seats;
        let points = if first < second { half_points } else { 2u8.saturating_sub(half_points) };
        self.unplayed.entry((first.min(second), first.max(second))).or_default().add_game(points);
    }

    /// Takes half points off what `player` has scored in a round.
    pub fn deduct(&mut self, round: usize, player: usize, half_points: u64) {
        let deducted = self.deductions.entry((round, player)).or_default();
        *deducted = deducted.saturating_add(half_points);
    }

    /// Gives `player`, who sits a round out, the points of `games` wins, which do not count as games. A
    /// player that forfeited games gets no points, and is the first to sit out.
    pub fn sit_out(&mut self, round: usize, player: usize, games: u64) {
        if !self.absent.contains_key(&player) {
            self.byes.insert((round, player), games);
        }
    }

    /// `player` has not come to a game of a round.
    pub fn stayed_away(&mut self, round: usize, player: usize) {
        let first = self.absent.entry(player).or_insert(round);
        *first = round.min(*first);
        self.byes.retain(|&(_, other), _| other != player);
    }

    /// The results up to and with that round.
    pub fn until(&self, round: usize) -> Self {
        let Self { scoring, in_pairs, .. } = *self;
        let mut early = Self { scoring, in_pairs, ..Self::new(self.players) };
        early.absent = self.absent.iter().filter(|&(_, &at)| at <= round).map(|(&p, &at)| (p, at)).collect();
        for (&(at, low, high), tally) in self.rounds.iter().filter(|((at, ..), _)| *at <= round) {
            early.rounds.insert((at, low, high), *tally);
            early.tallies.entry((low, high)).or_default().add_tally(tally);
        }
        let deductions = self.deductions.iter().filter(|((at, _), _)| *at <= round);
        early.deductions = deductions.map(|(&key, &points)| (key, points)).collect();
        let byes = self.byes.iter().filter(|((at, _), _)| *at <= round);
        early.byes = byes.map(|(&key, &games)| (key, games)).collect();
        early
    }

    /// Results of `a` against `b`, from the side of `a`.
    pub fn tally(&self, a: usize, b: usize) -> Tally {
        let tally = self.tallies.get(&(a.min(b), a.max(b))).copied().unwrap_or_default();
        if a <= b { tally } else { tally.reversed() }
    }

    /// The same without games that were forfeited.
    fn rated(&self, a: usize, b: usize) -> Tally {
        let unplayed = self.unplayed.get(&(a.min(b), a.max(b))).copied().unwrap_or_default();
        let tally = self.tally(a, b);
        let unplayed = if a <= b { unplayed } else { unplayed.reversed() };
        Tally {
            wins: tally.wins.saturating_sub(unplayed.wins),
            draws: tally.draws.saturating_sub(unplayed.draws),
            losses: tally.losses.saturating_sub(unplayed.losses),
            // Pairs with a game that was not played reveal nothing about strength.
            pairs: if unplayed.games() == 0 { tally.pairs } else { Default::default() },
        }
    }

    /// Whether a player has played a game, as a rating needs.
    pub fn is_rated(&self, player: usize) -> bool {
        (0..self.players).any(|other| other != player && self.rated(player, other).games() > 0)
    }

    /// Results of `player` against all others.
    pub fn total(&self, player: usize) -> Tally {
        let mut sum = Tally::default();
        for other in (0..self.players).filter(|&p| p != player) {
            sum.add_tally(&self.tally(player, other));
        }
        sum
    }

    /// What `player` has scored, in halves of a point, rounds that it sat out included.
    pub fn half_points(&self, player: usize) -> u64 {
        let deducted = self.deductions.iter().filter(|((_, p), _)| *p == player).map(|(_, points)| points);
        let mut scored = self.total(player);
        scored.wins = self.byes_of(player).fold(scored.wins, u64::saturating_add);
        self.scoring.half_points(&scored).saturating_sub(deducted.sum())
    }

    /// For each round that `player` sat out the games that count as won.
    pub fn byes_of(&self, player: usize) -> impl Iterator<Item = u64> {
        self.byes.iter().filter(move |((_, p), _)| *p == player).map(|(_, &games)| games)
    }

    pub fn games_of(&self, player: usize) -> u64 {
        self.total(player).games()
    }

    /// Half points of the first seat in the game of that number, if it is finished and counts.
    pub fn result(&self, number: usize) -> Option<u8> {
        self.games.get(&number).copied()
    }

    /// All players, best first.
    pub fn order(&self) -> Vec<usize> {
        self.order_of(&(0..self.players).collect::<Vec<_>>())
    }

    /// Players of a group, best first: by points, then by the games among those of them level on points, then
    /// by wins less losses, then by number of wins; last by their order in the list.
    pub fn order_of(&self, group: &[usize]) -> Vec<usize> {
        let mut order = group.to_vec();
        order.sort_by_cached_key(|&player| (std::cmp::Reverse(self.merit(player, group)), player));
        order
    }

    /// Whether nothing but their order in the list distinguishes two players of a group.
    pub fn are_level(&self, a: usize, b: usize, group: &[usize]) -> bool {
        self.merit(a, group) == self.merit(b, group)
    }

    /// Points, points of the games among those level on them, wins less losses, wins: what decides places, in
    /// this order.
    #[allow(clippy::arithmetic_side_effects, reason = "counts of games")]
    pub fn merit(&self, player: usize, group: &[usize]) -> (u64, u64, i64, u64) {
        let (points, total) = (self.half_points(player), self.total(player));
        let rivals = group.iter().filter(|&&other| other != player && self.half_points(other) == points);
        let head_to_head = rivals.map(|&other| self.scoring.half_points(&self.tally(player, other))).sum();
        (points, head_to_head, total.wins as i64 - total.losses as i64, total.wins)
    }

    /// `A vs B: +3 =2 -1, Elo +115.3 ± 260.2`, from the side of the first player, against all others together
    /// if there are several.
    pub fn result_line(&self, names: &[&str], language: Language) -> String {
        let (opponent, tally) = match names[..] {
            [_, other] => (other.to_owned(), self.tally(0, 1)),
            _ => (words::the_others(language), self.total(0)),
        };
        let elo = tally.distribution().elo();
        let name = names.first().copied().unwrap_or_default();
        words::result_line(language, name, opponent, tally.wins, tally.draws, tally.losses, elo)
    }

    /// Ratings that make the results most likely, their mean 0, and 95 % intervals. The likelihood has a weak
    /// prior, one drawn game of every player against a player of rating 0, so that a clean score has a
    /// rating. Forfeited games are not rated. Of two players: half the difference that
    /// [`Distribution::elo`](super::stats::Distribution::elo) gives, so that a match has one Elo.
    pub fn ratings(&self) -> Vec<Estimate> {
        if self.players == 2 {
            let elo = self.rated(0, 1).distribution().elo();
            return [0.5, -0.5].map(|half| elo.scaled(half)).to_vec();
        }
        let slope = std::f64::consts::LN_10 / 400.0;
        let mut ratings = vec![0.0; self.players];
        let mut information = Matrix::new(self.players);
        for _ in 0..100 {
            information = Matrix::new(self.players);
            let mut surplus = vec![0.0; self.players];
            for (p, (&rating, surplus)) in ratings.iter().zip(&mut surplus).enumerate() {
                let expected = expected_score(rating);
                *surplus += (0.5 - expected) * slope;
                information.at(p, p).add_assign(expected * (1.0 - expected) * slope * slope);
                for (other, &rival) in ratings.iter().enumerate().filter(|&(o, _)| o != p) {
                    let tally = self.rated(p, other);
                    let (games, expected) = (tally.games() as f64, expected_score(rating - rival));
                    *surplus += games * (tally.score() - expected) * slope;
                    let known = games * expected * (1.0 - expected) * slope * slope;
                    information.at(p, p).add_assign(known);
                    information.at(p, other).sub_assign(known);
                }
            }
            // Newton's step; it is shortened where a clean score would lead it too far.
            let steps = information.inverse().times(&surplus);
            let longest = steps.iter().fold(0.0f64, |longest, step| longest.max(step.abs()));
            let share = (200.0 / longest.max(1e-300)).min(1.0);
            ratings.iter_mut().zip(&steps).for_each(|(rating, step)| *rating += share * step);
            if longest < 1e-6 {
                break;
            }
        }
        // How much the surplus of each player varies, by the results that were seen: draws make it less.
        let mut noise = Matrix::new(self.players);
        for (p, &rating) in ratings.iter().enumerate() {
            let expected = expected_score(rating);
            noise.at(p, p).add_assign(expected * (1.0 - expected) * slope * slope);
            for other in (0..self.players).filter(|&o| o != p && self.rated(p, o).games() > 0) {
                let seen = self.rated(p, other).distribution().variance_of_points() * slope * slope;
                noise.at(p, p).add_assign(seen);
                noise.at(p, other).sub_assign(seen);
            }
        }
        let known = information.inverse();
        let mean = ratings.iter().sum::<f64>() / self.players.max(1) as f64;
        let estimate = |(p, rating): (usize, &f64)| {
            // The rating is given by its distance from the mean of all.
            let share = 1.0 / self.players as f64;
            let weights: Vec<f64> =
                (0..self.players).map(|i| if i == p { 1.0 - share } else { -share }).collect();
            let spread = known.times(&weights);
            let variance: f64 = noise.times(&spread).iter().zip(&spread).map(|(a, b)| a * b).sum();
            Estimate::new(rating - mean, 1.96 * variance.sqrt())
        };
        ratings.iter().enumerate().map(estimate).collect()
    }
}

#[derive(Clone)]
struct Matrix {
    size: usize,
    rows: Vec<Vec<f64>>,
}

#[allow(clippy::indexing_slicing, reason = "`size` rows of `size` numbers, one for each player")]
impl Matrix {
    fn new(size: usize) -> Self {
        Self { size, rows: vec![vec![0.0; size]; size] }
    }

    fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.rows[row][column]
    }

    fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }

    /// By Gauss and Jordan, without pivots: what is inverted here is positive definite.
    fn inverse(&self) -> Self {
        let (mut left, mut right) = (self.clone(), Self::new(self.size));
        (0..self.size).for_each(|i| *right.at(i, i) = 1.0);
        for i in 0..self.size {
            let pivot = 1.0 / left.rows[i][i];
            for matrix in [&mut left, &mut right] {
                matrix.rows[i].iter_mut().for_each(|x| *x *= pivot);
            }
            for j in (0..self.size).filter(|&j| j != i) {
                let factor = left.rows[j][i];
                for matrix in [&mut left, &mut right] {
                    let row = matrix.rows[i].clone();
                    matrix.rows[j].iter_mut().zip(row).for_each(|(x, y)| *x -= factor * y);
                }
            }
        }
        right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: usize, seats: [usize; 2]) -> Fixture {
        Fixture { number, round: 1, pair: number / 2, seats, deciding: false }
    }

    #[test]
    fn pairs_are_counted_from_one_side() {
        let mut s = Standings::new(2);
        s.add(&game(0, [0, 1]), 2);
        s.add(&game(1, [1, 0]), 1);
        let tally = s.tally(0, 1);
        assert_eq!((tally.wins, tally.draws, tally.losses), (1, 1, 0));
        assert_eq!(tally.pairs, [0, 0, 0, 1, 0]);
        assert_eq!(s.tally(1, 0).pairs, [0, 1, 0, 0, 0]);
        assert_eq!((s.result(0), s.result(1), s.result(2)), (Some(2), Some(1), None));
    }

    #[test]
    fn ties_are_broken_by_head_to_head_and_then_by_net_wins() {
        let mut s = Standings::new(3);
        s.add(&game(0, [1, 0]), 2);
        s.add(&game(2, [0, 2]), 2);
        s.add(&game(4, [1, 2]), 0);
        // Every player has one point, and one in the games among them: the order of the list decides.
        assert_eq!(s.order(), [0, 1, 2]);
        s.add(&game(6, [2, 1]), 1);
        s.add(&game(8, [0, 2]), 1);
        s.add(&game(10, [1, 0]), 1);
        s.add(&game(12, [1, 0]), 1);
        assert_eq!(s.order()[2], 2);
    }

    #[test]
    fn three_points_for_a_win_change_the_order() {
        let mut s = Standings::new(3);
        for i in 0..3 {
            s.add(&game(2 * i, [1, 2]), 1);
        }
        s.add(&game(10, [0, 2]), 2);
        s.add(&game(12, [2, 0]), 2);
        assert_eq!(s.order()[0], 2);
        s.scoring = PointSystem::Three;
        assert_eq!(s.scoring.half_points(&s.total(0)), 6);
        assert_eq!(s.scoring.half_points(&s.total(1)), 6);
    }

    #[test]
    fn ratings_recover_differences() {
        let mut s = Standings::new(3);
        let mut number = 0;
        // Scores of 64 % and 76 % are 100 and 200 Elo.
        for (a, b, wins) in [(0, 1, 64), (1, 2, 64), (0, 2, 76)] {
            for i in 0..100 {
                s.add(&game(2 * number, [a, b]), if i < wins { 2 } else { 0 });
                number += 1;
            }
        }
        let r = s.ratings();
        assert!((r[0].value - 100.0).abs() < 5.0 && r[1].value.abs() < 5.0, "{r:?}");
        assert!(r.iter().all(|e| e.error > 10.0 && e.error < 80.0), "{r:?}");
    }

    #[test]
    fn draws_make_a_rating_surer_and_loose_links_make_it_less() {
        let mut s = Standings::new(3);
        for number in 0..1000 {
            // 89 of 100 games are drawn.
            for other in [1, 2] {
                let result = if number % 100 < 89 { 1 } else { [0, 2][number % 2] };
                s.add(&game(2 * number + 4000 * other, [0, other]), result);
            }
        }
        let drawn = s.ratings();
        assert!((2.0..4.5).contains(&drawn[0].error) && (3.5..7.0).contains(&drawn[1].error), "{drawn:?}");
        // Two groups with 2000 games in each and two games between them.
        let mut s = Standings::new(4);
        for number in 0..2000 {
            s.add(&game(2 * number, [0, 1]), [0, 2, 2][number % 3]);
            s.add(&game(2 * number + 8000, [2, 3]), [0, 2, 2][number % 3]);
        }
        (0..2).for_each(|number| s.add(&game(2 * number + 16_000, [0, 2]), 2));
        let linked = s.ratings();
        assert!(linked.iter().all(|rating| rating.error > 80.0), "{linked:?}");
        assert!((linked[0].value - linked[1].value - 120.0).abs() < 5.0, "{linked:?}");
    }

    #[test]
    fn earlier_rounds_and_deductions_are_kept_apart() {
        let mut s = Standings { scoring: PointSystem::Three, ..Standings::new(2) };
        s.add(&game(0, [0, 1]), 2);
        s.add(&Fixture { round: 2, ..game(2, [1, 0]) }, 2);
        s.deduct(2, 1, 2);
        assert_eq!((s.half_points(0), s.half_points(1)), (6, 4));
        assert_eq!((s.until(1).half_points(0), s.until(1).half_points(1)), (6, 0));
        assert!(s.order() == [0, 1] && !s.are_level(0, 1, &[0, 1]));
    }

    #[test]
    fn who_sits_out_has_the_points_of_wins_and_no_games() {
        for (scoring, points) in [(PointSystem::Half, 4), (PointSystem::Three, 12)] {
            let mut s = Standings { scoring, ..Standings::new(3) };
            s.add(&game(0, [0, 1]), 2);
            let before = (s.total(2), s.ratings());
            s.sit_out(2, 2, 2);
            s.sit_out(2, 2, 2);
            assert_eq!(
                (s.half_points(2), s.until(1).half_points(2), s.until(2).half_points(2)),
                (points, 0, points)
            );
            assert_eq!((s.games_of(2), s.byes_of(2).count(), s.byes_of(0).count()), (0, 1, 0));
            assert_eq!((s.total(2), s.ratings()), before);
            assert_eq!(s.order(), [2, 0, 1]);
        }
    }
}
