//! Chess as [`Game`], what alpha-beta needs of it, and as text. What takes more than a few lines stands in
//! the file of its subject, under the same name.
//!
//! `do_move` saves the whole small state and `undo_move` restores it; only the squares are taken back one by
//! one. So nothing is computed in reverse.

use super::bitboard::Bitboard;
use super::board::{Board, NO_PIECE, Saved, State, encode};
use super::draws::RULE_PLIES;
use super::movegen::{All, Captures, Count, Quiets};
use super::notation::Notation;
use super::types::{Kind, Move, MoveType, Piece, Square};
use super::{SEE_VALUES, fen::START_FEN, zobrist};
use crate::game::{AlphaBetaGame, Game, GameId, MoveList, Observer, Side, Text, Verdict, delegate};
use crate::util::message::Message;

impl Game for Board {
    const ID: GameId = GameId::Chess;
    type Move = Move;
    type Moves = MoveList<Move>;

    fn start() -> Self {
        Self::from_fen(START_FEN).unwrap_or_else(|error| unreachable!("starting position: {error}"))
    }

    #[inline(always)]
    fn side_to_move(&self) -> Side {
        self.side()
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.state.key
    }

    fn do_move<O: Observer>(&mut self, mv: Move, obs: &mut O) {
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

    /// Does nothing when there is no move to take back.
    fn undo_move(&mut self) {
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

    #[inline]
    fn legal_moves(&self, out: &mut MoveList<Move>) {
        self.position().generate::<All>(self.masks(), out);
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        let mut count = Count::default();
        self.position().generate::<All>(self.masks(), &mut count);
        count.0
    }

    #[inline]
    fn count_leaves(&mut self, depth: u32) -> u64 {
        self.position().perft(depth)
    }

    fn verdict(&self) -> Verdict {
        self.verdict_in_tree(0, &mut ())
    }

    #[inline(always)]
    fn pack(mv: Move) -> u16 {
        mv.bits()
    }

    #[inline(always)]
    fn unpack(bits: u16) -> Move {
        Move::from_bits(bits)
    }
}

/// A move in progress: squares and keys change together, and the observer is notified.
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

impl AlphaBetaGame for Board {
    const SQUARES: usize = 64;
    const PIECES: usize = 12;
    const STALEMATE: Verdict = Verdict::Draw;
    const RULE_PLIES: u16 = RULE_PLIES;
    const PLAIN_REPETITION: bool = true;
    const LATE_CHECKS: bool = false;
    const IMPROVES_ABOVE_BETA: bool = true;
    type VerdictCache = ();

    delegate! {
        fn is_pseudo_legal(&self, mv: Move) -> bool;
        fn is_legal(&self, mv: Move) -> bool;
        fn gives_check(&self, mv: Move) -> bool;
        fn see_ge(&self, mv: Move, threshold: i32) -> bool;
        fn upcoming_repetition(&self, ply: usize) -> bool;
        fn has_repeated(&self) -> bool;
    }

    /// Legal, not only pseudo-legal.
    #[inline]
    fn captures(&self, out: &mut MoveList<Move>) {
        self.position().generate::<Captures>(self.masks(), out);
    }

    /// Legal, not only pseudo-legal.
    #[inline]
    fn quiets(&self, out: &mut MoveList<Move>) {
        self.position().generate::<Quiets>(self.masks(), out);
    }

    #[inline(always)]
    fn in_check(&self) -> bool {
        self.masks().checkers.any()
    }

    #[inline(always)]
    fn check_test(&self) -> impl Fn(Move) -> bool {
        Self::check_test(self)
    }

    #[inline(always)]
    fn is_capture(&self, mv: Move) -> bool {
        match mv.move_type() {
            MoveType::Normal => self.piece_on(mv.to()).is_some(),
            MoveType::Promotion => mv.promotion_kind() == Kind::Queen || self.piece_on(mv.to()).is_some(),
            MoveType::EnPassant => true,
            MoveType::Castling => false,
        }
    }

    #[inline(always)]
    fn moving_piece(&self, mv: Move) -> usize {
        Piece::new(self.side(), self.mover(mv.from())).index()
    }

    #[inline(always)]
    fn captured_kind(&self, mv: Move) -> Option<usize> {
        match mv.move_type() {
            MoveType::Castling => None,
            MoveType::EnPassant => Some(Kind::Pawn.index()),
            _ => self.piece_on(mv.to()).map(|piece| piece.kind().index()),
        }
    }

    #[inline(always)]
    fn from_to(&self, mv: Move) -> (usize, usize) {
        let to = if mv.move_type() == MoveType::Castling { mv.castling_targets().0 } else { mv.to() };
        (mv.from().index(), to.index())
    }

    #[inline(always)]
    fn piece_value(kind: usize) -> i32 {
        SEE_VALUES[kind]
    }

    fn threats(&self) -> [u64; 2] {
        [self.threatened().0, 0]
    }

    /// Right for all moves but those that castle, promote, change castling rights, make or use an en passant
    /// square.
    #[inline(always)]
    fn likely_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let moved = Piece::new(self.side(), self.mover(from));
        let captured = self.piece_on(to).map_or(0, |piece| zobrist::piece(piece, to));
        let turn = zobrist::SIDE ^ zobrist::en_passant(self.state.pos.ep);
        self.state.key ^ turn ^ zobrist::piece(moved, from) ^ zobrist::piece(moved, to) ^ captured
    }

    fn do_null_move(&mut self) {
        debug_assert!(self.state.masks.checkers.is_empty());
        self.saved.push(Saved { state: self.state, mv: Move::NONE, captured: NO_PIECE });
        self.history.push(self.state.key);
        let state = &mut self.state;
        state.key ^= zobrist::SIDE ^ zobrist::en_passant(state.pos.ep);
        state.pos.ep = Bitboard::EMPTY;
        state.pos.side = state.pos.side.other();
        state.rule50 = state.rule50.saturating_add(1);
        state.since_null = 0;
        state.masks = state.pos.masks();
    }

    fn undo_null_move(&mut self) {
        let Some(saved) = self.saved.pop() else { return };
        debug_assert_eq!(saved.mv, Move::NONE);
        self.history.pop();
        self.state = saved.state;
    }

    #[inline(always)]
    fn has_heavy_material(&self) -> bool {
        self.pieces_to_move().any()
    }

    #[inline(always)]
    fn passing_is_safe(&self) -> bool {
        let (pos, pieces) = (self.position(), self.pieces_to_move());
        pieces.many() || pieces.meets(pos.kind(Kind::Rook) | pos.kind(Kind::Queen))
    }

    #[inline]
    fn verdict_in_tree(&self, ply: usize, (): &mut ()) -> Verdict {
        if self.is_draw(ply) { Verdict::Draw } else { Verdict::Ongoing }
    }

    #[inline(always)]
    fn rule_counter(&self) -> u16 {
        self.rule50()
    }

    #[inline(always)]
    fn plies_left(&self) -> i32 {
        i32::from(RULE_PLIES) - i32::from(self.rule50())
    }

    fn is_dead(&self) -> bool {
        super::rules::is_dead(self.position())
    }

    #[inline(always)]
    fn pawn_key(&self) -> u64 {
        self.state.pawn_key
    }

    #[inline(always)]
    fn non_pawn_key(&self, side: Side) -> u64 {
        self.state.non_pawn_keys[side.index()]
    }

    #[inline(always)]
    fn material_key(&self) -> u64 {
        self.state.material_key
    }

    fn for_each_piece(&self, mut each: impl FnMut(usize, usize)) {
        for square in self.position().occupied() {
            if let Some(piece) = self.piece_on(square) {
                each(piece.index(), square.index());
            }
        }
    }
}

impl Text for Board {
    type Notation = Notation;

    fn from_fen(fen: &str) -> Result<Self, Message> {
        Ok(Self::from_fen(fen)?)
    }

    fn fen(&self) -> String {
        Self::fen(self)
    }

    fn parse_move(&self, text: &str, _: Notation) -> Result<Move, Message> {
        self.move_from_text(text)
    }

    fn move_text(&self, mv: Move, notation: Notation) -> String {
        self.move_to_text(mv, notation)
    }

    fn diagram(&self) -> String {
        self.picture()
    }
}
