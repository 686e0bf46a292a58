//! A game small enough to know the truth: m,n,k, stones in a row on a small board.

use super::super::TreeGame;
use crate::game::{Game, GameId, Observer, Side, Verdict};
use crate::util::rng::Rng;

/// Four in a row on a 5x5 board, or three in a row on 3x3. A full board is a draw.
#[derive(Clone)]
pub(super) struct Rows {
    pub width: usize,
    goal: usize,
    pub cells: [u8; 25],
    pub moves: Vec<u8>,
}

impl Rows {
    pub fn new(width: usize, goal: usize, moves: &[u8]) -> Self {
        let mut pos = Self { width, goal, cells: [0; 25], moves: Vec::new() };
        for &mv in moves {
            pos.do_move(mv, &mut ());
        }
        pos
    }

    fn at(&self, x: i32, y: i32) -> u8 {
        let inside = (0..self.width as i32).contains(&x) && (0..self.width as i32).contains(&y);
        if inside { self.cells[y as usize * self.width + x as usize] } else { 3 }
    }

    pub fn winner(&self) -> Option<Side> {
        let last = i32::from(*self.moves.last()?);
        let (x, y) = (last % self.width as i32, last / self.width as i32);
        let own = self.at(x, y);
        let run = |dx: i32, dy: i32| (1..).take_while(|i| self.at(x + i * dx, y + i * dy) == own).count();
        let lines = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let won = lines.iter().any(|&(dx, dy)| run(dx, dy) + run(-dx, -dy) + 1 >= self.goal);
        won.then(|| self.side_to_move().other())
    }
}

impl Game for Rows {
    const ID: GameId = GameId::Go;
    const NAME: &'static str = "rows";
    type Move = u8;
    type Moves = Vec<u8>;
    fn start() -> Self {
        Self::new(3, 3, &[])
    }
    fn side_to_move(&self) -> Side {
        if self.moves.len().is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn key(&self) -> u64 {
        let cells = self.cells.iter().enumerate().filter(|&(_, &c)| c != 0);
        let stones = cells.map(|(i, &c)| Rng::new(64 * i as u64 + u64::from(c)).next_u64());
        stones.fold(self.moves.len() as u64 % 2, |key, stone| key ^ stone)
    }
    fn do_move<O: Observer>(&mut self, mv: u8, _: &mut O) {
        self.cells[usize::from(mv)] = 1 + self.side_to_move() as u8;
        self.moves.push(mv);
    }
    fn undo_move(&mut self) {
        if let Some(mv) = self.moves.pop() {
            self.cells[usize::from(mv)] = 0;
        }
    }
    fn legal_moves(&self, out: &mut Vec<u8>) {
        self.candidate_moves(out);
    }
    fn verdict(&self) -> Verdict {
        match self.winner() {
            Some(_) => Verdict::Loss,
            None if self.is_over() => Verdict::Draw,
            None => Verdict::Ongoing,
        }
    }
    fn pack(mv: u8) -> u16 {
        mv.into()
    }
    fn unpack(bits: u16) -> u8 {
        bits as u8
    }
}

impl TreeGame for Rows {
    fn candidate_moves(&self, out: &mut Vec<u8>) {
        out.clear();
        if !self.is_over() {
            out.extend((0..(self.width * self.width) as u8).filter(|&i| self.cells[usize::from(i)] == 0));
        }
    }
    fn is_legal(&self, mv: u8) -> bool {
        self.cells[usize::from(mv)] == 0
    }
    fn is_over(&self) -> bool {
        self.moves.len() == self.width * self.width || self.winner().is_some()
    }
    fn graph_key(&self) -> u64 {
        self.key()
    }
    fn move_space(&self) -> usize {
        25
    }
}
