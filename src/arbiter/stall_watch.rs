//! Whether the match manager itself stood still: stopped from a terminal, or without a processor.
//!
//! Engines run on meanwhile, but their output is not read: what their clocks lose then reveals nothing about
//! them.

use crate::client::cancel::CancelToken;
use crate::util::sync::lock;
use crossbeam::channel;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two beats.
const BEAT: Duration = Duration::from_millis(100);

/// After so long without a beat it stood still. A busy machine is late by less.
const STOP: Duration = Duration::from_secs(1);

/// A heart that beats as long as the manager runs.
pub struct StallWatch(Mutex<Beats>);

struct Beats {
    last: Instant,
    stops: u64,
}

impl Default for StallWatch {
    fn default() -> Self {
        Self(Mutex::new(Beats { last: Instant::now(), stops: 0 }))
    }
}

impl StallWatch {
    /// Beats until the match is over.
    pub fn beat(&self, cancel: &CancelToken) {
        loop {
            crossbeam::select! {
                recv(cancel.receiver()) -> _ => return,
                recv(channel::after(BEAT)) -> _ => { self.stops(); }
            }
        }
    }

    /// How often it has stood still so far. The first caller after a stop notices it.
    pub fn stops(&self) -> u64 {
        let mut beats = lock(&self.0);
        let now = Instant::now();
        if now.saturating_duration_since(beats.last) > STOP {
            beats.stops = beats.stops.saturating_add(1);
        }
        beats.last = now;
        beats.stops
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_noticed_once_by_the_first_who_asks() {
        let last = Instant::now().checked_sub(2 * STOP).unwrap();
        let stall_watch = StallWatch(Mutex::new(Beats { last, stops: 3 }));
        assert_eq!([stall_watch.stops(), stall_watch.stops()], [4, 4]);
        let halt = CancelToken::default();
        std::thread::scope(|scope| {
            scope.spawn(|| stall_watch.beat(&halt));
            std::thread::sleep(STOP + 3 * BEAT);
            halt.cancel();
        });
        assert_eq!(stall_watch.stops(), 4, "it beats");
    }
}
