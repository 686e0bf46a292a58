//! The cycle to judge (XQ-D1), and a move of it with the position before.

use crate::game::Game;
use crate::xiangqi::types::SQUARES;
use crate::xiangqi::{Board, Move, Square};

/// The cycle to be judged: the half-moves `start..end` of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    /// How often the position has occurred when it is judged.
    pub occurrences: usize,
}

/// The moves between the first and the third occurrence of a position, where one occurs for the third time;
/// else those since the position after the last move occurred before. `keys` are those of the positions
/// before, between and after the moves.
pub(super) fn find(keys: &[u64]) -> Option<Span> {
    let earlier = |end: usize| (0..end).filter(move |&start| keys[start] == keys[end]);
    let third = (0..keys.len()).find(|&end| earlier(end).count() >= 2);
    let end = third.unwrap_or(keys.len().checked_sub(1)?);
    let start = earlier(end).next()?;
    Some(Span { start, end, occurrences: earlier(end).count() + 1 })
}

/// A number that a piece keeps through the cycle, wherever it goes.
pub(super) type PieceId = u8;

/// Follows the pieces through a cycle, in which nothing is captured.
#[derive(Clone)]
pub(super) struct Tracker {
    ids: [PieceId; SQUARES],
}

impl Tracker {
    pub fn new() -> Self {
        let mut ids = [0; SQUARES];
        for (index, id) in ids.iter_mut().enumerate() {
            *id = index as PieceId;
        }
        Self { ids }
    }

    pub fn at(&self, sq: Square) -> PieceId {
        self.ids[sq.index()]
    }

    /// Follows a move; the number of the free point goes back to where the piece came from.
    pub fn follow(&mut self, mv: Move) {
        self.ids.swap(mv.from().index(), mv.to().index());
    }
}

/// A move of the cycle with the position before it.
pub(super) struct CycleMove<'a> {
    /// With the mover to move; nothing but passed turns is left of its history.
    pub board: &'a mut Board,
    pub mv: Move,
    pub ids: &'a Tracker,
}

impl CycleMove<'_> {
    pub fn gives_check(&self) -> bool {
        self.board.gives_check(self.mv)
    }

    /// Asks `question` of the position after the move, with the mover to move again.
    pub fn afterwards<T>(&mut self, question: impl FnOnce(&mut Board) -> T) -> T {
        self.board.do_move(self.mv, &mut ());
        self.board.pass();
        let answer = question(self.board);
        self.board.undo_move();
        self.board.undo_move();
        answer
    }
}

/// Shows the moves of a cycle one after the other until `go_on` has seen enough; returns whether it saw all.
pub(super) fn walk(start: &Board, moves: &[Move], mut go_on: impl FnMut(&mut CycleMove) -> bool) -> bool {
    let mut board = start.clone();
    let mut ids = Tracker::new();
    for &mv in moves {
        if !go_on(&mut CycleMove { board: &mut board, mv, ids: &ids }) {
            return false;
        }
        board.do_move(mv, &mut ());
        ids.follow(mv);
    }
    true
}
