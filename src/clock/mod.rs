//! Time controls of every protocol in one form, and the budget a move gets from them.

pub mod lag;
pub mod manager;

use std::time::Duration;

/// What is left on the clock of the side to move, in whatever form the protocol has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Main time left. Zero with a byo-yomi: the main time is used up.
    pub remaining: Duration,
    /// Added after each move (Fischer).
    pub increment: Duration,
    /// Moves until more time is added; `None` is sudden death.
    pub moves_to_go: Option<u32>,
    pub overtime: Option<Overtime>,
    /// The opponent's main time left, if known.
    pub opponent: Option<Duration>,
}

/// What follows when the main time is used up (GO-12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overtime {
    /// Japanese byo-yomi: `periods` left of `length` each; a move within one costs nothing.
    ByoYomi { length: Duration, periods: u32 },
    /// Canadian: `stones` moves left to play in `length` (what is left of the period now when the main
    /// time is zero).
    Canadian { length: Duration, stones: u32 },
}
