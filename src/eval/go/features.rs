//! What a move does, as features that a strength can be learned for: what it takes, saves or threatens, which
//! line it is on, how near it is to the last moves.
//!
//! A move has any number of features, one twice if it does the same to two chains.
//! Source: Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007).

use super::policy;
use crate::game::Side;
use crate::go::{Board, CELLS, Color, Move, Point, ladder};
use arrayvec::ArrayVec;

/// What a move does to a chain; each in four classes by the chain's stones: 1, 2, 3 to 5, more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Tactic {
    /// Takes it, and a chain of one's own that was in atari is saved.
    CaptureToSave,
    /// Takes it, before it gets away.
    Capture,
    /// Takes it, though it could not get away.
    CaptureCaught,
    Escape,
    /// Runs with it though a ladder catches it all the same.
    EscapeInVain,
    /// Puts it into atari, and it cannot get out.
    Ladder,
    /// Puts it into atari.
    Atari,
    /// Plays on one of its two liberties, where a ladder would catch it.
    LadderDefence,
    /// Takes a liberty of its three.
    Press,
    /// Plays on a liberty of one's own chain of three.
    Relax,
}

const SIZES: usize = 4;
const TACTICS: usize = (Tactic::Relax as usize + 1) * SIZES;

/// Fills the liberty before last of an own chain, or plays a single stone into atari.
pub const SELF_ATARI: usize = TACTICS;
/// The same with a single stone and nothing else.
pub const THROW_IN: usize = SELF_ATARI + 1;
/// The vital point of a small eye space.
pub const VITAL: usize = THROW_IN + 1;

/// First line, second, third, fourth, fifth and above: with stones near and without, on boards of up to 11
/// lines, up to 15, and larger ones.
const LINES: usize = VITAL + 1;
const LINE_CLASSES: usize = 5;
const BOARD_CLASSES: usize = 3;

/// By distance to the last move along chains and empty points: 1, 2, ... [`FAR`] and further.
const LAST: usize = LINES + BOARD_CLASSES * 2 * LINE_CLASSES;
/// The same to the move before.
const SECOND_LAST: usize = LAST + FAR as usize;

pub const FEATURES: usize = SECOND_LAST + FAR as usize;

/// Further than this, distances are all the same.
const FAR: u8 = 8;

#[derive(Clone)]
pub struct FeatureScratch {
    distances: [Distances; 2],
}

impl Default for FeatureScratch {
    fn default() -> Self {
        Self { distances: std::array::from_fn(|_| Distances([FAR; CELLS])) }
    }
}

/// Calls `found` with every feature of every move; some may be of points that are no legal move.
pub fn read(
    board: &Board,
    moves: &[Move],
    scratch: &mut FeatureScratch,
    mut found: impl FnMut(Point, usize),
) {
    read_chains(board, &mut found);
    let side = board.side_to_move();
    let earlier = [(board.last_move(), LAST), (board.second_last_move(), SECOND_LAST)];
    for (distances, (last, first)) in scratch.distances.iter_mut().zip(earlier) {
        if distances.measure(board, last) {
            for &v in moves.iter().filter(|v| v.is_stone()) {
                found(v, first + distances.class(v));
            }
        }
    }
    for &v in moves.iter().filter(|v| v.is_stone()) {
        found(v, line(board, v));
        if board.is_self_atari(v, side) {
            let own = Color::of(side);
            let alone = v.neighbors().iter().all(|&n| board.color(n) != own);
            found(v, if alone { THROW_IN } else { SELF_ATARI });
        }
        if is_touched(board, v) && policy::is_vital(board, v) {
            found(v, VITAL);
        }
    }
}

/// The feature of doing `tactic` to a chain of `stones` stones.
pub fn tactical(tactic: Tactic, stones: u32) -> usize {
    let class = match stones {
        0..=2 => stones.saturating_sub(1) as usize,
        3..=5 => 2,
        _ => 3,
    };
    tactic as usize * SIZES + class
}

/// What moves do to the chains of few liberties.
fn read_chains(board: &Board, found: &mut impl FnMut(Point, usize)) {
    let side = board.side_to_move();
    let mut liberties = ArrayVec::<Point, 4>::new();
    for stone in board.points().filter(|&v| !board.is_empty(v) && board.root(v) == v) {
        // Each liberty is next to at most four stones.
        if board.pseudo_liberties(stone) > 12 {
            continue;
        }
        board.liberties(stone, &mut liberties);
        let is_own = board.color(stone) == Color::of(side);
        let stones = board.chain_size(stone);
        let mut note = |v: Point, tactic: Tactic| found(v, tactical(tactic, stones));
        match (liberties.as_slice(), is_own) {
            (&[v], false) => note(v, capture_of(board, stone, side)),
            (&[v], true) => match ladder::escape(board, stone) {
                Some(out) => note(out, Tactic::Escape),
                None => note(v, Tactic::EscapeInVain),
            },
            (&[_, _], false) => {
                let catch = ladder::capture(board, stone);
                for &v in &liberties {
                    note(v, if catch == Some(v) { Tactic::Ladder } else { Tactic::Atari });
                }
            }
            (&[_, _], true) if ladder::capture(board, stone).is_some() => {
                liberties.iter().for_each(|&v| note(v, Tactic::LadderDefence));
            }
            (&[_, _, _], _) => {
                let tactic = if is_own { Tactic::Relax } else { Tactic::Press };
                liberties.iter().for_each(|&v| note(v, tactic));
            }
            _ => (),
        }
    }
}

/// Which kind of capture it is to take the chain of `stone`, in atari.
fn capture_of(board: &Board, stone: Point, side: Side) -> Tactic {
    let own = Color::of(side);
    let touches_own_in_atari =
        |s: Point| s.neighbors().into_iter().any(|n| board.color(n) == own && board.in_atari(n));
    if board.chain(stone).any(touches_own_in_atari) {
        Tactic::CaptureToSave
    } else if ladder::escape(board, stone).is_some() {
        Tactic::Capture
    } else {
        Tactic::CaptureCaught
    }
}

/// Whether a stone stands on one of the eight points around `v`.
pub(super) fn is_touched(board: &Board, v: Point) -> bool {
    let pattern = board.pattern(v).0;
    (pattern ^ pattern >> 1) & 0x5555 != 0
}

fn line(board: &Board, v: Point) -> usize {
    let (width, height) = (board.width(), board.height());
    let (col, row) = v.col_row();
    let line = col.min(row).min(width - 1 - col).min(height - 1 - row).min(LINE_CLASSES - 1);
    let open = !is_touched(board, v) && !stones_near(board, col, row);
    let size = match width.max(height) {
        ..=11 => 0,
        12..=15 => 1,
        _ => 2,
    };
    LINES + (size * 2 + usize::from(open)) * LINE_CLASSES + line
}

/// Whether a stone stands within two columns and two rows.
pub(super) fn stones_near(board: &Board, col: usize, row: usize) -> bool {
    let columns = col.saturating_sub(2)..=(col + 2).min(board.width() - 1);
    (row.saturating_sub(2)..=(row + 2).min(board.height() - 1))
        .any(|r| columns.clone().any(|c| !board.is_empty(Point::new(c, r))))
}

/// Distances from a stone, where a chain is one place.
#[derive(Clone)]
struct Distances([u8; CELLS]);

impl Distances {
    /// Measures from the chain of `start`; `false` if no stone is there.
    fn measure(&mut self, board: &Board, start: Point) -> bool {
        if !start.is_stone() || board.is_empty(start) {
            return false;
        }
        self.0[..board.cells()].fill(FAR);
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
        true
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

    /// The distance of `v` as a class, from 0.
    fn class(&self, v: Point) -> usize {
        usize::from(self.0[v.index()].clamp(1, FAR)) - 1
    }
}

#[cfg(test)]
#[path = "features_tests.rs"]
pub(super) mod tests;
