//! What a score of xiangqi is worth.

use crate::eval::chances::{Chances, WdlModel};
use crate::game::Side;
use crate::xiangqi::{Board, Kind};

impl Chances for Board {
    /// Fitted to 81,230 positions of 480 games, half of them by net 6 and half by net 7: `sanqi match --each
    /// nodes=8000` from `books/xiangqi.epd`. Log likelihood a position: -0.533.
    const MODEL: WdlModel = WdlModel { middle: [342.2, -182.0, 32.4], width: [175.7, 101.1, -91.6] };
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
