//! `sanqi net diff`: compares two evaluations on the same positions.

use super::{described, for_game, is_checkpoint, load, read_floats, read_net};
use crate::app::args::{alpha_beta_game, threads_or_all};
use crate::app::console::{Outcome, say};
use crate::engine::GameId;
use crate::ensure;
use crate::eval::{Evaluation, GameEval};
use crate::nnue::FeatureSet;
use crate::train::net::compare::{Comparison, by_model, by_net, by_score};
use crate::train::net::data::Selection;
use crate::train::sample::Sample;
use crate::util::message::Message;
use std::path::{Path, PathBuf};

/// Compare two evaluations on the same positions, those of games set aside in training
///
/// Each is a net file, a checkpoint (`.ckpt`), `none` for the hand-made evaluation, or `search` for the
/// scores in the records. The loss is the mean squared difference of the results to be expected.
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    /// Which game
    #[arg(value_parser = alpha_beta_game())]
    game: GameId,
    /// The first
    a: PathBuf,
    /// The second
    b: PathBuf,
    /// Files of records
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Positions compared
    #[arg(long, value_name = "N", default_value_t = 100_000,
        value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
}

pub(in crate::cli) fn run(args: &Args) -> Outcome {
    for_game!(args.game, compare(args))
}

fn compare<F: FeatureSet, G: GameEval<Features = F>>(args: &Args) -> Outcome {
    let load_samples = |judge| -> Result<Vec<Sample>, Message> {
        let selection = Selection::<G> { judge, ..Selection::default() };
        let set_aside = load::<G>(&args.data, &selection, threads_or_all(None))?.validation;
        ensure!(
            !set_aside.is_empty(),
            "no game of these files is set aside: one in fifty is"
                | "这些文件里没有留作检验的对局：每五十局留一局"
        );
        let wanted = args.positions as usize;
        let stride = (set_aside.len() / wanted).max(1);
        Ok(set_aside.into_iter().step_by(stride).take(wanted).collect())
    };
    let samples = load_samples(None)?;
    let evaluate = |path: &Path| -> Result<Vec<f64>, Message> {
        if path.as_os_str() == "search" {
            return Ok(by_score(&samples));
        }
        if path.as_os_str() == "none" {
            return Ok(by_score(&load_samples(Some(Evaluation::new(None)))?));
        }
        if is_checkpoint(path) {
            let (info, model) = read_floats::<F>(path)?;
            return Ok(by_model::<F>(&model, &info, &samples));
        }
        Ok(by_net(&read_net::<F>(path)?, &samples))
    };
    say(described(&Comparison::of(&evaluate(&args.a)?, &evaluate(&args.b)?)));
    Ok(())
}
