//! How a game ends before a side is out of moves: by theory, without progress, by repetition.

use super::board::Board;
use super::repetition::CycleCache;
use super::repetition::in_search::CycleVerdict;
use super::rules::{NoProgress, RuleSet, USUAL_LIMIT};
use super::types::{Kind, Move};
use crate::game::{Game, Side, Verdict};

impl Board {
    /// Whether the game is drawn at once because neither side can win by recognized theory (XQ-D14): never
    /// while a mate in one is there, or the side to move has no move.
    #[inline]
    pub fn is_dead(&self) -> bool {
        let any = |kind| !(self.pieces(Side::First, kind) | self.pieces(Side::Second, kind)).is_empty();
        if any(Kind::Soldier) || any(Kind::Chariot) || any(Kind::Horse) {
            return false;
        }
        self.cannons_cannot_win() && self.has_legal_move() && !self.mates_in_one()
    }

    /// Whether, with only cannons, advisors and elephants on the board, neither side can win but by a mate
    /// in one. Advisors are a cannon's screens, one's own and the enemy's.
    fn cannons_cannot_win(&self) -> bool {
        let count = |side, kind| self.pieces(side, kind).count();
        let cannons = |side| count(side, Kind::Cannon);
        let lone = match (cannons(Side::First), cannons(Side::Second)) {
            (0, 0) => return true,
            (1, 1) => return count(Side::First, Kind::Advisor) + count(Side::Second, Kind::Advisor) == 0,
            (1, 0) => Side::First,
            (0, 1) => Side::Second,
            _ => return false,
        };
        let lacks_screens = count(lone.other(), Kind::Advisor) < 2 || count(lone, Kind::Elephant) == 0;
        count(lone, Kind::Advisor) == 0 && lacks_screens
    }

    /// Whether a move leaves the opponent without one: mated, or stalemated, which loses too.
    #[cold]
    fn mates_in_one(&self) -> bool {
        let mut board = self.without_history();
        self.legal().into_iter().any(|mv| {
            board.do_move(mv, &mut ());
            let wins = !board.has_legal_move();
            board.undo_move();
            wins
        })
    }

    /// Whether the game is drawn because nothing was captured for too long. A side without a move has lost
    /// first.
    pub fn is_without_progress(&self) -> bool {
        match self.limits.no_progress {
            NoProgress::Unlimited => false,
            NoProgress::Plies(limit) => self.state.rule_counter >= limit && self.has_legal_move(),
        }
    }

    /// Plies since the last capture, those before the FEN included.
    pub fn plies_without_capture(&self) -> u16 {
        self.state.rule_counter
    }

    /// Plies without a capture, on the scale of the usual limit: a search takes care of the rule as it comes
    /// near.
    #[inline(always)]
    pub(super) fn rule_counter(&self) -> u16 {
        match self.limits.no_progress {
            NoProgress::Plies(USUAL_LIMIT) => self.state.rule_counter,
            NoProgress::Plies(limit) => {
                let counter = u32::from(self.state.rule_counter.min(limit));
                (counter * u32::from(USUAL_LIMIT) / u32::from(limit).max(1)) as u16
            }
            NoProgress::Unlimited => 0,
        }
    }

    /// Plies without a capture that are left before the game is drawn.
    #[inline(always)]
    pub(super) fn plies_left(&self) -> i32 {
        match self.limits.no_progress {
            NoProgress::Plies(limit) => i32::from(limit) - i32::from(self.state.rule_counter),
            NoProgress::Unlimited => i32::from(u16::MAX),
        }
    }

    /// Whether a position of the reversible past, this one included, has occurred twice.
    pub fn has_repeated(&self) -> bool {
        let reach = (self.state.reversible as usize).min(self.history.len());
        let past = self.history[self.history.len() - reach..].iter();
        let mut keys: Vec<u64> = past.map(|state| state.key).chain([self.state.key]).collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The earlier occurrences of the position within the reversible past, two at most.
    pub(super) fn earlier_occurrences(&self) -> Option<Earlier> {
        let reach = (self.state.reversible as usize).min(self.history.len());
        let mut last = None;
        for ago in (4..=reach).step_by(2) {
            if self.history[self.history.len() - ago].key == self.state.key {
                match last {
                    None => last = Some(ago),
                    Some(last) => return Some(Earlier { last, first: Some(ago) }),
                }
            }
        }
        last.map(|last| Earlier { last, first: None })
    }

    /// Whether the position has occurred twice before: the moment when a repetition is judged.
    pub fn is_third_occurrence(&self) -> bool {
        self.earlier_occurrences().is_some_and(|earlier| earlier.first.is_some())
    }

    /// Legal moves that make a position occur for the third time, with this verdict on it for the opponent.
    pub fn moves_that_repeat(&self, verdict: Verdict) -> Vec<Move> {
        // The position must have occurred twice, four plies apart, before a move makes it three times.
        if self.state.reversible < 7 {
            return Vec::new();
        }
        let mut moves = self.legal();
        let mut board = self.clone();
        moves.retain(|mv| {
            board.do_move(*mv, &mut ());
            let found = board.is_third_occurrence() && board.verdict() == verdict;
            board.undo_move();
            found
        });
        moves.to_vec()
    }

    /// The verdict of the rules on the position, seen from the side to move. `ply` is the distance from the
    /// search's root: a second occurrence decides if the first one lies inside the tree, because the side
    /// that must deviate could have done so there; otherwise it takes the third.
    pub(super) fn verdict_in_tree(&self, ply: usize, cycles: &mut CycleCache) -> Verdict {
        match self.earlier_occurrences() {
            Some(Earlier { first: Some(first), .. }) => return self.repetition_verdict(first, true, cycles),
            Some(Earlier { last, first: None }) if last < ply => {
                return self.expected(self.repetition_verdict(last, false, cycles));
            }
            _ => (),
        }
        if self.is_without_progress() || self.is_dead() { Verdict::Draw } else { Verdict::Ongoing }
    }

    /// What the verdict on a second occurrence proves. By the Chinese rules an attack more never makes a
    /// cycle allowed: who must deviate gains nothing by going round once more. By the Asian and the servers'
    /// rules it may, for example by a check among chases: there a loss is a draw at most, a win at least.
    fn expected(&self, verdict: Verdict) -> Verdict {
        match (self.limits.rules, verdict) {
            (RuleSet::Asian | RuleSet::Computer, Verdict::Win) => Verdict::AtLeastDraw,
            (RuleSet::Asian | RuleSet::Computer, Verdict::Loss) => Verdict::AtMostDraw,
            _ => verdict,
        }
    }

    fn repetition_verdict(&self, plies: usize, is_third: bool, cycles: &mut CycleCache) -> Verdict {
        let us = self.side;
        let checks =
            if self.limits.rules == RuleSet::None { (true, true) } else { self.perpetual_checks(plies) };
        // Checks are known from the history: this cycle needs no judge.
        let found = match checks {
            (true, true) => CycleVerdict::Draw,
            (true, false) => CycleVerdict::LostBy(us),
            (false, true) => CycleVerdict::LostBy(us.other()),
            (false, false) => cycles.verdict(self, plies, is_third),
        };
        match found {
            CycleVerdict::Draw => Verdict::Draw,
            CycleVerdict::LostBy(side) if side == us => Verdict::Loss,
            CycleVerdict::LostBy(_) => Verdict::Win,
            CycleVerdict::HeldBy(side) if side == us => Verdict::AtLeastDraw,
            CycleVerdict::HeldBy(_) => Verdict::AtMostDraw,
            CycleVerdict::RiskedBy(side) if side == us => Verdict::AtMostDraw,
            CycleVerdict::RiskedBy(_) => Verdict::AtLeastDraw,
        }
    }

    /// Whether every move in the last `plies` half-moves gave check: those of the side to move, and those
    /// of its opponent.
    pub(super) fn perpetual_checks(&self, plies: usize) -> (bool, bool) {
        let len = self.history.len();
        let gave_check = |ago: usize| {
            let state = if ago == 0 { &self.state } else { &self.history[len - ago] };
            !state.checkers.is_empty()
        };
        ((1..plies).step_by(2).all(gave_check), (0..plies).step_by(2).all(gave_check))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Earlier {
    /// Plies since the last one.
    pub last: usize,
    /// Plies since the one before that, if there is one: then this is the third, and what was played since
    /// the first is judged (XQ-D1).
    pub first: Option<usize>,
}
