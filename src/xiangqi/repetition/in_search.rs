//! The judge inside the search: whether a side must deviate, within a budget, and remembered.
//!
//! [`judge_cycle`] is a function of the cycle only: not of where it was entered, of what was searched
//! before, or of what other threads do. Where the budget ends the search for threats the verdict is
//! one-sided. A [`CycleCache`] spares the work when the same cycle comes back in another branch; it changes
//! no answer.

use super::attack::{Depth, classify};
use super::chase::{NewAttack, common_victims};
use super::check::Solver;
use super::cycle::walk;
use crate::game::{Game, Side};
use crate::xiangqi::{Board, Move, RuleSet};

/// Positions that the search for threats may visit for a move of a cycle of the tree, and of the game itself.
const TREE_BUDGET: u64 = 100;
const GAME_BUDGET: u64 = 50_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::xiangqi) enum CycleVerdict {
    /// Neither side has to deviate.
    Draw,
    /// The side must deviate.
    LostBy(Side),
    /// The side is allowed to go on; whether its opponent is, remains open.
    HeldBy(Side),
    /// The side is forbidden to go on; whether its opponent is too, remains open.
    RiskedBy(Side),
}

/// Verdicts of cycles that were judged before: one thread's own. Empty until the first is put in.
#[derive(Default)]
pub struct CycleCache {
    /// By key: the last cycle of each slot.
    slots: Vec<Option<(u64, CycleVerdict)>>,
}

impl CycleCache {
    /// A power of two; 64 KiB.
    const SLOTS: usize = 4096;

    fn slot(key: u64) -> usize {
        (key >> 32) as usize % Self::SLOTS
    }

    fn get(&self, key: u64) -> Option<CycleVerdict> {
        let (known, verdict) = (*self.slots.get(Self::slot(key))?)?;
        (known == key).then_some(verdict)
    }

    fn put(&mut self, key: u64, verdict: CycleVerdict) {
        if self.slots.is_empty() {
            self.slots.resize(Self::SLOTS, None);
        }
        self.slots[Self::slot(key)] = Some((key, verdict));
    }

    /// Judges the last `plies` half-moves of `board`, which bring a position back. `is_real` says that the
    /// position has occurred for the third time, rather than that a search expects it to.
    pub(in crate::xiangqi) fn verdict(&mut self, board: &Board, plies: usize, is_real: bool) -> CycleVerdict {
        let rules = board.rule_set();
        let key = cycle_key(board, plies, is_real);
        if let Some(known) = self.get(key) {
            return known;
        }
        let budget = if is_real { GAME_BUDGET } else { TREE_BUDGET };
        let (start, moves) = board.cycle(plies);
        // Where nothing is known, most cycles turn out to be draws.
        let found = judge_cycle(&start, &moves, rules, budget).unwrap_or(CycleVerdict::Draw);
        self.put(key, found);
        found
    }
}

/// A key of the cycle that does not depend on where it is entered.
fn cycle_key(board: &Board, plies: usize, is_real: bool) -> u64 {
    let mut keys = board.recent_keys(plies);
    let mut last = board.key();
    let mut sum = board.rule_set() as u64 * 2 + u64::from(is_real);
    while let Some(key) = keys.next_back() {
        let edge = (key ^ last.rotate_left(21)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum = sum.wrapping_add(edge ^ edge >> 31);
        last = key;
    }
    (sum ^ sum >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// How much a move, or the least of a side's moves, attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Idle,
    /// The budget ran out before anything was found.
    Unknown,
    /// Only a soldier attacks (XQ-D11).
    BySoldier,
    Attack,
    /// Perpetual check (XQ-R6).
    Check,
}

/// Judges a cycle: `moves` lead from `start` back to it. For each move `budget` positions may be visited in
/// the search for mate threats and forced gains. `None` if that decides nothing for either side.
pub(in crate::xiangqi) fn judge_cycle(
    start: &Board,
    moves: &[Move],
    rules: RuleSet,
    budget: u64,
) -> Option<CycleVerdict> {
    use Level::{Attack, BySoldier, Check, Idle, Unknown};
    let (first, second) = (Side::First, Side::Second);
    let [red, black] = [first, second].map(|side| match rules {
        RuleSet::None => Idle,
        _ if checks_always(start, moves, side) => Check,
        RuleSet::Chinese => lowest(start, moves, side, budget),
        RuleSet::Asian | RuleSet::Computer if chases_one_piece(start, moves, side, rules) => Attack,
        RuleSet::Asian | RuleSet::Computer => Idle,
    });
    Some(match (red, black) {
        (Check, Check) | (Attack, Attack) | (Idle, Idle) => CycleVerdict::Draw,
        (Check, _) | (Attack, Idle) => CycleVerdict::LostBy(first),
        (_, Check) | (Idle, Attack) => CycleVerdict::LostBy(second),
        // Soldiers' attacks count where all pieces attack, and where they do not, nothing is forbidden: a
        // draw either way.
        (BySoldier, _) | (_, BySoldier) => CycleVerdict::Draw,
        (Idle, Unknown) => CycleVerdict::HeldBy(first),
        (Unknown, Idle) => CycleVerdict::HeldBy(second),
        (Attack, Unknown) => CycleVerdict::RiskedBy(first),
        (Unknown, Attack) => CycleVerdict::RiskedBy(second),
        (Unknown, Unknown) => return None,
    })
}

/// Whether every move of a side gives check.
fn checks_always(start: &Board, moves: &[Move], side: Side) -> bool {
    walk(start, moves, |cycle_move| cycle_move.board.side_to_move() != side || cycle_move.gives_check())
}

fn lowest(start: &Board, moves: &[Move], side: Side, budget: u64) -> Level {
    let mut solver = Solver::new(budget);
    let mut lowest = Level::Attack;
    walk(start, moves, |cycle_move| {
        if cycle_move.board.side_to_move() != side {
            return true;
        }
        let found = classify(cycle_move, RuleSet::Chinese, &mut solver, Depth::Enough);
        lowest = lowest.min(if found.is_attack() {
            Level::Attack
        } else if solver.is_exhausted() {
            Level::Unknown
        } else if found.is_soldiers_attack() {
            Level::BySoldier
        } else {
            Level::Idle
        });
        lowest != Level::Idle
    });
    lowest
}

/// Whether all moves of a side chase one and the same piece, and the rules mind.
fn chases_one_piece(start: &Board, moves: &[Move], side: Side, rules: RuleSet) -> bool {
    let mut solver = Solver::new(0);
    let mut chases: Vec<Vec<NewAttack>> = Vec::new();
    walk(start, moves, |cycle_move| {
        if cycle_move.board.side_to_move() != side {
            // Where any check counts, an opponent's does.
            return rules == RuleSet::Asian || !cycle_move.gives_check();
        }
        let found = classify(cycle_move, rules, &mut solver, Depth::Enough);
        chases.push(found.attacks);
        (rules == RuleSet::Asian || !found.checks)
            && !common_victims(chases.iter().map(Vec::as_slice)).is_empty()
    })
}
