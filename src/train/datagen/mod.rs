//! Self-play games for the nets of chess and xiangqi.
//!
//! Game `i` of a shard is a function of seed, shard and `i` alone, and games are written in order: a run
//! gives the same bytes with any number of threads, and after any number of interruptions.

mod play;
mod searcher;

pub use play::play;
pub use searcher::Searcher;

use super::record::{GameRecord, Header, Resumed, Writer, WriterError};
use crate::game::{AlphaBetaGame, Game, Text};
use crate::util::rng::Rng;
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Searches recurse deeply, with a move list in each frame.
const STACK_BYTES: usize = 32 << 20;
/// How often a run whose progress bar nobody sees writes a line instead.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// How long a search lasts, in nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeLimits {
    /// No new iteration after so many.
    pub soft: u64,
    /// The end, at once, after so many.
    pub hard: u64,
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub struct Found<M> {
    /// The best move.
    pub mv: M,
    /// Its score in centipawns from the side to move.
    pub score: i32,
    /// Whether the score is a mate.
    pub is_mate: bool,
    /// Nodes searched.
    pub nodes: u64,
}

/// Searches moves for one thread.
pub trait Player: Send {
    /// The game played.
    type Game: AlphaBetaGame + Text;
    /// Forgets everything: what is found later must not depend on what was searched before.
    fn new_game(&mut self);
    /// Searches a position that has a legal move.
    fn search(&mut self, pos: &Self::Game, limits: NodeLimits) -> Found<<Self::Game as Game>::Move>;
}

/// What the games of a run depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Seed of the whole run.
    pub seed: u64,
    /// This part of the run, `0..shards`.
    pub shard: u32,
    /// Parts of the run; each has games of its own.
    pub shards: u32,
    /// Nodes a move.
    pub limits: NodeLimits,
    /// Openings whose score exceeds this, in centipawns, are refused.
    pub opening_score: i32,
    /// Training id of the net that plays; 0 for the hand-made evaluation.
    pub net: u64,
    /// Thousandths of the moves that are random: most leaves of a search hold a blunder, and games without any
    /// never show one.
    pub random_moves: u32,
}

impl Settings {
    /// The recipe's numbers for game `name`: 1000 nodes soft, 8 times that hard.
    pub fn for_game(name: &str) -> Self {
        let opening_score = if name == "xiangqi" { 300 } else { 400 };
        let limits = NodeLimits { soft: 1000, hard: 8000 };
        Self { seed: 1, shard: 0, shards: 1, limits, opening_score, net: 0, random_moves: 0 }
    }

    /// The random numbers of one game.
    fn game_rng(&self, index: u32) -> Rng {
        let run = Rng::new(self.seed).next_u64();
        let game = Rng::new(u64::from(self.shard) << 32 | u64::from(index)).next_u64();
        Rng::new(run ^ game.rotate_left(17))
    }

    fn header(&self, game: &str) -> Header {
        Header {
            game: game.to_owned(),
            seed: self.seed,
            shard: self.shard,
            shards: self.shards,
            soft_nodes: self.limits.soft.min(u32::MAX.into()) as u32,
            hard_nodes: self.limits.hard.min(u32::MAX.into()) as u32,
            net: self.net,
            random_moves: self.random_moves,
        }
    }

    /// The file of this shard: `chess-1-0of1.rec`.
    pub fn file_name(&self, game: &str) -> String {
        format!("{game}-{}-{}of{}.rec", self.seed, self.shard, self.shards)
    }
}

/// When a run is over. Whatever is reached first ends it; all `None` runs until it is killed. Counts
/// include what a resumed file held, and are those of the shard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Goal {
    /// Searched positions.
    pub positions: Option<u64>,
    /// Games.
    pub games: Option<u32>,
    /// Time from now.
    pub time: Option<Duration>,
}

impl Goal {
    fn is_reached(&self, total: &Resumed) -> bool {
        self.positions.is_some_and(|n| total.positions >= n) || self.games.is_some_and(|n| total.games >= n)
    }
}

/// What to do with a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse to touch it.
    Refuse,
    /// Go on with it.
    Resume,
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The file written.
    pub path: PathBuf,
    /// Games and positions in the file, and bytes that were cut off its torn tail.
    pub total: Resumed,
    /// Positions of this run alone.
    pub positions: u64,
    /// Nodes of this run, openings included.
    pub nodes: u64,
    /// Time of this run.
    pub elapsed: Duration,
}

impl Summary {
    /// Positions of this run a second.
    pub fn positions_per_second(&self) -> f64 {
        self.positions as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Nodes of this run a second, all threads together.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The file of records.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: WriterError,
    },
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[source] io::Error),
}

/// A finished game on its way to the writer.
struct Finished {
    record: GameRecord,
    nodes: u64,
}

/// Plays games into a file of `directory` until `goal` is reached, with as many threads as there are
/// `players`.
/// # Errors
/// See [`DatagenError`].
pub fn run<P: Player>(
    directory: &Path,
    settings: &Settings,
    goal: Goal,
    existing: Existing,
    players: Vec<P>,
) -> Result<Summary, DatagenError> {
    let name = <P::Game as Game>::NAME;
    let path = directory.join(settings.file_name(name));
    let in_file = |source| DatagenError::File { path: path.clone(), source };
    let (writer, resumed) = open(directory, &path, settings, name, existing).map_err(in_file)?;
    let begun = Instant::now();
    let next = AtomicU32::new(resumed.games);
    let stop = AtomicBool::new(goal.is_reached(&resumed));
    let (sender, finished) = bounded(4 * players.len().max(1));
    let mut run = Run { writer, total: resumed, goal, begun, nodes: 0, waiting: BTreeMap::new() };
    std::thread::scope(|scope| {
        for player in players {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            let spawned = thread.spawn_scoped(scope, move || play_on(player, settings, next, stop, &sender));
            if let Err(e) = spawned {
                stop.store(true, Relaxed);
                return Err(DatagenError::Thread(e));
            }
        }
        drop(sender);
        let result = run.collect(&finished, &stop, settings);
        stop.store(true, Relaxed);
        // Threads blocked on a full channel must be able to leave.
        drop(finished);
        result.map_err(|e| in_file(e.into()))
    })?;
    Ok(Summary {
        total: run.total,
        positions: run.total.positions - resumed.positions,
        nodes: run.nodes,
        elapsed: begun.elapsed(),
        path,
    })
}

fn open(
    directory: &Path,
    path: &Path,
    settings: &Settings,
    name: &'static str,
    existing: Existing,
) -> Result<(Writer<File>, Resumed), WriterError> {
    fs::create_dir_all(directory)?;
    let header = settings.header(name);
    match existing {
        Existing::Refuse => Ok((Writer::create(path, &header)?, Resumed::default())),
        Existing::Resume => Writer::resume(path, &header, name),
    }
}

/// One thread: takes the next number, plays that game, hands it over.
fn play_on<P: Player>(
    mut player: P,
    settings: &Settings,
    next: &AtomicU32,
    stop: &AtomicBool,
    finished: &Sender<Finished>,
) {
    while !stop.load(Relaxed) {
        let index = next.fetch_add(1, Relaxed);
        let (record, nodes) = play::play(&mut player, settings, index);
        if finished.send(Finished { record, nodes }).is_err() {
            return;
        }
    }
}

/// The writing side of a run.
struct Run {
    writer: Writer<File>,
    total: Resumed,
    goal: Goal,
    begun: Instant,
    nodes: u64,
    /// Games that finished before an earlier one did.
    waiting: BTreeMap<u32, GameRecord>,
}

impl Run {
    /// Writes games in order until the goal is reached or no thread plays any more.
    fn collect(
        &mut self,
        finished: &Receiver<Finished>,
        stop: &AtomicBool,
        settings: &Settings,
    ) -> io::Result<()> {
        let bar = progress_bar(&self.goal, &self.total);
        let positions_before = self.total.positions;
        let mut reported = Instant::now();
        loop {
            match finished.recv_timeout(Duration::from_millis(200)) {
                Ok(game) => self.take(game, stop)?,
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.goal.time.is_some_and(|t| self.begun.elapsed() >= t) {
                stop.store(true, Relaxed);
            }
            let seconds = self.begun.elapsed().as_secs_f64();
            let rate = (self.total.positions - positions_before) as f64 / seconds.max(1e-9);
            self.show(&bar, rate);
            if bar.is_hidden() && reported.elapsed() >= REPORT_EVERY {
                reported = Instant::now();
                let Resumed { games, positions, .. } = self.total;
                eprintln!(
                    "shard {}: {positions} positions, {games} games, {rate:.0} positions/s",
                    settings.shard
                );
            }
        }
        bar.finish_and_clear();
        self.writer.flush()
    }

    fn take(&mut self, game: Finished, stop: &AtomicBool) -> io::Result<()> {
        self.nodes += game.nodes;
        self.waiting.insert(game.record.index, game.record);
        while !self.goal.is_reached(&self.total)
            && let Some(record) = self.waiting.remove(&self.writer.next_index())
        {
            self.writer.push(&record)?;
            self.total.games += 1;
            self.total.positions += record.positions();
        }
        if self.goal.is_reached(&self.total) {
            stop.store(true, Relaxed);
        }
        Ok(())
    }

    fn show(&self, bar: &ProgressBar, rate: f64) {
        bar.set_position(match (self.goal.positions, self.goal.games, self.goal.time) {
            (Some(_), _, _) => self.total.positions,
            (None, Some(_), _) => self.total.games.into(),
            (None, None, Some(_)) => self.begun.elapsed().as_secs(),
            (None, None, None) => self.total.positions,
        });
        let Resumed { games, positions, .. } = self.total;
        bar.set_message(format!("{positions} positions, {games} games, {rate:.0} positions/s"));
    }
}

fn progress_bar(goal: &Goal, total: &Resumed) -> ProgressBar {
    let length = goal.positions.or(goal.games.map(u64::from)).or(goal.time.map(|t| t.as_secs()));
    let (bar, template) = match length {
        Some(n) => (super::progress_bar(n), "{elapsed_precise} [{bar:30}] {percent}% {msg} (ends in {eta})"),
        None => (super::progress_bar(0), "{elapsed_precise} {spinner} {msg}"),
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_position(if goal.positions.is_some() { total.positions } else { 0 });
    bar.with_style(style)
}

#[cfg(test)]
mod tests;
