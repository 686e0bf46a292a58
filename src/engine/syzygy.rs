//! Syzygy tables in a chess engine: the options, and what the search asks.

use super::{OptionKind, OptionSpec, number};
use crate::chess::syzygy::{MAX_PIECES, Tables, Wdl};
use crate::chess::{Board, Move};
use crate::message;
use crate::search::alphabeta::endgames::{EndgameResult, EndgameTables, Ranked};
use crate::util::message::Message;
use crate::util::sync::lock;
use std::sync::{Arc, Mutex};

const PATH: &str = "SyzygyPath";
const DEPTH: &str = "SyzygyProbeDepth";
const FIFTY: &str = "Syzygy50MoveRule";
const LIMIT: &str = "SyzygyProbeLimit";

/// The tables, and how they are asked.
pub struct Syzygy {
    tables: Arc<Tables>,
    depth: i32,
    fifty: bool,
    limit: usize,
    /// Sent with the next search.
    messages: Mutex<Vec<Message>>,
}

impl Default for Syzygy {
    fn default() -> Self {
        Self { tables: Arc::default(), depth: 1, fifty: true, limit: MAX_PIECES, messages: Mutex::default() }
    }
}

impl Syzygy {
    pub fn options() -> Vec<OptionSpec> {
        option_specs! {
            PATH, OptionKind::text("") =>
                "Folders of Syzygy tables, separated by : (on Windows by ;)."
                | "Syzygy 残局库的文件夹，用 : 分隔（Windows 用 ;）。";
            DEPTH, OptionKind::spin(1, 1, 100) =>
                "Depth from which positions with as many pieces as the largest tables are looked up."
                | "子数与最大的残局库相同的局面，从这个深度起查询。";
            FIFTY, OptionKind::Check(true) =>
                "Counts wins that the fifty-move rule prevents as draws." | "因五十回合规则而不能取胜的局面算和。";
            LIMIT, OptionKind::spin(MAX_PIECES as i64, 0, MAX_PIECES as i64) =>
                "Largest number of pieces, kings included, to look up; 0 looks up nothing."
                | "查询的最大子数，包括王；0 为不查询。";
        }
    .into()
    }

    /// Sets one of them, in a copy. `None`: it is another option.
    pub fn with(&self, name: &str, value: &str) -> Result<Option<Self>, Message> {
        // Messages about tables that stay and were not sent yet.
        let unsent = if name == PATH { Vec::new() } else { std::mem::take(&mut *lock(&self.messages)) };
        let (mut tables, mut messages) = (Arc::clone(&self.tables), unsent);
        let (mut depth, mut fifty, mut limit) = (self.depth, self.fifty, self.limit);
        match name {
            PATH => {
                let found = Tables::open(value);
                let (wdl, dtz) = found.counts();
                if !value.is_empty() {
                    if wdl == 0 {
                        let none = message!(
                            "no Syzygy tables in '{value}'" | "“{value}”中没有 Syzygy 残局库",
                            value
                        );
                        let complaints = found.take_complaints().into_iter();
                        return Err(complaints
                            .fold(none, |all, one| message!("{all}; {one}" | "{all}；{one}", all, one)));
                    }
                    messages.push(message!(
                        "Syzygy tables: {wdl} WDL and {dtz} DTZ, up to {pieces} pieces"
                            | "Syzygy 残局库：WDL {wdl} 个，DTZ {dtz} 个，至多 {pieces} 子",
                        wdl,
                        dtz,
                        pieces = found.max_pieces()
                    ));
                }
                tables = Arc::new(found);
            }
            DEPTH => depth = number(value)?,
            FIFTY => fifty = value == "true",
            LIMIT => limit = number(value)?,
            _ => return Ok(None),
        }
        Ok(Some(Self { tables, depth, fifty, limit, messages: Mutex::new(messages) }))
    }

    pub fn is_empty(&self) -> bool {
        self.tables.max_pieces() == 0 || self.limit == 0
    }

    /// The options that change the worth of positions; empty if all have their defaults.
    pub fn terms(&self) -> &'static str {
        if self.fifty { "" } else { "Syzygy50MoveRule false" }
    }

    fn outcome(&self, wdl: Wdl) -> EndgameResult {
        match if self.fifty { wdl } else { wdl.without_fifty_moves() } {
            Wdl::Win => EndgameResult::Win,
            Wdl::Loss => EndgameResult::Loss,
            _ => EndgameResult::Draw,
        }
    }

    fn pieces(pos: &Board) -> usize {
        pos.position().occupied().count() as usize
    }
}

/// Above the rank of any move that does not win at once.
const FAR: i32 = 1 << 16;

impl EndgameTables<Board> for Syzygy {
    #[inline]
    fn probe(&self, pos: &Board, depth: i32) -> Option<EndgameResult> {
        let (pieces, max) = (Self::pieces(pos), self.limit.min(self.tables.max_pieces()));
        // What is stored holds right after a capture or a pawn move only.
        if pieces > max || pos.rule50() > 0 || (pieces == max && depth < self.depth) {
            return None;
        }
        self.tables.probe_wdl(pos.position()).map(|wdl| self.outcome(wdl))
    }

    fn rank_root(&self, pos: &Board) -> Option<Vec<Ranked<Move>>> {
        if Self::pieces(pos) > self.limit {
            return None;
        }
        let ranked = self.tables.rank_moves(pos)?.into_iter().map(|found| {
            let outcome = self.outcome(found.outcome);
            // The quickest win; of draws, those that must be earned; the slowest loss only where the
            // fifty-move rule may still save it.
            let rank = match found.outcome {
                Wdl::Win => 4 * FAR - found.dtz,
                Wdl::CursedWin => 3 * FAR - found.dtz,
                Wdl::Draw => 2 * FAR,
                Wdl::BlessedLoss => FAR - found.dtz,
                Wdl::Loss => 0,
            };
            Ranked { mv: found.mv, outcome, rank }
        });
        Some(ranked.collect())
    }

    fn best_move(&self, pos: &Board) -> Option<Move> {
        self.tables.best_move(pos).map(|found| found.mv)
    }

    fn take_messages(&self) -> Vec<Message> {
        let mut messages = std::mem::take(&mut *lock(&self.messages));
        messages.extend(self.tables.take_complaints());
        messages
    }
}
