//! The lines of GTP, and of its extensions for clocks and options.

use super::time_left;
use crate::clock::Overtime;
use crate::game::Side;
use crate::games::time::{Control, GameClock};
use std::collections::HashSet;
use std::time::Duration;

pub fn color(side: Side) -> &'static str {
    match side {
        Side::First => "b",
        Side::Second => "w",
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GtpAnswer {
    /// It begins with `=`, not with `?`.
    pub is_success: bool,
    /// The digits after the mark: the number of the command.
    pub id: String,
    /// The rest, lines and all.
    pub text: String,
    /// From the command to its first line.
    pub took: Duration,
}

impl GtpAnswer {
    /// Reads its first line, `=17 text` or `?17 text`. `None`: no answer begins so.
    pub fn begin(line: &str, took: Duration) -> Option<Self> {
        let line = line.trim();
        let rest = line.strip_prefix(['=', '?'])?;
        let text = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let id = rest.strip_suffix(text).unwrap_or_default().to_owned();
        Some(Self { is_success: line.starts_with('='), id, text: text.trim().to_owned(), took })
    }

    /// Takes the next line. Whether that ends the answer.
    pub fn is_ended_by(&mut self, line: &str) -> bool {
        if !line.is_empty() {
            self.text.push('\n');
            self.text.push_str(line);
        }
        line.is_empty()
    }
}

/// Whether a line answers `protocol_version` with version 2.
pub fn is_version_2(line: &str) -> bool {
    line.strip_prefix('=').is_some_and(|rest| rest.trim() == "2")
}

/// The command that sets an option, for an engine that lists these commands.
pub fn option_line(commands: &HashSet<String>, option: &str, value: &str) -> String {
    let line = if commands.contains("kata-set-param") {
        format!("kata-set-param {option} {value}")
    } else if commands.contains("lz-setoption") {
        format!("lz-setoption name {option} value {value}")
    } else {
        format!("{option} {value}")
    };
    line.trim_end().to_owned()
}

/// The most exact command for a time control, for an engine that lists these commands.
pub fn time_settings(commands: &HashSet<String>, control: &Control) -> String {
    let secs = Duration::as_secs_f64;
    let main = secs(&control.main);
    let (has_kata, has_kgs) =
        (commands.contains("kata-time_settings"), commands.contains("kgs-time_settings"));
    // Plain GTP counts in whole seconds, and has nothing below one.
    let whole = |time: Duration| time.as_secs().max(1);
    let one_move = control.per_move.map(|length| Overtime::Canadian { length, stones: 1 });
    match one_move.or(control.overtime) {
        Some(Overtime::ByoYomi { length, periods }) if has_kata => {
            format!("kata-time_settings byoyomi {main} {} {periods}", secs(&length))
        }
        Some(Overtime::ByoYomi { length, periods }) if has_kgs => {
            format!("kgs-time_settings byoyomi {} {} {periods}", control.main.as_secs(), whole(length))
        }
        // A plain clock has only the last period.
        Some(Overtime::ByoYomi { length, .. }) => {
            format!("time_settings {} {} 1", control.main.as_secs(), whole(length))
        }
        Some(Overtime::Canadian { length, stones }) if has_kata => {
            format!("kata-time_settings canadian {main} {} {stones}", secs(&length))
        }
        Some(Overtime::Canadian { length, stones }) => {
            format!("time_settings {} {} {stones}", control.main.as_secs(), whole(length))
        }
        None if has_kata && control.increment.is_zero() => format!("kata-time_settings absolute {main}"),
        None if has_kata => {
            format!("kata-time_settings fischer {main} {}", secs(&control.increment))
        }
        None => format!("time_settings {} 0 0", whole(control.main)),
    }
}

/// `time_left`: seconds, and stones or periods when in overtime. GTP has whole seconds; KataGo's extensions
/// have fractions, in `exact`. An engine that does not count periods has one stone to play in each.
pub fn time_left_line(side: Side, clock: &GameClock, exact: bool, counts_periods: bool) -> String {
    let state = clock.state();
    let (time, count) = match state.overtime {
        Some(Overtime::ByoYomi { length, periods }) if state.remaining.is_zero() => {
            (length, if counts_periods { periods } else { 1 })
        }
        Some(Overtime::Canadian { length, stones }) if state.remaining.is_zero() => (length, stones),
        Some(_) => (state.remaining, 0),
        None => (time_left(clock).0, 0),
    };
    let seconds = match exact {
        true => (time.as_millis() as f64 / 1000.0).to_string(),
        false => time.as_secs().to_string(),
    };
    format!("time_left {} {seconds} {count}", color(side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_a_mark_a_number_and_a_text() {
        let answer = |line| GtpAnswer::begin(line, Duration::ZERO);
        let read = |is_success, id: &str, text: &str| {
            Some(GtpAnswer { is_success, id: id.to_owned(), text: text.to_owned(), took: Duration::ZERO })
        };
        assert_eq!(answer("=17 D4 "), read(true, "17", "D4"));
        assert_eq!(answer("? unknown command"), read(false, "", "unknown command"));
        assert_eq!((answer("="), answer("D4")), (read(true, "", ""), None));
        let mut list = answer("= name").unwrap();
        assert!(!list.is_ended_by("version") && list.is_ended_by(""));
        assert_eq!(list.text, "name\nversion");
        assert!(is_version_2("= 2") && !is_version_2("=2 2") && !is_version_2("? 2"));
    }

    #[test]
    fn times_are_sent_as_exactly_as_the_engine_can_read_them() {
        let settings = |commands: &[&str], control: &str| {
            time_settings(&commands.iter().map(|&c| c.to_owned()).collect(), &control.parse().unwrap())
        };
        assert_eq!(settings(&[], "st=0.5"), "time_settings 0 1 1");
        assert_eq!(settings(&[], "300+5x30"), "time_settings 300 30 1");
        assert_eq!(settings(&[], "300+25/60"), "time_settings 300 60 25");
        assert_eq!(settings(&[], "90.5"), "time_settings 90 0 0");
        assert_eq!(settings(&["kgs-time_settings"], "300+5x30"), "kgs-time_settings byoyomi 300 30 5");
        let kata = &["kata-time_settings", "kgs-time_settings"];
        assert_eq!(settings(kata, "st=0.5"), "kata-time_settings canadian 0 0.5 1");
        assert_eq!(settings(kata, "10+0.1"), "kata-time_settings fischer 10 0.1");
        assert_eq!(settings(kata, "1.5"), "kata-time_settings absolute 1.5");
        let left = |control: &str, exact, counts_periods| {
            let clock = GameClock::new(control.parse().unwrap(), Duration::ZERO);
            time_left_line(Side::First, &clock, exact, counts_periods)
        };
        assert_eq!(left("1.25+0.1", true, true), "time_left b 1.25 0");
        assert_eq!(left("1.25+0.1", false, true), "time_left b 1 0");
        assert_eq!(left("5x1.5", true, true), "time_left b 1.5 5");
        assert_eq!(left("5x1.5", false, true), "time_left b 1 5");
        assert_eq!(left("5x30", false, false), "time_left b 30 1", "a stone in 30 s");
    }
}
