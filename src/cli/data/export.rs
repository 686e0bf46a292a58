//! `sanqi data export`: records of Go as arrays for the trainer in Python.

use crate::app::console::{Outcome, say};
use crate::message;
use crate::train::goexport;
use clap::ValueEnum;
use std::path::PathBuf;

/// Games whose trainer is not part of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportedGameId {
    Go,
}

/// Write records of Go as arrays (`.npy`) that the trainer reads
///
/// One file for each size of board and field, `train-09-bits.npy`: positions as the net sees them, and what
/// it is to learn. Games that are set aside (`aside-…`) are to check with.
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    /// Which game
    #[arg(value_name = "GAME")]
    _game: ExportedGameId,
    /// Files of records
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Directory of the arrays; made if missing, its arrays are written over
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Set one game in N aside; 0: none
    #[arg(long, value_name = "N", default_value_t = 50)]
    aside: u32,
}

pub(in crate::cli) fn run(args: &Args) -> Outcome {
    let done = goexport::export(&args.data, &args.out, args.aside)?;
    done.complaints.iter().for_each(|complaint| crate::util::system::remark!("{complaint}"));
    let [training, aside] = done.positions;
    say(format_args!("{training} positions to train on, {aside} set aside, {} games", done.games));
    if done.complaints.is_empty() {
        Ok(())
    } else {
        Err(message!("the files are damaged" | "文件已损坏"))
    }
}
