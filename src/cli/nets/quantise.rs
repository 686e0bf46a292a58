//! `sanqi quantise`: from the floats of a training to a net file.

use super::{at, for_game, write_net};
use crate::cli::Outcome;
use crate::cli::datagen::AlphaBetaGameId;
use crate::game::AlphaBetaGame;
use crate::nnue::FeatureSet;
use crate::train::net::checkpoint::Checkpoint;
use std::path::PathBuf;

/// Round a training checkpoint to a net file
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    /// Which game
    game: AlphaBetaGameId,
    /// Checkpoint of a training (`.ckpt`)
    #[arg(value_name = "FILE")]
    checkpoint: PathBuf,
    /// The net file to write
    #[arg(long, value_name = "NET")]
    out: PathBuf,
}

pub(in crate::cli) fn run(args: &Args) -> Outcome {
    for_game!(args.game, quantise(args))
}

fn quantise<F: FeatureSet, G: AlphaBetaGame>(args: &Args) -> Outcome {
    let state = Checkpoint::read::<F>(&args.checkpoint).map_err(|e| at(&args.checkpoint, e))?;
    write_net::<F>(&state.info, &state.model, &args.out, &[])
}
