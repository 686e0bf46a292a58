//! The board against a naive one: lists of cells, flood fill, every earlier position kept whole.

use sanqi::game::Side;
use sanqi::go::rules::KoRule;
use sanqi::go::{BLACK, Board, Color, Point, Position, Rules, WHITE};
use sanqi::util::rng::Rng;
use std::collections::HashSet;

/// The rules, as slowly and plainly as they can be written. Cells: 0 empty, 1 Black, 2 White.
#[derive(Clone)]
struct Naive {
    width: usize,
    height: usize,
    cells: Vec<u8>,
    /// Every position so far, with the side that was to move.
    past: HashSet<(Vec<u8>, u8)>,
}

impl Naive {
    fn new(width: usize, height: usize) -> Self {
        let cells = vec![0; width * height];
        Self { width, height, past: HashSet::from([(cells.clone(), 1)]), cells }
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

    fn is_legal(&self, at: usize, color: u8, rules: &Rules) -> bool {
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
            KoRule::Simple => unreachable!("not compared"),
        }
    }

    fn play(&mut self, at: Option<usize>, color: u8) {
        if let Some(at) = at {
            self.cells = self.after(at, color).0;
        }
        self.past.insert((self.cells.clone(), 3 - color));
    }
}

fn code(side: Side) -> u8 {
    side.index() as u8 + 1
}

/// Every query of the board about every point, against flood fill.
fn compare_all(board: &Board, naive: &Naive, position: &Position) {
    let rules = position.rules();
    let side = board.side_to_move();
    let point = |at: usize| Point::new(at % naive.width, at / naive.width);
    assert_eq!(board.empty_count(), naive.cells.iter().filter(|&&c| c == 0).count());
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
            assert_eq!(board.atari_liberty(v).is_some(), liberties.len() == 1);
            assert!(board.atari_liberty(v).is_none_or(|l| board.is_empty(l)));
            assert_eq!(board.liberty_count(v, 999), liberties.len());
        }
    }
}

/// Plays one random game on both boards; returns its moves.
fn compare_game(width: usize, height: usize, rules: Rules, rng: &mut Rng) -> usize {
    let mut position = Position::new(width, height, rules);
    let mut naive = Naive::new(width, height);
    let length = 3 * width * height;
    for ply in 0..length {
        let side = position.board().side_to_move();
        let at = rng.below(width * height);
        let v = Point::new(at % width, at / width);
        let legal = naive.is_legal(at, code(side), &rules);
        assert_eq!(position.check(side, v).is_ok(), legal, "{position:?} {v:?}");
        // Filling every point soon leads to captures everywhere; a pass now and then changes who fills.
        let mv = if legal && rng.below(50) > 0 { Some(at) } else { None };
        position.play(side, if mv.is_some() { v } else { Point::PASS }).unwrap();
        naive.play(mv, code(side));
        if ply % (width * height).max(16) == 0 || ply + 1 == length {
            compare_all(position.board(), &naive, &position);
        } else {
            let same =
                |c: usize| position.board().color(Point::new(c % width, c / width)) as u8 == naive.cells[c];
            assert!((0..naive.cells.len()).all(same));
        }
    }
    length
}

fn compare_moves(total: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut played = 0;
    let mut size = 1;
    while played < total {
        // The small boards, where repetition is common, take as many moves as the big ones.
        size = if size == 25 { 1 } else { size + 1 };
        let games = (25 * 25 / (size * size)).clamp(1, 60);
        for game in 0..games {
            let rules = [Rules::CHINESE, Rules::TROMP_TAYLOR, Rules::AGA, Rules::NEW_ZEALAND][game % 4];
            let width = if game % 5 == 4 { 1 + rng.below(25) } else { size };
            played += compare_game(width, size, rules, &mut rng);
        }
    }
}

#[test]
fn a_hundred_thousand_random_moves_equal_the_naive_board() {
    compare_moves(100_000, 1);
}

#[test]
#[ignore = "minutes"]
fn ten_million_random_moves_equal_the_naive_board() {
    compare_moves(10_000_000, 2);
}

#[test]
fn taking_back_restores_every_earlier_position() {
    let mut rng = Rng::new(3);
    for (width, height) in [(2, 2), (3, 3), (5, 5), (7, 4), (9, 9)] {
        let mut position = Position::new(width, height, Rules::CHINESE);
        position.set_up([(BLACK, Point::new(0, 0)), (WHITE, Point::new(1, 1))], WHITE);
        let mut earlier = vec![];
        for _ in 0..3 * width * height {
            let side = position.board().side_to_move();
            let legal = position.legal_points(side);
            let mv = if legal.is_empty() { Point::PASS } else { rng.pick(&legal) };
            earlier.push(position.clone());
            position.play(side, mv).unwrap();
        }
        while let Some(before) = earlier.pop() {
            assert!(position.undo());
            assert_same(&position, &before);
        }
        assert!(!position.undo());
    }
}

fn assert_same(a: &Position, b: &Position) {
    use sanqi::game::{Game, TreeGame};
    assert_eq!((a.key(), a.graph_key(), a.moves()), (b.key(), b.graph_key(), b.moves()));
    let (x, y) = (a.board(), b.board());
    assert_eq!((x.ko(), x.passes(), x.last_move()), (y.ko(), y.passes(), y.last_move()));
    for v in x.points() {
        assert_eq!(x.color(v), y.color(v));
    }
    for side in [BLACK, WHITE] {
        assert_eq!(x.lost(side), y.lost(side));
        assert_eq!(a.legal_points(side), b.legal_points(side));
    }
}

#[test]
fn a_copy_equals_its_original_whatever_it_was_before() {
    let mut rng = Rng::new(4);
    let mut copy = Board::new(19, 19);
    for (width, height) in [(9, 9), (9, 9), (13, 13), (7, 9), (19, 19)] {
        let mut board = Board::new(width, height);
        sanqi::go::playout::random_playout(&mut board, &mut rng);
        copy.clone_from(&board);
        assert_eq!((copy.key(), copy.empty_count()), (board.key(), board.empty_count()));
        for v in board.points().filter(|&v| board.color(v) != Color::Empty) {
            assert_eq!((copy.color(v), copy.root(v)), (board.color(v), board.root(v)));
            assert_eq!(copy.pseudo_liberties(v), board.pseudo_liberties(v));
        }
    }
}
