//! `sanqi judge`: who must deviate from a repetition of xiangqi, by which clause, and why.

use super::{Failure, Outcome, read, say};
use crate::arbiter::notation::{Style, xiangqi_move};
use crate::arbiter::record::{GameKind, Opening};
use crate::arbiter::records;
use crate::game::{Game, Text};
use crate::util::system::remark;
use crate::xiangqi::repetition::{Judgement, Ruling, judge_all};
use crate::xiangqi::{Board, Move, RuleSet};
use std::path::{Path, PathBuf};

/// Say who must deviate from a repetition of xiangqi, by which clause, and why
///
/// What cannot be read of records or tables is named with its file, line and reason, and the rest is judged; the exit code
/// is 1 then.
#[derive(clap::Args)]
pub struct Args {
    /// Where the game starts; the starting position if left out
    #[arg(long)]
    fen: Option<String>,
    /// The moves, in ICCS, Chinese notation or WXF
    #[arg(long, num_args = 1.., value_name = "MOVE", required_unless_present_any = ["batch", "games"])]
    moves: Vec<String>,
    /// The rules: chinese, asian, computer, none, or all
    #[arg(long, default_value = "chinese", value_parser = ["chinese", "asian", "computer", "none", "all"])]
    rules: String,
    /// How moves are written; JSON has them in ICCS as well
    #[arg(long, value_parser = Style::NAMES, default_value = "iccs")]
    notation: String,
    /// Print JSON: one object, or with --rules all an array
    #[arg(long)]
    json: bool,
    /// Judge every game of records: PGN, XQF, CBR, CBL or DhtmlXQ
    #[arg(long, num_args = 1.., value_name = "FILE", conflicts_with_all = ["fen", "moves", "batch"])]
    games: Vec<PathBuf>,
    /// Judge every line of a table with the columns id, fen and moves
    #[arg(long, value_name = "FILE.tsv", conflicts_with_all = ["fen", "moves", "rules", "json"])]
    batch: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    match &args.batch {
        Some(file) => batch(file),
        None if args.games.is_empty() => single(args),
        None => games(args),
    }
}

fn single(args: &Args) -> Outcome {
    let moves: Vec<&str> = args.moves.iter().flat_map(|words| words.split_whitespace()).collect();
    show(args, &judged(args, args.fen.as_deref(), &moves)?)
}

/// What the rules asked for say of a game.
fn judged(args: &Args, fen: Option<&str>, moves: &[&str]) -> Result<Vec<Judgement>, Failure> {
    let start = start(fen)?;
    let played = played(&start, moves)?;
    let mut judgements = judge_all(&start, &played).map_err(|e| Failure(e.to_string()))?;
    let style = Style::from_name(&args.notation).unwrap_or_default();
    if !style.is_usual() {
        write_moves(&start, &played, style, &mut judgements);
    }
    judgements.retain(|j| args.rules == "all" || j.rules.name() == args.rules);
    Ok(judgements)
}

fn show(args: &Args, judgements: &[Judgement]) -> Outcome {
    if args.json {
        let text = match judgements {
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

/// Judges the games of records. A game in which nothing is repeated takes one line.
fn games(args: &Args) -> Outcome {
    let mut broken = 0;
    let mut complain = |file: &Path, why: &str| {
        broken += 1;
        remark!("sanqi: {}: {why}", file.display());
    };
    for file in &args.games {
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(why) => {
                complain(file, &why.to_string());
                continue;
            }
        };
        let games = records::read(&bytes, Some(GameKind::Xiangqi));
        if games.is_empty() {
            complain(file, "no game is in it");
        }
        for game in games {
            let judged = game.map_err(|why| why.to_string()).and_then(|game| {
                let Opening { fen, moves, number } = &game.opening;
                if game.kind != GameKind::Xiangqi {
                    return Err(format!("game {number}: a game of {}", game.kind));
                }
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                let found = judged(args, fen.as_deref(), &moves);
                found.map(|found| (*number, found)).map_err(|Failure(why)| format!("game {number}: {why}"))
            });
            match judged {
                Ok((number, judgements)) => {
                    let is_judged = judgements.iter().any(|judgement| judgement.ruling != Ruling::None);
                    if !args.json {
                        let what = if is_judged { "" } else { " nothing is repeated three times" };
                        say(format_args!("{} game {number}:{what}", file.display()));
                    }
                    if is_judged || args.json {
                        show(args, &judgements)?;
                    }
                }
                Err(why) => complain(file, &why),
            }
        }
    }
    match broken {
        0 => Ok(()),
        _ => Err(Failure(format!("games or files that could not be read: {broken}"))),
    }
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
    let mut broken = 0;
    for (number, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| cells.get(at).copied().unwrap_or("");
        let moves: Vec<&str> = cell(moves).split_whitespace().collect();
        let judgements = match judge(cell(fen), &moves) {
            Ok(judgements) => judgements,
            Err(Failure(why)) => {
                broken += 1;
                remark!("sanqi: {}:{}: {why}", file.display(), number + 2);
                continue;
            }
        };
        let ruling = |rules| judgements.iter().find(|j| j.rules == rules).map_or("", |j| j.ruling.name());
        let verdicts = [RuleSet::Chinese, RuleSet::Asian, RuleSet::Computer].map(ruling);
        say(format_args!("{}\t{}", cell(id), verdicts.join("\t")));
    }
    match broken {
        0 => Ok(()),
        _ => Err(Failure(format!("lines that could not be read: {broken}"))),
    }
}

/// The judgements of all rule sets.
fn judge(fen: &str, moves: &[&str]) -> Result<Vec<Judgement>, Failure> {
    let start = start(Some(fen))?;
    judge_all(&start, &played(&start, moves)?).map_err(|e| Failure(e.to_string()))
}

fn start(fen: Option<&str>) -> Result<Board, Failure> {
    match fen {
        Some(fen) => Text::from_fen(fen).map_err(|e| Failure(format!("fen \"{fen}\": {e}"))),
        None => Ok(Board::start()),
    }
}

/// The moves that `texts` name, one after the other.
fn played(start: &Board, texts: &[&str]) -> Result<Vec<Move>, Failure> {
    let mut board = start.clone();
    let mut play = |(at, text): (usize, &&str)| {
        let mv = xiangqi_move(&board, text).map_err(|e| Failure(format!("move {}: {e}", at + 1)))?;
        board.do_move(mv, &mut ());
        Ok(mv)
    };
    texts.iter().enumerate().map(&mut play).collect()
}

/// Writes the judged moves of a game in the notation that is asked for.
fn write_moves(start: &Board, played: &[Move], style: Style, judgements: &mut [Judgement]) {
    let mut board = start.clone();
    let mut write = |&mv: &Move| {
        let text = style.xiangqi(&board, mv);
        board.do_move(mv, &mut ());
        text
    };
    let texts: Vec<String> = played.iter().map(&mut write).collect();
    for report in judgements.iter_mut().flat_map(|judgement| &mut judgement.moves) {
        report.text = texts.get(report.ply - 1).cloned();
    }
}
