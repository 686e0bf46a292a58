//! A game that goes on where an interrupted match left it, and what is kept for that.

use super::play::{Game, Pairing};
use super::under_way::{Heading, SealedMove, Step, UnderWay};
use crate::client::player::{Choice, Reply};
use crate::games::record::Thought;
use std::time::Duration;

impl Game<'_> {
    /// Plays over what is kept of this game, with its clocks as they stood after the last move; from now on
    /// its moves are kept. Returns when it began.
    pub(super) fn go_on(
        &mut self,
        under_way: &UnderWay,
        pairing: &Pairing,
        seats: [usize; 2],
        now: u64,
    ) -> u64 {
        let heading = Heading {
            game: pairing.number,
            round: pairing.round,
            pair: pairing.pair,
            seats,
            opening: pairing.opening.clone(),
            started: now,
        };
        let opened = under_way.open(&heading);
        self.is_replaying = true;
        for step in opened.steps {
            match step {
                Step::Move { mv, us, draw, thought } => {
                    let choice = mv.map_or(Choice::NoMove, Choice::Move);
                    let time = Duration::from_micros(us);
                    // It includes the tries before it.
                    self.used = Duration::ZERO;
                    self.sealed = None;
                    let (ponder, wrong_claim, line) = Default::default();
                    let reply = Reply { choice, ponder, draw, wrong_claim, time, line, thought };
                    self.ended = self.answer(self.game.side_to_move(), reply);
                }
                Step::Declined => self.declines(self.game.side_to_move()),
                Step::Adjusted { side, seconds } => self.adjust(side, seconds),
                Step::Noted { text, remark } => {
                    self.note(text.into());
                    self.remarks.extend(remark);
                }
                Step::Adjourned => self.is_adjourning = true,
                Step::NotAdjourned => self.is_adjourning = false,
                Step::Sealed { hash, us } => {
                    let envelope = under_way.envelope(pairing.number);
                    let envelope = envelope.filter(|envelope| envelope.hash(self.game.moves()) == hash);
                    let time = Duration::from_micros(us);
                    self.sealed = Some(SealedMove { envelope, time });
                    (self.is_adjourning, self.used) = (false, time);
                }
                Step::PlayedOut => self.resumed_at = Some(self.game.moves().len()),
            }
            if self.ended.is_some() {
                break;
            }
        }
        self.is_replaying = false;
        self.log = opened.log;
        opened.started
    }

    pub(super) fn keep(&mut self, step: &Step) {
        if self.log.as_mut().is_some_and(|log| !log.step(step)) {
            self.log = None;
        }
    }

    /// Keeps a move, legal or not, before it counts.
    pub(super) fn keep_move(&mut self, mv: Option<&str>, time: Duration, draw: bool, thought: &Thought) {
        if self.log.is_some() {
            let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
            self.keep(&Step::Move { mv: mv.map(str::to_owned), us, draw, thought: thought.clone() });
        }
    }
}
