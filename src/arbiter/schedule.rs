//! Who plays whom, with which colors and from which opening.
//!
//! Encounters are made of pairs: two games from one opening with colors reversed. Play-offs, knockout and Swiss rounds
//! depend on the results so far, so the list of games grows as rounds are finished; given the same results it
//! grows in the same way, which is what makes a match resumable.

use super::fixture::Fixture;
use super::standings::Standings;
use crate::util::rng::Rng;
use crate::util::shard::Shard;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// How players are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first player plays everybody else.
    Gauntlet,
    /// Players with like scores meet, nobody twice as long as that is possible.
    Swiss,
    /// Who loses an encounter is out.
    Knockout,
    /// Everybody plays everybody of its group; the first two of each group play a knockout, crosswise (XQ-10).
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// More pairs of games, up to [`MAX_TIE_BREAKS`], and then the better seed.
    #[default]
    Pairs,
    /// One game, colors drawn by lot, in which a draw is lost by the side that moves first (XQ-10).
    DecidingGame,
}

/// How a match is paired.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Who meets whom.
    pub format: Format,
    /// How many players there are.
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
    /// For colors drawn by lot.
    pub seed: u64,
    /// The part of the games that is played here: whole pairs, dealt to the parts in turn. Their numbers, openings and
    /// colors are those that they have in the whole.
    pub shard: Shard,
}

impl Plan {
    /// Everybody meets everybody once, in pairs of games.
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
            seed: 1,
            shard: Shard::WHOLE,
        }
    }
}

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Play this.
    Play(Fixture),
    /// What comes next depends on games still being played.
    Wait,
    /// Nothing is left.
    Done,
}

/// Which part of a match is being played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Points are collected.
    Table,
    /// Places that the table left open are played for.
    PlayOff,
    /// Who loses an encounter is out.
    Knockout,
    /// Nothing is left.
    Over,
}

/// The schedule of a match.
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
    /// Players by group, from the end of the table on in the order of their places.
    groups: Vec<Vec<usize>>,
    /// Players whom the table left level, from the end of the table on.
    ties: Vec<Vec<usize>>,
    /// Who is still in: the first of these players meets the last, the second the last but one, and the winner takes
    /// the better place of the two. From the start of a knockout on.
    alive: Vec<usize>,
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
            groups,
            ties: Vec::new(),
            alive: (0..plan.players).collect(),
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
            Step::Play(fixture) => Some(fixture),
            Step::Wait | Step::Done => None,
        });
        Some(games.count())
    }

    /// What was to be played as game `number`, from 0. `None`: it has not been scheduled.
    pub fn fixture(&self, number: usize) -> Option<&Fixture> {
        self.fixtures.get(number)
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

    /// What to do next; `finished` are the numbers of the games already counted in `standings`.
    pub fn next(&mut self, standings: &Standings, finished: &HashSet<usize>) -> Step {
        loop {
            while let Some(&fixture) = self.fixtures.get(self.cursor) {
                self.cursor = self.cursor.saturating_add(1);
                if self.plan.shard.has(fixture.pair) && !finished.contains(&fixture.number) {
                    return Step::Play(fixture);
                }
            }
            if self.depends_on_results() && self.fixtures.iter().any(|f| !finished.contains(&f.number)) {
                return Step::Wait;
            }
            if !self.add_games(standings) {
                return Step::Done;
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

    /// Opens a round.
    fn add_round(&mut self, encounters: Vec<[usize; 2]>) -> bool {
        self.round = self.round.saturating_add(1);
        for &encounter in &encounters {
            self.add_encounter(encounter, self.plan.games);
        }
        self.encounters = encounters;
        !self.encounters.is_empty()
    }

    fn add_table_round(&mut self, standings: &Standings) -> bool {
        let encounters = match self.plan.format {
            Format::Gauntlet => (1..self.plan.players).map(|other| [0, other]).collect(),
            // Later rounds are none of this one's business, though a match that goes on has them already.
            Format::Swiss => swiss_pairs(&standings.until(self.round)),
            _ => self.groups.iter().flat_map(|group| all_pairs(group)).collect(),
        };
        self.add_round(encounters)
    }

    /// The places of the table are known: what is level and counts is played for.
    fn end_table(&mut self, standings: &Standings) -> bool {
        let standings = standings.until(self.round);
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
            others.map(|&other| self.encounter(standings, player, other).0).sum()
        };
        let orders: Vec<Vec<usize>> = self
            .ties
            .iter()
            .map(|tied| {
                let mut order = tied.clone();
                order.sort_by_cached_key(|&player| std::cmp::Reverse(points(player, tied)));
                order
            })
            .collect();
        for order in orders {
            for group in &mut self.groups {
                let Some(from) = group.iter().position(|player| order.contains(player)) else { continue };
                group[from..][..order.len()].copy_from_slice(&order);
            }
        }
        self.begin_knockout(standings)
    }

    /// Half points that `a` and `b` have made in the games of this round that they have been given so far. What they
    /// make in others must not count yet: a match that goes on is scheduled with all its results known.
    #[allow(clippy::arithmetic_side_effects, reason = "a game is worth two half points")]
    fn encounter(&self, standings: &Standings, a: usize, b: usize) -> (u64, u64) {
        let games = self
            .fixtures
            .iter()
            .filter(|f| f.round == self.round && f.seats.contains(&a) && f.seats.contains(&b));
        games.filter_map(|f| Some((f, u64::from(standings.result(f.number)?)))).fold(
            (0, 0),
            |(own, other), (f, won)| {
                if f.seats[0] == a { (own + won, other + 2 - won) } else { (own + 2 - won, other + won) }
            },
        )
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
            let extra = self.fixtures[..before].iter().filter(is_ours).count() - self.plan.games;
            // Of three or more the whole round decides.
            let among_more = self.ties.iter().any(|tied| tied.len() > 2 && tied.contains(&a));
            if points_a != points_b || (self.stage == Stage::PlayOff && among_more) {
                continue;
            }
            match self.plan.tie_break {
                TieBreak::Pairs if extra < 2 * MAX_TIE_BREAKS => self.add_encounter([a, b], 2),
                // It is level still where neither player has come.
                TieBreak::DecidingGame if extra == 0 => {
                    let lot = Rng::new(self.plan.seed ^ ((self.fixtures.len() as u64) << 32)).below(2);
                    let seats = if lot == 0 { [a, b] } else { [b, a] };
                    self.add_game(seats, self.pairs, true);
                    self.pairs += 1;
                }
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
        for (i, &[a, b]) in self.encounters.iter().enumerate() {
            let (points_a, points_b) = self.encounter(standings, a, b);
            self.alive[first + i] = if points_b > points_a { b } else { a };
        }
        self.alive.truncate(self.alive.len() - self.encounters.len());
        if self.alive.len() < 2 {
            return false;
        }
        let playing = &self.alive[byes(self.alive.len())..];
        let n = playing.len();
        self.add_round((0..n / 2).map(|i| [playing[i], playing[n - 1 - i]]).collect())
    }
}

/// Players dealt to groups, to and fro in the order of the list, so that the best are spread.
#[allow(clippy::arithmetic_side_effects, reason = "places in a list of players")]
fn deal(players: usize, groups: usize) -> Vec<Vec<usize>> {
    let mut dealt = vec![Vec::new(); groups];
    for player in 0..players {
        let (row, place) = (player / groups, player % groups);
        dealt[if row.is_multiple_of(2) { place } else { groups - 1 - place }].push(player);
    }
    dealt
}

/// Every pair of `players` once.
fn all_pairs(players: &[usize]) -> Vec<[usize; 2]> {
    circle_pairs(players.len()).into_iter().map(|pair| pair.map(|i| players[i])).collect()
}

/// Every pair once, ordered so that everybody keeps playing (the circle method).
#[allow(clippy::arithmetic_side_effects, reason = "places in a list of players")]
fn circle_pairs(players: usize) -> Vec<[usize; 2]> {
    let seats = players + players % 2;
    let mut pairs = Vec::new();
    for round in 0..seats.saturating_sub(1) {
        for i in 0..seats / 2 {
            let place = |k: usize| if k == 0 { 0 } else { (k + round - 1) % (seats - 1) + 1 };
            let (a, b) = (place(i), place(seats - 1 - i));
            if a.max(b) < players {
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }
    pairs
}

/// Players in order of their standing, each with the next one it has met least often.
fn swiss_pairs(standings: &Standings) -> Vec<[usize; 2]> {
    let mut waiting: Vec<usize> = standings.order();
    let mut pairs = Vec::new();
    // An odd player out: the last in the table who has sat out least often.
    if waiting.len() % 2 == 1 {
        let most = waiting.iter().map(|&p| standings.games_of(p)).max().unwrap_or(0);
        let at = waiting.iter().rposition(|&p| standings.games_of(p) == most).unwrap_or(0);
        waiting.remove(at);
    }
    while waiting.len() >= 2 {
        let first = waiting.remove(0);
        let met = |&other: &usize| standings.tally(first, other).games();
        let at = (0..waiting.len()).min_by_key(|&i| (met(&waiting[i]), i)).unwrap_or(0);
        let other = waiting.remove(at);
        pairs.push([first, other]);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play_all(
        schedule: &mut Schedule,
        standings: &mut Standings,
        winner: impl Fn(usize, usize) -> u8,
    ) -> Vec<Fixture> {
        let (mut finished, mut all) = (HashSet::new(), Vec::new());
        while let Step::Play(f) = schedule.next(standings, &finished) {
            standings.add(&f, winner(f.seats[0], f.seats[1]));
            finished.insert(f.number);
            all.push(f);
        }
        all
    }

    #[test]
    fn pairs_reverse_colors_on_one_opening() {
        let mut schedule = Schedule::new(Plan { games: 4, ..Plan::of(Format::RoundRobin, 2) });
        let games = play_all(&mut schedule, &mut Standings::new(2), |_, _| 1);
        let seats: Vec<_> = games.iter().map(|f| (f.pair, f.seats)).collect();
        assert_eq!(seats, [(0, [0, 1]), (0, [1, 0]), (1, [0, 1]), (1, [1, 0])]);
        assert_eq!(schedule.expected_games(), Some(4));
        assert_eq!(schedule.champion(), None);
    }

    #[test]
    fn games_without_end_are_expected_as_so_many() {
        for format in [Format::RoundRobin, Format::Gauntlet, Format::Swiss] {
            let plan = Plan { games: usize::MAX, rounds: usize::MAX, ..Plan::of(format, 4) };
            assert_eq!(Schedule::new(plan).expected_games(), Some(usize::MAX));
        }
    }

    #[test]
    fn the_shards_are_the_whole() {
        for plan in [
            Plan { games: 9, rounds: 2, ..Plan::of(Format::RoundRobin, 4) },
            Plan { games: 7, ..Plan::of(Format::Gauntlet, 3) },
        ] {
            let games = |shard| {
                let mut schedule = Schedule::new(Plan { shard, ..plan });
                let games = play_all(&mut schedule, &mut Standings::new(plan.players), |_, _| 1);
                assert_eq!(schedule.expected_games(), Some(games.len()));
                games
            };
            let whole = games(Shard::WHOLE);
            let mut parts: Vec<Fixture> = (0..5).flat_map(|index| games(Shard { index, of: 5 })).collect();
            parts.sort_unstable_by_key(|fixture| fixture.number);
            assert_eq!(parts, whole);
            let pairs =
                |index| games(Shard { index, of: 5 }).into_iter().map(|f| f.pair).collect::<HashSet<_>>();
            assert!(pairs(0).is_disjoint(&pairs(1)), "both games of a pair are of one part");
        }
    }

    #[test]
    fn everybody_meets_everybody_once() {
        for players in 2..9 {
            let mut met = circle_pairs(players);
            met.sort_unstable();
            met.dedup();
            assert_eq!(met.len(), players * (players - 1) / 2, "{players}");
        }
    }

    #[test]
    fn the_gauntlet_is_run_by_the_first() {
        let mut schedule = Schedule::new(Plan::of(Format::Gauntlet, 4));
        let games = play_all(&mut schedule, &mut Standings::new(4), |_, _| 1);
        assert_eq!(games.len(), 6);
        assert!(games.iter().all(|f| f.seats.contains(&0)));
    }

    #[test]
    fn swiss_rounds_pair_winners_and_repeat_nobody() {
        let mut schedule = Schedule::new(Plan { rounds: 3, ..Plan::of(Format::Swiss, 8) });
        let mut standings = Standings::new(8);
        // The lower index always wins.
        let games = play_all(&mut schedule, &mut standings, |a, b| if a < b { 2 } else { 0 });
        assert_eq!(games.len(), 3 * 4 * 2);
        assert_eq!(schedule.expected_games(), Some(games.len()));
        let mut met: Vec<_> =
            games.iter().map(|f| [f.seats[0].min(f.seats[1]), f.seats[0].max(f.seats[1])]).collect();
        met.sort_unstable();
        met.dedup();
        assert_eq!(met.len(), 12, "nobody meets twice in three rounds of eight");
        assert_eq!(standings.order()[0], 0);
    }

    #[test]
    fn an_odd_player_sits_out_in_turn() {
        let mut standings = Standings::new(5);
        let games = play_all(
            &mut Schedule::new(Plan { games: 1, rounds: 5, ..Plan::of(Format::Swiss, 5) }),
            &mut standings,
            |_, _| 1,
        );
        assert_eq!(games.len(), 10);
        for player in 0..5 {
            assert_eq!(standings.games_of(player), 4, "player {player}");
        }
    }

    #[test]
    fn knockout_ends_with_one_winner() {
        for players in 2..9 {
            let mut standings = Standings::new(players);
            let mut schedule = Schedule::new(Plan::of(Format::Knockout, players));
            let games = play_all(&mut schedule, &mut standings, |a, b| if a < b { 2 } else { 0 });
            assert_eq!(games.len(), 2 * (players - 1), "{players}");
            assert_eq!(schedule.champion(), Some(0));
        }
    }

    #[test]
    fn drawn_knockout_encounters_are_played_on_and_then_go_to_the_better_seed() {
        let mut schedule = Schedule::new(Plan::of(Format::Knockout, 2));
        let games = play_all(&mut schedule, &mut Standings::new(2), |_, _| 1);
        assert_eq!(games.len(), 2 + 2 * MAX_TIE_BREAKS);
        assert_eq!(schedule.alive, [0]);
    }

    #[test]
    fn a_resumed_schedule_skips_what_is_finished() {
        let mut schedule = Schedule::new(Plan::of(Format::RoundRobin, 3));
        let finished: HashSet<_> = [0, 2, 3].into();
        let mut left = Vec::new();
        let standings = Standings::new(3);
        while let Step::Play(f) = schedule.next(&standings, &finished) {
            left.push(f.number);
        }
        assert_eq!(left, [1, 4, 5]);
    }

    /// Plays all games, the winner being whoever `wins` says of both seats: 2, 1 or 0 half points of the first.
    fn results(plan: Plan, wins: impl Fn(&Fixture) -> u8) -> (Schedule, Vec<Fixture>) {
        let mut schedule = Schedule::new(plan);
        let mut standings = Standings::new(plan.players);
        let (mut finished, mut all) = (HashSet::new(), Vec::new());
        while let Step::Play(f) = schedule.next(&standings, &finished) {
            standings.add(&f, wins(&f));
            finished.insert(f.number);
            all.push(f);
        }
        // Workers ask again, and a match that goes on asks anew: nothing is added, and all is as it was.
        assert_eq!(schedule.next(&standings, &finished), Step::Done);
        let mut again = Schedule::new(plan);
        assert_eq!(again.next(&standings, &finished), Step::Done);
        assert_eq!((&again.fixtures, again.champion()), (&schedule.fixtures, schedule.champion()));
        assert_eq!(schedule.fixtures, all);
        (schedule, all)
    }

    /// The lower number wins.
    fn by_number(f: &Fixture) -> u8 {
        if f.seats[0] < f.seats[1] { 2 } else { 0 }
    }

    #[test]
    fn groups_are_dealt_to_and_fro() {
        assert_eq!(deal(8, 2), [[0, 3, 4, 7], [1, 2, 5, 6]]);
        assert_eq!(deal(5, 2), [vec![0, 3, 4], vec![1, 2]]);
    }

    #[test]
    fn the_first_two_of_each_group_meet_crosswise() {
        let (schedule, games) = results(Plan::of(Format::Groups, 8), by_number);
        let round = |n: usize| {
            let mut seats: Vec<_> = games.iter().filter(|f| f.round == n).map(|f| f.seats).collect();
            seats.dedup_by_key(|seats| seats[0].min(seats[1]));
            seats
        };
        assert_eq!(games.iter().filter(|f| f.round == 1).count(), 2 * 6 * 2);
        // First of A against second of B, first of B against second of A; the winners meet.
        assert_eq!(round(2), [[0, 2], [1, 3]]);
        assert_eq!(round(3), [[0, 1]]);
        assert_eq!((schedule.champion(), games.len()), (Some(0), 24 + 4 + 2));
    }

    #[test]
    fn players_of_one_group_meet_again_in_the_final_only() {
        let plan = Plan { groups: 4, ..Plan::of(Format::Groups, 16) };
        let home = |player: usize| deal(16, 4).iter().position(|group| group.contains(&player));
        // Whoever wins: the first seat of a pair's first game, or the second.
        for seconds in [false, true] {
            let (_, games) = results(plan, |f| match f.round {
                1 => by_number(f),
                _ if seconds == (f.number % 2 == 0) => 0,
                _ => 2,
            });
            let early = games.iter().filter(|f| f.round == 2 || f.round == 3);
            assert!(early.clone().all(|f| home(f.seats[0]) != home(f.seats[1])), "{games:?}");
            assert_eq!(early.count(), (4 + 2) * 2);
        }
    }

    #[test]
    fn one_deciding_game_follows_a_drawn_encounter_with_colors_by_lot() {
        let plan = Plan { tie_break: TieBreak::DecidingGame, ..Plan::of(Format::Knockout, 2) };
        let mut first_seats = HashSet::new();
        for seed in 0..20 {
            // The referee makes a draw of a deciding game a win of the second seat.
            let (schedule, games) = results(Plan { seed, ..plan }, |f| u8::from(!f.deciding));
            let [a, b, decider] = games[..] else { panic!("{games:?}") };
            assert!(!a.deciding && !b.deciding && decider.deciding && decider.pair == 1);
            assert_eq!(schedule.champion(), Some(decider.seats[1]));
            first_seats.insert(decider.seats[0]);
        }
        assert_eq!(first_seats.len(), 2, "the lot falls both ways");
        let (_, decided) = results(plan, by_number);
        assert_eq!(decided.len(), 2, "nothing is added where there is a winner");
        // Numbers 4 and 5 are the pair that decides the drawn encounter of round 1, also for a match that goes on.
        let (schedule, games) = results(Plan::of(Format::Knockout, 4), |f| match f.number {
            0 | 1 => 1,
            _ => by_number(f),
        });
        assert_eq!(games.iter().map(|f| f.round).collect::<Vec<_>>(), [1, 1, 1, 1, 1, 1, 2, 2]);
        assert_eq!(schedule.champion(), Some(0));
    }

    #[test]
    fn who_is_level_for_the_first_place_plays_for_it() {
        let plan = Plan { play_off: true, ..Plan::of(Format::RoundRobin, 3) };
        // The first two draw against each other and beat the third.
        let table = |f: &Fixture| if f.seats.contains(&2) { by_number(f) } else { 1 };
        let (schedule, games) = results(plan, |f| if f.round == 1 { table(f) } else { 2 - by_number(f) });
        assert_eq!(games.len(), 6 + 2);
        assert!(games[6..].iter().all(|f| f.round == 2 && !f.seats.contains(&2)));
        assert_eq!(schedule.champion(), Some(1));
        let (schedule, games) = results(Plan { play_off: false, ..plan }, table);
        assert_eq!((schedule.champion(), games.len()), (None, 6));
        // Three level players meet once more; whoever is level then keeps the order of the list.
        let (schedule, games) = results(plan, |f| if f.round == 2 && f.seats == [2, 1] { 2 } else { 1 });
        assert_eq!((schedule.champion(), games.len()), (Some(2), 6 + 6));
    }

    #[test]
    fn who_is_level_for_the_second_place_of_a_group_plays_for_it() {
        let plan = Plan { play_off: true, tie_break: TieBreak::DecidingGame, ..Plan::of(Format::Groups, 6) };
        // Groups 0 3 4 and 1 2 5. 3 and 4 draw and lose to 0; the better place is decided in one game.
        let (schedule, games) = results(plan, |f| match f.seats {
            [3, 4] | [4, 3] if f.deciding => {
                if f.seats[0] == 4 {
                    2
                } else {
                    0
                }
            }
            [3, 4] | [4, 3] => 1,
            _ => by_number(f),
        });
        let play_off: Vec<_> = games.iter().filter(|f| f.round == 2).collect();
        assert!(play_off.len() == 3 && play_off[2].deciding, "{play_off:?}");
        assert!(games.iter().any(|f| f.round == 3 && f.seats == [1, 4]), "{games:?}");
        assert_eq!(schedule.champion(), Some(0));
    }

    #[test]
    fn a_swiss_tournament_goes_on_as_it_was_paired() {
        // What came later must not change how an earlier round is paired.
        results(Plan { rounds: 3, ..Plan::of(Format::Swiss, 8) }, |f| {
            if f.round == 1 { by_number(f) } else { 2 - by_number(f) }
        });
    }
}
