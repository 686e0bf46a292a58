//! Playouts: a game played to its end by a cheap policy.

use super::board::Board;
use super::types::{BLACK, CELLS, Point, WHITE};
use crate::game::Side;
use crate::util::rng::Rng;

/// Moves after which a playout is stopped, in points of the board: long cycles that simple ko does not
/// forbid would otherwise run forever.
const MOVE_LIMIT: usize = 3;

/// Draws uniformly among the legal moves that do not fill an own eye; passes when there is none.
// A call of its own costs each move of a playout.
#[inline(always)]
pub fn random_move(board: &mut Board, rng: &mut Rng) -> Point {
    let side = board.side_to_move();
    let mut n = board.empty_count();
    while n > 0 {
        let i = rng.below(n);
        let v = board.empty_at(i);
        if board.is_sensible(v, side) {
            return v;
        }
        // Out of the draw: what remains is drawn from uniformly.
        n -= 1;
        board.swap_empties(i, n);
    }
    Point::PASS
}

/// Plays uniformly random moves until both sides pass; returns the number of moves, passes included.
pub fn random_playout(board: &mut Board, rng: &mut Rng) -> usize {
    let limit = MOVE_LIMIT * board.area();
    for moves in 0..limit {
        if board.passes() >= 2 {
            return moves;
        }
        let v = random_move(board, rng);
        board.play(v, &mut ());
    }
    limit
}

/// Black's points less White's on a board that is played out: stones, and empty points whose neighbors are
/// all of one color.
pub fn quick_score(board: &Board) -> i32 {
    let stones = board.stones(BLACK) as i32 - board.stones(WHITE) as i32;
    let eyes = |side: Side| board.empties().filter(|&v| board.pattern(v).is_walled_by(side)).count() as i32;
    stones + eyes(BLACK) - eyes(WHITE)
}

/// Who was first to play on each point, and when: what all-moves-as-first statistics (RAVE) are made of.
#[derive(Clone)]
pub struct AmafRecord {
    /// Twice the ply plus the side, from 2; 0: not played.
    first: [u16; CELLS],
    plies: u16,
}

impl Default for AmafRecord {
    fn default() -> Self {
        Self { first: [0; CELLS], plies: 0 }
    }
}

impl AmafRecord {
    pub fn clear(&mut self) {
        self.first.fill(0);
        self.plies = 0;
    }

    /// Notes a move (a pass only counts as a ply).
    #[inline(always)]
    pub fn note(&mut self, side: Side, mv: Point) {
        self.plies += 1;
        let first = &mut self.first[mv.index()];
        if *first == 0 && mv.is_stone() {
            *first = 2 * self.plies + side as u16;
        }
    }

    /// The side that was first to play on `v`, and at which ply (from 1).
    #[inline(always)]
    pub fn first(&self, v: Point) -> Option<(Side, u16)> {
        let first = self.first[v.index()];
        let side = if first & 1 == 0 { BLACK } else { WHITE };
        (first != 0).then_some((side, first / 2))
    }
}
