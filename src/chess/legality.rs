//! Questions about single moves: could it be played, is it legal, does it check. A hash table or a
//! killer slot may propose anything, so any 16 bits may be asked about.

use super::attacks;
use super::bitboard::Bitboard;
use super::board::Board;
use super::magic;
use super::types::{Color, Kind, Move, MoveType, Square};

impl Board {
    /// Whether the piece on the move's first square moves that way here, leaving checks and pins aside.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let pos = self.position();
        let (us, them) = (pos.side, pos.side.other());
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else { return false };
        // Each move has one spelling: the promotion bits belong to promotions.
        if mv.move_type() != MoveType::Promotion && mv.promotion_kind() != Kind::Knight {
            return false;
        }
        match mv.move_type() {
            MoveType::Castling => piece.kind() == Kind::King && (pos.castling & pos.color(us)).has(to),
            MoveType::EnPassant => {
                piece.kind() == Kind::Pawn && pos.ep.has(to) && attacks::pawn(us, from).has(to)
            }
            _ if pos.color(us).has(to) => false,
            promotion_or_normal => {
                let promotes = promotion_or_normal == MoveType::Promotion;
                let occupied = pos.occupied();
                match piece.kind() {
                    Kind::Pawn => {
                        let ahead = from.bb().forward(us) & !occupied;
                        let second = (ahead & Bitboard::relative_rank(us, 2)).forward(us) & !occupied;
                        let targets = ahead | second | attacks::pawn(us, from) & pos.color(them);
                        targets.has(to) && promotes == Bitboard::relative_rank(us, 7).has(to)
                    }
                    kind => !promotes && piece_attacks(kind, from, occupied).has(to),
                }
            }
        }
    }

    /// Whether a pseudo-legal move is legal: the own king is not left attacked (CH-4), and castling is
    /// open (CH-3e).
    pub fn is_legal(&self, mv: Move) -> bool {
        let pos = self.position();
        let masks = self.masks();
        let (us, them) = (pos.side, pos.side.other());
        let (from, to) = (mv.from(), mv.to());
        let king = pos.king(us);
        match mv.move_type() {
            MoveType::EnPassant => return pos.ep_is_legal(from, to),
            MoveType::Castling => return masks.checkers.is_empty() && pos.may_castle(from, to),
            _ => {}
        }
        if from == king {
            return !pos.is_attacked(to, them, pos.occupied() ^ from.bb());
        }
        if masks.checkers.many() {
            return false;
        }
        let answers_check = masks.checkers.is_empty()
            || (attacks::between(king, masks.checkers.first()) | masks.checkers).has(to);
        let pinned = (masks.straight | masks.diagonal).has(from);
        answers_check && (!pinned || attacks::line(king, from).has(to))
    }

    pub fn gives_check(&self, mv: Move) -> bool {
        let pos = self.position();
        let (us, them) = (pos.side, pos.side.other());
        let (from, to) = (mv.from(), mv.to());
        let king = pos.king(them);
        let occupied = pos.occupied();
        match mv.move_type() {
            MoveType::Normal => {
                let kind = self.mover(from);
                let direct = match kind {
                    Kind::Pawn => attacks::pawn(them, king).has(to),
                    Kind::Knight => attacks::knight(king).has(to),
                    Kind::King => false,
                    _ => slides(kind, to, king, occupied ^ from.bb()),
                };
                direct || self.uncovers(king, from, to)
            }
            MoveType::Promotion => {
                piece_attacks(mv.promotion_kind(), to, occupied ^ from.bb()).has(king)
                    || self.uncovers(king, from, to)
            }
            MoveType::EnPassant => {
                let after = (occupied ^ from.bb() ^ to.bb().forward(them)) | to.bb();
                attacks::pawn(them, king).has(to) || pos.slider_attacks(king, us, after)
            }
            MoveType::Castling => {
                let (king_to, rook_to) = mv.castling_targets();
                let after = (occupied ^ from.bb() ^ to.bb()) | king_to.bb() | rook_to.bb();
                magic::rook(rook_to, after).has(king)
            }
        }
    }

    /// As [`gives_check`](Self::gives_check), for many moves: the squares that checks come from are looked up
    /// once.
    #[inline]
    pub fn check_test(&self) -> impl Fn(Move) -> bool {
        let pos = self.position();
        let (us, them) = (pos.side, pos.side.other());
        let (king, occupied) = (pos.king(them), pos.occupied());
        let (rook, bishop) = (magic::rook(king, occupied), magic::bishop(king, occupied));
        let origins = [
            attacks::pawn(them, king),
            attacks::knight(king),
            bishop,
            rook,
            rook | bishop,
            Bitboard::default(),
        ];
        let (straight, diagonal) = (pos.straight_sliders(us) & !rook, pos.diagonal_sliders(us) & !bishop);
        let screens = attacks::screens(king, straight, diagonal, occupied);
        move |mv| match mv.move_type() {
            MoveType::Normal => {
                origins[self.mover(mv.from()) as usize].has(mv.to())
                    || screens.has(mv.from()) && !attacks::line(king, mv.from()).has(mv.to())
            }
            _ => self.gives_check(mv),
        }
    }

    /// Whether a piece that goes from `from` to `to` opens a line of the mover's own to the enemy king.
    #[inline]
    fn uncovers(&self, king: Square, from: Square, to: Square) -> bool {
        let line = attacks::line(king, from);
        // Most pieces are on no line with the king, or stay on it.
        if line.is_empty() || line.has(to) {
            return false;
        }
        let pos = self.position();
        let us = pos.side;
        let along = if attacks::rook_rays(king).has(from) {
            pos.straight_sliders(us)
        } else {
            pos.diagonal_sliders(us)
        };
        let snipers = line & along;
        let occupied = (pos.occupied() ^ from.bb()) | to.bb();
        (snipers & !from.bb()).into_iter().any(|sniper| {
            attacks::between(king, sniper).has(from) && !attacks::between(king, sniper).meets(occupied)
        })
    }

    /// Squares where a piece of the side to move is, or would come, under attack: its own pieces that an
    /// enemy piece of lesser value attacks, its undefended ones that any attacks (pawns apart), and all other
    /// squares that an enemy piece attacks.
    pub fn threatened(&self) -> Bitboard {
        let pos = self.position();
        let (us, them) = (pos.side, pos.side.other());
        let [by_pawns, by_minors, by_rooks, by_any] = self.attacks_of(them);
        let own = |kind| pos.pieces(us, kind);
        let attacked = by_any & pos.color(us) & !(own(Kind::Pawn) | own(Kind::King));
        let mut threatened = by_pawns & (own(Kind::Knight) | own(Kind::Bishop))
            | by_minors & own(Kind::Rook)
            | by_rooks & own(Kind::Queen)
            | by_any & !pos.color(us);
        if attacked.meets(!threatened) {
            let [.., defended] = self.attacks_of(us);
            threatened |= attacked & !defended;
        }
        threatened
    }

    /// Squares that the pawns of `color` attack, its pawns and minor pieces, these and its rooks, all its
    /// pieces.
    fn attacks_of(&self, color: Color) -> [Bitboard; 4] {
        let pos = self.position();
        let occupied = pos.occupied();
        let sliding = |kind| {
            let each = |all, square| all | piece_attacks(kind, square, occupied);
            pos.pieces(color, kind).into_iter().fold(Bitboard::EMPTY, each)
        };
        let by_pawns = attacks::pawns(color, pos.pieces(color, Kind::Pawn));
        let by_minors = by_pawns | attacks::knights(pos.pieces(color, Kind::Knight)) | sliding(Kind::Bishop);
        let by_rooks = by_minors | sliding(Kind::Rook);
        [by_pawns, by_minors, by_rooks, by_rooks | sliding(Kind::Queen) | attacks::king(pos.king(color))]
    }
}

/// Squares a piece other than a pawn attacks.
#[inline]
pub(super) fn piece_attacks(kind: Kind, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::Knight => attacks::knight(from),
        Kind::Bishop => magic::bishop(from, occupied),
        Kind::Rook => magic::rook(from, occupied),
        Kind::Queen => magic::queen(from, occupied),
        Kind::King => attacks::king(from),
        Kind::Pawn => Bitboard::EMPTY,
    }
}

/// Whether a slider on `from` attacks `target`: a look at the line between, no magic.
#[inline]
fn slides(kind: Kind, from: Square, target: Square, occupied: Bitboard) -> bool {
    let rays = match kind {
        Kind::Bishop => attacks::bishop_rays(from),
        Kind::Rook => attacks::rook_rays(from),
        _ => attacks::bishop_rays(from) | attacks::rook_rays(from),
    };
    rays.has(target) && !attacks::between(from, target).meets(occupied)
}
