//! What engines do wrong in a match.

use crate::errors;
use crate::games::record::Reason;
use crate::util::message::Message;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub reason: Reason,
    pub detail: Message,
}

errors! {
    /// The faults of engines; times are in seconds.
    pub enum FaultKind {
        Command(why: Message) = "{why}" | "{why}",
        NoProcess(why: Message) = "{why}" | "{why}",
        NotRunning = "the engine is not running" | "引擎没有运行",
        Gone(how: Message) = "the engine is gone: {how}" | "引擎程序已经终止：{how}",
        Interrupted = "the match was interrupted" | "比赛被中断",
        Silent(what: String, time: f64) = "no {what} within {time} s" | "{time} 秒内没有 {what}",
        NoGreeting(why: Message, last: Message, protocol: &'static str, proto: &'static str) =
            "{why}{last}; it may speak {protocol}: proto={proto}"
            | "{why}{last}；它用的可能是 {protocol}：proto={proto}",
        NoAnswer(line: String, time: f64) =
            "no answer to {line:?} within {time} s" | "{time} 秒内没有回答 {line:?}",
        Refused(line: String, answer: String) =
            "{line:?} was answered \"? {answer}\"" | "{line:?} 的应答是“? {answer}”",
        RefusedCommand(text: String) = "the engine refused a command: {text:?}" | "引擎拒绝了：{text:?}",
        NoMove(time: f64) = "no move within {time} s" | "{time} 秒内没有走棋",
        Late(time: f64) = "no move within {time:.3} s" | "{time:.3} 秒内没有走棋",
        NotAMove(line: String, answer: String) =
            "{line} answered \"? {answer}\"" | "{line} 的应答是“? {answer}”",
        Premature(text: String) = "{text:?} when no move was asked for" | "没有轮到它走，却说 {text:?}",
        Unasked(text: String) = "the answer {text:?} belongs to no command" | "应答 {text:?} 不属于任何命令",
        Claim(text: String) = "it claims {text:?} in place of a move" | "它没有走棋，却宣称 {text:?}",
        WholeSeconds =
            "the engine counts in seconds and has no time per move below a second" | "不能告诉引擎每着不到一秒的时限",
        NoVisits = "this engine has no command that limits its visits" | "这个引擎没有限制访问数的命令",
        NoXiangqi = "the engine does not announce the variant xiangqi" | "引擎没有声明会下象棋（xiangqi）",
        NoPositions =
            "the engine cannot be given a position, only moves; --openings none, or openings of PGN"
            | "引擎只接受着法，不接受局面；用 --openings none，或 PGN 的开局",
    }
}

impl FaultKind {
    const fn reason(&self) -> Reason {
        match self {
            // Every engine is tried before the first game: here the system refuses, and neither side loses
            // the game.
            Self::NoProcess(_) | Self::Interrupted => Reason::Interrupted,
            Self::Late(_) => Reason::Time,
            Self::NotAMove(..) => Reason::IllegalMove,
            Self::Premature(_) | Self::Unasked(_) => Reason::PrematureMove,
            Self::Command(_)
            | Self::NotRunning
            | Self::Gone(_)
            | Self::WholeSeconds
            | Self::NoVisits
            | Self::NoXiangqi
            | Self::NoPositions => Reason::Crash,
            Self::Silent(..)
            | Self::NoGreeting(..)
            | Self::NoAnswer(..)
            | Self::Refused(..)
            | Self::RefusedCommand(_)
            | Self::NoMove(_)
            | Self::Claim(_) => Reason::Stall,
        }
    }
}

impl From<FaultKind> for Fault {
    fn from(kind: FaultKind) -> Self {
        Self { reason: kind.reason(), detail: kind.into() }
    }
}
