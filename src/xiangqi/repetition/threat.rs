//! Forced play by consecutive checks: mate threats (XQ-D7) and gains of material (XQ-D8).

use super::exchange::{self, Measure};
use crate::game::{Game, MoveList};
use crate::xiangqi::Board;
use std::collections::HashMap;

/// Checks in a row that a mate threat may take (XQ-D7).
const MATE_CHECKS: u8 = 8;
/// Checks in a row before the capture that a chase through checks may take.
const GAIN_CHECKS: u8 = 4;
/// In [`Solver::mates`]: a mate was found.
const MATE: u8 = u8::MAX;

/// Searches forced lines of checks, and remembers what it found.
pub(super) struct Solver {
    /// By key with the attacker to move: [`MATE`], or how many checks were searched in vain.
    mates: HashMap<u64, u8>,
    /// By key and checks left: the material won.
    gains: HashMap<(u64, u8), i32>,
    /// Positions that may still be visited.
    budget: u64,
    exhausted: bool,
}

impl Solver {
    /// A solver that gives up, and says so, after `budget` positions.
    pub fn new(budget: u64) -> Self {
        Self { mates: HashMap::new(), gains: HashMap::new(), budget, exhausted: false }
    }

    /// Whether answers may be wrong because the budget ran out.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Positions that it may still visit.
    pub fn budget_left(&self) -> u64 {
        self.budget
    }

    fn spend(&mut self) -> bool {
        self.exhausted |= self.budget == 0;
        self.budget = self.budget.saturating_sub(1);
        !self.exhausted
    }

    /// Whether the side to move mates by force, every move of it a check.
    pub fn mates(&mut self, board: &mut Board) -> bool {
        (1..=MATE_CHECKS).any(|checks| self.mates_within(board, checks))
    }

    fn mates_within(&mut self, board: &mut Board, checks: u8) -> bool {
        match self.mates.get(&board.key()) {
            Some(&MATE) => return true,
            Some(&searched) if searched >= checks => return false,
            _ => {}
        }
        if !self.spend() {
            return false;
        }
        let mut moves = MoveList::new();
        board.checks_into(&mut moves);
        let found = moves.iter().any(|&mv| {
            board.play(mv, &mut ());
            let forced = self.is_mated_within(board, checks - 1);
            board.take_back();
            forced
        });
        let known = match (found, moves.is_empty()) {
            (true, _) => MATE,
            (false, true) => MATE_CHECKS,
            (false, false) => checks,
        };
        self.mates.insert(board.key(), known);
        found
    }

    /// Whether every answer to a check loses to `checks` more.
    fn is_mated_within(&mut self, board: &mut Board, checks: u8) -> bool {
        if checks == 0 {
            return !board.has_legal_move();
        }
        let mut answers = MoveList::new();
        board.generate_legal(&mut answers);
        answers.into_iter().all(|mv| {
            board.play(mv, &mut ());
            let lost = self.mates_within(board, checks);
            board.take_back();
            lost
        })
    }

    /// The most material that the side to move wins by force with one check or more and then a capture
    /// that is neither a soldier's nor the general's.
    pub fn gain_by_checks(&mut self, board: &mut Board) -> i32 {
        self.checks_then_capture(board, GAIN_CHECKS)
    }

    fn checks_then_capture(&mut self, board: &mut Board, checks: u8) -> i32 {
        if checks == 0 || !self.spend() {
            return 0;
        }
        if let Some(&known) = self.gains.get(&(board.key(), checks)) {
            return known;
        }
        let mut moves = MoveList::new();
        board.checks_into(&mut moves);
        let mut best = 0;
        for mv in moves {
            let won = exchange::worth_at(board, mv.to());
            board.play(mv, &mut ());
            best = best.max(won + self.least_after_check(board, checks));
            board.take_back();
        }
        self.gains.insert((board.key(), checks), best);
        best
    }

    /// What is left to the checking side after the best answer to its check.
    fn least_after_check(&mut self, board: &mut Board, checks: u8) -> i32 {
        let mut answers = MoveList::new();
        board.generate_legal(&mut answers);
        let mut least = i32::MAX;
        for mv in answers {
            let lost = exchange::worth_at(board, mv.to());
            board.play(mv, &mut ());
            let more = best_capture(board).max(self.checks_then_capture(board, checks - 1));
            board.take_back();
            least = least.min(more - lost);
            if least <= 0 {
                break;
            }
        }
        // No answer is mate, which is a threat of its own; no material is counted for it.
        if least == i32::MAX { 0 } else { least }
    }
}

fn best_capture(board: &mut Board) -> i32 {
    let attacks = exchange::winning_captures(board, Measure::Exchange);
    attacks.iter().filter(|attack| !attack.is_exempt()).map(|attack| attack.gain).max().unwrap_or(0)
}
