//! A game between two seats under match rules: clocks that run, offers and claims, take-backs, adjournment,
//! the ledger of fouls and warnings.
//!
//! A [`Table`] knows no thread, no file and no engine, and the time is handed in. What is asked of it is an
//! [`Action`]; what happens is a [`TableEvent`]. The state changes by events only, so that a table is the
//! same after [`Table::replay`]: resuming a game, watching it and testing it are one thing. `play` drives one
//! at the terminal.

mod answer;
mod claim;
mod conduct;
mod envelope;
mod event;
mod journal;

pub use claim::{Examined, examine};
pub use conduct::{Conduct, Preset};
pub use envelope::{Envelope, EnvelopeError};
pub use event::{Action, Actor, Agreement, Objection, TableEvent, Written};
pub use journal::TableJournal;

use crate::game::Side;
use crate::games::game::Game;
use crate::games::record::{Ending, GameRecord, Ply, Reason, Thought};
use crate::games::time::{GameClock, Reading, spend};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use std::time::Duration;

/// What opens an adjourned game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsealing {
    /// The envelope.
    Envelope(Envelope),
    /// It was lost: the player who sealed names the move.
    Lost {
        /// The move in coordinates.
        mv: String,
    },
}

/// Where a game at a table stands.
#[derive(Clone, PartialEq, Debug)]
pub enum Standing {
    /// The clock of the side to move runs.
    Running,
    /// The clocks are stopped.
    Stopped,
    /// Adjourned: the hash of the sealed move, of the side to move.
    Adjourned(String),
    /// The game is over.
    Over(Ending),
}

/// What is held against a player.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ledger {
    /// Fouls (XQ-9).
    pub fouls: u32,
    /// Illegal moves that were put back (CH-14).
    pub illegal_moves: u32,
    /// Wrong claims (CH-15).
    pub wrong_claims: u32,
    /// The arbiter's warnings.
    pub warnings: Vec<Message>,
    /// Whether an offer of a draw was declined, and nothing has changed since.
    declined: bool,
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct Table {
    agreement: Agreement,
    game: Game,
    plies: Vec<Ply>,
    clocks: [GameClock; 2],
    /// The clocks before each move.
    earlier: Vec<[GameClock; 2]>,
    standing: Standing,
    /// When the running clock was started; no part of the state that events bring about.
    since: Duration,
    /// What the move under way took before the clocks were stopped.
    used: Duration,
    offer: Option<Side>,
    ledgers: [Ledger; 2],
    /// Go: the dead stones that a side agreed to.
    counts: [Option<Vec<String>>; 2],
}

impl Table {
    /// A table with the clocks stopped.
    /// # Errors
    /// What is wrong with the start.
    pub fn new(agreement: Agreement) -> Result<Self, Message> {
        let game = Game::at(agreement.start.clone())?;
        let standing = game.ending().map_or(Standing::Stopped, Standing::Over);
        let clocks = agreement.controls.each_ref().map(|c| GameClock::new(c.clone(), Duration::ZERO));
        Ok(Self {
            agreement,
            game,
            plies: Vec::new(),
            clocks,
            earlier: Vec::new(),
            standing,
            since: Duration::ZERO,
            used: Duration::ZERO,
            offer: None,
            ledgers: Default::default(),
            counts: [None, None],
        })
    }

    /// The table after these events, with the clocks stopped.
    /// # Errors
    /// An event that cannot have happened.
    pub fn replay(
        agreement: Agreement,
        events: impl IntoIterator<Item = TableEvent>,
    ) -> Result<Self, Message> {
        let mut table = Self::new(agreement)?;
        for (number, event) in (1_usize..).zip(events) {
            table.apply(&event, Duration::ZERO).map_err(|why| {
                message!(
                    "event {number} cannot have happened: {why}" | "第 {number} 个事件不可能发生：{why}",
                    number,
                    why
                )
            })?;
        }
        if table.standing == Standing::Running {
            table.standing = Standing::Stopped;
        }
        Ok(table)
    }

    /// What was agreed.
    pub fn agreement(&self) -> &Agreement {
        &self.agreement
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The moves with their times.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Where the game stands.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// How the game ended, once it has.
    pub fn ending(&self) -> Option<&Ending> {
        match &self.standing {
            Standing::Over(ending) => Some(ending),
            _ => None,
        }
    }

    /// Who offers a draw.
    pub fn offer(&self) -> Option<Side> {
        self.offer
    }

    /// What is held against a side.
    pub fn ledger(&self, side: Side) -> &Ledger {
        side.of(&self.ledgers)
    }

    /// Whether the opponent of a side has declined its offer, and nothing has changed since.
    pub fn has_declined(&self, offered_by: Side) -> bool {
        self.ledger(offered_by).declined
    }

    /// The clock of a side as it was when its last move was made.
    pub fn clock(&self, side: Side) -> &GameClock {
        side.of(&self.clocks)
    }

    /// What a side's clock shows at an instant. `None`: it has none.
    pub fn reading(&self, side: Side, now: Duration) -> Option<Reading> {
        let is_running = side == self.game.side_to_move() && self.ending().is_none();
        self.clock(side).reading(if is_running { self.used_until(now) } else { Duration::ZERO })
    }

    /// What the move under way has taken so far.
    pub fn used_until(&self, now: Duration) -> Duration {
        match self.standing {
            Standing::Running => self.used.saturating_add(now.saturating_sub(self.since)),
            _ => self.used,
        }
    }

    /// How long until the flag of the side to move falls. `None`: it does not.
    pub fn until_flag(&self, now: Duration) -> Option<Duration> {
        let budget = self.clock(self.game.side_to_move()).budget()?;
        (self.standing == Standing::Running).then(|| budget.saturating_sub(self.used_until(now)))
    }

    /// Go: whether both have passed, so that the board is to be counted.
    pub fn is_counting(&self) -> bool {
        self.ending().is_none() && self.game.both_passed()
    }

    /// What time alone brings: the flag falls.
    pub fn tick(&mut self, now: Duration) -> Vec<TableEvent> {
        if self.until_flag(now) != Some(Duration::ZERO) {
            return Vec::new();
        }
        let side = self.game.side_to_move();
        let late = message!("{name} oversteps the time" | "{name}超时", name = self.name(side));
        self.record(vec![TableEvent::Ended { ending: self.game.forfeit(side, Reason::Time, late) }], now)
    }

    /// Does what is asked at an instant and returns what happened, which may be that the flag fell before.
    /// # Errors
    /// Why it is refused.
    pub fn act(&mut self, actor: Actor, action: Action, now: Duration) -> Result<Vec<TableEvent>, Objection> {
        if matches!(self.standing, Standing::Over(_)) && !matches!(action, Action::TakeBack { .. }) {
            return Err(Objection::Over);
        }
        let fallen = self.tick(now);
        if !fallen.is_empty() {
            return Ok(fallen);
        }
        let events = self.answer(actor, action, now)?;
        Ok(self.record(events, now))
    }

    /// Lets events happen that the table has made.
    fn record(&mut self, events: Vec<TableEvent>, now: Duration) -> Vec<TableEvent> {
        for event in &events {
            let applied = self.apply(event, now);
            debug_assert!(applied.is_ok(), "{event:?}: {applied:?}");
        }
        events
    }

    /// Changes the state as an event has it.
    /// # Errors
    /// Why it cannot have happened.
    fn apply(&mut self, event: &TableEvent, now: Duration) -> Result<(), Message> {
        match event {
            TableEvent::Moved { mv, time, thought } => {
                self.push(mv, *time, thought.clone())?;
                // Counting takes no time from anyone.
                self.standing = if self.game.both_passed() { Standing::Stopped } else { Standing::Running };
                self.since = now;
            }
            TableEvent::Offered { by } => self.offer = Some(*by),
            TableEvent::Declined { by } => {
                self.offer = None;
                by.other().of_mut(&mut self.ledgers).declined = true;
            }
            TableEvent::ClaimFailed { by, .. } => {
                let claims = &mut by.of_mut(&mut self.ledgers).wrong_claims;
                *claims = claims.saturating_add(1);
            }
            TableEvent::PutBack { by, count, .. } => by.of_mut(&mut self.ledgers).illegal_moves = *count,
            TableEvent::Fouled { by, count } => by.of_mut(&mut self.ledgers).fouls = *count,
            TableEvent::Adjusted { side, seconds } => {
                let time = Duration::from_secs(seconds.unsigned_abs());
                let clock = side.of_mut(&mut self.clocks);
                if *seconds < 0 { clock.deduct(time) } else { clock.add(time) }
            }
            TableEvent::Warned { side, why } => {
                side.of_mut(&mut self.ledgers).warnings.push(why.clone().into());
            }
            TableEvent::Stopped { time } => (self.standing, self.used) = (Standing::Stopped, *time),
            TableEvent::Continued => (self.standing, self.since) = (Standing::Running, now),
            TableEvent::TookBack { plies } => self.truncate(self.plies.len().saturating_sub(*plies), now),
            TableEvent::Sealed { hash, time } => {
                (self.standing, self.used) = (Standing::Adjourned(hash.clone()), *time);
            }
            TableEvent::Unsealed { mv, .. } => {
                self.push(mv, self.used, Thought::default())?;
                (self.standing, self.since) = (Standing::Running, now);
            }
            TableEvent::Counted { by, dead } => *by.of_mut(&mut self.counts) = Some(dead.clone()),
            TableEvent::Ended { ending } => {
                self.used = self.used_until(now);
                self.standing = Standing::Over(ending.clone());
            }
        }
        Ok(())
    }

    /// Plays a move and takes its time off the clock.
    fn push(&mut self, mv: &str, time: Duration, thought: Thought) -> Result<(), Message> {
        let (side, before) = (self.game.side_to_move(), self.clocks.clone());
        let ply = self.game.ply(mv, self.agreement.notation);
        self.game.play(mv)?;
        if spend(&mut self.clocks, side, time).is_err() {
            self.game.undo();
            return Err(message!("{name} oversteps the time" | "{name}超时", name = self.name(side)));
        }
        let (clock_ms, overtime) = side.of(&self.clocks).recorded();
        let time_us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.plies.push(Ply { time_us, clock_ms, overtime, thought, ..ply });
        self.earlier.push(before);
        self.used = Duration::ZERO;
        self.counts = [None, None];
        if self.game.made_progress() {
            self.ledgers.iter_mut().for_each(|ledger| ledger.declined = false);
        }
        Ok(())
    }

    /// Takes back all moves but the first `plies`; the clocks show what they showed then.
    fn truncate(&mut self, plies: usize, now: Duration) {
        // A game that is paused stays so; one that was counted or over goes on.
        let is_paused = self.standing == Standing::Stopped && !self.game.both_passed();
        if let Some(clocks) = self.earlier.get(plies) {
            self.clocks.clone_from(clocks);
        }
        self.earlier.truncate(plies);
        self.plies.truncate(plies);
        self.game.truncate(plies);
        self.used = Duration::ZERO;
        self.offer = None;
        self.counts = [None, None];
        self.standing = if is_paused { Standing::Stopped } else { Standing::Running };
        self.since = now;
    }

    /// What people have to know of an event beyond what the board and the clocks show.
    pub fn text_of(&self, event: &TableEvent, language: Language) -> Option<String> {
        let name = |side: &Side| self.game.kind().side_text(*side, language);
        Some(match event {
            TableEvent::ClaimFailed { why, .. } => Message::from(why.clone()).text(language).to_owned(),
            TableEvent::PutBack { by, mv, count } => words::illegal_move_of(language, name(by), mv, count),
            TableEvent::Fouled { by, count } => words::foul_of(language, name(by), count),
            TableEvent::Adjusted { side, seconds } => {
                words::clock_changed(language, name(side), format!("{seconds:+}"))
            }
            TableEvent::Stopped { .. } => words::clocks_stand(language),
            TableEvent::Continued => words::clocks_run(language),
            _ => return None,
        })
    }

    /// The record of the game so far.
    pub fn record_of_game(&self) -> GameRecord {
        let mut record = self.agreement.start.record();
        record.controls = self.agreement.controls.each_ref().map(ToString::to_string);
        record.plies.clone_from(&self.plies);
        record.notation = self.agreement.notation;
        record.names.clone_from(&self.agreement.names);
        if let Some(ending) = self.ending() {
            record.ending = ending.clone();
        }
        record
    }
}

#[cfg(test)]
mod tests;
