//! `sanqi data stat`: checks files of records and describes them.

use crate::app::console::{Outcome, at, check_output, say};
use crate::chess::Board as ChessBoard;
use crate::ensure;
use crate::eval::chances::Chances;
use crate::game::{AlphaBetaGame, Side, Text};
use crate::games::formats::{self, Most, Recorded};
use crate::message;
use crate::train::chances::Results;
use crate::train::datastat::Statistics;
use crate::train::gostat::{self, GoStatistics};
use crate::train::record::{GameResult, game_of};
use crate::util::files;
use crate::util::message::Message;
use crate::util::system::remark;
use crate::xiangqi::Board as XiangqiBoard;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Check files of records and describe them
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    /// Files of records; with --wdl also PGN of `sanqi match`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Fit the chances of a win, a draw and a loss (chess, xiangqi) instead, and print the model
    #[arg(long)]
    wdl: bool,
    /// Write the games (Go) as SGF, one a line
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
}

pub(in crate::cli) fn run(args: &Args) -> Outcome {
    let first = &args.files[0];
    let game = match is_pgn(first) {
        true if args.wdl => game_of_match(first)?,
        _ => game_of(first).map_err(|e| at(first, e))?,
    };
    match game.as_str() {
        "go" if args.wdl => {
            Err(message!("--wdl fits records of chess and xiangqi only" | "--wdl 只用于国际象棋和象棋的记录"))
        }
        "go" => describe_go(args),
        _ if args.sgf.is_some() => {
            Err(message!("--sgf writes records of Go only" | "--sgf 只用于围棋的记录"))
        }
        "chess" if args.wdl => fit_chances::<ChessBoard>(&args.files),
        "xiangqi" if args.wdl => fit_chances::<XiangqiBoard>(&args.files),
        "chess" => describe::<ChessBoard>(&args.files),
        "xiangqi" => describe::<XiangqiBoard>(&args.files),
        other => Err(at(
            first,
            message!("records of {other}, which is not known here" | "{other} 的记录，这里不认识", other),
        )),
    }
}

fn fit_chances<G: Chances + Text>(files: &[PathBuf]) -> Outcome {
    let mut results = Results::<G>::default();
    for path in files {
        match is_pgn(path) {
            true => add_match(path, &mut results)?,
            false => results.add(path).map_err(|e| at(path, e))?,
        }
    }
    let fit = results.fit();
    ensure!(fit.positions != 0, "no position to learn from" | "没有可以学习的局面");
    say(format_args!("positions: {}", fit.positions));
    say(format_args!("log likelihood a position: {:.4}", fit.log_likelihood));
    say(format_args!("middle: {:.1?}", fit.model.middle));
    conclude(format_args!("width: {:.1?}", fit.model.width), &results.complaints)
}

fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pgn")
}

/// The games of a PGN, and the faults of those that cannot be read.
fn games_of_match(path: &Path) -> Result<Vec<Result<Recorded, Message>>, Message> {
    let bytes = files::read_named(path).map_err(|e| at(path, e))?;
    let most = Most { variations: false, ..Most::ALL };
    let games = formats::read_most(&bytes, None, most).into_iter();
    Ok(games.map(|game| game.map_err(|broken| broken.message())).collect())
}

fn game_of_match(path: &Path) -> Result<String, Message> {
    let games = games_of_match(path)?;
    let first = games
        .iter()
        .flatten()
        .next()
        .ok_or_else(|| at(path, message!("no game is in it" | "里面没有对局")))?;
    Ok(first.kind.name().to_owned())
}

/// Adds the positions of a match whose engines reported scores. A game that cannot be read is left out.
fn add_match<G: Chances + Text>(path: &Path, results: &mut Results<G>) -> Outcome {
    for game in games_of_match(path)? {
        match game.and_then(|game| notes_of::<G>(&game)) {
            Ok(notes) => {
                notes
                    .into_iter()
                    .for_each(|(score, material, side, result)| results.note(score, material, side, result));
            }
            Err(why) => results.complaints.push(format!("{}: {why}", path.display())),
        }
    }
    Ok(())
}

/// Scores of a game with the material, the side to move and the result; none without a result.
fn notes_of<G: Chances + Text>(game: &Recorded) -> Result<Vec<(i32, u32, Side, GameResult)>, Message> {
    let in_game = |why: Message| formats::in_game(game.opening.number, &why);
    let mut pos = formats::start::<G>(game)?;
    let Some(result) = game.winner().map(GameResult::of) else { return Ok(Vec::new()) };
    let mut notes = Vec::new();
    for (ply, text) in game.opening.moves.iter().enumerate() {
        if let Some(score) = score_in(&game.comment(ply)) {
            notes.push((score, pos.material(), pos.side_to_move(), result));
        }
        let mv = pos.parse_move(text, Default::default()).map_err(in_game)?;
        pos.do_move(mv, &mut ());
    }
    Ok(notes)
}

/// The score of a comment `+0.35/12 0.1s`, in centipawns from the side that moved; none where it is a mate.
fn score_in(comment: &str) -> Option<i32> {
    let pawns: f64 = comment.split_once('/')?.0.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    Some((100.0 * pawns).round() as i32)
}

fn describe_go(args: &Args) -> Outcome {
    if let Some(path) = &args.sgf {
        check_output("--sgf", path, &args.files)?;
        files::try_to_write_named(path).map_err(|e| at(path, e))?;
    }
    let mut statistics = GoStatistics::default();
    let mut games = String::new();
    for path in &args.files {
        let read = statistics.add(path, |game, end| {
            if args.sgf.is_some() {
                games += &gostat::to_sgf(game, end).replace('\n', "");
                games.push('\n');
            }
        });
        read.map_err(|e| at(path, e))?;
    }
    if let Some(path) = &args.sgf {
        files::write_named(path, games).map_err(|e| at(path, e))?;
    }
    conclude(&statistics, &statistics.complaints)
}

fn describe<G: AlphaBetaGame + Text>(files: &[PathBuf]) -> Outcome {
    let mut statistics = Statistics::new::<G>();
    for path in files {
        statistics.add::<G>(path).map_err(|e| at(path, e))?;
    }
    conclude(&statistics, &statistics.complaints)
}

fn conclude(statistics: impl Display, complaints: &[String]) -> Outcome {
    complaints.iter().for_each(|complaint| remark!("{complaint}"));
    say(statistics);
    if complaints.is_empty() { Ok(()) } else { Err(message!("the files are damaged" | "文件已损坏")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stand_in_comments() {
        for (comment, score) in [
            ("+1.39/4 0.016s, n=3000", Some(139)),
            ("-0.36/5 0.020s", Some(-36)),
            ("+M5/9 0.1s", None),
            ("-inf/3", None),
            ("nan/3 0.1s", None),
            ("a good move", None),
            ("", None),
        ] {
            assert_eq!(score_in(comment), score, "{comment}");
        }
    }
}
