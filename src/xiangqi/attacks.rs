//! Who attacks what: checks, legality, moves that give check.

use super::bitboard::Bitboard;
use super::board::Board;
use super::lookup::{self, Occupancy};
use super::types::{Kind, Move, Square};
use crate::game::Side;

/// The pieces of one side that can attack the other side's general.
#[derive(Clone, Copy)]
pub(super) struct Checkers {
    /// Chariots, and the general: facing the other general it attacks along the file like a chariot.
    chariots: Bitboard,
    cannons: Bitboard,
    horses: Bitboard,
    soldiers: Bitboard,
}

impl Checkers {
    /// Those that attack the point `sq` of the other side's palace.
    #[inline(always)]
    fn on(&self, sq: Square, side: Side, occ: &Occupancy) -> Bitboard {
        let mut out = lookup::soldier_to(side, sq) & self.soldiers;
        let cross = lookup::cross(sq);
        if cross.meets(self.chariots) {
            out |= occ.chariot(sq) & self.chariots;
        }
        if cross.meets(self.cannons) {
            out |= occ.cannon(sq) & self.cannons;
        }
        if lookup::horse_ring(sq).meets(self.horses) {
            out |= occ.horse_to(sq) & self.horses;
        }
        out
    }

    /// Without the piece on a point, if there is one.
    #[inline(always)]
    fn without(self, gone: Bitboard) -> Self {
        Self {
            chariots: self.chariots.without(gone),
            cannons: self.cannons.without(gone),
            horses: self.horses.without(gone),
            soldiers: self.soldiers.without(gone),
        }
    }
}

impl Board {
    #[inline(always)]
    fn checkers_of(&self, side: Side) -> Checkers {
        Checkers {
            chariots: self.pieces(side, Kind::Chariot) | self.pieces(side, Kind::General),
            cannons: self.pieces(side, Kind::Cannon),
            horses: self.pieces(side, Kind::Horse),
            soldiers: self.pieces(side, Kind::Soldier),
        }
    }

    /// Pieces that give check to the side to move.
    #[inline]
    pub(super) fn find_checkers(&self) -> Bitboard {
        let enemy = self.side.other();
        self.checkers_of(enemy).on(self.general(self.side), enemy, &self.occ)
    }

    /// Pieces of the side to move that could capture the other general: none in a position that a game can
    /// reach.
    pub(super) fn opponent_checkers(&self) -> Bitboard {
        self.checkers_of(self.side).on(self.general(self.side.other()), self.side, &self.occ)
    }

    /// Pieces of `side` that could capture on `sq`, were an enemy there, with the occupancy `occ`; pins
    /// are not looked at. A general attacks its neighbors only.
    pub fn attackers(&self, sq: Square, side: Side, occ: &Occupancy) -> Bitboard {
        let of = |kind| self.pieces(side, kind);
        let mut out = lookup::soldier_to(side, sq) & of(Kind::Soldier);
        out |= lookup::ADVISOR[sq.index()] & of(Kind::Advisor);
        out |= lookup::GENERAL[sq.index()] & of(Kind::General);
        out |= occ.elephant(sq) & of(Kind::Elephant);
        out |= occ.horse_to(sq) & of(Kind::Horse);
        out |= occ.chariot(sq) & of(Kind::Chariot);
        out |= occ.cannon(sq) & of(Kind::Cannon);
        out & occ.all
    }

    /// Points that the piece of `kind` and `side` on `sq` attacks or can move to, own pieces included: for a
    /// cannon those it can capture on and those it can move to.
    #[inline(always)]
    pub(super) fn reach(&self, side: Side, kind: Kind, sq: Square) -> Bitboard {
        match kind {
            Kind::General => lookup::GENERAL[sq.index()],
            Kind::Advisor => lookup::ADVISOR[sq.index()],
            Kind::Elephant => self.occ.elephant(sq),
            Kind::Horse => self.occ.horse(sq),
            Kind::Chariot => self.occ.chariot(sq),
            Kind::Cannon => self.occ.chariot(sq).without(self.occ.all) | self.occ.cannon(sq),
            Kind::Soldier => lookup::soldier(side, sq),
        }
    }

    /// Whether a move of the side to move is one its piece can make, own general's safety aside.
    #[inline]
    pub(super) fn is_pseudo_legal(&self, mv: Move) -> bool {
        let Some((from, to)) = mv.ends() else { return false };
        match self.squares[from.index()].get() {
            Some((side, kind)) if side == self.side => {
                !self.by_side[side.index()].has(to) && self.reach(side, kind, from).has(to)
            }
            _ => false,
        }
    }

    /// Whether a pseudo-legal move leaves the own general safe.
    #[inline]
    pub(super) fn is_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let general = self.general(self.side);
        if self.state.checkers.is_empty() && from != general {
            // Only leaving a line or a leg, or stepping in as a cannon's screen, can open the general.
            let lines = lookup::cross(general);
            if !(lines | lookup::legs(general)).has(from) && !lines.has(to) {
                return true;
            }
        }
        self.is_safe_after(from, to, if from == general { to } else { general })
    }

    /// Whether the own general, on `general`, is safe once a piece went from `from` to `to`.
    #[inline]
    pub(super) fn is_safe_after(&self, from: Square, to: Square, general: Square) -> bool {
        self.attackers_after(from, to, general).is_empty()
    }

    /// Enemy pieces that would attack the own general once a piece of the side to move went from `from` to
    /// `to`.
    pub(super) fn general_attackers_after(&self, from: Square, to: Square) -> Bitboard {
        let general = self.general(self.side);
        self.attackers_after(from, to, if from == general { to } else { general })
    }

    #[inline(always)]
    fn attackers_after(&self, from: Square, to: Square, general: Square) -> Bitboard {
        let enemy = self.side.other();
        let enemies = self.checkers_of(enemy).without(Bitboard::of(to));
        enemies.on(general, enemy, &self.occ.after(from, to))
    }

    #[inline]
    pub(super) fn gives_check(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let target = self.general(self.side.other());
        let kind = self.squares[from.index()].kind();
        let lines = lookup::cross(target);
        let opens = (lines | lookup::legs(target)).has(from) || lines.has(to);
        if !opens && !(kind == Kind::Horse && lookup::horse_ring(target).has(to)) {
            return false;
        }
        let mut own = self.checkers_of(self.side).without(Bitboard::of(from));
        match kind {
            Kind::General | Kind::Chariot => own.chariots |= Bitboard::of(to),
            Kind::Cannon => own.cannons |= Bitboard::of(to),
            Kind::Horse => own.horses |= Bitboard::of(to),
            Kind::Soldier => own.soldiers |= Bitboard::of(to),
            Kind::Advisor | Kind::Elephant => {}
        }
        !own.on(target, self.side, &self.occ.after(from, to)).is_empty()
    }

    /// Points where the side to move loses something to a lesser piece: its own pieces that such a piece
    /// attacks, and free points that a soldier, horse or cannon of the enemy attacks.
    #[inline]
    pub(super) fn threatened(&self) -> Bitboard {
        let (side, enemy) = (self.side, self.side.other());
        let own = |kind| self.pieces(side, kind);
        let mut light = Bitboard::EMPTY;
        for sq in self.pieces(enemy, Kind::Soldier) {
            light |= lookup::soldier(enemy, sq);
        }
        let mut guards = Bitboard::EMPTY;
        for sq in self.pieces(enemy, Kind::Advisor) {
            guards |= lookup::ADVISOR[sq.index()];
        }
        for sq in self.pieces(enemy, Kind::Elephant) {
            guards |= self.occ.elephant(sq);
        }
        let mut middle = Bitboard::EMPTY;
        for sq in self.pieces(enemy, Kind::Horse) {
            middle |= self.occ.horse(sq);
        }
        let mut over = Bitboard::EMPTY;
        for sq in self.pieces(enemy, Kind::Cannon) {
            over |= self.occ.cannon(sq);
        }
        let chariots = own(Kind::Chariot);
        let heavy = chariots | own(Kind::Horse) | own(Kind::Cannon);
        let guarded = heavy | own(Kind::Advisor) | own(Kind::Elephant);
        light & guarded | guards & heavy | (middle | over) & chariots | (light | middle).without(self.occ.all)
    }
}
