//! One tab of the browser: its requests, its engine, and what that finds.
//!
//! A request is a JSON object `{"id": 1, "do": "position", …}` and gets one reply, `{"id": 1, "ok": …}` or
//! `{"id": 1, "error": "why"}`. A search sends events, `{"event": "lines", "for": 2, …}`, where `for` is the
//! request that began it; a new search ends the one before.

mod guest;
mod known;
mod look_up;
mod request;
mod review;
mod table;

pub use look_up::without_engine;
pub use table::at_table;

use super::guests::{Guests, Pace};
use super::position::{count, described, ending_json, merge, written};
use super::store::{Store, Subscription};
use super::study::Study;
use super::table::Sitting;
use super::wire::{Gone, MessageReader, MessageWriter, PING};
use crate::app::level::{self, LEVELS, LONGEST, Level};
use crate::app::opponent;
use crate::app::seat::{Seat, SeatOptions};
use crate::chess::syzygy::Tables;
use crate::client::player::EngineSpec;
use crate::engine::go::SearchRequest;
use crate::engine::{BestMove, Event, GameId, Limits};
use crate::games::game::Game;
use crate::games::record::{Ending, GameKind, Reason, ReportedScore};
use crate::message;
use crate::table::Objection;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::system;
use crossbeam::channel::{Receiver, bounded, never, unbounded};
use guest::{Asked, Purpose, threat};
use known::known;
use look_up::look_up;
use request::{Command, Request};
use review::Review;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// Requests that may wait while the session is busy.
const MAX_WAITING: usize = 64;
/// Time between two reports of a search.
const REPORT: Duration = Duration::from_millis(100);
/// MiB of table that a page may ask for, unless the command line has more.
const MAX_HASH: u32 = 4096;
/// Time for a hint.
const HINT: Duration = Duration::from_secs(1);

/// What a search is for.
enum Task {
    Play {
        level: Option<u8>,
    },
    /// A move at the table.
    Move,
    Hint,
    Threat,
    Offer,
    Analyze,
    Review(Review),
}

/// A search that runs.
struct Running {
    id: u64,
    task: Task,
    /// The game at the position that is searched.
    game: Game,
    events: Receiver<Event>,
    study: Study,
    /// When it was reported last.
    reported: Option<Instant>,
}

/// Talks to a page until it goes.
pub fn run(
    mut reader: MessageReader,
    writer: MessageWriter,
    options: &SeatOptions,
    engines: &[EngineSpec],
    tables: &Tables,
    store: Option<&Store>,
) {
    let (sender, requests) = bounded(MAX_WAITING);
    std::thread::scope(|scope| {
        let read = move || {
            while let Some(text) = reader.message() {
                if sender.send(text).is_err() {
                    return;
                }
            }
        };
        // Without a thread nothing is read, and the page hears that the connection is over.
        drop(std::thread::Builder::new().name("page".into()).spawn_scoped(scope, read));
        let language = Language::English;
        let library = store.map(Store::subscribe);
        let given = options;
        let mut session = Session {
            given,
            options: options.clone(),
            writer,
            language,
            tables,
            store,
            library,
            seat: None,
            running: None,
            guests: Guests::new(engines),
            asked: None,
            sitting: None,
            shown: None,
        };
        // Whatever ends the session, the page is gone; its reader ends by itself.
        let _ = session.talk(&requests);
        // A reader that waits for room has to end as well.
        drop(requests);
        session.stop();
        session.writer.close();
    });
}

struct Session<'a> {
    /// As the command line has them.
    given: &'a SeatOptions,
    options: SeatOptions,
    writer: MessageWriter,
    language: Language,
    /// Endgame tables of chess; they may be none.
    tables: &'a Tables,
    store: Option<&'a Store>,
    /// None without a library.
    library: Option<Subscription<'a>>,
    /// The engine of the last search.
    seat: Option<Seat>,
    running: Option<Running>,
    /// Other engines of this machine.
    guests: Guests<'a>,
    /// What one of them was asked.
    asked: Option<Asked>,
    /// The table at which the person sits.
    sitting: Option<Sitting>,
    /// The clocks that the page shows.
    shown: Option<Value>,
}

impl Session<'_> {
    fn talk(&mut self, requests: &Receiver<String>) -> Result<(), Gone> {
        let mut pinged = Instant::now();
        loop {
            self.tick()?;
            let events = self.running.as_ref().map_or_else(never, |running| running.events.clone());
            let answer = self.asked.as_ref().map_or_else(never, |asked| asked.answer.clone());
            let news = self.library.as_ref().map_or_else(never, |library| library.news.clone());
            let unsaid = self.running.as_ref().and_then(Running::due);
            let ping = pinged.checked_add(PING).unwrap_or(pinged);
            let clock = self.sitting.as_ref().and_then(Sitting::due);
            let wake = [unsaid, clock].into_iter().flatten().fold(ping, Instant::min);
            crossbeam::select! {
                recv(requests) -> text => match text {
                    Ok(text) => self.answer(&text)?,
                    Err(_) => return Ok(()),
                },
                recv(events) -> event => match event {
                    Ok(event) => self.hear(event)?,
                    // A search that died without a move.
                    Err(_) => self.running = None,
                },
                recv(answer) -> answer => self.hear_guest(answer.ok())?,
                recv(news) -> event => if let Ok(event) = event { self.send(&event)? },
                default(wake.saturating_duration_since(Instant::now())) => {
                    if pinged.elapsed() >= PING {
                        self.writer.ping()?;
                        pinged = Instant::now();
                    }
                    self.report(false)?;
                }
            }
        }
    }

    fn send(&mut self, value: &Value) -> Result<(), Gone> {
        self.writer.send(value.to_string())
    }

    fn answer(&mut self, text: &str) -> Result<(), Gone> {
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(why) => {
                let id = serde_json::from_str::<Value>(text).ok().and_then(|v| v.get("id").cloned());
                return self.send(&json!({"id": id, "error": format!("not understood: {why}")}));
            }
        };
        let id = request.id;
        self.language = Language::of_name(&request.language);
        let reply = match self.obey(id, request.command) {
            Ok(value) => json!({"id": id, "ok": value}),
            Err(why) => json!({"id": id, "error": why.text(self.language)}),
        };
        self.send(&reply)
    }

    fn obey(&mut self, id: u64, command: Command) -> Result<Value, Message> {
        let asks_engine = matches!(
            command,
            Command::Play { .. }
                | Command::Consult { .. }
                | Command::Hint { .. }
                | Command::Threat { .. }
                | Command::Offer { .. }
                | Command::Analyze { .. }
                | Command::Review { .. }
        );
        if let Some(sitting) = self.sitting.as_ref().filter(|_| asks_engine) {
            sitting.allow_advice()?;
        }
        match command {
            Command::Play { line, engine: Some(engine), seconds, .. } => {
                self.ask_guest(id, Purpose::Play, &engine, line.game()?, Pace::of(seconds))
            }
            Command::Consult { line, engine, seconds } => {
                self.ask_guest(id, Purpose::Opinion, &engine, line.game()?, Pace::of(Some(seconds)))
            }
            Command::Threat { line } => {
                let (game, limits) = threat(&line.game()?)?;
                self.begin(id, Task::Threat, game, limits, 1)
            }
            Command::Play { line, level, seconds, engine: None } => {
                let time = time_for_a_move(level, seconds)?;
                let limits = Limits { movetime: Some(time), ..Limits::default() };
                self.begin(id, Task::Play { level }, line.game()?, limits, 1)
            }
            Command::Hint { line } => {
                let limits =
                    Limits { movetime: Some(HINT), analysis: line.game != GameKind::GO, ..Limits::default() };
                self.begin(id, Task::Hint, line.game()?, limits, 1)
            }
            Command::Offer { line } => {
                let game = line.game()?;
                if line.game == GameKind::GO {
                    return Err(Objection::NoDraws.into());
                }
                if game.ending().is_some() {
                    return Err(Objection::Over.into());
                }
                let limits = Limits { movetime: Some(HINT), analysis: true, ..Limits::default() };
                self.begin(id, Task::Offer, game, limits, 1)
            }
            Command::Analyze { line, lines, seconds } => {
                let movetime = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                let infinite = movetime.is_none();
                let limits = Limits { infinite, movetime, analysis: true, ..Limits::default() };
                self.begin(id, Task::Analyze, line.game()?, limits, lines.clamp(1, 10))
            }
            Command::Review { line, nodes, from } => self.begin_review(id, line, nodes, from),
            Command::Count { line, dead: None } => {
                let game = line.game()?;
                let dead = self.dead_stones(&game)?;
                count(&game, &dead)
            }
            Command::Stop => {
                if self.thinks_at_table().is_none() {
                    self.stop();
                }
                Ok(Value::Null)
            }
            Command::Sit(terms) => {
                self.leave();
                let sitting = Sitting::new(terms, self.store)?;
                self.sit_down(sitting)
            }
            Command::Resume { table } => {
                self.leave();
                let store = self.store.ok_or_else(no_library)?;
                let sitting = Sitting::resume(table, store)?;
                self.sit_down(sitting)
            }
            Command::Act(wish) => {
                let sitting = self.sitting.as_mut().ok_or_else(no_table)?;
                let (events, answer) = sitting.wish(wish)?;
                self.happened(&events)?;
                Ok(answer)
            }
            Command::Table => {
                self.sitting.as_mut().ok_or_else(no_table)?.show_again();
                self.happened(&[])?;
                Ok(Value::Null)
            }
            Command::Leave => {
                self.leave();
                Ok(Value::Null)
            }
            Command::Known { line } => {
                let is_allowed = self.sitting.as_ref().is_none_or(|sitting| sitting.allow_advice().is_ok());
                line.game().map(|game| known(&game, is_allowed.then_some(self.tables)))
            }
            Command::Welcome => self.welcome(),
            Command::Engine { threads, hash } => {
                let (max_threads, max_hash) = self.limits();
                self.options.threads = threads.unwrap_or(self.given.threads).clamp(1, max_threads);
                self.options.hash = hash.unwrap_or(self.given.hash).clamp(1, max_hash);
                Ok(json!({"threads": self.options.threads, "hash": self.options.hash}))
            }
            Command::Library(search) => self.library()?.list(&search),
            Command::Load { name } => self.library()?.load(&name),
            Command::Store(stored) => {
                let finished = stored.finished().map(str::to_owned);
                let answer = self.library()?.store(stored)?;
                // The record has all of it now.
                if let Some((store, name)) = self.store.zip(finished) {
                    store.remove_table(&name);
                }
                Ok(answer)
            }
            Command::Remove { name } => self.library()?.remove(&name),
            Command::Restore { name } => self.library()?.restore(&name),
            Command::Settings { set } => self.library()?.settings(set),
            other => look_up(other, self.language)
                .unwrap_or_else(|| Err(message!("this needs an engine" | "这需要引擎"))),
        }
    }

    fn library(&self) -> Result<&Subscription<'_>, Message> {
        self.library.as_ref().ok_or_else(no_library)
    }

    /// The greatest numbers of threads and of MiB that a page may ask for.
    fn limits(&self) -> (usize, u32) {
        let free = system::available_memory().map_or(MAX_HASH, |bytes| (bytes >> 22) as u32);
        (
            super::processors().max(self.given.threads),
            free.clamp(self.given.hash, MAX_HASH.max(self.given.hash)),
        )
    }

    fn welcome(&self) -> Result<Value, Message> {
        let worths = |game, size| level::worths(self.language, game, size);
        let go = [9, 13, 19].map(|size| (size.to_string(), Value::from(worths(GameId::Go, size))));
        let levels = json!({
            "chess": worths(GameId::Chess, 0), "xiangqi": worths(GameId::Xiangqi, 0),
            "go": Map::from_iter(go),
        });
        let (threads, hash) = self.limits();
        let engine = json!({"threads": self.given.threads, "hash": self.given.hash, "most": {"threads": threads, "hash": hash}});
        let mut welcome = json!({"levels": levels, "engine": engine, "engines": self.guests.names()});
        if let Some(library) = &self.library {
            let settings = library.settings(Map::new())?;
            merge(&mut welcome, json!({"settings": settings, "folder": library.folder()}));
        }
        Ok(welcome)
    }

    /// The stones that the engine takes for dead.
    fn dead_stones(&mut self, game: &Game) -> Result<Vec<String>, Message> {
        self.stop();
        let seat = self.seat_at(game)?;
        let go = seat.go().ok_or_else(|| message!("only Go is counted" | "只有围棋才数子"))?;
        Ok(go.status().groups("dead").unwrap_or_default().concat())
    }

    /// The engine at a game: the one of the last search, or a new one.
    fn seat_at(&mut self, game: &Game) -> Result<&mut Seat, Message> {
        let seat = Seat::keep(&mut self.seat, game.kind(), &self.options)?;
        seat.set_up(game)?;
        Ok(seat)
    }

    /// Begins a search of the position of a game.
    fn begin(
        &mut self,
        id: u64,
        task: Task,
        game: Game,
        limits: Limits,
        lines: u8,
    ) -> Result<Value, Message> {
        self.stop();
        let study = Study::new(game.position().clone(), usize::from(lines));
        let level = match task {
            Task::Play { level } => level,
            Task::Move => self.sitting.as_ref().and_then(Sitting::level),
            _ => None,
        };
        let events = self.start(&game, limits, lines, level)?;
        self.running = Some(Running { id, task, game, events, study, reported: None });
        Ok(Value::Null)
    }

    fn start(
        &mut self,
        game: &Game,
        limits: Limits,
        lines: u8,
        level: Option<u8>,
    ) -> Result<Receiver<Event>, Message> {
        // What a level is worth was measured with one thread.
        let threads = if level.is_some() { 1 } else { self.options.threads };
        let hash = self.options.hash;
        let seat = self.seat_at(game)?;
        seat.resize(threads, hash)?;
        level::set(seat.engine(), level.map(Level::Number))?;
        let Some(go) = seat.go() else {
            seat.engine().set_option("MultiPV", &lines.to_string())?;
            return seat.search(limits);
        };
        let (sender, events) = unbounded();
        go.search(SearchRequest { interval: Some(REPORT), ..SearchRequest::default() }, limits, sender)?;
        Ok(events)
    }

    /// Ends the search, if one runs; nothing more is reported of it.
    fn stop(&mut self) {
        self.running = None;
        if self.asked.take().is_some() {
            self.guests.stop();
        }
        if let Some(seat) = &mut self.seat {
            seat.stop();
        }
    }

    /// Sends what the search has found, if it is time, or `now`.
    fn report(&mut self, now: bool) -> Result<(), Gone> {
        let Some(running) = &mut self.running else { return Ok(()) };
        // What is found behind a null move is no opinion on the position.
        if matches!(running.task, Task::Move | Task::Threat) {
            running.study.report();
            return Ok(());
        }
        if !running.study.is_news() || !(now || running.due().is_some_and(|due| due <= Instant::now())) {
            return Ok(());
        }
        running.reported = Some(Instant::now());
        let mut event = json!({"event": "lines", "for": running.id});
        merge(&mut event, running.study.report());
        self.send(&event)
    }

    /// Takes in what a search reports.
    fn hear(&mut self, event: Event) -> Result<(), Gone> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if let Task::Review(review) = &mut running.task {
            review.opinion.hear(&event);
        }
        if let Event::BestMove(best) = event {
            return self.conclude(&best);
        }
        running.study.hear(event);
        if matches!(running.task, Task::Review(_)) {
            running.study.report();
            return Ok(());
        }
        self.report(false)
    }

    /// The end of a search.
    fn conclude(&mut self, best: &BestMove) -> Result<(), Gone> {
        self.report(true)?;
        let Some(running) = self.running.take() else { return Ok(()) };
        if let Some(seat) = &mut self.seat {
            seat.engine().wait();
        }
        let Running { id, game, study, task, .. } = running;
        match task {
            Task::Play { .. } => {
                let event = played(id, game, best, self.language);
                self.send(&event)
            }
            Task::Hint | Task::Threat => {
                let text = best.mv.as_ref().map(|mv| written(&game, mv));
                let event = if matches!(task, Task::Hint) { "hint" } else { "threat" };
                self.send(&json!({"event": event, "for": id, "mv": best.mv, "text": text}))
            }
            Task::Offer => {
                let score = study.thought().score.map_or(0, ReportedScore::centipawns);
                let accepted = opponent::accepts_draw(&game, score);
                self.send(&json!({"event": "offer", "for": id, "accepted": accepted}))
            }
            Task::Move => self.move_at_table(&game, study.thought(), best),
            Task::Analyze => self.send(&json!({"event": "done", "for": id})),
            Task::Review(review) => self.review(id, &game, &study, review),
        }
    }
}

impl Running {
    /// When to report what is new.
    fn due(&self) -> Option<Instant> {
        self.study
            .is_news()
            .then(|| self.reported.and_then(|at| at.checked_add(REPORT)).unwrap_or_else(Instant::now))
    }
}

/// How long the engine may think at a level, or for a number of seconds.
fn time_for_a_move(level: Option<u8>, seconds: Option<f64>) -> Result<Duration, Message> {
    match (level, seconds) {
        (Some(1..=LEVELS), None) => Ok(LONGEST),
        (None, Some(seconds)) => {
            Duration::try_from_secs_f64(seconds).map_err(|why| Message::from(why.to_string()))
        }
        _ => Err(message!(
            "a level from 1 to {max}, or seconds" | "应为 1 至 {max} 的级别，或秒数",
            max = LEVELS
        )),
    }
}

fn no_library() -> Message {
    message!("this server keeps no games" | "此服务器不保存对局")
}

fn no_table() -> Message {
    message!("no game is played at a table" | "没有正在进行的对局")
}

/// The engine's move and the position after it: the page draws it without asking again.
fn played(id: u64, mut game: Game, best: &BestMove, language: Language) -> Value {
    let mut event = json!({"event": "move", "for": id, "mv": best.mv});
    let mv = match &best.mv {
        Some(mv) if !best.resign => mv,
        _ => {
            let side = game.side_to_move();
            let detail = message!("{name} resigns" | "{name}认输", name = game.kind().game().side(side));
            let ending = Ending::won(side.other(), Reason::Resignation, detail);
            merge(&mut event, json!({"mv": null, "ending": ending_json(&ending)}));
            return event;
        }
    };
    match game.play_recorded(mv) {
        Ok(()) => merge(&mut event, json!({"node": described(game)})),
        Err(why) => merge(&mut event, json!({"error": why.text(language)})),
    }
    event
}
