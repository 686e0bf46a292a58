//! `sanqi data`: records of self-play, and what is learned from games.

pub(super) mod export;
pub(super) mod learn_moves;
pub(super) mod play;
pub(super) mod play_go;
pub(super) mod stat;

use crate::app::console::{Outcome, say};
use crate::engine::GameId;
use crate::train::generate::Summary;
use crate::util::message::Message;
use crate::util::system::remark;
use std::time::Duration;

/// A command of `sanqi data`.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Play games against itself and record them
    #[command(subcommand)]
    Play(Play),
    Stat(stat::Args),
    Export(export::Args),
    LearnMoves(learn_moves::Args),
}

/// The game of `sanqi data play`.
#[derive(clap::Subcommand)]
pub(super) enum Play {
    Chess(play::Args),
    Xiangqi(play::Args),
    Go(play_go::Args),
}

pub(super) fn run(command: &Command) -> Outcome {
    match command {
        Command::Play(Play::Chess(args)) => play::run(GameId::Chess, args),
        Command::Play(Play::Xiangqi(args)) => play::run(GameId::Xiangqi, args),
        Command::Play(Play::Go(args)) => play_go::run(args),
        Command::Stat(args) => stat::run(args),
        Command::Export(args) => export::run(args),
        Command::LearnMoves(args) => learn_moves::run(args),
    }
}

fn length_of(minutes: f64) -> Result<Duration, Message> {
    Duration::try_from_secs_f64(60.0 * minutes)
        .map_err(|_| Message::from("--minutes: not a length of time".to_owned()))
}

/// Prints what a run of self-play did; `unit` names what its searches count.
fn print_summary(done: &Summary, unit: &str) {
    if done.total.cut > 0 {
        remark!("{}: cut {} bytes of an unfinished block", done.path.display(), done.total.cut);
    }
    remark!("{}: {:.0} {unit}/s", done.path.display(), done.nodes_per_second());
    say(format_args!(
        "{} positions, {} games, {:.1} positions/s",
        done.total.positions,
        done.total.games,
        done.positions_per_second()
    ));
}
