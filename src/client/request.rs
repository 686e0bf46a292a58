//! A game about to start, and a move to be made in it.

use crate::game::Side;
use crate::games::record::GameKind;
use crate::games::referee::{Referee, Rules};
use crate::games::time::{Control, GameClock};
use crate::util::lang::named;
use serde::Deserialize;

named! {
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum EngineProtocol {
        /// Universal Chess Interface, also for xiangqi.
        Uci = "uci": "UCI" | "UCI",
        /// China Chess Protocol.
        Ucci = "ucci": "UCCI" | "UCCI",
        /// Go Text Protocol.
        Gtp = "gtp": "GTP" | "GTP",
        /// Chess Engine Communication Protocol, of chess and xiangqi engines that came before UCI.
        Xboard = "xboard": "XBoard" | "XBoard",
    }
}

#[derive(Clone, Copy, Debug)]
pub struct GameSetup<'a> {
    pub kind: GameKind,
    pub rules: &'a Rules,
    /// The FEN of the start, unless it is the usual one.
    pub fen: Option<&'a str>,
    /// The player's own time control.
    pub control: &'a Control,
}

#[derive(Clone, Copy)]
pub struct MoveRequest<'a> {
    pub setup: GameSetup<'a>,
    /// All moves so far, in coordinates.
    pub moves: &'a [String],
    /// The side to move, which is asked.
    pub side: Side,
    pub clocks: &'a [GameClock; 2],
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Plies a move.
    pub depth: Option<u32>,
    pub draw_offered: bool,
    /// Examines claims of a draw.
    pub referee: &'a dyn Referee,
}

impl MoveRequest<'_> {
    pub fn clock(&self) -> &GameClock {
        self.clock_of(self.side)
    }

    #[allow(clippy::indexing_slicing, reason = "a side is 0 or 1")]
    pub fn clock_of(&self, side: Side) -> &GameClock {
        &self.clocks[side.index()]
    }
}
