//! Names that commands had before 1.0. They work and are not listed.

use super::generate;
#[cfg(feature = "train")]
use super::{book, data, net};
use crate::app::console::Outcome;

#[derive(clap::Subcommand)]
pub(super) enum Command {
    #[command(hide = true)]
    Completions(generate::CompletionsArgs),
    #[command(hide = true)]
    Man(generate::ManArgs),
    #[cfg(feature = "train")]
    #[command(flatten)]
    Train(Training),
}

#[cfg(feature = "train")]
#[derive(clap::Subcommand)]
pub(super) enum Training {
    #[command(hide = true)]
    Makebook(book::Args),
    #[command(hide = true)]
    Datagen(Datagen),
    #[command(hide = true)]
    Selfplay(Selfplay),
    #[command(hide = true)]
    Export(data::export::Args),
    #[command(hide = true)]
    Datastat(data::stat::Args),
    #[command(hide = true)]
    TrainMoves(data::learn_moves::Args),
    #[command(hide = true)]
    Train(net::train::Args),
    #[command(hide = true)]
    Quantise(net::quantize::Args),
    #[command(hide = true)]
    Netinfo(net::info::Args),
    #[command(hide = true)]
    Evalcmp(net::diff::Args),
}

/// `datagen GAME`, now `data play GAME`.
#[cfg(feature = "train")]
#[derive(clap::Args)]
pub(super) struct Datagen {
    #[arg(value_parser = crate::app::args::alpha_beta_game())]
    game: crate::engine::GameId,
    #[command(flatten)]
    args: data::play::Args,
}

/// `selfplay go`, now `data play go`.
#[cfg(feature = "train")]
#[derive(clap::Args)]
pub(super) struct Selfplay {
    #[arg(value_name = "GAME", value_parser = ["go"])]
    _game: String,
    #[command(flatten)]
    args: data::play_go::Args,
}

pub(super) fn run(command: &Command) -> Outcome {
    match command {
        Command::Completions(args) => generate::completions(args),
        Command::Man(args) => generate::man(args),
        #[cfg(feature = "train")]
        Command::Train(command) => match command {
            Training::Makebook(args) => book::run(args),
            Training::Datagen(old) => data::play::run(old.game, &old.args),
            Training::Selfplay(old) => data::play_go::run(&old.args),
            Training::Export(args) => data::export::run(args),
            Training::Datastat(args) => data::stat::run(args),
            Training::TrainMoves(args) => data::learn_moves::run(args),
            Training::Train(args) => net::train::run(args),
            Training::Quantise(args) => net::quantize::run(args),
            Training::Netinfo(args) => net::info::run(args),
            Training::Evalcmp(args) => net::diff::run(args),
        },
    }
}
