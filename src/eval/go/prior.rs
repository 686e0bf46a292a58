//! How promising each move looks before anything is searched.
//!
//! A move's prior is the product of the strengths of its features (a generalised Bradley-Terry model): what
//! it takes, saves or threatens, the shape it makes, how near it is to the last moves, which line it is on.
//! Source of the model: Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007).

use super::shape::Shape;
use crate::game::Side;
use crate::go::{Board, CELLS, Color, Move, Point, ladder};
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
    /// Saves a chain in atari.
    pub escape: f32,
    /// Each further stone saved, up to ten, adds so much of the feature itself.
    pub escape_per_stone: f32,
    /// Runs with a chain in atari that a ladder catches all the same.
    pub escape_in_vain: f32,
    /// Puts a chain into atari.
    pub atari: f32,
    /// The same where a ladder catches the chain.
    pub ladder: f32,
    /// Plays on a liberty of an own chain that a ladder would catch.
    pub ladder_defence: f32,
    /// Each further stone of a chain caught or saved in a ladder, up to ten, adds so much of the feature itself.
    pub ladder_per_stone: f32,
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
    /// The same while most of the board is empty: other moves are so many that each has little.
    pub early_pass: f32,
}

/// Hand-made, in the proportions that go players give these things.
pub const GAMMAS: Gammas = Gammas {
    capture_to_save: 30.0,
    capture: 6.0,
    capture_per_stone: 0.5,
    escape: 8.0,
    escape_per_stone: 0.3,
    escape_in_vain: 0.3,
    atari: 2.0,
    ladder: 6.0,
    ladder_defence: 4.0,
    ladder_per_stone: 0.3,
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
    early_pass: 0.0003,
};

/// Scratch memory of [`fill`].
#[derive(Clone)]
pub struct Scratch {
    last: Distances,
    second_last: Distances,
    /// What a move does to the chains around it, by point.
    tactics: [f32; CELLS],
}

impl Default for Scratch {
    fn default() -> Self {
        Self { last: Distances([FAR; CELLS]), second_last: Distances([FAR; CELLS]), tactics: [1.0; CELLS] }
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
    read_chains(board, gammas, &mut scratch.tactics);
    let side = board.side_to_move();
    let mut sum = 0.0;
    for (prior, &v) in priors.iter_mut().zip(moves).filter(|(_, v)| v.is_stone()) {
        *prior = scratch.tactics[v.index()]
            * sacrifice(board, v, side, gammas)
            * place(board, v, gammas)
            * scratch.last.strength(v, &gammas.last)
            * scratch.second_last.strength(v, &gammas.second_last);
        sum += *prior;
    }
    // After the opponent's pass, passing ends the game: always worth a look.
    let pass = match board.passes() {
        0 if 2 * board.empty_count() > board.area() => gammas.early_pass,
        0 => gammas.pass,
        _ => 0.3,
    };
    for (prior, _) in priors.iter_mut().zip(moves).filter(|(_, v)| !v.is_stone()) {
        *prior = if sum > 0.0 { pass * sum } else { 1.0 };
    }
}

/// Fills in, for every point, the strength of what a move there does to chains of few liberties.
fn read_chains(board: &Board, gammas: &Gammas, tactics: &mut [f32; CELLS]) {
    tactics[..board.cells()].fill(1.0);
    let side = board.side_to_move();
    let mut liberties = ArrayVec::<Point, 4>::new();
    for stone in board.points().filter(|&v| !board.is_empty(v) && board.root(v) == v) {
        // Each liberty is next to at most four stones.
        if board.pseudo_liberties(stone) > 12 {
            continue;
        }
        board.liberties(stone, &mut liberties);
        let is_own = board.color(stone) == Color::of(side);
        let more = (board.chain_size(stone).min(10) - 1) as f32;
        match (liberties.as_slice(), is_own) {
            (&[v], false) => {
                let base = if saves(board, stone, side) { gammas.capture_to_save } else { gammas.capture };
                tactics[v.index()] *= base * (1.0 + gammas.capture_per_stone * more);
            }
            (&[v], true) => {
                let saved = gammas.escape * (1.0 + gammas.escape_per_stone * more);
                match ladder::escape(board, stone) {
                    Some(out) => tactics[out.index()] *= saved,
                    None => tactics[v.index()] *= gammas.escape_in_vain,
                }
            }
            (&[_, _], false) => {
                let catch = ladder::capture(board, stone);
                for &v in &liberties {
                    let ladder = gammas.ladder * (1.0 + gammas.ladder_per_stone * more);
                    tactics[v.index()] *= if catch == Some(v) { ladder } else { gammas.atari };
                }
            }
            (&[_, _], true) if ladder::capture(board, stone).is_some() => {
                for &v in &liberties {
                    tactics[v.index()] *= gammas.ladder_defence * (1.0 + gammas.ladder_per_stone * more);
                }
            }
            (&[_, _, _], false) => liberties.iter().for_each(|v| tactics[v.index()] *= gammas.press),
            _ => (),
        }
    }
}

/// Strength of putting oneself into atari; 1 if the move does not.
fn sacrifice(board: &Board, v: Point, side: Side, gammas: &Gammas) -> f32 {
    if !board.is_self_atari(v, side) {
        return 1.0;
    }
    let own = Color::of(side);
    let alone = v.neighbors().iter().all(|&n| board.color(n) != own);
    if alone { gammas.throw_in } else { gammas.self_atari }
}

/// Whether taking the chain of `stone` saves a chain of `side` that is in atari.
fn saves(board: &Board, stone: Point, side: Side) -> bool {
    let own = Color::of(side);
    board.chain(stone).any(|s| s.neighbors().into_iter().any(|n| board.color(n) == own && board.in_atari(n)))
}

/// Shape and line.
fn place(board: &Board, v: Point, gammas: &Gammas) -> f32 {
    let pattern = board.pattern(v);
    let (col, row) = v.col_row();
    let line = col.min(row).min(board.width() - 1 - col).min(board.height() - 1 - row).min(4);
    let touched = (pattern.0 ^ pattern.0 >> 1) & 0x5555 != 0;
    let open = !touched && !stones_near(board, col, row);
    let by_line = if open { gammas.open_lines[line] } else { gammas.lines[line] };
    let shape = match Shape::of(pattern) {
        Shape::Plain => 1.0,
        shape => gammas.shapes[shape as usize - 1],
    };
    let vital = if touched && super::policy::is_vital(board, v) { gammas.vital } else { 1.0 };
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
