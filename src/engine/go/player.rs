//! Playing Go below full strength: a weaker player reads less, and is less careful in its choice.
//!
//! How much a player reads is a number of visits. How careless it is, is a temperature: a move with twice the
//! visits is played `2^(1/temperature)` times as often. Moves with less than a share of the visits of the
//! most visited one are not played. The weakest players read more moves than some above them, to choose among
//! more bad ones; the very weakest plays some moves at which it did not look. A pass is never a careless
//! choice, so that games end as they do at full strength. What the players are worth was measured:
//! docs/LEVELS.md.

use crate::go::Move;
use crate::search::tree::{RootChild, SearchReport};
use crate::util::rng::Rng;

/// How well a limited player plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayingStrength {
    /// Visits of a search, nothing remembered.
    pub visits: u64,
    /// Carelessness of the choice, above 0.
    pub temperature: f64,
    /// The least visits that a move is played with, as a share of those of the most visited one.
    pub min_share: f64,
    /// How often a move without visits is played, 0 to 1: any of them.
    pub unread: f64,
}

/// A player that plays no move of which it has next to no opinion.
const fn player(visits: u64, temperature: f64) -> PlayingStrength {
    PlayingStrength { visits, temperature, min_share: 0.02, unread: 0.0 }
}

/// The players that are rated, from the weakest: a beginner, and those of the levels.
const PLAYERS: [PlayingStrength; 13] = [
    PlayingStrength { visits: 200, temperature: 8.0, min_share: 0.005, unread: 0.3 },
    PlayingStrength { visits: 200, temperature: 8.0, min_share: 0.005, unread: 0.0 },
    PlayingStrength { visits: 200, temperature: 8.0, min_share: 0.009, unread: 0.0 },
    player(200, 8.0),
    player(110, 3.2),
    player(80, 1.7),
    player(64, 1.1),
    player(80, 0.7),
    player(130, 0.5),
    player(300, 0.35),
    player(700, 0.23),
    player(1_800, 0.14),
    player(5_000, 0.08),
];

const BELOW_LEVELS: usize = 1;

/// Levels below full strength.
pub const LEVELS: u8 = (PLAYERS.len() - BELOW_LEVELS) as u8;

/// What players are worth on boards of a size: 1 dan is 1, 1 kyu is 0, 2 kyu is -1.
type Grades = [f64; PLAYERS.len()];

/// The grades of the players on 9x9, 13x13 and 19x19, by matches against each other and GNU Go.
static GRADES: [Grades; 3] = [
    [-19.0, -15.4, -13.8, -12.0, -10.2, -8.3, -6.8, -5.5, -4.5, -3.1, -2.5, -1.2, 0.3],
    [-23.4, -19.8, -17.8, -16.5, -15.0, -13.8, -11.4, -9.3, -7.4, -5.5, -4.8, -3.2, -1.5],
    [-40.0, -36.0, -33.0, -30.0, -26.0, -20.0, -13.5, -10.0, -6.5, -4.0, -3.1, -1.2, 1.0],
];

/// The grades on boards of `size` lines: those of the nearest size that was measured.
fn grades(size: usize) -> &'static Grades {
    let [small, middle, large] = &GRADES;
    match size {
        ..=11 => small,
        12..=16 => middle,
        _ => large,
    }
}

/// The value of `Rank` that is full strength.
pub const FULL: &str = "full";

/// The values of `Rank`: full strength, and then from the weakest.
pub const RANKS: &[&str] = &[
    FULL, "20k", "19k", "18k", "17k", "16k", "15k", "14k", "13k", "12k", "11k", "10k", "9k", "8k", "7k",
    "6k", "5k", "4k", "3k", "2k", "1k", "1d",
];

/// The grade that a rank names; `None` for full strength and for what is not a rank.
fn grade(rank: &str) -> Option<i32> {
    let (number, is_dan) = match rank.strip_suffix('d') {
        Some(dan) => (dan, true),
        None => (rank.strip_suffix('k')?, false),
    };
    let number: i32 = number.parse().ok()?;
    Some(if is_dan { number } else { 1 - number })
}

/// The rank that is nearest to a grade; the lower one of two.
fn rank(grade: f64) -> String {
    let grade = (grade + 0.5).floor() as i32;
    if grade > 0 { format!("{grade}d") } else { format!("{}k", 1 - grade) }
}

/// The lowest rank that is reported.
pub const LOWEST: &str = "30k";

/// The rank of the player of a level, from 1, on boards of `size` lines. `None`: it is below [`LOWEST`].
pub fn rank_of(level: u8, size: usize) -> Option<String> {
    let at = usize::from(level).checked_sub(1)? + BELOW_LEVELS;
    let text = rank(*grades(size).get(at)?);
    (grade(&text) >= grade(LOWEST)).then_some(text)
}

/// A player of this grade by the table; beyond its ends the player at that end.
fn of_grade(grades: &Grades, grade: f64) -> PlayingStrength {
    let above = grades.iter().position(|&at| at > grade).unwrap_or(PLAYERS.len() - 1).max(1);
    let (low, high) = (PLAYERS[above - 1], PLAYERS[above]);
    let part = ((grade - grades[above - 1]) / (grades[above] - grades[above - 1])).clamp(0.0, 1.0);
    let between = |low: f64, high: f64| low + (high - low) * part;
    let mixed = |low: f64, high: f64| between(low.ln(), high.ln()).exp();
    PlayingStrength {
        visits: mixed(low.visits as f64, high.visits as f64).round() as u64,
        temperature: mixed(low.temperature, high.temperature),
        min_share: mixed(low.min_share, high.min_share),
        unread: between(low.unread, high.unread),
    }
}

impl PlayingStrength {
    /// Puts the move that this player chooses first.
    pub fn choose(&self, report: &mut SearchReport<Move>, rng: &mut Rng) {
        if report.moves.first().is_none_or(|best| !best.mv.is_stone()) {
            return;
        }
        let is_unread = |mv: &RootChild<Move>| mv.visits == 0 && mv.mv.is_stone();
        let unread = f64::from(rng.unit_f32()) < self.unread && report.moves.iter().any(is_unread);
        let max = report.moves.iter().map(|mv| mv.visits).max().unwrap_or(0).max(1) as f64;
        let mut noisy = |mv: &RootChild<Move>| {
            let share = if unread { f64::from(u8::from(is_unread(mv))) } else { mv.visits as f64 / max };
            // The greatest sum of logarithm and noise from a Gumbel distribution is a draw by the powers.
            let waiting = -f64::from(1.0 - rng.unit_f32()).ln();
            let noise = -waiting.max(f64::EPSILON).ln();
            let is_played = mv.mv.is_stone() && share >= self.min_share;
            if is_played { share.ln() / self.temperature + noise } else { f64::NEG_INFINITY }
        };
        let sums: Vec<f64> = report.moves.iter().map(&mut noisy).collect();
        let drawn = sums.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(i, _)| i);
        report.moves[..=drawn].rotate_right(1);
    }
}

/// The player that the options `Rank` and `Level` ask for on a board of `size` lines; `None` is full
/// strength.
pub fn asked(rank: &str, level: u8, size: usize) -> Option<PlayingStrength> {
    match grade(rank) {
        Some(grade) => Some(of_grade(grades(size), f64::from(grade))),
        None => PLAYERS.get(usize::from(level).checked_sub(1)? + BELOW_LEVELS).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Point;

    #[test]
    fn ranks_rise_from_kyu_to_dan() {
        assert_eq!(
            [grade("15k"), grade("1k"), grade("1d"), grade("3d")],
            [Some(-14), Some(0), Some(1), Some(3)]
        );
        assert_eq!([grade(FULL), grade("9p"), grade("k"), grade("")], [None; 4]);
        let grades: Vec<_> = RANKS[1..].iter().map(|rank| grade(rank).expect("a rank")).collect();
        assert!(grades.is_sorted_by(|low, high| high - low == 1), "{grades:?}");
    }

    #[test]
    fn levels_have_ranks_by_the_size_of_the_board() {
        let ranks = |level| [9, 13, 19].map(|size| rank_of(level, size).unwrap_or_default());
        assert_eq!(ranks(1), ["16k", "21k", ""]);
        assert_eq!(ranks(10), ["3k", "6k", "4k"]);
        assert_eq!(ranks(LEVELS), ["1k", "2k", "1d"]);
        assert_eq!([rank_of(0, 9), rank_of(LEVELS + 1, 9)], [None, None]);
        for text in &RANKS[1..] {
            assert_eq!(rank(f64::from(grade(text).expect("a rank"))), *text);
        }
    }

    #[test]
    fn a_better_rank_is_more_careful() {
        for grades in &GRADES {
            assert!(grades.is_sorted_by(|low, high| low < high));
            let of = |grade| of_grade(grades, grade);
            let players: Vec<_> = (-60..10).map(|grade| of(f64::from(grade))).collect();
            assert!(players.is_sorted_by(|low, high| low.temperature >= high.temperature), "{players:?}");
            assert!(players.is_sorted_by(|low, high| low.unread >= high.unread), "{players:?}");
            let visits = |player: PlayingStrength| player.visits;
            assert_eq!([players[0], players[69]].map(visits), [200, 5000], "beyond the ends");
            assert_eq!(grades.map(of).map(visits), PLAYERS.map(visits));
            let weakest = f64::from(grade(RANKS[1]).expect("a rank"));
            assert!(grades[0] <= weakest, "no player is as weak as {weakest}");
        }
        let strongest = f64::from(grade(RANKS[RANKS.len() - 1]).expect("a rank"));
        let best = GRADES.iter().map(|grades| grades[12]).fold(f64::MIN, f64::max);
        assert!((strongest - best).abs() < 1.0, "{strongest} is not {best}");
    }

    #[test]
    fn a_rank_goes_before_a_level() {
        assert_eq!(asked(FULL, 0, 9), None);
        assert_eq!(asked(FULL, 1, 9), Some(PLAYERS[1]));
        assert_eq!(asked(FULL, 12, 9), Some(PLAYERS[12]));
        assert_eq!(asked("15k", 3, 5), Some(of_grade(&GRADES[0], -14.0)));
        assert_eq!(asked("15k", 3, 15), Some(of_grade(&GRADES[1], -14.0)));
        assert_eq!(asked("15k", 3, 17), Some(of_grade(&GRADES[2], -14.0)));
    }

    fn report(visits: &[(Move, u64)]) -> SearchReport<Move> {
        let root_move = |&(mv, visits): &(Move, u64)| RootChild {
            mv,
            visits,
            winrate: 0.5,
            lcb: 0.0,
            score_count: 0,
            prior: 0.0,
            policy: None,
            score_lead: 0.0,
            ownership: Vec::new(),
            pv: Vec::new(),
        };
        SearchReport { moves: visits.iter().map(root_move).collect(), ..SearchReport::empty() }
    }

    #[test]
    fn the_careless_choose_by_visits_and_never_a_pass() {
        let [a, b, c] = [0, 1, 2].map(|col| Point::new(col, 0));
        let mut rng = Rng::new(3);
        let mut count = |temperature| {
            let mut played = [0; 3];
            for _ in 0..4000 {
                let mut report = report(&[(a, 200), (b, 100), (Point::PASS, 150), (c, 3)]);
                player(1, temperature).choose(&mut report, &mut rng);
                assert_eq!(report.moves.len(), 4);
                let first = report.moves[0].mv;
                played[[a, b, c].iter().position(|&v| v == first).expect("no pass")] += 1;
            }
            played
        };
        let [once, half, never] = count(1.0);
        assert!((2550..2780).contains(&once) && half + once == 4000 && never == 0, "{once} {half}");
        let [often, seldom, _] = count(0.25);
        assert!((3680..3840).contains(&often), "{often} {seldom}");
        let mut report = report(&[(Point::PASS, 150), (a, 100)]);
        player(1, 5.0).choose(&mut report, &mut rng);
        assert_eq!(report.moves[0].mv, Point::PASS, "who wants to pass passes");
    }

    #[test]
    fn only_a_beginner_plays_what_it_did_not_look_at() {
        let [a, b, c] = [0, 1, 2].map(|col| Point::new(col, 0));
        let mut rng = Rng::new(5);
        for (i, player) in PLAYERS.iter().enumerate() {
            let expected = if i == 0 { 1080..1320 } else { 0..1 };
            let mut drawn = 0;
            for _ in 0..4000 {
                let mut report = report(&[(a, 2), (b, 1), (c, 0), (Point::PASS, 0)]);
                player.choose(&mut report, &mut rng);
                assert!(report.moves[0].mv.is_stone());
                drawn += usize::from(report.moves[0].mv == c);
            }
            assert!(expected.contains(&drawn), "{player:?}: {drawn}");
        }
    }
}
