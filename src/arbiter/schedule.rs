//! Who plays whom, with which colors and from which opening.
//!
//! Encounters are made of pairs: two games from one opening with colors reversed. An odd game is left to the
//! player whose turn it is to move first. Play-offs, knockout and Swiss rounds depend on the results so far,
//! so the list of games grows as rounds are finished; given the same results it grows in the same way, which
//! is what makes a match resumable.

mod pairing;

use super::fixture::Fixture;
use super::standings::Standings;
use super::stats::Tally;
use crate::util::rng::Rng;
use crate::util::shard::Shard;
use pairing::{all_pairs, berger, deal, swiss_pairs};
use serde::{Deserialize, Serialize};
use std::cmp::{Ordering, Reverse};
use std::collections::HashSet;

/// How players are paired.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// All play all.
    #[default]
    #[value(alias = "roundrobin")]
    RoundRobin,
    /// The first player plays all others.
    Gauntlet,
    /// Players with equal scores meet, no two of them twice as long as that is possible.
    Swiss,
    /// Who loses an encounter is out.
    Knockout,
    /// All in a group play each other; the first two of each group play a knockout, crosswise (XQ-10).
    Groups,
}

impl Format {
    /// Whether one player is left in the end.
    pub const fn ends_in_knockout(self) -> bool {
        matches!(self, Self::Knockout | Self::Groups)
    }

    /// Whether all games are known before the first is played; a play-off adds others.
    pub const fn is_fixed(self) -> bool {
        matches!(self, Self::RoundRobin | Self::Gauntlet)
    }
}

/// What decides an encounter that ends level and must have a winner.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// More pairs of games, up to [`MAX_TIE_BREAKS`], and then the better seed.
    #[default]
    Pairs,
    /// One game, colors drawn by lot, in which a draw is lost by the side that moves first (XQ-10).
    DecidingGame,
}

#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Who meets whom.
    pub format: Format,
    pub players: usize,
    /// Games of one encounter.
    pub games: usize,
    /// Swiss rounds; elsewhere, how often the whole is played.
    pub rounds: usize,
    /// How many groups there are, a power of two.
    pub groups: usize,
    /// What decides encounters of knockouts and play-offs that end level.
    pub tie_break: TieBreak,
    /// Whether players whom a table leaves level for a place that counts play for it.
    pub play_off: bool,
    pub play_off_games: usize,
    /// For colors drawn by lot.
    pub seed: u64,
    /// The part of the games that is played here: whole pairs, dealt to the parts in turn. Their numbers,
    /// openings and colors are those that they have in the whole.
    pub shard: Shard,
}

impl Plan {
    /// All play all once, in pairs of games.
    pub const fn of(format: Format, players: usize) -> Self {
        let tie_break = TieBreak::Pairs;
        Self {
            format,
            players,
            games: 2,
            rounds: 1,
            groups: 2,
            tie_break,
            play_off: false,
            play_off_games: 2,
            seed: 1,
            shard: Shard::WHOLE,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScheduleStep {
    Play(Fixture),
    /// What comes next depends on games still being played.
    Wait,
    Done,
}

/// Which part of a match is being played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Points are collected.
    Table,
    /// Places that the table left open are played for.
    PlayOff,
    /// Who loses an encounter is out.
    Knockout,
    Over,
}

#[derive(Clone, Debug)]
pub struct Schedule {
    plan: Plan,
    stage: Stage,
    round: usize,
    fixtures: Vec<Fixture>,
    pairs: usize,
    cursor: usize,
    /// Encounters of the round being played.
    encounters: Vec<[usize; 2]>,
    /// The games that each of them has, without those that a tie adds.
    games: usize,
    /// Stage and encounters of every round so far.
    history: Vec<(Stage, Vec<[usize; 2]>)>,
    /// Who sat which Swiss round out: round and player.
    byes: Vec<(usize, usize)>,
    /// Players by group, from the end of the table on in the order of their places.
    groups: Vec<Vec<usize>>,
    /// Players whom the table left level, from the end of the table on.
    ties: Vec<Vec<usize>>,
    /// Who is still in: the first of these players meets the last, the second the last but one, and the
    /// winner takes the better place of the two. From the start of a knockout on.
    alive: Vec<usize>,
    /// The players of the knockout, the best seed first.
    seeds: Vec<usize>,
}

/// Extra pairs after which a drawn encounter goes to the better seed.
const MAX_TIE_BREAKS: usize = 8;

/// How many of a group go on.
pub const ADVANCING: usize = 2;

impl Schedule {
    /// The schedule of a match that is paired by `plan`.
    pub fn new(plan: Plan) -> Self {
        let plan = Plan { games: plan.games.max(1), rounds: plan.rounds.max(1), ..plan };
        let (stage, groups) = match plan.format {
            Format::Knockout => (Stage::Knockout, Vec::new()),
            Format::Groups => (Stage::Table, deal(plan.players, plan.groups.max(1))),
            _ => (Stage::Table, vec![(0..plan.players).collect()]),
        };
        Self {
            plan,
            stage,
            round: 0,
            fixtures: Vec::new(),
            pairs: 0,
            cursor: 0,
            encounters: Vec::new(),
            games: plan.games,
            history: Vec::new(),
            byes: Vec::new(),
            groups,
            ties: Vec::new(),
            alive: (0..plan.players).collect(),
            seeds: (0..plan.players).collect(),
        }
    }

    /// How many games there will be. `None`: that depends on their results.
    pub fn expected_games(&self) -> Option<usize> {
        if !self.plan.shard.is_whole() {
            return self.games_of_shard();
        }
        let n = self.plan.players;
        let encounters = match self.plan.format {
            _ if self.plan.play_off => return None,
            Format::RoundRobin => n.saturating_mul(n.saturating_sub(1)) / 2,
            Format::Gauntlet => n.saturating_sub(1),
            Format::Swiss => n / 2,
            Format::Knockout | Format::Groups => return None,
        };
        Some(encounters.saturating_mul(self.plan.games).saturating_mul(self.plan.rounds))
    }

    fn games_of_shard(&self) -> Option<usize> {
        if !self.plan.format.is_fixed() || self.plan.play_off {
            return None;
        }
        let (mut all, standings) = (Self::new(self.plan), Standings::new(self.plan.players));
        let games = std::iter::from_fn(|| match all.next(&standings, &HashSet::new()) {
            ScheduleStep::Play(fixture) => Some(fixture),
            ScheduleStep::Wait | ScheduleStep::Done => None,
        });
        Some(games.count())
    }

    /// What was to be played as game `number`, from 0. `None`: it has not been scheduled.
    pub fn fixture(&self, number: usize) -> Option<&Fixture> {
        self.fixtures.get(number)
    }

    /// All games so far.
    pub fn fixtures(&self) -> &[Fixture] {
        &self.fixtures
    }

    /// Stage and encounters of every round so far, the first round first.
    pub fn history(&self) -> &[(Stage, Vec<[usize; 2]>)] {
        &self.history
    }

    /// Players by group; in the order of their places once the table is over.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// Players whom the table left level and who play for their places.
    pub fn ties(&self) -> &[Vec<usize>] {
        &self.ties
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Who has won the knockout, or the play-off for the first place, once that is played.
    pub fn champion(&self) -> Option<usize> {
        match (self.stage, self.plan.format, &self.alive[..], &self.ties[..]) {
            (Stage::Over, Format::Knockout | Format::Groups, [champion], _) => Some(*champion),
            (Stage::Over, Format::RoundRobin | Format::Gauntlet | Format::Swiss, _, [_, ..]) => {
                self.groups.first()?.first().copied()
            }
            _ => None,
        }
    }

    /// Gives those who have sat a Swiss round out the points of a won encounter (FIDE C.04.1 c).
    pub fn grant_byes(&self, standings: &mut Standings) {
        for &(round, player) in &self.byes {
            standings.sit_out(round, player, self.plan.games as u64);
        }
    }

    /// What to do next; `finished` are the numbers of the games already counted in `standings`.
    pub fn next(&mut self, standings: &Standings, finished: &HashSet<usize>) -> ScheduleStep {
        loop {
            while let Some(&fixture) = self.fixtures.get(self.cursor) {
                self.cursor = self.cursor.saturating_add(1);
                if self.plan.shard.has(fixture.pair) && !finished.contains(&fixture.number) {
                    return ScheduleStep::Play(fixture);
                }
            }
            if self.depends_on_results() && self.fixtures.iter().any(|f| !finished.contains(&f.number)) {
                return ScheduleStep::Wait;
            }
            if !self.add_games(standings) {
                return ScheduleStep::Done;
            }
        }
    }

    /// Whether what comes next depends on results.
    fn depends_on_results(&self) -> bool {
        let Plan { format, rounds, play_off, .. } = self.plan;
        match self.stage {
            Stage::Table if self.round < rounds => format == Format::Swiss,
            Stage::Table => play_off || format == Format::Groups,
            Stage::PlayOff | Stage::Knockout => true,
            Stage::Over => false,
        }
    }

    /// Appends the next games. `false`: there are none.
    fn add_games(&mut self, standings: &Standings) -> bool {
        let added = match self.stage {
            Stage::Table if self.round < self.plan.rounds => self.add_table_round(standings),
            Stage::Table => self.end_table(standings),
            Stage::PlayOff => self.add_tie_breaks(standings) || self.end_play_off(standings),
            Stage::Knockout => self.add_tie_breaks(standings) || self.add_knockout_round(standings),
            Stage::Over => false,
        };
        if !added {
            self.stage = Stage::Over;
        }
        added
    }

    fn add_round(&mut self, encounters: Vec<[usize; 2]>) -> bool {
        self.round = self.round.saturating_add(1);
        self.games = if self.stage == Stage::PlayOff { self.plan.play_off_games } else { self.plan.games };
        for (place, &encounter) in encounters.iter().enumerate() {
            match self.is_decided_at_once(encounter) {
                true => self.add_deciding_game(encounter),
                false => self.add_encounter(self.seats(place, encounter), self.games),
            }
        }
        self.history.push((self.stage, encounters.clone()));
        self.encounters = encounters;
        !self.encounters.is_empty()
    }

    /// Whether one game with a winner is all that is played for a place: of two players, where the plan has
    /// it so.
    fn is_decided_at_once(&self, encounter: [usize; 2]) -> bool {
        self.stage == Stage::PlayOff
            && self.plan.tie_break == TieBreak::DecidingGame
            && self.games == 1
            && self.ties.iter().any(|tied| tied.len() == 2 && tied.contains(&encounter[0]))
    }

    /// One game with colors by lot, in which a draw has a winner.
    #[allow(clippy::arithmetic_side_effects, reason = "games that are in memory")]
    fn add_deciding_game(&mut self, [a, b]: [usize; 2]) {
        let lot = Rng::new(self.plan.seed ^ ((self.fixtures.len() as u64) << 32)).below(2);
        let seats = if lot == 0 { [a, b] } else { [b, a] };
        self.add_game(seats, self.pairs, true);
        self.pairs += 1;
    }

    /// The seats of an encounter's first game. With an odd number of games the first of them moves first once
    /// more than the other. `place` is that of the encounter in its round.
    fn seats(&self, place: usize, [a, b]: [usize; 2]) -> [usize; 2] {
        let is_table = self.stage == Stage::Table && self.plan.format != Format::Swiss;
        let begins = match self.games.is_multiple_of(2) {
            true => true,
            false if is_table => self.begins_in_table(a, b),
            false => self.is_due(place, a, b),
        };
        if begins { [a, b] } else { [b, a] }
    }

    /// Whether `a` moves first against `b` in this round of a table: from one round to the next the two take
    /// turns.
    fn begins_in_table(&self, a: usize, b: usize) -> bool {
        let group = self.groups.iter().find(|group| group.contains(&a));
        let place = |player| group.and_then(|group| group.iter().position(|&p| p == player)).unwrap_or(0);
        berger(place(a), place(b), group.map_or(0, Vec::len)) != self.round.is_multiple_of(2)
    }

    /// Whether `a` has moved first less often than `b`, or as often and second more often, or as often and
    /// not in its last game. Where nothing distinguishes them, first and second of the encounters take turns
    /// down the list.
    fn is_due(&self, place: usize, a: usize, b: usize) -> bool {
        let past = |player: usize| {
            let moved_first: Vec<bool> = self
                .fixtures
                .iter()
                .filter(|f| f.seats.contains(&player))
                .map(|f| f.seats[0] == player)
                .collect();
            let firsts = moved_first.iter().filter(|&&first| first).count();
            (firsts, Reverse(moved_first.len()), moved_first.last().copied())
        };
        match past(a).cmp(&past(b)) {
            Ordering::Less => true,
            Ordering::Equal => place.is_multiple_of(2),
            Ordering::Greater => false,
        }
    }

    fn add_table_round(&mut self, standings: &Standings) -> bool {
        let encounters = match self.plan.format {
            Format::Gauntlet => (1..self.plan.players).map(|other| [0, other]).collect(),
            Format::Swiss => swiss_pairs(&self.so_far(standings)),
            _ => self.groups.iter().flat_map(|group| all_pairs(group)).collect(),
        };
        if self.plan.format == Format::Swiss {
            let sits_out = |player: &usize| !encounters.iter().any(|pair| pair.contains(player));
            let round = self.round.saturating_add(1);
            self.byes.extend((0..self.plan.players).find(sits_out).map(|player| (round, player)));
        }
        self.add_round(encounters)
    }

    /// The results of the rounds so far. Later rounds are none of their business, though a match that goes on
    /// has them already.
    fn so_far(&self, standings: &Standings) -> Standings {
        let mut early = standings.until(self.round);
        self.grant_byes(&mut early);
        early
    }

    /// The places of the table are known: what is level and counts is played for.
    fn end_table(&mut self, standings: &Standings) -> bool {
        let standings = self.so_far(standings);
        let boundaries = if self.plan.format == Format::Groups { 1..=ADVANCING } else { 1..=1 };
        for group in &mut self.groups {
            *group = standings.order_of(group);
            let level = |a: usize, b: usize| standings.are_level(a, b, group);
            let tied = group.chunk_by(|&a, &b| level(a, b)).scan(0, |from, players| {
                let range = *from..players.len().saturating_add(*from);
                *from = range.end;
                Some((range, players))
            });
            let counts = |range: &std::ops::Range<usize>| {
                boundaries.clone().any(|boundary| range.start < boundary && boundary < range.end)
            };
            self.ties.extend(tied.filter(|(range, _)| counts(range)).map(|(_, players)| players.to_vec()));
        }
        if !self.plan.play_off {
            self.ties.clear();
        }
        if self.ties.is_empty() {
            return self.begin_knockout(&standings);
        }
        self.stage = Stage::PlayOff;
        self.add_round(self.ties.iter().flat_map(|players| all_pairs(players)).collect())
    }

    /// Players who were level have played: who has more points of it has the better place.
    fn end_play_off(&mut self, standings: &Standings) -> bool {
        let points = |player: usize, rivals: &[usize]| -> u64 {
            let others = rivals.iter().filter(|&&other| other != player);
            others.map(|&other| standings.scoring.half_points(&self.results(standings, player, other))).sum()
        };
        let orders: Vec<Vec<usize>> = self
            .ties
            .iter()
            .map(|tied| {
                let mut order = tied.clone();
                order.sort_by_cached_key(|&player| Reverse(points(player, tied)));
                order
            })
            .collect();
        for order in orders {
            for group in &mut self.groups {
                let Some(from) = group.iter().position(|player| order.contains(player)) else { continue };
                for (place, &player) in group.iter_mut().skip(from).zip(&order) {
                    *place = player;
                }
            }
        }
        self.begin_knockout(standings)
    }

    /// Half points that `a` and `b` have made in the games of this round that they have been given so far.
    #[allow(clippy::arithmetic_side_effects, reason = "a game is worth two half points")]
    fn encounter(&self, standings: &Standings, a: usize, b: usize) -> (u64, u64) {
        let results = self.results(standings, a, b);
        (2 * results.wins + results.draws, 2 * results.losses + results.draws)
    }

    /// The results of `a` against `b` in the games of this round that they have been given so far. What they
    /// make in others must not count yet: a match that goes on is scheduled with all its results known.
    fn results(&self, standings: &Standings, a: usize, b: usize) -> Tally {
        let mut tally = Tally::default();
        for fixture in self.fixtures.iter().filter(|f| f.round == self.round) {
            let seats = fixture.seats;
            let is_theirs = seats.contains(&a) && seats.contains(&b);
            let Some(won) = standings.result(fixture.number).filter(|_| is_theirs) else { continue };
            tally.add_game(if seats[0] == a { won } else { 2u8.saturating_sub(won) });
        }
        tally
    }

    /// The first two of each group go on, so that those of one group cannot meet before the final.
    fn begin_knockout(&mut self, standings: &Standings) -> bool {
        if self.plan.format != Format::Groups {
            return false;
        }
        let count = self.groups.len();
        let firsts = self.groups.iter().filter_map(|group| group.first());
        // The winner of group i meets whom the other end of the list has: the second of the group beside it.
        let seconds = (0..count).rev().filter_map(|i| self.groups.get(i ^ 1).and_then(|group| group.get(1)));
        self.alive = firsts.chain(seconds).copied().collect();
        self.seeds.clone_from(&self.alive);
        self.encounters.clear();
        self.stage = Stage::Knockout;
        self.add_knockout_round(standings)
    }

    #[allow(clippy::arithmetic_side_effects, reason = "games that are in memory")]
    fn add_encounter(&mut self, [a, b]: [usize; 2], games: usize) {
        for i in 0..games {
            let seats = if i % 2 == 0 { [a, b] } else { [b, a] };
            self.add_game(seats, self.pairs + i / 2, false);
        }
        self.pairs += games.div_ceil(2);
    }

    fn add_game(&mut self, seats: [usize; 2], pair: usize, deciding: bool) {
        let number = self.fixtures.len();
        self.fixtures.push(Fixture { number, round: self.round, pair, seats, deciding });
    }

    /// Games for the encounters of this round that must have a winner and have none.
    #[allow(clippy::arithmetic_side_effects, reason = "an encounter has the games of the plan at least")]
    fn add_tie_breaks(&mut self, standings: &Standings) -> bool {
        let before = self.fixtures.len();
        for [a, b] in self.encounters.clone() {
            let (points_a, points_b) = self.encounter(standings, a, b);
            let is_ours =
                |f: &&Fixture| f.round == self.round && f.seats.contains(&a) && f.seats.contains(&b);
            let own = || self.fixtures.iter().take(before).filter(is_ours);
            let (extra, is_decided) = (own().count() - self.games, own().any(|f| f.deciding));
            // Of three or more the whole round decides.
            let among_more = self.ties.iter().any(|tied| tied.len() > 2 && tied.contains(&a));
            if points_a != points_b || (self.stage == Stage::PlayOff && among_more) {
                continue;
            }
            match self.plan.tie_break {
                TieBreak::Pairs if extra < 2 * MAX_TIE_BREAKS => self.add_encounter([a, b], 2),
                // It is level still where neither player has come.
                TieBreak::DecidingGame if !is_decided => self.add_deciding_game([a, b]),
                _ => {}
            }
        }
        self.fixtures.len() > before
    }

    #[allow(clippy::arithmetic_side_effects, reason = "places in a list of players")]
    fn add_knockout_round(&mut self, standings: &Standings) -> bool {
        // The best seeds sit a round out when the number is not a power of two.
        let byes = |players: usize| players.next_power_of_two() - players;
        let first = byes(self.alive.len());
        let better = |&[a, b]: &[usize; 2]| {
            let (points_a, points_b) = self.encounter(standings, a, b);
            let seed = |player: usize| self.seeds.iter().position(|&other| other == player);
            let b_is_better = points_b > points_a || (points_b == points_a && seed(b) < seed(a));
            if b_is_better { b } else { a }
        };
        let winners: Vec<usize> = self.encounters.iter().map(better).collect();
        for (place, winner) in self.alive.iter_mut().skip(first).zip(winners) {
            *place = winner;
        }
        self.alive.truncate(self.alive.len() - self.encounters.len());
        if self.alive.len() < 2 {
            return false;
        }
        let playing = self.alive.get(byes(self.alive.len())..).unwrap_or_default();
        let from_both_ends = playing.iter().zip(playing.iter().rev()).take(playing.len() / 2);
        self.add_round(from_both_ends.map(|(&a, &b)| [a, b]).collect())
    }
}

#[cfg(test)]
mod tests;
