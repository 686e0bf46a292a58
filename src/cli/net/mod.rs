//! `sanqi net`: makes nets of chess and xiangqi from records, and looks at them.

pub(super) mod diff;
pub(super) mod info;
pub(super) mod quantize;
pub(super) mod train;

use crate::app::console::{Outcome, at, say};
use crate::eval::GameEval;
use crate::nnue::net::NetInfo;
use crate::nnue::{FeatureSet, Net};
use crate::train::net::checkpoint::Checkpoint;
use crate::train::net::compare::{Comparison, by_model, by_net};
use crate::train::net::data::{Dataset, Selection};
use crate::train::net::model::Model;
use crate::train::net::quantize::{quantize as round, restore};
use crate::train::sample::Sample;
use crate::util::files;
use crate::util::message::Message;
use crate::util::system::remark;
use std::path::{Path, PathBuf};

/// Calls a function generic over inputs and board for the game that `$game` names.
macro_rules! for_game {
    ($game:expr, $function:ident($($arg:expr),*)) => {
        match $game {
            $crate::engine::GameId::Chess => $function::<$crate::eval::Chess768, $crate::chess::Board>($($arg),*),
            $crate::engine::GameId::Xiangqi => $function::<$crate::eval::Xiangqi689, $crate::xiangqi::Board>($($arg),*),
            $crate::engine::GameId::Go => Err($crate::message!("Go has nets of another kind" | "围棋用的是另一种网络")),
        }
    };
}
use for_game;

/// A command of `sanqi net`.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    Train(train::Args),
    Quantize(quantize::Args),
    Info(info::Args),
    Diff(diff::Args),
}

pub(super) fn run(command: &Command) -> Outcome {
    match command {
        Command::Train(args) => train::run(args),
        Command::Quantize(args) => quantize::run(args),
        Command::Info(args) => info::run(args),
        Command::Diff(args) => diff::run(args),
    }
}

/// `path` with another ending after the whole name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn load<G: GameEval>(
    files: &[PathBuf],
    selection: &Selection<G>,
    threads: usize,
) -> Result<Dataset, Message> {
    let data = Dataset::load::<G>(files, selection, threads)?;
    data.complaints.iter().for_each(|complaint| remark!("{complaint}"));
    let with_result = data.training.iter().filter(|sample| sample.outcome().is_some()).count();
    remark!(
        "{} games, {} positions: {} to train on ({with_result} of them with a result), {} to validate",
        data.games,
        data.positions,
        data.training.len(),
        data.validation.len()
    );
    Ok(data)
}

/// Rounds `model`, prints how much that changed, and writes the file.
fn write_net<F: FeatureSet>(info: &NetInfo, model: &Model, out: &Path, samples: &[Sample]) -> Outcome {
    let net = round::<F>(model, info.clone())?;
    if !samples.is_empty() {
        let floats = by_model::<F>(model, info, samples);
        remark!("rounding: {}", described(&Comparison::of(&floats, &by_net(&net, samples))));
    }
    files::write_at_once(out, &net.to_bytes()).map_err(|e| at(out, e))?;
    say(net);
    Ok(())
}

fn described(c: &Comparison) -> String {
    let Comparison { count, correlation, mean, largest, loss } = c;
    format!(
        "{count} positions, r {correlation:.6}, mean difference {mean:.2} cp, largest {largest:.0} cp, loss {loss:.7}"
    )
}

fn read_net<F: FeatureSet>(path: &Path) -> Result<Net<F>, Message> {
    let bytes = files::read_named(path).map_err(|e| at(path, e))?;
    Net::from_bytes(&bytes).map_err(|e| at(path, e))
}

fn is_checkpoint(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "ckpt")
}

/// A checkpoint or a net, in floats.
fn read_floats<F: FeatureSet>(path: &Path) -> Result<(NetInfo, Model), Message> {
    if is_checkpoint(path) {
        let state = Checkpoint::read::<F>(path).map_err(|e| at(path, e))?;
        return Ok((state.info, state.model));
    }
    let net = read_net::<F>(path)?;
    Ok((net.info().clone(), restore(&net)))
}
