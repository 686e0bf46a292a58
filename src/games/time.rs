//! The arbiter's clocks: time controls as they are written, and what is left while a game runs.
//!
//! | text | meaning |
//! |---|---|
//! | `8+0.08` | 8 s and 0.08 s a move (Fischer); `1:30+1` is 90 s and 1 s |
//! | `40/60`, `40/60+0.5` | 60 s for every 40 moves, with an increment |
//! | `40/90:00+30,30:00+30` | 90 minutes for 40 moves, then 30 minutes for the rest, with 30 s a move |
//! | `40/7200,20/3600` | 2 hours for 40 moves, then 1 hour for every 20 moves |
//! | `300+5x30` | 300 s, then five byo-yomi periods of 30 s |
//! | `5x30` | byo-yomi from the start |
//! | `300+25/60` | 300 s, then 25 moves (stones) in every 60 s (Canadian) |
//! | `st=1` | exactly 1 s a move |
//! | `inf` | no clock |

use crate::clock::{Overtime, TimeControl};
use crate::message;
use crate::util::message::Message;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A time control as agreed before the game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Control {
    /// Main time.
    pub main: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves after which `main` is added again.
    pub moves: Option<u32>,
    /// The periods after the first. The last one repeats if it has a number of moves.
    pub later: Vec<Period>,
    /// What follows the main time.
    pub overtime: Option<Overtime>,
    /// A fixed time for every move, in place of all the rest.
    pub per_move: Option<Duration>,
}

/// A period of a time control: a number of moves in a time, or in sudden death the rest of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// Added to the clock at its start.
    pub main: Duration,
    /// Added after each of its moves.
    pub increment: Duration,
    /// Moves until the next one.
    pub moves: Option<u32>,
}

impl FromStr for Period {
    type Err = ();

    /// `40/60+0.5`, `40/60`, `60+0.5` or `60`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
        let (moves, main) = match main.split_once('/') {
            Some((n, rest)) => (Some(n.parse().ok().filter(|&n| n > 0).ok_or(())?), rest),
            None => (None, main),
        };
        Ok(Self { main: seconds(main).ok_or(())?, increment: seconds(increment).ok_or(())?, moves })
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(n) = self.moves {
            write!(f, "{n}/")?;
        }
        write!(f, "{}", self.main.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl Control {
    /// No clock at all.
    pub const INFINITE: Self = Self {
        main: Duration::MAX,
        increment: Duration::ZERO,
        moves: None,
        later: Vec::new(),
        overtime: None,
        per_move: None,
    };

    /// Whether there is a clock.
    pub fn is_timed(&self) -> bool {
        *self != Self::INFINITE
    }

    fn first(&self) -> Period {
        Period { main: self.main, increment: self.increment, moves: self.moves }
    }

    /// The periods in order: one, and those in [`later`](Self::later).
    pub fn periods(&self) -> impl Iterator<Item = Period> {
        std::iter::once(self.first()).chain(self.later.iter().copied())
    }
}

impl FromStr for Control {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let bad = || match has_sixty_behind_a_colon(text) {
            true => message!(
                "{text:?}: minutes and seconds behind a colon are below 60, as in 90:00"
                    | "{text:?}：冒号后面的分和秒须小于 60，例如 90:00",
                text
            ),
            false => message!(
                "{text:?} is not a time control such as 8+0.08, 40/60, 300+5x30, st=1 or inf"
                    | "{text:?} 不是时限；时限写作 8+0.08、40/60、300+5x30、st=1 或 inf",
                text
            ),
        };
        if text == "inf" {
            return Ok(Self::INFINITE);
        }
        if let Some(per_move) = text.strip_prefix("st=") {
            let per_move = seconds(per_move).filter(|t| !t.is_zero()).ok_or_else(bad)?;
            return Ok(Self { per_move: Some(per_move), ..Self::default() });
        }
        let (first, later) = text.split_once(',').map_or((text, None), |(first, later)| (first, Some(later)));
        let mut control = Self::read_first(first).ok_or_else(bad)?;
        for period in later.into_iter().flat_map(|later| later.split(',')) {
            // Only a period with a number of moves ends, and overtime follows the last.
            let is_open = control.periods().any(|earlier| earlier.moves.is_none());
            if is_open || control.overtime.is_some() {
                return Err(bad());
            }
            let period: Period = period.parse().map_err(|()| bad())?;
            if period.main.is_zero() && period.increment.is_zero() {
                return Err(bad());
            }
            control.later.push(period);
        }
        Ok(control)
    }
}

impl Control {
    /// The control of a text without later periods.
    fn read_first(text: &str) -> Option<Self> {
        let (main, extra) = text.split_once('+').map_or((text, None), |(m, e)| (m, Some(e)));
        if extra.is_none() && main.contains('x') {
            return Some(Self { overtime: Some(overtime(main)?), ..Self::default() });
        }
        let overtime = match extra.filter(|extra| extra.contains(['x', '/'])) {
            Some(extra) => Some(overtime(extra)?),
            None => None,
        };
        let first = if overtime.is_some() { main } else { text };
        let Period { main, increment, moves } = first.parse().ok()?;
        let has_time = !main.is_zero() || !increment.is_zero() || overtime.is_some();
        has_time.then(|| Self { main, increment, moves, overtime, ..Self::default() })
    }
}

/// `5x30` (byo-yomi) or `25/60` (Canadian).
fn overtime(text: &str) -> Option<Overtime> {
    if let Some((periods, length)) = text.split_once('x') {
        let (periods, length) = (periods.parse().ok()?, seconds(length)?);
        return (periods > 0 && !length.is_zero()).then_some(Overtime::ByoYomi { length, periods });
    }
    let (stones, length) = text.split_once('/')?;
    let (stones, length) = (stones.parse().ok()?, seconds(length)?);
    (stones > 0 && !length.is_zero()).then_some(Overtime::Canadian { length, stones })
}

/// `90`, `1.5`, `1:30` or `1:30:00`, below a hundred days.
fn seconds(text: &str) -> Option<Duration> {
    let (before, last) = text.rsplit_once(':').map_or((None, text), |(before, last)| (Some(before), last));
    // Rust's numbers may have a sign, those of a time control have none: "8++1" is a slip of the hand.
    if !last.starts_with(|c: char| c.is_ascii_digit() || c == '.') || has_sixty_behind_a_colon(text) {
        return None;
    }
    let minutes = match before.map(|before| before.split_once(':').unwrap_or(("0", before))) {
        Some((hours, minutes)) => 60.0 * whole(hours)? + whole(minutes)?,
        None => 0.0,
    };
    let total = 60.0 * minutes + last.parse::<f64>().ok()?;
    (0.0..8.64e6).contains(&total).then(|| Duration::from_secs_f64(total))
}

fn whole(digits: &str) -> Option<f64> {
    digits.parse::<u32>().ok().map(f64::from)
}

/// Whether a number behind a colon is no number of minutes or seconds: `5400:1800`.
fn has_sixty_behind_a_colon(text: &str) -> bool {
    text.split(':').skip(1).any(|behind| {
        let number = behind.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        !number.is_empty() && number.parse::<u32>().map_or(true, |number| number >= 60)
    })
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_timed() {
            return f.write_str("inf");
        }
        if let Some(t) = self.per_move {
            return write!(f, "st={}", t.as_secs_f64());
        }
        let only_overtime = self.main.is_zero() && self.moves.is_none() && self.overtime.is_some();
        if !only_overtime {
            self.first().fmt(f)?;
        }
        for period in &self.later {
            write!(f, ",{period}")?;
        }
        let plus = if only_overtime { "" } else { "+" };
        match self.overtime {
            Some(Overtime::ByoYomi { length, periods }) => {
                write!(f, "{plus}{periods}x{}", length.as_secs_f64())
            }
            // Without main time the zero stays, to distinguish it from "moves in a time".
            Some(Overtime::Canadian { length, stones }) if only_overtime => {
                write!(f, "0+{stones}/{}", length.as_secs_f64())
            }
            Some(Overtime::Canadian { length, stones }) => write!(f, "+{stones}/{}", length.as_secs_f64()),
            None => Ok(()),
        }
    }
}

impl From<Control> for String {
    fn from(control: Control) -> Self {
        control.to_string()
    }
}

impl TryFrom<String> for Control {
    type Error = Message;

    fn try_from(text: String) -> Result<Self, Message> {
        text.parse()
    }
}

/// One player's clock in a running game.
#[derive(Clone, Debug)]
pub struct GameClock {
    control: Control,
    state: TimeControl,
    /// The number of the period, from 0; the last one repeats under its own number.
    period: usize,
    margin: Duration,
}

/// The flag has fallen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlagFallen;

impl GameClock {
    /// A full clock. `margin` is what the player may use beyond its time before it is said to have lost. Without main time
    /// the first move has the increment, as on servers and on clocks that add it before a move: 0+2 is no lost game.
    pub fn new(control: Control, margin: Duration) -> Self {
        let has_nothing = control.main.is_zero() && control.overtime.is_none();
        let state = TimeControl {
            remaining: if has_nothing { control.increment } else { control.main },
            increment: control.increment,
            moves_to_go: control.moves,
            overtime: control.overtime,
            ..TimeControl::default()
        };
        Self { control, state, period: 0, margin }
    }

    /// The agreed time control.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The number of the period, from 0. A last one that repeats keeps its number.
    pub fn period(&self) -> usize {
        self.period
    }

    /// What is left.
    pub fn state(&self) -> &TimeControl {
        &self.state
    }

    /// What a record has of it: the milliseconds that are left, in overtime those of the period, and then how many periods
    /// or stones are left. Nothing where there is no clock.
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
        let time = self.control.per_move;
        let time = time.unwrap_or_else(|| self.state.remaining.saturating_add(self.overtime_left()));
        Some(time.saturating_add(self.margin))
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
        if self.budget().is_some_and(|budget| used > budget) {
            return Err(FlagFallen);
        }
        if !self.control.is_timed() || self.control.per_move.is_some() {
            return Ok(());
        }
        let over = used.saturating_sub(self.state.remaining);
        self.state.remaining = self.state.remaining.saturating_sub(used);
        if self.state.remaining.is_zero() {
            self.spend_overtime(over);
        }
        self.add(self.state.increment);
        if let Some(left) = self.state.moves_to_go {
            let left = left.saturating_sub(1);
            self.state.moves_to_go = Some(left);
            if left == 0 {
                self.period = self.period.saturating_add(1).min(self.control.later.len());
                let next = self.control.periods().nth(self.period);
                if let Some(next) = next {
                    (self.state.moves_to_go, self.state.increment) = (next.moves, next.increment);
                    self.add(next.main);
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, time: Duration) {
        self.state.remaining = self.state.remaining.saturating_add(time);
    }

    fn spend_overtime(&mut self, over: Duration) {
        match &mut self.state.overtime {
            Some(Overtime::ByoYomi { length, periods }) => {
                // A full period overrun is used up; within the margin the last one stays.
                let used_up = over.as_nanos().checked_div(length.as_nanos());
                let used_up = used_up.and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
                *periods = periods.saturating_sub(used_up).max(1);
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
    fn controls_read_as_they_are_written() {
        for text in [
            "8+0.08",
            "40/60",
            "40/60+0.5",
            "40/5400+30,1800+30",
            "40/7200,20/3600,900+30",
            "300+5x30",
            "5x30",
            "300+25/60",
            "0+25/60",
            "40/0+5x30",
            "40/0+25/60",
            "st=0.5",
            "inf",
        ] {
            assert_eq!(text.parse::<Control>().unwrap().to_string(), text);
        }
        assert_eq!("1:30+1".parse::<Control>().unwrap().main, secs(90.0));
        assert_eq!("1:30:00".parse::<Control>().unwrap().main, secs(5400.0));
        assert_eq!("40/90:00+30,30:00+30".parse::<Control>().unwrap().to_string(), "40/5400+30,1800+30");
        for text in ["", "x", "0", "-1+1", "nan", "0/60", "1e99", "3x", "st=0", "5x0", "+", "1+1+1"] {
            assert!(text.parse::<Control>().is_err(), "{text:?}");
        }
        for text in
            ["60,30", "40/60,", ",40/60", "40/60,0", "40/60,5x30", "40/60+5x30,60", "40/60,inf", "60:30:1:1"]
        {
            assert!(text.parse::<Control>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn minutes_and_seconds_behind_a_colon_are_below_sixty() {
        for text in [
            "40/5400:1800+30",
            "5400:1800",
            "1:60",
            "1:60:00",
            "st=1:75",
            "300+5x0:90",
            "40/60,1:99",
            "60+1:60",
        ] {
            let why = text.parse::<Control>().unwrap_err();
            assert!(why.to_string().contains("below 60"), "{text:?}: {why}");
        }
        assert_eq!("0:59.5".parse::<Control>().unwrap().main, secs(59.5));
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
}
