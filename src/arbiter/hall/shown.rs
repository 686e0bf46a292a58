//! What the pages of the hall see, as JSON.

use super::{Board, Hall, HallState, Phase};
use crate::arbiter::report;
use crate::clock::Overtime;
use crate::game::{GameId, Side};
use crate::games::game::{Game, Position};
use crate::games::record::{Ply, Style};
use crate::games::time::Reading;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::sync::lock;
use serde_json::{Value, json};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// How long a page that has seen everything waits for news.
const NEWS: Duration = Duration::from_secs(10);

/// A game as the person at the terminal sees it.
pub struct SeatView {
    /// From 1.
    pub number: usize,
    pub names: [String; 2],
    pub side: Side,
    /// The side whose clock runs.
    pub turn: Side,
    pub game: Game,
    /// The moves as people write them.
    pub texts: Vec<String>,
    pub phase: Phase,
    pub offer: Option<Side>,
    pub notes: Vec<Message>,
}

impl Hall {
    /// The version of what a person sees, and whether the match is over.
    pub fn version(&self, person: usize) -> (u64, bool) {
        let mut state = lock(&self.state);
        state.note_presence(person);
        (state.version, state.is_over)
    }

    /// A person's game, or the last one.
    pub fn view(&self, person: usize, language: Language) -> Option<SeatView> {
        let mut state = lock(&self.state);
        let (board, side) = state.board_of(person)?;
        let moves: Vec<String> = board.plies.iter().map(|ply| ply.mv.clone()).collect();
        Some(SeatView {
            number: board.number.saturating_add(1),
            names: board.names.clone(),
            side,
            turn: board.turn,
            game: board.game.clone(),
            texts: board.texts(&moves, language),
            phase: board.phase.clone(),
            offer: board.offer,
            notes: board.notes.clone(),
        })
    }

    /// What the clocks of a person's game show, its own first.
    pub fn readings(&self, person: usize) -> Option<[Reading; 2]> {
        let mut state = lock(&self.state);
        let (board, side) = state.board_of(person)?;
        Some([board.reading(side)?, board.reading(side.other())?])
    }

    /// What a person's page shows, as JSON, once it is newer than `seen`, or after a while.
    pub fn seat(&self, person: usize, seen: u64, language: Language) -> String {
        self.newer_than(seen, |state| {
            state.note_presence(person);
            let name = state.people.get(&person).map(|person| person.name.clone());
            let (version, is_over) = (state.version, state.is_over);
            let board = state.board_of(person).map(|(board, side)| board.to_json(side, language));
            json!({ "version": version, "name": name, "board": board, "over": is_over })
        })
    }

    /// What the arbiter's page shows: all boards.
    pub fn boards(&self, seen: u64, language: Language) -> String {
        self.newer_than(seen, |state| {
            let boards = state.boards.values().map(|board| board.common(language));
            json!({ "version": state.version, "boards": boards.collect::<Vec<_>>(), "over": state.is_over })
        })
    }

    fn newer_than(&self, seen: u64, make: impl Fn(&mut HallState) -> Value) -> String {
        let end = Instant::now().checked_add(NEWS);
        let mut state = lock(&self.state);
        while state.version == seen {
            let left = end.map_or(NEWS, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        make(&mut state).to_string()
    }
}

impl Board {
    /// The game as one of its players sees it.
    fn to_json(&self, side: Side, language: Language) -> Value {
        let is_turn = self.turn == side && matches!(self.phase, Phase::Playing | Phase::Sealing);
        // Of Go there are too many, and a point alone is a move.
        let is_go = self.game.kind().game() == GameId::Go;
        let legal = if is_turn && !is_go { self.game.legal() } else { Vec::new() };
        let mut value = self.common(language);
        if let Value::Object(fields) = &mut value {
            fields.insert("side".into(), json!(side.index()));
            fields.insert("legal".into(), json!(legal));
            fields.insert("isReady".into(), json!(side.of(&self.ready)));
        }
        value
    }

    /// What all pages see of it.
    fn common(&self, language: Language) -> Value {
        let (phase, asked, dead) = match &self.phase {
            Phase::Seating => ("seating", None, None),
            Phase::Playing => ("playing", None, None),
            Phase::Paused => ("paused", None, None),
            Phase::Sealing => ("sealing", None, None),
            Phase::Adjourned => ("adjourned", None, None),
            Phase::Counting(asked, dead) => ("counting", Some(asked.index()), Some(dead)),
            Phase::Over(_) => ("over", None, None),
        };
        let ending = match &self.phase {
            Phase::Over(ending) => Some((ending.result(), ending.text(language))),
            _ => None,
        };
        let start = self.start();
        let moves: Vec<String> = self.plies.iter().map(|ply| ply.mv.clone()).collect();
        let sides = [Side::First, Side::Second];
        let names = sides.map(|side| start.kind.side_text(side, language));
        let clocks = sides.map(|side| self.reading(side).map(clock));
        let offer = self.offer.map(Side::index);
        let here = self.arrived.map(|at| at.is_some());
        json!({
            "n": self.number.saturating_add(1),
            "names": self.names,
            "sides": names,
            "fen": start.fen,
            "go": report::go_setup(start.rules.go.clone(), start.kind),
            "moves": moves,
            "texts": self.texts(&moves, language),
            "turn": self.turn.index(),
            "runs": self.is_running(),
            "clocks": clocks,
            "offer": offer,
            "phase": phase,
            "asked": asked,
            "dead": dead,
            "ready": self.ready,
            "hasPeople": self.has_people,
            "isAdjourning": self.is_adjourning,
            "here": here,
            "ending": ending,
            "notes": self.notes.iter().map(|note| note.text(language)).collect::<Vec<_>>(),
        })
    }

    /// The moves as the record has them, and those of xiangqi on a Chinese page in Chinese.
    fn texts(&self, moves: &[String], language: Language) -> Vec<String> {
        let is_chinese = language == Language::Chinese && self.start().kind.game() == GameId::Xiangqi;
        if is_chinese && let Ok(start) = Position::at(self.start()) {
            return start.write_line(moves, Style::Chinese);
        }
        let text = |ply: &Ply| if ply.text.is_empty() { ply.mv.clone() } else { ply.text.clone() };
        self.plies.iter().map(text).collect()
    }
}

/// Milliseconds that are left, what is left of overtime, and whether the flag falls when they are used up.
fn clock(reading: Reading) -> Value {
    let overtime = match reading.overtime {
        Some(Overtime::ByoYomi { periods, .. }) => Some(format!("×{periods}")),
        Some(Overtime::Canadian { stones, .. }) => Some(format!("/ {stones}")),
        None => None,
    };
    let left = u64::try_from(reading.until_change().as_millis()).unwrap_or(u64::MAX);
    json!([left, overtime, reading.is_last])
}
