//! Moves: pseudo-legal by kind of target, legal ones, and how many there are.

use super::bitboard::Bitboard;
use super::board::Board;
use super::lookup;
use super::types::{Kind, Move, Square};
use crate::game::MoveList;

/// What makes a pseudo-legal move illegal, found once per position.
struct Guard {
    general: Square,
    /// Points that a piece may not leave unexamined: it may shield the general from a chariot or from the
    /// other general, be one of two screens before a cannon, or hobble a horse.
    shields: Bitboard,
    /// Free points before a cannon without a screen, which no piece may enter.
    hollow: Bitboard,
    /// When in check: points where a move can end that parries, whatever moves. `ALL` otherwise.
    parries: Bitboard,
}

impl Board {
    pub fn has_legal_move(&self) -> bool {
        let mut any = false;
        self.each_legal_set(|_, targets| any |= !targets.is_empty());
        any
    }

    /// Appends all legal moves that give check.
    pub(super) fn checks_into(&self, out: &mut MoveList<Move>) {
        self.each_legal_set(|from, targets| {
            out.extend(targets.map(|to| Move::new(from, to)).filter(|&mv| self.gives_check(mv)));
        });
    }

    /// Appends pseudo-legal moves that end on one of `targets`.
    #[inline]
    pub(super) fn generate_to(&self, targets: Bitboard, out: &mut MoveList<Move>) {
        self.each_piece(|kind, from| {
            let reach = self.reach(self.side, kind, from) & targets;
            reach.for_each(|to| out.push(Move::new(from, to)));
        });
    }

    #[inline(always)]
    fn each_piece(&self, mut each: impl FnMut(Kind, Square)) {
        for kind in Kind::ALL {
            for from in self.pieces(self.side, kind) {
                each(kind, from);
            }
        }
    }

    /// Calls `each(from, targets)` with the legal targets of every piece of the side to move.
    #[inline(always)]
    pub(super) fn each_legal_set(&self, mut each: impl FnMut(Square, Bitboard)) {
        let guard = self.guard();
        let allowed = !self.by_side[self.side.index()];
        let plain = allowed.without(guard.hollow);
        self.each_piece(|kind, from| {
            let mut targets = self.reach(self.side, kind, from);
            if kind == Kind::General {
                targets = (targets & allowed).filter(|&to| self.is_safe_after(from, to, to)).collect();
            } else if guard.shields.has(from) {
                targets = self.examined(from, targets & allowed, guard.general);
            } else {
                targets = targets & plain & guard.parries;
                if !self.state.checkers.is_empty() {
                    targets = self.examined(from, targets, guard.general);
                }
            }
            each(from, targets);
        });
    }

    /// Those of `targets` that leave the general safe.
    fn examined(&self, from: Square, targets: Bitboard, general: Square) -> Bitboard {
        targets.filter(|&to| self.is_safe_after(from, to, general)).collect()
    }

    #[inline(always)]
    fn guard(&self) -> Guard {
        let enemy = self.side.other();
        let general = self.general(self.side);
        let cross = lookup::cross(general);
        let mut guard =
            Guard { general, shields: Bitboard::EMPTY, hollow: Bitboard::EMPTY, parries: Bitboard::ALL };

        let straight = self.pieces(enemy, Kind::Chariot) | self.pieces(enemy, Kind::General);
        for sq in straight & cross {
            let screens = lookup::between(general, sq) & self.occ.all;
            if !screens.is_several() {
                guard.shields |= screens;
            }
        }
        for sq in self.pieces(enemy, Kind::Cannon) & cross {
            let between = lookup::between(general, sq);
            let screens = between & self.occ.all;
            match screens.count() {
                0 => guard.hollow |= between,
                // One screen is check: moving it away parries.
                1 | 2 => guard.shields |= screens,
                _ => {}
            }
        }
        for sq in self.pieces(enemy, Kind::Horse) & lookup::horse_ring(general) {
            guard.shields |= lookup::leg(sq, general) & self.occ.all;
        }
        if !self.state.checkers.is_empty() {
            guard.parries = self.parries(general);
        }
        guard
    }

    /// Points where a piece other than the general can parry check by arriving.
    #[inline(never)]
    fn parries(&self, general: Square) -> Bitboard {
        let mut points = self.state.checkers;
        for checker in self.state.checkers {
            points |= match self.squares[checker.index()].kind() {
                Kind::Horse => lookup::leg(checker, general),
                _ => lookup::between(general, checker),
            };
        }
        points
    }
}
