//! Go as [`Game`] and what Monte-Carlo tree search needs of it.

use super::position::Position;
use super::rules::Rules;
use super::score;
use super::types::{Move, Point, PointSet};
use crate::game::{Game, GameId, Observer, Side, TreeGame, Verdict};
use crate::util::rng::Rng;

impl Game for Position {
    const ID: GameId = GameId::Go;
    type Move = Move;
    type Moves = Vec<Move>;

    /// An empty 19x19 board with Chinese rules.
    fn start() -> Self {
        Self::new(19, 19, Rules::CHINESE)
    }

    fn side_to_move(&self) -> Side {
        self.board.side_to_move()
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    /// Pieces are sides, squares padded indices.
    #[inline]
    fn do_move<O: Observer>(&mut self, mv: Move, obs: &mut O) {
        self.moves.push((self.board.side_to_move(), mv));
        let mut captures = Captures { captured: &mut self.captured, any: false, obs };
        self.board.play(mv, &mut captures);
        if captures.any {
            self.past = self.past.wrapping_add(self.recent);
            self.recent = 0;
        }
        self.note_position();
    }

    fn undo_move(&mut self) {
        self.undo();
    }

    fn legal_moves(&self, out: &mut Vec<Move>) {
        out.extend(self.legal_points(self.side_to_move()));
        out.push(Point::PASS);
    }

    /// After two passes the score by the rules, with every stone alive.
    fn verdict(&self) -> Verdict {
        if !self.is_over() {
            return Verdict::Ongoing;
        }
        match score::margin(self, &PointSet::EMPTY).winner() {
            None => Verdict::Draw,
            Some(side) if side == self.side_to_move() => Verdict::Win,
            Some(_) => Verdict::Loss,
        }
    }

    fn pack(mv: Move) -> u16 {
        mv.bits()
    }

    fn unpack(bits: u16) -> Move {
        Point::from_index(usize::from(bits))
    }
}

impl TreeGame for Position {
    /// Legal moves that do not fill an own eye, and the pass, which comes last.
    fn candidate_moves(&self, out: &mut Vec<Move>) {
        let side = self.board.side_to_move();
        out.clear();
        if self.is_over() {
            return;
        }
        let good = |&v: &Point| !self.board.is_eye_like(v, side) && self.is_legal_for(side, v);
        out.extend(self.board.empties().filter(good));
        out.push(Point::PASS);
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.check(self.board.side_to_move(), mv).is_ok()
    }

    fn is_over(&self) -> bool {
        self.board.passes() >= 2
    }

    /// Distinguishes positions that forbid different moves. Only positions before the last capture can be
    /// recreated by one move: later only stones were added, so the point of a move that is possible now was
    /// empty in all later positions.
    fn graph_key(&self) -> u64 {
        let passes = u64::from(self.board.passes().min(2)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.board.key() ^ passes ^ Rng::new(self.past).next_u64()
    }

    fn move_space(&self) -> usize {
        self.board.cells()
    }
}

/// Notes where stones are taken off, and passes everything on.
struct Captures<'a, O> {
    captured: &'a mut [PointSet; 2],
    any: bool,
    obs: &'a mut O,
}

impl<O: Observer> Observer for Captures<'_, O> {
    #[inline(always)]
    fn added(&mut self, piece: usize, square: usize) {
        self.obs.added(piece, square);
    }
    #[inline(always)]
    fn removed(&mut self, piece: usize, square: usize) {
        self.captured[piece & 1].insert(Point::from_index(square));
        self.any = true;
        self.obs.removed(piece, square);
    }
}
