//! Playing moves and taking them back.

use super::board::{Board, SIDE_KEY};
use super::types::{Kind, Move, Piece};
use crate::game::Observer;

impl Board {
    /// Plays a pseudo-legal move that leaves the own general safe.
    #[inline]
    pub(super) fn play<O: Observer>(&mut self, mv: Move, obs: &mut O) {
        debug_assert!(mv.ends().is_some());
        let (from, to) = (mv.from(), mv.to());
        let piece = self.squares[from.index()];
        let captured = self.squares[to.index()];
        debug_assert!(piece.is_some() && piece.side() == self.side);
        self.history.push(self.state);

        self.state.mv = mv;
        self.state.captured = captured;
        self.state.rule_counter = self.state.rule_counter.saturating_add(1);
        self.state.reversible = self.state.reversible.saturating_add(1);
        self.state.key ^= SIDE_KEY;
        if captured.is_some() {
            self.clear(captured, to);
            self.state.toggle_keys(captured, to);
            self.state.take_material(captured);
            self.state.rule_counter = 0;
            self.state.reversible = 0;
            obs.removed(captured.index(), to.index());
        } else if piece.kind() == Kind::Soldier && from.file() == to.file() {
            self.state.reversible = 0;
        }
        self.clear(piece, from);
        self.set(piece, to);
        self.state.toggle_keys(piece, from);
        self.state.toggle_keys(piece, to);
        obs.removed(piece.index(), from.index());
        obs.added(piece.index(), to.index());

        self.side = self.side.other();
        self.state.checkers = self.find_checkers();
    }

    /// Takes back the last move; does nothing at the start of the history.
    #[inline]
    pub(super) fn take_back(&mut self) {
        let Some(before) = self.history.pop() else { return };
        self.side = self.side.other();
        let (mv, captured) = (self.state.mv, self.state.captured);
        self.state = before;
        if mv == Move::NONE {
            return;
        }
        let piece = self.squares[mv.to().index()];
        self.clear(piece, mv.to());
        self.set(piece, mv.from());
        if captured.is_some() {
            self.set(captured, mv.to());
        }
    }

    /// Passes the turn. The side to move must not be in check.
    #[inline]
    pub(super) fn play_null(&mut self) {
        debug_assert!(self.state.checkers.is_empty());
        self.history.push(self.state);
        self.state.mv = Move::NONE;
        self.state.captured = Piece::NONE;
        self.state.rule_counter = self.state.rule_counter.saturating_add(1);
        self.state.reversible = 0;
        self.state.key ^= SIDE_KEY;
        self.side = self.side.other();
    }

    /// Gives the turn to the other side whatever stands in check, to ask what it could do; taken back like a
    /// move.
    pub(super) fn pass(&mut self) {
        self.history.push(self.state);
        self.state.mv = Move::NONE;
        self.state.captured = Piece::NONE;
        self.state.reversible = 0;
        self.state.key ^= SIDE_KEY;
        self.side = self.side.other();
        self.state.checkers = self.find_checkers();
    }
}
