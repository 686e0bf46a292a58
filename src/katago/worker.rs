//! A thread that takes positions from the queue, searches them and sends the answers.

use super::answer::{of_lines, of_tree};
use super::query::Task;
use super::queue::Queue;
use super::settings::Settings;
use super::subject::{GoGame, Subject};
use crate::app::console::say;
use crate::app::seat::{Seat, SeatOptions};
use crate::engine::go::SearchRequest;
use crate::engine::{Analysis, Event, Info, Limits};
use crate::games::game::Game;
use crate::games::record::GameKind;
use crate::message;
use crate::util::message::Message;
use crossbeam::channel::{Receiver, RecvTimeoutError, unbounded};
use serde_json::json;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::{Duration, Instant};

/// Time that a report waits for the end of the search, whose report replaces it.
const AT_ONCE: Duration = Duration::from_millis(3);
/// Minimum time between two reports of chess and xiangqi.
const LEAST: Duration = Duration::from_millis(10);

/// The engines of a worker: one for each game it was asked about.
struct Engines {
    options: SeatOptions,
    seats: BTreeMap<&'static str, Seat>,
    forgotten: u64,
}

/// Searches positions until there are no more.
pub fn run(queue: &Queue, settings: &Settings, hash: u32) {
    let options = SeatOptions { threads: settings.threads, hash, chances: true, ..SeatOptions::default() };
    let mut engines = Engines { options, seats: BTreeMap::new(), forgotten: 0 };
    while let Some((number, task)) = queue.take() {
        if queue.times_forgotten() != engines.forgotten {
            engines.forgotten = queue.times_forgotten();
            engines.seats.clear();
        }
        if let Err(why) = engines.answer(number, &task, queue) {
            say(json!({"error": why.to_string(), "id": task.id()}));
            say(task.without_results());
        }
        queue.end(number);
    }
}

impl Engines {
    fn seat(&mut self, kind: GameKind) -> Result<&mut Seat, Message> {
        match self.seats.entry(kind.name()) {
            Entry::Occupied(seat) => Ok(seat.into_mut()),
            Entry::Vacant(place) => Ok(place.insert(Seat::sit(kind, &self.options)?)),
        }
    }

    fn answer(&mut self, number: u64, task: &Task, queue: &Queue) -> Result<(), Message> {
        match &task.shared.subject {
            Subject::Go(game) => self.answer_go(number, task, game, queue),
            Subject::Pieces(game) => self.answer_pieces(number, task, game, queue),
        }
    }

    fn answer_go(&mut self, number: u64, task: &Task, game: &GoGame, queue: &Queue) -> Result<(), Message> {
        let Some(go) = self.seat(GameKind::GO)?.go() else {
            return Err(message!("no engine of Go" | "没有围棋引擎"));
        };
        // What an earlier query found would leave too little to do, and nothing to report about points and
        // owners.
        crate::engine::Engine::new_game(go);
        if let Err(fault) = game.set_up(go.game_state(), task.turn) {
            say(fault.to_json(task.id()));
            say(task.without_results());
            return Ok(());
        }
        let shared = &task.shared;
        let limits =
            Limits { nodes: Some(shared.visits), movetime: shared.time, analysis: true, ..Limits::default() };
        let interval = shared.reports.map(|(first, every)| first.min(every).max(LEAST));
        let moves_ownership = shared.include.moves_ownership || shared.include.moves_ownership_stdev;
        let request = SearchRequest {
            interval,
            bans: shared.bans.clone(),
            moves_ownership,
            ..SearchRequest::default()
        };
        let (sender, events) = unbounded();
        go.search(request, limits, sender)?;
        if !queue.begin(number, crate::engine::Engine::stop_handle(go)) {
            crate::engine::Engine::stop_handle(go).set();
        }
        let state = go.game_state();
        let mut report = |analysis: &Analysis, during| say(of_tree(task, state, analysis, &[], during));
        let last = follow(&events, shared.reports, &mut report);
        crate::engine::Engine::wait(go);
        let Some(last) = last.filter(|analysis| analysis.visits > 0) else {
            say(task.without_results());
            return Ok(());
        };
        let searched = last.moves.iter().filter(|found| found.visits > 0);
        let owners: Vec<_> = searched.map(|found| found.ownership.clone()).collect();
        say(of_tree(task, go.game_state(), &last, &owners, false));
        Ok(())
    }

    #[allow(clippy::arithmetic_side_effects, reason = "reports wait some seconds of 32 bits at most")]
    fn answer_pieces(&mut self, number: u64, task: &Task, game: &Game, queue: &Queue) -> Result<(), Message> {
        let shared = &task.shared;
        let mut at = game.clone();
        at.truncate(task.turn);
        let seat = self.seat(game.kind())?;
        seat.set_up(&at)?;
        let engine = seat.engine();
        let side = engine.side_to_move();
        engine.set_option("MultiPV", &shared.lines.to_string())?;
        let root = shared.root_moves.get(&task.turn).cloned().unwrap_or_default();
        let limits = Limits {
            nodes: Some(shared.visits),
            movetime: shared.time,
            search_moves: root.allowed,
            ban_moves: root.avoided,
            ..Limits::default()
        };
        let (sender, events) = unbounded();
        engine.go(limits, sender)?;
        if !queue.begin(number, engine.stop_handle()) {
            engine.stop_handle().set();
        }
        let mut lines: BTreeMap<u32, Info> = BTreeMap::new();
        let mut due = shared.reports.map(|(first, _)| Instant::now() + first);
        loop {
            let wait =
                due.map_or(Duration::from_secs(3600), |due| due.saturating_duration_since(Instant::now()));
            match events.recv_timeout(wait) {
                Ok(Event::Info(info)) if info.bound == crate::engine::Bound::Exact => {
                    lines.insert(info.multipv, info);
                }
                Ok(Event::BestMove(_)) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {
                    due = shared.reports.map(|(_, every)| Instant::now() + every.max(LEAST));
                    if !lines.is_empty() {
                        say(of_lines(task, game.kind(), side, &lines, true));
                    }
                }
            }
        }
        engine.wait();
        match lines.is_empty() {
            true => say(task.without_results()),
            false => say(of_lines(task, game.kind(), side, &lines, false)),
        }
        Ok(())
    }
}

/// Takes in the reports of a search of Go, passes on those that are due, and gives back the last.
#[allow(clippy::arithmetic_side_effects, reason = "reports wait some seconds of 32 bits at most")]
fn follow(
    events: &Receiver<Event>,
    reports: Option<(Duration, Duration)>,
    report: &mut dyn FnMut(&Analysis, bool),
) -> Option<Analysis> {
    let mut last = None;
    let mut due = reports.map(|(first, _)| Instant::now() + first);
    let mut next = events.recv().ok();
    while let Some(event) = next {
        match event {
            Event::Analysis(analysis) => {
                last = Some(analysis);
                // The last report comes right before the end, and is reported as such.
                next = match events.recv_timeout(AT_ONCE) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Disconnected) => None,
                    Err(RecvTimeoutError::Timeout) => {
                        if let (Some(at), Some(analysis), Some((_, every))) = (due, &last, reports)
                            && at <= Instant::now() + every / 4
                        {
                            report(analysis, true);
                            // A late report does not make the next one early.
                            due = Some((at + every).max(Instant::now() + every / 2));
                        }
                        events.recv().ok()
                    }
                };
            }
            Event::BestMove(_) => return last,
            _ => next = events.recv().ok(),
        }
    }
    last
}
