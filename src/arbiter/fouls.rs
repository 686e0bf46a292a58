//! DrawOfferFouls, of which the third loses (XQ-9). An offer of a draw is one where the player has offered before, was refused,
//! and since then nothing was captured and its mind has not changed.

use crate::game::Side;

/// From this difference on, in centipawns, to the score reported with an offer, a score is a change of mind.
pub const CHANGE_OF_MIND: u32 = 30;

/// The fouls of one game.
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

/// An offer of a draw.
#[derive(Clone, Copy, Debug)]
struct Offer {
    /// The score that the player reported with it, in centipawns from its side.
    score: Option<i32>,
}

impl DrawOfferFouls {
    /// After a move of `side`: whether it captured, the score reported with it in centipawns, whether it offered a draw.
    /// `Some`: the offer was a foul; the number of fouls of the player so far.
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
