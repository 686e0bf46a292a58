//! A board of Go as slow and plain as it can be: lists of cells, flood fill, every earlier position kept
//! whole.

use sanqi::game::Side;
use sanqi::go::rules::KoRule;
use sanqi::go::{Board, Point, Position, Rules};
use std::collections::HashSet;

/// The rules, as slowly and plainly as they can be written. Cells: 0 empty, 1 Black, 2 White.
#[derive(Clone)]
pub struct Naive {
    width: usize,
    height: usize,
    /// Row by row.
    pub cells: Vec<u8>,
    /// Every position so far, with the side that was to move.
    past: HashSet<(Vec<u8>, u8)>,
    /// The cells before the last move.
    before_last: Option<Vec<u8>>,
    /// What each move so far has changed, to take the moves back.
    changes: Vec<Change>,
}

/// What a move has changed.
#[derive(Clone)]
struct Change {
    /// Whose move it was.
    color: u8,
    /// [`Naive::before_last`] before the move.
    before_last: Option<Vec<u8>>,
    /// Whether the position after it had not been there before.
    is_new: bool,
}

impl Naive {
    /// An empty board.
    pub fn new(width: usize, height: usize) -> Self {
        let cells = vec![0; width * height];
        let past = HashSet::from([(cells.clone(), 1)]);
        Self { width, height, past, before_last: None, changes: Vec::new(), cells }
    }

    fn neighbors(&self, at: usize) -> Vec<usize> {
        let (col, row) = (at % self.width, at / self.width);
        let mut out = Vec::new();
        if col > 0 {
            out.push(at - 1);
        }
        if col + 1 < self.width {
            out.push(at + 1);
        }
        if row > 0 {
            out.push(at - self.width);
        }
        if row + 1 < self.height {
            out.push(at + self.width);
        }
        out
    }

    /// The chain at `at` and its liberties.
    fn chain(&self, cells: &[u8], at: usize) -> (Vec<usize>, HashSet<usize>) {
        let (mut chain, mut liberties) = (vec![at], HashSet::new());
        let mut seen = vec![false; cells.len()];
        seen[at] = true;
        let mut i = 0;
        while i < chain.len() {
            for n in self.neighbors(chain[i]) {
                if cells[n] == 0 {
                    liberties.insert(n);
                } else if cells[n] == cells[at] && !seen[n] {
                    seen[n] = true;
                    chain.push(n);
                }
            }
            i += 1;
        }
        (chain, liberties)
    }

    /// The cells after a move, and whether it was suicide.
    fn after(&self, at: usize, color: u8) -> (Vec<u8>, bool) {
        let mut cells = self.cells.clone();
        cells[at] = color;
        for n in self.neighbors(at) {
            if cells[n] == 3 - color {
                let (chain, liberties) = self.chain(&cells, n);
                if liberties.is_empty() {
                    chain.into_iter().for_each(|c| cells[c] = 0);
                }
            }
        }
        let (chain, liberties) = self.chain(&cells, at);
        let suicide = liberties.is_empty();
        if suicide {
            chain.into_iter().for_each(|c| cells[c] = 0);
        }
        (cells, suicide)
    }

    /// Whether the rules let `color` (1 Black, 2 White) play at a cell.
    pub fn is_legal(&self, at: usize, color: u8, rules: &Rules) -> bool {
        if self.cells[at] != 0 {
            return false;
        }
        let (cells, suicide) = self.after(at, color);
        if suicide && !rules.suicide {
            return false;
        }
        let seen = |to_move| self.past.contains(&(cells.clone(), to_move));
        match rules.ko {
            KoRule::Positional => !seen(1) && !seen(2),
            KoRule::Situational => !seen(3 - color),
            KoRule::Simple => self.before_last.as_ref() != Some(&cells),
        }
    }

    /// Plays at a cell, or passes.
    pub fn play(&mut self, at: Option<usize>, color: u8) {
        let cells = at.map_or_else(|| self.cells.clone(), |at| self.after(at, color).0);
        let before = std::mem::replace(&mut self.cells, cells);
        let before_last = self.before_last.replace(before);
        let is_new = self.past.insert((self.cells.clone(), 3 - color));
        self.changes.push(Change { color, before_last, is_new });
    }

    /// Takes back the last move, if there is one.
    pub fn undo(&mut self) {
        let Some(Change { color, before_last, is_new }) = self.changes.pop() else { return };
        let before = std::mem::replace(&mut self.before_last, before_last).expect("a move was played");
        let after = std::mem::replace(&mut self.cells, before);
        if is_new {
            self.past.remove(&(after, 3 - color));
        }
    }

    /// The game anew: the stones before the last move are set up, and that move is played.
    fn anew(&self, position: &Position) -> Position {
        let mut fresh = Position::new(self.width, self.height, *position.rules());
        let Some(before) = &self.before_last else { return fresh };
        let (&(side, mv), at) = (position.moves().last().expect("a move was played"), 0..before.len());
        let stones = at.filter_map(|at| {
            let side = [None, Some(Side::First), Some(Side::Second)][usize::from(before[at])];
            side.map(|side| (side, Point::new(at % self.width, at / self.width)))
        });
        fresh.set_up(stones, side);
        fresh.play_recorded(side, mv).expect("the move was played before");
        fresh
    }
}

/// The number of a color in the cells.
pub fn code(side: Side) -> u8 {
    side.index() as u8 + 1
}

/// Every query of the board about every point, against flood fill; and its keys, against those of the game
/// anew.
pub fn compare_all(board: &Board, naive: &Naive, position: &Position) {
    let rules = position.rules();
    let side = board.side_to_move();
    let point = |at: usize| Point::new(at % naive.width, at / naive.width);
    assert_eq!(board.empty_count(), naive.cells.iter().filter(|&&c| c == 0).count());
    let fresh = naive.anew(position);
    assert_eq!(board.stones_key(), fresh.board().stones_key(), "{position:?}");
    assert_eq!(board.key(), fresh.board().key(), "{position:?}");
    let mut empties: Vec<_> = board.empties().collect();
    empties.sort();
    for at in 0..naive.cells.len() {
        let v = point(at);
        assert_eq!(board.color(v) as u8, naive.cells[at]);
        assert_eq!(empties.binary_search(&v).is_ok(), naive.cells[at] == 0);
        let around = v.neighbors().into_iter().chain(v.diagonals());
        let pattern = around.enumerate().fold(0, |p, (i, n)| p | (board.color(n) as u16) << (2 * i));
        assert_eq!(board.pattern(v).0, pattern);
        if naive.cells[at] == 0 {
            assert_eq!(position.is_legal_for(side, v), naive.is_legal(at, code(side), rules));
            let (cells, suicide) = naive.after(at, code(side));
            let (_, liberties) = naive.chain(&cells, at);
            let taken = cells.iter().filter(|&&c| c == code(side.other())).count() as u32
                != board.stones(side.other());
            assert_eq!(board.is_suicide(v, side), suicide);
            assert_eq!(board.is_capture(v, side), taken);
            assert_eq!(board.is_self_atari(v, side), !taken && (suicide || liberties.len() <= 1));
        } else {
            let (chain, liberties) = naive.chain(&naive.cells, at);
            assert_eq!(board.chain_size(v) as usize, chain.len());
            assert_eq!(board.chain(v).count(), chain.len());
            assert!(chain.iter().all(|&c| board.root(point(c)) == board.root(v)));
            assert_eq!(board.in_atari(v), liberties.len() == 1);
            let only = liberties.iter().next().filter(|_| liberties.len() == 1);
            assert_eq!(board.atari_liberty(v), only.map(|&at| point(at)));
            assert_eq!(board.liberty_count(v, 999), liberties.len());
        }
    }
}
