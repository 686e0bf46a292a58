//! What a score of chess is worth.

use crate::chess::{Board, Kind};
use crate::eval::chances::{Chances, Model};

impl Chances for Board {
    /// Fitted to 64,794 positions of 520 games by net 13: `sanqi match --each nodes=8000`, half of them from even openings, half
    /// from openings in which White is ahead. Log likelihood a position: -0.469.
    const MODEL: Model = Model { middle: [171.7, -150.2, 113.1], width: [81.5, 35.0, -4.5] };
    const ALL_MATERIAL: u32 = 78;

    /// A pawn is 1, a minor piece 3, a rook 5, a queen 9.
    fn material(&self) -> u32 {
        let of = |kind: Kind| self.position().kind(kind).count();
        of(Kind::Pawn) + 3 * (of(Kind::Knight) + of(Kind::Bishop)) + 5 * of(Kind::Rook) + 9 * of(Kind::Queen)
    }
}
