//! One tab of the browser: its requests, its engine, and what that finds.
//!
//! A request is a JSON object `{"id": 1, "do": "position", …}` and gets one reply, `{"id": 1, "ok": …}` or `{"id": 1,
//! "error": "why"}`. A search tells of itself by events, `{"event": "lines", "for": 2, …}`, where `for` is the request
//! that began it; a new search ends the one before.

use super::Settings;
use super::position::{Game, Line, merge, told, written};
use super::study::Study;
use super::tree::Tree;
use super::wire::{Gone, PING, Reader, Writer};
use crate::app::level::{self, LEVELS, LONGEST, Level};
use crate::app::review::{Judged, Opinion, Verdicts, by_rule};
use crate::app::seat::{Player, any_chess960};
use crate::chess::Board;
use crate::engine::go::SearchRequest;
use crate::engine::{BestMove, Event, Limits, Side};
use crate::games::record::{Ending, GameKind, Reason};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use crossbeam::channel::{Receiver, Sender, bounded, never, unbounded};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Requests that may wait while the session is busy.
const MAX_WAITING: usize = 64;
/// Time between two reports of a search.
const REPORT: Duration = Duration::from_millis(100);
/// Time for a hint.
const HINT: Duration = Duration::from_secs(1);

/// What the page asks for.
#[derive(Deserialize)]
struct Request {
    id: u64,
    /// What the page speaks, `en` or `zh…`: so are refusals told.
    #[serde(default)]
    language: String,
    #[serde(flatten)]
    command: Command,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Command {
    /// What the position at the end of the line is.
    Position { line: Line },
    /// What every position of the line is, in short.
    Pictures { line: Line },
    /// The engine's move, at a level or in so many seconds.
    Play {
        line: Line,
        #[serde(default)]
        level: Option<u8>,
        #[serde(default)]
        seconds: Option<f64>,
    },
    /// A good move, at full strength.
    Hint { line: Line },
    /// The best lines, until something else is asked for.
    Analyze { line: Line, lines: u8 },
    /// Every move of the line, judged.
    Review { line: Line, nodes: u64 },
    /// The result of a game of Go; without a list the engine says what is dead.
    Count {
        line: Line,
        #[serde(default)]
        dead: Option<Vec<String>>,
    },
    /// The game and its variations as PGN or SGF.
    Save { tree: Tree },
    /// A start position of Chess960, by chance.
    Shuffle,
    /// End the search.
    Stop,
}

/// What a search is for.
enum Task {
    Play { level: Option<u8> },
    Hint,
    Analyze,
    Review { nodes: u64, opinion: Opinion, before: Option<Opinion>, verdicts: Verdicts },
}

/// A search that runs.
struct Running {
    id: u64,
    task: Task,
    line: Line,
    /// Moves of the line that are on the board of the search.
    ply: usize,
    events: Receiver<Event>,
    study: Study,
    told: Option<Instant>,
}

/// Talks to a page until it goes.
pub fn run(mut reader: Reader, writer: Writer, settings: &Settings) {
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
        let mut session = Session { settings, writer, language, player: None, running: None };
        // Whatever ends the session, the page is gone; its reader ends by itself.
        let _ = session.talk(&requests);
        // A reader that waits for room has to end as well.
        drop(requests);
        session.stop();
        session.writer.close();
    });
}

struct Session<'a> {
    settings: &'a Settings,
    writer: Writer,
    language: Language,
    player: Option<(GameKind, Player)>,
    running: Option<Running>,
}

impl Session<'_> {
    fn talk(&mut self, requests: &Receiver<String>) -> Result<(), Gone> {
        let mut pinged = Instant::now();
        loop {
            let events = self.running.as_ref().map_or_else(never, |running| running.events.clone());
            let unsaid = self.running.as_ref().and_then(Running::due);
            let ping = pinged.checked_add(PING).unwrap_or(pinged);
            let wake = unsaid.unwrap_or(ping).min(ping);
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
            Err(why) => json!({"id": id, "error": words::reason(self.language, &why)}),
        };
        self.send(&reply)
    }

    fn obey(&mut self, id: u64, command: Command) -> Result<Value, String> {
        match command {
            Command::Play { line, level, seconds } => {
                let time = match (level, seconds) {
                    (Some(1..=LEVELS), None) => LONGEST,
                    (None, Some(seconds)) => {
                        Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?
                    }
                    _ => return Err(format!("a level from 1 to {LEVELS}, or seconds")),
                };
                let limits = Limits { movetime: Some(time), ..Limits::default() };
                self.search(id, Task::Play { level }, line, limits, 1)
            }
            Command::Hint { line } => {
                let analysis = line.game != GameKind::GO;
                let limits = Limits { movetime: Some(HINT), analysis, ..Limits::default() };
                self.search(id, Task::Hint, line, limits, 1)
            }
            Command::Analyze { line, lines } => {
                let limits = Limits { infinite: true, analysis: true, ..Limits::default() };
                self.search(id, Task::Analyze, line, limits, lines.clamp(1, 10))
            }
            Command::Review { line, nodes } => {
                let (opinion, before) = (Opinion::default(), None);
                let task = Task::Review { nodes, opinion, before, verdicts: Verdicts::default() };
                // A line that cannot be played to its end is refused at the start.
                Game::at_end(&line)?;
                let first = line.without_moves();
                self.begin(id, task, (line, 0), &first, review_limits(nodes), 1)
            }
            Command::Count { line, dead: None } => {
                let dead = self.dead_stones(&line)?;
                Game::at_end(&line)?.count(&dead)
            }
            Command::Stop => {
                self.stop();
                Ok(Value::Null)
            }
            other => look_up(other).unwrap_or_else(|| Err("this needs an engine".to_owned())),
        }
    }

    /// The stones that the engine takes for dead.
    fn dead_stones(&mut self, line: &Line) -> Result<Vec<String>, String> {
        self.stop();
        let player = self.player(line.game).map_err(|why| why)?;
        line.set_up(player).map_err(|why| why)?;
        let go = player.go().ok_or("only Go is counted")?;
        Ok(go.status().groups("dead").unwrap_or_default().concat())
    }

    /// The engine for a game: the one of the last search, or a new one.
    fn player(&mut self, kind: GameKind) -> Result<&mut Player, Message> {
        let player = match self.player.take() {
            Some((other, player)) if other == kind => player,
            _ => {
                let mut player = Player::new(kind);
                let engine = player.engine();
                engine.set_option("Threads", &self.settings.threads.to_string())?;
                engine.set_option("Hash", &self.settings.hash.to_string())?;
                if kind == GameKind::XIANGQI {
                    engine.set_option("OwnBook", "true")?;
                }
                // The page shows chances wherever a game has a model of them.
                if engine.options().iter().any(|spec| spec.name == "UCI_ShowWDL") {
                    engine.set_option("UCI_ShowWDL", "true")?;
                }
                player
            }
        };
        Ok(&mut self.player.insert((kind, player)).1)
    }

    fn search(
        &mut self,
        id: u64,
        task: Task,
        line: Line,
        limits: Limits,
        lines: u8,
    ) -> Result<Value, String> {
        let (at_end, ply) = (line.clone(), line.moves.len());
        self.begin(id, task, (line, ply), &at_end, limits, lines)
    }

    /// Begins a search of the position at the end of `at`, which is the line up to the ply.
    fn begin(
        &mut self,
        id: u64,
        task: Task,
        (line, ply): (Line, usize),
        at: &Line,
        limits: Limits,
        lines: u8,
    ) -> Result<Value, String> {
        self.stop();
        let position = Game::at_end(at)?.position;
        let study = Study::new(position, usize::from(lines));
        let level = if let Task::Play { level } = task { level } else { None };
        let events = self.start(at, limits, lines, level).map_err(|why| why)?;
        self.running = Some(Running { id, task, line, ply, events, study, told: None });
        Ok(Value::Null)
    }

    fn start(
        &mut self,
        at: &Line,
        limits: Limits,
        lines: u8,
        level: Option<u8>,
    ) -> Result<Receiver<Event>, Message> {
        let player = self.player(at.game)?;
        at.set_up(player)?;
        level::set(player.engine(), level.map(Level::Number))?;
        let (sender, events): (Sender<Event>, _) = unbounded();
        match player.go() {
            Some(go) => {
                let interval = Some(REPORT);
                go.search(SearchRequest { interval, ..SearchRequest::default() }, limits, sender)?;
            }
            None => {
                let engine = player.engine();
                engine.set_option("MultiPV", &lines.to_string())?;
                engine.go(limits, sender)?;
            }
        }
        Ok(events)
    }

    /// Ends the search, if one runs; nothing more is told of it.
    fn stop(&mut self) {
        self.running = None;
        if let Some((_, player)) = &mut self.player {
            let engine = player.engine();
            engine.stop_handle().set();
            engine.wait();
        }
    }

    /// Tells what the search has found, if it is time, or `now`.
    fn report(&mut self, now: bool) -> Result<(), Gone> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if !running.study.is_news() || !(now || running.due().is_some_and(|due| due <= Instant::now())) {
            return Ok(());
        }
        running.told = Some(Instant::now());
        let mut event = json!({"event": "lines", "for": running.id});
        merge(&mut event, running.study.tell());
        self.send(&event)
    }

    /// Takes in what a search tells.
    fn hear(&mut self, event: Event) -> Result<(), Gone> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if let Task::Review { opinion, .. } = &mut running.task {
            opinion.hear(&event);
        }
        if let Event::BestMove(best) = event {
            return self.conclude(&best);
        }
        running.study.hear(event);
        if matches!(running.task, Task::Review { .. }) {
            running.study.tell();
            return Ok(());
        }
        self.report(false)
    }

    /// The end of a search.
    fn conclude(&mut self, best: &BestMove) -> Result<(), Gone> {
        self.report(true)?;
        let Some(running) = self.running.take() else { return Ok(()) };
        if let Some((_, player)) = &mut self.player {
            player.engine().wait();
        }
        let Running { id, line, ply, study, task, .. } = running;
        match task {
            Task::Play { .. } => {
                let event = played(id, &line, best, study.side());
                self.send(&event)
            }
            Task::Hint => {
                let text = best.mv.as_ref().map(|mv| written(study.position(), mv));
                self.send(&json!({"event": "hint", "for": id, "mv": best.mv, "text": text}))
            }
            Task::Analyze => self.send(&json!({"event": "done", "for": id})),
            Task::Review { nodes, opinion, before, verdicts } => {
                let review = Review { nodes, before, verdicts };
                self.review(id, line, ply, &study, opinion, review)
            }
        }
    }

    /// Judges the move before the position that was searched, and goes on with the next.
    fn review(
        &mut self,
        id: u64,
        line: Line,
        ply: usize,
        study: &Study,
        mut now: Opinion,
        mut review: Review,
    ) -> Result<(), Gone> {
        now.side = study.side();
        let best = now.best.as_ref().map(|mv| written(study.position(), mv));
        let mut event = json!({
            "event": "review", "for": id, "ply": ply, "best": best, "mv": now.best,
            "pv": super::position::written_line(study.position(), &now.line),
            "chances": study.first_side(now.chances),
        });
        merge(&mut event, study.effort());
        let played = ply.checked_sub(1).and_then(|last| Some((last, line.moves.get(last)?)));
        if let Some(((last, mv), before)) = played.zip(review.before.take()) {
            let judged = Judged::new(last, mv, before, &now);
            let more = json!({"sign": judged.sign, "loss": judged.loss, "score": judged.score, "chances": judged.chances});
            merge(&mut event, more);
            review.verdicts.moves.push(judged);
        }
        self.send(&event)?;
        review.before = Some(now);
        if ply == line.moves.len() {
            let sides = [Side::First, Side::Second];
            let accuracy = sides.map(|side| review.verdicts.accuracy(side));
            return self.send(&json!({"event": "reviewed", "for": id, "accuracy": accuracy}));
        }
        let next =
            Line { moves: line.moves.iter().take(ply.saturating_add(1)).cloned().collect(), ..line.clone() };
        let ended = if next.moves.len() == line.moves.len() {
            by_rule(line.game, &line.rules, &line.record())
        } else {
            None
        };
        if let Some((end, game)) = ended.zip(Game::at_end(&next).ok()) {
            let study = Study::new(game.position, 1);
            return self.review(id, line, ply.saturating_add(1), &study, end, review);
        }
        let limits = review_limits(review.nodes);
        let Review { nodes, before, verdicts } = review;
        let task = Task::Review { nodes, opinion: Opinion::default(), before, verdicts };
        match self.begin(id, task, (line, ply.saturating_add(1)), &next, limits, 1) {
            Ok(_) => Ok(()),
            Err(why) => {
                let why = words::reason(self.language, &why);
                self.send(&json!({"event": "done", "for": id, "error": why}))
            }
        }
    }
}

/// What a review carries from one position to the next.
struct Review {
    nodes: u64,
    before: Option<Opinion>,
    verdicts: Verdicts,
}

impl Running {
    /// When to tell what is new.
    fn due(&self) -> Option<Instant> {
        self.study
            .is_news()
            .then(|| self.told.and_then(|told| told.checked_add(REPORT)).unwrap_or_else(Instant::now))
    }
}

fn review_limits(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes.clamp(1, 100_000_000)), analysis: true, ..Limits::default() }
}

/// Does what needs no engine; `None` where one is needed.
fn look_up(command: Command) -> Option<Result<Value, String>> {
    let description = |line: Line| {
        let text = last_text(&line)?;
        Ok(Game::at_end(&line)?.description(text))
    };
    let pictures = |line: Line| {
        let mut game = Game::new(&line)?;
        let mut pictures = vec![game.picture(Value::Null)];
        while let Some(mv) = line.moves.get(game.ply) {
            let text = written(&game.position, mv);
            game.forward()?;
            pictures.push(game.picture(text));
        }
        Ok(pictures.into())
    };
    Some(match command {
        Command::Position { line } => description(line),
        Command::Pictures { line } => pictures(line),
        Command::Count { line, dead: Some(dead) } => Game::at_end(&line).and_then(|game| game.count(&dead)),
        Command::Save { tree } => tree.save().map(Value::from),
        Command::Shuffle => Ok(Board::chess960(any_chess960()).fen().into()),
        _ => return None,
    })
}

/// The answer to a message of the page, or why there is none; `None` where an engine is needed. For whoever tries all kinds
/// of input.
pub fn without_engine(text: &str) -> Option<Result<Value, String>> {
    match serde_json::from_str::<Request>(text) {
        Ok(request) => look_up(request.command),
        Err(why) => Some(Err(why.to_string())),
    }
}

/// The last move of a line as people write it.
fn last_text(line: &Line) -> Result<Value, String> {
    let Some((last, before)) = line.moves.split_last() else { return Ok(Value::Null) };
    let before = Line { moves: before.to_vec(), ..line.clone() };
    Ok(written(&Game::at_end(&before)?.position, last))
}

/// The engine's move and the position after it: the page draws it without asking again.
fn played(id: u64, line: &Line, best: &BestMove, side: Side) -> Value {
    let mut event = json!({"event": "move", "for": id, "mv": best.mv});
    let mv = match &best.mv {
        Some(mv) if !best.resign => mv,
        _ => {
            let detail = format!("{} resigns", line.game.side_name(side));
            let ending = Ending::won(side.other(), Reason::Resignation, detail);
            merge(&mut event, json!({"mv": null, "ending": told(&ending)}));
            return event;
        }
    };
    let mut after = line.clone();
    after.moves.push(mv.clone());
    let node = last_text(&after).and_then(|text| Ok(Game::at_end(&after)?.description(text)));
    match node {
        Ok(node) => merge(&mut event, json!({"node": node})),
        Err(why) => merge(&mut event, json!({"error": why})),
    }
    event
}
