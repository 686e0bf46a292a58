//! The engine of every alpha-beta game: options, threads, clock, and how a result becomes text.

mod options;
mod policy;
mod report;

use super::{BestMove, Engine, Event, GameId, HashProbe, OptionSpec, PositionSpec, StopHandle};
use crate::clock::TimeControl;
use crate::clock::manager::{Budget, Horizon, Timer};
use crate::game::{AlphaBetaGame, Game, Notation, Side, Verdict, perft::perft};
use crate::search::alphabeta::budget::Bounds;
use crate::search::alphabeta::entry::{self, NO_EVAL};
use crate::search::alphabeta::iterate::{OnRootMove, Progress, Task};
use crate::search::alphabeta::tables::EndgameTables;
use crate::search::alphabeta::{Evaluator, Move, Shared, Worker};
use crate::search::limits::Limits;
use crate::search::pool::{Pending, Pool};
use crate::util::rng::Rng;
use crate::util::system;
use crossbeam::channel::{Sender, unbounded};
use options::Settings;
use policy::{CHOICES, Policy};
use report::{Teller, elect};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What an alpha-beta engine needs to know of its game beyond the rules and the search.
pub trait Setup: Default + Send + 'static {
    /// Its evaluation.
    type Eval: Evaluator;
    /// The game.
    const ID: GameId;
    /// How long its games last.
    const HORIZON: Horizon;
    /// Positions of the benchmark.
    const BENCH: &'static [&'static str];
    /// Depth of the benchmark.
    const BENCH_DEPTH: u32;
    /// Whether players of this game may agree on draws and resign in the protocols that it is played by.
    const PARLEYS: bool = false;

    /// A fresh evaluation by the settings in force.
    fn evaluator(&self) -> Self::Eval;
    /// The evaluation of `pos`, term by term, for people.
    fn explain(&self, pos: &<Self::Eval as Evaluator>::Game) -> String;
    /// Options of this game alone.
    fn options(&self) -> Vec<OptionSpec>;
    /// Sets one of them.
    /// # Errors
    /// The value cannot be had; nothing has changed then.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String>;
    /// Applies the settings that live in a position (a set of rules) to a new root.
    fn configure(&self, pos: &mut <Self::Eval as Evaluator>::Game);
    /// The endgame tables in force.
    fn tables(&self) -> Option<Arc<dyn EndgameTables<<Self::Eval as Evaluator>::Game>>> {
        None
    }
    /// A move of the opening book in force.
    fn book_move(&mut self, _pos: &<Self::Eval as Evaluator>::Game) -> Option<Move<Self::Eval>> {
        None
    }
    /// Forgets what was learned of positions.
    fn forget(&mut self) {}
    /// A remark on the position about to be searched.
    fn remark(&mut self, _pos: &<Self::Eval as Evaluator>::Game) -> Option<String> {
        None
    }
    /// What turns a score into chances, if that is to be shown.
    fn chances(&self) -> Option<Chances<<Self::Eval as Evaluator>::Game>> {
        None
    }
}

/// Expected wins, draws and losses in permille of the side to move, from its score and the position.
pub type Chances<G> = fn(i32, &G) -> [u32; 3];

/// The position type of a setup.
type Position<S> = <<S as Setup>::Eval as Evaluator>::Game;
type SharedWorker<S> = Arc<Mutex<Worker<<S as Setup>::Eval>>>;

/// A search this old tells which move it looks at.
const PATIENCE: Duration = Duration::from_secs(3);

/// An alpha-beta game being played.
pub struct AlphaBeta<S: Setup> {
    setup: S,
    root: Position<S>,
    notation: Notation,
    /// Plies played before the root: the clock plans by it.
    ply: u32,
    pool: Pool,
    shared: Arc<Shared>,
    workers: Vec<SharedWorker<S>>,
    stop: StopHandle,
    running: Option<Pending<()>>,
    timer: Option<Arc<Timer>>,
    settings: Settings,
    /// Nodes left on a clock that counts nodes, before the search that ran last.
    node_clock: Option<u64>,
    /// Whether the opponent offers a draw.
    draw_offered: Arc<AtomicBool>,
    /// For the choice among moves nearly alike.
    rng: Rng,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A worker that panicked leaves histories behind that are still numbers.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: Setup> AlphaBeta<S> {
    /// An engine with one thread and a small table.
    /// # Panics
    /// When the system gives neither a thread nor 1 MiB.
    pub fn new() -> Self {
        let stop = StopHandle::default();
        let (shared, hash_mib) = [options::DEFAULT_HASH, 1]
            .into_iter()
            .find_map(|mib| Some((Shared::new(1, mib, Arc::clone(&stop)).ok()?, mib)))
            .unwrap_or_else(|| unreachable!("no memory at start-up"));
        let shared = Arc::new(shared);
        let pool = Pool::new(1).unwrap_or_else(|error| unreachable!("no thread at start-up: {error}"));
        let setup = S::default();
        let workers = vec![Arc::new(Mutex::new(Worker::new(0, setup.evaluator(), Arc::clone(&shared))))];
        let mut root = Position::<S>::start();
        setup.configure(&mut root);
        Self {
            setup,
            root,
            notation: Notation::default(),
            ply: 0,
            pool,
            shared,
            workers,
            stop,
            running: None,
            timer: None,
            settings: Settings { hash_mib, ..Settings::default() },
            node_clock: None,
            draw_offered: Arc::default(),
            rng: Rng::of_the_moment(),
        }
    }

    /// Allocates what the threads share anew, and touches it by all of them. On failure everything stays as
    /// it was.
    fn resize(&mut self, threads: usize, mib: usize) -> Result<(), String> {
        self.check_memory(threads, mib)?;
        let shared = Shared::new(threads, mib, Arc::clone(&self.stop)).map_err(|error| error.to_string())?;
        if threads != self.workers.len() {
            self.pool =
                Pool::new(threads).map_err(|error| format!("cannot start {threads} threads: {error}"))?;
        }
        self.shared = Arc::new(shared);
        self.settings.hash_mib = mib;
        self.workers.truncate(threads);
        for worker in &self.workers {
            locked(worker).set_shared(Arc::clone(&self.shared));
        }
        for i in self.workers.len()..threads {
            let worker = Worker::new(i, self.setup.evaluator(), Arc::clone(&self.shared));
            self.workers.push(Arc::new(Mutex::new(worker)));
        }
        let (shared, parts) = (Arc::clone(&self.shared), threads);
        self.pool.run(move |i| shared.table.touch_part(i, parts));
        Ok(())
    }

    /// The system promises memory that it does not have, and ends programs that use it: it is asked first.
    fn check_memory(&self, threads: usize, mib: usize) -> Result<(), String> {
        const MIB: usize = 1 << 20;
        let Some(available) = system::available_memory() else { return Ok(()) };
        let needed = |threads: usize, mib: usize| {
            mib.saturating_mul(MIB).saturating_add(threads * Worker::<S::Eval>::bytes())
        };
        // What there is now is given back.
        let available = available.saturating_add(needed(self.workers.len(), self.settings.hash_mib));
        if needed(threads, mib) > available {
            return Err(format!(
                "no memory for a table of {mib} MiB and {threads} threads: {} MiB are available",
                available / MIB
            ));
        }
        Ok(())
    }

    /// The position a protocol names, and how many moves of it could be played.
    fn read(&self, spec: &PositionSpec) -> Result<(Position<S>, u32, Result<(), String>), String> {
        let mut pos = match &spec.fen {
            Some(fen) => Position::<S>::from_fen(fen)?,
            None => Position::<S>::start(),
        };
        self.setup.configure(&mut pos);
        let mut ply = 0;
        for text in &spec.moves {
            match pos.parse_move(text, spec.notation) {
                Ok(mv) => pos.do_move(mv, &mut ()),
                Err(error) => return Ok((pos, ply, Err(error))),
            }
            ply += 1;
        }
        Ok((pos, ply, Ok(())))
    }

    /// The listed moves that are legal at the root; the others are reported.
    fn listed(&self, texts: &[String], events: &Sender<Event>) -> Vec<Move<S::Eval>> {
        let read = |text: &String| match self.root.parse_move(text, self.notation) {
            Ok(mv) => Some(mv),
            Err(error) => {
                let _ = events.send(Event::Message(format!("left out of the root moves: {error}")));
                None
            }
        };
        texts.iter().filter_map(read).collect()
    }

    /// Time and nodes as the search wants them.
    fn bounds(&mut self, limits: &Limits) -> Bounds {
        let rate = self.settings.node_rate;
        // Whoever thinks on another's time cannot count it in nodes.
        let in_nodes = rate > 0 && !limits.ponder;
        let clock = match limits.clock {
            Some(clock) if in_nodes => Some(self.read_node_clock(clock)),
            clock => clock,
        };
        let overhead = if in_nodes { Duration::ZERO } else { self.settings.overhead };
        let plan = clock.map(|clock| Budget::plan(&clock, overhead, self.ply, S::HORIZON));
        let fixed = limits.movetime.map(|time| Budget::fixed(time, overhead));
        let budget = match (plan, fixed) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
        .filter(|_| !limits.infinite);
        let mut bounds = Bounds {
            timer: None,
            soft_nodes: None,
            hard_nodes: limits.nodes,
            paced_nodes: None,
            depth: limits.depth.map(|d| i32::try_from(d).unwrap_or(i32::MAX)),
            mate: limits.mate.map(|m| i32::try_from(m).unwrap_or(i32::MAX / 4)),
        };
        let timer = match budget.filter(|_| in_nodes) {
            Some(budget) => {
                bounds.paced_nodes = Some(nodes_in(budget.soft, rate));
                let hard = nodes_in(budget.hard, rate);
                bounds.hard_nodes = Some(limits.nodes.map_or(hard, |nodes| nodes.min(hard)));
                Timer::new(None)
            }
            None if limits.ponder => Timer::pondering(budget),
            None => Timer::new(budget),
        };
        bounds.timer = Some(Arc::new(timer));
        bounds
    }

    /// A clock that counts nodes: the first one of a game is converted, later ones only tell the increment.
    fn read_node_clock(&mut self, clock: TimeControl) -> TimeControl {
        let rate = self.settings.node_rate;
        let left = match self.node_clock {
            None => nodes_in(clock.remaining, rate),
            Some(before) => before
                .saturating_sub(self.shared.total_nodes())
                .saturating_add(nodes_in(clock.increment, rate)),
        };
        self.node_clock = Some(left);
        TimeControl { remaining: Duration::from_micros(left.saturating_mul(1000) / rate), ..clock }
    }

    /// Starts `task` on all threads; events go to `listener`, if anybody listens.
    fn launch(&self, task: Task<S::Eval>, listener: Option<(Sender<Event>, Policy)>) -> Pending<()> {
        self.stop.clear();
        self.shared.begin();
        let (ballots, received) = unbounded();
        let task = Arc::new(task);
        let (shared, workers) = (Arc::clone(&self.shared), self.workers.clone());
        let (notation, tables, chances) = (self.notation, self.setup.tables(), self.setup.chances());
        self.pool.launch(move |i| {
            let mut worker = locked(&workers[i]);
            worker.prepare(&task);
            if i > 0 {
                worker.iterate(task.lines, |_| ());
                // What one thread has reached need not be reached again. Of several lines those of the first one are told.
                if task.lines == 1 {
                    shared.stop.set();
                }
                let _ = ballots.send((worker.completed_depth, worker.root_moves.first().cloned()));
                return;
            }
            let teller = Teller::new(&task, &shared, notation, tables.as_deref(), chances);
            worker.iterate(task.lines, |progress| {
                if let (Progress::Line(worker, line), Some((events, policy))) = (progress, &listener)
                    && line < policy.shown
                {
                    let _ = events.send(Event::Info(teller.info(
                        worker.root_depth(),
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
            let chosen = if task.lines > 1 { 0 } else { elect::<S>(&found, task.bounds.depth) };
            teller.conclude(&found, chosen, policy, events);
        })
    }

    /// Tells which root move is looked at, once the search is old enough for anybody to wonder.
    fn tell_root_moves(&self, events: Sender<Event>) -> OnRootMove<S::Eval> {
        let (root, notation, start) = (self.root.clone(), self.notation, Instant::now());
        Arc::new(move |mv, number| {
            if start.elapsed() >= PATIENCE {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                let _ = events.send(Event::CurrentMove(root.move_text(mv, notation), number));
            }
        })
    }

    /// Answers from the opening book; false when it knows nothing, or its move would end the game by a repetition.
    fn play_from_book(&mut self, events: &Sender<Event>) -> bool {
        let Some(mv) = self.setup.book_move(&self.root) else { return false };
        let mut after = self.root.clone();
        after.do_move(mv, &mut ());
        if after.verdict(0) != Verdict::Ongoing {
            return false;
        }
        self.stop.clear();
        self.timer = None;
        let mv = Some(self.root.move_text(mv, self.notation));
        let _ = events.send(Event::Message("a move from the book".to_owned()));
        let _ = events.send(Event::BestMove(BestMove { mv, ..BestMove::default() }));
        true
    }

    /// Searches `task` to its end, silently.
    fn search_now(&self, task: Task<S::Eval>) -> u64 {
        self.launch(task, None).join();
        self.shared.total_nodes()
    }
}

/// Whether the client wants a move to play, not an opinion.
fn may_use_book(limits: &Limits) -> bool {
    !limits.infinite
        && !limits.ponder
        && limits.mate.is_none()
        && limits.search_moves.is_empty()
        && limits.ban_moves.is_empty()
}

impl<S: Setup> Default for AlphaBeta<S> {
    fn default() -> Self {
        Self::new()
    }
}

/// So much time at `rate` nodes a millisecond.
fn nodes_in(time: Duration, rate: u64) -> u64 {
    u64::try_from(time.as_micros() * u128::from(rate) / 1000).unwrap_or(u64::MAX)
}

impl<S: Setup> Engine for AlphaBeta<S> {
    fn game(&self) -> GameId {
        S::ID
    }

    fn options(&self) -> Vec<OptionSpec> {
        let mut options = options::specs(S::Eval::PARAMS);
        options.extend(self.setup.options());
        options
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<u64>().map_err(|_| format!("'{value}' is not a whole number"));
        match name {
            options::HASH => self.resize(self.workers.len(), number()? as usize),
            options::THREADS => self.resize(number()? as usize, self.settings.hash_mib),
            options::CLEAR_HASH => {
                self.new_game();
                Ok(())
            }
            _ if self.settings.set(name, value, S::Eval::PARAMS)? => Ok(()),
            _ => {
                self.setup.set_option(name, value)?;
                self.setup.configure(&mut self.root);
                for worker in &self.workers {
                    locked(worker).eval = self.setup.evaluator();
                }
                Ok(())
            }
        }
    }

    fn new_game(&mut self) {
        self.node_clock = None;
        self.setup.forget();
        self.setup.configure(&mut self.root);
        let (shared, workers) = (Arc::clone(&self.shared), self.workers.clone());
        self.pool.run(move |i| {
            shared.table.clear_part(i, workers.len());
            locked(&workers[i]).clear();
        });
    }

    fn set_position(&mut self, spec: &PositionSpec) -> Result<(), String> {
        let (root, ply, result) = self.read(spec)?;
        (self.root, self.ply, self.notation) = (root, ply, spec.notation);
        result
    }

    fn side_to_move(&self) -> Side {
        self.root.side_to_move()
    }

    fn go(&mut self, limits: Limits, events: Sender<Event>) -> Result<(), String> {
        if self.running.as_ref().is_some_and(|r| !r.is_done()) {
            return Err("a search is running already".into());
        }
        let tables = self.setup.tables();
        for message in tables.iter().flat_map(|tables| tables.take_messages()) {
            let _ = events.send(Event::Message(message));
        }
        if may_use_book(&limits) && self.play_from_book(&events) {
            return Ok(());
        }
        if let Some(remark) = self.setup.remark(&self.root) {
            let _ = events.send(Event::Message(remark));
        }
        let bounds = self.bounds(&limits);
        let shown = self.settings.lines;
        self.draw_offered.store(limits.draw_offered, Relaxed);
        self.timer.clone_from(&bounds.timer);
        let ranked = tables.as_ref().and_then(|tables| tables.rank_root(&self.root)).unwrap_or_default();
        let task = Task {
            search_moves: self.listed(&limits.search_moves, &events),
            ban_moves: self.listed(&limits.ban_moves, &events),
            lines: if self.settings.randomness > 0 { shown.max(CHOICES) } else { shown },
            manner: self.settings.manner,
            // Where the root is known, so is everything below: the search is left to find the mate.
            tables: tables.filter(|_| ranked.is_empty()),
            ranked,
            on_root_move: Some(self.tell_root_moves(events.clone())),
            ..Task::new(self.root.clone(), bounds)
        };
        let policy = Policy {
            shown,
            randomness: self.settings.randomness,
            seed: self.rng.next_u64(),
            contempt: self.settings.manner.contempt,
            parleys: S::PARLEYS,
            draw_offered: Arc::clone(&self.draw_offered),
        };
        self.running = Some(self.launch(task, Some((events, policy))));
        Ok(())
    }

    fn stop_handle(&self) -> StopHandle {
        Arc::clone(&self.stop)
    }

    fn ponder_hit(&mut self, draw_offered: bool) {
        self.draw_offered.fetch_or(draw_offered, Relaxed);
        if let Some(timer) = &self.timer {
            timer.ponder_hit();
        }
    }

    fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            running.join();
        }
    }

    fn diagram(&self) -> String {
        let pos = &self.root;
        format!("{}\nFen: {}\nKey: {:016X}", pos.diagram().trim_end(), pos.fen(), pos.key())
    }

    fn explain_evaluation(&mut self) -> String {
        self.setup.explain(&self.root)
    }

    fn perft(&self, depth: u32) -> Option<Vec<(String, u64)>> {
        let mut pos = self.root.clone();
        let mut moves = crate::game::MoveList::new();
        pos.legal_moves(&mut moves);
        let count = |mv| {
            let text = pos.move_text(mv, self.notation);
            pos.do_move(mv, &mut ());
            let nodes = perft(&mut pos, depth.saturating_sub(1));
            pos.undo_move();
            (text, nodes)
        };
        Some(if depth == 0 { Vec::new() } else { moves.into_iter().map(count).collect() })
    }

    fn probe(&self, spec: &PositionSpec) -> Result<Option<HashProbe>, String> {
        let (pos, _, result) = self.read(spec)?;
        result?;
        let Some(entry) = self.shared.table.probe(pos.key()) else { return Ok(None) };
        let mv = Position::<S>::unpack(entry.mv);
        let known = entry.mv != 0 && pos.is_pseudo_legal(mv) && pos.is_legal(mv);
        let value = Some((entry.score(0, i32::MAX), u32::from(entry.depth)));
        Ok(Some(HashProbe {
            best_move: known.then(|| pos.move_text(mv, spec.notation)),
            lower: value.filter(|_| entry.bound() != entry::Bound::Upper),
            upper: value.filter(|_| entry.bound() != entry::Bound::Lower),
        }))
    }

    fn static_evaluation(&mut self) -> i32 {
        let mut evaluator = self.setup.evaluator();
        evaluator.reset(&self.root);
        evaluator.evaluate(&self.root).clamp(i32::from(NO_EVAL) + 1, i32::from(i16::MAX))
    }

    fn bench(&mut self, depth: Option<u32>) -> (u64, Duration) {
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for fen in S::BENCH {
            self.new_game();
            let Ok(mut root) = Position::<S>::from_fen(fen) else { continue };
            self.setup.configure(&mut root);
            let depth = i32::try_from(depth.unwrap_or(S::BENCH_DEPTH)).unwrap_or(i32::MAX);
            let bounds = Bounds { depth: Some(depth), ..Bounds::default() };
            let task = Task::new(root, bounds);
            let start = Instant::now();
            nodes += self.search_now(task);
            time += start.elapsed();
        }
        self.new_game();
        (nodes, time)
    }
}

impl<S: Setup> Drop for AlphaBeta<S> {
    fn drop(&mut self) {
        self.stop.set();
    }
}
