//! Positions that wait to be searched, the most urgent first.

use super::query::{Query, Task};
use crate::engine::StopHandle;
use crate::util::sync::lock;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Limits of waiting positions and of bytes of queries: beyond them nothing is read, and the pipe holds the
/// client back.
const MAX_WAITING: usize = 1 << 15;
const MAX_BYTES: usize = 128 << 20;

#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    /// Number of requests to clear the caches.
    forgotten: AtomicU64,
}

#[derive(Default)]
struct State {
    /// By urgency: those that come later, or are less urgent, have greater keys.
    waiting: BTreeMap<(i64, u64), Waiting>,
    running: Vec<Running>,
    bytes: usize,
    /// Positions taken in so far.
    count: u64,
    is_closed: bool,
}

/// A position that no worker has taken yet.
struct Waiting {
    task: Task,
    /// Its share of the bytes of its query.
    bytes: usize,
}

/// A position that a worker has taken.
struct Running {
    number: u64,
    id: String,
    turn: usize,
    /// Stops its search; `None`: the worker is still setting it up.
    stop: Option<StopHandle>,
    is_terminated: bool,
}

impl State {
    fn is_full(&self) -> bool {
        self.waiting.len() >= MAX_WAITING || self.bytes >= MAX_BYTES
    }

    /// Notified when a position leaves the queue.
    fn remove(&mut self, key: (i64, u64)) -> Option<Task> {
        let Waiting { task, bytes } = self.waiting.remove(&key)?;
        self.bytes = self.bytes.saturating_sub(bytes);
        Some(task)
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is consistent between any two statements.
        lock(&self.state)
    }

    /// Adds the positions of a query of `bytes` bytes, once there is room.
    pub fn add(&self, query: Query, bytes: usize) {
        let tasks = query.into_tasks();
        let share = bytes / tasks.len().max(1);
        let mut state = self.lock();
        while state.is_full() && !state.is_closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        for task in tasks {
            let number = state.count;
            state.count += 1;
            state.bytes = state.bytes.saturating_add(share);
            state.waiting.insert((task.priority.saturating_neg(), number), Waiting { task, bytes: share });
        }
        self.changed.notify_all();
    }

    /// The most urgent position, with its number. Waits for one; `None`: there will be no more.
    pub fn take(&self) -> Option<(u64, Task)> {
        let mut state = self.lock();
        loop {
            let was_full = state.is_full();
            let first = state.waiting.first_key_value().map(|(&key, _)| key);
            if let Some(key) = first
                && let Some(task) = state.remove(key)
            {
                let (number, id, turn) = (key.1, task.id().to_owned(), task.turn);
                state.running.push(Running { number, id, turn, stop: None, is_terminated: false });
                if was_full {
                    self.changed.notify_all();
                }
                return Some((number, task));
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Registers how the search of a position is stopped. `false`: it is to end at once.
    pub fn begin(&self, number: u64, stop: StopHandle) -> bool {
        let mut state = self.lock();
        match state.running.iter_mut().find(|running| running.number == number) {
            Some(running) => {
                running.stop = Some(stop);
                !running.is_terminated
            }
            None => true,
        }
    }

    /// Removes a position that was answered.
    pub fn end(&self, number: u64) {
        self.lock().running.retain(|running| running.number != number);
    }

    /// Ends the search of positions of a query (or of all), of some turns (or of all). Those that still
    /// waited are returned: they have no results.
    pub fn terminate(&self, id: Option<&str>, turns: Option<&[i64]>) -> Vec<Task> {
        let is_meant = |of: &str, turn: usize| {
            id.is_none_or(|id| id == of) && turns.is_none_or(|turns| turns.contains(&(turn as i64)))
        };
        let mut state = self.lock();
        let keys: Vec<_> = state
            .waiting
            .iter()
            .filter(|(_, Waiting { task, .. })| is_meant(task.id(), task.turn))
            .map(|(&key, _)| key)
            .collect();
        for running in state.running.iter_mut().filter(|running| is_meant(&running.id, running.turn)) {
            running.is_terminated = true;
            if let Some(stop) = &running.stop {
                stop.set();
            }
        }
        keys.into_iter().filter_map(|key| state.remove(key)).collect()
    }

    /// Closes the queue. `now`: waiting positions are dropped, and running searches are stopped.
    pub fn close(&self, now: bool) {
        if now {
            self.terminate(None, None);
        }
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Has every worker clear its caches before its next position.
    pub fn forget(&self) {
        self.forgotten.fetch_add(1, Relaxed);
    }

    /// Number of requests to clear the caches.
    pub fn times_forgotten(&self) -> u64 {
        self.forgotten.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::katago::query::Context;
    use crate::katago::settings::Settings;
    use serde_json::json;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    #[test]
    fn a_query_waits_while_those_before_it_have_too_many_bytes() {
        let query = || {
            let input = json!({"id": "a", "game": "chess", "moves": ["e2e4"], "analyzeTurns": [0, 1]});
            Query::read(&mut Context::new(&input, &Settings::default())).unwrap()
        };
        let (queue, is_in) = (Queue::default(), AtomicBool::new(false));
        queue.add(query(), MAX_BYTES);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                queue.add(query(), 100);
                is_in.store(true, Relaxed);
            });
            std::thread::sleep(Duration::from_millis(50));
            assert!(!is_in.load(Relaxed));
            assert_eq!(queue.take().unwrap().0, 0);
        });
        assert!(is_in.load(Relaxed));
        assert_eq!(queue.lock().bytes, MAX_BYTES / 2 + 100);
        assert_eq!(queue.terminate(None, None).len(), 3);
        assert_eq!(queue.lock().bytes, 0);
    }
}
