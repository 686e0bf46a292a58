//! What the arbiter holds against a player: repeated offers of a draw, and illegal moves.
//!
//! The third foul loses (XQ-9). An offer of a draw is a foul if the player has offered before and was
//! refused, nothing has been captured since, and its mind has not changed.

use crate::game::Side;
use crate::message;
use crate::util::message::{Message, serde_as_text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What illegal moves cost (CH-14; FIDE 7.5.5): `1`, `2`, `3`, or `2+120` with what the opponent's clock
/// gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct IllegalMoves {
    /// The one that loses the game. Those before it are put back.
    pub losing: u32,
    /// Seconds for the opponent of a player whose move is put back.
    bonus: u32,
}

impl IllegalMoves {
    /// What the opponent's clock gets for a move that is put back.
    pub fn bonus(self) -> Duration {
        Duration::from_secs(self.bonus.into())
    }

    /// Whether the first one loses.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for IllegalMoves {
    fn default() -> Self {
        Self { losing: 1, bonus: 0 }
    }
}

impl FromStr for IllegalMoves {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let (losing, bonus) = text.split_once('+').unwrap_or((text, "0"));
        let read = losing.parse().ok().zip(bonus.parse().ok());
        let fits = |&(losing, bonus): &(u32, u32)| (1..=9).contains(&losing) && bonus <= 86_400;
        match read.filter(fits) {
            Some((losing, bonus)) => Ok(Self { losing, bonus }),
            None => Err(message!(
                "illegal moves: {text:?} is not 1, 2 or 3, nor 2+120, with seconds for the opponent"
                    | "违例着法：{text:?} 不是 1、2、3，也不是 2+120 这样带补时秒数的写法",
                text
            )),
        }
    }
}

impl fmt::Display for IllegalMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bonus {
            0 => write!(f, "{}", self.losing),
            bonus => write!(f, "{}+{bonus}", self.losing),
        }
    }
}

serde_as_text!(IllegalMoves);

/// From this difference on, in centipawns, to the score reported with an offer, a score is a change of mind.
pub const CHANGE_OF_MIND: u32 = 30;

#[derive(Clone, Copy, Debug, Default)]
pub struct DrawOfferFouls {
    sides: [Conduct; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Conduct {
    fouls: u32,
    /// An offer that must not be repeated.
    offered: Option<Offer>,
}

#[derive(Clone, Copy, Debug)]
struct Offer {
    /// The score that the player reported with it, in centipawns from its side.
    score: Option<i32>,
}

impl DrawOfferFouls {
    /// After a move of `side`: whether it captured, the score reported with it in centipawns, whether it
    /// offered a draw. `Some`: the offer was a foul; the number of fouls of the player so far.
    pub fn moved(&mut self, side: Side, captured: bool, score: Option<i32>, offers: bool) -> Option<u32> {
        if captured {
            self.sides.iter_mut().for_each(|conduct| conduct.offered = None);
        }
        let own = side.of_mut(&mut self.sides);
        let has_changed = |offer: &Offer| {
            offer.score.zip(score).is_some_and(|(then, now)| now.abs_diff(then) > CHANGE_OF_MIND)
        };
        if own.offered.as_ref().is_some_and(has_changed) {
            own.offered = None;
        }
        if !offers {
            return None;
        }
        if own.offered.is_none() {
            own.offered = Some(Offer { score });
            return None;
        }
        own.fouls = own.fouls.saturating_add(1);
        Some(own.fouls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{First, Second};

    #[test]
    fn the_cost_of_illegal_moves_is_read_and_written() {
        for text in ["1", "2", "3", "2+120"] {
            assert_eq!(text.parse::<IllegalMoves>().unwrap().to_string(), text);
        }
        for text in ["", "0", "10", "2+", "+60", "2+-1", "2+100000", "second"] {
            assert!(text.parse::<IllegalMoves>().is_err(), "{text}");
        }
    }

    #[test]
    fn offers_are_repeated_after_a_capture_or_a_change_of_mind_only() {
        let mut fouls = DrawOfferFouls::default();
        assert_eq!(fouls.moved(First, false, Some(5), true), None);
        assert_eq!(fouls.moved(Second, false, Some(0), true), None, "each side has its own offers");
        assert_eq!(fouls.moved(First, false, Some(35), true), Some(1), "30 centipawns are no change");
        assert_eq!(fouls.moved(Second, true, Some(0), false), None);
        assert_eq!(fouls.moved(First, false, Some(5), true), None, "after a capture");
        assert_eq!(fouls.moved(First, false, Some(-26), false), None);
        assert_eq!(fouls.moved(First, false, Some(5), true), None, "after a change of mind");
        assert_eq!(fouls.moved(First, false, None, true), Some(2), "an unreported score has not changed");
        assert_eq!(fouls.moved(First, false, Some(5), true), Some(3));
        assert_eq!(fouls.moved(Second, false, None, true), None, "the capture was for both");
    }

    #[test]
    fn any_two_scores_are_compared() {
        let mut fouls = DrawOfferFouls::default();
        assert_eq!(fouls.moved(First, false, Some(i32::MIN), true), None);
        assert_eq!(fouls.moved(First, false, Some(i32::MAX), true), None, "a change of mind");
        assert_eq!(fouls.moved(First, false, Some(i32::MAX), true), Some(1));
    }
}
