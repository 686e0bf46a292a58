//! `sanqi data`: records of self-play, and what is learned from games.

pub(super) mod export;
pub(super) mod learn_moves;
pub(super) mod play;
pub(super) mod play_go;
pub(super) mod stat;

use crate::app::console::{Outcome, say};
use crate::engine::GameId;
use crate::message;
use crate::train::generate::{Existing, Goal, Summary};
use crate::util::message::Message;
use crate::util::shard::Shard;
use crate::util::system::remark;
use std::path::PathBuf;
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

/// What every run of self-play has.
#[derive(clap::Args)]
pub(super) struct RunArgs {
    /// Directory of the records; made if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// End after N games in the shard
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// End after M minutes, with the games that are under way then
    #[arg(long, value_name = "M")]
    minutes: Option<f64>,
    /// Games played at the same time [default: all processors]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Seed of the whole run, the same for all shards
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Play part i of N, from 0
    #[arg(long, value_name = "i/N", default_value = "0/1")]
    shard: Shard,
    /// Go on with a file that is there already
    #[arg(long)]
    resume: bool,
}

impl RunArgs {
    fn goal(&self, positions: Option<u64>) -> Result<Goal, Message> {
        Ok(Goal { positions, games: self.games, time: self.minutes.map(length_of).transpose()? })
    }

    fn existing(&self) -> Existing {
        if self.resume { Existing::Resume } else { Existing::Refuse }
    }
}

fn length_of(minutes: f64) -> Result<Duration, Message> {
    Duration::try_from_secs_f64(60.0 * minutes)
        .map_err(|_| message!("--minutes: not a length of time" | "--minutes：不是一段时间"))
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
