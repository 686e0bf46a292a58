//! Persons, who play one game at a time, and the places of games that are played at the same time.

use super::{Shared, State};
use crate::arbiter::fixture::Fixture;
use crate::arbiter::play::GamePlace;
use crate::arbiter::schedule::ScheduleStep;

impl State {
    /// The next game whose persons are free; it is under way then.
    pub(super) fn next_free(&mut self) -> ScheduleStep {
        let waiting = self.waiting.iter().position(|fixture| self.is_free(fixture));
        let mut step = match waiting {
            Some(at) => ScheduleStep::Play(self.waiting.remove(at)),
            None => self.next(),
        };
        while let ScheduleStep::Play(fixture) = step {
            if self.is_free(&fixture) {
                self.under_way.push(fixture);
                return step;
            }
            self.waiting.push(fixture);
            step = self.next();
        }
        if self.waiting.is_empty() { step } else { ScheduleStep::Wait }
    }

    /// Whether no person of a game plays another one.
    fn is_free(&self, fixture: &Fixture) -> bool {
        let mut people = fixture.seats.iter().filter(|seat| self.people.contains(seat));
        !people.any(|person| self.under_way.iter().any(|game| game.seats.contains(person)))
    }
}

/// The place of a game, which others have after it, or while it is adjourned.
pub(super) struct Occupied<'a> {
    pub shared: &'a Shared<'a>,
    pub fixture: Fixture,
    /// Starts a worker for the games that are played while this one is adjourned.
    pub replace: &'a dyn Fn(),
}

impl Occupied<'_> {
    fn free(&self) {
        self.shared.lock().under_way.retain(|game| game.number != self.fixture.number);
        self.shared.changed.notify_all();
    }
}

impl GamePlace for Occupied<'_> {
    fn leave(&self) {
        self.free();
        (self.replace)();
    }

    fn take(&self) {
        let mut state = self.shared.lock();
        while !state.is_free(&self.fixture) && !self.shared.is_over() {
            state = self.shared.wait(state);
        }
        state.under_way.push(self.fixture);
    }
}

impl Drop for Occupied<'_> {
    fn drop(&mut self) {
        self.free();
    }
}
