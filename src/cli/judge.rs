//! `sanqi judge`: who must deviate from a repetition of xiangqi, by which clause, and why.

use super::{Failure, Outcome, read, say};
use crate::arbiter::notation::xiangqi_move;
use crate::game::{Game, Text};
use crate::xiangqi::repetition::{Judgement, judge_all};
use crate::xiangqi::{Board, Move, RuleSet};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// Where the game starts; the starting position if left out
    #[arg(long)]
    fen: Option<String>,
    /// The moves, in ICCS, Chinese notation or WXF
    #[arg(long, num_args = 1.., value_name = "MOVE", required_unless_present = "batch")]
    moves: Vec<String>,
    /// The rules: chinese, asian, computer, none, or all
    #[arg(long, default_value = "chinese", value_parser = ["chinese", "asian", "computer", "none", "all"])]
    rules: String,
    /// Print JSON: one object, or with --rules all an array
    #[arg(long)]
    json: bool,
    /// Judge every line of a table with the columns id, fen and moves
    #[arg(long, value_name = "FILE.tsv", conflicts_with_all = ["fen", "moves", "rules", "json"])]
    batch: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    match &args.batch {
        Some(file) => batch(file),
        None => single(args),
    }
}

fn single(args: &Args) -> Outcome {
    let moves: Vec<&str> = args.moves.iter().flat_map(|words| words.split_whitespace()).collect();
    let mut judgements = judge(args.fen.as_deref(), &moves)?;
    judgements.retain(|j| args.rules == "all" || j.rules.name() == args.rules);
    if args.json {
        let text = match &judgements[..] {
            [one] => serde_json::to_string(one),
            all => serde_json::to_string(all),
        };
        say(text.map_err(|e| Failure(e.to_string()))?);
        return Ok(());
    }
    for judgement in judgements {
        say(judgement.to_string().trim_end());
    }
    Ok(())
}

fn batch(file: &Path) -> Outcome {
    let text = read(file)?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    let column = |name: &str| {
        let found = header.iter().position(|h| *h == name);
        found.ok_or_else(|| Failure(format!("{}: no column {name:?}", file.display())))
    };
    let (id, fen, moves) = (column("id")?, column("fen")?, column("moves")?);
    say("id\tchinese\tasian\tcomputer");
    for (number, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| cells.get(at).copied().unwrap_or("");
        let moves: Vec<&str> = cell(moves).split_whitespace().collect();
        let judgements = judge(Some(cell(fen)), &moves)
            .map_err(|e| Failure(format!("{}:{}: {e}", file.display(), number + 2)))?;
        let ruling = |rules| judgements.iter().find(|j| j.rules == rules).map_or("", |j| j.ruling.name());
        let verdicts = [RuleSet::Chinese, RuleSet::Asian, RuleSet::Computer].map(ruling);
        say(format_args!("{}\t{}", cell(id), verdicts.join("\t")));
    }
    Ok(())
}

/// The judgements of all rule sets.
fn judge(fen: Option<&str>, moves: &[&str]) -> Result<Vec<Judgement>, Failure> {
    let start: Board = match fen {
        Some(fen) => Text::from_fen(fen).map_err(|e| Failure(format!("fen \"{fen}\": {e}")))?,
        None => Board::start(),
    };
    let mut board = start.clone();
    let mut played: Vec<Move> = Vec::new();
    for (at, text) in moves.iter().enumerate() {
        let mv = xiangqi_move(&board, text);
        let mv = mv.map_err(|e| Failure(format!("move {}: {e}", at + 1)))?;
        board.do_move(mv, &mut ());
        played.push(mv);
    }
    judge_all(&start, &played).map_err(|e| Failure(e.to_string()))
}
