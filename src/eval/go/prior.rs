//! How promising each move looks before anything is searched.
//!
//! A move's prior is the product of the strengths of its features (a generalised Bradley-Terry model): what
//! it takes, saves or threatens, the shape it makes, how near it is to the last moves, which line it is on.
//! Source of the model: Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007).

use super::shape::Shape;
use crate::game::Side;
use crate::go::{Board, CELLS, Color, Move, Point};
use arrayvec::ArrayVec;

/// Strengths of the features; a move without any has 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gammas {
    /// Takes a chain that has an own chain in atari for a neighbor.
    pub capture_to_save: f32,
    /// Takes another chain, one stone.
    pub capture: f32,
    /// Each further stone taken, up to ten, adds so much of the feature itself.
    pub capture_per_stone: f32,
    /// Brings a chain in atari to three liberties or more.
    pub escape: f32,
    /// Brings a chain in atari to two liberties.
    pub escape_to_two: f32,
    /// Each further stone saved, up to ten, adds so much of the feature itself.
    pub escape_per_stone: f32,
    /// Puts a chain into atari.
    pub atari: f32,
    /// Fills the liberty before last of an own chain, or plays it alone into atari.
    pub self_atari: f32,
    /// The same with a single stone and nothing else.
    pub throw_in: f32,
    /// Takes a liberty from a chain of three.
    pub press: f32,
    /// Hane, cut, edge.
    pub shapes: [f32; 3],
    /// The vital point of a small eye space.
    pub vital: f32,
    /// First line, second, third, fourth, fifth and above, where no stone is near.
    pub open_lines: [f32; 5],
    /// The same with stones near.
    pub lines: [f32; 5],
    /// By distance to the last move along chains and empty points: 1, 2, 3, 4, further.
    pub last: [f32; 5],
    /// The same to the move before.
    pub second_last: [f32; 5],
    /// The pass, against all moves together.
    pub pass: f32,
}

/// Hand-made, in the proportions that go players give these things.
pub const GAMMAS: Gammas = Gammas {
    capture_to_save: 30.0,
    capture: 6.0,
    capture_per_stone: 0.5,
    escape: 10.0,
    escape_to_two: 4.0,
    escape_per_stone: 0.3,
    atari: 3.0,
    self_atari: 0.04,
    throw_in: 0.3,
    press: 1.5,
    shapes: [2.5, 3.0, 2.0],
    vital: 8.0,
    open_lines: [0.03, 0.25, 1.3, 1.2, 0.8],
    lines: [0.35, 0.9, 1.2, 1.1, 1.0],
    last: [4.0, 3.0, 1.8, 1.2, 0.8],
    second_last: [2.0, 1.7, 1.3, 1.1, 0.9],
    pass: 0.01,
};

/// Scratch memory of [`fill`].
#[derive(Clone)]
pub struct Scratch {
    last: Distances,
    second_last: Distances,
}

impl Default for Scratch {
    fn default() -> Self {
        Self { last: Distances([FAR; CELLS]), second_last: Distances([FAR; CELLS]) }
    }
}

/// Further than this, distances are all the same.
const FAR: u8 = 5;

/// Distances from a stone, where a chain is one place.
#[derive(Clone)]
struct Distances([u8; CELLS]);

impl Distances {
    fn from(&mut self, board: &Board, start: Point) {
        self.0[..board.cells()].fill(FAR);
        if !start.is_stone() || board.is_empty(start) {
            return;
        }
        let mut queue = ArrayVec::<Point, CELLS>::new();
        self.visit(board, start, 0, &mut queue);
        let mut at = 0;
        while let Some(&v) = queue.get(at) {
            at += 1;
            let distance = self.0[v.index()] + 1;
            if distance < FAR {
                for n in v.neighbors() {
                    if board.color(n) != Color::Border && self.0[n.index()] == FAR {
                        self.visit(board, n, distance, &mut queue);
                    }
                }
            }
        }
    }

    /// Notes the distance of a point, or of its whole chain.
    fn visit(&mut self, board: &Board, v: Point, distance: u8, queue: &mut ArrayVec<Point, CELLS>) {
        if board.is_empty(v) {
            self.0[v.index()] = distance;
            queue.push(v);
        } else {
            for stone in board.chain(v) {
                self.0[stone.index()] = distance;
                queue.push(stone);
            }
        }
    }

    fn strength(&self, v: Point, by_distance: &[f32; 5]) -> f32 {
        by_distance[usize::from(self.0[v.index()].clamp(1, FAR)) - 1]
    }
}

/// Fills `priors` for `moves`, legal moves of the side to move.
pub fn fill(board: &Board, moves: &[Move], priors: &mut [f32], gammas: &Gammas, scratch: &mut Scratch) {
    scratch.last.from(board, board.last_move());
    scratch.second_last.from(board, board.second_last_move());
    let side = board.side_to_move();
    let mut sum = 0.0;
    for (prior, &v) in priors.iter_mut().zip(moves).filter(|(_, v)| v.is_stone()) {
        *prior = tactics(board, v, side, gammas)
            * place(board, v, gammas)
            * scratch.last.strength(v, &gammas.last)
            * scratch.second_last.strength(v, &gammas.second_last);
        sum += *prior;
    }
    // After the opponent's pass, passing ends the game: always worth a look.
    let pass = if board.passes() > 0 { 0.3 } else { gammas.pass };
    for (prior, _) in priors.iter_mut().zip(moves).filter(|(_, v)| !v.is_stone()) {
        *prior = if sum > 0.0 { pass * sum } else { 1.0 };
    }
}

/// What the move does to the chains around it.
fn tactics(board: &Board, v: Point, side: Side, gammas: &Gammas) -> f32 {
    let (own, enemy) = (Color::of(side), Color::of(side.other()));
    let mut strength = 1.0;
    let mut captures = false;
    let mut presses = false;
    for n in v.neighbors() {
        if board.color(n) != enemy {
            continue;
        }
        if board.in_atari(n) {
            captures = true;
            let extra = 1.0 + gammas.capture_per_stone * (board.chain_size(n).min(10) - 1) as f32;
            let base = if saves(board, n, side) { gammas.capture_to_save } else { gammas.capture };
            strength *= base * extra;
        } else {
            match board.liberty_count(n, 4) {
                2 => strength *= gammas.atari,
                3 => presses = true,
                _ => (),
            }
        }
    }
    if presses {
        strength *= gammas.press;
    }
    if !captures {
        if board.is_self_atari(v, side) {
            let alone = v.neighbors().iter().all(|&n| board.color(n) != own);
            return strength * if alone { gammas.throw_in } else { gammas.self_atari };
        }
        strength *= escape(board, v, side, gammas);
    }
    strength
}

/// Whether taking the chain of `stone` saves a chain of `side` that is in atari.
fn saves(board: &Board, stone: Point, side: Side) -> bool {
    let own = Color::of(side);
    board.chain(stone).any(|s| s.neighbors().into_iter().any(|n| board.color(n) == own && board.in_atari(n)))
}

/// Strength of running with a chain that is in atari; 1 if there is none.
fn escape(board: &Board, v: Point, side: Side, gammas: &Gammas) -> f32 {
    let own = Color::of(side);
    let stones = v.neighbors().into_iter().filter(|&n| board.color(n) == own && board.in_atari(n));
    let Some(size) = stones.map(|n| board.chain_size(n)).max() else { return 1.0 };
    let base = if liberties_after(board, v, side, 3) >= 3 { gammas.escape } else { gammas.escape_to_two };
    base * (1.0 + gammas.escape_per_stone * (size.min(10) - 1) as f32)
}

/// Liberties of the chain that a stone of `side` on `v` makes, counted up to `limit` (at most 8). Captures
/// are left out.
fn liberties_after(board: &Board, v: Point, side: Side, limit: usize) -> usize {
    let own = Color::of(side);
    let mut seen = ArrayVec::<Point, 8>::new();
    let mut of_chain = ArrayVec::<Point, 8>::new();
    for n in v.neighbors() {
        if board.is_empty(n) {
            of_chain.clear();
            of_chain.push(n);
        } else if board.color(n) == own {
            board.liberties(n, &mut of_chain);
        } else {
            continue;
        }
        for &l in &of_chain {
            if l != v && !seen.contains(&l) {
                let _ = seen.try_push(l);
            }
        }
        if seen.len() >= limit {
            return limit;
        }
    }
    seen.len()
}

/// Shape and line.
fn place(board: &Board, v: Point, gammas: &Gammas) -> f32 {
    let pattern = board.pattern(v);
    let (col, row) = v.col_row();
    let line = col.min(row).min(board.width() - 1 - col).min(board.height() - 1 - row).min(4);
    let open = !stones_near(board, col, row);
    let by_line = if open { gammas.open_lines[line] } else { gammas.lines[line] };
    let shape = match Shape::of(pattern) {
        Shape::Plain => 1.0,
        shape => gammas.shapes[shape as usize - 1],
    };
    let vital = if super::policy::is_vital(board, v) { gammas.vital } else { 1.0 };
    by_line * shape * vital
}

/// Whether a stone stands within two columns and two rows.
fn stones_near(board: &Board, col: usize, row: usize) -> bool {
    let columns = col.saturating_sub(2)..=(col + 2).min(board.width() - 1);
    (row.saturating_sub(2)..=(row + 2).min(board.height() - 1))
        .any(|r| columns.clone().any(|c| !board.is_empty(Point::new(c, r))))
}

#[cfg(test)]
#[path = "prior_tests.rs"]
mod tests;
