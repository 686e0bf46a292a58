//! The board that games are played on: a [`Position`], the piece on each square, Zobrist keys, and the
//! history that repetition and the fifty-move rule need.
//!
//! `do_move` saves the whole small state and `undo_move` restores it; only the squares are taken back one by one. So
//! nothing is computed in reverse.

use super::bitboard::Bitboard;
use super::movegen::Masks;
use super::position::Position;
use super::types::{Color, Kind, Move, MoveType, Piece, Square};
use super::zobrist;
use crate::game::Observer;
use std::fmt;

/// Marks an empty square in [`Board::squares`].
pub const NO_PIECE: u8 = 12;

/// Everything that a move changes but the squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    pub pos: Position,
    pub masks: Masks,
    /// Of pieces, side to move, castling rights and a usable en passant square.
    pub key: u64,
    pub pawn_key: u64,
    /// By color, kings included.
    pub non_pawn_keys: [u64; 2],
    pub material_key: u64,
    /// Plies since the last capture or pawn move.
    pub rule50: u16,
    /// Plies since the last null move: repetitions are not sought beyond it.
    pub since_null: u16,
}

/// What [`Board::undo_move`] needs.
#[derive(Clone, Copy, Debug)]
struct Saved {
    state: State,
    mv: Move,
    captured: u8,
}

/// A chess position with its history. Standard chess and Chess960 are the same to it.
#[derive(Clone)]
pub struct Board {
    pub(super) state: State,
    squares: [u8; 64],
    saved: Vec<Saved>,
    /// Keys of the positions before this one, oldest first, one for each of `saved`.
    pub(super) history: Vec<u64>,
    /// Plies from move 1 to the first position.
    first_ply: u32,
}

/// Moves that a new board has room for without asking for memory.
const USUAL_PLIES: usize = 512;

impl Board {
    /// A board from its position. `ply` counts half-moves since White's first move.
    pub(super) fn new(pos: Position, rule50: u16, ply: u32) -> Self {
        let mut squares = [NO_PIECE; 64];
        for square in pos.occupied() {
            if let Some((color, kind)) = pos.find(square) {
                squares[square.index()] = Piece::new(color, kind).index() as u8;
            }
        }
        let state = State::new(pos, rule50);
        Self {
            state,
            squares,
            saved: Vec::with_capacity(USUAL_PLIES),
            history: Vec::with_capacity(USUAL_PLIES),
            first_ply: ply,
        }
    }

    /// Pieces, side to move, castling rights and en passant square.
    #[inline(always)]
    pub const fn position(&self) -> &Position {
        &self.state.pos
    }

    /// Checks and pins of the side to move.
    #[inline(always)]
    pub const fn masks(&self) -> &Masks {
        &self.state.masks
    }

    /// Whose turn it is.
    #[inline(always)]
    pub const fn side(&self) -> Color {
        self.state.pos.side
    }

    /// What stands on `square`.
    #[inline(always)]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        decode(self.squares[square.index()])
    }

    /// The side to move's knights, bishops, rooks and queens.
    #[inline(always)]
    pub(super) fn pieces_to_move(&self) -> Bitboard {
        let pos = self.position();
        pos.color(pos.side()) & !(pos.kind(Kind::Pawn) | pos.kind(Kind::King))
    }

    /// By square: [`Piece::index`] of what stands there, or [`NO_PIECE`].
    #[inline(always)]
    pub const fn squares(&self) -> &[u8; 64] {
        &self.squares
    }

    /// Kind of the piece on `from`, a pawn if there is none: for moves known to be pseudo-legal.
    #[inline(always)]
    pub(super) const fn mover(&self, from: Square) -> Kind {
        match self.piece_on(from) {
            Some(piece) => piece.kind(),
            None => Kind::Pawn,
        }
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub const fn rule50(&self) -> u16 {
        self.state.rule50
    }

    /// Half-moves since White's first move.
    pub const fn game_ply(&self) -> u32 {
        self.first_ply + self.saved.len() as u32
    }

    /// Moves made on this board since it was set up.
    pub const fn plies_played(&self) -> usize {
        self.saved.len()
    }

    /// Number of the move about to be played, from 1.
    pub const fn move_number(&self) -> u32 {
        self.game_ply() / 2 + 1
    }

    /// The last move made, if any was (null moves apart).
    pub fn last_move(&self) -> Option<Move> {
        self.saved.last().map(|saved| saved.mv).filter(|&mv| mv != Move::NONE)
    }

    /// The key after a move that neither castles, promotes, changes castling rights nor makes or uses an en passant
    /// square; another one after the rest.
    #[inline(always)]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let moved = Piece::new(self.side(), self.mover(from));
        let captured = self.piece_on(to).map_or(0, |piece| zobrist::piece(piece, to));
        let turn = zobrist::SIDE ^ zobrist::en_passant(self.state.pos.ep);
        self.state.key ^ turn ^ zobrist::piece(moved, from) ^ zobrist::piece(moved, to) ^ captured
    }

    /// Makes a legal move and tells `obs` which pieces come and go.
    pub fn do_move<O: Observer>(&mut self, mv: Move, obs: &mut O) {
        let (from, to) = (mv.from(), mv.to());
        let us = self.side();
        let moved = Piece::new(us, self.mover(from));
        debug_assert_eq!(self.piece_on(from), Some(moved), "{mv:?} on {self:?}");

        let captured_on = match mv.move_type() {
            MoveType::Castling => None,
            MoveType::EnPassant => Some(Square::new(to.index() ^ 8)),
            _ => Some(to),
        };
        let captured = captured_on.and_then(|square| self.piece_on(square));
        self.saved.push(Saved { state: self.state, mv, captured: encode(captured) });
        self.history.push(self.state.key);

        let mut change = Change { state: &mut self.state, squares: &mut self.squares, obs };
        change.state.rule50 = change.state.rule50.saturating_add(1);
        change.state.since_null = change.state.since_null.saturating_add(1);
        if let (Some(square), Some(piece)) = (captured_on, captured) {
            change.remove(piece, square);
            change.count(piece, false);
            change.state.rule50 = 0;
        }
        match mv.move_type() {
            MoveType::Castling => {
                let rook = Piece::new(us, Kind::Rook);
                let (king_to, rook_to) = mv.castling_targets();
                change.remove(moved, from);
                change.remove(rook, to);
                change.add(moved, king_to);
                change.add(rook, rook_to);
            }
            MoveType::Promotion => {
                let promoted = Piece::new(us, mv.promotion_kind());
                change.remove(moved, from);
                change.add(promoted, to);
                change.count(moved, false);
                change.count(promoted, true);
                change.state.rule50 = 0;
            }
            _ => {
                change.remove(moved, from);
                change.add(moved, to);
                if moved.kind() == Kind::Pawn {
                    change.state.rule50 = 0;
                }
            }
        }
        self.state.finish_move(mv, moved.kind());
    }

    /// Takes back the last move. Does nothing when there is none.
    pub fn undo_move(&mut self) {
        let Some(Saved { state, mv, captured }) = self.saved.pop() else { return };
        self.history.pop();
        self.state = state;
        let (from, to) = (mv.from().index(), mv.to().index());
        let us = state.pos.side;
        match mv.move_type() {
            MoveType::Normal => {
                self.squares[from] = self.squares[to];
                self.squares[to] = captured;
            }
            MoveType::Promotion => {
                self.squares[from] = encode(Some(Piece::new(us, Kind::Pawn)));
                self.squares[to] = captured;
            }
            MoveType::EnPassant => {
                self.squares[from] = self.squares[to];
                self.squares[to] = NO_PIECE;
                self.squares[to ^ 8] = captured;
            }
            MoveType::Castling => {
                let (king_to, rook_to) = mv.castling_targets();
                self.squares[king_to.index()] = NO_PIECE;
                self.squares[rook_to.index()] = NO_PIECE;
                self.squares[from] = encode(Some(Piece::new(us, Kind::King)));
                self.squares[to] = encode(Some(Piece::new(us, Kind::Rook)));
            }
        }
    }

    /// Passes the turn. The side to move must not be in check.
    pub fn do_null_move(&mut self) {
        debug_assert!(self.state.masks.checkers.is_empty());
        self.saved.push(Saved { state: self.state, mv: Move::NONE, captured: NO_PIECE });
        self.history.push(self.state.key);
        let state = &mut self.state;
        state.key ^= zobrist::SIDE ^ zobrist::en_passant(state.pos.ep);
        state.pos.ep = super::bitboard::Bitboard::EMPTY;
        state.pos.side = state.pos.side.other();
        state.rule50 = state.rule50.saturating_add(1);
        state.since_null = 0;
        state.masks = state.pos.masks();
    }

    /// Takes back [`do_null_move`](Self::do_null_move).
    pub fn undo_null_move(&mut self) {
        let Some(saved) = self.saved.pop() else { return };
        debug_assert_eq!(saved.mv, Move::NONE);
        self.history.pop();
        self.state = saved.state;
    }
}

impl State {
    /// Computes everything from the pieces.
    pub fn new(pos: Position, rule50: u16) -> Self {
        let mut state = Self {
            pos,
            masks: pos.masks(),
            key: zobrist::castling(pos.castling) ^ zobrist::en_passant(pos.ep),
            pawn_key: 0,
            non_pawn_keys: [0; 2],
            material_key: 0,
            rule50,
            since_null: rule50,
        };
        if pos.side == Color::Second {
            state.key ^= zobrist::SIDE;
        }
        for color in [Color::First, Color::Second] {
            for kind in Kind::ALL {
                let piece = Piece::new(color, kind);
                for (number, square) in pos.pieces(color, kind).into_iter().enumerate() {
                    state.toggle(piece, square);
                    state.material_key ^= zobrist::material(piece, number as u32);
                }
            }
        }
        state
    }

    /// A piece comes to or leaves a square: the keys change alike.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let key = zobrist::piece(piece, square);
        self.key ^= key;
        if piece.kind() == Kind::Pawn {
            self.pawn_key ^= key;
        } else {
            self.non_pawn_keys[piece.color().index()] ^= key;
        }
    }

    /// Moves the bitboards and brings what depends on them up to date.
    #[inline(always)]
    fn finish_move(&mut self, mv: Move, kind: Kind) {
        let (castling, ep) = (self.pos.castling, self.pos.ep);
        self.pos.play(mv, kind);
        self.key ^= zobrist::SIDE ^ zobrist::en_passant(ep) ^ zobrist::en_passant(self.pos.ep);
        if castling != self.pos.castling {
            self.key ^= zobrist::castling(castling ^ self.pos.castling);
        }
        self.masks = self.pos.masks();
    }
}

/// A move in progress: squares and keys change together, and the observer hears of it.
struct Change<'a, O> {
    state: &'a mut State,
    squares: &'a mut [u8; 64],
    obs: &'a mut O,
}

impl<O: Observer> Change<'_, O> {
    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.squares[square.index()] = NO_PIECE;
        self.state.toggle(piece, square);
        self.obs.removed(piece.index(), square.index());
    }

    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        self.squares[square.index()] = piece.index() as u8;
        self.state.toggle(piece, square);
        self.obs.added(piece.index(), square.index());
    }

    /// Brings the material key up to date, while the bitboards still show the old count.
    #[inline(always)]
    fn count(&mut self, piece: Piece, more: bool) {
        let before = self.state.pos.pieces(piece.color(), piece.kind()).count();
        self.state.material_key ^= zobrist::material(piece, if more { before } else { before - 1 });
    }
}

#[inline(always)]
const fn decode(code: u8) -> Option<Piece> {
    if code < 6 {
        Some(Piece::new(Color::First, Kind::ALL[code as usize]))
    } else if code < NO_PIECE {
        Some(Piece::new(Color::Second, Kind::ALL[code as usize - 6]))
    } else {
        None
    }
}

#[inline(always)]
const fn encode(piece: Option<Piece>) -> u8 {
    match piece {
        Some(piece) => piece.index() as u8,
        None => NO_PIECE,
    }
}

/// Boards are equal when they show the same position with the same counters; how they came about does
/// not matter.
impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.state.pos == other.state.pos
            && self.state.rule50 == other.state.rule50
            && self.game_ply() == other.game_ply()
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}
