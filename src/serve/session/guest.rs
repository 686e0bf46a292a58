//! The session with another engine of this machine: its moves, its opinions, its faults.

use super::{Session, Task, played};
use crate::client::player::Choice;
use crate::engine::{BestMove, Limits};
use crate::games::follow::passed;
use crate::games::game::Game;
use crate::games::record::{GameKind, ReportedScore};
use crate::message;
use crate::serve::guests::{GuestMove, Pace};
use crate::serve::position::{written, written_line};
use crate::serve::wire::Gone;
use crate::util::message::Message;
use crossbeam::channel::Receiver;
use serde_json::{Value, json};

/// What is done with the answer.
pub(super) enum Purpose {
    Play,
    /// A move at the table.
    Table,
    Opinion,
}

/// A question that another engine works on.
pub(super) struct Asked {
    id: u64,
    purpose: Purpose,
    engine: String,
    game: Game,
    pub answer: Receiver<Result<GuestMove, Message>>,
}

impl Session<'_> {
    /// The game at the table whose next move is thought about.
    pub(super) fn thinks_at_table(&self) -> Option<&Game> {
        let own = self.running.as_ref().filter(|running| matches!(running.task, Task::Move));
        let other = self.asked.as_ref().filter(|asked| matches!(asked.purpose, Purpose::Table));
        own.map(|running| &running.game).or(other.map(|asked| &asked.game))
    }

    pub(super) fn ask_guest(
        &mut self,
        id: u64,
        purpose: Purpose,
        engine: &str,
        game: Game,
        pace: Pace,
    ) -> Result<Value, Message> {
        self.stop();
        if game.ending().is_some() {
            return Err(message!("the game is over" | "对局已经结束"));
        }
        let answer = self.guests.ask(engine, &game, pace)?;
        self.asked = Some(Asked { id, purpose, engine: engine.to_owned(), game, answer });
        Ok(Value::Null)
    }

    /// Takes in what another engine answers; `None`: its thread is gone.
    pub(super) fn hear_guest(&mut self, answer: Option<Result<GuestMove, Message>>) -> Result<(), Gone> {
        let Some(Asked { id, purpose, engine, game, .. }) = self.asked.take() else { return Ok(()) };
        self.guests.rest();
        let lost = || Err(message!("the engine is gone" | "引擎已经终止"));
        let event = match (answer.unwrap_or_else(lost), purpose) {
            (Err(why), Purpose::Table) => return self.fail_at_table(&engine, &why),
            (Err(why), _) => {
                json!({"event": "fault", "for": id, "engine": engine, "error": why.text(self.language)})
            }
            (Ok(GuestMove { mv, reply }), Purpose::Table) => {
                let is_claim = matches!(reply.choice, Choice::Draw(_));
                let best =
                    BestMove { resign: reply.choice == Choice::Resign, mv, ponder: None, draw: is_claim };
                return self.move_at_table(&game, reply.thought, &best);
            }
            // Without a table nobody examines a claim.
            (Ok(GuestMove { mv, .. }), Purpose::Play) => {
                let best = BestMove { resign: mv.is_none(), mv, ponder: None, draw: false };
                played(id, game, &best, self.language)
            }
            (Ok(GuestMove { mv, reply }), Purpose::Opinion) => {
                let line = match (reply.line.first(), &mv) {
                    (Some(first), Some(mv)) if first == mv => reply.line,
                    _ => mv.iter().cloned().collect(),
                };
                json!({
                    "event": "opinion", "for": id, "engine": engine, "depth": reply.thought.depth,
                    "score": reply.thought.score.map(|score| first_side(score, &game)),
                    "text": mv.as_ref().map(|mv| written(&game, mv)), "pv": written_line(&game, &line),
                })
            }
        };
        self.send(&event)
    }
}

/// A score of the side to move as that of the first side.
fn first_side(score: ReportedScore, game: &Game) -> Value {
    let own = if game.side_to_move() == crate::game::Side::First { 1 } else { -1 };
    match score {
        ReportedScore::Cp(cp) => json!({"cp": cp.saturating_mul(own)}),
        ReportedScore::Mate(n) => json!({"mate": n.saturating_mul(own)}),
    }
}

/// The game with the other side to move, and the limits of a search for what it would do.
/// # Errors
/// The side to move is in check, or the game is over.
pub(super) fn threat(game: &Game) -> Result<(Game, Limits), Message> {
    if game.ending().is_some() {
        return Err(message!("the game is over" | "对局已经结束"));
    }
    let passed = if game.kind() == GameKind::GO {
        let mut passed = game.clone();
        passed.play("pass")?;
        passed
    } else {
        passed(game)
            .map_err(|_| message!("no threat is looked for while a side is in check" | "被将军时不看威胁"))?
    };
    let is_board = game.kind() != GameKind::GO;
    Ok((passed, Limits { movetime: Some(super::HINT), analysis: is_board, ..Limits::default() }))
}
