//! A player's clock while a game runs.

use super::{Bonus, Control, Period};
use crate::clock::{Overtime, TimeControl};
use crate::ensure;
use crate::game::Side;
use std::fmt;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct GameClock {
    control: Control,
    state: TimeControl,
    /// How the increment of the current period is given.
    bonus: Bonus,
    /// The number of the period, from 0; the last one repeats under its own number.
    period: usize,
    margin: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlagFallen;

impl GameClock {
    /// A full clock. `margin` is what the player may use beyond its time before it is said to have lost.
    /// Without main time the first move has the increment, as on servers and on clocks that add it before a
    /// move: 0+2 is no lost game.
    pub fn new(control: Control, margin: Duration) -> Self {
        let bonus = control.bonus;
        let has_nothing = control.main.is_zero() && control.overtime.is_none() && bonus != Bonus::Delay;
        let state = TimeControl {
            remaining: if has_nothing { control.increment } else { control.main },
            increment: control.increment,
            moves_to_go: control.moves,
            overtime: control.overtime,
            ..TimeControl::default()
        };
        Self { control, state, bonus, period: 0, margin }
    }

    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The number of the period, from 0. A last one that repeats keeps its number.
    pub fn period(&self) -> usize {
        self.period
    }

    pub fn state(&self) -> &TimeControl {
        &self.state
    }

    /// What a record has of it: the milliseconds that are left, in overtime those of the period, and then how
    /// many periods or stones are left. Nothing where there is no clock.
    pub fn recorded(&self) -> (Option<u64>, Option<u32>) {
        if !self.control.is_timed() || self.control.per_move.is_some() {
            return (None, None);
        }
        let TimeControl { remaining, overtime, .. } = self.state;
        let (left, periods) = match overtime.filter(|_| remaining.is_zero()) {
            // What is left of a period of byo-yomi is all of it, as long as there is one.
            Some(Overtime::ByoYomi { length, periods }) => (length, Some(periods)),
            Some(Overtime::Canadian { length, stones }) => (length, Some(stones)),
            None => (remaining, None),
        };
        (Some(left.as_millis() as u64), periods)
    }

    /// How long the player may think before the flag falls; `None` without a clock.
    pub fn budget(&self) -> Option<Duration> {
        if !self.control.is_timed() {
            return None;
        }
        let time = self.control.per_move.unwrap_or_else(|| {
            let free = if self.bonus == Bonus::Delay { self.state.increment } else { Duration::ZERO };
            self.state.remaining.saturating_add(free).saturating_add(self.overtime_left())
        });
        let time = self.control.longest_move.map_or(time, |longest| time.min(longest));
        Some(time.saturating_add(self.margin))
    }

    /// What the clock shows once the running move has taken `used`. `None`: there is no clock.
    pub fn reading(&self, used: Duration) -> Option<Reading> {
        if !self.control.is_timed() {
            return None;
        }
        let move_left = self.control.longest_move.map(|longest| longest.saturating_sub(used));
        if let Some(time) = self.control.per_move {
            return Some(Reading {
                left: time.saturating_sub(used),
                overtime: None,
                is_last: true,
                move_left,
            });
        }
        let counted = self.counted(used);
        let left = self.state.remaining.saturating_sub(counted);
        let over = counted.saturating_sub(self.state.remaining);
        // A clock that stands shows its main time as long as there is any.
        let in_overtime = left.is_zero() && (self.state.remaining.is_zero() || !over.is_zero());
        Some(match self.state.overtime.filter(|_| in_overtime) {
            None => Reading { left, overtime: None, is_last: self.state.overtime.is_none(), move_left },
            Some(Overtime::ByoYomi { length, periods }) => {
                let used_up = periods_in(over, length);
                let left = match periods > used_up {
                    true => length.saturating_sub(over.saturating_sub(length.saturating_mul(used_up))),
                    false => Duration::ZERO,
                };
                let periods = periods.saturating_sub(used_up).max(1);
                let overtime = Some(Overtime::ByoYomi { length, periods });
                Reading { left, overtime, is_last: periods == 1, move_left }
            }
            Some(Overtime::Canadian { length, stones }) => Reading {
                left: length.saturating_sub(over),
                overtime: Some(Overtime::Canadian { length, stones }),
                is_last: true,
                move_left,
            },
        })
    }

    /// The part of a move's time that is taken off the clock.
    fn counted(&self, used: Duration) -> Duration {
        if self.bonus == Bonus::Delay { used.saturating_sub(self.state.increment) } else { used }
    }

    fn overtime_left(&self) -> Duration {
        match self.state.overtime {
            Some(Overtime::ByoYomi { length, periods }) => length.saturating_mul(periods),
            // Before overtime has begun its first period is whole; afterwards `remaining` is zero and
            // `length` is what is left of the running one.
            Some(Overtime::Canadian { length, .. }) => length,
            None => Duration::ZERO,
        }
    }

    /// Takes the time of a move off the clock.
    /// # Errors
    /// When it took longer than there was, and the margin.
    pub fn spend(&mut self, used: Duration) -> Result<(), FlagFallen> {
        ensure!(self.budget().is_none_or(|budget| used <= budget), FlagFallen);
        if !self.control.is_timed() || self.control.per_move.is_some() {
            return Ok(());
        }
        let counted = self.counted(used);
        let over = counted.saturating_sub(self.state.remaining);
        self.state.remaining = self.state.remaining.saturating_sub(counted);
        if self.state.remaining.is_zero() {
            self.spend_overtime(over);
        }
        self.add(match self.bonus {
            Bonus::Increment => self.state.increment,
            Bonus::Bronstein => self.state.increment.min(used),
            Bonus::Delay => Duration::ZERO,
        });
        if let Some(left) = self.state.moves_to_go {
            let left = left.saturating_sub(1);
            self.state.moves_to_go = Some(left);
            if left == 0 {
                self.period = self.period.saturating_add(1).min(self.control.later.len());
                let next = self.control.periods().nth(self.period);
                if let Some(Period { main, increment, bonus, moves }) = next {
                    (self.state.moves_to_go, self.state.increment, self.bonus) = (moves, increment, bonus);
                    self.add(main);
                }
            }
        }
        Ok(())
    }

    pub fn add(&mut self, time: Duration) {
        self.state.remaining = self.state.remaining.saturating_add(time);
    }

    /// Takes time off, as an arbiter does.
    pub fn deduct(&mut self, time: Duration) {
        self.state.remaining = self.state.remaining.saturating_sub(time);
    }

    fn spend_overtime(&mut self, over: Duration) {
        match &mut self.state.overtime {
            Some(Overtime::ByoYomi { length, periods }) => {
                // A full period overrun is used up; within the margin the last one stays.
                *periods = periods.saturating_sub(periods_in(over, *length)).max(1);
            }
            Some(Overtime::Canadian { length, stones }) => {
                *length = length.saturating_sub(over);
                *stones = stones.saturating_sub(1);
                if *stones == 0 {
                    self.state.overtime = self.control.overtime;
                }
            }
            None => {}
        }
    }
}

/// How many whole periods a time has.
fn periods_in(time: Duration, length: Duration) -> u32 {
    let whole = time.as_nanos().checked_div(length.as_nanos());
    whole.and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX)
}

/// Takes the time of a move off its side's clock; an hourglass gives it to the opponent.
pub fn spend(clocks: &mut [GameClock; 2], side: Side, used: Duration) -> Result<(), FlagFallen> {
    side.of_mut(clocks).spend(used)?;
    if side.of(clocks).control.hourglass {
        side.other().of_mut(clocks).add(used);
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Main time; in overtime what is left of the period.
    pub left: Duration,
    /// What is left of the overtime once it has begun, its running period included.
    pub overtime: Option<Overtime>,
    /// Whether the flag falls when `left` is used up.
    pub is_last: bool,
    /// What is left for this move where the control has a maximum for a move.
    pub move_left: Option<Duration>,
}

/// What is announced while a clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeCall {
    /// Seconds left.
    Seconds(u64),
    /// Periods of byo-yomi left, including the one that begins.
    Periods(u32),
}

impl Reading {
    /// Seconds left in a period of byo-yomi when time is called: at 30, 40, 50, 55 and 58 s of a minute.
    const CALLS: [u64; 5] = [30, 20, 10, 5, 2];
    /// The same where the flag falls at the end.
    const LAST_CALLS: [u64; 12] = [60, 30, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

    /// The time until the flag falls or the next period begins.
    pub fn until_change(&self) -> Duration {
        self.move_left.map_or(self.left, |left| left.min(self.left))
    }

    /// What has to be announced between an earlier reading in the same move and this one (GO-12).
    pub fn call_since(&self, earlier: &Self) -> Option<TimeCall> {
        let periods = |reading: &Self| match reading.overtime {
            Some(Overtime::ByoYomi { periods, .. }) => Some(periods),
            _ => None,
        };
        if periods(self) != periods(earlier) {
            return periods(self).map(TimeCall::Periods);
        }
        let calls: &[u64] = match (self.is_last, self.overtime) {
            (true, _) => &Self::LAST_CALLS,
            (false, Some(_)) => &Self::CALLS,
            (false, None) => &[],
        };
        let (before, now) = (earlier.until_change(), self.until_change());
        let is_passed = |&&seconds: &&u64| {
            let at = Duration::from_secs(seconds);
            now <= at && at < before
        };
        calls.iter().rev().find(is_passed).map(|&seconds| TimeCall::Seconds(seconds))
    }
}

impl fmt::Display for Reading {
    /// `5:00`, `1:30:00`, `0:09.4` below ten seconds; in overtime `0:30 ×5` for five periods, `1:00 / 25` for
    /// 25 stones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_time(f, self.left)?;
        match self.overtime {
            Some(Overtime::ByoYomi { periods, .. }) => write!(f, " ×{periods}")?,
            Some(Overtime::Canadian { stones, .. }) => write!(f, " / {stones}")?,
            None => {}
        }
        if let Some(left) = self.move_left {
            f.write_str(" (")?;
            write_time(f, left)?;
            f.write_str(")")?;
        }
        Ok(())
    }
}

fn write_time(f: &mut fmt::Formatter<'_>, time: Duration) -> fmt::Result {
    let (seconds, tenths) = (time.as_secs(), time.subsec_millis() / 100);
    match seconds {
        0..10 => write!(f, "0:0{seconds}.{tenths}"),
        10..3600 => write!(f, "{}:{:02}", seconds / 60, seconds % 60),
        _ => write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> GameClock {
        GameClock::new(text.parse().unwrap(), Duration::ZERO)
    }

    fn secs(s: f64) -> Duration {
        Duration::from_secs_f64(s)
    }

    #[test]
    fn periods_follow_each_other_and_the_last_one_repeats() {
        let mut c = clock("2/60+1,1/30,1/10");
        let mut after = |used| {
            c.spend(secs(used)).unwrap();
            (c.state().remaining, c.state().increment, c.state().moves_to_go, c.period())
        };
        assert_eq!(after(10.0), (secs(51.0), secs(1.0), Some(1), 0));
        assert_eq!(after(10.0), (secs(72.0), secs(0.0), Some(1), 1));
        assert_eq!(after(10.0), (secs(72.0), secs(0.0), Some(1), 2));
        assert_eq!(after(10.0), (secs(72.0), secs(0.0), Some(1), 2));
        let mut c = clock("1/60,30+5");
        c.spend(secs(10.0)).unwrap();
        assert_eq!((c.state().remaining, c.state().moves_to_go), (secs(80.0), None));
        c.spend(secs(10.0)).unwrap();
        assert_eq!(c.state().remaining, secs(75.0));
        assert_eq!(c.spend(secs(75.1)), Err(FlagFallen));
    }

    #[test]
    fn increments_are_added_after_the_move() {
        let mut c = clock("10+2");
        c.spend(secs(3.0)).unwrap();
        assert_eq!(c.state().remaining, secs(9.0));
        assert_eq!(c.spend(secs(9.5)), Err(FlagFallen));
    }

    #[test]
    fn without_main_time_the_first_move_has_the_increment() {
        let mut c = clock("0+2");
        assert_eq!(c.state().remaining, secs(2.0));
        c.spend(secs(1.5)).unwrap();
        assert_eq!(c.state().remaining, secs(2.5));
        assert_eq!(clock("5x30").state().remaining, Duration::ZERO);
    }

    #[test]
    fn saved_time_carries_over_to_the_next_period() {
        let mut c = clock("2/60");
        c.spend(secs(10.0)).unwrap();
        assert_eq!((c.state().remaining, c.state().moves_to_go), (secs(50.0), Some(1)));
        c.spend(secs(10.0)).unwrap();
        assert_eq!((c.state().remaining, c.state().moves_to_go), (secs(100.0), Some(2)));
    }

    #[test]
    fn a_full_period_overrun_is_used_up() {
        let mut c = clock("10+3x5");
        c.spend(secs(12.0)).unwrap();
        assert_eq!(c.state().overtime, Some(Overtime::ByoYomi { length: secs(5.0), periods: 3 }));
        c.spend(secs(4.9)).unwrap();
        c.spend(secs(6.0)).unwrap();
        assert_eq!(c.state().overtime, Some(Overtime::ByoYomi { length: secs(5.0), periods: 2 }));
        assert_eq!(c.spend(secs(10.1)), Err(FlagFallen));
    }

    #[test]
    fn canadian_periods_begin_anew_after_their_stones() {
        let mut c = clock("0+2/10");
        c.spend(secs(6.0)).unwrap();
        assert_eq!(c.budget(), Some(secs(4.0)));
        c.spend(secs(3.0)).unwrap();
        assert_eq!(c.budget(), Some(secs(10.0)));
    }

    #[test]
    fn the_margin_forgives_a_little() {
        let mut c = GameClock::new("1+0.5".parse().unwrap(), secs(0.1));
        c.spend(secs(1.05)).unwrap();
        assert_eq!(c.state().remaining, secs(0.5));
        assert_eq!(c.spend(secs(0.7)), Err(FlagFallen));
    }

    #[test]
    fn a_delay_is_free_and_bronstein_gives_back_what_was_used() {
        let mut c = clock("10d5");
        assert_eq!(c.budget(), Some(secs(15.0)));
        c.spend(secs(4.0)).unwrap();
        assert_eq!(c.state().remaining, secs(10.0));
        c.spend(secs(7.0)).unwrap();
        assert_eq!(c.state().remaining, secs(8.0));
        assert_eq!(c.spend(secs(13.1)), Err(FlagFallen));
        let mut c = clock("10b5");
        c.spend(secs(4.0)).unwrap();
        assert_eq!(c.state().remaining, secs(10.0));
        c.spend(secs(7.0)).unwrap();
        assert_eq!(c.state().remaining, secs(8.0));
        assert_eq!(c.spend(secs(8.1)), Err(FlagFallen));
        assert_eq!(clock("0d5").budget(), Some(secs(5.0)));
    }

    #[test]
    fn an_hourglass_runs_into_the_other_one() {
        let mut clocks = [clock("10h"), clock("10h")];
        spend(&mut clocks, Side::First, secs(4.0)).unwrap();
        assert_eq!(clocks.each_ref().map(|c| c.state().remaining), [secs(6.0), secs(14.0)]);
        assert_eq!(spend(&mut clocks, Side::First, secs(6.1)), Err(FlagFallen));
    }

    #[test]
    fn a_move_has_a_maximum() {
        let mut c = clock("600+1x30@60");
        assert_eq!(c.budget(), Some(secs(60.0)));
        c.spend(secs(59.0)).unwrap();
        assert_eq!(c.spend(secs(61.0)), Err(FlagFallen));
        assert_eq!(c.reading(secs(18.0)).unwrap().to_string(), "8:43 (0:42)");
    }

    #[test]
    fn a_clock_shows_what_is_left() {
        let shown = |text: &str, used: f64| clock(text).reading(secs(used)).unwrap().to_string();
        for (control, used, face) in [
            ("300", 0.0, "5:00"),
            ("5400", 0.0, "1:30:00"),
            ("300", 291.4, "0:08.6"),
            ("300", 400.0, "0:00.0"),
            ("300+5x30", 300.0, "0:00.0"),
            ("300+5x30", 301.0, "0:29 ×5"),
            ("5x30", 0.0, "0:30 ×5"),
            ("5x30", 31.0, "0:29 ×4"),
            ("5x30", 121.0, "0:29 ×1"),
            ("5x30", 151.0, "0:00.0 ×1"),
            ("0+25/60", 0.0, "1:00 / 25"),
            ("0+25/60", 15.0, "0:45 / 25"),
            ("10d5", 5.0, "0:10"),
            ("st=20", 5.0, "0:15"),
        ] {
            assert_eq!(shown(control, used), face, "{control} after {used} s");
        }
        assert_eq!(clock("inf").reading(secs(1.0)), None);
    }

    #[test]
    fn time_is_called() {
        let calls = |text: &str, until: u32| {
            let readings = (0..=until).map(|s| clock(text).reading(secs(f64::from(s))).unwrap());
            let readings: Vec<_> = readings.collect();
            readings.windows(2).filter_map(|pair| pair[1].call_since(&pair[0])).collect::<Vec<_>>()
        };
        let seconds = |list: &[u64]| list.iter().map(|&s| TimeCall::Seconds(s)).collect::<Vec<_>>();
        let mut two = seconds(&[30, 20, 10, 5, 2]);
        two.push(TimeCall::Periods(1));
        two.extend(seconds(&[30, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]));
        assert_eq!(calls("2x60", 119), two);
        assert_eq!(calls("90", 30), seconds(&[60]));
        assert_eq!(calls("1+1x5", 3), [TimeCall::Periods(1), TimeCall::Seconds(3)]);
        assert!(calls("90+1x30", 89).is_empty());
    }
}
