//! Does a move attack 打? Asked by the judge and by the search, in the order of the price of an answer.

use super::chase::{self, NewAttack};
use super::check::Solver;
use super::cycle::CycleMove;
use crate::xiangqi::{Board, Kind, RuleSet};

/// How much is to be found out about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Depth {
    /// Whether it attacks at all.
    Enough,
    /// Also whether a chase is a mate threat, the stronger name, besides.
    Names,
}

/// What a rule set sees in a move.
#[derive(Debug, Default)]
pub(super) struct Classification {
    /// It gives check 将.
    pub checks: bool,
    /// It threatens mate 杀 (XQ-D7).
    pub threatens_mate: bool,
    /// The captures that it newly threatens, those that are idle by XQ-R7 and XQ-R8 included.
    pub attacks: Vec<NewAttack>,
    /// The gain that checks in a row force (XQ-D8); only asked for where nothing else attacks.
    pub forced: Option<Forced>,
}

/// Material that checks in a row win, in the units of XQ-D4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Forced {
    pub now: i32,
    pub before: i32,
}

impl Classification {
    /// Whether it threatens a capture that wins a piece 捉.
    pub fn chases(&self) -> bool {
        self.attacks.iter().any(|new| !new.attack.is_exempt())
    }

    pub fn is_attack(&self) -> bool {
        self.checks || self.threatens_mate || self.chases() || self.forced.is_some()
    }

    /// Whether a soldier attacks, which counts where all pieces attack (XQ-D11).
    pub fn is_soldiers_attack(&self) -> bool {
        self.attacks.iter().any(|new| new.attack.by == Kind::Soldier)
    }
}

/// Looks at a move through the eyes of a rule set. By the Chinese rules a check is nothing else.
pub(super) fn classify(
    cycle_move: &mut CycleMove,
    rules: RuleSet,
    solver: &mut Solver,
    depth: Depth,
) -> Classification {
    solver.begin_move();
    let mut found = Classification { checks: cycle_move.gives_check(), ..Classification::default() };
    if rules == RuleSet::None || (rules == RuleSet::Chinese && found.checks) {
        return found;
    }
    found.attacks = chase::new_attacks(cycle_move, rules);
    if rules == RuleSet::Chinese && (depth == Depth::Names || !found.chases()) {
        found.threatens_mate = cycle_move.afterwards(|board| solver.mates(board));
        if !found.is_attack() {
            found.forced = forced_gain(cycle_move, solver);
        }
    }
    found
}

/// What checks in a row win after the move, and what the side could win before it, if that is less (XQ-D8).
/// Not asked after a check.
fn forced_gain(cycle_move: &mut CycleMove, solver: &mut Solver) -> Option<Forced> {
    let now = cycle_move.afterwards(|board| solver.gain_by_checks(board));
    if now <= 0 {
        return None;
    }
    let before = could_win(cycle_move.board, solver);
    // A search that gave up may have missed an answer to the checks, or a gain that stood before.
    (now > before && !solver.is_exhausted()).then_some(Forced { now, before })
}

/// The most that the side to move wins by one capture, or by checks and one capture.
fn could_win(board: &mut Board, solver: &mut Solver) -> i32 {
    chase::best_standing_capture(board).max(solver.gain_by_checks(board))
}
