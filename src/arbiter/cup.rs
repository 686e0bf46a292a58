//! A cup as far as it is decided: the tables of its groups with what settled each place, the play-offs, the
//! rounds of the knockout (XQ-10).

use super::schedule::{ADVANCING, Format, Schedule, Stage, TieBreak};
use super::standings::Standings;
use super::stats::Tally;
use crate::util::lang::{Language, named};
use crate::util::words;
use serde::Serialize;

named! {
    /// What settled a place against the one above it, where both have the same points.
    pub enum SettledBy {
        /// The games among those level on points.
        HeadToHead = "head-to-head": "(games against each other)" | "（相互比赛成绩）",
        /// Wins less losses.
        Difference = "difference": "(wins less losses)" | "（胜负差）",
        Wins = "wins": "(more wins)" | "（胜局数）",
        PlayOff = "play-off": "(play-off)" | "（加赛）",
        List = "list": "(order of the list)" | "（报名次序）",
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CupPlace {
    pub player: usize,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// In halves of a point.
    pub half_points: u64,
    pub settled: Option<SettledBy>,
    /// Whether it goes on to the knockout, or would by the results so far.
    pub advances: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct CupGame {
    /// Its number in the match, from 0.
    pub number: usize,
    /// Who moves first, and the other.
    pub seats: [usize; 2],
    /// Half points of who moves first; `None`: it is not finished.
    pub half_points: Option<u8>,
    /// Colors were drawn by lot, and a draw is a win for the second.
    pub deciding: bool,
}

/// Two players who meet.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Encounter {
    pub players: [usize; 2],
    /// Half points of each.
    pub half_points: [u64; 2],
    pub games: Vec<CupGame>,
    /// Who goes on, or has the better place.
    pub winner: Option<usize>,
    /// Whether the winner is level and the better seed.
    pub by_seed: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cup {
    /// The tables of the groups, best first. Empty: there are none.
    pub groups: Vec<Vec<CupPlace>>,
    pub play_offs: Vec<Encounter>,
    /// The rounds of the knockout, the first one first.
    pub rounds: Vec<Vec<Encounter>>,
}

impl Cup {
    /// The cup of a match. `None`: the match is none.
    pub fn of(schedule: &Schedule, standings: &Standings) -> Option<Self> {
        let is_groups = schedule.plan().format == Format::Groups;
        if !schedule.plan().format.ends_in_knockout() && schedule.ties().is_empty() {
            return None;
        }
        // Of the table only its own rounds count.
        let table = standings.until(schedule.plan().rounds);
        let groups = schedule.groups().iter().map(|group| places(schedule, &table, group)).collect();
        let of_stage = |stage: Stage| {
            let rounds = (1_usize..).zip(schedule.history()).filter(move |(_, (other, _))| *other == stage);
            rounds.map(|(round, (_, encounters))| {
                encounters.iter().map(|&players| encounter(schedule, standings, round, players)).collect()
            })
        };
        let play_offs: Vec<Vec<Encounter>> = of_stage(Stage::PlayOff).collect();
        let mut rounds: Vec<Vec<Encounter>> = of_stage(Stage::Knockout).collect();
        // Who is there in the next round has won; the last winner is the champion.
        let next: Vec<Vec<usize>> = (1..=rounds.len())
            .map(|i| match rounds.get(i) {
                Some(round) => round.iter().flat_map(|e| e.players).collect(),
                None => schedule.champion().into_iter().collect(),
            })
            .collect();
        for (round, next) in rounds.iter_mut().zip(next) {
            for encounter in round.iter_mut().filter(|encounter| encounter.winner.is_none()) {
                encounter.winner = encounter.players.into_iter().find(|player| next.contains(player));
                encounter.by_seed = encounter.winner.is_some();
            }
        }
        Some(Self {
            groups: if is_groups || !schedule.ties().is_empty() { groups } else { Vec::new() },
            play_offs: play_offs.concat(),
            rounds,
        })
    }
}

fn places(schedule: &Schedule, table: &Standings, group: &[usize]) -> Vec<CupPlace> {
    let is_over = schedule.stage() != Stage::Table;
    let order = if is_over { group.to_vec() } else { table.order_of(group) };
    let advancing = if schedule.plan().format == Format::Groups { ADVANCING } else { 1 };
    let above = std::iter::once(None).chain(order.iter().copied().map(Some));
    let rows = above.zip(&order).zip(0_usize..).map(|((above, &player), place)| {
        let Tally { wins, draws, losses, .. } = table.total(player);
        CupPlace {
            player,
            wins,
            draws,
            losses,
            half_points: table.half_points(player),
            settled: above
                .filter(|&above| table.games_of(above).min(table.games_of(player)) > 0)
                .and_then(|above| settled(schedule, table, group, above, player)),
            advances: place < advancing,
        }
    });
    rows.collect()
}

/// What puts `above` before `below`.
fn settled(
    schedule: &Schedule,
    table: &Standings,
    group: &[usize],
    above: usize,
    below: usize,
) -> Option<SettledBy> {
    let (a, b) = (table.merit(above, group), table.merit(below, group));
    if a.0 != b.0 {
        return None;
    }
    let played_off = schedule.ties().iter().any(|tied| tied.contains(&above) && tied.contains(&below));
    Some(match () {
        () if a.1 != b.1 => SettledBy::HeadToHead,
        () if a.2 != b.2 => SettledBy::Difference,
        () if a.3 != b.3 => SettledBy::Wins,
        () if played_off => SettledBy::PlayOff,
        () => SettledBy::List,
    })
}

#[allow(clippy::arithmetic_side_effects, reason = "a game is worth two half points")]
fn encounter(schedule: &Schedule, standings: &Standings, round: usize, players: [usize; 2]) -> Encounter {
    let is_theirs = |f: &&super::fixture::Fixture| {
        f.round == round && players.iter().all(|player| f.seats.contains(player))
    };
    let games: Vec<CupGame> = schedule
        .fixtures()
        .iter()
        .filter(is_theirs)
        .map(|f| CupGame {
            number: f.number,
            seats: f.seats,
            half_points: standings.result(f.number),
            deciding: f.deciding,
        })
        .collect();
    let points = players.map(|player| {
        let own = |game: &CupGame| {
            let first = u64::from(game.half_points?);
            Some(if game.seats[0] == player { first } else { 2 - first })
        };
        games.iter().filter_map(own).sum::<u64>()
    });
    let is_over = games.iter().all(|game| game.half_points.is_some());
    let winner = match points[0].cmp(&points[1]) {
        _ if !is_over => None,
        std::cmp::Ordering::Greater => Some(players[0]),
        std::cmp::Ordering::Less => Some(players[1]),
        std::cmp::Ordering::Equal => None,
    };
    Encounter { players, half_points: points, games, winner, by_seed: false }
}

/// A cup as lines for a terminal: a table for each group, the play-offs, the rounds of the knockout.
pub fn lines(cup: &Cup, names: &[&str], language: Language, tie_break: TieBreak) -> Vec<String> {
    let name = |player: usize| names.get(player).copied().unwrap_or("?");
    let half = |points: u64| format!("{:.1}", points as f64 / 2.0);
    let mut lines = Vec::new();
    for (number, group) in (0_u8..).zip(&cup.groups) {
        let letter = char::from(b'A'.saturating_add(number));
        lines.push(if cup.groups.len() > 1 {
            words::group_heading(language, letter)
        } else {
            words::table_heading(language)
        });
        for (place, row) in (1_usize..).zip(group) {
            let CupPlace { player, wins, draws, losses, half_points, settled, advances } = *row;
            let mark = if advances { '*' } else { ' ' };
            let why = settled.map_or_else(String::new, |why| format!("  {}", why.text(language)));
            let points = half(half_points);
            lines.push(format!(
                "{mark}{place:>2}  {points:>5}  +{wins} ={draws} -{losses}  {}{why}",
                name(player)
            ));
        }
    }
    let mut meet = |encounter: &Encounter| {
        let [a, b] = encounter.players;
        let [x, y] = encounter.half_points.map(half);
        let mut line = format!("    {} {x} : {y} {}", name(a), name(b));
        if let Some(deciding) = encounter.games.iter().find(|game| game.deciding) {
            line += &words::deciding_game_of(
                language,
                deciding.number.saturating_add(1),
                name(deciding.seats[0]),
            );
        }
        match encounter.winner {
            Some(winner) if encounter.by_seed && tie_break == TieBreak::Pairs => {
                line += &words::better_seed(language, name(winner));
            }
            Some(winner) => line += &format!("  → {}", name(winner)),
            None => {}
        }
        line
    };
    if !cup.play_offs.is_empty() {
        lines.push(words::play_off_heading(language));
        lines.extend(cup.play_offs.iter().map(&mut meet));
    }
    let count = cup.rounds.len();
    for (number, round) in (1_usize..).zip(&cup.rounds) {
        let is_final = number == count && round.len() == 1;
        lines.push(if is_final {
            words::final_heading(language)
        } else {
            words::knockout_heading(language, number)
        });
        lines.extend(round.iter().map(&mut meet));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::fixture::Fixture;
    use crate::arbiter::schedule::{Plan, ScheduleStep};
    use std::collections::HashSet;

    /// The cup after `games` games; `result` gives the half points of the player who moves first.
    fn cup(plan: Plan, games: usize, result: impl Fn(&Fixture) -> u8) -> Cup {
        let (mut schedule, mut standings) = (Schedule::new(plan), Standings::new(plan.players));
        let mut finished = HashSet::new();
        while let ScheduleStep::Play(f) = schedule.next(&standings, &finished) {
            if finished.len() == games {
                break;
            }
            standings.add(&f, result(&f));
            finished.insert(f.number);
        }
        Cup::of(&schedule, &standings).unwrap()
    }

    /// The lower number wins; 3 and 4 draw.
    fn result(f: &Fixture) -> u8 {
        match f.seats {
            [3, 4] | [4, 3] if !f.deciding => 1,
            [a, b] => 2 * u8::from(a < b),
        }
    }

    const PLAN: Plan = Plan {
        play_off: true,
        play_off_games: 1,
        tie_break: TieBreak::DecidingGame,
        ..Plan::of(Format::Groups, 6)
    };

    #[test]
    fn a_cup_shows_what_is_decided() {
        // Groups 0 3 4 and 1 2 5.
        let cup = cup(PLAN, usize::MAX, result);
        let players: Vec<Vec<usize>> =
            cup.groups.iter().map(|g| g.iter().map(|row| row.player).collect()).collect();
        assert_eq!(players, [[0, 3, 4], [1, 2, 5]]);
        let settled: Vec<_> = cup.groups[0].iter().map(|row| row.settled).collect();
        assert_eq!(settled, [None, None, Some(SettledBy::PlayOff)]);
        assert!(
            cup.groups.iter().flatten().filter(|row| row.advances).map(|row| row.player).eq([0, 3, 1, 2])
        );
        assert!(
            cup.play_offs.len() == 1
                && cup.play_offs[0].winner == Some(3)
                && cup.play_offs[0].games[0].deciding
        );
        let winners: Vec<Vec<_>> =
            cup.rounds.iter().map(|r| r.iter().map(|e| (e.players, e.winner)).collect()).collect();
        assert_eq!(winners, [vec![([0, 2], Some(0)), ([1, 3], Some(1))], vec![([0, 1], Some(0))]]);
        let text = lines(&cup, &["A", "B", "C", "D", "E", "F"], Language::English, TieBreak::DecidingGame)
            .join("\n");
        for line in [
            "Group A",
            "* 2    1.0  +0 =2 -2  D",
            "  3    1.0  +0 =2 -2  E  (play-off)",
            "Final",
            "    A 2.0 : 0.0 B  → A",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }

    #[test]
    fn a_cup_under_way_has_open_places() {
        let early = cup(PLAN, 3, result);
        assert!(early.rounds.is_empty() && early.play_offs.is_empty() && early.groups.len() == 2);
        let semifinal = cup(PLAN, 14, result);
        assert_eq!(semifinal.rounds.len(), 1);
        assert!(semifinal.rounds[0].iter().any(|e| e.winner.is_none()), "{semifinal:?}");
        let none = Schedule::new(Plan::of(Format::RoundRobin, 3));
        assert_eq!(Cup::of(&none, &Standings::new(3)), None);
    }

    #[test]
    fn a_level_encounter_goes_to_the_better_seed() {
        let cup = cup(Plan::of(Format::Knockout, 2), usize::MAX, |_| 1);
        let last = &cup.rounds[0][0];
        assert_eq!((last.winner, last.by_seed), (Some(0), true));
    }
}
