//! Runs that write numbered games to a file, on several threads.
//!
//! Game `i` is a function of the settings and `i` only, and games are written in order: a run gives the same
//! bytes with any number of threads, and after any number of interruptions.

use super::record::{FileHeader, Record, Resumed, Writer, WriterError};
use crate::errors;
use crate::util::files::AppendFile;
use crate::util::message::Message;
use crate::util::rng::Rng;
use crate::util::system::remark;
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Searches recurse deeply, with a move list in each frame.
const STACK_BYTES: usize = 32 << 20;
/// How often a run without a visible progress bar writes a line instead.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// When a run is over. Whatever is reached first ends it; all `None` runs until it is killed. Counts
/// include what a resumed file held, and are those of the shard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Goal {
    pub positions: Option<u64>,
    pub games: Option<u32>,
    pub time: Option<Duration>,
}

impl Goal {
    fn is_reached(&self, total: &Resumed) -> bool {
        self.positions.is_some_and(|n| total.positions >= n) || self.games.is_some_and(|n| total.games >= n)
    }
}

/// The random numbers of a game: a function of the run, its part and the number of the game.
pub(super) fn game_rng(seed: u64, shard: u32, index: u32) -> Rng {
    let run = Rng::new(seed).next_u64();
    let game = Rng::new(u64::from(shard) << 32 | u64::from(index)).next_u64();
    Rng::new(run ^ game.rotate_left(17))
}

/// How to treat an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    Refuse,
    Resume,
}

#[derive(Clone, Debug)]
pub struct Summary {
    pub path: PathBuf,
    /// Games and positions in the file, and bytes that were cut off its torn tail.
    pub total: Resumed,
    /// Positions of this run only.
    pub positions: u64,
    /// Nodes of this run, openings included.
    pub nodes: u64,
    pub elapsed: Duration,
}

impl Summary {
    pub fn positions_per_second(&self) -> f64 {
        self.positions as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Nodes of this run a second, all threads together.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

errors! {
    /// The reason why a run could not begin or go on.
    pub enum DatagenError {
        File(path: String, why: WriterError) = "{path}: {why}" | "{path}：{why}",
        Thread(why: Message) = "cannot start a thread: {why}" | "启动不了线程：{why}",
    }
}

/// A finished game on its way to the writer.
struct Finished<T> {
    record: T,
    nodes: u64,
}

/// Plays games into a file of `directory` until `goal` is reached, with as many threads as there are
/// `players`. A player makes the game of a number, and returns the nodes that took.
pub fn run<H, P>(
    directory: &Path,
    file_name: &str,
    game: &'static str,
    header: &H,
    goal: Goal,
    existing: Existing,
    players: Vec<P>,
) -> Result<Summary, DatagenError>
where
    H: FileHeader,
    H::Record: Send,
    P: FnMut(u32) -> (H::Record, u64) + Send,
{
    let path = directory.join(file_name);
    let in_file = |why| DatagenError::File(path.display().to_string(), why);
    let (writer, resumed) = open(directory, &path, header, game, existing).map_err(in_file)?;
    let begun = Instant::now();
    let next = AtomicU32::new(resumed.games);
    let stop = AtomicBool::new(goal.is_reached(&resumed));
    let (sender, finished) = bounded(4 * players.len().max(1));
    let shard = header.to_fields().shard;
    let mut run = Run { writer, total: resumed, goal, begun, shard, nodes: 0, waiting: BTreeMap::new() };
    std::thread::scope(|scope| {
        for player in players {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            let spawned = thread.spawn_scoped(scope, move || play_on(player, next, stop, &sender));
            if let Err(e) = spawned {
                stop.store(true, Relaxed);
                return Err(DatagenError::Thread(e.into()));
            }
        }
        drop(sender);
        let result = run.collect(&finished, &stop);
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
    header: &impl FileHeader,
    game: &'static str,
    existing: Existing,
) -> Result<(Writer<AppendFile>, Resumed), WriterError> {
    fs::create_dir_all(directory)?;
    match existing {
        Existing::Refuse => Ok((Writer::create(path, header)?, Resumed::default())),
        Existing::Resume => Writer::resume(path, header, game),
    }
}

/// One thread: takes the next number, plays that game, hands it over.
fn play_on<T>(
    mut player: impl FnMut(u32) -> (T, u64),
    next: &AtomicU32,
    stop: &AtomicBool,
    finished: &Sender<Finished<T>>,
) {
    while !stop.load(Relaxed) {
        let (record, nodes) = player(next.fetch_add(1, Relaxed));
        if finished.send(Finished { record, nodes }).is_err() {
            return;
        }
    }
}

struct Run<T> {
    writer: Writer<AppendFile>,
    total: Resumed,
    goal: Goal,
    begun: Instant,
    shard: u32,
    nodes: u64,
    /// Games that finished before an earlier one did.
    waiting: BTreeMap<u32, T>,
}

impl<T: Record> Run<T> {
    /// Writes games in order until the goal is reached or no thread plays any more.
    fn collect(&mut self, finished: &Receiver<Finished<T>>, stop: &AtomicBool) -> io::Result<()> {
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
                let shard = self.shard;
                remark!("shard {shard}: {positions} positions, {games} games, {rate:.0} positions/s");
            }
        }
        bar.finish_and_clear();
        self.writer.flush()
    }

    fn take(&mut self, game: Finished<T>, stop: &AtomicBool) -> io::Result<()> {
        self.nodes += game.nodes;
        self.waiting.insert(game.record.index(), game.record);
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
    let template = match length {
        Some(_) => "{elapsed_precise} [{bar:30}] {percent}% {msg} (ends in {eta})",
        None => "{elapsed_precise} {spinner} {msg}",
    };
    let bar = super::progress_bar(length, template);
    bar.set_position(if goal.positions.is_some() { total.positions } else { 0 });
    bar
}
