//! What a score of xiangqi is worth.

use crate::eval::chances::{Chances, Model};
use crate::game::Side;
use crate::xiangqi::{Board, Kind};

impl Chances for Board {
    /// Fitted to 41,822 positions of 240 games by net 6: `sanqi match --each nodes=8000` from `books/xiangqi.epd`. Log likelihood
    /// a position: -0.497.
    const MODEL: Model = Model { middle: [413.3, -115.0, -36.2], width: [177.2, 102.9, -76.6] };
    const ALL_MATERIAL: u32 = 94;

    /// A soldier is 1, an advisor or elephant 2, a horse or cannon 4, a chariot 9.
    fn material(&self) -> u32 {
        let of = |kind: Kind| [Side::First, Side::Second].map(|side| self.pieces(side, kind).count());
        let both = |kind: Kind| of(kind).iter().sum::<u32>();
        both(Kind::Soldier)
            + 2 * (both(Kind::Advisor) + both(Kind::Elephant))
            + 4 * (both(Kind::Horse) + both(Kind::Cannon))
            + 9 * both(Kind::Chariot)
    }
}
