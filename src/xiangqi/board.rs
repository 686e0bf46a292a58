//! The position with the history that the rules need.

use super::bitboard::Bitboard;
use super::lookup::Occupancy;
use super::rules::{Limits, NoProgress, RuleSet};
use super::types::{Kind, Move, Piece, SQUARES, Square};
use crate::game::{Game, Side, key};

/// A key for each piece on each point.
static PIECE_KEYS: [[u64; SQUARES]; Piece::COUNT] = key::table(0x7869_616E_6771_6901);
/// Summed once for every piece on the board: the key of the material.
static MATERIAL_KEYS: [[u64; Piece::COUNT]; 1] = key::table(0x7869_616E_6771_6902);
/// Present in the key when Black is to move.
pub(super) const SIDE_KEY: u64 = key::table::<1, 1>(0x7869_616E_6771_6903)[0][0];

/// What a move cannot take back by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct State {
    /// Pieces that give check to the side to move.
    pub checkers: Bitboard,
    pub key: u64,
    pub pawn_key: u64,
    pub non_pawn_key: [u64; 2],
    pub material_key: u64,
    /// The move that led here; [`Move::NONE`] at the start and after a null move.
    pub mv: Move,
    pub captured: Piece,
    /// Plies since the last capture.
    pub rule_counter: u16,
    /// Plies since the last move that cannot be part of a cycle: capture, soldier's step ahead, null move.
    pub reversible: u16,
}

impl State {
    const EMPTY: Self = Self {
        checkers: Bitboard::EMPTY,
        key: 0,
        pawn_key: 0,
        non_pawn_key: [0; 2],
        material_key: 0,
        mv: Move::NONE,
        captured: Piece::NONE,
        rule_counter: 0,
        reversible: 0,
    };

    /// What a piece on a point adds to the key.
    #[inline(always)]
    pub fn key_of(piece: Piece, sq: Square) -> u64 {
        PIECE_KEYS[piece.index()][sq.index()]
    }

    #[inline(always)]
    pub fn toggle_keys(&mut self, piece: Piece, sq: Square) {
        let key = Self::key_of(piece, sq);
        self.key ^= key;
        match piece.kind() {
            Kind::Soldier | Kind::Advisor | Kind::Elephant => self.pawn_key ^= key,
            _ => self.non_pawn_key[piece.side().index()] ^= key,
        }
    }

    #[inline(always)]
    pub fn add_material(&mut self, piece: Piece) {
        self.material_key = self.material_key.wrapping_add(MATERIAL_KEYS[0][piece.index()]);
    }

    #[inline(always)]
    pub fn take_material(&mut self, piece: Piece) {
        self.material_key = self.material_key.wrapping_sub(MATERIAL_KEYS[0][piece.index()]);
    }
}

/// A position, the moves that led to it, and the rules it is judged by.
#[derive(Clone, Debug)]
pub struct Board {
    pub(super) squares: [Piece; SQUARES],
    pub(super) by_piece: [Bitboard; Piece::COUNT],
    pub(super) by_side: [Bitboard; 2],
    pub(super) occ: Occupancy,
    pub(super) side: Side,
    pub(super) state: State,
    pub(super) history: Vec<State>,
    /// Number of the full move at the start of `history`, and who began there.
    pub(super) first_move: (u16, Side),
    pub(super) limits: Limits,
}

impl Board {
    /// No piece anywhere, Red to move: to be filled by [`put`](Self::put) and [`finish`](Self::finish).
    pub(super) fn empty() -> Self {
        Self {
            squares: [Piece::NONE; SQUARES],
            by_piece: [Bitboard::EMPTY; Piece::COUNT],
            by_side: [Bitboard::EMPTY; 2],
            occ: Occupancy::default(),
            side: Side::First,
            state: State::EMPTY,
            history: Vec::with_capacity(128),
            first_move: (1, Side::First),
            limits: Limits::default(),
        }
    }

    pub(super) fn put(&mut self, piece: Piece, sq: Square) {
        debug_assert!(self.squares[sq.index()].is_none());
        self.set(piece, sq);
        self.state.toggle_keys(piece, sq);
        self.state.add_material(piece);
    }

    /// Fixes what depends on the whole position once all pieces stand.
    pub(super) fn finish(&mut self, side: Side) {
        self.side = side;
        self.first_move.1 = side;
        if side == Side::Second {
            self.state.key ^= SIDE_KEY;
        }
        self.state.checkers = self.find_checkers();
    }

    #[inline(always)]
    pub(super) fn set(&mut self, piece: Piece, sq: Square) {
        let bit = Bitboard::of(sq);
        self.squares[sq.index()] = piece;
        self.by_piece[piece.index()] |= bit;
        self.by_side[piece.side().index()] |= bit;
        self.occ.toggle(sq);
    }

    #[inline(always)]
    pub(super) fn clear(&mut self, piece: Piece, sq: Square) {
        let bit = Bitboard::of(sq);
        self.squares[sq.index()] = Piece::NONE;
        self.by_piece[piece.index()] ^= bit;
        self.by_side[piece.side().index()] ^= bit;
        self.occ.toggle(sq);
    }

    #[inline(always)]
    pub fn piece_at(&self, sq: Square) -> Piece {
        self.squares[sq.index()]
    }

    #[inline(always)]
    pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        self.by_piece[Piece::new(side, kind).index()]
    }

    #[inline(always)]
    pub fn of_side(&self, side: Side) -> Bitboard {
        self.by_side[side.index()]
    }

    #[inline(always)]
    pub fn occupancy(&self) -> &Occupancy {
        &self.occ
    }

    #[inline(always)]
    pub fn general(&self, side: Side) -> Square {
        // Both generals stand: the FEN reader insists, and legal moves never capture one.
        Square(self.pieces(side, Kind::General).0.trailing_zeros().min(SQUARES as u32 - 1) as u8)
    }

    /// Pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// Half-moves played since the position was set up.
    pub fn plies_played(&self) -> usize {
        self.history.len()
    }

    /// The moves played since the position was set up; null moves are [`Move::NONE`].
    pub fn moves_played(&self) -> Vec<Move> {
        self.history
            .iter()
            .skip(1)
            .chain(self.history.first().map(|_| &self.state))
            .map(|state| state.mv)
            .collect()
    }

    /// Number of the current full move, as in FEN.
    pub fn full_move(&self) -> u16 {
        let (number, first) = self.first_move;
        let plies = self.history.len() + first.index();
        number.saturating_add((plies / 2).min(u16::MAX as usize) as u16)
    }

    pub fn rule_set(&self) -> RuleSet {
        self.limits.rules
    }

    /// Chooses the rules that judge a repetition.
    pub fn set_rule_set(&mut self, rules: RuleSet) {
        self.limits.rules = rules;
    }

    /// Chooses after how many plies without a capture the game is drawn.
    pub fn set_no_progress(&mut self, limit: NoProgress) {
        self.limits.no_progress = limit;
    }

    /// The same position without its history.
    #[must_use]
    pub fn without_history(&self) -> Self {
        let mut board = Self { history: Vec::with_capacity(64), ..self.shallow() };
        board.first_move = (self.full_move(), self.side);
        board.state.reversible = 0;
        board
    }

    /// The position `plies` half-moves ago, without its history, and the moves since; null moves must not be
    /// among them.
    pub fn cycle(&self, plies: usize) -> (Self, Vec<Move>) {
        let from = self.history.len().saturating_sub(plies);
        let mut board = Self { history: self.history[from..].to_vec(), ..self.shallow() };
        let mut moves = Vec::with_capacity(plies);
        while !board.history.is_empty() {
            moves.push(board.state.mv);
            board.undo_move();
        }
        moves.reverse();
        (board, moves)
    }

    /// Keys of the last `plies` positions before this one, oldest first.
    pub(super) fn recent_keys(&self, plies: usize) -> impl DoubleEndedIterator<Item = u64> {
        let from = self.history.len().saturating_sub(plies);
        self.history[from..].iter().map(|state| state.key)
    }

    fn shallow(&self) -> Self {
        Self { history: Vec::new(), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AlphaBetaGame, Game};
    use crate::util::rng::Rng;

    /// Everything but the history, made anew from the pieces.
    fn from_scratch(board: &Board) -> Board {
        let mut fresh = Board::empty();
        for index in 0..SQUARES {
            let sq = Square::new(index).unwrap();
            if board.piece_at(sq).is_some() {
                fresh.put(board.piece_at(sq), sq);
            }
        }
        fresh.finish(board.side);
        fresh
    }

    fn assert_same_but_history(a: &Board, b: &Board) {
        assert_eq!(a.squares, b.squares);
        assert_eq!(a.by_piece, b.by_piece);
        assert_eq!(a.by_side, b.by_side);
        assert_eq!(a.occ, b.occ);
        assert_eq!(a.state.checkers, b.state.checkers);
        assert_eq!(a.key(), b.key());
        assert_eq!(a.pawn_key(), b.pawn_key());
        assert_eq!(a.material_key(), b.material_key());
        for side in [Side::First, Side::Second] {
            assert_eq!(a.non_pawn_key(side), b.non_pawn_key(side));
        }
    }

    #[test]
    fn whatever_is_kept_up_by_moves_equals_what_is_made_from_scratch() {
        let mut rng = Rng::new(1);
        for _ in 0..40 {
            let mut board = Board::start();
            let mut trail = Vec::new();
            for _ in 0..150 {
                let moves = board.legal();
                if moves.is_empty() {
                    break;
                }
                trail.push(board.clone());
                let mv = rng.pick(&moves);
                let key = board.likely_key_after(mv);
                board.do_move(mv, &mut ());
                assert_eq!(board.key(), key);
                assert_same_but_history(&board, &from_scratch(&board));
            }
            for before in trail.iter().rev() {
                board.undo_move();
                assert_same_but_history(&board, before);
                assert_eq!(board.state, before.state);
                assert_eq!(board.side, before.side);
                assert_eq!(board.history.len(), before.history.len());
            }
        }
    }
}
