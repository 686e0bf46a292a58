//! The inputs of the net of Go: planes of points, and numbers of the whole board.
//!
//! `nnue/GO-FORMAT.md` defines both. Nothing here depends on chance or on what was read before.

use crate::go::ladder::LadderReader;
use crate::go::{Board, Color, IllegalMove, Move, Point, Position, WHITE, life};
use arrayvec::ArrayVec;

/// Bytes of a point: planes that are in use, and some that are always 0.
pub const PLANES: usize = 32;
/// Numbers of the whole board.
pub const GLOBALS: usize = 8;
/// 1.0 of a number of the whole board.
pub const ONE: i16 = 256;
/// Largest size of a number of the whole board.
pub const MAX: i16 = 4096;

const ON_BOARD: usize = 0;
const OWN: usize = 1;
const OTHER: usize = 2;
/// One liberty; two and three follow.
const LIBERTIES: usize = 3;
const KO: usize = 6;
const SUPERKO: usize = 7;
/// The last move; the four before it follow.
const LAST: usize = 8;
const LAST_MOVES: usize = 5;
const CAUGHT: usize = 13;
const CATCHES: usize = 14;
/// Of one's own; the opponent's follows.
const PASS_ALIVE: usize = 15;

/// How a game ends after two passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeadStones {
    /// Every stone on the board counts as alive.
    AllAlive,
    /// Dead stones are agreed on.
    Agreed,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    pub width: usize,
    pub height: usize,
    /// `[row][column][plane]`, each 0 or 1; row 0 is the lowest.
    pub planes: Vec<u8>,
    /// [`ONE`] is 1.0.
    pub globals: [i16; GLOBALS],
}

impl Inputs {
    fn set(&mut self, board: &Board, v: Point, plane: usize) {
        self.planes[board.compact(v) * PLANES + plane] = 1;
    }
}

/// Reads `pos` into `inputs`. `reader` is scratch memory.
pub fn read(pos: &Position, ending: DeadStones, inputs: &mut Inputs, reader: &mut LadderReader) {
    let board = pos.board();
    (inputs.width, inputs.height) = (board.width(), board.height());
    inputs.planes.clear();
    inputs.planes.resize(board.area() * PLANES, 0);
    read_chains(board, inputs, reader);
    read_bans(pos, inputs);
    for (i, &(_, mv)) in pos.moves().iter().rev().take(LAST_MOVES).enumerate() {
        if mv.is_stone() {
            inputs.set(board, mv, LAST + i);
        }
    }
    let side = board.side_to_move();
    for (i, side) in [side, side.other()].into_iter().enumerate() {
        for v in life::pass_alive(board, side, pos.rules().suicide).iter() {
            inputs.set(board, v, PASS_ALIVE + i);
        }
    }
    inputs.globals = globals(pos, ending);
}

/// Stones, their liberties, and ladders.
fn read_chains(board: &Board, inputs: &mut Inputs, reader: &mut LadderReader) {
    let side = board.side_to_move();
    let own = Color::of(side);
    let mut liberties = ArrayVec::<Point, 4>::new();
    for v in board.points() {
        inputs.set(board, v, ON_BOARD);
        if board.is_empty(v) || board.root(v) != v {
            continue;
        }
        let is_own = board.color(v) == own;
        // Each liberty is next to at most four stones.
        let count = if board.pseudo_liberties(v) > 12 {
            4
        } else {
            board.liberties(v, &mut liberties);
            liberties.len()
        };
        let caught = match count {
            1 => !reader.escapes(board, v),
            2 => {
                let catches = reader.captures(board, v);
                if !is_own {
                    catches.iter().for_each(|&w| inputs.set(board, w, CATCHES));
                }
                !catches.is_empty()
            }
            _ => false,
        };
        for stone in board.chain(v) {
            inputs.set(board, stone, if is_own { OWN } else { OTHER });
            if (1..=3).contains(&count) {
                inputs.set(board, stone, LIBERTIES + count - 1);
            }
            if caught {
                inputs.set(board, stone, CAUGHT);
            }
        }
    }
}

/// Where repetition forbids to play.
fn read_bans(pos: &Position, inputs: &mut Inputs) {
    let board = pos.board();
    let side = board.side_to_move();
    for v in board.empties().filter(|&v| !pos.is_legal_for(side, v)) {
        match pos.check(side, v) {
            Err(IllegalMove::Ko) => inputs.set(board, v, KO),
            Err(IllegalMove::Superko) => inputs.set(board, v, SUPERKO),
            _ => (),
        }
    }
}

fn globals(pos: &Position, ending: DeadStones) -> [i16; GLOBALS] {
    let board = pos.board();
    let sign = if board.side_to_move() == WHITE { 1.0 } else { -1.0 };
    // Sixteen points are 1.0.
    let points = |points: f32| {
        let max = f32::from(MAX);
        (sign * points * f32::from(ONE) / 16.0).round().clamp(-max, max) as i16
    };
    let passed = |i: usize| {
        let mv: Option<&(_, Move)> = pos.moves().iter().rev().nth(i);
        if mv.is_some_and(|&(_, mv)| !mv.is_stone()) { ONE } else { 0 }
    };
    let size = ((board.width() + board.height()) as i16 - 28) * 64;
    [
        points(pos.area_bonus()),
        (wave(sign * pos.area_bonus(), board.area()) * f32::from(ONE)).round() as i16,
        passed(0),
        passed(1),
        size.div_euclid(5),
        points(pos.white_bonus() - pos.komi()),
        if ending == DeadStones::AllAlive { ONE } else { 0 },
        0,
    ]
}

/// How near the komi is to the margin that the last point of the board decides, −½ to ½.
fn wave(komi: f32, area: usize) -> f32 {
    let odd = (area % 2) as f32;
    let d = (komi - odd).rem_euclid(2.0);
    match d {
        ..=0.5 => d,
        ..=1.5 => 1.0 - d,
        _ => d - 2.0,
    }
}

#[cfg(test)]
#[path = "planes_tests.rs"]
mod tests;
