//! Time controls as they are written, and the clocks that run by them.
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
//! | `300d5` | 300 s; the first 5 s of a move are free (simple delay, US delay) |
//! | `300b5` | 300 s; the time of a move is given back after it, at most 5 s (Bronstein) |
//! | `60h` | hourglass: the time of a move goes to the opponent |
//! | `600+1x30@60` | 600 s, then 30 s a move, and never more than 60 s for a move (局时, 读秒, 步时) |
//! | `st=1` | exactly 1 s a move |
//! | `inf` | no clock |

mod clock;

pub use clock::{FlagFallen, GameClock, Reading, TimeCall, spend};

use crate::clock::Overtime;
use crate::ensure;
use crate::message;
use crate::util::message::{Message, serde_as_text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A time control as agreed before the game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Control {
    pub main: Duration,
    /// Given for each move, in the way of `bonus`.
    pub increment: Duration,
    pub bonus: Bonus,
    /// Moves after which `main` is added again.
    pub moves: Option<u32>,
    /// The periods after the first. The last one repeats if it has a number of moves.
    pub later: Vec<Period>,
    /// What follows the main time.
    pub overtime: Option<Overtime>,
    /// A fixed time for every move, in place of all the rest.
    pub per_move: Option<Duration>,
    /// The maximum for a move (步时), whatever is left.
    pub longest_move: Option<Duration>,
    /// The time that a move takes is added to the opponent's clock.
    pub hourglass: bool,
}

/// How the increment of a time control is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bonus {
    /// Added after a move (Fischer).
    #[default]
    Increment,
    /// A move's time is added after it, up to the increment (Bronstein).
    Bronstein,
    /// The clock waits that long before it runs (simple delay).
    Delay,
}

impl Bonus {
    /// Each with the sign that it has between the time and the increment.
    const ALL: [(Self, char); 3] = [(Self::Increment, '+'), (Self::Bronstein, 'b'), (Self::Delay, 'd')];
}

/// A period of a time control: a number of moves in a time, or in sudden death the rest of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// Added to the clock at its start.
    pub main: Duration,
    /// Given for each of its moves, in the way of `bonus`.
    pub increment: Duration,
    pub bonus: Bonus,
    pub moves: Option<u32>,
}

impl FromStr for Period {
    type Err = ();

    /// `40/60+0.5`, `40/60`, `60+0.5`, `60d5`, `60b5` or `60`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let given = Bonus::ALL.iter().find_map(|&(bonus, sign)| Some((bonus, text.split_once(sign)?)));
        let (bonus, (main, increment)) = given.unwrap_or((Bonus::default(), (text, "0")));
        let (moves, main) = match main.split_once('/') {
            Some((n, rest)) => (Some(n.parse().ok().filter(|&n| n > 0).ok_or(())?), rest),
            None => (None, main),
        };
        Ok(Self { main: seconds(main).ok_or(())?, increment: seconds(increment).ok_or(())?, bonus, moves })
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(n) = self.moves {
            write!(f, "{n}/")?;
        }
        write!(f, "{}", self.main.as_secs_f64())?;
        if !self.increment.is_zero() {
            let sign =
                Bonus::ALL.iter().find(|(bonus, _)| *bonus == self.bonus).map_or('+', |&(_, sign)| sign);
            write!(f, "{sign}{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl Control {
    /// No clock at all.
    pub const INFINITE: Self = Self {
        main: Duration::MAX,
        increment: Duration::ZERO,
        bonus: Bonus::Increment,
        moves: None,
        later: Vec::new(),
        overtime: None,
        per_move: None,
        longest_move: None,
        hourglass: false,
    };

    pub fn is_timed(&self) -> bool {
        *self != Self::INFINITE
    }

    fn first(&self) -> Period {
        let Self { main, increment, bonus, moves, .. } = *self;
        Period { main, increment, bonus, moves }
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
        if let Some((rest, longest)) = text.split_once('@') {
            let longest = seconds(longest).filter(|t| !t.is_zero()).ok_or_else(bad)?;
            let control: Self = rest.parse().map_err(|_| bad())?;
            let has_room = control.is_timed() && control.per_move.is_none() && control.longest_move.is_none();
            return if has_room { Ok(Self { longest_move: Some(longest), ..control }) } else { Err(bad()) };
        }
        if let Some(main) = text.strip_suffix('h') {
            let main = seconds(main).filter(|t| !t.is_zero()).ok_or_else(bad)?;
            return Ok(Self { main, hourglass: true, ..Self::default() });
        }
        let (first, later) = text.split_once(',').map_or((text, None), |(first, later)| (first, Some(later)));
        let mut control = Self::read_first(first).ok_or_else(bad)?;
        for period in later.into_iter().flat_map(|later| later.split(',')) {
            // Only a period with a number of moves ends, and overtime follows the last.
            let is_open = control.periods().any(|earlier| earlier.moves.is_none());
            ensure!(!is_open && control.overtime.is_none(), bad());
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
        let Period { main, increment, bonus, moves } = first.parse().ok()?;
        let has_time = !main.is_zero() || !increment.is_zero() || overtime.is_some();
        has_time.then(|| Self { main, increment, bonus, moves, overtime, ..Self::default() })
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
        }?;
        if self.hourglass {
            f.write_str("h")?;
        }
        self.longest_move.map_or(Ok(()), |longest| write!(f, "@{}", longest.as_secs_f64()))
    }
}

serde_as_text!(Control);

#[cfg(test)]
mod tests {
    use super::*;

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
            "300d5",
            "40/5400b10,1800d5",
            "60h",
            "600+1x30@60",
            "300+3@20",
            "inf",
        ] {
            assert_eq!(text.parse::<Control>().unwrap().to_string(), text);
        }
        assert_eq!("1:30+1".parse::<Control>().unwrap().main, secs(90.0));
        assert_eq!("1:30:00".parse::<Control>().unwrap().main, secs(5400.0));
        assert_eq!("40/90:00+30,30:00+30".parse::<Control>().unwrap().to_string(), "40/5400+30,1800+30");
        for text in [
            "", "x", "0", "-1+1", "nan", "0/60", "1e99", "3x", "st=0", "5x0", "+", "1+1+1", "h", "0h",
            "60h+1", "60hh",
        ] {
            assert!(text.parse::<Control>().is_err(), "{text:?}");
        }
        for text in [
            "60,30",
            "40/60,",
            ",40/60",
            "40/60,0",
            "40/60,5x30",
            "40/60+5x30,60",
            "40/60,inf",
            "60:30:1:1",
            "1d1d1",
            "1b",
            "60@0",
            "60@1@1",
            "inf@5",
            "st=1@5",
        ] {
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
}
