//! The engine's own search as a player.

use super::{Found, MoveSearcher, NodeLimits};
use crate::game::{Game, Text};
use crate::search::alphabeta::budget::SearchLimits;
use crate::search::alphabeta::iterate::Task;
use crate::search::alphabeta::score::is_decisive;
use crate::search::alphabeta::{Evaluator, Shared, Worker};
use crate::search::limits::StopFlag;
use crate::search::tt::MemoryError;
use std::sync::Arc;

/// A table this small stays in the second-level cache, and is cleared in no time.
const TABLE_MIB: usize = 2;

/// One search thread with a small table of its own.
pub struct Searcher<E: Evaluator> {
    worker: Worker<E>,
    shared: Arc<Shared>,
}

impl<E: Evaluator> Searcher<E> {
    pub fn new(eval: E) -> Result<Self, MemoryError> {
        let shared = Arc::new(Shared::new(1, TABLE_MIB, Arc::new(StopFlag::default()))?);
        Ok(Self { worker: Worker::new(0, eval, Arc::clone(&shared)), shared })
    }
}

impl<E: Evaluator<Game: Text>> MoveSearcher for Searcher<E> {
    type Game = E::Game;

    fn new_game(&mut self) {
        self.worker.clear();
        self.shared.table.clear_part(0, 1);
    }

    fn search(&mut self, pos: &E::Game, limits: NodeLimits) -> Found<<E::Game as Game>::Move> {
        let limits = SearchLimits {
            soft_nodes: Some(limits.soft),
            hard_nodes: Some(limits.hard),
            ..SearchLimits::default()
        };
        let task = Task::new(pos.clone(), limits);
        self.worker.search_alone(&task);
        let best = &self.worker.root_moves[0];
        Found {
            mv: best.mv,
            score: best.score,
            is_mate: is_decisive(best.score),
            nodes: self.shared.total_nodes(),
        }
    }
}
