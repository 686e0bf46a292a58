//! What a score of chess is worth.

use crate::chess::{Board, Kind};
use crate::eval::chances::{Chances, Model};

impl Chances for Board {
    /// Fitted to 384,105 positions of games of `sanqi datagen chess --nodes 500` by the hand-made evaluation. Log likelihood
    /// a position: -0.678.
    const MODEL: Model = Model { middle: [95.7, -161.1, 177.0], width: [138.3, 44.3, 132.7] };
    const ALL_MATERIAL: u32 = 78;

    /// A pawn is 1, a minor piece 3, a rook 5, a queen 9.
    fn material(&self) -> u32 {
        let of = |kind: Kind| self.position().kind(kind).count();
        of(Kind::Pawn) + 3 * (of(Kind::Knight) + of(Kind::Bishop)) + 5 * of(Kind::Rook) + 9 * of(Kind::Queen)
    }
}
