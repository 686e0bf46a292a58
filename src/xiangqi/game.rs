//! Xiangqi as [`Game`], what alpha-beta needs of it, and as text. What takes more than a few lines stands in
//! the file of its subject, under the same name.

use super::board::{Board, SIDE_KEY, State};
use super::fen::START_FEN;
use super::notation::Notation;
use super::repetition::CycleCache;
use super::rules::USUAL_LIMIT;
use super::see;
use super::types::{FILES, Kind, Move, Piece, RANKS, SQUARES, Square};
use crate::game::{AlphaBetaGame, Game, GameId, MoveList, Observer, Side, Text, Verdict, delegate};
use crate::util::message::Message;

impl Game for Board {
    const ID: GameId = GameId::Xiangqi;
    type Move = Move;
    type Moves = MoveList<Move>;

    fn start() -> Self {
        Self::from_fen(START_FEN).unwrap_or_else(|_| unreachable!("the starting position is a valid FEN"))
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
        debug_assert!(mv.ends().is_some());
        let (from, to) = (mv.from(), mv.to());
        let piece = self.squares[from.index()];
        let captured = self.squares[to.index()];
        debug_assert!(piece.is_some() && piece.side() == self.side);
        self.history.push(self.state);

        self.state.mv = mv;
        self.state.captured = captured;
        self.state.rule_counter = self.state.rule_counter.saturating_add(1);
        self.state.reversible = self.state.reversible.saturating_add(1);
        self.state.key ^= SIDE_KEY;
        if captured.is_some() {
            self.clear(captured, to);
            self.state.toggle_keys(captured, to);
            self.state.take_material(captured);
            self.state.rule_counter = 0;
            self.state.reversible = 0;
            obs.removed(captured.index(), to.index());
        } else if piece.kind() == Kind::Soldier && from.file() == to.file() {
            self.state.reversible = 0;
        }
        self.clear(piece, from);
        self.set(piece, to);
        self.state.toggle_keys(piece, from);
        self.state.toggle_keys(piece, to);
        obs.removed(piece.index(), from.index());
        obs.added(piece.index(), to.index());

        self.side = self.side.other();
        self.state.checkers = self.find_checkers();
    }

    /// Does nothing at the start of the history.
    #[inline]
    fn undo_move(&mut self) {
        let Some(before) = self.history.pop() else { return };
        self.side = self.side.other();
        let (mv, captured) = (self.state.mv, self.state.captured);
        self.state = before;
        if mv == Move::NONE {
            return;
        }
        let piece = self.squares[mv.to().index()];
        self.clear(piece, mv.to());
        self.set(piece, mv.from());
        if captured.is_some() {
            self.set(captured, mv.to());
        }
    }

    fn legal_moves(&self, out: &mut MoveList<Move>) {
        self.each_legal_set(|from, targets| targets.for_each(|to| out.push(Move::new(from, to))));
    }

    fn count_legal(&self) -> u64 {
        let mut count = 0;
        self.each_legal_set(|_, targets| count += u64::from(targets.count()));
        count
    }

    fn verdict(&self) -> Verdict {
        self.verdict_in_tree(0, &mut CycleCache::default())
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

impl Board {
    /// Gives the turn to the other side whatever stands in check, to ask what it could do; taken back like a
    /// move.
    pub(super) fn pass(&mut self) {
        self.history.push(self.state);
        self.state.mv = Move::NONE;
        self.state.captured = Piece::NONE;
        self.state.reversible = 0;
        self.state.key ^= SIDE_KEY;
        self.side = self.side.other();
        self.state.checkers = self.find_checkers();
    }
}

impl AlphaBetaGame for Board {
    const SQUARES: usize = SQUARES;
    const PIECES: usize = Piece::COUNT;
    const STALEMATE: Verdict = Verdict::Loss;
    const RULE_PLIES: u16 = USUAL_LIMIT;
    const PLAIN_REPETITION: bool = false;
    const LATE_CHECKS: bool = true;
    const IMPROVES_ABOVE_BETA: bool = false;
    type VerdictCache = CycleCache;

    delegate! {
        fn is_pseudo_legal(&self, mv: Move) -> bool;
        fn is_legal(&self, mv: Move) -> bool;
        fn gives_check(&self, mv: Move) -> bool;
        fn see_ge(&self, mv: Move, threshold: i32) -> bool;
        fn rule_counter(&self) -> u16;
        fn plies_left(&self) -> i32;
        fn is_dead(&self) -> bool;
        fn has_repeated(&self) -> bool;
    }

    fn captures(&self, out: &mut MoveList<Move>) {
        self.generate_to(self.by_side[self.side.other().index()], out);
    }

    fn quiets(&self, out: &mut MoveList<Move>) {
        self.generate_to(!self.occ.all, out);
    }

    #[inline(always)]
    fn in_check(&self) -> bool {
        !self.state.checkers.is_empty()
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

    #[inline(always)]
    fn piece_value(kind: usize) -> i32 {
        see::value(Kind::ALL[kind])
    }

    fn threats(&self) -> [u64; 2] {
        self.threatened().words()
    }

    #[inline(always)]
    fn likely_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let (piece, captured) = (self.squares[from.index()], self.squares[to.index()]);
        let taken = if captured.is_some() { State::key_of(captured, to) } else { 0 };
        self.state.key ^ SIDE_KEY ^ State::key_of(piece, from) ^ State::key_of(piece, to) ^ taken
    }

    #[inline]
    fn do_null_move(&mut self) {
        debug_assert!(self.state.checkers.is_empty());
        self.history.push(self.state);
        self.state.mv = Move::NONE;
        self.state.captured = Piece::NONE;
        self.state.rule_counter = self.state.rule_counter.saturating_add(1);
        self.state.reversible = 0;
        self.state.key ^= SIDE_KEY;
        self.side = self.side.other();
    }

    fn undo_null_move(&mut self) {
        self.undo_move();
    }

    #[inline]
    fn has_heavy_material(&self) -> bool {
        let heavy = |kind| self.pieces(self.side, kind);
        !(heavy(Kind::Chariot) | heavy(Kind::Horse) | heavy(Kind::Cannon)).is_empty()
    }

    #[inline]
    fn verdict_in_tree(&self, ply: usize, cycles: &mut CycleCache) -> Verdict {
        self.verdict_in_tree(ply, cycles)
    }

    fn upcoming_repetition(&self, _: usize) -> bool {
        false
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

    fn from_fen(fen: &str) -> Result<Self, Message> {
        Ok(Self::from_fen(fen)?)
    }

    fn fen(&self) -> String {
        self.fen()
    }

    fn parse_move(&self, text: &str, notation: Notation) -> Result<Move, Message> {
        Ok(super::notation::read(self, text, notation)?)
    }

    fn move_text(&self, mv: Move, notation: Notation) -> String {
        super::notation::coordinates(mv, notation)
    }

    fn diagram(&self) -> String {
        self.diagram_in(Notation::default())
    }

    fn diagram_in(&self, notation: Notation) -> String {
        let mut out = String::new();
        let first = usize::from(notation == Notation::RanksFromOne);
        for rank in (0..RANKS).rev() {
            out += &format!("{:<2}", rank + first);
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
