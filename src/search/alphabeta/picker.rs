//! Staged move picker: hash move, good captures, quiets, bad captures.
//!
//! Yields pseudo-legal moves lazily, because most cut nodes need only the first.
//! Source: <https://www.chessprogramming.org/Move_Ordering>.

use super::history::{Context, Histories};
use crate::game::{AlphaBetaGame, MoveList};
use arrayvec::ArrayVec;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hash,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// Which moves a picker yields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Every move.
    All,
    /// Captures whose exchange gains at least this much.
    Captures(i32),
}

/// Yields the moves of one node, best first.
pub struct Picker<M> {
    stage: Stage,
    wanted: Wanted,
    hash_move: Option<M>,
    moves: ArrayVec<(i32, M), 256>,
    next: usize,
    bad: ArrayVec<M, 128>,
    next_bad: usize,
    skip_quiets: bool,
}

impl<M: Copy + Eq> Picker<M> {
    /// A picker for a node. `hash_move` must be pseudo-legal there.
    pub fn new(hash_move: Option<M>, wanted: Wanted) -> Self {
        let stage = if hash_move.is_some() { Stage::Hash } else { Stage::GenerateCaptures };
        let (moves, bad) = (ArrayVec::new(), ArrayVec::new());
        Self { stage, wanted, hash_move, moves, next: 0, bad, next_bad: 0, skip_quiets: false }
    }

    /// Yields no more quiet moves.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move, pseudo-legal, never the same twice.
    pub fn next<G: AlphaBetaGame<Move = M>>(
        &mut self,
        pos: &G,
        histories: &Histories<G>,
        context: &Context,
    ) -> Option<M> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::GenerateCaptures;
                    return self.hash_move;
                }
                Stage::GenerateCaptures => {
                    self.generate(pos, G::captures, |mv| {
                        let victim = pos.captured_kind(mv).map_or(0, G::piece_value);
                        16 * victim + histories.capture_score(pos, mv)
                    });
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best_left() {
                    Some((score, mv)) => {
                        let threshold = match self.wanted {
                            Wanted::All => -score / 64,
                            Wanted::Captures(gain) => gain,
                        };
                        if pos.see_ge(mv, threshold) {
                            return Some(mv);
                        }
                        if self.wanted == Wanted::All && !self.bad.is_full() {
                            self.bad.push(mv);
                        }
                    }
                    None if self.wanted == Wanted::All => self.stage = Stage::GenerateQuiets,
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateQuiets => {
                    if !self.skip_quiets {
                        self.generate(pos, G::quiets, |mv| histories.quiet_score(pos, mv, context));
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.best_left() {
                    Some((_, mv)) if !self.skip_quiets => return Some(mv),
                    _ => self.stage = Stage::BadCaptures,
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
        score: impl Fn(M) -> i32,
    ) {
        let mut list = MoveList::new();
        moves(pos, &mut list);
        self.moves.clear();
        self.next = 0;
        for mv in list {
            if Some(mv) != self.hash_move {
                self.moves.push((score(mv), mv));
            }
        }
    }

    /// Takes the best move not yet taken: a selection sort that stops when the node is cut.
    #[inline]
    fn best_left(&mut self) -> Option<(i32, M)> {
        let rest = self.moves.get_mut(self.next..)?;
        let (mut best, mut highest) = (0, rest.first()?.0);
        for (i, &(score, _)) in rest.iter().enumerate().skip(1) {
            if score > highest {
                (best, highest) = (i, score);
            }
        }
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0])
    }
}
