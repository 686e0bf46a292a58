//! The lines of the protocols, from the side that asks: from a line to its meaning and its flaws, and from a
//! request to its lines. Nothing here waits, sends or remembers. A match drops the flaws, `sanqi check`
//! reports them.

pub mod gtp;
pub mod uci; // and UCCI
pub mod xboard;

use crate::clock::Overtime;
use crate::games::record::Ending;
use crate::games::time::GameClock;
use std::str::SplitAsciiWhitespace;
use std::time::Duration;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A move in coordinates, legal or not.
    Move(String),
    /// A move in algebraic notation, legal or not: XBoard's protocol knows both.
    Algebraic(String),
    Resign,
    /// It claims this draw, rightly.
    Draw(Ending),
    NoMove,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestMoveLine {
    pub choice: Choice,
    pub ponder: Option<String>,
    /// A draw is offered, or accepted.
    pub draw: bool,
}

fn number<T: std::str::FromStr>(words: &mut SplitAsciiWhitespace) -> Option<T> {
    words.next()?.parse().ok()
}

/// Time left and increment, for protocols without overtime: what a player may use now.
fn time_left(clock: &GameClock) -> (Duration, Duration) {
    let state = clock.state();
    let left = match state.overtime {
        Some(Overtime::ByoYomi { length, periods }) if !state.remaining.is_zero() => {
            state.remaining.saturating_add(length.saturating_mul(periods))
        }
        Some(Overtime::ByoYomi { length, .. } | Overtime::Canadian { length, .. }) => {
            state.remaining.saturating_add(length)
        }
        None => state.remaining,
    };
    (clock.control().longest_move.map_or(left, |longest| left.min(longest)), state.increment)
}

/// Moves until the next time control, for protocols without overtime.
fn moves_to_go(clock: &GameClock) -> Option<u32> {
    let state = clock.state();
    match state.overtime {
        Some(Overtime::ByoYomi { .. }) if state.remaining.is_zero() => Some(1),
        Some(Overtime::Canadian { stones, .. }) if state.remaining.is_zero() => Some(stones),
        _ => state.moves_to_go,
    }
}
