//! How much more than planned a game's clock charges for a move: the way through pipes, GUI and network, and
//! threads that wait for a processor.

use super::TimeControl;
use std::time::{Duration, Instant};

/// A clock that lost more was paused or set by hand.
const MAX_LAG: Duration = Duration::from_secs(1);
/// What is known of the worst lag counts less with every move.
const DECAY: f64 = 0.9;
/// The next lag may be worse.
const MARGIN: f64 = 1.25;
/// Maximum share of the time left that is kept back for it, as its inverse.
const MAX_SHARE: u32 = 2;

/// The lag of one side's clock, or of a search behind its plan.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lag {
    worst: Duration,
}

impl Lag {
    /// A clock that should show `expected` shows `shown`. Clocks in whole seconds hide up to one.
    pub fn note(&mut self, expected: Duration, shown: Duration) {
        let Some(late) = expected.checked_sub(shown) else { return };
        let hidden = if shown.subsec_nanos() == 0 { Duration::from_secs(1) } else { Duration::ZERO };
        self.note_late(late.saturating_sub(hidden));
    }

    /// Something came so much later than planned.
    pub fn note_late(&mut self, late: Duration) {
        if late <= MAX_LAG {
            self.worst = late.max(self.worst.mul_f64(DECAY));
        }
    }

    /// What to keep back of the time that is left.
    pub fn reserve(&self, left: Duration) -> Duration {
        self.worst.mul_f64(MARGIN).min(left / MAX_SHARE)
    }
}

/// The lags of a game whose clocks come with every move.
#[derive(Debug, Default)]
pub struct LagMeter {
    lags: [Lag; 2],
    /// What each clock should show after the side's last move.
    expected: [Option<Duration>; 2],
    turn: Option<Turn>,
}

#[derive(Debug)]
struct Turn {
    side: usize,
    /// The clock without the time of this move, its increment added.
    left: Duration,
    /// `None`: the engine ponders.
    began: Option<Instant>,
}

impl LagMeter {
    /// A search begins on this clock of the first side (0) or the second. Gives the time to keep back.
    pub fn begin(&mut self, side: usize, clock: &TimeControl, is_pondering: bool) -> Duration {
        let lag = &mut self.lags[side];
        // In overtime a clock does not show what a move took.
        if let Some(expected) = self.expected[side].take().filter(|_| !clock.remaining.is_zero()) {
            lag.note(expected, clock.remaining);
        }
        let left = clock.remaining.saturating_add(clock.increment);
        self.turn = Some(Turn { side, left, began: (!is_pondering).then(Instant::now) });
        lag.reserve(clock.remaining)
    }

    /// The clock runs from now.
    pub fn ponder_hit(&mut self) {
        if let Some(turn) = &mut self.turn {
            turn.began.get_or_insert_with(Instant::now);
        }
    }

    /// The move is sent.
    pub fn end(&mut self) {
        if let Some((turn, began)) = self.turn.take().and_then(|turn| turn.began.map(|began| (turn, began))) {
            self.expected[turn.side] = turn.left.checked_sub(began.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn lag_is_what_the_clock_lost_beyond_the_move() {
        let mut lag = Lag::default();
        assert_eq!(lag.reserve(MS(8000)), MS(0));
        lag.note(MS(7900), MS(7820));
        assert_eq!(lag.reserve(MS(8000)), MS(100));
        // Little time left: no more than half of it.
        assert_eq!(lag.reserve(MS(150)), MS(75));
        // It is forgotten by and by; more time than expected, a pause and whole seconds say nothing.
        lag.note(MS(7000), MS(6999));
        assert_eq!(lag.reserve(MS(8000)), MS(90));
        for (expected, shown) in [(7000, 9500), (7000, 2500), (7900, 7000)] {
            let before = lag.reserve(MS(8000));
            lag.note(MS(expected), MS(shown));
            assert!(lag.reserve(MS(8000)) <= before, "{expected} {shown}");
        }
    }

    #[test]
    fn each_side_has_its_own_clock() {
        let clock = |ms| TimeControl { remaining: MS(ms), increment: MS(100), ..TimeControl::default() };
        let mut meter = LagMeter::default();
        assert_eq!(meter.begin(0, &clock(5003), false), MS(0));
        meter.end();
        // The other side's clock has lost time, too, but not by a move of the engine.
        assert_eq!(meter.begin(1, &clock(3003), true), MS(0));
        meter.ponder_hit();
        meter.end();
        let reserve = meter.begin(0, &clock(4903), false);
        assert!((MS(235)..=MS(250)).contains(&reserve), "{reserve:?}");
        // Nothing was sent in between.
        assert!(meter.begin(0, &clock(4503), false) <= reserve);
    }
}
