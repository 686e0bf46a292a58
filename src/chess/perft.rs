//! Perft at full speed: copies of the bare [`Position`], no keys, no move lists, and a last ply that
//! is counted as sets of targets. <https://www.chessprogramming.org/Perft#Bulk-counting>
//!
//! [`crate::game::perft::walk`] walks the same tree through `do_move` and `undo_move`; tests compare both.

use super::bitboard::Bitboard;
use super::movegen::{All, Count, Sink, origin};
use super::position::Position;
use super::types::{Kind, Square};

impl Position {
    /// Leaves of the tree of legal moves `depth` plies deep.
    pub fn perft(&self, depth: u32) -> u64 {
        match (depth, self.side) {
            (0, _) => 1,
            (_, super::types::Color::First) => count::<true>(self, depth),
            (_, super::types::Color::Second) => count::<false>(self, depth),
        }
    }
}

fn count<const WHITE: bool>(pos: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return leaves::<WHITE>(pos);
    }
    let masks = pos.masks_of::<WHITE>();
    let mut descent = Descent::<WHITE> { pos, depth: depth - 1, nodes: 0 };
    pos.generate_for::<WHITE, All>(&masks, &mut descent);
    descent.nodes
}

/// How many legal moves there are.
fn leaves<const WHITE: bool>(pos: &Position) -> u64 {
    let masks = pos.masks_of::<WHITE>();
    let mut moves = Count::default();
    pos.generate_for::<WHITE, All>(&masks, &mut moves);
    moves.0
}

/// Plays each move on a copy and counts below it. `WHITE` is to move in `pos`.
struct Descent<'a, const WHITE: bool> {
    pos: &'a Position,
    depth: u32,
    nodes: u64,
}

impl<const WHITE: bool> Descent<'_, WHITE> {
    #[inline(always)]
    fn after(&mut self, play: impl FnOnce(&mut Position)) {
        let mut next = *self.pos;
        play(&mut next);
        self.nodes +=
            if WHITE { count::<false>(&next, self.depth) } else { count::<true>(&next, self.depth) };
    }
}

impl<const WHITE: bool> Sink for Descent<'_, WHITE> {
    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: Square, to: Bitboard) {
        for square in to {
            self.after(|next| next.step(kind, from.bb(), square.bb()));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i32) {
        for square in to {
            self.after(|next| next.step(Kind::Pawn, origin(square, step).bb(), square.bb()));
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, to: Bitboard, step: i32) {
        for square in to {
            self.after(|next| next.double_step(origin(square, step), square));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i32, kinds: &'static [Kind]) {
        for square in to {
            for &kind in kinds {
                self.after(|next| next.promote(origin(square, step), square, kind));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.after(|next| next.capture_en_passant(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.after(|next| next.castle(king, rook));
    }
}
