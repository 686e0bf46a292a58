//! Levels: how well the engine plays against a person (docs/LEVELS.md).

use crate::engine::go::{self, RANKS};
use crate::engine::{self, Engine, GameId};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The strongest level of chess and xiangqi below full strength.
pub const LEVELS: u8 = 16;
/// Maximum thinking time at any level.
pub const LONGEST: Duration = Duration::from_secs(15);

/// A strength below full strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// From 1 to [`LEVELS`].
    Number(u8),
    Rank(&'static str),
}

impl FromStr for Level {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        if let Ok(number @ 1..=LEVELS) = text.parse() {
            return Ok(Self::Number(number));
        }
        let rank = RANKS[1..].iter().find(|rank| rank.eq_ignore_ascii_case(text));
        rank.map(|&rank| Self::Rank(rank)).ok_or_else(|| {
            let (low, high) = (RANKS[1], RANKS[RANKS.len() - 1]);
            message!(
                "a level is a number from 1 to {most}; in Go also a rank from {low} to {high}"
                    | "级别是 1 到 {most} 的数字；围棋里也可以是 {low} 到 {high} 的段级",
                most = LEVELS,
                low,
                high
            )
        })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Rank(rank) => rank.fmt(f),
        }
    }
}

/// The strongest level of a game below full strength.
pub const fn strongest(game: GameId) -> u8 {
    match game {
        GameId::Chess | GameId::Xiangqi => LEVELS,
        GameId::Go => go::LEVELS,
    }
}

/// The strength of each level, from level 1: ratings, in Go ranks on boards of `size` lines.
pub fn worths(language: Language, game: GameId, size: usize) -> Vec<String> {
    let rank = |level| go::rank_of(level, size).unwrap_or_else(|| words::rank_beyond(language, go::LOWEST));
    match engine::ratings(game) {
        Some(ratings) => ratings.iter().map(i32::to_string).collect(),
        None => (1..=go::LEVELS).map(rank).collect(),
    }
}

/// Sets the strength of the next search of `engine`: that of `level`, or full strength.
pub fn set(engine: &mut dyn Engine, level: Option<Level>) -> Result<(), Message> {
    match engine::ratings(engine.game()) {
        Some(ratings) => set_rating(engine, level, &ratings),
        None => {
            let (number, rank) = match level {
                Some(Level::Number(number)) if number > go::LEVELS => {
                    return Err(message!(
                        "levels of Go are numbers from 1 to {max}, or ranks"
                            | "围棋的级别是 1 至 {max} 的数，或级位",
                        max = go::LEVELS
                    ));
                }
                Some(Level::Number(number)) => (number, RANKS[0]),
                Some(Level::Rank(rank)) => (0, rank),
                None => (0, RANKS[0]),
            };
            engine.set_option("Level", &number.to_string())?;
            engine.set_option("Rank", rank)
        }
    }
}

fn set_rating(engine: &mut dyn Engine, level: Option<Level>, ratings: &[i32]) -> Result<(), Message> {
    let number = match level {
        Some(Level::Number(number)) => number,
        Some(Level::Rank(rank)) => {
            return Err(message!(
                "{rank} is a rank of Go; levels are numbers from 1 to {LEVELS}"
                    | "{rank} 是围棋的级位；级别是 1 至 {LEVELS} 的数",
                rank
            ));
        }
        None => return engine.set_option("UCI_LimitStrength", "false"),
    };
    engine.set_option("UCI_LimitStrength", "true")?;
    match ratings.get(usize::from(number.max(1) - 1)) {
        Some(rating) => engine.set_option("UCI_Elo", &rating.to_string()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_a_player_and_stronger_than_the_one_below() {
        for game in [GameId::Chess, GameId::Xiangqi] {
            let ratings = engine::ratings(game).unwrap();
            assert_eq!(ratings.len(), usize::from(LEVELS));
            assert!(ratings.is_sorted_by(|low, high| low < high), "{ratings:?}");
        }
    }

    #[test]
    fn a_level_is_a_number_or_a_rank() {
        assert_eq!(("1".parse(), "16".parse()), (Ok(Level::Number(1)), Ok(Level::Number(16))));
        assert_eq!(("15k".parse(), "8K".parse()), (Ok(Level::Rank("15k")), Ok(Level::Rank("8k"))));
        for bad in ["0", "17", "", "full", "99k", "9p", "-1"] {
            assert!(bad.parse::<Level>().is_err(), "{bad}");
        }
    }
}
