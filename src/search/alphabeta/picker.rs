//! Staged move picker: hash move, good captures, quiets, bad captures.
//!
//! Yields pseudo-legal moves lazily, because most cut nodes need only the first.
//! Source: <https://www.chessprogramming.org/Move_Ordering>.

use super::Evaluator;
use super::history::{Context, Histories};
use crate::game::{AlphaBetaGame, Game, MoveList};
use arrayvec::ArrayVec;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hash,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    GenerateChecks,
    Checks,
    BadCaptures,
    Done,
}

const PLACE_BITS: i32 = 8;
/// Captures, and other moves, that are looked at. Only positions beyond promotions have more; room for a
/// [`MoveList`] here costs speed.
const MAX_MOVES: usize = 1 << PLACE_BITS;
const LAST_PLACE: i32 = (1 << PLACE_BITS) - 1;
const TAKEN: i32 = i32::MIN;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    All,
    /// Captures whose exchange gains at least this much.
    Captures(i32),
    /// Captures, and then other checks, that lose nothing in exchanges.
    CapturesAndChecks,
}

/// Yields the moves of one node, best first.
pub struct Picker<M> {
    stage: Stage,
    wanted: Wanted,
    hash_move: Option<M>,
    moves: ArrayVec<M, MAX_MOVES>,
    /// For each of them its score and, in the low byte, its place counted from the back; [`TAKEN`] once it
    /// was yielded. The best move is the largest number, found without a branch.
    keys: ArrayVec<i32, MAX_MOVES>,
    /// Score of the move yielded last.
    score: i32,
    bad: ArrayVec<M, 128>,
    next_bad: usize,
    skip_quiets: bool,
    checks_alone: bool,
}

impl<M: Copy + Eq> Picker<M> {
    /// A picker for a node. `hash_move` must be pseudo-legal there.
    pub fn new(hash_move: Option<M>, wanted: Wanted) -> Self {
        let stage = if hash_move.is_some() { Stage::Hash } else { Stage::GenerateCaptures };
        Self {
            stage,
            wanted,
            hash_move,
            moves: ArrayVec::new(),
            keys: ArrayVec::new(),
            score: 0,
            bad: ArrayVec::new(),
            next_bad: 0,
            skip_quiets: false,
            checks_alone: false,
        }
    }

    /// Yields no more quiet moves.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Yields no more quiet moves but those that give check.
    pub fn keep_checks<G: AlphaBetaGame<Move = M>>(&mut self, pos: &G) {
        if self.checks_alone {
            return;
        }
        self.checks_alone = true;
        if self.stage == Stage::Quiets {
            let gives_check = pos.check_test();
            let others = self.keys.iter_mut().zip(&self.moves).filter(|&(_, &mv)| !gives_check(mv));
            others.for_each(|(key, _)| *key = TAKEN);
        }
    }

    /// What the move yielded last was ordered by, if it is a quiet one other than the hash move.
    pub fn score(&self) -> i32 {
        self.score
    }

    /// The next move, pseudo-legal, never the same twice.
    pub fn next<E: Evaluator>(
        &mut self,
        pos: &E::Game,
        histories: &Histories<E>,
        context: &Context,
    ) -> Option<M>
    where
        E::Game: Game<Move = M>,
    {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::GenerateCaptures;
                    return self.hash_move;
                }
                Stage::GenerateCaptures => {
                    self.generate(
                        pos,
                        E::Game::captures,
                        |_| true,
                        |mv| {
                            let victim = pos.captured_kind(mv).map_or(0, E::Game::piece_value);
                            E::PARAMS.victim.get() * victim + histories.capture_score(pos, mv)
                        },
                    );
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best_left() {
                    Some(mv) => {
                        let threshold = match self.wanted {
                            Wanted::All => -self.score / E::PARAMS.good_capture_slack.get(),
                            Wanted::Captures(gain) => gain,
                            Wanted::CapturesAndChecks => 0,
                        };
                        if pos.see_ge(mv, threshold) {
                            return Some(mv);
                        }
                        if self.wanted == Wanted::All && !self.bad.is_full() {
                            self.bad.push(mv);
                        }
                    }
                    None => {
                        self.stage = match self.wanted {
                            Wanted::All => Stage::GenerateQuiets,
                            Wanted::Captures(_) => Stage::Done,
                            Wanted::CapturesAndChecks => Stage::GenerateChecks,
                        }
                    }
                },
                Stage::GenerateQuiets => {
                    if !self.skip_quiets {
                        let (gives_check, all) = (pos.check_test(), !self.checks_alone);
                        let score = histories.quiet_scores(pos, context);
                        self.generate(pos, E::Game::quiets, |mv| all || gives_check(mv), score);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.best_left() {
                    Some(mv) if !self.skip_quiets => return Some(mv),
                    _ => self.stage = Stage::BadCaptures,
                },
                Stage::GenerateChecks => {
                    let score = histories.quiet_scores(pos, context);
                    self.generate(pos, E::Game::quiets, pos.check_test(), score);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => match self.best_left() {
                    Some(mv) if pos.see_ge(mv, 0) => return Some(mv),
                    Some(_) => (),
                    None => self.stage = Stage::Done,
                },
                Stage::BadCaptures => match self.bad.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn generate<G: AlphaBetaGame<Move = M>>(
        &mut self,
        pos: &G,
        moves: impl Fn(&G, &mut MoveList<M>),
        wanted: impl Fn(M) -> bool,
        score: impl Fn(M) -> i32,
    ) {
        let mut list = MoveList::new();
        moves(pos, &mut list);
        self.moves.clear();
        self.keys.clear();
        for &mv in list.iter().take(MAX_MOVES) {
            if Some(mv) != self.hash_move && wanted(mv) {
                let place = LAST_PLACE - self.moves.len() as i32;
                self.keys.push(score(mv) << PLACE_BITS | place);
                self.moves.push(mv);
            }
        }
    }

    /// Takes the best move not yet taken: a selection sort that stops when the node is cut.
    #[inline]
    fn best_left(&mut self) -> Option<M> {
        let best = self.keys.iter().fold(TAKEN, |best, &key| best.max(key));
        if best == TAKEN {
            return None;
        }
        let at = (LAST_PLACE - (best & LAST_PLACE)) as usize;
        self.keys[at] = TAKEN;
        self.score = best >> PLACE_BITS;
        Some(self.moves[at])
    }
}
