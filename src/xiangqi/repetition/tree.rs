//! The judge inside the search: the same questions, asked in the order of their price, and remembered.
//!
//! Checks are known from the history, so a perpetual check costs nothing. Otherwise a side is allowed as soon as
//! one of its moves proves idle, and cycles that come back in other branches are found in a small table. Where
//! the search for threats runs out of its budget the verdict is one-sided. The budget is earned by moves made, so that
//! the judge costs a fixed share of the search, however often a position comes back.

use super::cycle::{NewAttack, Novelty, Scene, Tracker};
use super::exchange::Measure;
use super::judge::common_victims;
use super::threat::Solver;
use crate::game::{Game, Side};
use crate::xiangqi::{Board, Kind, Move, RuleSet};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// Positions that the search for threats may visit for a cycle of the tree, and for one of the game itself.
const TREE_BUDGET: u64 = 400;
const GAME_BUDGET: u64 = 50_000;
/// Such positions for which there is credit at the start, and for each [`EARNING_MOVES`].
const FIRST_CREDIT: i64 = 400;
const EARNED: i64 = 1;
/// What a cycle costs besides, in such positions: its moves are made and their exchanges counted.
const INQUIRY_COST: u64 = 4;
/// A power of two.
pub(in crate::xiangqi) const EARNING_MOVES: u32 = 64;

/// Remembered cycles; a power of two.
const SLOTS: usize = 4096;

/// What is known of a cycle.
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

impl CycleVerdict {
    const ALL: [Self; 7] = [
        Self::Draw,
        Self::LostBy(Side::First),
        Self::LostBy(Side::Second),
        Self::HeldBy(Side::First),
        Self::HeldBy(Side::Second),
        Self::RiskedBy(Side::First),
        Self::RiskedBy(Side::Second),
    ];
}

/// Verdicts of cycles that were judged before, shared by all copies of a board.
pub(in crate::xiangqi) struct Memory {
    /// The upper 60 bits of a cycle's key and, below, [`Self::PROVISIONAL`] and the verdict's index plus one; 0 is
    /// empty. Whole words, so that threads never see half an entry.
    slots: Box<[AtomicU64]>,
    /// Positions that cycles of the tree may still cost. Threads may overdraw it by a cycle each.
    credit: AtomicI64,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memory")
    }
}

impl Default for Memory {
    fn default() -> Self {
        let slots = (0..SLOTS).map(|_| AtomicU64::new(0)).collect();
        Self { slots, credit: AtomicI64::new(FIRST_CREDIT) }
    }
}

impl Memory {
    /// Set in verdicts that lack of credit left one-sided: good until there is credit again.
    const PROVISIONAL: u64 = 8;

    fn get(&self, key: u64, credit: u64) -> Option<CycleVerdict> {
        let word = self.slots[(key >> 32) as usize % SLOTS].load(Relaxed);
        if (word ^ key) & !15 != 0 || (word & Self::PROVISIONAL != 0 && credit >= TREE_BUDGET) {
            return None;
        }
        CycleVerdict::ALL.get(((word & 7) as usize).checked_sub(1)?).copied()
    }

    /// [`EARNING_MOVES`] more moves were made.
    pub fn earn(&self) {
        self.credit.fetch_add(EARNED, Relaxed);
    }

    fn put(&self, key: u64, verdict: CycleVerdict, is_final: bool) {
        let index = CycleVerdict::ALL.iter().position(|&other| other == verdict).unwrap_or(0);
        let flag = if is_final { 0 } else { Self::PROVISIONAL };
        self.slots[(key >> 32) as usize % SLOTS].store(key & !15 | flag | (index as u64 + 1), Relaxed);
    }
}

/// Judges the last `plies` half-moves of `board`, a cycle in which neither side checks perpetually. `is_real` says
/// that the position has occurred for the third time, rather than that a search expects it to.
pub(in crate::xiangqi) fn verdict(board: &Board, plies: usize, is_real: bool) -> CycleVerdict {
    if board.rule_set() == RuleSet::None {
        return CycleVerdict::Draw;
    }
    let key = cycle_key(board, plies, is_real);
    let credit = board.memory().credit.load(Relaxed).max(0).unsigned_abs();
    if let Some(known) = board.memory().get(key, credit) {
        return known;
    }
    let (start, moves) = board.cycle(plies);
    let (most, budget) =
        if is_real { (GAME_BUDGET, GAME_BUDGET) } else { (TREE_BUDGET, TREE_BUDGET.min(credit)) };
    let mut inquiry = Inquiry { start, moves, rules: board.rule_set(), solver: Solver::new(budget) };
    let found = inquiry.decide();
    if !is_real {
        let cost = INQUIRY_COST + budget - inquiry.solver.budget_left();
        board.memory().credit.fetch_sub(i64::try_from(cost).unwrap_or(0), Relaxed);
    }
    board.memory().put(key, found, budget == most || !inquiry.solver.is_exhausted());
    found
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
    /// A soldier alone attacks (XQ-D11).
    BySoldier,
    /// The budget ran out before anything was found.
    Unknown,
    Attack,
}

struct Inquiry {
    start: Board,
    moves: Vec<Move>,
    rules: RuleSet,
    solver: Solver,
}

impl Inquiry {
    fn decide(&mut self) -> CycleVerdict {
        let [red, black] = [Side::First, Side::Second].map(|side| match self.rules {
            RuleSet::Chinese => self.least(side),
            _ if self.chases_one_piece(side) => Level::Attack,
            _ => Level::Idle,
        });
        match (red, black) {
            (Level::Attack, Level::Idle) => CycleVerdict::LostBy(Side::First),
            (Level::Idle, Level::Attack) => CycleVerdict::LostBy(Side::Second),
            (Level::Idle, Level::Unknown) => CycleVerdict::HeldBy(Side::First),
            (Level::Unknown, Level::Idle) => CycleVerdict::HeldBy(Side::Second),
            (Level::Attack, Level::Unknown) => CycleVerdict::RiskedBy(Side::First),
            (Level::Unknown, Level::Attack) => CycleVerdict::RiskedBy(Side::Second),
            // With soldiers' attacks on both sides everybody attacks, or nobody is forbidden: a draw either way.
            _ => CycleVerdict::Draw,
        }
    }

    /// The least level among a side's moves.
    fn least(&mut self, side: Side) -> Level {
        let mut least = Level::Attack;
        let solver = &mut self.solver;
        walk(&self.start, &self.moves, side, |scene| {
            least = least.min(level(scene, solver));
            least != Level::Idle
        });
        least
    }

    /// Whether all moves of a side chase one and the same piece, and the rules mind.
    fn chases_one_piece(&self, side: Side) -> bool {
        let novelty = if self.rules == RuleSet::Asian { Novelty::PairOrStand } else { Novelty::Pair };
        let mut chases: Vec<Vec<NewAttack>> = Vec::new();
        let mut checked = false;
        let done = walk(&self.start, &self.moves, side, |scene| {
            checked |= scene.gives_check();
            chases.push(scene.new_attacks(Measure::Protection, novelty));
            !common_victims(chases.iter().map(Vec::as_slice)).is_empty()
        });
        done && !(self.rules == RuleSet::Computer && (checked || self.has_check(side.other())))
    }

    fn has_check(&self, side: Side) -> bool {
        !walk(&self.start, &self.moves, side, |scene| !scene.gives_check())
    }
}

/// Shows the moves of a side, one after the other, until `go_on` has seen enough; says whether it saw all.
fn walk(start: &Board, moves: &[Move], side: Side, mut go_on: impl FnMut(&mut Scene) -> bool) -> bool {
    let mut board = start.clone();
    let mut ids = Tracker::new();
    for &mv in moves {
        if board.side_to_move() == side && !go_on(&mut Scene { board: &mut board, mv, ids: &ids }) {
            return false;
        }
        board.play(mv, &mut ());
        ids.follow(mv);
    }
    true
}

fn level(scene: &mut Scene, solver: &mut Solver) -> Level {
    if scene.gives_check() {
        return Level::Attack;
    }
    let attacks = scene.new_attacks(Measure::Exchange, Novelty::Pair);
    if attacks.iter().any(|new| !new.attack.is_exempt()) {
        return Level::Attack;
    }
    if scene.threatens_mate(solver) || scene.forces_more(solver).is_some() {
        return Level::Attack;
    }
    if solver.is_exhausted() {
        Level::Unknown
    } else if attacks.iter().any(|new| new.attack.by == Kind::Soldier) {
        Level::BySoldier
    } else {
        Level::Idle
    }
}
