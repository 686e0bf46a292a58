//! Endgame tables, as a search asks them. <https://www.chessprogramming.org/Endgame_Tablebases>
//!
//! Which tables there are, and what a position needs to be in one, only the game knows.

use super::entry::{Bound, NodeResult};
use super::score::{INFINITE, NONE, TABLE_WIN};
use super::{Evaluator, Worker};
use crate::game::Game;
use crate::util::message::Message;

/// Who wins, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EndgameResult {
    Loss,
    Draw,
    Win,
}

/// What the tables know of a root move.
#[derive(Clone, Copy, Debug)]
pub struct Ranked<M> {
    pub mv: M,
    pub outcome: EndgameResult,
    /// The greater the better; only moves of the greatest rank make progress.
    pub rank: i32,
}

/// The tables of a game, and the settings by which they are asked.
pub trait EndgameTables<G: Game>: Send + Sync {
    /// Who wins a position inside the search that is searched `depth` plies deep. `None`: not known, or not
    /// to be asked at that depth.
    fn probe(&self, pos: &G, depth: i32) -> Option<EndgameResult>;
    /// All moves of a position on the board. `None`: not known.
    fn rank_root(&self, pos: &G) -> Option<Vec<Ranked<G::Move>>>;
    fn best_move(&self, pos: &G) -> Option<G::Move>;
    /// Remarks for the user since the last call: tables found, tables damaged.
    fn take_messages(&self) -> Vec<Message>;
}

/// What the tables prove of a node: its score is at least or at most that, or it is decided.
pub(super) struct Proof {
    pub alpha: i32,
    pub beta: i32,
    pub decided: Option<i32>,
}

impl Proof {
    pub const NONE: Self = Self { alpha: -INFINITE, beta: INFINITE, decided: None };
}

/// Plies by which an answer of the tables counts as deeper than the node, so that it outlasts searched
/// entries.
const PROVEN_DEPTH: i32 = 6;

impl<E: Evaluator> Worker<E> {
    /// Asks the tables about the position on the board, and remembers what decides the node.
    #[inline]
    pub(super) fn ask_tables(&mut self, alpha: i32, beta: i32, depth: i32, ply: usize) -> Proof {
        let Some(tables) = &self.tables else { return Proof::NONE };
        let Some(outcome) = tables.probe(&self.pos, depth) else { return Proof::NONE };
        self.shared.table_hits[self.index].increment();
        let win = TABLE_WIN - ply as i32;
        let (score, bound) = match outcome {
            EndgameResult::Win => (win, Bound::Lower),
            EndgameResult::Draw => (self.draw_value(), Bound::Exact),
            EndgameResult::Loss => (-win, Bound::Upper),
        };
        let decided = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        if decided {
            // The answer holds at any depth.
            let depth = depth + PROVEN_DEPTH;
            self.store(ply, NodeResult { mv: None, score, raw_eval: NONE, depth, bound, pv: false });
        }
        Proof {
            alpha: if bound == Bound::Lower { score } else { -INFINITE },
            beta: if bound == Bound::Upper { score } else { INFINITE },
            decided: decided.then_some(score),
        }
    }
}
