//! Static exchange evaluation: what a series of captures on one square gains.
//! <https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>

use super::attacks;
use super::bitboard::Bitboard;
use super::board::Board;
use super::magic;
use super::types::{Color, Kind, Move, MoveType, Square};

/// Exchange values by kind, a pawn is 100. The king is never given up, so it has none.
pub const VALUES: [i32; 6] = [100, 320, 330, 500, 980, 0];

impl Board {
    /// Whether the exchange that `mv` begins gains at least `threshold` for the side to move, both sides
    /// capturing with their least valuable piece and stopping when that is better. A pinned piece takes
    /// part only along its pin.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let pos = self.position();
        let (from, to) = (mv.from(), mv.to());
        let mut occupied = pos.occupied() ^ from.bb();
        let (captured, mut next_victim) = match mv.move_type() {
            // Neither king nor rook can be captured at once where nothing stood.
            MoveType::Castling => return threshold <= 0,
            MoveType::Normal => (self.value_on(to), VALUES[self.mover(from).index()]),
            MoveType::EnPassant => {
                occupied ^= to.bb().forward(pos.side.other());
                (VALUES[0], VALUES[0])
            }
            MoveType::Promotion => {
                let promoted = VALUES[mv.promotion_kind().index()];
                (self.value_on(to) + promoted - VALUES[0], promoted)
            }
        };
        // What the side that captured last has above the threshold if the exchange ends now. A side stands
        // well with 0 or more; what is 0 for one is -1 for the other.
        let mut balance = captured - threshold;
        if balance < 0 {
            return false;
        }
        let mut attackers = pos.attackers(to, occupied);
        let (mut side, mut winner) = (pos.side, pos.side);
        // While the loss of the piece that captured last would hurt, the other side goes on capturing.
        while balance < next_victim {
            side = side.other();
            attackers &= occupied;
            let own = attackers & pos.color(side);
            if own.is_empty() {
                break;
            }
            let own = own & !self.pinned_off(side, to, occupied);
            let Some(kind) = Kind::ALL.into_iter().find(|&kind| own.meets(pos.kind(kind))) else { break };
            // The king captures last, and only what is not defended.
            if kind == Kind::King && attackers.meets(pos.color(side.other())) {
                break;
            }
            occupied ^= (own & pos.kind(kind)).first().bb();
            winner = side;
            balance = next_victim - balance - 1;
            next_victim = VALUES[kind.index()];
            // Sliders behind the one that captured join in.
            if matches!(kind, Kind::Pawn | Kind::Bishop | Kind::Queen) {
                attackers |= magic::bishop(to, occupied) & (pos.kind(Kind::Bishop) | pos.kind(Kind::Queen));
            }
            if matches!(kind, Kind::Rook | Kind::Queen) {
                attackers |= magic::rook(to, occupied) & (pos.kind(Kind::Rook) | pos.kind(Kind::Queen));
            }
        }
        winner == pos.side
    }

    /// Pieces of `side` that are pinned to their king by a line that does not lead to `to`.
    #[inline]
    fn pinned_off(&self, side: Color, to: Square, occupied: Bitboard) -> Bitboard {
        let pos = self.position();
        let king = pos.king(side);
        // A piece between king and sniper may capture on `to` if that is between them too: as if a second one
        // stood there.
        let left = occupied & !to.bb();
        let (straight, diagonal) = (pos.straight_sliders(side.other()), pos.diagonal_sliders(side.other()));
        attacks::screens(king, straight & left, diagonal & left, occupied | to.bb())
    }

    #[inline(always)]
    fn value_on(&self, square: Square) -> i32 {
        self.piece_on(square).map_or(0, |piece| VALUES[piece.kind().index()])
    }
}
