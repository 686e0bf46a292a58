//! A game of Go: a board with all that its past forbids.
//!
//! Superko (GO-6) costs nothing until stones were captured: a move can recreate an earlier position only by
//! putting a stone where one of the same color was captured before (or by suicide), because every earlier
//! position that it could recreate has that stone, and the present one has not. Only such moves are looked
//! up.

use super::board::{Board, SIDE_KEY};
use super::coords;
use super::rules::{KoRule, Rules, Scoring};
use super::types::{BLACK, Color, Move, Point, PointSet, WHITE};
use crate::errors;
use crate::game::{Game, Side};
use crate::util::rng::Rng;
use std::fmt;
use std::sync::Arc;

errors! {
    /// Why a move may not be played.
    #[derive(Copy, Eq)]
    pub enum IllegalMove {
        OffBoard = "not on the board" | "不在棋盘上",
        Occupied = "the point is occupied" | "此处已有棋子",
        /// The move's chain would have no liberty (GO-5).
        Suicide = "suicide" | "禁止自杀",
        /// It recreates the position before the opponent's last move (GO-6).
        Ko = "ko" | "劫，须先在别处下一着",
        /// It recreates an older position (GO-6).
        Superko = "superko" | "全局同形",
    }
}

/// A game up to some move: board, rules, komi, and the history that superko looks at.
///
/// `clone_from` reuses what is allocated and copies only the cells in use: a search can play thousands of
/// lines a second from one root.
pub struct Position {
    pub(super) board: Board,
    rules: Rules,
    komi: f32,
    /// Handicap stones, as far as White is compensated for them.
    handicap: u32,
    /// The board before the first move.
    start: Arc<Board>,
    pub(super) moves: Vec<(Side, Move)>,
    /// Keys of the positions so far with the side to move, the starting position first.
    keys: Vec<u64>,
    /// Where stones of each side were taken off since the start.
    pub(super) captured: [PointSet; 2],
    /// Digest of the positions before the last capture, and of those since.
    pub(super) past: u64,
    pub(super) recent: u64,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self {
            board: self.board.clone(),
            start: Arc::clone(&self.start),
            moves: self.moves.clone(),
            keys: self.keys.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Self) {
        let Self { board, rules, komi, handicap, start, moves, keys, captured, past, recent } = self;
        board.clone_from(&other.board);
        if !Arc::ptr_eq(start, &other.start) {
            *start = Arc::clone(&other.start);
        }
        moves.clone_from(&other.moves);
        keys.clone_from(&other.keys);
        (*rules, *komi, *handicap) = (other.rules, other.komi, other.handicap);
        (*captured, *past, *recent) = (other.captured, other.past, other.recent);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position {{ moves: {:?}, board:\n{} }}", self.moves, self.diagram())
    }
}

impl Position {
    /// An empty board, Black to move, with the komi that is usual for the rules.
    ///
    /// Width and height are in `1..=25`; anything else is cut to that.
    pub fn new(width: usize, height: usize, rules: Rules) -> Self {
        Self::from_board(Board::new(width, height), rules)
    }

    /// A game that begins with the stones of `board` as set-up.
    pub fn from_board(board: Board, rules: Rules) -> Self {
        let mut position = Self {
            start: Arc::new(board.clone()),
            board,
            rules,
            komi: rules.usual_komi(),
            handicap: 0,
            moves: Vec::new(),
            keys: Vec::new(),
            captured: [PointSet::EMPTY; 2],
            past: 0,
            recent: 0,
        };
        position.note_position();
        position
    }

    // ---- state

    /// The stones, and whose turn it is.
    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Changes the rules. What was played stays, even where the new rules forbid it.
    pub const fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    pub const fn komi(&self) -> f32 {
        self.komi
    }

    /// Sets the points given to White. A Chinese 子 is two points: 3¾ 子 are 7.5.
    pub const fn set_komi(&mut self, komi: f32) {
        self.komi = komi;
    }

    /// Handicap stones that White is compensated for under these rules.
    pub const fn handicap(&self) -> u32 {
        self.handicap
    }

    /// Komi and handicap compensation together: what Black must exceed to win, in points.
    pub fn white_bonus(&self) -> f32 {
        self.komi + self.rules.handicap_bonus(self.handicap) as f32
    }

    /// What Black's area must exceed White's by to win, in points. Where territory counts, every stone that
    /// came on the board costs its side a point of its area.
    pub fn area_bonus(&self) -> f32 {
        match self.rules.scoring {
            Scoring::Area => self.white_bonus(),
            Scoring::Territory => self.white_bonus() + self.board.placed_difference() as f32,
        }
    }

    /// The same position without the passes at its end, with all that its past forbids.
    pub fn resumed(&self) -> Self {
        let mut position = self.clone();
        if position.board.passes() > 0 {
            let played = position.moves.iter().rposition(|(_, mv)| mv.is_stone()).map_or(0, |last| last + 1);
            position.moves.truncate(played);
            position.board.resume();
        }
        position
    }

    /// The moves since the start, passes included.
    pub fn moves(&self) -> &[(Side, Move)] {
        &self.moves
    }

    /// The board before the first move: empty but for set-up stones.
    pub fn start_board(&self) -> &Board {
        &self.start
    }

    pub fn set_side_to_move(&mut self, side: Side) {
        if side != self.board.side_to_move() {
            self.board.set_side_to_move(side);
            // The position is the same for positional superko, and another one for situational superko.
            self.note_position();
        }
    }

    // ---- set-up

    /// Replaces the game by a new one with these stones, on a board of the same size, with the same rules and
    /// komi. Chains without liberties are taken off.
    pub fn set_up(&mut self, stones: impl IntoIterator<Item = (Side, Point)>, to_move: Side) {
        let mut board = Board::new(self.board.width(), self.board.height());
        for (side, v) in stones {
            if board.contains(v) && board.is_empty(v) {
                board.set_up(v, side);
            }
        }
        board.set_side_to_move(to_move);
        *self = Self { komi: self.komi, ..Self::from_board(board, self.rules) };
    }

    /// Starts a handicap game: black stones on `points`, White to move, White compensated by the rules
    /// (GO-14).
    pub fn set_handicap(&mut self, points: &[Point]) {
        self.set_up(points.iter().map(|&v| (BLACK, v)), WHITE);
        self.handicap = points.len() as u32;
    }

    /// Says how many of the set-up stones are handicap stones.
    pub const fn set_handicap_count(&mut self, stones: u32) {
        self.handicap = stones;
    }

    // ---- moves

    /// Whether `side` may play `mv`; a pass always may (GO-6).
    /// # Errors
    /// The rule that forbids it.
    pub fn check(&self, side: Side, mv: Move) -> Result<(), IllegalMove> {
        if mv == Point::PASS {
            return Ok(());
        }
        match self.board.color(mv) {
            _ if !self.board.contains(mv) => return Err(IllegalMove::OffBoard),
            Color::Empty => (),
            _ => return Err(IllegalMove::Occupied),
        }
        let suicide = self.board.is_suicide(mv, side);
        if suicide && !self.rules.suicide {
            return Err(IllegalMove::Suicide);
        }
        if self.rules.ko == KoRule::Simple {
            let back = mv == self.board.ko() && side == self.board.side_to_move();
            return if back { Err(IllegalMove::Ko) } else { Ok(()) };
        }
        if !suicide && !self.captured[side.index()].contains(mv) {
            return Ok(());
        }
        match self.repeated(side, mv) {
            None => Ok(()),
            Some(i) if i + 2 == self.keys.len() => Err(IllegalMove::Ko),
            Some(_) => Err(IllegalMove::Superko),
        }
    }

    /// The last earlier position that playing `mv` would recreate, as an index into `keys`.
    fn repeated(&self, side: Side, mv: Move) -> Option<usize> {
        let stones = self.board.stones_key_after(mv, side);
        let (mut a, mut b) = (stones, stones ^ SIDE_KEY);
        if self.rules.ko == KoRule::Situational {
            // The opponent is to move then.
            if side == BLACK {
                a = b;
            }
            b = a;
        }
        self.keys.iter().rposition(|&key| key == a || key == b)
    }

    /// Whether `side` may play on the empty point `v`. Fast where no stone was captured before.
    #[inline]
    pub fn is_legal_for(&self, side: Side, v: Point) -> bool {
        if !self.rules.suicide
            && self.board.pattern(v).has_liberty()
            && !self.captured[side.index()].contains(v)
        {
            return true;
        }
        self.check(side, v).is_ok()
    }

    /// Plays `mv` for `side`, in its turn or not (GTP's set-up plays one color twice).
    /// # Errors
    /// The rule that forbids it; nothing has changed then.
    pub fn play(&mut self, side: Side, mv: Move) -> Result<(), IllegalMove> {
        self.check(side, mv)?;
        self.set_side_to_move(side);
        self.do_move(mv, &mut ());
        Ok(())
    }

    /// Makes a move of a record, which is a fact: one that the rules forbid, but the board allows (ko,
    /// suicide), is made.
    /// # Errors
    /// The point is off the board or occupied.
    pub fn play_recorded(&mut self, side: Side, mv: Move) -> Result<(), IllegalMove> {
        match self.check(side, mv) {
            Err(why @ (IllegalMove::OffBoard | IllegalMove::Occupied)) => Err(why),
            _ => {
                self.set_side_to_move(side);
                self.do_move(mv, &mut ());
                Ok(())
            }
        }
    }

    /// Takes back the last move. `false`: there is none.
    pub fn undo(&mut self) -> bool {
        let n = self.moves.len();
        n > 0 && {
            self.rewind(n - 1);
            true
        }
    }

    /// Goes back to the position after the first `n` moves, by playing them again from the start: a move
    /// takes a tenth of a microsecond, and keeping old boards would make every copy of a position slow.
    pub fn rewind(&mut self, n: usize) {
        let moves = std::mem::take(&mut self.moves);
        let start = Board::clone(&self.start);
        let mut fresh = Self::from_board(start, self.rules);
        (fresh.komi, fresh.handicap) = (self.komi, self.handicap);
        fresh.start = Arc::clone(&self.start);
        for &(side, mv) in moves.iter().take(n) {
            fresh.set_side_to_move(side);
            fresh.do_move(mv, &mut ());
        }
        // Whose turn it was, when the move taken back was not that of the side to move.
        if let Some(&(side, _)) = moves.get(n) {
            fresh.set_side_to_move(side);
        }
        *self = fresh;
    }

    /// All points where `side` may play, row by row from the lower left. Passing is legal too.
    pub fn legal_points(&self, side: Side) -> Vec<Point> {
        self.board.points().filter(|&v| self.board.is_empty(v) && self.is_legal_for(side, v)).collect()
    }

    pub(super) fn note_position(&mut self) {
        let side = if self.board.side_to_move() == WHITE { SIDE_KEY } else { 0 };
        let key = self.board.stones_key() ^ side;
        self.keys.push(key);
        self.recent = self.recent.wrapping_add(Rng::new(key).next_u64());
    }

    /// The board as characters, for people: `X` Black, `O` White, GTP coordinates around it.
    pub fn diagram(&self) -> String {
        let board = &self.board;
        let columns: String = (0..board.width()).map(|col| format!(" {}", coords::column(col))).collect();
        let mut out = format!("   {columns}\n");
        for row in (0..board.height()).rev() {
            let cells: String = (0..board.width())
                .map(|col| match board.color(Point::new(col, row)) {
                    Color::Black => " X",
                    Color::White => " O",
                    _ => " .",
                })
                .collect();
            out += &format!("{:>2} {cells} {}\n", row + 1, row + 1);
        }
        out + &format!("   {columns}\n")
    }
}
