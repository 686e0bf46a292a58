//! Finds the cycle to judge, and the attacks that each of its moves brings about (XQ-D1, XQ-D2).

use super::exchange::{self, Attack, Measure};
use super::threat::Solver;
use crate::game::{AlphaBetaGame, Game};
use crate::xiangqi::types::SQUARES;
use crate::xiangqi::{Board, Move, Square};

/// The cycle to be judged: the half-moves `start..end` of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    /// How often the position has occurred when it is judged.
    pub occurrences: usize,
}

/// The cycle that the first third occurrence of a position completes, or else one that the last move
/// completes. `keys` are those of the positions before, between and after the moves.
pub(super) fn find(keys: &[u64]) -> Option<Span> {
    let earlier = |end: usize| (0..end).rev().filter(move |&start| keys[start] == keys[end]);
    let third = (0..keys.len()).find(|&end| earlier(end).count() >= 2);
    let end = third.unwrap_or(keys.len().checked_sub(1)?);
    let start = earlier(end).next()?;
    Some(Span { start, end, occurrences: earlier(end).count() + 1 })
}

/// A number that a piece keeps through the cycle, wherever it goes.
pub(super) type PieceId = u8;

/// Follows the pieces through a cycle, in which nothing is captured.
#[derive(Clone)]
pub(super) struct Tracker {
    ids: [PieceId; SQUARES],
}

impl Tracker {
    pub fn new() -> Self {
        let mut ids = [0; SQUARES];
        for (index, id) in ids.iter_mut().enumerate() {
            *id = index as PieceId;
        }
        Self { ids }
    }

    pub fn at(&self, sq: Square) -> PieceId {
        self.ids[sq.index()]
    }

    /// Follows a move; the number of the free point goes back to where the piece came from.
    pub fn follow(&mut self, mv: Move) {
        self.ids.swap(mv.from().index(), mv.to().index());
    }
}

/// Who attacks whom.
type Pair = (PieceId, PieceId);

/// An attack that a move brought about, and the numbers of the two pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NewAttack {
    pub attack: Attack,
    pub attacker: PieceId,
    pub victim: PieceId,
}

/// How the rules tell an attack that a move brings about from one that stood before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Novelty {
    /// The pair could not win material before (XQ-D2).
    Pair,
    /// Nor did a piece under attack stand its ground, its victim's roots being cut by another move.
    PairOrStand,
}

/// A move of the cycle with the position before it.
pub(super) struct Scene<'a> {
    /// With the mover to move; nothing but passed turns is left of its history.
    pub board: &'a mut Board,
    pub mv: Move,
    pub ids: &'a Tracker,
}

impl Scene<'_> {
    /// Attacks that the move brings about, those by the general and by soldiers included. After a check they
    /// are looked at as if the check were none.
    pub fn new_attacks(&mut self, measure: Measure, novelty: Novelty) -> Vec<NewAttack> {
        let mut after = self.ids.clone();
        after.follow(self.mv);
        let attacks = self.afterwards(|board| exchange::winning_captures(board, measure));
        if attacks.is_empty() {
            return Vec::new();
        }
        let stood = self.standing_pairs(measure, novelty);
        let number = |attack: Attack| NewAttack {
            attack,
            attacker: after.at(attack.from),
            victim: after.at(attack.to),
        };
        let is_new = |new: &NewAttack| !stood.contains(&(new.attacker, new.victim));
        attacks.into_iter().map(number).filter(is_new).collect()
    }

    /// Asks `question` of the position after the move, with the mover to move again.
    pub fn afterwards<T>(&mut self, question: impl FnOnce(&mut Board) -> T) -> T {
        self.board.play(self.mv, &mut ());
        self.board.pass();
        let answer = question(self.board);
        self.board.take_back();
        self.board.take_back();
        answer
    }

    /// Pairs that count as attacks from before the move.
    fn standing_pairs(&mut self, measure: Measure, novelty: Novelty) -> Vec<Pair> {
        let number = |attack: &Attack| (self.ids.at(attack.from), self.ids.at(attack.to));
        let mut pairs: Vec<Pair> =
            exchange::winning_captures(self.board, measure).iter().map(number).collect();
        if novelty == Novelty::PairOrStand {
            self.board.pass();
            let hunters = exchange::winning_captures(self.board, measure);
            self.board.take_back();
            for hunted in hunters.iter().filter(|attack| !attack.is_exempt()).map(|attack| attack.to) {
                pairs.extend(
                    self.aims_of(hunted).into_iter().map(|to| (self.ids.at(hunted), self.ids.at(to))),
                );
            }
        }
        pairs
    }

    /// Enemy points on which the mover's piece on `sq` could capture.
    fn aims_of(&self, sq: Square) -> Vec<Square> {
        let side = self.board.side_to_move();
        let aims = |&to: &Square| self.board.attackers(to, side, self.board.occupancy()).has(sq);
        self.board.of_side(side.other()).filter(aims).collect()
    }

    /// Whether the move threatens mate by checks in a row (XQ-D7). Not asked after a check.
    pub fn threatens_mate(&mut self, solver: &mut Solver) -> bool {
        self.afterwards(|board| solver.mates(board))
    }

    /// What checks in a row win after the move, and what the side could win before it, if that is less
    /// (XQ-D8). Not asked after a check.
    pub fn forces_more(&mut self, solver: &mut Solver) -> Option<Forced> {
        let now = self.afterwards(|board| solver.gain_by_checks(board));
        if now == 0 {
            return None;
        }
        let at_once = exchange::winning_captures(self.board, Measure::Exchange);
        let at_once = at_once.iter().map(|attack| attack.gain).max().unwrap_or(0);
        let before = at_once.max(solver.gain_by_checks(self.board));
        (now > before).then_some(Forced { now, before })
    }

    /// Whether the move gives check.
    pub fn gives_check(&self) -> bool {
        self.board.gives_check(self.mv)
    }
}

/// Material that checks in a row win, in the units of XQ-D4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Forced {
    pub now: i32,
    pub before: i32,
}
