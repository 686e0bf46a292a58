//! The options that every alpha-beta engine has.

use super::strength::{self, Handicap, Ratings};
use crate::engine::{OptionKind, OptionSpec, number};
use crate::message;
use crate::search::alphabeta::options::{Pruning, SearchOptions};
use crate::tune::Params;
use crate::util::message::Message;
use std::time::Duration;

pub(super) const HASH: &str = "Hash";
pub(super) const THREADS: &str = "Threads";
pub(super) const CLEAR_HASH: &str = "Clear Hash";
pub(super) const SAVE_HASH: &str = "Save Hash to File";
pub(super) const LOAD_HASH: &str = "Load Hash from File";
const HASH_FILE: &str = "Hash File";
const NEVER_CLEAR: &str = "Never Clear Hash";
const MULTI_PV: &str = "MultiPV";
const OVERHEAD: &str = "Move Overhead";
const NODES_TIME: &str = "nodestime";
const CONTEMPT: &str = "Contempt";
const RANDOMNESS: &str = "Randomness";
const IDLE: &str = "Idle";
const PRUNING: &str = "Pruning";

const MAX_THREADS: i64 = 1024;
/// Maximum table, in MiB: a tebibyte.
const MAX_HASH: i64 = 1 << 20;
/// Size of a new engine's table, in MiB.
pub(super) const DEFAULT_HASH: usize = 16;
/// Milliseconds: what a GUI on the same machine needs, and a little more.
const DEFAULT_OVERHEAD: u64 = 10;

/// The values in force of the options that cost nothing to set, and the size of the table.
pub(super) struct Settings {
    pub hash_mib: usize,
    /// Where the table is saved, and loaded from; empty: nowhere.
    pub hash_file: String,
    /// New games leave the table as it is.
    pub keeps_hash: bool,
    pub lines: usize,
    /// Time lost on every move.
    pub overhead: Duration,
    /// Nodes that count as a millisecond; 0: time is time.
    pub node_rate: u64,
    /// How a search goes about its work.
    pub search: SearchOptions,
    /// By how many centipawns the move played may be worse than the best one.
    pub randomness: i32,
    /// By how much the play is limited.
    pub handicap: Handicap,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: DEFAULT_HASH,
            hash_file: String::new(),
            keeps_hash: false,
            lines: 1,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD),
            node_rate: 0,
            search: SearchOptions::default(),
            randomness: 0,
            handicap: Handicap::default(),
        }
    }
}

impl Settings {
    /// Sets an option. False: it is none of these.
    pub fn set(&mut self, name: &str, value: &str, params: &Params) -> Result<bool, Message> {
        match name {
            HASH_FILE => value.clone_into(&mut self.hash_file),
            NEVER_CLEAR => self.keeps_hash = value == "true",
            MULTI_PV => self.lines = number(value)?,
            OVERHEAD => self.overhead = Duration::from_millis(number(value)?),
            NODES_TIME => self.node_rate = number(value)?,
            CONTEMPT => self.search.contempt = number(value)?,
            RANDOMNESS => self.randomness = number(value)?,
            IDLE => self.search.idle = number(value)?,
            PRUNING => {
                let found = Pruning::ALL.into_iter().find(|(_, name)| *name == value);
                self.search.pruning =
                    found.ok_or_else(|| message!("no pruning '{value}'" | "没有“{value}”这种剪枝", value))?.0;
            }
            _ if self.handicap.set(name, value)? => (),
            _ => return tune(name, value, params),
        }
        Ok(true)
    }
}

/// How the options are declared; `ratings` are those of limited players, `params` the
/// numbers that a build for tuning lets one set.
pub(super) fn specs(ratings: &Ratings, params: &Params) -> Vec<OptionSpec> {
    let mut specs = Vec::from(option_specs! {
        HASH, OptionKind::spin(DEFAULT_HASH as i64, 1, MAX_HASH) =>
            "Size of the transposition table in MiB." | "置换表的大小，单位 MiB。";
        THREADS, OptionKind::spin(1, 1, MAX_THREADS) => "Threads that search." | "搜索的线程数。";
        CLEAR_HASH, OptionKind::Button => "Clears the transposition table." | "清空置换表，忘记搜索过的一切。";
        NEVER_CLEAR, OptionKind::Check(false) =>
            "Keeps the transposition table through new games and Clear Hash." | "新对局和 Clear Hash 都不清空置换表。";
        HASH_FILE, OptionKind::text("") =>
            "The file that the transposition table is saved to and loaded from." | "保存和载入置换表的文件。";
        SAVE_HASH, OptionKind::Button =>
            "Writes the transposition table to Hash File, in place of what was saved there."
            | "把置换表写入 Hash File，替换那里原有的表。";
        LOAD_HASH, OptionKind::Button =>
            "Replaces the transposition table by the one in Hash File." | "用 Hash File 里的表代替现在的置换表。";
        MULTI_PV, OptionKind::spin(1, 1, 256) => "Number of best lines to show." | "显示几条最佳变化。";
        OVERHEAD, OptionKind::spin(DEFAULT_OVERHEAD as i64, 0, 5000) =>
            "Milliseconds lost between engine and GUI on each move; more is kept back where the clock of the game shows it."
            | "每一着在引擎与界面之间损失的毫秒数；对局的时钟显示损失更多时，按实际多留。";
        NODES_TIME, OptionKind::spin(0, 0, 10_000) =>
            "Nodes that count as one millisecond, which makes timed games repeatable; 0 uses real time."
            | "多少个结点算一毫秒，使对局可以重现；0 为按真实时间。";
        CONTEMPT, OptionKind::spin(0, -100, 100) =>
            "Centipawns by which a draw is worse than an even position; below 0, better."
            | "和棋比均势局面差多少分（一兵为 100 分）；负值表示和棋更好。";
        RANDOMNESS, OptionKind::spin(0, 0, 500) =>
            "Centipawns by which the move played may be worse than the best one." | "走出的着法最多可以比最佳着法差多少分。";
        IDLE, OptionKind::spin(0, 0, 90) =>
            "Percentage of the time that search threads leave the processor to other programs."
            | "搜索让给其他程序的处理器时间，单位百分之一。";
        PRUNING, OptionKind::Combo { default: "large", choices: &["none", "small", "medium", "large"] } =>
            "How aggressively the search prunes; less pruning is slower, but finds what composers hide."
            | "仅凭可能性剪枝的程度；剪得少则慢，但能找到排局里隐藏的着法。";
    });
    specs.extend(strength::specs(ratings));
    specs.extend(tunables(params));
    specs
}

/// Every number of the search.
#[cfg(feature = "tune")]
fn tunables(params: &Params) -> Vec<OptionSpec> {
    let spec = |row: &crate::tune::Tunable| {
        let default = params.cell(row.name)?.get().into();
        let kind = OptionKind::spin(default, row.min.into(), row.max.into());
        Some(OptionSpec::new(row.name, kind, "A number of the search, to be tuned.", "搜索的一个可调数值。"))
    };
    crate::tune::ROWS.iter().filter_map(spec).collect()
}

#[cfg(not(feature = "tune"))]
fn tunables(_: &Params) -> Vec<OptionSpec> {
    Vec::new()
}

#[cfg(feature = "tune")]
fn tune(name: &str, value: &str, params: &Params) -> Result<bool, Message> {
    let Some(cell) = params.cell(name) else { return Ok(false) };
    cell.set(number(value)?);
    Ok(true)
}

#[cfg(not(feature = "tune"))]
fn tune(_: &str, _: &str, _: &Params) -> Result<bool, Message> {
    Ok(false)
}
