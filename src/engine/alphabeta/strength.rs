//! Playing below full strength: a weaker player sees less far, and is less careful in its choice.
//!
//! How far a player sees is a number of nodes. How careless it is, is a spread in centipawns: of moves whose
//! scores differ by this spread, the better one is played e times as often. So small mistakes are frequent
//! and large ones rare, and the more so the stronger the player. The players are the same in every game; each
//! game has ratings of its own for them, which were measured (docs/LEVELS.md). A rating between two players
//! mixes both.

use crate::engine::{OptionKind, OptionSpec, number};
use crate::util::message::Message;

pub(super) const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
pub(super) const ELO: &str = "UCI_Elo";
pub(super) const SKILL: &str = "Skill Level";
pub(super) const ANALYSE_MODE: &str = "UCI_AnalyseMode";

const FULL_SKILL: u8 = 20;
/// Best lines that the careless choose among.
pub(super) const SEEN: usize = 16;
/// A player with only a bare king to mate searches this many nodes at least, and makes no mistake: a beginner
/// can do that, too.
const TECHNIQUE_NODES: u64 = 20_000;

/// Below this spread the choice is not careless: the other lines would only take nodes.
const LEAST_SPREAD: f64 = 1.0;
/// Nodes that [`SEEN`] lines take for one that a single line takes at the same depth: 9.5 at depth 6 to 12.3
/// at depth 10 of chess and 11.1 of xiangqi, 20 positions each.
const COST_OF_LINES: f64 = 11.0;

/// How well a limited player plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Strength {
    /// No deeper iteration is begun after this number of nodes.
    pub nodes: u64,
    /// In centipawns: of moves whose scores differ by it, the better one is played e times as often.
    pub spread: f64,
}

const fn player(nodes: u64, spread: f64) -> Strength {
    Strength { nodes, spread }
}

/// The players that are rated, from the weakest: the last ones make no careless choice, and differ by their
/// nodes.
const PLAYERS: [Strength; 16] = [
    player(100, 300.0),
    player(150, 200.0),
    player(250, 140.0),
    player(400, 100.0),
    player(700, 70.0),
    player(1_200, 48.0),
    player(2_000, 32.0),
    player(3_500, 22.0),
    player(6_500, 14.0),
    player(10_300, 9.5),
    player(17_300, 5.5),
    player(38_700, 1.5),
    player(10_000, 0.0),
    player(40_000, 0.0),
    player(160_000, 0.0),
    player(600_000, 0.0),
];

pub type Ratings = [i32; PLAYERS.len()];

const fn lowest(ratings: &Ratings) -> i32 {
    ratings[0]
}

const fn highest(ratings: &Ratings) -> i32 {
    ratings[PLAYERS.len() - 1]
}

impl Strength {
    /// A player of rating `elo`; beyond the ends of `ratings` the player at that end.
    fn of(ratings: &Ratings, elo: i32) -> Self {
        let above = ratings.iter().position(|&rating| rating > elo).unwrap_or(PLAYERS.len() - 1).max(1);
        let [low, high] = [above - 1, above].map(|i| (f64::from(ratings[i]), PLAYERS[i]));
        let part = ((f64::from(elo) - low.0) / (high.0 - low.0)).clamp(0.0, 1.0);
        let mixed = |low: f64, high: f64| low + (high - low) * part;
        let spread = mixed(low.1.spread, high.1.spread);
        let spread = if spread < LEAST_SPREAD { 0.0 } else { spread };
        let cost = |spread: f64| if spread > 0.0 { COST_OF_LINES } else { 1.0 };
        let of_a_line = |player: Self| (player.nodes as f64 / cost(player.spread)).ln();
        let nodes = mixed(of_a_line(low.1), of_a_line(high.1)).exp() * cost(spread);
        Self { nodes: nodes.round() as u64, spread }
    }

    /// The same player with only a bare king to mate.
    pub fn technique(self) -> Self {
        Self { nodes: self.nodes.max(TECHNIQUE_NODES), spread: 0.0 }
    }
}

/// The three options that limit the strength, and the one that lifts the limits.
#[derive(Clone, Copy)]
pub(super) struct Handicap {
    analyses: bool,
    limited: bool,
    elo: Option<i32>,
    skill: u8,
}

impl Default for Handicap {
    fn default() -> Self {
        Self { analyses: false, limited: false, elo: None, skill: FULL_SKILL }
    }
}

impl Handicap {
    /// Sets an option. False: it is none of these.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, Message> {
        match name {
            ANALYSE_MODE => self.analyses = value == "true",
            LIMIT_STRENGTH => self.limited = value == "true",
            ELO => self.elo = Some(number(value)?),
            SKILL => self.skill = number::<i32>(value)?.clamp(0, FULL_SKILL.into()) as u8,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether positions are looked at, and no game is played.
    pub fn analyses(&self) -> bool {
        self.analyses
    }

    /// The player asked for; `None` is full strength.
    pub fn strength(&self, ratings: &Ratings) -> Option<Strength> {
        let (lowest, highest) = (lowest(ratings), highest(ratings));
        let elo = if self.analyses {
            return None;
        } else if self.limited {
            self.elo.unwrap_or(highest)
        } else if self.skill < FULL_SKILL {
            lowest + (highest - lowest) * i32::from(self.skill) / i32::from(FULL_SKILL)
        } else {
            return None;
        };
        Some(Strength::of(ratings, elo))
    }
}

pub(super) fn specs(ratings: &Ratings) -> Vec<OptionSpec> {
    let (lowest, highest) = (lowest(ratings).into(), highest(ratings).into());
    let elo = OptionKind::spin(highest, lowest, highest);
    let skill = OptionKind::spin(FULL_SKILL.into(), 0, FULL_SKILL.into());
    option_specs! {
        LIMIT_STRENGTH, OptionKind::Check(false) => "Plays at the strength of UCI_Elo." | "按 UCI_Elo 的棋力下棋。";
        ELO, elo => "The rating to play at while UCI_LimitStrength is on." | "UCI_LimitStrength 打开时下棋的等级分。";
        SKILL, skill =>
            "20 is full strength, 0 the lowest UCI_Elo; UCI_LimitStrength takes precedence."
            | "20 为全力，0 为最低的 UCI_Elo；UCI_LimitStrength 优先。";
        ANALYSE_MODE, OptionKind::Check(false) =>
            "Only looks for the best move: no strength limit, no randomness, no draw offers, no resignation."
            | "只找最佳着法：不限棋力，不随机，不提和，不认输。";
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATINGS: Ratings =
        [1000, 1200, 1300, 1400, 1500, 1600, 1700, 1800, 1900, 2000, 2100, 2300, 2500, 2600, 2700, 3000];

    #[test]
    fn ratings_between_players_mix_them() {
        let strength = |elo| Strength::of(&RATINGS, elo);
        assert_eq!(strength(1000), player(100, 300.0));
        // The middle of 100 and 150 nodes, by their ratio.
        assert_eq!(strength(1100), player(122, 250.0));
        assert_eq!(strength(1200), player(150, 200.0));
        assert_eq!(strength(2300), player(38_700, 1.5));
        // A choice that is hardly careless costs more than it changes: other lines are not searched.
        assert_eq!([2350, 2400].map(strength), [player(50_249, 1.125), player(5_931, 0.0)]);
        assert_eq!(strength(2850), player(309_839, 0.0));
        assert_eq!((strength(5), strength(5000)), (strength(1000), strength(3000)));
    }

    #[test]
    fn a_rating_goes_before_a_skill() {
        let mut handicap = Handicap::default();
        let at = |elo| Some(Strength::of(&RATINGS, elo));
        assert_eq!(handicap.strength(&RATINGS), None, "full strength unless limited");
        assert_eq!(handicap.set(SKILL, "0"), Ok(true));
        assert_eq!(handicap.strength(&RATINGS), at(1000));
        assert_eq!(handicap.set(SKILL, "10"), Ok(true));
        assert_eq!(handicap.strength(&RATINGS), at(2000));
        assert_eq!(handicap.set(ELO, "1200"), Ok(true));
        assert_eq!(handicap.strength(&RATINGS), at(2000), "not limited yet");
        assert_eq!(handicap.set(LIMIT_STRENGTH, "true"), Ok(true));
        assert_eq!(handicap.strength(&RATINGS), at(1200));
        assert_eq!(handicap.set(ANALYSE_MODE, "true"), Ok(true));
        assert_eq!(handicap.strength(&RATINGS), None, "an analysis is not limited");
        assert_eq!(handicap.set("Hash", "1"), Ok(false));
        assert!(handicap.set(ELO, "strong").is_err());
    }
}
