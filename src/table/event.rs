//! What happens at a table, and what is asked of it.

use super::conduct::Conduct;
use crate::errors;
use crate::game::Side;
use crate::games::game::Start;
use crate::games::notation::Style;
use crate::games::record::{Ending, Thought};
use crate::games::time::Control;
use crate::util::message::Message;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What is agreed before the first move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// The game, its rules and where it starts.
    pub start: Start,
    /// The clock of each side.
    pub controls: [Control; 2],
    /// What is allowed.
    pub conduct: Conduct,
    /// Who plays each side.
    pub names: [String; 2],
    /// How moves of xiangqi are written down.
    pub notation: Style,
}

/// Something that happened. The table is its agreement and its events, in order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum TableEvent {
    /// A move in coordinates, with the time that it took.
    Moved {
        mv: String,
        #[serde(with = "micros")]
        time: Duration,
        #[serde(default, flatten)]
        thought: Thought,
    },
    /// A draw is offered (CH-10).
    Offered { by: Side },
    /// The offer is declined, in words or by a move.
    Declined { by: Side },
    /// A claim was examined and is wrong (CH-15).
    ClaimFailed { by: Side, why: Written },
    /// A move that is not legal was put back (CH-14); the number of them so far.
    PutBack { by: Side, mv: String, count: u32 },
    /// A foul; the number of them so far (XQ-9).
    Fouled { by: Side, count: u32 },
    /// The arbiter changed a clock by a number of seconds.
    Adjusted { side: Side, seconds: i64 },
    /// The arbiter warned a player.
    Warned { side: Side, why: Written },
    /// The clocks were stopped; the move under way has taken that long.
    Stopped {
        #[serde(with = "micros")]
        time: Duration,
    },
    /// The clocks run again.
    Continued,
    /// Moves were taken back.
    TookBack { plies: usize },
    /// The game is adjourned with a sealed move: its hash, and the time it took.
    Sealed {
        hash: String,
        #[serde(with = "micros")]
        time: Duration,
    },
    /// The envelope was opened. Where it was lost, the player named the move again.
    Unsealed { mv: String, lost: bool },
    /// Go: a side names the dead stones and agrees that the game is over with them (GO-7, GO-8).
    Counted { by: Side, dead: Vec<String> },
    /// The game is over.
    Ended { ending: Ending },
}

/// A text in both languages, as journals have it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Written {
    pub en: String,
    pub zh: String,
}

impl From<&Message> for Written {
    fn from(message: &Message) -> Self {
        Self { en: message.to_string(), zh: format!("{message:#}") }
    }
}

impl From<Written> for Message {
    fn from(Written { en, zh }: Written) -> Self {
        Self::new(en, zh)
    }
}

/// Durations as whole microseconds.
mod micros {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        u64::try_from(time.as_micros()).unwrap_or(u64::MAX).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_micros)
    }
}

/// Who asks something of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actor {
    /// A player.
    Player(Side),
    /// The arbiter, or the program where there is none.
    Arbiter,
}

/// What is asked of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// A move in coordinates.
    Move { mv: String, thought: Thought },
    /// A move that the one who read it has found illegal, and why.
    Illegal { mv: String, why: Message },
    /// Offer a draw with the move that is about to be made.
    Offer,
    /// Accept the offer that stands.
    Accept,
    /// Decline the offer that stands.
    Decline,
    /// Claim a draw, on the board or with an announced move in coordinates.
    Claim { with: Option<String> },
    /// Resign.
    Resign,
    /// Stop the clocks.
    Stop,
    /// Let them run again.
    Continue,
    /// Take back the last moves.
    TakeBack { plies: usize },
    /// Adjourn with a sealed move, of which the table sees the hash.
    Seal { hash: String },
    /// Open the envelope, or name the move again where it was lost.
    Unseal { envelope: super::Unsealing },
    /// Go: agree to the count with these stones dead.
    Count { dead: Vec<String> },
    /// Change a clock by a number of seconds.
    Adjust { side: Side, seconds: i64 },
    /// Warn a player.
    Warn { side: Side, why: Message },
}

errors! {
    /// Why a table refuses what is asked of it. Nothing has changed then.
    pub enum Objection {
        Over = "the game is over" | "对局已经结束",
        NotYourTurn = "it is the other side's turn" | "轮到对方走棋",
        IsStopped = "the clocks are stopped" | "棋钟已停",
        IsRunning = "the clocks are running" | "棋钟正在走",
        IsAdjourned = "the game is adjourned: the sealed move comes first" | "对局已封棋：先启封",
        NotAdjourned = "there is no sealed move" | "没有封着",
        OnlyTheArbiter = "only the arbiter may do that" | "只有裁判可以这样做",
        NoDraws = "Go has no draw by agreement" | "围棋没有议和",
        NoClaims = "Go has no claims of draws" | "围棋没有判和的要求",
        NothingOffered = "no draw is offered" | "对方没有提和",
        OfferStands = "the offer still stands" | "提议仍然有效",
        OfferAgain = "a draw was declined, and nothing has changed since: no capture, no pawn move (CH-10)"
            | "提和已被拒绝，此后没有吃子，也没有走兵，不得再提（CH-10）",
        NoTakeBacks = "no move is taken back in a serious game (touch-move)" | "正式对局不得悔棋（摸子走子）",
        NothingToTakeBack = "there is no move to take back" | "没有可悔的着法",
        IllegalMove(why: Message) = "{why}" | "{why}",
        WrongEnvelope = "this envelope does not belong to the sealed move" | "信封与封着不符",
        NotCounting = "the board is counted after two passes" | "双方停着之后才数子",
    }
}
