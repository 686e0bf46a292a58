//! The engine of every alpha-beta game: options, threads, clock, and how a result becomes text.

use super::{
    BestMove, Bound, Engine, Event, GameId, HashProbe, Info, OptionKind, OptionSpec, PositionSpec, Score,
    StopHandle,
};
use crate::clock::manager::{Budget, Horizon, Timer};
use crate::game::{AlphaBetaGame, Game, Notation, Side, Verdict, perft::perft};
use crate::search::alphabeta::budget::Bounds;
use crate::search::alphabeta::entry::{self, NO_EVAL};
use crate::search::alphabeta::iterate::{Progress, Task};
use crate::search::alphabeta::score::{MATE, is_mate};
use crate::search::alphabeta::vote::{self, Ballot};
use crate::search::alphabeta::{Evaluator, Move, RootMove, Shared, Worker};
use crate::search::limits::Limits;
use crate::search::pool::{Pending, Pool};
use crossbeam::channel::{Sender, unbounded};
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
}

/// The position type of a setup.
type Position<S> = <<S as Setup>::Eval as Evaluator>::Game;
type SharedWorker<S> = Arc<Mutex<Worker<<S as Setup>::Eval>>>;

/// Greatest number of threads.
const MAX_THREADS: i64 = 1024;
/// Greatest table, in MiB: a tebibyte.
const MAX_HASH: i64 = 1 << 20;
const DEFAULT_HASH: usize = 16;
const DEFAULT_OVERHEAD: u64 = 10;

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
    hash_mib: usize,
    lines: usize,
    overhead: Duration,
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
        let (shared, hash_mib) = [DEFAULT_HASH, 1]
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
            hash_mib,
            lines: 1,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD),
        }
    }

    /// Allocates what the threads share anew. On failure everything stays as it was.
    fn resize(&mut self, threads: usize, mib: usize) -> Result<(), String> {
        let shared = Shared::new(threads, mib, Arc::clone(&self.stop)).map_err(|error| error.to_string())?;
        if threads != self.workers.len() {
            self.pool =
                Pool::new(threads).map_err(|error| format!("cannot start {threads} threads: {error}"))?;
        }
        self.shared = Arc::new(shared);
        self.hash_mib = mib;
        self.workers.truncate(threads);
        for worker in &self.workers {
            locked(worker).set_shared(Arc::clone(&self.shared));
        }
        for i in self.workers.len()..threads {
            let worker = Worker::new(i, self.setup.evaluator(), Arc::clone(&self.shared));
            self.workers.push(Arc::new(Mutex::new(worker)));
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
    fn bounds(&self, limits: &Limits) -> Bounds {
        let plan = limits.clock.as_ref().map(|c| Budget::plan(c, self.overhead, self.ply, S::HORIZON));
        let fixed = limits.movetime.map(|t| Budget::fixed(t, self.overhead));
        let budget = match (plan, fixed) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
        .filter(|_| !limits.infinite);
        let timer = if limits.ponder { Timer::pondering(budget) } else { Timer::new(budget) };
        Bounds {
            timer: Some(Arc::new(timer)),
            soft_nodes: None,
            hard_nodes: limits.nodes,
            depth: limits.depth.map(|d| i32::try_from(d).unwrap_or(i32::MAX)),
            mate: limits.mate.map(|m| i32::try_from(m).unwrap_or(i32::MAX / 4)),
        }
    }

    /// Starts `task` on all threads; events go to `events`, if anybody listens.
    fn launch(&self, task: Task<S::Eval>, events: Option<Sender<Event>>) -> Pending<()> {
        self.stop.clear();
        self.shared.begin();
        let (ballots, received) = unbounded();
        let task = Arc::new(task);
        let (shared, workers) = (Arc::clone(&self.shared), self.workers.clone());
        let notation = self.notation;
        self.pool.launch(move |i| {
            let mut worker = locked(&workers[i]);
            worker.prepare(&task);
            if i > 0 {
                worker.iterate(task.lines, |_| ());
                let _ = ballots.send((worker.completed_depth, worker.root_moves.first().cloned()));
                return;
            }
            let teller = Teller { root: &task.root, shared: &shared, bounds: &task.bounds, notation };
            worker.iterate(task.lines, |progress| {
                if let (Progress::Line(worker, line), Some(events)) = (progress, &events) {
                    let _ = events.send(Event::Info(teller.info(
                        worker.root_depth(),
                        &worker.root_moves[line],
                        line,
                    )));
                }
            });
            shared.stop.set();
            let mut found = vec![(worker.completed_depth, worker.root_moves.first().cloned())];
            found.extend(received.iter().take(workers.len() - 1));
            let Some(events) = &events else { return };
            teller.conclude(&found, if task.lines > 1 { 0 } else { elect::<S>(&found) }, events);
        })
    }

    /// Searches `task` to its end, silently.
    fn search_now(&self, task: Task<S::Eval>) -> u64 {
        self.launch(task, None).join();
        self.shared.total_nodes()
    }
}

impl<S: Setup> Default for AlphaBeta<S> {
    fn default() -> Self {
        Self::new()
    }
}

/// A thread's completed depth and its best root move.
type Found<G> = (i32, Option<RootMove<<G as Game>::Move>>);

fn elect<S: Setup>(found: &[Found<Position<S>>]) -> usize {
    let ballot = |(depth, root): &Found<Position<S>>| match root {
        Some(root) => Ballot { mv: Position::<S>::pack(root.mv), score: root.score, depth: *depth },
        None => Ballot { mv: 0, score: 0, depth: 0 },
    };
    vote::choose(&found.iter().map(ballot).collect::<Vec<_>>())
}

/// Turns what a search found into events.
struct Teller<'a, G> {
    root: &'a G,
    shared: &'a Shared,
    bounds: &'a Bounds,
    notation: Notation,
}

impl<G: AlphaBetaGame> Teller<'_, G> {
    /// The moves as text, cut where one is not legal or the game is over.
    fn line(&self, moves: &[G::Move]) -> Vec<String> {
        let mut pos = self.root.clone();
        let mut texts = Vec::with_capacity(moves.len());
        for (i, &mv) in moves.iter().enumerate() {
            if (i > 0 && pos.verdict(0) != Verdict::Ongoing) || !pos.is_pseudo_legal(mv) || !pos.is_legal(mv)
            {
                break;
            }
            texts.push(pos.move_text(mv, self.notation));
            pos.do_move(mv, &mut ());
        }
        texts
    }

    fn info(&self, depth: i32, root: &RootMove<G::Move>, line: usize) -> Info {
        Info {
            depth: depth.max(0) as u32,
            seldepth: root.seldepth as u32,
            multipv: line as u32 + 1,
            score: score_of(root.score),
            bound: match root.bound {
                entry::Bound::Exact => Bound::Exact,
                entry::Bound::Lower => Bound::Lower,
                entry::Bound::Upper => Bound::Upper,
            },
            wdl: None,
            nodes: self.shared.total_nodes(),
            time: self.bounds.elapsed(),
            hashfull: self.shared.table.permille_full(self.shared.generation()),
            tbhits: 0,
            pv: self.line(&root.pv),
        }
    }

    /// The last events of a search, whose best thread is `chosen`.
    fn conclude(&self, found: &[Found<G>], chosen: usize, events: &Sender<Event>) {
        let (depth, Some(best)) = &found[chosen] else {
            let lost = self.root.in_check() || G::STALEMATE == Verdict::Loss;
            let score = if lost { Score::Mate(0) } else { Score::Centipawns(0) };
            let _ = events.send(Event::Info(Info::of_finished_game(score)));
            let _ = events.send(Event::BestMove(BestMove::default()));
            return;
        };
        let mut best = best.clone();
        if chosen > 0 {
            best.bound = entry::Bound::Exact;
            let _ = events.send(Event::Info(self.info(*depth, &best, 0)));
        }
        let mut pv = self.line(&best.pv);
        if pv.len() == 1 {
            pv.extend(self.reply(best.mv));
        }
        let mut pv = pv.into_iter();
        let _ = events.send(Event::BestMove(BestMove {
            mv: pv.next(),
            ponder: pv.next(),
            ..BestMove::default()
        }));
    }

    /// The answer to `mv` that the table holds.
    fn reply(&self, mv: G::Move) -> Option<String> {
        let mut pos = self.root.clone();
        pos.do_move(mv, &mut ());
        let reply = G::unpack(self.shared.table.probe(pos.key())?.mv);
        (pos.is_pseudo_legal(reply) && pos.is_legal(reply)).then(|| pos.move_text(reply, self.notation))
    }
}

/// A score of the search as protocols show it.
fn score_of(score: i32) -> Score {
    if !is_mate(score) {
        Score::Centipawns(score)
    } else if score > 0 {
        Score::Mate((MATE - score + 1) / 2)
    } else {
        Score::Mate(-(MATE + score) / 2)
    }
}

impl<S: Setup> Engine for AlphaBeta<S> {
    fn game(&self) -> GameId {
        S::ID
    }

    fn options(&self) -> Vec<OptionSpec> {
        let spin = |default, min, max| OptionKind::Spin { default, min, max };
        let mut options = vec![
            OptionSpec {
                name: "Hash",
                kind: spin(DEFAULT_HASH as i64, 1, MAX_HASH),
                help: "Size of the transposition table in MiB.",
            },
            OptionSpec { name: "Threads", kind: spin(1, 1, MAX_THREADS), help: "Threads that search." },
            OptionSpec {
                name: "Clear Hash",
                kind: OptionKind::Button,
                help: "Forgets all that was searched.",
            },
            OptionSpec { name: "MultiPV", kind: spin(1, 1, 256), help: "Number of best lines to show." },
            OptionSpec {
                name: "Move Overhead",
                kind: spin(DEFAULT_OVERHEAD as i64, 0, 5000),
                help: "Milliseconds lost between engine and GUI on each move.",
            },
        ];
        options.extend(self.setup.options());
        options
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<u64>().map_err(|_| format!("'{value}' is not a whole number"));
        match name {
            "Hash" => self.resize(self.workers.len(), number()? as usize),
            "Threads" => self.resize(number()? as usize, self.hash_mib),
            "Clear Hash" => {
                self.new_game();
                Ok(())
            }
            "MultiPV" => {
                self.lines = number()? as usize;
                Ok(())
            }
            "Move Overhead" => {
                self.overhead = Duration::from_millis(number()?);
                Ok(())
            }
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
        let bounds = self.bounds(&limits);
        self.timer.clone_from(&bounds.timer);
        let task = Task {
            root: self.root.clone(),
            search_moves: self.listed(&limits.search_moves, &events),
            ban_moves: self.listed(&limits.ban_moves, &events),
            lines: self.lines,
            bounds,
        };
        self.running = Some(self.launch(task, Some(events)));
        Ok(())
    }

    fn stop_handle(&self) -> StopHandle {
        Arc::clone(&self.stop)
    }

    fn ponder_hit(&mut self, _draw_offered: bool) {
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
            let task = Task { root, search_moves: Vec::new(), ban_moves: Vec::new(), lines: 1, bounds };
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
