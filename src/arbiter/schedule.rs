//! Who plays whom, with which colors and from which opening.
//!
//! Encounters are made of pairs: two games from one opening with colors reversed. Knockout and Swiss rounds
//! depend on the results so far, so the list of games grows as rounds are finished; given the same results it
//! grows in the same way, which is what makes a match resumable.

use super::fixture::Fixture;
use super::standings::Standings;
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

/// The schedule of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    format: Format,
    players: usize,
    /// Games of one encounter.
    games: usize,
    /// Swiss rounds; elsewhere, how often the whole is played.
    rounds: usize,
    round: usize,
    fixtures: Vec<Fixture>,
    pairs: usize,
    cursor: usize,
    /// Encounters of the round being played.
    encounters: Vec<[usize; 2]>,
    /// Knockout: who is still in, best seed first.
    alive: Vec<usize>,
}

/// Extra pairs after which a drawn knockout encounter goes to the better seed.
const MAX_TIE_BREAKS: usize = 8;

impl Schedule {
    /// The schedule of `players` players whose encounters have `games` games.
    pub fn new(format: Format, players: usize, games: usize, rounds: usize) -> Self {
        Self {
            format,
            players,
            games: games.max(1),
            rounds: rounds.max(1),
            round: 0,
            fixtures: Vec::new(),
            pairs: 0,
            cursor: 0,
            encounters: Vec::new(),
            alive: (0..players).collect(),
        }
    }

    /// How many games there will be. `None`: that depends on their results.
    pub fn expected_games(&self) -> Option<usize> {
        let n = self.players;
        let encounters = match self.format {
            Format::RoundRobin => n * n.saturating_sub(1) / 2,
            Format::Gauntlet => n.saturating_sub(1),
            Format::Swiss => n / 2,
            Format::Knockout => return None,
        };
        Some(encounters * self.games * self.rounds)
    }

    /// Who has won all of a knockout's encounters, once they are played.
    pub fn champion(&self) -> Option<usize> {
        match self.alive[..] {
            [champion] if self.format == Format::Knockout => Some(champion),
            _ => None,
        }
    }

    /// What to do next; `finished` are the numbers of the games already counted in `standings`.
    pub fn next(&mut self, standings: &Standings, finished: &HashSet<usize>) -> Step {
        loop {
            while let Some(&fixture) = self.fixtures.get(self.cursor) {
                self.cursor += 1;
                if !finished.contains(&fixture.number) {
                    return Step::Play(fixture);
                }
            }
            let depends = matches!(self.format, Format::Swiss | Format::Knockout);
            if depends && self.fixtures.iter().any(|f| !finished.contains(&f.number)) {
                return Step::Wait;
            }
            if !self.add_round(standings) {
                return Step::Done;
            }
        }
    }

    /// Appends the next round. `false`: there is none.
    fn add_round(&mut self, standings: &Standings) -> bool {
        if self.format == Format::Knockout {
            return self.add_knockout_round(standings);
        }
        if self.round == self.rounds {
            return false;
        }
        self.round += 1;
        self.encounters = match self.format {
            Format::Gauntlet => (1..self.players).map(|other| [0, other]).collect(),
            Format::Swiss => swiss_pairs(standings),
            _ => circle_pairs(self.players),
        };
        for encounter in self.encounters.clone() {
            self.add_games(encounter, self.games);
        }
        !self.encounters.is_empty()
    }

    fn add_games(&mut self, [a, b]: [usize; 2], games: usize) {
        for i in 0..games {
            let seats = if i % 2 == 0 { [a, b] } else { [b, a] };
            let number = self.fixtures.len();
            self.fixtures.push(Fixture { number, round: self.round, pair: self.pairs + i / 2, seats });
        }
        self.pairs += games.div_ceil(2);
    }

    fn add_knockout_round(&mut self, standings: &Standings) -> bool {
        let mut replay = Vec::new();
        for &[a, b] in &self.encounters {
            let (points_a, points_b) = standings.encounter(self.round, a, b);
            let played =
                self.fixtures.iter().filter(|f| f.round == self.round && f.seats.contains(&a)).count();
            let tie = points_a == points_b && played < self.games + 2 * MAX_TIE_BREAKS;
            if tie {
                replay.push([a, b]);
            }
        }
        if !replay.is_empty() {
            for encounter in replay {
                self.add_games(encounter, 2);
            }
            return true;
        }
        for &[a, b] in &self.encounters {
            let (points_a, points_b) = standings.encounter(self.round, a, b);
            let out = if points_b > points_a { a } else { b };
            self.alive.retain(|&p| p != out);
        }
        self.encounters.clear();
        if self.alive.len() < 2 {
            return false;
        }
        self.round += 1;
        // The best seeds sit a round out when the number is not a power of two.
        let slots = self.alive.len().next_power_of_two();
        let playing = &self.alive[slots - self.alive.len()..];
        let n = playing.len();
        self.encounters = (0..n / 2).map(|i| [playing[i], playing[n - 1 - i]]).collect();
        for encounter in self.encounters.clone() {
            self.add_games(encounter, self.games);
        }
        true
    }
}

/// Every pair once, ordered so that everybody keeps playing (the circle method).
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
        let mut schedule = Schedule::new(Format::RoundRobin, 2, 4, 1);
        let games = play_all(&mut schedule, &mut Standings::new(2), |_, _| 1);
        let seats: Vec<_> = games.iter().map(|f| (f.pair, f.seats)).collect();
        assert_eq!(seats, [(0, [0, 1]), (0, [1, 0]), (1, [0, 1]), (1, [1, 0])]);
        assert_eq!(schedule.expected_games(), Some(4));
        assert_eq!(schedule.champion(), None);
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
        let mut schedule = Schedule::new(Format::Gauntlet, 4, 2, 1);
        let games = play_all(&mut schedule, &mut Standings::new(4), |_, _| 1);
        assert_eq!(games.len(), 6);
        assert!(games.iter().all(|f| f.seats.contains(&0)));
    }

    #[test]
    fn swiss_rounds_pair_winners_and_repeat_nobody() {
        let mut schedule = Schedule::new(Format::Swiss, 8, 2, 3);
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
        let games = play_all(&mut Schedule::new(Format::Swiss, 5, 1, 5), &mut standings, |_, _| 1);
        assert_eq!(games.len(), 10);
        for player in 0..5 {
            assert_eq!(standings.games_of(player), 4, "player {player}");
        }
    }

    #[test]
    fn knockout_ends_with_one_winner() {
        for players in 2..9 {
            let mut standings = Standings::new(players);
            let mut schedule = Schedule::new(Format::Knockout, players, 2, 1);
            let games = play_all(&mut schedule, &mut standings, |a, b| if a < b { 2 } else { 0 });
            assert_eq!(games.len(), 2 * (players - 1), "{players}");
            assert_eq!(schedule.champion(), Some(0));
        }
    }

    #[test]
    fn drawn_knockout_encounters_are_played_on_and_then_go_to_the_better_seed() {
        let mut schedule = Schedule::new(Format::Knockout, 2, 2, 1);
        let games = play_all(&mut schedule, &mut Standings::new(2), |_, _| 1);
        assert_eq!(games.len(), 2 + 2 * MAX_TIE_BREAKS);
        assert_eq!(schedule.alive, [0]);
    }

    #[test]
    fn a_resumed_schedule_skips_what_is_finished() {
        let mut schedule = Schedule::new(Format::RoundRobin, 3, 2, 1);
        let finished: HashSet<_> = [0, 2, 3].into();
        let mut left = Vec::new();
        let standings = Standings::new(3);
        while let Step::Play(f) = schedule.next(&standings, &finished) {
            left.push(f.number);
        }
        assert_eq!(left, [1, 4, 5]);
    }
}
