//! The lines sent to UCI clients. vampirc-uci serializes what it can hold; its numbers are too narrow for
//! `info` (depth 8 bits, mate 8 bits signed), and it has no `wdl`, so those lines are made here.

use crate::engine::{BestMove, Bound, Info, OptionKind, OptionSpec, Score};
use crate::protocol::words::shorten;
use std::fmt::Write;
use vampirc_uci::{Serializable, UciMessage, UciOptionConfig};

pub fn option(spec: &OptionSpec) -> String {
    let name = spec.name.to_owned();
    let config = match &spec.kind {
        OptionKind::Check(default) => UciOptionConfig::Check { name, default: Some(*default) },
        OptionKind::Spin { default, min, max } => {
            UciOptionConfig::Spin { name, default: Some(*default), min: Some(*min), max: Some(*max) }
        }
        OptionKind::Combo { default, choices } => UciOptionConfig::Combo {
            name,
            default: Some((*default).to_owned()),
            var: choices.iter().map(|c| (*c).to_owned()).collect(),
        },
        OptionKind::Text(default) if default.is_empty() => {
            UciOptionConfig::String { name, default: Some("<empty>".to_owned()) }
        }
        OptionKind::Text(default) => {
            UciOptionConfig::String { name, default: Some(default.clone().into_owned()) }
        }
        OptionKind::Button => UciOptionConfig::Button { name },
    };
    UciMessage::Option(config).serialize()
}

/// `info depth ..`: one variation of one iteration.
pub fn info(info: &Info) -> String {
    // A line that the table answered was looked at as deeply before.
    let seldepth = info.seldepth.max(info.depth);
    let mut line = format!("info depth {} seldepth {seldepth} multipv {}", info.depth, info.multipv);
    let score = match info.score {
        Score::Centipawns(cp) => format!(" score cp {cp}"),
        Score::Mate(moves) => format!(" score mate {moves}"),
    };
    line += &score;
    line += match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    // Writing to a string cannot fail.
    if let Some([win, draw, loss]) = info.wdl {
        let _ = write!(line, " wdl {win} {draw} {loss}");
    }
    let (nodes, nps, ms) = (info.nodes, info.nodes_per_second(), info.time.as_millis());
    let (hashfull, tbhits) = (info.hashfull.min(1000), info.tbhits);
    let _ = write!(line, " nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tbhits} time {ms}");
    if !info.pv.is_empty() {
        line += " pv ";
        line += &info.pv.join(" ");
    }
    line
}

pub fn best_move(best: &BestMove) -> String {
    match best {
        BestMove { mv: None, .. } => "bestmove (none)".to_owned(),
        BestMove { mv: Some(mv), ponder: None, .. } => format!("bestmove {mv}"),
        BestMove { mv: Some(mv), ponder: Some(ponder), .. } => format!("bestmove {mv} ponder {ponder}"),
    }
}

/// `info string ..`, with what is quoted in it kept to a readable length.
pub fn message(text: &str) -> String {
    UciMessage::info_string(shorten(text)).serialize()
}
