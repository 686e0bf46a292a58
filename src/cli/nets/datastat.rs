//! `sanqi datastat`: what files of records hold.

use super::at;
use crate::chess::Board as ChessBoard;
use crate::cli::{Failure, Outcome, say};
use crate::game::{AlphaBetaGame, Text};
use crate::train::chances::Results;
use crate::train::datastat::Statistics;
use crate::train::gostat::{self, GoStatistics};
use crate::train::record::game_of;
use crate::util::system::remark;
use crate::xiangqi::Board as XiangqiBoard;
use std::fmt::Display;
use std::path::PathBuf;

/// Check files of records and describe them
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    /// Files of records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Fit the chances of a win, a draw and a loss (chess) instead, and print the model
    #[arg(long)]
    wdl: bool,
    /// Write the games (Go) as SGF, one a line
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
}

pub(in crate::cli) fn run(args: &Args) -> Outcome {
    let game = game_of(&args.files[0]).map_err(|e| at(&args.files[0], e))?;
    match game.as_str() {
        "go" => describe_go(args),
        _ if args.sgf.is_some() => Err(Failure("--sgf writes records of Go only".to_owned())),
        "chess" if args.wdl => fit_chances(&args.files),
        _ if args.wdl => Err(Failure("--wdl fits chess records only".to_owned())),
        "chess" => describe::<ChessBoard>(&args.files),
        "xiangqi" => describe::<XiangqiBoard>(&args.files),
        other => Err(at(&args.files[0], format_args!("records of {other}, which is not known here"))),
    }
}

fn fit_chances(files: &[PathBuf]) -> Outcome {
    let mut results = Results::default();
    for path in files {
        results.add(path).map_err(|e| at(path, e))?;
    }
    let fit = results.fit();
    say(format_args!("positions: {}", fit.positions));
    say(format_args!("log likelihood a position: {:.4}", fit.log_likelihood));
    say(format_args!("middle: {:.1?}", fit.model.middle));
    say(format_args!("width: {:.1?}", fit.model.width));
    Ok(())
}

fn describe_go(args: &Args) -> Outcome {
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
        std::fs::write(path, games).map_err(|e| at(path, e))?;
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
    if complaints.is_empty() { Ok(()) } else { Err(Failure("the files are damaged".to_owned())) }
}
