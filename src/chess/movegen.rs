//! Legal moves, generated directly: checks and pins are masks on the target squares, so that no move
//! is made or tested after it is found. <https://www.chessprogramming.org/Move_Generation#Legal>
//!
//! The generator hands out *sets* of targets to a [`Sink`]. A list writes them out as moves, a counter
//! adds their sizes and never sees a move, and perft descends into them: one generator serves all.

use super::attacks;
use super::bitboard::Bitboard;
use super::magic;
use super::position::Position;
use super::types::{Color, Kind, Move, Square, castling_targets};
use crate::game::MoveList;

/// Checks and pins of the side to move.
///
/// Two masks for all pins are enough: a pinned slider on one pin ray can never reach another of the
/// same kind, because the rays of one kind from the king meet only in the king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Masks {
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// Ranks and files from the king to each pinning piece, that piece included.
    pub straight: Bitboard,
    /// Diagonals from the king to each pinning piece, that piece included.
    pub diagonal: Bitboard,
}

/// Takes what the generator finds.
pub trait Sink {
    /// The piece on `from`, no pawn, can go to each of `to`.
    fn piece(&mut self, kind: Kind, from: Square, to: Bitboard);
    /// Pawns can go to each of `to`, each from `step` squares (signed) before it. No promotions, no
    /// double steps.
    fn pawns(&mut self, to: Bitboard, step: i32);
    /// Pawns can make a double step to each of `to`.
    fn double_steps(&mut self, to: Bitboard, step: i32);
    /// Pawns can promote to `kinds` on each of `to`.
    fn promotions(&mut self, to: Bitboard, step: i32, kinds: &'static [Kind]);
    /// A pawn can capture en passant.
    fn en_passant(&mut self, from: Square, to: Square);
    fn castling(&mut self, king: Square, rook: Square);
}

pub trait Want {
    /// Captures, promotions by capture, and quiet promotions to a queen.
    const CAPTURES: bool;
    /// All other moves.
    const QUIETS: bool;
}

pub struct All;
/// Captures, promotions by capture, and quiet promotions to a queen.
pub struct Captures;
/// What [`Captures`] leaves out.
pub struct Quiets;

impl Want for All {
    const CAPTURES: bool = true;
    const QUIETS: bool = true;
}
impl Want for Captures {
    const CAPTURES: bool = true;
    const QUIETS: bool = false;
}
impl Want for Quiets {
    const CAPTURES: bool = false;
    const QUIETS: bool = true;
}

const fn color<const WHITE: bool>() -> Color {
    if WHITE { Color::First } else { Color::Second }
}

/// Square `step` before `to`.
#[inline(always)]
pub(super) const fn origin(to: Square, step: i32) -> Square {
    Square::new((to.index() as i32 - step) as usize)
}

impl Position {
    /// Checks and pins of the side to move.
    #[inline(always)]
    pub fn masks(&self) -> Masks {
        match self.side {
            Color::First => self.masks_of::<true>(),
            Color::Second => self.masks_of::<false>(),
        }
    }

    #[inline(always)]
    pub(super) fn masks_of<const WHITE: bool>(&self) -> Masks {
        let us = color::<WHITE>();
        let them = us.other();
        let king = self.king(us);
        let occupied = self.occupied();
        let mut masks = Masks {
            checkers: attacks::knight(king) & self.pieces(them, Kind::Knight)
                | attacks::pawn(us, king) & self.pieces(them, Kind::Pawn),
            straight: Bitboard::EMPTY,
            diagonal: Bitboard::EMPTY,
        };
        for sniper in attacks::rook_rays(king) & self.straight_sliders(them) {
            let between = attacks::between(king, sniper);
            let blockers = between & occupied;
            if blockers.is_empty() {
                masks.checkers |= sniper.bb();
            } else if !blockers.many() {
                masks.straight |= between | sniper.bb();
            }
        }
        for sniper in attacks::bishop_rays(king) & self.diagonal_sliders(them) {
            let between = attacks::between(king, sniper);
            let blockers = between & occupied;
            if blockers.is_empty() {
                masks.checkers |= sniper.bb();
            } else if !blockers.many() {
                masks.diagonal |= between | sniper.bb();
            }
        }
        masks
    }

    /// Whether the king of the side to move may step to `to`, enemy pawns, knights and king apart.
    #[inline(always)]
    fn safe_from_sliders<const WHITE: bool>(&self, to: Square, without_king: Bitboard) -> bool {
        !self.slider_attacks(to, color::<WHITE>().other(), without_king)
    }

    /// Hands every legal move of the wanted class to `sink`.
    #[inline(always)]
    pub fn generate<W: Want>(&self, masks: &Masks, sink: &mut impl Sink) {
        match self.side {
            Color::First => self.generate_for::<true, W>(masks, sink),
            Color::Second => self.generate_for::<false, W>(masks, sink),
        }
    }

    #[inline(always)]
    pub(super) fn generate_for<const WHITE: bool, W: Want>(&self, masks: &Masks, sink: &mut impl Sink) {
        let us = color::<WHITE>();
        let king = self.king(us);
        self.king_moves::<WHITE, W>(masks, king, sink);
        if masks.checkers.many() {
            return;
        }
        let answers = if masks.checkers.is_empty() {
            if W::QUIETS {
                self.castling_moves::<WHITE>(king, sink);
            }
            Bitboard::ALL
        } else {
            attacks::between(king, masks.checkers.first()) | masks.checkers
        };
        self.pawn_moves::<WHITE, W>(masks, answers, sink);
        self.piece_moves::<WHITE, W>(masks, answers, sink);
    }

    /// The targets of pieces of the wanted class.
    #[inline(always)]
    fn wanted<W: Want>(&self, us: Color) -> Bitboard {
        match (W::CAPTURES, W::QUIETS) {
            (true, true) => !self.color(us),
            (true, false) => self.color(us.other()),
            _ => !self.occupied(),
        }
    }

    #[inline(always)]
    fn king_moves<const WHITE: bool, W: Want>(&self, _: &Masks, king: Square, sink: &mut impl Sink) {
        let us = color::<WHITE>();
        let them = us.other();
        let candidates = attacks::king(king) & self.wanted::<W>(us);
        if candidates.is_empty() {
            return;
        }
        let mut to = candidates
            & !(attacks::pawns(them, self.pieces(them, Kind::Pawn))
                | attacks::knights(self.pieces(them, Kind::Knight))
                | attacks::king(self.king(them)));
        // The king does not shield the squares behind it.
        let without_king = self.occupied() ^ king.bb();
        for square in to {
            if !self.safe_from_sliders::<WHITE>(square, without_king) {
                to ^= square.bb();
            }
        }
        sink.piece(Kind::King, king, to);
    }

    /// Castling (CH-3e) in the general form of Chess960: every square that king or rook crosses or
    /// reaches is free but for the two, and no square the king crosses or reaches is attacked.
    #[inline(always)]
    fn castling_moves<const WHITE: bool>(&self, king: Square, sink: &mut impl Sink) {
        let us = color::<WHITE>();
        for rook in self.castling & self.color(us) {
            if self.may_castle(king, rook) {
                sink.castling(king, rook);
            }
        }
    }

    /// Whether the side to move, not in check, may castle with `rook`, which still has the right to.
    #[inline(always)]
    pub(super) fn may_castle(&self, king: Square, rook: Square) -> bool {
        let them = self.side.other();
        let (king_to, rook_to) = castling_targets(king, rook);
        let kings_way = attacks::between(king, king_to) | king_to.bb();
        let way = kings_way | attacks::between(rook, rook_to) | rook_to.bb();
        let others = self.occupied() ^ king.bb() ^ rook.bb();
        if way.meets(others) {
            return false;
        }
        // Without the rook, which may have shielded the king's last square; on the way it changes
        // nothing, for what it shields there from along the rank would have to pass the king.
        kings_way.into_iter().all(|square| !self.is_attacked(square, them, others | rook_to.bb()))
    }

    #[inline(always)]
    fn pawn_moves<const WHITE: bool, W: Want>(&self, masks: &Masks, answers: Bitboard, sink: &mut impl Sink) {
        let us = color::<WHITE>();
        let (north, east, west): (i32, i32, i32) = if WHITE { (8, 9, 7) } else { (-8, -7, -9) };
        let last = Bitboard::relative_rank(us, 7);
        let empty = !self.occupied();
        let pawns = self.pieces(us, Kind::Pawn);

        let free = pawns & !(masks.straight | masks.diagonal);
        // A pinned pawn advances along the pin's file, or captures along its diagonal.
        let on_file = pawns & masks.straight;
        let single = (free.forward(us) | on_file.forward(us) & masks.straight) & empty;
        let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty & answers;
        let single = single & answers;
        if W::QUIETS {
            sink.pawns(single & !last, north);
            sink.double_steps(double, 2 * north);
        }
        let promoting = single & last;
        if promoting.any() {
            match (W::CAPTURES, W::QUIETS) {
                (true, true) => sink.promotions(promoting, north, &Kind::PROMOTIONS),
                (true, false) => sink.promotions(promoting, north, &[Kind::Queen]),
                _ => sink.promotions(promoting, north, &[Kind::Knight, Kind::Bishop, Kind::Rook]),
            }
        }
        if W::CAPTURES {
            let enemies = self.color(us.other()) & answers;
            let on_diagonal = pawns & masks.diagonal;
            let to_west = free.forward(us).west() | on_diagonal.forward(us).west() & masks.diagonal;
            let to_east = free.forward(us).east() | on_diagonal.forward(us).east() & masks.diagonal;
            let (to_west, to_east) = (to_west & enemies, to_east & enemies);
            sink.pawns(to_west & !last, west);
            sink.pawns(to_east & !last, east);
            if (to_west | to_east).meets(last) {
                sink.promotions(to_west & last, west, &Kind::PROMOTIONS);
                sink.promotions(to_east & last, east, &Kind::PROMOTIONS);
            }
            if self.ep.any() {
                let to = self.ep.first();
                for from in attacks::pawn(us.other(), to) & pawns {
                    if self.ep_is_legal(from, to) {
                        sink.en_passant(from, to);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn piece_moves<const WHITE: bool, W: Want>(
        &self,
        masks: &Masks,
        answers: Bitboard,
        sink: &mut impl Sink,
    ) {
        let us = color::<WHITE>();
        let occupied = self.occupied();
        let targets = self.wanted::<W>(us) & answers;
        let pinned = masks.straight | masks.diagonal;
        let free = self.color(us) & !pinned;
        for from in self.kind(Kind::Knight) & free {
            sink.piece(Kind::Knight, from, attacks::knight(from) & targets);
        }
        for from in self.kind(Kind::Bishop) & free {
            sink.piece(Kind::Bishop, from, magic::bishop(from, occupied) & targets);
        }
        for from in self.kind(Kind::Rook) & free {
            sink.piece(Kind::Rook, from, magic::rook(from, occupied) & targets);
        }
        for from in self.kind(Kind::Queen) & free {
            sink.piece(Kind::Queen, from, magic::queen(from, occupied) & targets);
        }
        // A pinned slider stays on its pin's line; a pinned knight has no move.
        for from in self.diagonal_sliders(us) & masks.diagonal {
            let kind = if self.kind(Kind::Queen).has(from) { Kind::Queen } else { Kind::Bishop };
            sink.piece(kind, from, magic::bishop(from, occupied) & targets & masks.diagonal);
        }
        for from in self.straight_sliders(us) & masks.straight {
            let kind = if self.kind(Kind::Queen).has(from) { Kind::Queen } else { Kind::Rook };
            sink.piece(kind, from, magic::rook(from, occupied) & targets & masks.straight);
        }
    }
}

/// Writes the moves out.
impl Sink for MoveList<Move> {
    #[inline(always)]
    fn piece(&mut self, _: Kind, from: Square, to: Bitboard) {
        for square in to {
            self.push(Move::normal(from, square));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i32) {
        for square in to {
            self.push(Move::normal(origin(square, step), square));
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, to: Bitboard, step: i32) {
        self.pawns(to, step);
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i32, kinds: &'static [Kind]) {
        for square in to {
            for &kind in kinds {
                self.push(Move::promotion(origin(square, step), square, kind));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(Move::en_passant(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.push(Move::castling(king, rook));
    }
}

/// How many moves there are, without writing one.
#[derive(Default)]
pub(super) struct Count(pub u64);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Kind, _: Square, to: Bitboard) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i32) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn double_steps(&mut self, to: Bitboard, _: i32) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i32, kinds: &'static [Kind]) {
        self.0 += u64::from(to.count()) * kinds.len() as u64;
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}
