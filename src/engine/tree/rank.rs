//! Playing Go below full strength: a weaker player reads less, and is less careful in its choice.
//!
//! How much a player reads is a number of visits. How careless it is, is a temperature: a move with twice the visits is
//! played `2^(1/temperature)` times as often. Moves with less than a share of the visits of the most visited one are not
//! played. The weakest players read more moves than some above them, to choose among more bad ones. A pass is never a
//! careless choice, so that games end as they do at full strength. What the players are worth was measured: docs/LEVELS.md.

use crate::go::Move;
use crate::search::tree::{Report, RootMove};
use crate::util::rng::Rng;

/// How well a limited player plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Player {
    /// Visits of a search, nothing remembered.
    pub visits: u64,
    /// Carelessness of the choice, above 0.
    pub temperature: f64,
    /// The least visits that a move is played with, as a share of those of the most visited one.
    pub least_share: f64,
}

/// A player that plays no move of which it has next to no opinion.
const fn player(visits: u64, temperature: f64) -> Player {
    Player { visits, temperature, least_share: 0.02 }
}

/// The players that are rated, from the weakest: those of the levels.
const PLAYERS: [Player; 12] = [
    Player { visits: 200, temperature: 8.0, least_share: 0.005 },
    Player { visits: 200, temperature: 8.0, least_share: 0.009 },
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

/// Levels below full strength.
pub const LEVELS: u8 = PLAYERS.len() as u8;

/// The grades of the players, by matches on 9x9 against each other and GNU Go: 1 dan is 1, 1 kyu is 0, 2 kyu is -1.
const GRADES: [f64; PLAYERS.len()] =
    [-14.0, -13.3, -12.4, -11.5, -10.2, -8.9, -7.9, -6.5, -5.1, -4.4, -3.0, -1.3];

/// The value of `Rank` that is full strength.
pub const FULL: &str = "full";

/// The values of `Rank`: full strength, and then from the weakest.
pub const RANKS: &[&str] =
    &[FULL, "15k", "14k", "13k", "12k", "11k", "10k", "9k", "8k", "7k", "6k", "5k", "4k", "3k"];

/// The grade that a rank names; `None` for full strength and for what is no rank.
fn grade(rank: &str) -> Option<i32> {
    let (number, is_dan) = match rank.strip_suffix('d') {
        Some(dan) => (dan, true),
        None => (rank.strip_suffix('k')?, false),
    };
    let number: i32 = number.parse().ok()?;
    Some(if is_dan { number } else { 1 - number })
}

/// A player of this grade; beyond the ends of the table the player at that end.
fn of_grade(grade: f64) -> Player {
    let above = GRADES.iter().position(|&at| at > grade).unwrap_or(PLAYERS.len() - 1).max(1);
    let (low, high) = (PLAYERS[above - 1], PLAYERS[above]);
    let part = ((grade - GRADES[above - 1]) / (GRADES[above] - GRADES[above - 1])).clamp(0.0, 1.0);
    let mixed = |low: f64, high: f64| (low.ln() + (high.ln() - low.ln()) * part).exp();
    Player {
        visits: mixed(low.visits as f64, high.visits as f64).round() as u64,
        temperature: mixed(low.temperature, high.temperature),
        least_share: mixed(low.least_share, high.least_share),
    }
}

impl Player {
    /// Puts the move that this player chooses first.
    pub fn choose(&self, report: &mut Report<Move>, rng: &mut Rng) {
        if report.moves.first().is_none_or(|best| !best.mv.is_stone()) {
            return;
        }
        let most = report.moves.iter().map(|mv| mv.visits).max().unwrap_or(0).max(1) as f64;
        let mut noisy = |mv: &RootMove<Move>| {
            let share = if mv.mv.is_stone() { mv.visits as f64 / most } else { 0.0 };
            // The greatest sum of logarithm and noise from a Gumbel distribution is a draw by the powers.
            let waiting = -f64::from(1.0 - rng.unit_f32()).ln();
            let noise = -waiting.max(f64::EPSILON).ln();
            if share < self.least_share { f64::NEG_INFINITY } else { share.ln() / self.temperature + noise }
        };
        let sums: Vec<f64> = report.moves.iter().map(&mut noisy).collect();
        let drawn = sums.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(i, _)| i);
        report.moves[..=drawn].rotate_right(1);
    }
}

/// The player that the options `Rank` and `Level` ask for; `None` is full strength.
pub fn asked(rank: &str, level: u8) -> Option<Player> {
    match grade(rank) {
        Some(grade) => Some(of_grade(f64::from(grade))),
        None => PLAYERS.get(usize::from(level).checked_sub(1)?).copied(),
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
    fn a_better_rank_is_more_careful() {
        assert!(GRADES.is_sorted_by(|low, high| low < high));
        let players: Vec<_> = (-30..10).map(|grade| of_grade(f64::from(grade))).collect();
        assert!(players.is_sorted_by(|low, high| low.temperature >= high.temperature), "{players:?}");
        let visits = |player: Player| player.visits;
        assert_eq!((players[0].visits, players[39].visits), (200, 5000), "beyond the ends");
        assert_eq!(GRADES.map(of_grade).map(visits), PLAYERS.map(visits));
        // The ends of the list are players that were measured.
        let ends = [RANKS[1], RANKS[RANKS.len() - 1]].map(|rank| f64::from(grade(rank).expect("a rank")));
        assert!((GRADES[0] - ends[0]).abs() < 1.0 && ends[1] <= GRADES[11], "{ends:?}");
    }

    #[test]
    fn a_rank_goes_before_a_level() {
        assert_eq!(asked(FULL, 0), None);
        assert_eq!(asked(FULL, 3), Some(PLAYERS[2]));
        assert_eq!(asked("15k", 3), Some(of_grade(-14.0)));
    }

    fn report(visits: &[(Move, u64)]) -> Report<Move> {
        let root_move = |&(mv, visits): &(Move, u64)| RootMove {
            mv,
            visits,
            winrate: 0.5,
            lcb: 0.0,
            prior: 0.0,
            policy: None,
            score_lead: 0.0,
            score_stdev: 0.0,
            ownership: Vec::new(),
            pv: Vec::new(),
        };
        Report { moves: visits.iter().map(root_move).collect(), ..Report::empty() }
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
}
