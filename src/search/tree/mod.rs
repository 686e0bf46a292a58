//! Monte-Carlo tree search, for games that have no good evaluation of a quiet position but a good one of a
//! finished game.
//!
//! The tree is a graph: positions reached by different orders of moves share one node, found by its key
//! in the shared table. Threads search it together without locks. The parts in the order of one playout:
//! [`select`] walks down, `worker` makes a node and has the [`evaluate::LeafEvaluator`] play the rest, adds
//! the outcome on the way back; [`choose`] reads the root. [`gumbel`] spends few visits at a root. [`arena`]
//! and [`graph`] hold the nodes in a fixed amount of memory: when it is full the search pauses, drops the
//! least visited nodes, and goes on. Source: <https://www.chessprogramming.org/Monte-Carlo_Tree_Search>.

pub mod arena;
pub mod bench;
pub mod choose;
pub mod evaluate;
pub mod graph;
pub mod gumbel;
pub mod round;
pub mod select;
pub mod stat;
pub mod tally;
mod worker;

pub use choose::{RootChild, SearchReport};
pub use evaluate::{Evaluated, LeafEvaluator, LeafOutcome, Tuning};
pub use round::{Restriction, TreeLimits};

use crate::clock::manager::Timer;
use crate::errors;
use crate::game::TreeGame;
use crate::search::limits::StopFlag;
use crate::search::pool::Pool;
use crate::search::tt::MemoryError;
use crate::util::memory;
use crate::util::message::Message;
use crate::util::sync::lock;
use arena::{Node, NodeId};
use crossbeam::channel::{Receiver, Sender, unbounded};
use graph::Graph;
use gumbel::Plan;
use round::{End, Ending, Round};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tally::Tally;
use worker::Worker;

/// Maximum playouts between two checks, by the first thread, of whether the choice is settled.
const LEAD_INTERVAL: u64 = 32;

/// Minimum of playouts of a search whose visits an earlier one has made already: its scores and owners come
/// from its own.
pub const MIN_FRESH: u64 = 16;

/// A tree search with its threads and its memory. What it learned stays until [`clear`](Self::clear), so
/// that the next search of the same game goes on from there.
pub struct TreeSearch<G: TreeGame, E> {
    pool: Pool,
    workers: Vec<Arc<Mutex<Worker<G, E>>>>,
    graph: Arc<Graph>,
    evaluator: E,
    seed: u64,
    /// The outcomes of the last search and the key of its root, as long as its tree is kept.
    last: Option<(u64, Arc<Tally>)>,
}

errors! {
    /// Why a search could not be set up as asked.
    pub enum SetupError from MemoryError => Memory {
        Memory(cause: MemoryError) = "{cause}" | "{cause}",
        /// No memory for what each thread has to itself.
        Workers(threads: usize) = "no memory for {threads} threads" | "没有内存给 {threads} 个线程",
        Threads(threads: usize, cause: Message) =
            "no {threads} threads: {cause}" | "启动不了 {threads} 个线程：{cause}",
    }
}

impl<G: TreeGame, E: LeafEvaluator<G>> TreeSearch<G, E> {
    /// A search by `threads` threads in `hash_mib` MiB (256 KiB at least).
    pub fn new(evaluator: E, threads: usize, hash_mib: usize) -> Result<Self, SetupError> {
        let graph = Arc::new(Graph::new(hash_mib)?);
        let (pool, workers) = (new_pool(threads)?, Vec::new());
        let mut search = Self { pool, workers, graph, evaluator, seed: 0, last: None };
        search.renew_workers();
        Ok(search)
    }

    /// Changes the number of threads. Nothing is forgotten.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), SetupError> {
        self.pool = new_pool(threads)?;
        self.renew_workers();
        Ok(())
    }

    /// Changes the memory and forgets everything. The old memory is given back first.
    /// # Errors
    /// When the system does not give it; the search then has the least memory it can work with.
    pub fn set_hash(&mut self, hash_mib: usize) -> Result<(), SetupError> {
        self.last = None;
        self.graph = Arc::new(Graph::new(0)?);
        self.graph = Arc::new(Graph::new(hash_mib)?);
        Ok(())
    }

    /// Random numbers come from this seed: with one thread, a visit limit and nothing remembered a search
    /// then always gives the same result.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Changes how positions are evaluated. Nothing is forgotten: what evaluators of different
    /// [salt](Evaluator::salt) find out is kept apart.
    pub fn set_evaluator(&mut self, evaluator: E) {
        for worker in &self.workers {
            lock(worker).evaluator = evaluator.clone();
        }
        self.evaluator = evaluator;
        self.last = None;
    }

    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    pub fn threads(&self) -> usize {
        self.pool.len()
    }

    /// Forgets everything: for a new game, or when komi or rules change.
    pub fn clear(&mut self) {
        self.graph.clear();
        self.last = None;
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Goes on from what another search remembered.
    pub fn adopt(&mut self, graph: Graph) {
        self.graph = Arc::new(graph);
        self.last = None;
    }

    /// Searches `pos` until `timer`, `stop` or `params` end it, calling `each` for every intermediate report,
    /// and returns the last report. Its `moves` are empty only if the game is over or every move is
    /// forbidden. At least one playout is made, even if `stop` is set already: no move is proposed unseen.
    pub fn search(
        &mut self,
        pos: &G,
        mut params: TreeLimits<G::Move>,
        stop: &Arc<StopFlag>,
        timer: &Arc<Timer>,
        each: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move> {
        let Some(mut root) = self.prepare_root(pos) else { return SearchReport::empty() };
        if stat::is_full(self.graph.node(root).own()) {
            self.graph.clear();
            let Some(anew) = self.prepare_root(pos) else { return SearchReport::empty() };
            root = anew;
        }
        let node = self.graph.node(root);
        let visits = u64::from(node.total().visits);
        if let Some(limit) = params.visits.as_mut().filter(|_| visits > 0) {
            *limit = (*limit).max(visits.saturating_add(params.fresh));
        }
        let params = Arc::new(params);
        // The priors of the root are as before when the search ends.
        let priors: Vec<f32> = (0..node.len()).map(|i| node.prior(i)).collect();
        fold_priors::<G>(node, &params.images);
        let tally = Tally::new(node.len(), pos.move_space(), visits);
        let tally = if params.moves_ownership { tally.with_moves_ownership() } else { tally };
        // A search by plan counts only its own visits.
        let earlier = self.last.take().filter(|(key, _)| *key == pos.graph_key() && visits > 0);
        let tally = Arc::new(match earlier.filter(|_| params.gumbel.is_none()) {
            Some((_, earlier)) => tally.continuing(&earlier),
            None => tally,
        });
        self.last = Some((pos.graph_key(), Arc::clone(&tally)));
        let tuning = self.evaluator.tuning(pos);
        let plan = params.gumbel.map(|gumbel| {
            let side = pos.side_to_move();
            let is_barred = |i| params.is_barred(0, side, G::unpack(node.mv(i)));
            let playouts = params.visits.unwrap_or(0).saturating_sub(visits);
            Arc::new(Plan::new(gumbel, node, playouts, is_barred))
        });
        loop {
            let round = Arc::new(Round {
                graph: Arc::clone(&self.graph),
                pos: pos.clone(),
                root,
                tuning,
                stop: Arc::clone(stop),
                timer: Arc::clone(timer),
                params: Arc::clone(&params),
                plan: plan.clone(),
                tally: Arc::clone(&tally),
                ending: Ending::default(),
            });
            self.run(&round, each);
            if round.end() != End::Full {
                let report = choose::report(&round);
                if !params.images.is_empty() {
                    let node = self.graph.node(root);
                    priors.into_iter().enumerate().for_each(|(i, prior)| node.set_prior(i, prior));
                }
                return report;
            }
            root = self.graph.shrink(root);
        }
    }

    /// Seeds the workers and finds or makes the root.
    fn prepare_root(&mut self, pos: &G) -> Option<NodeId> {
        if pos.is_over() {
            return None;
        }
        for (i, worker) in self.workers.iter().enumerate() {
            let stream = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            lock(worker).seed(self.seed ^ pos.graph_key() ^ stream);
        }
        let mut first = lock(&self.workers[0]);
        if let Some(root) = first.expand_root(&self.graph, pos) {
            return Some(root);
        }
        self.graph.clear();
        first.expand_root(&self.graph, pos)
    }

    /// One round on all threads; reports are made on the caller's.
    fn run(&self, round: &Arc<Round<G>>, each: &mut dyn FnMut(&SearchReport<G::Move>)) {
        let (due, reports): (Sender<()>, Receiver<()>) = unbounded();
        let (workers, shared) = (self.workers.clone(), Arc::clone(round));
        let pending = self.pool.launch(move |i| {
            let mut worker = lock(&workers[i]);
            if i == 0 { lead_round(&mut worker, &shared, &due) } else { follow_round(&mut worker, &shared) }
        });
        // Ends when the last thread drops the job and with it the sender.
        for () in reports {
            each(&choose::report(round));
        }
        pending.join();
    }

    fn renew_workers(&mut self) {
        let worker = || Arc::new(Mutex::new(Worker::new(self.evaluator.clone())));
        self.workers = std::iter::repeat_with(worker).take(self.pool.len()).collect();
    }
}

/// Gives the priors of images to the moves that are searched in their place. A move of prior 0 is looked at
/// only where no other may be played.
fn fold_priors<G: TreeGame>(node: Node<'_>, images: &[(G::Move, G::Move)]) {
    let place = |mv| (0..node.len()).find(|&i| G::unpack(node.mv(i)) == mv);
    for &(image, kept) in images {
        if let (Some(from), Some(to)) = (place(image), place(kept)) {
            node.set_prior(to, node.prior(to) + node.prior(from));
            node.set_prior(from, 0.0);
        }
    }
}

fn new_pool(threads: usize) -> Result<Pool, SetupError> {
    let pool = Pool::new(threads).map_err(|cause| SetupError::Threads(threads, cause.into()))?;
    match memory::can_allocate(threads.saturating_mul(WORKER_BYTES)) {
        true => Ok(pool),
        false => Err(SetupError::Workers(threads)),
    }
}

/// Bytes that a thread may take besides its stack and its share of the tree: boards, playouts, evaluations.
const WORKER_BYTES: usize = 8 << 20;

/// Simulates until the round is ended.
fn follow_round<G: TreeGame, E: LeafEvaluator<G>>(worker: &mut Worker<G, E>, round: &Round<G>) {
    let limit = round.params.visits.unwrap_or(u64::MAX).min(stat::FULL_VISITS.into());
    while round.end() == End::Running {
        if (round.stop.is_set() && round.tally.playouts() > 0) || round.tally.ticket() >= limit {
            return round.finish(End::Done);
        }
        worker.simulate(round);
        if round.graph.is_full() {
            round.finish(End::Full);
        }
    }
}

/// As [`follow_round`], and watches the clock for all.
fn lead_round<G: TreeGame, E: LeafEvaluator<G>>(
    worker: &mut Worker<G, E>,
    round: &Round<G>,
    due: &Sender<()>,
) {
    let limit = round.params.visits.unwrap_or(u64::MAX).min(stat::FULL_VISITS.into());
    let mut next_report = round.params.report_every.map(|every| round.timer.elapsed() + every);
    let mut count = 0;
    let interval = LEAD_INTERVAL.min(round.tuning.min_playouts);
    while round.end() == End::Running {
        if (round.stop.is_set() && round.tally.playouts() > 0) || round.tally.ticket() >= limit {
            return round.finish(End::Done);
        }
        worker.simulate(round);
        count += 1;
        let settled = count % interval == 0 && is_settled(round);
        if settled || round.timer.hard_reached() || has_best_visits(round) {
            return round.finish(End::Done);
        }
        if round.graph.is_full() {
            round.finish(End::Full);
        }
        if let (Some(next), Some(every)) = (next_report, round.params.report_every)
            && round.timer.elapsed() >= next
        {
            next_report = Some(round.timer.elapsed() + every.max(Duration::from_millis(1)));
            // A send fails only when the caller is gone.
            let _ = due.send(());
        }
    }
}

/// Whether a move has the visits that are enough.
fn has_best_visits<G: TreeGame>(round: &Round<G>) -> bool {
    round.params.best_visits.is_some_and(|enough| choose::max_visits(round) >= enough)
}

/// Whether the time to aim at is over and the choice clear, or no other move can become the most visited
/// in the time that is left. Without a clock, or on the opponent's, never.
fn is_settled<G: TreeGame>(round: &Round<G>) -> bool {
    if round.timer.is_pondering() {
        return false;
    }
    let Some(budget) = round.timer.budget() else { return false };
    let playouts = round.tally.playouts();
    if playouts < round.tuning.min_playouts {
        return false;
    }
    let lead = choose::lead(round, round.root);
    if round.timer.soft_reached(1.0) && lead.agreed {
        return true;
    }
    let elapsed = round.timer.elapsed();
    let aim = if elapsed < budget.soft { budget.soft } else { budget.hard };
    let left = aim.saturating_sub(elapsed).as_secs_f64();
    let expected = playouts as f64 * left / elapsed.as_secs_f64().max(1e-6);
    round.params.stop_early && lead.visits as f64 > expected
}

#[cfg(test)]
mod tests;
