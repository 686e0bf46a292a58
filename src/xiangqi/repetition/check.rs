//! Forced play by checks in a row: mate threats 杀 (XQ-D7) and chases through checks 捉 (XQ-D8).

use super::chase;
use super::exchange::worth_at;
use crate::game::{AlphaBetaGame, Game, MoveList};
use crate::xiangqi::Board;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Checks in a row that a mate threat may take (XQ-D7).
const MATE_CHECKS: u8 = 8;
/// Checks in a row before the capture that a chase through checks may take (XQ-D8).
const GAIN_CHECKS: u8 = 4;
/// In [`Solver::mates`]: a mate was found.
const MATE: u8 = u8::MAX;
/// What a mate is worth among gains of material, in the units of [`worth_at`]: more than all pieces together.
pub(super) const MATE_GAIN: i32 = 1000;

/// Searches forced lines of checks, and remembers what it found for one move of a cycle.
#[derive(Default)]
pub(super) struct Solver {
    /// By key with the attacker to move: [`MATE`], or how many checks were searched in vain.
    mates: Memo<u64, u8>,
    /// By key with the attacker to move and checks left: the material won.
    gains: Memo<(u64, u8), i32>,
    /// Positions that may be visited for a move, and how many of them are left.
    per_move: u64,
    budget: u64,
    exhausted: bool,
}

impl Solver {
    /// A solver that gives up on a move, and reports it, after `budget` positions.
    pub fn new(budget: u64) -> Self {
        Self { per_move: budget, budget, ..Self::default() }
    }

    /// Before a move: the whole budget, and nothing remembered. So what is found of a move depends on nothing
    /// but the move.
    pub fn begin_move(&mut self) {
        self.mates.clear();
        self.gains.clear();
        self.budget = self.per_move;
        self.exhausted = false;
    }

    /// Whether answers on the move may be wrong because the budget ran out.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
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
            board.do_move(mv, &mut ());
            let forced = self.is_mated_within(board, checks - 1);
            board.undo_move();
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
        board.legal_moves(&mut answers);
        answers.into_iter().all(|mv| {
            board.do_move(mv, &mut ());
            let lost = self.mates_within(board, checks);
            board.undo_move();
            lost
        })
    }

    /// The most material that the side to move wins by force with one check or more and then a capture
    /// (XQ-D8): the minimax of checks and one capture. Both sides choose among their legal moves, and the
    /// side that checks may leave off after any answer. 0 if nothing is won.
    pub fn gain_by_checks(&mut self, board: &mut Board) -> i32 {
        self.gain_by(board, GAIN_CHECKS)
    }

    /// The same with a limit on the number of checks.
    pub fn gain_by(&mut self, board: &mut Board, checks: u8) -> i32 {
        if !self.spend() {
            return 0;
        }
        self.max_by_checks(board, checks, 0)
    }

    /// The most that a check, and up to `checks - 1` further ones, win; or `floor`, if that is more.
    fn max_by_checks(&mut self, board: &mut Board, checks: u8, floor: i32) -> i32 {
        let mut moves = MoveList::new();
        board.checks_into(&mut moves);
        let mut best = floor;
        for mv in moves {
            if board.is_capture(mv) && !chase::may_chase(board, mv) {
                continue;
            }
            let won = worth_at(board, mv.to());
            board.do_move(mv, &mut ());
            best = best.max(won + self.min_after_check(board, checks - 1, best - won));
            board.undo_move();
        }
        best
    }

    /// What is left to the checking side after the best answer to its check, exactly if that is more than
    /// `floor`.
    fn min_after_check(&mut self, board: &mut Board, checks: u8, floor: i32) -> i32 {
        let mut answers = MoveList::new();
        board.legal_moves(&mut answers);
        let mut lowest = MATE_GAIN;
        for mv in answers {
            let lost = worth_at(board, mv.to());
            board.do_move(mv, &mut ());
            lowest = lowest.min(self.max_after_answer(board, checks) - lost);
            board.undo_move();
            if lowest <= floor {
                break;
            }
        }
        lowest
    }

    /// What the checking side wins from here on: by leaving off, by a capture, or by up to `checks` further
    /// checks.
    fn max_after_answer(&mut self, board: &mut Board, checks: u8) -> i32 {
        if let Some(&known) = self.gains.get(&(board.key(), checks)) {
            return known;
        }
        if !self.spend() {
            return 0;
        }
        if board.in_check() && !board.has_legal_move() {
            return -MATE_GAIN;
        }
        let mut best = chase::best_capture(board);
        if checks > 0 {
            best = self.max_by_checks(board, checks, best);
        }
        self.gains.insert((board.key(), checks), best);
        best
    }
}

/// A map by keys of positions, which are random already.
type Memo<K, V> = HashMap<K, V, BuildHasherDefault<KeyHasher>>;

/// Mixes a key with the little that stands beside it.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
