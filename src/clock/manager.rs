//! How long to think: a clock of any form becomes a [`Budget`], a [`Timer`] holds a search to it.
//!
//! The plan is the same for every game but for the [`Horizon`]: how many moves a game is expected to last.
//! First comes what may be spent *without losing on time*, then a share of it. Unspent main time carries over
//! to later moves. The rest of a byo-yomi period or of a fixed move time does not carry over, so all of it is
//! spent. Source: <https://www.chessprogramming.org/Time_Management>; byo-yomi as GO-12 of the Chinese rules.

use super::{Overtime, TimeControl};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Minimum time of a search, even with an empty clock: enough for one legal move.
pub const FLOOR: Duration = Duration::from_millis(1);

/// Maximum time of a search: a century, far from where durations overflow.
const CEILING: Duration = Duration::from_secs(100 * 365 * 86_400);

/// A move may take this multiple of the soft limit, if the clock has it.
const HARD_FACTOR: f64 = 4.5;

/// A single move never takes more than this share of time that has to last for more moves.
const HARD_SHARE: f64 = 0.6;

/// Moves to a time control above which the game's horizon counts instead, if it is nearer.
const FAR_CONTROL: f64 = 40.0;

/// Share of the time, as its inverse, that is available for planning however large the overhead of all moves
/// is.
const OVERHEAD_LEAVES: f64 = 4.0;

/// Share of the time that the last move before a control may take.
const LAST_MOVE_SHARE: f64 = 0.95;

/// A move with overtime behind it may take this multiple of the soft limit: the time comes back each move.
const OVERTIME_HARD_FACTOR: f64 = 2.0;

/// Share of a period that is not spent: clocks of servers are coarser than ours. It is at least what a busy
/// machine may be late by, unless that is more than the last period's share.
const PERIOD_MARGIN: f64 = 0.02;
const PERIOD_MARGIN_MIN: Duration = Duration::from_millis(50);

/// Share of the last period that is not spent, because overstepping it loses the game; and the maximum of
/// that reserve.
const LAST_PERIOD_MARGIN: f64 = 0.1;
const LAST_PERIOD_MARGIN_MAX: Duration = Duration::from_millis(300);

/// How long games of one kind last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// Plies of a typical game. Until then half of the plies that are missing are expected to be own moves.
    pub plies: u32,
    /// Own moves that are always expected to come, however long the game has lasted.
    pub floor: u32,
}

impl Horizon {
    /// Own moves expected from `ply` (half moves played) on, this one included; at least 1.
    pub fn moves_left(self, ply: u32) -> f64 {
        let own = f64::from(self.plies.saturating_sub(ply)) / 2.0;
        own.max(f64::from(self.floor)).max(1.0)
    }
}

/// The time limits of one move. `FLOOR <= soft <= hard` always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub soft: Duration,
    /// The time at which the search ends whatever it is doing.
    pub hard: Duration,
    /// Whether time saved now can be spent on later moves. If not, stopping early gains nothing.
    pub carries_over: bool,
}

impl Budget {
    /// Exactly `movetime`, less the `overhead` of sending the move.
    pub fn fixed(movetime: Duration, overhead: Duration) -> Self {
        let time = movetime.saturating_sub(overhead);
        Self::clamped(time, time, time, false)
    }

    /// The plan for the move at `ply`. `overhead` is lost on every move between the two clocks (ours
    /// and the one that counts).
    ///
    /// [`hard`](Self::hard) plus `overhead` never exceeds [`spendable`], unless that leaves less than
    /// [`FLOOR`].
    pub fn plan(clock: &TimeControl, overhead: Duration, ply: u32, horizon: Horizon) -> Self {
        let moves = horizon.moves_left(ply);
        match overtime_of(clock) {
            None => main_time(clock, overhead, moves),
            Some(Overtime::ByoYomi { length, periods }) if clock.remaining.is_zero() => {
                let time = length.saturating_sub(overhead).saturating_sub(period_margin(length, periods));
                Self::clamped(time, time, time, false)
            }
            Some(Overtime::Canadian { length, stones }) if clock.remaining.is_zero() => {
                let last = if stones == 1 { period_margin(length, 1) } else { Duration::ZERO };
                let remaining = length.saturating_sub(last);
                let period = TimeControl { remaining, moves_to_go: Some(stones), ..TimeControl::default() };
                main_time(&period, overhead, moves)
            }
            Some(Overtime::ByoYomi { length, periods }) => {
                let share = length.saturating_sub(period_margin(length, periods));
                before_overtime(clock, share, overhead, moves)
            }
            Some(Overtime::Canadian { length, stones }) => {
                let share = length / stones;
                before_overtime(clock, share.saturating_sub(scale(share, PERIOD_MARGIN)), overhead, moves)
            }
        }
    }

    /// The shorter of two budgets, limit by limit: `movetime` together with a clock.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self {
            soft: self.soft.min(other.soft),
            hard: self.hard.min(other.hard),
            carries_over: self.carries_over && other.carries_over,
        }
    }

    fn clamped(soft: Duration, hard: Duration, cap: Duration, carries_over: bool) -> Self {
        let hard = hard.min(cap).clamp(FLOOR, CEILING);
        Self { soft: soft.clamp(FLOOR, hard), hard, carries_over }
    }
}

/// The longest that can be spent on this move without losing on time: the main time, and one period of
/// byo-yomi or a whole Canadian period.
pub fn spendable(clock: &TimeControl) -> Duration {
    match overtime_of(clock) {
        Some(Overtime::ByoYomi { length, .. } | Overtime::Canadian { length, .. }) => {
            clock.remaining.saturating_add(length)
        }
        None => clock.remaining,
    }
}

/// The overtime, if there is any left; never with 0 stones to play.
fn overtime_of(clock: &TimeControl) -> Option<Overtime> {
    match clock.overtime? {
        Overtime::ByoYomi { length, periods } if length.is_zero() || periods == 0 => None,
        Overtime::Canadian { length, .. } if length.is_zero() => None,
        Overtime::Canadian { length, stones } => Some(Overtime::Canadian { length, stones: stones.max(1) }),
        other => Some(other),
    }
}

/// Sudden death, increment, moves to go: a share of what is left and of what will be added until then.
fn main_time(clock: &TimeControl, overhead: Duration, expected_moves: f64) -> Budget {
    let to_control = clock.moves_to_go.filter(|&n| n > 0).map(f64::from);
    // A control that is further away than the horizon, and than 40 moves, does not count.
    let moves = to_control.map_or(expected_moves, |n| n.min(expected_moves.max(FAR_CONTROL)));
    let cap = clock.remaining.saturating_sub(overhead);
    let left = cap.as_secs_f64();
    let pool = left + (moves - 1.0) * clock.increment.as_secs_f64();
    // Every later move loses the overhead too. An overhead that would eat the whole clock is a worst
    // case that will not come each time: it takes three quarters at most.
    let usable = (pool - (moves - 1.0) * overhead.as_secs_f64()).max(pool / OVERHEAD_LEAVES);
    let soft = usable / moves;
    // The last move before the control may take nearly all there is, the moves before it less.
    let share = if to_control.is_some() { HARD_SHARE.max(LAST_MOVE_SHARE / moves) } else { HARD_SHARE };
    let hard = (soft * HARD_FACTOR).min(left * share);
    Budget::clamped(seconds(soft.min(hard)), seconds(hard), cap, true)
}

/// Main time with an overtime behind it, of which each move may spend `share`. No move need take less, since
/// it can be had on every later move too.
fn before_overtime(clock: &TimeControl, share: Duration, overhead: Duration, moves: f64) -> Budget {
    let overtime = TimeControl { overtime: None, ..*clock };
    let plain = main_time(&overtime, overhead, moves);
    let cap = clock.remaining.saturating_add(share).saturating_sub(overhead);
    let soft = plain.soft.max(share.saturating_sub(overhead));
    let hard = plain.hard.max(scale(soft, OVERTIME_HARD_FACTOR).min(cap));
    Budget::clamped(soft, hard, cap, true)
}

/// The part of a byo-yomi period that is not spent, by the number of periods left.
fn period_margin(length: Duration, periods: u32) -> Duration {
    let last = scale(length, LAST_PERIOD_MARGIN);
    let usual = scale(length, PERIOD_MARGIN).max(PERIOD_MARGIN_MIN.min(last));
    match periods {
        1 => last.min(LAST_PERIOD_MARGIN_MAX).max(usual),
        _ => usual,
    }
}

fn scale(time: Duration, factor: f64) -> Duration {
    seconds(time.as_secs_f64() * factor)
}

/// Any number of seconds as a duration; what is out of range becomes the end of the range.
fn seconds(s: f64) -> Duration {
    Duration::try_from_secs_f64(s.max(0.0)).unwrap_or(CEILING).min(CEILING)
}

/// Factor of the best move's share of the nodes, from 2 when it has none down to 0.7 when it has all.
const EFFORT_SCALE: f64 = 1.35;
const EFFORT_FROM: f64 = 1.5;
/// Factor of the best move's age: the sum right after a change, towards the first number with every
/// iteration.
const STABLE: f64 = 0.8;
const UNSTABLE: f64 = 0.8;
const STABILITY_PACE: f64 = 0.7;
/// Factor of the score: half a percent more for each centipawn lost, within these bounds.
const FALL_PER_CENTIPAWN: f64 = 0.005;
const FALL_MIN: f64 = 0.8;
const FALL_MAX: f64 = 1.5;
/// Bounds of the product: three bad signs at once are still one move.
const FACTOR_MIN: f64 = 0.3;
const FACTOR_MAX: f64 = 2.5;

/// The state of an alpha-beta search after an iteration, which stretches or shrinks the soft limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// Share of the nodes spent below the best move, 0 to 1.
    pub best_move_nodes: f64,
    /// Iterations since the best move last changed.
    pub stable_iterations: u32,
    /// Centipawns the score has lost against earlier iterations; negative when it has risen.
    pub score_drop: f64,
}

impl Trend {
    /// Factor for the soft limit, 0.3 to 2.5. It is small when the best move takes most nodes, has stood for
    /// long and holds its score, and large when the best move changes or loses value. Other rules:
    /// docs/lab/time-chess.md.
    pub fn factor(&self) -> f64 {
        let effort = EFFORT_SCALE * (EFFORT_FROM - self.best_move_nodes.clamp(0.0, 1.0));
        let unstable = 1.0 + STABILITY_PACE * f64::from(self.stable_iterations);
        let stability = STABLE + UNSTABLE / unstable;
        let fall = (1.0 + FALL_PER_CENTIPAWN * self.score_drop).clamp(FALL_MIN, FALL_MAX);
        (effort * stability * fall).clamp(FACTOR_MIN, FACTOR_MAX)
    }
}

/// A source of time, so that tests can make their own.
pub trait Clock: Send + Sync {
    /// Time since some fixed moment. Never runs backwards.
    fn now(&self) -> Duration;
}

#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    #[inline]
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Holds one search to its budget. Shared between the threads of the search and the thread that reports a
/// ponder hit.
#[derive(Debug)]
pub struct Timer<C = SystemClock> {
    clock: C,
    start: Duration,
    budget: Option<Budget>,
    /// Nanoseconds of `clock` from which the hard limit counts; `PONDERING` before a ponder hit.
    counted_from: AtomicU64,
    /// Nanoseconds of `clock` when the leading thread looked at it last.
    looked: AtomicU64,
    /// Maximum time between two looks, in nanoseconds.
    longest_wait: AtomicU64,
}

const PONDERING: u64 = u64::MAX;

impl Timer {
    /// Starts now, on the system's clock, with the opponent not thinking.
    pub fn new(budget: Option<Budget>) -> Self {
        Self::with_clock(SystemClock::default(), budget, false)
    }

    /// As [`new`](Self::new), but started when the command was `received`, if that is known. What was lost
    /// since then is half of the budget at most, so that there is time to search.
    pub fn since(received: Option<Instant>, budget: Option<Budget>) -> Self {
        let max = budget.map_or(Duration::ZERO, |budget| budget.hard / 2);
        let lost = received.map_or(Duration::ZERO, |at| at.elapsed()).min(max);
        let clock = SystemClock(Instant::now().checked_sub(lost).unwrap_or_else(Instant::now));
        Self {
            start: Duration::ZERO,
            counted_from: AtomicU64::new(0),
            looked: AtomicU64::new(0),
            ..Self::with_clock(clock, budget, false)
        }
    }

    /// As [`new`](Self::new), on the opponent's time: no limit counts before
    /// [`ponder_hit`](Self::ponder_hit).
    pub fn pondering(budget: Option<Budget>) -> Self {
        Self::with_clock(SystemClock::default(), budget, true)
    }
}

impl<C: Clock> Timer<C> {
    /// Starts now. Without a budget no limit is ever reached.
    pub fn with_clock(clock: C, budget: Option<Budget>, pondering: bool) -> Self {
        let start = clock.now();
        let counted_from = AtomicU64::new(if pondering { PONDERING } else { nanos(start) });
        let looked = AtomicU64::new(nanos(start));
        Self { clock, start, budget, counted_from, looked, longest_wait: AtomicU64::new(0) }
    }

    /// The opponent played the expected move: the own clock runs from now.
    pub fn ponder_hit(&self) {
        let now = nanos(self.clock.now());
        // Relaxed, here and below: the time is all in this word, and one who sees it late only searches a
        // moment longer.
        let _ = self.counted_from.compare_exchange(PONDERING, now, Relaxed, Relaxed);
    }

    /// Whether the search still runs on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.counted_from.load(Relaxed) == PONDERING
    }

    /// Time since the start, time pondered included.
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.start)
    }

    pub fn budget(&self) -> Option<Budget> {
        self.budget
    }

    /// Whether the time to aim at, times `factor`, is over. Time pondered counts as thought. The factor is
    /// without effect where saved time would be lost.
    pub fn soft_reached(&self, factor: f64) -> bool {
        !self.is_pondering() && self.soft_used(factor)
    }

    /// Whether that time is over, also while the search runs on the opponent's time.
    pub fn soft_used(&self, factor: f64) -> bool {
        self.budget.is_some_and(|b| {
            let soft = if b.carries_over { scale(b.soft, factor).min(b.hard) } else { b.soft };
            self.elapsed() >= soft
        })
    }

    /// Whether the search must end at once. Only the own clock counts. Asked by the leading thread.
    pub fn hard_reached(&self) -> bool {
        let (now, from) = (self.look(), self.counted_from.load(Relaxed));
        from != PONDERING && self.budget.is_some_and(|b| now.saturating_sub(from) >= nanos(b.hard))
    }

    /// Notes that the leading thread is at work. Gives the time on the clock.
    pub fn look(&self) -> u64 {
        let now = nanos(self.clock.now());
        let waited = now.saturating_sub(self.looked.swap(now, Relaxed));
        self.longest_wait.fetch_max(waited, Relaxed);
        now
    }

    /// The longest that the leading thread did not look at the clock: on a busy machine it waits for a
    /// processor, or at the end for the other threads.
    pub fn longest_wait(&self) -> Duration {
        Duration::from_nanos(self.longest_wait.load(Relaxed))
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(PONDERING - 1).min(PONDERING - 1)
}

#[cfg(test)]
#[path = "manager_tests.rs"]
mod tests;
