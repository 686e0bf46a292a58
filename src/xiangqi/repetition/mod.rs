//! The judge of repetitions (棋例): who must deviate when a position keeps coming back.
//!
//! When a position occurs for the third time, every move since its first occurrence is classed: check 将, mate
//! threat 杀, chase 捉 (the attacks), or idle 闲 in one of its forms. A side all of whose moves attack is
//! forbidden to go on (XQ-R1); one clause of XQ-R3 to XQ-R6 then decides. `docs/rules/xiangqi.md` holds the
//! clauses and the definitions XQ-D1 to XQ-D14 that settle the doubtful cases.
//!
//! | Question | File |
//! |---|---|
//! | Which moves are judged (XQ-D1)? | `cycle` |
//! | Does a move attack 打? | `attack` |
//! | Does it chase 捉: which capture is threatened, is the threat new (XQ-D2, D3, D6, D10)? | `chase` |
//! | What does a capture win, is a root real (XQ-D4, D5, D9)? | `exchange` |
//! | What do checks in a row force, mate 杀 or material (XQ-D7, D8)? | `check` |
//! | Which kind of idle move is it 闲? | `idle` |
//! | Who loses, by which clause (XQ-R1 to R8)? | `verdict` |
//! | The answer to the referee, and to people | `judge`, `report` |
//! | The answer to the search, within a budget | `in_search` |
//!
//! The Asian rules and the servers' rules share the machinery but look at less: mate threats and forced gains
//! are idle to them, protection is a piece that can capture back, and all moves must chase one and the same
//! piece. Where the Asian rulings need a sentence of their own it stands in `chase`.
//!
//! XQ-R9 (a defensive point that draws at once) is left to a human arbiter (XQ-D13).
//!
//! ```
//! use sanqi::game::Game;
//! use sanqi::xiangqi::notation::read_any;
//! use sanqi::xiangqi::repetition::{Class, Ruling, judge};
//! use sanqi::xiangqi::{Board, RuleSet};
//!
//! // Red's chariot checks with every move, and the general steps aside.
//! let start = Board::from_fen("3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1")?;
//! let (mut board, mut moves) = (start.clone(), Vec::new());
//! for text in ["e1d1", "d9e9", "d1e1", "e9d9"].repeat(2) {
//!     let mv = read_any(&board, text)?;
//!     board.do_move(mv, &mut ());
//!     moves.push(mv);
//! }
//! let judgement = judge(&start, &moves, RuleSet::Chinese)?;
//! assert_eq!(judgement.ruling, Ruling::BlackWins);
//! assert_eq!((judgement.first_ply, judgement.last_ply), (1, 8));
//! assert_eq!((judgement.moves[0].class, judgement.moves[1].class), (Class::Check, Class::Idle));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attack;
mod chase;
mod check;
mod cycle;
mod exchange;
mod idle;
pub(super) mod in_search;
mod judge;
#[cfg(test)]
mod properties;
mod report;
mod verdict;

pub use in_search::CycleCache;
pub use judge::{IllegalMove, judge, judge_all, judge_every, judge_here};
pub use report::{Forcing, Judgement, MoveReport, Protection, Root, Victim};
pub use verdict::{Clause, CyclePattern, Ruling};

use crate::util::lang::Language;
use serde::Serialize;

/// What a move of the cycle is, in falling order of force.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// 将: attacks the general.
    Check,
    /// 杀: threatens mate by checks in a row.
    MateThreat,
    /// 捉: brings about an attack that wins a piece without root.
    Chase,
    /// 兑: offers a trade of equals.
    Exchange,
    /// 献: offers a piece.
    Offer,
    /// 拦: hinders an enemy piece and attacks nothing.
    Block,
    /// 跟: keeps an eye on a protected piece and attacks nothing.
    Follow,
    /// 闲: none of these.
    Idle,
}

impl Class {
    /// Whether the move is an attack 打: check, mate threat or chase.
    pub const fn is_attack(self) -> bool {
        matches!(self, Self::Check | Self::MateThreat | Self::Chase)
    }

    /// The name in English, and in Chinese.
    pub const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Check => ("check", "将"),
            Self::MateThreat => ("mate threat", "杀"),
            Self::Chase => ("chase", "捉"),
            Self::Exchange => ("exchange", "兑"),
            Self::Offer => ("offer", "献"),
            Self::Block => ("block", "拦"),
            Self::Follow => ("follow", "跟"),
            Self::Idle => ("idle", "闲"),
        }
    }

    /// The name for people.
    pub const fn text(self, language: Language) -> &'static str {
        let (english, chinese) = self.names();
        match language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }
}
