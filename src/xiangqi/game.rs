//! The board as a [`Game`] that alpha-beta can search.

use super::board::Board;
use super::notation::Notation;
use super::repetition::CycleCache;
use super::rules::USUAL_LIMIT;
use super::see;
use super::types::{FILES, Kind, Move, Piece, RANKS, SQUARES, Square};
use crate::game::{AlphaBetaGame, Game, MoveList, Observer, Side, Text, Verdict};

impl Game for Board {
    const NAME: &'static str = "xiangqi";
    type Move = Move;

    fn start() -> Self {
        Self::start_position()
    }

    #[inline(always)]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.state.key
    }

    #[inline]
    fn do_move<O: Observer>(&mut self, mv: Move, obs: &mut O) {
        self.play(mv, obs);
    }

    #[inline]
    fn undo_move(&mut self) {
        self.take_back();
    }
}

impl AlphaBetaGame for Board {
    const SQUARES: usize = SQUARES;
    const PIECES: usize = Piece::COUNT;
    const STALEMATE: Verdict = Verdict::Loss;
    const RULE_PLIES: u16 = USUAL_LIMIT;
    const PLAIN_REPETITION: bool = false;
    type VerdictCache = CycleCache;

    fn legal_moves(&self, out: &mut MoveList<Move>) {
        self.generate_legal(out);
    }

    fn count_legal(&self) -> u64 {
        self.count_legal_moves()
    }

    fn captures(&self, out: &mut MoveList<Move>) {
        self.generate_to(self.by_side[self.side.other().index()], out);
    }

    fn quiets(&self, out: &mut MoveList<Move>) {
        self.generate_to(!self.occ.all, out);
    }

    #[inline]
    fn is_pseudo_legal(&self, mv: Move) -> bool {
        self.can_move(mv)
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        self.leaves_general_safe(mv)
    }

    #[inline(always)]
    fn in_check(&self) -> bool {
        !self.state.checkers.is_empty()
    }

    #[inline]
    fn gives_check(&self, mv: Move) -> bool {
        self.checks(mv)
    }

    #[inline(always)]
    fn is_capture(&self, mv: Move) -> bool {
        self.squares[mv.to().index()].is_some()
    }

    #[inline(always)]
    fn moving_piece(&self, mv: Move) -> usize {
        self.squares[mv.from().index()].index()
    }

    #[inline(always)]
    fn captured_kind(&self, mv: Move) -> Option<usize> {
        self.squares[mv.to().index()].get().map(|(_, kind)| kind.index())
    }

    #[inline(always)]
    fn from_to(&self, mv: Move) -> (usize, usize) {
        (mv.from().index(), mv.to().index())
    }

    #[inline]
    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        self.exchange_gains(mv, threshold)
    }

    #[inline(always)]
    fn piece_value(kind: usize) -> i32 {
        see::value(Kind::ALL[kind])
    }

    fn threats(&self) -> [u64; 2] {
        self.lesser_threats().words()
    }

    #[inline(always)]
    fn likely_key_after(&self, mv: Move) -> u64 {
        self.key_after(mv)
    }

    fn do_null_move(&mut self) {
        self.play_null();
    }

    fn undo_null_move(&mut self) {
        self.take_back();
    }

    #[inline]
    fn has_heavy_material(&self) -> bool {
        let heavy = |kind| self.pieces(self.side, kind);
        !(heavy(Kind::Chariot) | heavy(Kind::Horse) | heavy(Kind::Cannon)).is_empty()
    }

    #[inline]
    fn verdict_recalling(&self, ply: usize, cycles: &mut CycleCache) -> Verdict {
        self.rule_verdict(ply, cycles)
    }

    fn upcoming_repetition(&self, _: usize) -> bool {
        false
    }

    #[inline(always)]
    fn rule_counter(&self) -> u16 {
        self.scaled_rule_counter()
    }

    #[inline(always)]
    fn pawn_key(&self) -> u64 {
        self.state.pawn_key
    }

    #[inline(always)]
    fn non_pawn_key(&self, side: Side) -> u64 {
        self.state.non_pawn_key[side.index()]
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
        for (piece, set) in self.by_piece.into_iter().enumerate() {
            for sq in set {
                each(piece, sq.index());
            }
        }
    }
}

impl Text for Board {
    type Notation = Notation;

    fn from_fen(fen: &str) -> Result<Self, String> {
        Self::parse_fen(fen).map_err(|error| error.to_string())
    }

    fn fen(&self) -> String {
        self.to_fen()
    }

    fn parse_move(&self, text: &str, notation: Notation) -> Result<Move, String> {
        super::notation::read(self, text, notation).map_err(|error| error.to_string())
    }

    fn move_text(&self, mv: Move, notation: Notation) -> String {
        super::notation::coordinates(mv, notation)
    }

    fn diagram(&self) -> String {
        let mut out = String::new();
        for rank in (0..RANKS).rev() {
            out += &format!("{rank} ");
            for file in 0..FILES {
                let piece = Square::at(file, rank).map_or(Piece::NONE, |sq| self.piece_at(sq));
                out.push(' ');
                out.push(piece.letter());
            }
            out.push('\n');
            if rank == 5 {
                out += "   ~ ~ ~ ~ ~ ~ ~ ~ ~\n";
            }
        }
        out + "   a b c d e f g h i\n"
    }
}
