//! Chess as the search sees it.

use super::board::Board;
use super::draws::RULE_PLIES;
use super::movegen::{All, Captures, Quiets};
use super::notation::Notation;
use super::types::{Kind, Move, MoveType, Piece};
use super::{SEE_VALUES, fen::START_FEN};
use crate::game::{AlphaBetaGame, Game, MoveList, Observer, Side, Text, Verdict};

impl Game for Board {
    const NAME: &'static str = "chess";
    type Move = Move;

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

    #[inline]
    fn do_move<O: Observer>(&mut self, mv: Move, obs: &mut O) {
        Self::do_move(self, mv, obs);
    }

    #[inline]
    fn undo_move(&mut self) {
        Self::undo_move(self);
    }
}

impl AlphaBetaGame for Board {
    const SQUARES: usize = 64;
    const PIECES: usize = 12;
    const STALEMATE: Verdict = Verdict::Draw;
    const RULE_PLIES: u16 = RULE_PLIES;
    const PLAIN_REPETITION: bool = true;
    type VerdictCache = ();

    #[inline]
    fn legal_moves(&self, out: &mut MoveList<Move>) {
        self.position().generate::<All>(self.masks(), out);
    }

    #[inline]
    fn count_legal(&self) -> u64 {
        self.legal_count()
    }

    #[inline]
    fn count_leaves(&mut self, depth: u32) -> u64 {
        self.position().perft(depth)
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

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        Self::is_pseudo_legal(self, mv)
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        Self::is_legal(self, mv)
    }

    #[inline(always)]
    fn in_check(&self) -> bool {
        self.masks().checkers.any()
    }

    #[inline]
    fn gives_check(&self, mv: Move) -> bool {
        Self::gives_check(self, mv)
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

    #[inline]
    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        Self::see_ge(self, mv, threshold)
    }

    #[inline(always)]
    fn piece_value(kind: usize) -> i32 {
        SEE_VALUES[kind]
    }

    fn threats(&self) -> [u64; 2] {
        [self.threatened().0, 0]
    }

    #[inline(always)]
    fn likely_key_after(&self, mv: Move) -> u64 {
        Self::likely_key_after(self, mv)
    }

    #[inline]
    fn do_null_move(&mut self) {
        Self::do_null_move(self);
    }

    #[inline]
    fn undo_null_move(&mut self) {
        Self::undo_null_move(self);
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
    fn verdict_recalling(&self, ply: usize, (): &mut ()) -> Verdict {
        if self.is_draw(ply) { Verdict::Draw } else { Verdict::Ongoing }
    }

    #[inline]
    fn upcoming_repetition(&self, ply: usize) -> bool {
        Self::upcoming_repetition(self, ply)
    }

    #[inline(always)]
    fn rule_counter(&self) -> u16 {
        self.rule50()
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

    #[inline(always)]
    fn pack(mv: Move) -> u16 {
        mv.bits()
    }

    #[inline(always)]
    fn unpack(bits: u16) -> Move {
        Move::from_bits(bits)
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

    fn from_fen(fen: &str) -> Result<Self, String> {
        Self::from_fen(fen).map_err(|error| error.to_string())
    }

    fn fen(&self) -> String {
        Self::fen(self)
    }

    fn parse_move(&self, text: &str, _: Notation) -> Result<Move, String> {
        self.move_from_text(text)
    }

    fn move_text(&self, mv: Move, notation: Notation) -> String {
        self.move_to_text(mv, notation)
    }

    fn diagram(&self) -> String {
        self.picture()
    }
}
