//! The moves of a playout: answer what the last move threatens, then make local shape, else play at random.
//!
//! A playout should end as good play would, on average over many. So stones in atari are saved and taken,
//! eye space is reduced at its vital point, and own chains are not put into atari, which keeps
//! sekis alive.
//! Sources: Gelly et al. (2006) as in [`super::shape`]; Baudiš and Gailly, "Pachi: state of the art open
//! source Go program" (2011); nakade after Chaslot et al., "Adding expert knowledge and exploration in
//! Monte-Carlo tree search" (2009).

use super::shape;
use crate::game::Side;
use crate::go::playout::AmafRecord;
use crate::go::{BLACK, Board, Color, Point, WHITE};
use crate::util::rng::Rng;
use arrayvec::ArrayVec;

/// How often each rule is asked, in 256ths, and what is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Saving and taking what is in atari after the last move.
    pub atari: u8,
    /// Atari on the last move's chain when it has two liberties, and escapes of own chains of that kind.
    pub two_liberties: u8,
    /// The vital point of a small eye space next to the last move.
    pub nakade: u8,
    /// Shapes around the last move.
    pub shape: u8,
    /// Shapes around the move before.
    pub second_shape: u8,
    /// How often a random move that puts a small chain of one's own into atari is refused.
    pub self_atari: u8,
}

impl Default for Policy {
    fn default() -> Self {
        Self { atari: 230, two_liberties: 100, nakade: 200, shape: 235, second_shape: 90, self_atari: 235 }
    }
}

/// A chain larger than this is never put into atari: it cannot be a throw-in or a nakade.
const LARGEST_SACRIFICE: u32 = 5;

/// Up to this many stones, taken together, always leave a space that the opponent can reduce to one eye.
const DYING_SHAPE: u32 = 3;

/// Playouts end after this many moves, in points of the board.
const MOVE_LIMIT: usize = 3;

type Candidates = ArrayVec<Point, 32>;

/// Plays `board` to its end, noting the moves.
pub fn play_out(board: &mut Board, policy: &Policy, rng: &mut Rng, record: &mut AmafRecord) {
    for _ in 0..MOVE_LIMIT * board.area() {
        if board.passes() >= 2 {
            break;
        }
        let mv = next_move(board, policy, rng);
        record.note(board.side_to_move(), mv);
        board.play(mv, &mut ());
    }
}

/// Chooses a legal move, or the pass when there is none that makes sense.
pub fn next_move(board: &mut Board, policy: &Policy, rng: &mut Rng) -> Point {
    let side = board.side_to_move();
    let last = board.last_move();
    if last.is_stone() {
        // One draw serves all rules: eight bits each.
        let dice = rng.next_u64().to_le_bytes();
        let mut found = Candidates::new();
        let rules: [(u8, Rule); 4] = [
            (policy.atari, atari_moves),
            (policy.two_liberties, two_liberty_moves),
            (policy.nakade, nakade_moves),
            (policy.shape, shape_moves),
        ];
        for (i, (chance, rule)) in rules.into_iter().enumerate() {
            if dice[i] < chance {
                rule(board, last, side, &mut found);
                if let Some(mv) = draw(board, side, &mut found, rng) {
                    return mv;
                }
            }
        }
        let second = board.second_last_move();
        if dice[4] < policy.second_shape && second.is_stone() {
            shape_moves(board, second, side, &mut found);
            if let Some(mv) = draw(board, side, &mut found, rng) {
                return mv;
            }
        }
    }
    random_move(board, policy, rng)
}

/// A rule adds moves to the list.
type Rule = fn(&Board, Point, Side, &mut Candidates);

/// One of the candidates that is legal and no eye of one's own; the list is empty after.
fn draw(board: &Board, side: Side, found: &mut Candidates, rng: &mut Rng) -> Option<Point> {
    while !found.is_empty() {
        let i = if found.len() == 1 { 0 } else { rng.below(found.len()) };
        let v = found.swap_remove(i);
        if board.is_empty(v) && board.is_legal(v, side) && !board.is_eye_like(v, side) {
            found.clear();
            return Some(v);
        }
    }
    None
}

fn add(found: &mut Candidates, v: Point) {
    if !found.contains(&v) {
        // A full list holds more than enough to choose from.
        let _ = found.try_push(v);
    }
}

/// Takes the chain of the last stone if it is in atari; saves own chains that the last stone put into atari.
pub fn atari_moves(board: &Board, last: Point, side: Side, found: &mut Candidates) {
    if let Some(liberty) = board.atari_liberty(last) {
        add(found, liberty);
    }
    let own = Color::of(side);
    for n in last.neighbors() {
        if board.color(n) != own {
            continue;
        }
        if let Some(liberty) = board.atari_liberty(n) {
            if !board.is_self_atari(liberty, side) {
                add(found, liberty);
            }
            counter_captures(board, n, side, found);
        }
    }
}

/// Adds the moves that take an enemy chain touching the chain of `stone`.
pub fn counter_captures(board: &Board, stone: Point, side: Side, found: &mut Candidates) {
    let enemy = Color::of(side.other());
    for s in board.chain(stone) {
        for n in s.neighbors() {
            if board.color(n) == enemy
                && let Some(liberty) = board.atari_liberty(n)
            {
                add(found, liberty);
            }
        }
    }
}

/// Chains of two liberties next to the last move: attacks the enemy's, lets one's own run, where that is
/// no self-atari.
fn two_liberty_moves(board: &Board, last: Point, side: Side, found: &mut Candidates) {
    let mut liberties = ArrayVec::<Point, 3>::new();
    // Two liberties are at most eight pseudo-liberties.
    if board.pseudo_liberties(last) <= 8 {
        board.liberties(last, &mut liberties);
    }
    if liberties.len() == 2 {
        for &v in &liberties {
            if !board.is_self_atari(v, side) {
                add(found, v);
            }
        }
    }
    let own = Color::of(side);
    for n in last.neighbors() {
        if board.color(n) == own && board.pseudo_liberties(n) <= 8 {
            board.liberties(n, &mut liberties);
            if liberties.len() == 2 {
                for &v in &liberties {
                    if gains_liberties(board, v, side) {
                        add(found, v);
                    }
                }
            }
        }
    }
}

/// Whether a stone of `side` on `v` has three liberties or more by itself and its neighbors.
fn gains_liberties(board: &Board, v: Point, side: Side) -> bool {
    let own = Color::of(side);
    let mut seen = ArrayVec::<Point, 3>::new();
    for n in v.neighbors() {
        if board.is_empty(n) {
            let _ = seen.try_push(n);
        } else if board.color(n) == own {
            let mut liberties = ArrayVec::<Point, 4>::new();
            board.liberties(n, &mut liberties);
            for l in liberties {
                if l != v && !seen.contains(&l) {
                    let _ = seen.try_push(l);
                }
            }
        }
        if seen.is_full() {
            return true;
        }
    }
    false
}

/// Largest eye space with a vital point.
const LARGEST_NAKADE: usize = 6;

/// The vital point of an eye space that the last move left or made, its owner being the opponent.
fn nakade_moves(board: &Board, last: Point, side: Side, found: &mut Candidates) {
    for n in last.neighbors() {
        if board.is_empty(n)
            && let Some(v) = vital_point(board, n, side.other())
        {
            add(found, v);
        }
    }
}

/// The vital point of the region of empty points around `v`, if the region is small, walled in by `owner`
/// alone and of a shape that one move settles: the point with the most neighbors inside, if it is the only
/// such point. Points with six empty ones or more around them are not looked at.
pub fn vital_point(board: &Board, v: Point, owner: Side) -> Option<Point> {
    let pattern = board.pattern(v).0;
    let around = (pattern | pattern >> 1) & 0x5555;
    if 8 - around.count_ones() as usize >= LARGEST_NAKADE {
        return None;
    }
    let wall = Color::of(owner);
    let mut region = ArrayVec::<Point, { LARGEST_NAKADE + 1 }>::new();
    region.push(v);
    let mut at = 0;
    while let Some(&u) = region.get(at) {
        at += 1;
        for n in u.neighbors() {
            let color = board.color(n);
            if color == Color::Empty {
                if !region.contains(&n) {
                    region.push(n);
                    if region.is_full() {
                        return None;
                    }
                }
            } else if color != wall && color != Color::Border {
                return None;
            }
        }
    }
    let inside = |u: Point| u.neighbors().iter().filter(|n| region.contains(n)).count();
    let vital = *region.iter().max_by_key(|&&u| inside(u))?;
    let max = inside(vital);
    let unique = region.iter().filter(|&&u| inside(u) == max).count() == 1;
    // Three in a row or bent, T four, crossed and bulky five, rabbitty six. Four in a row lives as it is.
    let settles = match region.len() {
        3 => max == 2,
        4 => max == 3,
        5 => max >= 3,
        6 => max == 4,
        _ => false,
    };
    (settles && unique).then_some(vital)
}

/// Whether the empty point `v` is the vital point of the eye space it lies in, be it one's own or the
/// opponent's.
pub fn is_vital(board: &Board, v: Point) -> bool {
    [BLACK, WHITE].into_iter().any(|owner| vital_point(board, v, owner) == Some(v))
}

/// Shapes on the eight points around `v`, if they are no self-atari.
fn shape_moves(board: &Board, v: Point, side: Side, found: &mut Candidates) {
    for n in v.neighbors().into_iter().chain(v.diagonals()) {
        if board.is_empty(n) && shape::is_any(board.pattern(n)) && !board.is_self_atari(n, side) {
            found.push(n);
        }
    }
}

/// Draws uniformly from what is legal, no own eye and no foolish self-atari.
fn random_move(board: &mut Board, policy: &Policy, rng: &mut Rng) -> Point {
    let side = board.side_to_move();
    let mut n = board.empty_count();
    while n > 0 {
        let i = rng.below(n);
        let v = board.empty_at(i);
        if !board.is_eye_like(v, side)
            && board.is_legal(v, side)
            && !(board.is_self_atari(v, side) && is_refused(board, v, side, policy, rng))
        {
            return v;
        }
        // Out of the draw: what remains is drawn from uniformly.
        n -= 1;
        board.swap_empties(i, n);
    }
    Point::PASS
}

/// Whether to refuse a self-atari: never when a few stones fill the eye space of a chain that has no other
/// liberties (taken, they leave a shape that dies); always when many stones would be lost.
fn is_refused(board: &Board, v: Point, side: Side, policy: &Policy, rng: &mut Rng) -> bool {
    let (own, enemy) = (Color::of(side), Color::of(side.other()));
    let stones: u32 =
        v.neighbors().into_iter().filter(|&n| board.color(n) == own).map(|n| board.chain_size(n)).sum();
    let fills_eye = |n: Point| {
        board.color(n) == enemy && board.pseudo_liberties(n) <= 8 && board.liberty_count(n, 3) <= 2
    };
    if stones < DYING_SHAPE && v.neighbors().into_iter().any(fills_eye) {
        return false;
    }
    stones >= LARGEST_SACRIFICE || (rng.next_u64() as u8) < policy.self_atari
}

#[cfg(test)]
#[path = "policy_tests.rs"]
pub(super) mod tests;
