//! `sanqi net quantize`: from the floats of a training to a net file.

use super::{at, for_game, read_floats, write_net};
use crate::app::args::alpha_beta_game;
use crate::app::console::{Outcome, check_output};
use crate::engine::GameId;
use crate::game::AlphaBetaGame;
use crate::message;
use crate::nnue::FeatureSet;
use crate::train::net::checkpoint::Checkpoint;
use crate::util::rng::Rng;
use std::path::PathBuf;

/// Round a training checkpoint to a net file
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    /// Which game
    #[arg(value_parser = alpha_beta_game())]
    game: GameId,
    /// Checkpoint of a training (`.ckpt`)
    #[arg(value_name = "FILE")]
    checkpoint: PathBuf,
    /// Round the mean of its weights and those of FILE, a net or checkpoint of the same shape and scale
    #[arg(long, value_name = "FILE")]
    mean_with: Option<PathBuf>,
    /// The net file to write
    #[arg(long, value_name = "NET")]
    out: PathBuf,
}

pub(in crate::cli) fn run(args: &Args) -> Outcome {
    for_game!(args.game, quantize(args))
}

fn quantize<F: FeatureSet, G: AlphaBetaGame>(args: &Args) -> Outcome {
    check_output("--out", &args.out, [&args.checkpoint].into_iter().chain(&args.mean_with))?;
    let Checkpoint { mut info, mut model, .. } =
        Checkpoint::read::<F>(&args.checkpoint).map_err(|e| at(&args.checkpoint, e))?;
    if let Some(path) = &args.mean_with {
        let (other, with) = read_floats::<F>(path)?;
        let like = (info.king_map, info.threats, info.scale) == (other.king_map, other.threats, other.scale);
        let mean = like.then(|| model.mean(&with)).flatten();
        model = mean.ok_or_else(|| {
            at(path, message!("not of the checkpoint's shape and scale" | "与检查点的形状和比例不同"))
        })?;
        // It is the net of neither run.
        info.training = Rng::new(info.training ^ other.training.rotate_left(1)).next_u64();
    }
    write_net::<F>(&info, &model, &args.out, &[])
}
