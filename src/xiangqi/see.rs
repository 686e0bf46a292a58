//! Static exchange evaluation. <https://www.chessprogramming.org/Static_Exchange_Evaluation>
//!
//! Unlike in chess, attackers also *lose* their attack while the exchange goes on: a cannon needs exactly one
//! screen, which may be the next piece to capture. So the attackers are looked up anew at each step, from
//! the least valuable kind up. Generals capture last, and only where nothing captures back; a piece that
//! alone keeps the generals from facing each other stays where it is.

use super::bitboard::Bitboard;
use super::board::Board;
use super::lookup::{self, Occupancy};
use super::types::{Kind, Move, Square};
use crate::game::Side;

/// Exchange values by kind, a soldier being 100.
const VALUES: [i32; 7] = [10_000, 200, 200, 430, 950, 450, 100];

/// Kinds in the order in which they capture.
const ORDER: [Kind; 7] =
    [Kind::Soldier, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Cannon, Kind::Chariot, Kind::General];

#[inline(always)]
pub(super) const fn value(kind: Kind) -> i32 {
    VALUES[kind.index()]
}

impl Board {
    /// Whether the exchange that `mv` begins gains at least `threshold`.
    pub(super) fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some((mut side, kind)) = self.squares[from.index()].get() else { return threshold <= 0 };
        let captured = self.squares[to.index()].get().map_or(0, |(_, kind)| value(kind));

        let gained = captured - threshold;
        if gained < 0 {
            return false;
        }
        // What the opponent must win back, the piece on the target being all there is to win.
        let mut swing = value(kind) - gained;
        if swing <= 0 {
            return true;
        }
        let mut occ = self.occ.after(from, to);
        let mut mover_wins = true;
        loop {
            side = side.other();
            let held = self.keeps_generals_apart(to, &occ);
            let Some((next, sq)) = self.least_attacker(to, side, &occ, held) else { return mover_wins };
            occ.toggle(sq);
            if next == Kind::General {
                // It may capture only where nothing captures back, not even a piece that is pinned, and where
                // it does not face the other general.
                let answer = self.least_attacker(to, side.other(), &occ, Bitboard::EMPTY);
                let exposed = answer.is_some() || self.faces_general(to, side.other(), &occ);
                return mover_wins == exposed;
            }
            mover_wins = !mover_wins;
            swing = value(next) - swing;
            if swing < i32::from(mover_wins) {
                return mover_wins;
            }
        }
    }

    /// The least valuable piece of `side` that can capture on `target`, and where it stands; the pieces on
    /// `held` may not.
    #[inline]
    fn least_attacker(
        &self,
        target: Square,
        side: Side,
        occ: &Occupancy,
        held: Bitboard,
    ) -> Option<(Kind, Square)> {
        let standing = (self.by_side[side.index()] & occ.all).without(held);
        for kind in ORDER {
            let pieces = self.pieces(side, kind) & standing;
            if pieces.is_empty() {
                continue;
            }
            let from = match kind {
                Kind::Soldier => lookup::soldier_to(side, target),
                Kind::Advisor => lookup::ADVISOR[target.index()],
                Kind::Elephant => occ.elephant(target),
                Kind::Horse => occ.horse_to(target),
                Kind::Chariot => occ.chariot(target),
                Kind::Cannon => occ.cannon(target),
                Kind::General => lookup::GENERAL[target.index()],
            };
            if let Some(sq) = (pieces & from).first() {
                return Some((kind, sq));
            }
        }
        None
    }

    #[inline]
    fn faces_general(&self, sq: Square, side: Side, occ: &Occupancy) -> bool {
        let other = self.general(side);
        sq.file() == other.file() && !lookup::between(sq, other).meets(occ.all)
    }

    /// The only piece between the generals on their common file, if it would leave that file to capture on
    /// `target`.
    #[inline]
    fn keeps_generals_apart(&self, target: Square, occ: &Occupancy) -> Bitboard {
        let (red, black) = (self.general(Side::First), self.general(Side::Second));
        if red.file() != black.file() {
            return Bitboard::EMPTY;
        }
        let between = lookup::between(red, black);
        let standing = between & occ.all;
        if between.has(target) || standing.is_several() { Bitboard::EMPTY } else { standing }
    }
}
