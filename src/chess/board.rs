//! The board that games are played on: a [`Position`], the piece on each square, Zobrist keys, and the
//! history that repetition and the fifty-move rule need.

use super::bitboard::Bitboard;
use super::fifty::FiftyMoves;
use super::movegen::Masks;
use super::position::Position;
use super::types::{Color, Kind, Move, Piece, Square};
use super::zobrist;
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

/// What taking back a move needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saved {
    pub state: State,
    pub mv: Move,
    pub captured: u8,
}

/// A chess position with its history. Standard chess and Chess960 are the same to it.
#[derive(Clone)]
pub struct Board {
    pub(super) state: State,
    pub(super) squares: [u8; 64],
    pub(super) saved: Vec<Saved>,
    /// Keys of the positions before this one, oldest first, one for each of `saved`.
    pub(super) history: Vec<u64>,
    /// Plies from move 1 to the first position.
    first_ply: u32,
    /// The en passant square of the first position where pawns stand beside each other, even if no capture is
    /// legal: opening books hash it.
    pub(super) first_passed: Option<Square>,
    /// What was announced for claims; the search keeps to fifty moves.
    fifty_moves: FiftyMoves,
}

impl Board {
    pub fn set_fifty_moves(&mut self, rule: FiftyMoves) {
        self.fifty_moves = rule;
    }

    /// Plies without a capture or a pawn move after which a draw may be claimed (CH-9).
    pub fn claim_plies(&self) -> u16 {
        self.fifty_moves.plies(self.position())
    }

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
            saved: Vec::new(),
            history: Vec::new(),
            first_ply: ply,
            first_passed: None,
            fifty_moves: FiftyMoves::default(),
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

    #[inline(always)]
    pub const fn side(&self) -> Color {
        self.state.pos.side
    }

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
    pub fn toggle(&mut self, piece: Piece, square: Square) {
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
    pub fn finish_move(&mut self, mv: Move, kind: Kind) {
        let (castling, ep) = (self.pos.castling, self.pos.ep);
        self.pos.play(mv, kind);
        self.key ^= zobrist::SIDE ^ zobrist::en_passant(ep) ^ zobrist::en_passant(self.pos.ep);
        if castling != self.pos.castling {
            self.key ^= zobrist::castling(castling ^ self.pos.castling);
        }
        self.masks = self.pos.masks();
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
pub(super) const fn encode(piece: Option<Piece>) -> u8 {
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
