//! The session at a table: what happens there, the engine's moves, the clocks.

use super::guest::Purpose;
use super::request::{Command, Request};
use super::{Session, Task, merge};
use crate::app::opponent;
use crate::engine::BestMove;
use crate::games::game::Game;
use crate::games::record::{ReportedScore, Thought};
use crate::serve::table::{Sitting, call_text};
use crate::serve::wire::Gone;
use crate::table::{Action, Actor, TableEvent};
use crate::util::lang::Language;
use crate::util::message::Message;
use serde_json::{Value, json};

impl Session<'_> {
    /// Sits down at a table; one with moves waits for the person to go on.
    pub(super) fn sit_down(&mut self, sitting: Sitting) -> Result<Value, Message> {
        let is_new = sitting.table().plies().is_empty();
        self.stop();
        self.sitting = Some(sitting);
        if let (true, Some(sitting)) = (is_new, &mut self.sitting) {
            // It has stood with its clocks stopped, and nothing else forbids it.
            let _ = sitting.act(Actor::Arbiter, Action::Continue);
        }
        self.happened(&[])?;
        Ok(Value::Null)
    }

    pub(super) fn leave(&mut self) {
        if self.sitting.take().is_some() {
            self.stop();
        }
    }

    /// Sends what has happened at the table, and has the engine think if it is to move.
    pub(super) fn happened(&mut self, events: &[TableEvent]) -> Result<(), Message> {
        let Some(sitting) = &mut self.sitting else { return Ok(()) };
        let mut event = json!({"event": "table"});
        merge(&mut event, sitting.state(events, self.language));
        let (is_engines, game) = (sitting.is_engines_turn(), sitting.table().game().clone());
        let (limits, guest) = (sitting.limits(), sitting.guest());
        // A page that is gone is noticed with the next request.
        let _ = self.send(&event);
        match self.thinks_at_table().map(|thinking| thinking.moves() == game.moves()) {
            Some(true) if is_engines => {}
            _ if is_engines => match guest {
                Some((engine, pace)) => {
                    if let Err(why) = self.ask_guest(0, Purpose::Table, &engine, game, pace) {
                        let _ = self.fail_at_table(&engine, &why);
                    }
                }
                None => drop(self.begin(0, Task::Move, game, limits, 1)?),
            },
            Some(_) => self.stop(),
            None => {}
        }
        Ok(())
    }

    /// Another engine has failed: the clocks stop, and the page hears why.
    pub(super) fn fail_at_table(&mut self, engine: &str, why: &Message) -> Result<(), Gone> {
        if let Some(sitting) = &mut self.sitting {
            let events = sitting.act(Actor::Arbiter, Action::Stop).unwrap_or_default();
            let _ = self.happened(&events);
        }
        self.send(&json!({"event": "fault", "for": 0, "engine": engine, "error": why.text(self.language)}))
    }

    /// What time has brought at the table.
    pub(super) fn tick(&mut self) -> Result<(), Gone> {
        let Some(sitting) = &mut self.sitting else { return Ok(()) };
        let (events, call) = sitting.tick();
        let mut clocks = sitting.clocks();
        if !events.is_empty() {
            // It is over: nothing is begun.
            let _ = self.happened(&events);
            return Ok(());
        }
        if call.is_none() && self.shown.as_ref() == Some(&clocks) {
            return Ok(());
        }
        self.shown = Some(clocks.clone());
        let call = call.map(|call| call_text(call, self.language));
        merge(&mut clocks, json!({"event": "clock", "call": call}));
        self.send(&clocks)
    }

    /// Makes the engine's move at the table, with the manners of `opponent`.
    pub(super) fn move_at_table(
        &mut self,
        game: &Game,
        thought: Thought,
        best: &BestMove,
    ) -> Result<(), Gone> {
        let Some(sitting) = &mut self.sitting else { return Ok(()) };
        if !sitting.is_engines_turn() {
            return Ok(());
        }
        let side = game.side_to_move();
        let actor = Actor::Player(side);
        let score = thought.score.map_or(0, ReportedScore::centipawns);
        let table = sitting.table();
        let is_asked = table.offer() == Some(side.other());
        let actions = match best.mv.clone().filter(|_| !best.resign) {
            None if best.draw => vec![Action::Claim { with: None }],
            None => vec![Action::Resign],
            Some(_) if is_asked && opponent::accepts_draw(game, score.saturating_neg()) => {
                vec![Action::Accept]
            }
            Some(mv) => match opponent::claims(table, &mv, score) {
                Some(with) => vec![Action::Claim { with }],
                None => {
                    let offers =
                        sitting.is_at_full_strength(side) && opponent::offers_draw(table, side, &thought);
                    let offer = offers.then_some(Action::Offer);
                    offer.into_iter().chain([Action::Move { mv, thought }]).collect()
                }
            },
        };
        let mut events = Vec::new();
        for action in actions {
            // What the table refuses, such as an offer made before, is left out.
            events.extend(sitting.act(actor, action).unwrap_or_default());
        }
        if let Err(why) = self.happened(&events) {
            let why = why.text(self.language);
            return self.send(&json!({"event": "done", "for": 0, "error": why}));
        }
        Ok(())
    }
}

/// What a table without an engine answers to messages of the page: the state after each, without what time
/// changes, and whether it was refused. For tests with all kinds of input.
pub fn at_table<'t>(texts: impl IntoIterator<Item = &'t str>) -> Vec<(Value, Result<(), Message>)> {
    let (mut sitting, mut answers): (Option<Sitting>, Vec<_>) = (None, Vec::new());
    for text in texts {
        let done = match serde_json::from_str::<Request>(text).map(|request| request.command) {
            Ok(Command::Sit(terms)) => Sitting::new(terms, None).map(|mut seat| {
                // As in a session.
                let _ = seat.act(Actor::Arbiter, Action::Continue);
                sitting = Some(seat);
            }),
            Ok(Command::Act(wish)) => match &mut sitting {
                Some(sitting) => sitting.wish(wish).map(|_| ()),
                None => Err(super::no_table()),
            },
            Ok(_) => continue,
            Err(why) => Err(why.to_string().into()),
        };
        let state = sitting.as_mut().map_or(Value::Null, |sitting| {
            sitting.show_again();
            let mut state = sitting.state(&[], Language::English);
            if let Value::Object(fields) = &mut state {
                fields.retain(|name, _| !["clocks", "low", "news"].contains(&name.as_str()));
            }
            state
        });
        answers.push((state, done));
    }
    answers
}
