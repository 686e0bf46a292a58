//! The engine of every alpha-beta game: its state and its options. [`launch`] starts searches, [`policy`] and
//! [`report`] turn what they found into events, [`opening_book`] plays without one, [`kept_table`] keeps what
//! they found in a file, [`self_check`] is what else can be asked.

mod kept_table;
mod launch;
mod opening_book;
mod options;
mod policy;
mod report;
mod self_check;
mod strength;

use super::book::{BookFile, Library};
use super::evalfile::{self, EvalFile};
use super::{Engine, Event, GameId, HashProbe, Notation, OptionSpec, PositionSpec, StopHandle, number};
use crate::clock::lag::Lag;
use crate::clock::manager::{Horizon, Timer};
use crate::ensure;
use crate::eval::{Evaluation, GameEval, chances};
use crate::game::{Game, Side, Text, plies_before};
use crate::message;
use crate::search::alphabeta::endgames::EndgameTables;
use crate::search::alphabeta::iterate::Task;
use crate::search::alphabeta::{Evaluator, Shared, Worker};
use crate::search::limits::{Limits, StopFlag};
use crate::search::pool::{self, Pending, Pool};
use crate::util::memory;
use crate::util::message::Message;
use crate::util::rng::Rng;
use crate::util::sync::lock;
use crossbeam::channel::Sender;
use options::Settings;
use policy::{Offers, Policy};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;
pub use strength::Ratings;
use strength::Strength;

/// What an alpha-beta engine needs to know of its game beyond the rules and the search.
pub trait Setup: Default + Send + 'static {
    type Game: GameEval + chances::Chances + Text<Notation: From<Notation>>;
    type Book: BookFile<Game = Self::Game>;
    const ID: GameId;
    /// How long its games last.
    const HORIZON: Horizon;
    const BENCH: &'static [&'static str];
    const BENCH_DEPTH: u32;
    /// Whether players of this game may agree on draws and resign in the protocols that it is played by.
    const OFFERS_AND_RESIGNS: bool = false;
    /// What players below full strength are rated at.
    const RATINGS: Ratings;

    /// The options that decide what a position is worth by the rules, and their values: scores found under
    /// others are void.
    fn terms(&self) -> String {
        String::new()
    }
    fn options() -> Vec<OptionSpec>;
    /// Sets one of them that is not [`Common`].
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Message>;
    /// Applies the settings that live in a position (a set of rules) to a new root.
    fn configure(&self, pos: &mut Self::Game);
    /// The endgame tables in force.
    fn tables(&self) -> Option<Arc<dyn EndgameTables<Self::Game>>> {
        None
    }
    /// Whether the side to move has nothing left to do but to mate a bare king.
    fn is_technique(&self, _pos: &Self::Game) -> bool {
        false
    }
    /// Forgets what was learned of positions.
    fn forget(&mut self) {}
    /// A remark on the position about to be searched, with its moves in `notation`.
    fn remark(&mut self, _pos: &Self::Game, _notation: MoveNotation<Self>) -> Option<Message> {
        None
    }
}

/// What engines of all these games have options for.
struct Common<S: Setup> {
    net: EvalFile<S::Game>,
    library: Library<S::Book>,
    shows_chances: bool,
}

impl<S: Setup> Common<S> {
    /// Sets an option. `false`: it is none of these.
    fn set(&mut self, name: &str, value: &str) -> Result<bool, Message> {
        match name {
            evalfile::NAME => self.net.set(value)?,
            super::chances::NAME => self.shows_chances = value == "true",
            _ => return self.library.set(name, value),
        }
        Ok(true)
    }

    /// What turns a score into chances, if that is to be shown.
    fn chances(&self) -> Option<Chances<S::Game>> {
        self.shows_chances.then_some(chances::chances as _)
    }
}

/// Expected wins, draws and losses in permille of the side to move, from its score and the position.
pub(super) type Chances<G> = fn(i32, &G) -> [u32; 3];

type Eval<S> = Evaluation<<S as Setup>::Game>;
type Position<S> = <S as Setup>::Game;
type MoveNotation<S> = <Position<S> as Text>::Notation;
type SharedWorker<S> = Arc<Mutex<Worker<Eval<S>>>>;

#[derive(Clone, Copy)]
struct NodeClock {
    /// Nodes left at the start of the search that ran on it last; where none runs, now.
    left: u64,
    /// The last search ran on it, and what that spent is not taken off yet.
    runs: bool,
}

/// An alpha-beta game being played.
pub struct AlphaBeta<S: Setup> {
    setup: S,
    common: Common<S>,
    root: Position<S>,
    notation: MoveNotation<S>,
    /// Plies played before the root: the clock plans by it.
    ply: u32,
    pool: Pool,
    shared: Arc<Shared>,
    workers: Vec<SharedWorker<S>>,
    stop: StopHandle,
    running: Option<Pending<()>>,
    timer: Option<Arc<Timer>>,
    /// How long searches waited for a processor.
    waits: Lag,
    settings: Settings,
    node_clock: Option<NodeClock>,
    draw_offered: Arc<AtomicBool>,
    offers: Arc<Mutex<Offers>>,
    /// For the choice among moves nearly alike.
    rng: Rng,
    /// The remarks of the last options that were set.
    remarks: Vec<Message>,
}

/// Bytes that the evaluation of a thread may take: a net while it is read, accumulators, what they remember.
const EVALUATION_BYTES: usize = 16 << 20;

impl<S: Setup> AlphaBeta<S> {
    /// An engine with one thread and a small table.
    pub fn new() -> Result<Self, Message> {
        let hash_mib = [options::DEFAULT_HASH, 1]
            .into_iter()
            .find(|mib| memory::can_allocate(Self::worker_bytes() + (mib << 20)))
            .ok_or_else(|| message!("no memory for one thread" | "没有内存给一个线程"))?;
        let stop = StopHandle::default();
        let shared = Shared::new(1, hash_mib, Arc::clone(&stop))?;
        let shared = Arc::new(shared);
        let pool = Pool::new(1).map_err(|error| cannot_start(1, error))?;
        let setup = S::default();
        let (net, library) = <(EvalFile<S::Game>, Library<S::Book>)>::default();
        let common = Common::<S> { net, library, shows_chances: false };
        let worker = Worker::new(0, common.net.evaluation(), Arc::clone(&shared));
        let workers = vec![Arc::new(Mutex::new(worker))];
        let mut root = Position::<S>::start();
        setup.configure(&mut root);
        Ok(Self {
            setup,
            common,
            root,
            notation: Default::default(),
            ply: 0,
            pool,
            shared,
            workers,
            stop,
            running: None,
            timer: None,
            waits: Lag::default(),
            settings: Settings { hash_mib, ..Settings::default() },
            node_clock: None,
            draw_offered: Arc::default(),
            offers: Arc::default(),
            rng: Rng::of_the_moment(),
            remarks: Vec::new(),
        })
    }

    /// Changes the number of threads or the size of the table. The table is new then; one that is to be kept
    /// stays where nothing changes: clients set options again that they have set.
    fn set_size(&mut self, threads: usize, mib: usize) -> Result<(), Message> {
        let is_same = (threads, mib) == (self.workers.len(), self.settings.hash_mib);
        if is_same && self.settings.keeps_hash { Ok(()) } else { self.resize(threads, mib) }
    }

    /// Allocates what the threads share anew, and touches it by all of them. On failure everything stays as
    /// it was.
    fn resize(&mut self, threads: usize, mib: usize) -> Result<(), Message> {
        self.check_memory(threads, mib)?;
        let more = threads.saturating_sub(self.workers.len()) * Self::worker_bytes();
        ensure!(
            memory::can_allocate(more.saturating_add(mib << 20)),
            "no memory for a table of {mib} MiB and {threads} threads"
                | "没有内存给 {mib} MiB 的置换表和 {threads} 个线程",
            mib,
            threads
        );
        let shared = Shared::new(threads, mib, Arc::clone(&self.stop))?;
        if threads != self.workers.len() {
            self.pool = Pool::new(threads).map_err(|error| cannot_start(threads, error))?;
        }
        self.stop_node_clock();
        self.shared = Arc::new(shared);
        self.settings.hash_mib = mib;
        self.workers.truncate(threads);
        for worker in &self.workers {
            lock(worker).set_shared(Arc::clone(&self.shared));
        }
        for i in self.workers.len()..threads {
            let worker = Worker::new(i, self.common.net.evaluation(), Arc::clone(&self.shared));
            self.workers.push(Arc::new(Mutex::new(worker)));
        }
        let (shared, parts) = (Arc::clone(&self.shared), threads);
        self.pool.run(move |i| shared.table.touch_part(i, parts));
        Ok(())
    }

    /// Bytes that a thread takes: its tables, its stack, its evaluation.
    fn worker_bytes() -> usize {
        Worker::<Eval<S>>::bytes() + pool::STACK_BYTES + EVALUATION_BYTES
    }

    /// Forgets everything about earlier games, the table only if `with_table`.
    fn forget(&mut self, with_table: bool) {
        self.node_clock = None;
        self.waits = Lag::default();
        self.offers = Arc::default();
        self.setup.forget();
        self.setup.configure(&mut self.root);
        if with_table {
            self.clear_table();
        }
        let workers = self.workers.clone();
        self.pool.run(move |i| lock(&workers[i]).clear());
    }

    /// What decides the worth of a position besides its board: scores found under another meaning are void.
    fn meaning(&self) -> (u32, String) {
        (self.common.net.checksum(), self.setup.terms())
    }

    /// Empties the table, whatever is to be kept.
    fn clear_table(&self) {
        let (shared, parts) = (Arc::clone(&self.shared), self.workers.len());
        self.pool.run(move |i| shared.table.clear_part(i, parts));
    }

    /// The system promises memory that it does not have, and ends programs that use it: it is asked first.
    fn check_memory(&self, threads: usize, mib: usize) -> Result<(), Message> {
        const MIB: usize = 1 << 20;
        let needed = |threads: usize, mib: usize| {
            mib.saturating_mul(MIB).saturating_add(threads * Worker::<Eval<S>>::bytes())
        };
        let present = needed(self.workers.len(), self.settings.hash_mib);
        memory::check(needed(threads, mib), present).map_err(|available| {
            message!(
                "no memory for a table of {mib} MiB and {threads} threads: {available} MiB are available"
                    | "没有内存给 {mib} MiB 的置换表和 {threads} 个线程：可用 {available} MiB",
                mib,
                threads,
                available = available / MIB
            )
        })
    }

    /// The player asked for, unless an analysis is: `None` is full strength.
    fn strength(&self, limits: &Limits) -> Option<Strength> {
        let strength = self.settings.handicap.strength(&S::RATINGS).filter(|_| !limits.infinite)?;
        Some(if self.setup.is_technique(&self.root) { strength.technique() } else { strength })
    }

    /// The position a protocol names, and how many moves of it could be played.
    fn read(&self, spec: &PositionSpec) -> Result<(Position<S>, u32, Result<(), Message>), Message> {
        let mut pos = match &spec.fen {
            Some(fen) => Position::<S>::from_fen(fen)?,
            None => Position::<S>::start(),
        };
        self.setup.configure(&mut pos);
        let mut ply = spec.fen.as_deref().map_or(0, plies_before);
        for text in &spec.moves {
            match pos.parse_move(text, spec.notation.into()) {
                Ok(mv) => pos.do_move(mv, &mut ()),
                Err(error) => return Ok((pos, ply, Err(error))),
            }
            ply += 1;
        }
        Ok((pos, ply, Ok(())))
    }
}

fn cannot_start(threads: usize, error: std::io::Error) -> Message {
    let why = Message::from(error);
    message!("cannot start {threads} threads: {why}" | "启动不了 {threads} 个线程：{why}", threads, why)
}

pub fn declared<S: Setup>() -> Vec<OptionSpec> {
    let mut options = options::specs(&S::RATINGS, Eval::<S>::PARAMS);
    options.extend(S::options());
    options
}

impl<S: Setup> Engine for AlphaBeta<S> {
    fn game(&self) -> GameId {
        S::ID
    }

    fn options(&self) -> Vec<OptionSpec> {
        declared::<S>()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Message> {
        let contempt = self.settings.search.contempt;
        match name {
            options::HASH => self.set_size(self.workers.len(), number(value)?),
            options::THREADS => self.set_size(number(value)?, self.settings.hash_mib),
            options::CLEAR_HASH => {
                self.new_game();
                self.remark_kept();
                Ok(())
            }
            options::SAVE_HASH => self.save_table(),
            options::LOAD_HASH => self.load_table(),
            _ if self.settings.set(name, value, Eval::<S>::PARAMS)? => {
                // Draws are stored at what they were worth.
                if self.settings.search.contempt != contempt {
                    self.clear_table();
                }
                Ok(())
            }
            _ => {
                let before = self.meaning();
                if !self.common.set(name, value)? {
                    self.setup.set_option(name, value)?;
                }
                if self.meaning() != before {
                    self.clear_table();
                }
                self.setup.configure(&mut self.root);
                for worker in &self.workers {
                    lock(worker).eval = self.common.net.evaluation();
                }
                Ok(())
            }
        }
    }

    fn take_remarks(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.remarks)
    }

    fn new_game(&mut self) {
        self.forget(!self.settings.keeps_hash);
    }

    fn set_position(&mut self, spec: &PositionSpec) -> Result<(), Message> {
        let (root, ply, result) = self.read(spec)?;
        (self.root, self.ply, self.notation) = (root, ply, spec.notation.into());
        result
    }

    fn side_to_move(&self) -> Side {
        self.root.side_to_move()
    }

    fn go(&mut self, limits: Limits, events: Sender<Event>) -> Result<(), Message> {
        if self.running.as_ref().is_some_and(|r| !r.is_done()) {
            return Err(message!("a search is running already" | "正在搜索"));
        }
        let tables = self.setup.tables();
        for message in tables.iter().flat_map(|tables| tables.take_messages()) {
            let _ = events.send(Event::Message(message));
        }
        self.stop_node_clock();
        let plays = !self.settings.handicap.analyses();
        if plays && opening_book::may_use_book(&limits) && self.play_from_book(&events) {
            return Ok(());
        }
        if let Some(remark) = self.setup.remark(&self.root, self.notation) {
            let _ = events.send(Event::Message(remark));
        }
        let strength = self.strength(&limits);
        let mut bounds = self.bounds(&limits);
        bounds.soft_nodes = strength.map(|strength| strength.nodes);
        self.draw_offered.store(limits.draw_offered, Relaxed);
        self.timer.clone_from(&bounds.timer);
        let mut ranked = tables.as_ref().and_then(|tables| tables.rank_root(&self.root)).unwrap_or_default();
        if !plays || limits.analysis || limits.infinite || limits.mate.is_some() {
            // Moves are not played by the tables: of those that win, the best is the one that mates first.
            ranked.iter_mut().for_each(|mv| mv.rank = mv.outcome as i32);
        }
        let policy = Policy {
            shown: self.settings.lines,
            randomness: if plays { self.settings.randomness } else { 0 },
            spread: strength.map_or(0.0, |strength| strength.spread),
            seed: self.rng.next_u64(),
            contempt: self.settings.search.contempt,
            offers_and_resigns: S::OFFERS_AND_RESIGNS && plays,
            draw_offered: Arc::clone(&self.draw_offered),
            offers: Arc::clone(&self.offers),
        };
        let task = Task {
            search_moves: self.listed(&limits.search_moves, &events),
            ban_moves: self.listed(&limits.ban_moves, &events),
            lines: policy.lines(),
            options: self.settings.search,
            // Where the root is known, so is everything below: the search is left to find the mate.
            tables: tables.filter(|_| ranked.is_empty()),
            ranked,
            on_root_move: Some(self.report_root_moves(events.clone())),
            ..Task::new(self.root.clone(), bounds)
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
        format!("{}\nFen: {}\nKey: {:016X}", pos.diagram_in(self.notation).trim_end(), pos.fen(), pos.key())
    }

    fn explain_evaluation(&mut self) -> String {
        self.common.net.explain(&self.root)
    }

    fn perft(&self, depth: u32, stop: &StopFlag) -> Option<Vec<(String, u64)>> {
        Some(self.count_leaves(depth, stop))
    }

    fn probe(&self, spec: &PositionSpec) -> Result<Option<HashProbe>, Message> {
        self.probe_table(spec)
    }

    fn static_evaluation(&mut self) -> i32 {
        self.evaluate_root()
    }

    fn bench(&mut self, depth: Option<u32>, stop: &StopFlag) -> (u64, Duration) {
        self.run_bench(depth, stop)
    }
}

impl<S: Setup> Drop for AlphaBeta<S> {
    fn drop(&mut self) {
        self.stop.set();
    }
}
