//! The Go engine: a game of Go that is played and counted, and the tree search that plays it.
//!
//! [`game_state`] holds the game, [`job`] runs one search on a thread of its own, [`searcher`] keeps the tree
//! between searches, [`endgame`] decides when to pass and when to resign. Moves cross the border as text, as
//! described in the [parent](super).

mod bench;
mod chances;
pub mod endgame;
pub mod game_state;
mod handicap;
pub mod job;
pub mod memory;
pub mod options;
mod player;
pub mod searcher;

pub use endgame::Status;
pub use game_state::{GameError, GameState};
pub use job::{Ban, SearchRequest};
pub use player::{LEVELS, LOWEST, RANKS, rank_of};

use super::{Engine, Event, GameId, HashProbe, Limits, OptionSpec, PositionSpec, Side, StopFlag, StopHandle};
use crate::clock::lag::Lag;
use crate::clock::manager::Timer;
use crate::ensure;
use crate::eval::go::Mode;
use crate::eval::go::speed::Speed;
use crate::message;
use crate::util::message::Message;
use crate::util::sync::lock;
use crossbeam::channel::Sender;
use endgame::FinalStatus;
use job::Job;
use options::Options;
use searcher::{Forget, GoSearcher};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

pub struct GoEngine {
    game: GameState,
    options: Options,
    searcher: Arc<Mutex<GoSearcher>>,
    stop: StopHandle,
    timer: Arc<Timer>,
    /// How long searches waited for a processor.
    waits: Lag,
    running: Option<JoinHandle<()>>,
    is_warm: bool,
    /// No search of this game was started yet.
    begins: bool,
}

impl Default for GoEngine {
    fn default() -> Self {
        Self {
            game: GameState::default(),
            options: Options::default(),
            searcher: Arc::default(),
            stop: StopHandle::default(),
            timer: Arc::new(Timer::new(None)),
            waits: Lag::default(),
            running: None,
            is_warm: false,
            begins: true,
        }
    }
}

impl GoEngine {
    /// The game. It can be changed while no search runs.
    pub fn game_state(&mut self) -> &mut GameState {
        &mut self.game
    }

    pub fn settings(&self) -> &Options {
        &self.options
    }

    /// Has the memory and the threads of the search made ready in the background, so that the first move does
    /// not wait for them. Only the first call does anything.
    pub fn warm_up(&mut self) {
        if std::mem::replace(&mut self.is_warm, true) {
            return;
        }
        let (searcher, options) = (Arc::clone(&self.searcher), self.options.clone());
        // A failure is reported when a search needs it.
        let thread = std::thread::Builder::new().name("warm-up".into());
        drop(thread.spawn(move || {
            let mut searcher = lock(&searcher);
            drop(searcher.memory.ready(&options).map(drop));
            searcher.speed(&options);
        }));
    }

    /// A game begins, on a board that was changed already.
    pub fn new_game_begins(&mut self) {
        self.begins = true;
    }

    /// Waits until the memory and the threads of the search are there.
    pub fn get_ready(&mut self) {
        self.is_warm = true;
        // A failure is reported when a search needs it.
        drop(lock(&self.searcher).memory.ready(&self.options).map(drop));
    }

    /// Who evaluates in searches by the clock, and how fast the net is where that decides.
    pub fn evaluator(&mut self) -> (Mode, Option<Speed>) {
        self.wait();
        let speed = lock(&self.searcher).speed(&self.options);
        (self.options.mode(speed.as_ref()), speed)
    }

    /// Saves the tree of the present game in a file, and returns the number of its positions.
    /// # Errors
    /// Nothing is known, or the file cannot be written: what was there stays.
    pub fn save_tree(&mut self, path: &Path) -> Result<u64, Message> {
        self.wait();
        lock(&self.searcher).save_tree(path, &self.game.position, &self.options)
    }

    /// Loads a tree that was saved for the same board, rules and komi, and returns the number of its
    /// positions.
    /// # Errors
    /// It cannot be used: what is known stays.
    pub fn load_tree(&mut self, path: &Path) -> Result<u64, Message> {
        self.wait();
        lock(&self.searcher).load_tree(path, &self.game.position, &self.options)
    }

    /// The status of every stone and point on the board as it is. No stone is dead with the option `All
    /// Alive`, and at the end of a game by rules that know no agreement on dead stones. Blocks for as long as
    /// two short searches take.
    pub fn status(&mut self) -> Status {
        self.status_until(&StopHandle::default()).unwrap_or_default()
    }

    /// The [`status`](Self::status); `None`: it was stopped.
    pub fn status_until(&mut self, stop: &StopHandle) -> Option<Status> {
        self.wait();
        let position = &self.game.position;
        let is_counted = position.board().passes() >= 2 && !position.rules().friendly_pass_ok;
        let verdict = if self.options.all_alive || is_counted {
            FinalStatus::of(position.board(), &[])
        } else {
            lock(&self.searcher).verdict(position, &self.options, stop)?
        };
        Some(self.game.status(&verdict))
    }

    /// Starts a search as [`Engine::go`] does, with the requests that only Go knows.
    /// # Errors
    /// When one is running already, or there is no thread for it.
    pub fn search(
        &mut self,
        request: SearchRequest,
        limits: Limits,
        events: Sender<Event>,
    ) -> Result<(), Message> {
        if self.running.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return Err(message!("a search is running" | "正在搜索"));
        }
        self.stop.clear();
        let mut position = self.game.position.clone();
        if let Some(side) = request.side {
            position.set_side_to_move(side);
        }
        let request = SearchRequest { is_first: std::mem::take(&mut self.begins), ..request };
        self.waits.note_late(self.timer.longest_wait());
        let control = (Arc::clone(&self.stop), self.waits);
        let job = Job::new(position, limits, request, self.options.clone(), control, events);
        self.timer = job.timer();
        let searcher = Arc::clone(&self.searcher);
        let thread = std::thread::Builder::new().name("go search".into());
        let thread = thread.spawn(move || job.run(&mut lock(&searcher)));
        let no_thread = |why| {
            message!("no thread for the search: {why}" | "没有线程用于搜索：{why}", why = Message::from(why))
        };
        self.running = Some(thread.map_err(no_thread)?);
        Ok(())
    }
}

impl Engine for GoEngine {
    fn game(&self) -> GameId {
        GameId::Go
    }

    fn options(&self) -> Vec<OptionSpec> {
        options::specs()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Message> {
        let mut changed = self.options.clone();
        changed.set(name, value)?;
        let mut searcher = lock(&self.searcher);
        if name == "Clear Hash" {
            searcher.forget(Forget::Game);
        }
        searcher.memory.adapt(&changed, &self.options)?;
        if !changed.evaluates_as(&self.options) {
            searcher.forget(Forget::Evaluations);
        }
        drop(searcher);
        self.options = changed;
        Ok(())
    }

    fn new_game(&mut self) {
        self.game.clear();
        lock(&self.searcher).forget(Forget::Game);
    }

    fn set_position(&mut self, spec: &PositionSpec) -> Result<(), Message> {
        ensure!(spec.fen.is_none(), "Go has no FEN" | "围棋没有 FEN");
        self.game.clear();
        for text in &spec.moves {
            let side = self.game.side_to_move();
            self.game
                .play(side, text)
                .map_err(|why| message!("{why}: {text}" | "{why}：{text}", why, text))?;
        }
        Ok(())
    }

    fn side_to_move(&self) -> Side {
        self.game.side_to_move()
    }

    fn go(&mut self, limits: Limits, events: Sender<Event>) -> Result<(), Message> {
        self.search(SearchRequest::default(), limits, events)
    }

    fn stop_handle(&self) -> StopHandle {
        Arc::clone(&self.stop)
    }

    fn ponder_hit(&mut self, _draw_offered: bool) {
        self.timer.ponder_hit();
    }

    fn wait(&mut self) {
        if let Some(thread) = self.running.take() {
            // Joining fails only after a panic, which ends the program.
            drop(thread.join());
        }
    }

    fn diagram(&self) -> String {
        self.game.diagram()
    }

    fn explain_evaluation(&mut self) -> String {
        let status = self.status();
        let dead = status.groups("dead").unwrap_or_default().concat().join(" ");
        format!("{}Score if the game ended here: {}\nDead stones: {dead}", self.diagram(), status.score)
    }

    fn perft(&self, _depth: u32, _stop: &StopFlag) -> Option<Vec<(String, u64)>> {
        None
    }

    fn probe(&self, _spec: &PositionSpec) -> Result<Option<HashProbe>, Message> {
        Ok(None)
    }

    /// A hundred to the point, by the playouts of a short search.
    fn static_evaluation(&mut self) -> i32 {
        self.wait();
        lock(&self.searcher).lead(&self.game.position, &self.options)
    }

    fn bench(&mut self, depth: Option<u32>, _stop: &StopFlag) -> (u64, Duration) {
        self.run_bench(depth)
    }
}

#[cfg(test)]
mod net_tests;
