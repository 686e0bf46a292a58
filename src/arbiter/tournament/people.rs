//! Persons, who play one game at a time.

use super::{Shared, State};
use crate::arbiter::fixture::Fixture;
use crate::arbiter::schedule::ScheduleStep;
use std::collections::HashSet;

impl State {
    /// The next game whose persons, who play one game at a time, are free.
    pub(super) fn next_free(&mut self) -> ScheduleStep {
        let is_free =
            |busy: &HashSet<usize>, fixture: &Fixture| fixture.seats.iter().all(|seat| !busy.contains(seat));
        let waiting = self.waiting.iter().position(|fixture| is_free(&self.busy, fixture));
        let mut step = match waiting {
            Some(at) => ScheduleStep::Play(self.waiting.remove(at)),
            None => self.next(),
        };
        while let ScheduleStep::Play(fixture) = step {
            if is_free(&self.busy, &fixture) {
                self.busy.extend(fixture.seats.iter().filter(|seat| self.people.contains(seat)));
                return step;
            }
            self.waiting.push(fixture);
            step = self.next();
        }
        if self.waiting.is_empty() { step } else { ScheduleStep::Wait }
    }
}

/// The persons of a game are free again when it is dropped.
pub(super) struct Occupied<'a>(pub &'a Shared<'a>, pub Fixture);

impl Drop for Occupied<'_> {
    fn drop(&mut self) {
        let seats = self.1.seats;
        self.0.lock().busy.retain(|person| !seats.contains(person));
        self.0.changed.notify_all();
    }
}
