//! From the limits of a `go` to threads that search: the clock, the root moves, the start, the reports.

use super::policy::Policy;
use super::report::{Reporter, thread_to_play};
use super::{AlphaBeta, Eval, NodeClock, Setup};
use crate::clock::TimeControl;
use crate::clock::manager::{Budget, Timer, spendable};
use crate::engine::Event;
use crate::game::Text;
use crate::message;
use crate::search::alphabeta::Move;
use crate::search::alphabeta::budget::SearchLimits;
use crate::search::alphabeta::iterate::{OnRootMove, Task};
use crate::search::alphabeta::score::MAX_PLY;
use crate::search::limits::{Limits, PATIENCE};
use crate::search::pool::Pending;
use crate::util::sync::lock;
use crossbeam::channel::{Sender, unbounded};
use std::sync::Arc;
use std::time::{Duration, Instant};

impl<S: Setup> AlphaBeta<S> {
    /// The listed moves that are legal at the root; the others are reported.
    pub(super) fn listed(&self, texts: &[String], events: &Sender<Event>) -> Vec<Move<Eval<S>>> {
        let read = |text: &String| match self.root.parse_move(text, self.notation) {
            Ok(mv) => Some(mv),
            Err(why) => {
                let remark = message!("left out of the root moves: {why}" | "不计入根着法：{why}", why);
                let _ = events.send(Event::Message(remark));
                None
            }
        };
        texts.iter().filter_map(read).collect()
    }

    /// Time and nodes as the search wants them.
    pub(super) fn bounds(&mut self, limits: &Limits) -> SearchLimits {
        let rate = self.settings.node_rate;
        // Time of the opponent cannot be counted in nodes.
        let in_nodes = rate > 0 && !limits.ponder;
        let clock = match limits.clock {
            Some(clock) if in_nodes => Some(self.read_node_clock(clock)),
            clock => clock,
        };
        let zero = Duration::ZERO;
        let (overhead, lag) = if in_nodes { (zero, zero) } else { (self.settings.overhead, limits.lag) };
        if let Some(timer) = &self.timer {
            self.waits.note_late(timer.longest_wait());
        }
        let plan = clock.map(|clock| {
            let waits = if in_nodes { zero } else { self.waits.reserve(spendable(&clock)) };
            Budget::plan(&clock, overhead.max(lag.saturating_add(waits)), self.ply, S::HORIZON)
        });
        let fixed = limits.movetime.map(|time| Budget::fixed(time, overhead));
        let budget = match (plan, fixed) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
        .filter(|_| !limits.infinite);
        let mut bounds = SearchLimits {
            timer: None,
            whole_time: limits.clock.is_none(),
            soft_nodes: None,
            hard_nodes: limits.nodes,
            paced_nodes: None,
            depth: limits.depth.map(|d| i32::try_from(d).unwrap_or(i32::MAX)),
            // No mate is further away than the search can look.
            mate: limits.mate.map(|m| i32::try_from(m).unwrap_or(i32::MAX).min(MAX_PLY as i32)),
        };
        let timer = match budget.filter(|_| in_nodes) {
            Some(budget) => {
                bounds.paced_nodes = Some(nodes_in(budget.soft, rate));
                let hard = nodes_in(budget.hard, rate);
                bounds.hard_nodes = Some(limits.nodes.map_or(hard, |nodes| nodes.min(hard)));
                Timer::new(None)
            }
            None if limits.ponder => Timer::pondering(budget),
            None => Timer::since(limits.received, budget),
        };
        bounds.timer = Some(Arc::new(timer));
        bounds
    }

    /// Takes what the last search spent off the clock that counts nodes, if it ran on that.
    pub(super) fn stop_node_clock(&mut self) {
        if let Some(clock) = self.node_clock.as_mut().filter(|clock| clock.runs) {
            clock.left = clock.left.saturating_sub(self.shared.total_nodes());
            clock.runs = false;
        }
    }

    /// A clock that counts nodes: the first one of a game is converted, later ones only have the increment.
    fn read_node_clock(&mut self, clock: TimeControl) -> TimeControl {
        let rate = self.settings.node_rate;
        let left = match self.node_clock.map(|clock| clock.left) {
            None => nodes_in(clock.remaining, rate),
            Some(left) => left.saturating_add(nodes_in(clock.increment, rate)),
        };
        self.node_clock = Some(NodeClock { left, runs: true });
        TimeControl { remaining: Duration::from_micros(left.saturating_mul(1000) / rate), ..clock }
    }

    /// Starts `task` on all threads; events go to `listener`, if there is one.
    pub(super) fn launch(
        &self,
        task: Task<Eval<S>>,
        listener: Option<(Sender<Event>, Policy)>,
    ) -> Pending<()> {
        self.stop.clear();
        self.shared.begin();
        let (ballots, received) = unbounded();
        let task = Arc::new(task);
        let (shared, workers) = (Arc::clone(&self.shared), self.workers.clone());
        let (notation, tables, chances) = (self.notation, self.setup.tables(), self.common.chances());
        self.pool.launch(move |i| {
            let mut worker = lock(&workers[i]);
            worker.prepare(&task);
            if i > 0 {
                worker.iterate(task.lines, |_, _| ());
                // What one thread has reached need not be reached again. Of several lines those of the first
                // thread are reported.
                if task.lines == 1 {
                    shared.stop.set();
                }
                let _ = ballots.send((worker.completed_depth, worker.root_moves.first().cloned()));
                return;
            }
            let reporter = Reporter::new(&task, &shared, notation, tables.as_deref(), chances);
            worker.iterate(task.lines, |worker, line| {
                if let Some((events, policy)) = &listener
                    && line < policy.shown
                {
                    let _ = events.send(Event::Info(reporter.info(
                        worker.depth_of(line),
                        &worker.root_moves[line],
                        line,
                    )));
                }
            });
            shared.stop.set();
            let Some((events, policy)) = &listener else { return };
            let own = policy.choose(&worker.root_moves);
            let mut found = vec![(worker.completed_depth, worker.root_moves.get(own).cloned())];
            found.extend(received.iter().take(workers.len() - 1));
            if let Some(timer) = &task.limits.timer {
                timer.look();
            }
            let chosen = if task.lines > 1 { 0 } else { thread_to_play::<S>(&found, task.limits.depth) };
            let best_score = worker.root_moves.iter().map(|root| root.score).max().unwrap_or(0);
            reporter.conclude(&found, chosen, best_score, policy, events);
        })
    }

    /// Reports the root move being searched, once the search has lasted for [`PATIENCE`].
    pub(super) fn report_root_moves(&self, events: Sender<Event>) -> OnRootMove<Eval<S>> {
        let (root, notation, start) = (self.root.clone(), self.notation, Instant::now());
        Arc::new(move |mv, number| {
            if start.elapsed() >= PATIENCE {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                let _ = events.send(Event::CurrentMove(root.move_text(mv, notation), number));
            }
        })
    }
}

fn nodes_in(time: Duration, rate: u64) -> u64 {
    u64::try_from(time.as_micros() * u128::from(rate) / 1000).unwrap_or(u64::MAX)
}
