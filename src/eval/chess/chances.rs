//! What a score of chess is worth.

use crate::chess::{Board, Kind};
use crate::eval::chances::{Chances, WdlModel};

impl Chances for Board {
    /// Fitted to 62,016 positions of 520 games by net 15: `sanqi match --each nodes=8000`, half of them from
    /// even openings, half from openings in which White is ahead. Log likelihood a position: -0.526.
    const MODEL: WdlModel = WdlModel { middle: [160.7, -157.5, 86.0], width: [90.3, 25.8, -25.0] };
    const ALL_MATERIAL: u32 = 78;

    /// A pawn is 1, a minor piece 3, a rook 5, a queen 9.
    fn material(&self) -> u32 {
        let of = |kind: Kind| self.position().kind(kind).count();
        of(Kind::Pawn) + 3 * (of(Kind::Knight) + of(Kind::Bishop)) + 5 * of(Kind::Rook) + 9 * of(Kind::Queen)
    }
}
