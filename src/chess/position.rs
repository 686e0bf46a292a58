//! What decides which moves are legal: where the pieces stand, whose turn it is, castling rights and
//! the en passant square. 88 bytes, copied freely; keys and history are in [`Board`](super::Board).

use super::attacks;
use super::bitboard::Bitboard;
use super::magic;
use super::types::{Color, Kind, Move, MoveType, Piece, Square, castling_targets};

/// A position without history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) kinds: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    /// The rooks that may still castle, of both sides. A bit for a rook needs no table to keep: a move
    /// from or to its square clears it, and the king's move clears its home rank.
    pub(super) castling: Bitboard,
    /// The square behind a pawn that has just made a double step, if a legal capture en passant exists.
    pub(super) ep: Bitboard,
    pub(super) side: Color,
}

impl Position {
    /// The empty board with White to move: where a FEN starts from.
    pub(super) const EMPTY: Self = Self {
        kinds: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
        castling: Bitboard::EMPTY,
        ep: Bitboard::EMPTY,
        side: Color::First,
    };

    /// These pieces, White to move, without castling rights.
    pub fn of_pieces(pieces: impl IntoIterator<Item = (Piece, Square)>) -> Self {
        let mut pos = Self::EMPTY;
        for (piece, square) in pieces {
            pos.kinds[piece.kind().index()] |= square.bb();
            pos.colors[piece.color().index()] |= square.bb();
        }
        pos
    }

    #[inline(always)]
    pub const fn side(&self) -> Color {
        self.side
    }

    /// All pieces of a kind, of both sides.
    #[inline(always)]
    pub const fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    #[inline(always)]
    pub const fn pieces(&self, color: Color, kind: Kind) -> Bitboard {
        self.color(color).and(self.kind(kind))
    }

    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        self.colors[0].or(self.colors[1])
    }

    #[inline(always)]
    pub const fn king(&self, color: Color) -> Square {
        self.pieces(color, Kind::King).first()
    }

    /// The rooks that may still castle.
    #[inline(always)]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The en passant square, if a legal capture on it exists.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.ep.any().then(|| self.ep.first())
    }

    #[inline(always)]
    pub const fn straight_sliders(&self, color: Color) -> Bitboard {
        self.kind(Kind::Rook).or(self.kind(Kind::Queen)).and(self.color(color))
    }

    #[inline(always)]
    pub const fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.kind(Kind::Bishop).or(self.kind(Kind::Queen)).and(self.color(color))
    }

    /// The piece on `square`, found by asking every kind. [`Board::piece_on`](super::Board::piece_on)
    /// is faster.
    pub fn find(&self, square: Square) -> Option<(Color, Kind)> {
        let color = if self.colors[0].has(square) { Color::First } else { Color::Second };
        Kind::ALL.into_iter().find(|&kind| self.kind(kind).has(square)).map(|kind| (color, kind))
    }

    /// All pieces of both sides that attack `square` when the occupied squares are `occupied`.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let straight = self.kind(Kind::Rook) | self.kind(Kind::Queen);
        let diagonal = self.kind(Kind::Bishop) | self.kind(Kind::Queen);
        attacks::knight(square) & self.kind(Kind::Knight)
            | attacks::king(square) & self.kind(Kind::King)
            | attacks::pawn(Color::Second, square) & self.pieces(Color::First, Kind::Pawn)
            | attacks::pawn(Color::First, square) & self.pieces(Color::Second, Kind::Pawn)
            | magic::rook(square, occupied) & straight
            | magic::bishop(square, occupied) & diagonal
    }

    /// Whether a bishop, rook or queen of `by` attacks `square` when the occupied squares are `occupied`.
    #[inline(always)]
    pub(super) fn slider_attacks(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        (magic::bishop(square, occupied) & self.diagonal_sliders(by)
            | magic::rook(square, occupied) & self.straight_sliders(by))
        .any()
    }

    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        (attacks::knight(square) & self.pieces(by, Kind::Knight)
            | attacks::pawn(by.other(), square) & self.pieces(by, Kind::Pawn)
            | attacks::king(square) & self.pieces(by, Kind::King))
        .any()
            || self.slider_attacks(square, by, occupied)
    }

    pub fn attacked_squares(&self, by: Color) -> Bitboard {
        let occupied = self.occupied();
        let mut all = attacks::pawns(by, self.pieces(by, Kind::Pawn))
            | attacks::knights(self.pieces(by, Kind::Knight))
            | attacks::king(self.king(by));
        for square in self.diagonal_sliders(by) {
            all |= magic::bishop(square, occupied);
        }
        for square in self.straight_sliders(by) {
            all |= magic::rook(square, occupied);
        }
        all
    }

    /// Whether the side to move may capture en passant from `from` without leaving its king attacked.
    /// Both pawns leave their rank at once, so that this is asked of the board as it will be.
    #[inline(never)]
    pub(super) fn ep_is_legal(&self, from: Square, to: Square) -> bool {
        let (us, them) = (self.side, self.side.other());
        let captured = to.bb().forward(them);
        let occupied = (self.occupied() ^ from.bb() ^ captured) | to.bb();
        !(self.attackers(self.king(us), occupied) & self.color(them) & !captured).any()
    }

    /// Sets the en passant square to `square` if the side to move can legally capture there (CH-8).
    #[inline]
    pub(super) fn set_ep_if_legal(&mut self, square: Square) {
        let capturers = attacks::pawn(self.side.other(), square) & self.pieces(self.side, Kind::Pawn);
        for from in capturers {
            if self.ep_is_legal(from, square) {
                self.ep = square.bb();
                return;
            }
        }
    }

    /// Makes a move of `kind` that is neither castling, en passant, promotion nor a double step.
    #[inline(always)]
    pub(super) fn step(&mut self, kind: Kind, from: Bitboard, to: Bitboard) {
        let (us, them) = (self.side, self.side.other());
        // Whatever stood on either square leaves; no branch on whether something is captured.
        let gone = !(from | to);
        for set in &mut self.kinds {
            *set &= gone;
        }
        self.kinds[kind.index()] |= to;
        self.colors[us.index()] ^= from | to;
        self.colors[them.index()] &= !to;
        self.castling &= gone;
        if matches!(kind, Kind::King) {
            self.castling &= !Bitboard::relative_rank(us, 0);
        }
        self.ep = Bitboard::EMPTY;
        self.side = them;
    }

    #[inline(always)]
    pub(super) fn double_step(&mut self, from: Square, to: Square) {
        let us = self.side;
        let both = from.bb() | to.bb();
        self.kinds[Kind::Pawn.index()] ^= both;
        self.colors[us.index()] ^= both;
        self.ep = Bitboard::EMPTY;
        self.side = us.other();
        let behind = Square::new((from.index() + to.index()) / 2);
        if (attacks::pawn(us, behind) & self.pieces(self.side, Kind::Pawn)).any() {
            self.set_ep_if_legal(behind);
        }
    }

    #[inline(always)]
    pub(super) fn promote(&mut self, from: Square, to: Square, kind: Kind) {
        self.step(kind, from.bb(), to.bb());
    }

    #[inline(always)]
    pub(super) fn capture_en_passant(&mut self, from: Square, to: Square) {
        let them = self.side.other();
        let captured = to.bb().forward(them);
        self.step(Kind::Pawn, from.bb(), to.bb());
        self.kinds[Kind::Pawn.index()] ^= captured;
        self.colors[them.index()] ^= captured;
    }

    #[inline(always)]
    pub(super) fn castle(&mut self, king: Square, rook: Square) {
        let us = self.side;
        let (king_to, rook_to) = castling_targets(king, rook);
        let kings = king.bb() ^ king_to.bb();
        let rooks = rook.bb() ^ rook_to.bb();
        self.kinds[Kind::King.index()] ^= kings;
        self.kinds[Kind::Rook.index()] ^= rooks;
        self.colors[us.index()] ^= kings ^ rooks;
        self.castling &= !Bitboard::relative_rank(us, 0);
        self.ep = Bitboard::EMPTY;
        self.side = us.other();
    }

    /// Makes any legal move; `kind` is that of the piece on its first square.
    #[inline(always)]
    pub(super) fn play(&mut self, mv: Move, kind: Kind) {
        let (from, to) = (mv.from(), mv.to());
        match mv.move_type() {
            MoveType::Normal if matches!(kind, Kind::Pawn) && from.index().abs_diff(to.index()) == 16 => {
                self.double_step(from, to);
            }
            MoveType::Normal => self.step(kind, from.bb(), to.bb()),
            MoveType::Promotion => self.promote(from, to, mv.promotion_kind()),
            MoveType::EnPassant => self.capture_en_passant(from, to),
            MoveType::Castling => self.castle(from, to),
        }
    }
}
