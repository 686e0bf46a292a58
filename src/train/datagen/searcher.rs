//! The engine's own search as a player.

use super::{Found, NodeLimits, Player};
use crate::game::{Game, Observer, Text};
use crate::search::alphabeta::budget::Bounds;
use crate::search::alphabeta::iterate::Task;
use crate::search::alphabeta::score::is_decisive;
use crate::search::alphabeta::{Evaluator, Shared, Worker};
use crate::search::limits::StopFlag;
use crate::search::tt::MemoryError;
use crate::tune::Params;
use crate::util::rng::Rng;
use std::sync::Arc;

/// A table this small stays in the second-level cache, and is cleared in no time.
const TABLE_MIB: usize = 2;

/// One search thread with a small table of its own.
pub struct Searcher<E: Evaluator> {
    worker: Worker<Sampling<E>>,
    shared: Arc<Shared>,
}

impl<E: Evaluator> Searcher<E> {
    /// Plays by `eval`.
    /// # Errors
    /// When there is no memory for its table.
    pub fn new(eval: E) -> Result<Self, MemoryError> {
        let shared = Arc::new(Shared::new(1, TABLE_MIB, Arc::new(StopFlag::default()))?);
        Ok(Self { worker: Worker::new(0, Sampling::new(eval), Arc::clone(&shared)), shared })
    }
}

impl<E: Evaluator<Game: Text>> Player for Searcher<E> {
    type Game = E::Game;

    fn new_game(&mut self) {
        self.worker.clear();
        self.shared.table.clear_part(0, 1);
    }

    fn search(&mut self, pos: &E::Game, limits: NodeLimits) -> Found<<E::Game as Game>::Move> {
        let bounds =
            Bounds { soft_nodes: Some(limits.soft), hard_nodes: Some(limits.hard), ..Bounds::default() };
        let task = Task::new(pos.clone(), bounds);
        self.worker.search_alone(&task);
        let best = &self.worker.root_moves[0];
        Found {
            mv: best.mv,
            score: best.score,
            is_mate: is_decisive(best.score),
            nodes: self.shared.total_nodes(),
        }
    }

    fn search_leaves(
        &mut self,
        pos: &E::Game,
        limits: NodeLimits,
        count: usize,
        seed: u64,
        leaves: &mut Vec<E::Game>,
    ) -> Found<<E::Game as Game>::Move> {
        self.worker.eval.begin(count, seed);
        let found = self.search(pos, limits);
        leaves.append(&mut self.worker.eval.end());
        found
    }
}

/// An evaluation that remembers some of the positions it is asked for: each with the same chance.
/// <https://en.wikipedia.org/wiki/Reservoir_sampling>
#[derive(Clone)]
struct Sampling<E: Evaluator> {
    inner: E,
    /// How many to remember.
    wanted: usize,
    taken: Vec<E::Game>,
    /// How many positions were asked for.
    seen: usize,
    rng: Rng,
}

impl<E: Evaluator> Sampling<E> {
    fn new(inner: E) -> Self {
        Self { inner, wanted: 0, taken: Vec::new(), seen: 0, rng: Rng::new(0) }
    }

    fn begin(&mut self, wanted: usize, seed: u64) {
        (self.wanted, self.seen, self.rng) = (wanted, 0, Rng::new(seed));
    }

    fn end(&mut self) -> Vec<E::Game> {
        self.wanted = 0;
        std::mem::take(&mut self.taken)
    }

    fn sample(&mut self, pos: &E::Game) {
        self.seen += 1;
        if self.taken.len() < self.wanted {
            self.taken.push(pos.clone());
        } else if let Some(place) = self.taken.get_mut(self.rng.below(self.seen)) {
            place.clone_from(pos);
        }
    }
}

impl<E: Evaluator> Observer for Sampling<E> {
    #[inline(always)]
    fn added(&mut self, piece: usize, square: usize) {
        self.inner.added(piece, square);
    }

    #[inline(always)]
    fn removed(&mut self, piece: usize, square: usize) {
        self.inner.removed(piece, square);
    }
}

impl<E: Evaluator> Evaluator for Sampling<E> {
    type Game = E::Game;
    const PARAMS: &'static Params = E::PARAMS;

    fn reset(&mut self, pos: &E::Game) {
        self.inner.reset(pos);
    }

    #[inline(always)]
    fn push(&mut self) {
        self.inner.push();
    }

    #[inline(always)]
    fn pop(&mut self) {
        self.inner.pop();
    }

    #[inline(always)]
    fn evaluate(&mut self, pos: &E::Game) -> i32 {
        if self.wanted > 0 {
            self.sample(pos);
        }
        self.inner.evaluate(pos)
    }
}
