//! Clocks: the time settings of the game, and the time left to each side.
//!
//! `time_settings` can only express absolute and Canadian time; byo-yomi comes by `kgs-time_settings`, the
//! Fischer clock by `kata-time_settings`. What `time_left` means depends on the system: in Canadian time its
//! last argument counts stones, in byo-yomi periods, and is 0 while main time is running.

use super::args::Refusal;
use super::command::{GtpCommand, Reply, commands, done};
use super::line::Request;
use super::session::Session;
use crate::clock::lag::Lag;
use crate::clock::{Overtime, TimeControl};
use crate::engine::Side;
use std::time::Duration;

/// Times are cut at a century, so that nothing overflows.
const CENTURY: f64 = 100.0 * 365.25 * 86_400.0;

/// The time settings of the game and both clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clocks {
    /// The clock at the start; `None`: a game without limit.
    settings: Option<TimeControl>,
    left: [Option<TimeControl>; 2],
    caps: Caps,
    /// Whether the time of a move was taken off the clock since the client set it.
    is_spent: [bool; 2],
    lags: [Lag; 2],
}

/// Maximum of a Fischer clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Caps {
    main: Option<Duration>,
    one_move: Option<Duration>,
}

#[allow(clippy::indexing_slicing, reason = "a side is 0 or 1")]
impl Clocks {
    /// Begins anew with these settings on both clocks.
    pub fn set(&mut self, settings: Option<TimeControl>) {
        *self = Self { settings, left: [settings; 2], ..Self::default() };
    }

    /// Both clocks as at the start of the game.
    pub fn reset(&mut self) {
        *self = Self { left: [self.settings; 2], is_spent: [false; 2], lags: [Lag::default(); 2], ..*self };
    }

    /// Maximum time of a move, whatever is left.
    pub fn move_cap(&self) -> Option<Duration> {
        self.caps.one_move
    }

    /// The clock of a search for `side`; `None` without limit.
    pub fn of(&self, side: Side) -> Option<TimeControl> {
        let opponent = self.left[side.other().index()].map(|clock| clock.remaining);
        self.left[side.index()].map(|clock| TimeControl { opponent, ..clock })
    }

    /// What the client's clock was seen to charge `side` for a move beyond the engine's own time.
    pub fn lag(&self, side: Side) -> Duration {
        let left = self.left[side.index()].map_or(Duration::ZERO, |clock| clock.remaining);
        self.lags[side.index()].reserve(left)
    }

    /// `time_left`: corrects the clock of `side`. Without settings it is taken as absolute or Canadian time.
    /// More time than a Canadian period has is main time, whatever number of stones some servers send with
    /// it.
    pub fn set_left(&mut self, side: Side, time: Duration, stones: u32) {
        let settings = self.settings.unwrap_or_default();
        let TimeControl { increment, .. } = settings;
        let is_spent = std::mem::take(&mut self.is_spent[side.index()]);
        if let Some(expected) = self.left[side.index()].filter(|_| is_spent && stones == 0) {
            self.lags[side.index()].note(expected.remaining, time);
        }
        let exceeds_period =
            matches!(settings.overtime, Some(Overtime::Canadian { length, .. }) if time > length);
        self.left[side.index()] = Some(match (settings.overtime, stones) {
            (overtime, _) if stones == 0 || exceeds_period => {
                TimeControl { remaining: time, increment, overtime, ..TimeControl::default() }
            }
            (Some(Overtime::ByoYomi { length, .. }), periods) => {
                let overtime = Some(Overtime::ByoYomi { length: length.min(time), periods });
                TimeControl { overtime, ..TimeControl::default() }
            }
            (_, stones) => {
                let overtime = Some(Overtime::Canadian { length: time, stones });
                TimeControl { overtime, ..TimeControl::default() }
            }
        });
    }

    /// Takes the time of a move from the clock of `side`, for controllers that never send `time_left`.
    pub fn spend(&mut self, side: Side, elapsed: Duration) {
        let settings = self.settings.unwrap_or_default();
        let Some(clock) = &mut self.left[side.index()] else { return };
        self.is_spent[side.index()] = true;
        if let Some(rest) = clock.remaining.checked_sub(elapsed) {
            let left = rest.saturating_add(settings.increment);
            // A clock that is already above the cap is not cut.
            clock.remaining = self.caps.main.map_or(left, |cap| left.min(cap.max(rest)));
            return;
        }
        let over = elapsed.saturating_sub(clock.remaining);
        clock.remaining = settings.increment;
        clock.overtime = match (clock.overtime, settings.overtime) {
            (Some(Overtime::ByoYomi { periods, .. }), Some(Overtime::ByoYomi { length, .. })) => {
                let used = (over.as_secs_f64() / length.as_secs_f64().max(0.001)) as u32;
                Some(Overtime::ByoYomi { length, periods: periods.saturating_sub(used).max(1) })
            }
            (Some(Overtime::Canadian { length, stones }), fresh) => {
                if stones <= 1 {
                    fresh
                } else {
                    Some(Overtime::Canadian {
                        length: length.saturating_sub(over),
                        stones: stones.saturating_sub(1),
                    })
                }
            }
            (overtime, _) => overtime,
        };
    }

    /// The settings in the words of `kata-time_settings`.
    fn describe(&self) -> String {
        let Some(tc) = self.settings else { return "none".to_owned() };
        let main = tc.remaining.as_secs_f64();
        match tc.overtime {
            Some(Overtime::ByoYomi { length, periods }) => {
                format!("byoyomi {main} {} {periods}", length.as_secs_f64())
            }
            Some(Overtime::Canadian { length, stones }) => {
                format!("canadian {main} {} {stones}", length.as_secs_f64())
            }
            None if self.caps != Caps::default() => {
                let seconds = |cap: Option<Duration>| cap.map_or(-1.0, |cap| cap.as_secs_f64());
                let (increment, caps) = (tc.increment.as_secs_f64(), self.caps);
                format!("fischer-capped {main} {increment} {} {}", seconds(caps.main), seconds(caps.one_move))
            }
            None if !tc.increment.is_zero() => format!("fischer {main} {}", tc.increment.as_secs_f64()),
            None => format!("absolute {main}"),
        }
    }
}

pub const COMMANDS: &[GtpCommand] = commands! {
    "time_settings" "MAIN_SECONDS BYO_YOMI_SECONDS BYO_YOMI_STONES" => time_settings,
        "absolute or Canadian time; stones 0 with a byo-yomi time is no limit";
    "time_left" "COLOR SECONDS STONES" => time_left,
        "the clock of a side; stones (periods in byo-yomi) 0 is main time";
    "kgs-time_settings" "SYSTEM [NUMBERS...]" => named_settings,
        "none | absolute M | canadian M B S | byoyomi M P N";
    "kata-time_settings" "SYSTEM [NUMBERS...]" => named_settings,
        "none | absolute M | canadian M B S | byoyomi M P N | fischer M INC | fischer-capped M INC CAP MOVE_CAP";
    "kata-list_time_settings" "" => |_, _| Ok("none absolute canadian byoyomi fischer fischer-capped".into()),
        "systems that kata-time_settings knows";
    "kata-get_time_settings" "" => |s, _| Ok(s.state.clocks.describe().into()),
        "the settings in the words of kata-time_settings";
};

/// A time in seconds, not negative.
fn seconds(request: &Request, index: usize) -> Result<Duration, Refusal> {
    let time = request.real(index)?;
    if time < 0.0 {
        return Err(Refusal::SYNTAX);
    }
    Ok(Duration::from_secs_f64(time.min(CENTURY)))
}

fn time_settings(s: &mut Session<'_>, request: &Request) -> Reply {
    let (remaining, length) = (seconds(request, 0)?, seconds(request, 1)?);
    let stones = request.number::<u32>(2)?;
    let main = TimeControl { remaining, ..TimeControl::default() };
    let control = match (length.is_zero(), stones) {
        (true, _) => Some(main),
        (false, 0) => None,
        (false, stones) => {
            Some(TimeControl { overtime: Some(Overtime::Canadian { length, stones }), ..main })
        }
    };
    set_clocks(s, control)
}

fn time_left(s: &mut Session<'_>, request: &Request) -> Reply {
    let side = request.color(0)?;
    // Servers send small negative times when a move crosses the flag.
    let time = Duration::from_secs_f64(request.real(1)?.clamp(0.0, CENTURY));
    s.state.clocks.set_left(side, time, request.number::<u32>(2)?);
    done()
}

fn named_settings(s: &mut Session<'_>, request: &Request) -> Reply {
    let control = named(request)?;
    let caps = caps(request)?;
    set_clocks(s, control)?;
    s.state.clocks.caps = caps;
    done()
}

/// The two caps of `fischer-capped`; a negative one is none.
fn caps(request: &Request) -> Result<Caps, Refusal> {
    if !request.arg(0)?.eq_ignore_ascii_case("fischer-capped") {
        return Ok(Caps::default());
    }
    let cap = |index| match request.args.get(index) {
        None => Ok(None),
        Some(_) if request.real(index)? < 0.0 => Ok(None),
        Some(_) => seconds(request, index).map(Some),
    };
    Ok(Caps { main: cap(3)?, one_move: cap(4)? })
}

/// Sets both clocks. They do not run yet: this waits for the
/// search to be ready for its first move.
fn set_clocks(s: &mut Session<'_>, control: Option<TimeControl>) -> Reply {
    if control.is_some() {
        s.engine().get_ready();
    }
    s.state.clocks.set(control);
    done()
}

/// Time settings by the name of their system.
fn named(request: &Request) -> Result<Option<TimeControl>, Refusal> {
    let system = request.arg(0)?.to_ascii_lowercase();
    let kata = request.command.starts_with("kata");
    if system == "none" {
        return Ok(None);
    }
    let main = TimeControl { remaining: seconds(request, 1)?, ..TimeControl::default() };
    match system.as_str() {
        "absolute" => Ok(Some(main)),
        "canadian" => {
            let (length, stones) = (seconds(request, 2)?, request.number(3)?);
            let overtime = (stones > 0 && !length.is_zero()).then_some(Overtime::Canadian { length, stones });
            Ok(Some(TimeControl { overtime, ..main }))
        }
        "byoyomi" => {
            let (length, periods) = (seconds(request, 2)?, request.number(3)?);
            let overtime =
                (periods > 0 && !length.is_zero()).then_some(Overtime::ByoYomi { length, periods });
            Ok(Some(TimeControl { overtime, ..main }))
        }
        "fischer" | "fischer-capped" if kata => {
            Ok(Some(TimeControl { increment: seconds(request, 2)?, ..main }))
        }
        _ => Err(Refusal::SYNTAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::gtp::line::{Line, parse};

    const B: Side = Side::First;
    const W: Side = Side::Second;

    fn secs(s: u64) -> Duration {
        Duration::from_secs(s)
    }

    fn clocks(line: &str) -> Clocks {
        let Line::Command(request) = parse(line) else { unreachable!("a command") };
        let mut clocks = Clocks::default();
        clocks.set(named(&request).unwrap_or_else(|e| panic!("{line}: {e:?}")));
        clocks.caps = caps(&request).expect("caps");
        clocks
    }

    #[test]
    fn byo_yomi_is_read_as_periods_not_as_canadian_stones() {
        let mut c = clocks("kgs-time_settings byoyomi 300 30 5");
        let tc = c.of(B).expect("a limit");
        assert_eq!(tc.overtime, Some(Overtime::ByoYomi { length: secs(30), periods: 5 }));
        assert_eq!(tc.remaining, secs(300));
        c.set_left(B, secs(30), 3);
        let tc = c.of(B).expect("a limit");
        assert_eq!(tc.overtime, Some(Overtime::ByoYomi { length: secs(30), periods: 3 }));
        assert_eq!(tc.remaining, Duration::ZERO);
    }

    #[test]
    fn a_move_within_a_period_costs_nothing_and_an_overrun_costs_it() {
        let mut c = clocks("kgs-time_settings byoyomi 0 10 3");
        c.spend(W, secs(9));
        assert_eq!(c.of(W).unwrap().overtime, Some(Overtime::ByoYomi { length: secs(10), periods: 3 }));
        c.spend(W, secs(12));
        assert_eq!(c.of(W).unwrap().overtime, Some(Overtime::ByoYomi { length: secs(10), periods: 2 }));
    }

    #[test]
    fn canadian_stones_run_down_and_start_anew() {
        let mut c = clocks("kata-time_settings canadian 5 60 2");
        c.spend(B, secs(15));
        assert_eq!(c.of(B).unwrap().overtime, Some(Overtime::Canadian { length: secs(50), stones: 1 }));
        c.spend(B, secs(1));
        assert_eq!(c.of(B).unwrap().overtime, Some(Overtime::Canadian { length: secs(60), stones: 2 }));
        c.set_left(B, secs(40), 7);
        assert_eq!(c.of(B).unwrap().overtime, Some(Overtime::Canadian { length: secs(40), stones: 7 }));
    }

    #[test]
    fn more_time_than_a_canadian_period_is_main_time() {
        for (settings, left, stones, main, overtime) in [
            ("kgs-time_settings canadian 1780 20 1", 824, 1, 824, (20, 1)),
            ("kgs-time_settings canadian 600 30 5", 400, 5, 400, (30, 5)),
            ("kgs-time_settings canadian 600 30 5", 31, 5, 31, (30, 5)),
            ("kata-time_settings canadian 3600 300 25", 301, 3, 301, (300, 25)),
            ("kgs-time_settings canadian 0 60 10", 90, 10, 90, (60, 10)),
            ("kgs-time_settings canadian 600 30 5", 400, 0, 400, (30, 5)),
            // A time that fits into the period is in overtime.
            ("kgs-time_settings canadian 600 30 5", 30, 5, 0, (30, 5)),
            ("kgs-time_settings canadian 600 30 5", 29, 2, 0, (29, 2)),
            ("kata-time_settings canadian 3600 300 25", 300, 24, 0, (300, 24)),
            ("kgs-time_settings canadian 600 30 5", 0, 1, 0, (0, 1)),
        ] {
            let mut clocks = clocks(settings);
            clocks.set_left(W, secs(left), stones);
            let clock = clocks.of(W).expect("a limit");
            let (length, stones) = overtime;
            assert_eq!(clock.remaining, secs(main), "{settings}: {left}");
            let length = secs(length);
            assert_eq!(clock.overtime, Some(Overtime::Canadian { length, stones }), "{settings}: {left}");
        }
        // Nothing is known of a period without settings.
        let mut unset = Clocks::default();
        unset.set_left(B, secs(824), 1);
        let period = Overtime::Canadian { length: secs(824), stones: 1 };
        assert_eq!(unset.of(B).map(|clock| clock.overtime), Some(Some(period)));
    }

    #[test]
    fn fischer_time_grows_with_each_move() {
        let mut c = clocks("kata-time_settings fischer 60 5");
        c.spend(B, secs(20));
        assert_eq!(c.of(B).unwrap().remaining, secs(45));
        assert_eq!(c.of(B).unwrap().increment, secs(5));
        assert_eq!(c.of(W).unwrap().opponent, Some(secs(45)));
    }

    #[test]
    fn caps_hold_the_clock_and_the_move() {
        let mut c = clocks("kata-time_settings fischer-capped 60 10 65 8");
        assert_eq!(c.move_cap(), Some(secs(8)));
        c.spend(B, secs(1));
        assert_eq!(c.of(B).unwrap().remaining, secs(65));
        assert_eq!(c.describe(), "fischer-capped 60 10 65 8");
        let c = clocks("kata-time_settings fischer-capped 60 10 -1 -1");
        assert_eq!((c.move_cap(), c.describe()), (None, "fischer 60 10".to_owned()));
    }

    #[test]
    fn no_limit_is_no_clock() {
        assert_eq!(clocks("kata-time_settings none").of(B), None);
        assert_eq!(clocks("kgs-time_settings absolute 60").describe(), "absolute 60");
    }
}
