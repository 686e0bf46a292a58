//! `sanqi net train`: trains a net on records.

use super::{at, beside, for_game, load, read_floats, write_net};
use crate::app::args::{alpha_beta_game, threads_or_all};
use crate::app::console::{Outcome, check_output};
use crate::engine::GameId;
use crate::ensure;
use crate::eval::GameEval;
use crate::message;
use crate::nnue::FeatureSet;
use crate::train::net::checkpoint::Checkpoint;
use crate::train::net::curve;
use crate::train::net::data::Selection;
use crate::train::net::fit::{Training, TrainingConfig};
use crate::util::files;
use crate::util::message::Message;
use crate::util::system::remark;
use std::path::PathBuf;

/// Train a net on records
///
/// Writes the net to NET, and beside it NET.ckpt (weights in floats, after every epoch), NET.csv and NET.svg
/// (the loss). The same settings, data and number of threads give the same net; --resume goes on after the
/// last whole epoch.
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    /// Which game
    #[arg(value_parser = alpha_beta_game())]
    game: GameId,
    /// Files of records
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The net file to write
    #[arg(long, value_name = "NET")]
    out: PathBuf,
    /// Neurons of an accumulator, a multiple of 128
    #[arg(long, value_name = "H", default_value_t = 256)]
    hidden: usize,
    /// Output layers, chosen by the number of pieces
    #[arg(long, value_name = "N", default_value_t = 8)]
    buckets: usize,
    /// Input layers, chosen by the own king's square: chess 1 or 4, xiangqi 1 or 6
    #[arg(long, value_name = "N", default_value_t = 1)]
    king_buckets: usize,
    /// Inputs of their own for states of pieces (hanging, pinned, …) and for motifs (a safe check, a capture
    /// that gains a piece, …), learned from all positions without a check, not only from quiet ones
    #[arg(long)]
    threats: bool,
    /// Times every position is used
    #[arg(long, value_name = "N", default_value_t = 20)]
    epochs: u32,
    /// Positions in a training step
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    batch: usize,
    /// Learning rate at the start; it falls along a cosine
    #[arg(long, value_name = "LR", default_value_t = 1e-3)]
    rate: f64,
    /// Learning rate at the end
    #[arg(long, value_name = "LR", default_value_t = 2.4e-6)]
    last_rate: f64,
    /// Weight decay
    #[arg(long, value_name = "X", default_value_t = 0.01)]
    decay: f64,
    /// Share of the game's result in the target, the rest being the search's score
    #[arg(long, value_name = "X", default_value_t = 0.3)]
    result_share: f32,
    /// Centipawns for one unit of the net's output [default: fitted to the results; with --init that of the
    /// net]
    #[arg(long, value_name = "CP", conflicts_with = "init")]
    scale: Option<f32>,
    /// Plies of each game left out, opening included [default: chess 16, xiangqi 12]
    #[arg(long, value_name = "N")]
    skip: Option<usize>,
    /// How much of a position's score comes from the scores of the positions after it in its game, from 0 to
    /// 1
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    lambda: f32,
    /// Begin with the weights of a checkpoint (`.ckpt`) or a net, of the same shape or a smaller one
    #[arg(long, value_name = "FILE")]
    init: Option<PathBuf>,
    /// Generation of the games, noted in the net: 1 for those of the hand-made evaluation
    #[arg(long, value_name = "N", default_value_t = 1)]
    generation: u32,
    /// Threads [default: all processors]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Seed of the weights and the order of positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Go on after the last epoch in NET.ckpt
    #[arg(long)]
    resume: bool,
}

pub(in crate::cli) fn run(args: &Args) -> Outcome {
    for_game!(args.game, train(args))
}

fn config<F: FeatureSet>(args: &Args) -> Result<TrainingConfig, Message> {
    let bad = |what: &str| message!("{what} is not possible" | "{what} 不可能", what);
    if args.hidden == 0 || !args.hidden.is_multiple_of(128) || args.hidden > crate::nnue::simd::MAX_LANES {
        return Err(bad(&format!("--hidden {}", args.hidden)));
    }
    if !(1..=32).contains(&args.buckets) || args.batch == 0 || args.epochs == 0 {
        return Err(message!(
            "--buckets, --batch or --epochs is out of range" | "--buckets、--batch 或 --epochs 超出范围"
        ));
    }
    let is_rate = |rate: f64| rate.is_finite() && rate >= 0.0;
    if args.rate == 0.0 || ![args.rate, args.last_rate].into_iter().all(is_rate) {
        return Err(message!(
            "--rate is a number above 0, and --last-rate one from 0"
                | "--rate 须大于 0，--last-rate 不小于 0"
        ));
    }
    if !(is_rate(args.decay) && args.rate * args.decay < 1.0) {
        return Err(bad(&format!("--decay {}", args.decay)));
    }
    if let Some(scale) = args.scale.filter(|scale| !(1.0..=65_535.0).contains(scale)) {
        return Err(message!(
            "--scale is a number from 1 to 65535, not {scale}" | "--scale 应为 1 至 65535，不能是 {scale}",
            scale
        ));
    }
    for (name, share) in [("result-share", args.result_share), ("lambda", args.lambda)] {
        ensure!(
            (0.0..=1.0).contains(&share),
            "--{name} is a share from 0 to 1, not {share}" | "--{name} 应为 0 至 1，不能是 {share}",
            name,
            share
        );
    }
    Ok(TrainingConfig {
        hidden: args.hidden,
        buckets: args.buckets,
        king_map: F::king_map(args.king_buckets)
            .ok_or_else(|| bad(&format!("--king-buckets {}", args.king_buckets)))?,
        threats: args.threats,
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        last_rate: args.last_rate,
        decay: args.decay,
        result_share: args.result_share,
        scale: args.scale,
        generation: args.generation,
        threads: threads_or_all(args.threads),
        seed: args.seed,
        init: match &args.init {
            Some(path) => {
                let bytes = files::read_named(path).map_err(|e| at(path, e))?;
                // Files that end with their checksum all have the same one as a whole.
                Some(crc32fast::hash(&bytes[..bytes.len().saturating_sub(4)]))
            }
            None => None,
        },
    })
}

fn train<F: FeatureSet, G: GameEval<Features = F>>(args: &Args) -> Outcome {
    let config = config::<F>(args)?;
    let written = ["", ".ckpt", ".csv", ".svg"].map(|ending| beside(&args.out, ending));
    for path in &written {
        check_output("--out", path, args.data.iter().chain(&args.init))?;
    }
    let _held = files::hold(&args.out).map_err(|e| at(&args.out, e))?;
    let checkpoint = beside(&args.out, ".ckpt");
    if checkpoint.exists() && !args.resume {
        return Err(at(
            &checkpoint,
            message!("there is one already; --resume goes on" | "已经存在；--resume 可以接着训练"),
        ));
    }
    let mut selection =
        Selection::<G> { lambda: args.lambda, captures: args.threats, ..Selection::default() };
    selection.skip = args.skip.unwrap_or(selection.skip);
    let data = load::<G>(&args.data, &selection, config.threads)?;
    for path in &written {
        files::try_to_write(path).map_err(|e| at(path, e))?;
    }
    if args.resume && !checkpoint.exists() {
        remark!("{}: not there, so the training begins", checkpoint.display());
    }
    let mut training = if args.resume && checkpoint.exists() {
        let state = Checkpoint::read::<F>(&checkpoint).map_err(|e| at(&checkpoint, e))?;
        let resumed = Training::resume::<F>(&config, &data, state);
        resumed.ok_or_else(|| {
            at(
                &checkpoint,
                message!("begun with other settings or other data" | "是用别的设置或别的数据开始的"),
            )
        })?
    } else if let Some(path) = &args.init {
        let (info, model) = read_floats::<F>(path)?;
        let begun = Training::fine_tune::<F>(&config, &data, &info, &model);
        begun.ok_or_else(|| {
            at(
                path,
                message!(
                    "a net of another shape, that this one cannot grow from" | "形状不同，不能由它接着训练"
                ),
            )
        })?
    } else {
        Training::new::<F>(&config, &data)
    };
    remark!("one unit is {} centipawns", training.state().info.scale);
    if data.validation.is_empty() {
        remark!("no game of these files is set aside to check with: one in fifty is");
    }
    while !training.is_done() {
        let row = training.epoch::<F>();
        let validation = curve::digits(row.validation, 6);
        let (epoch, epochs) = (row.epoch, config.epochs);
        remark!("epoch {epoch}/{epochs}: training {:.6}, validation {validation}", row.training);
        let state = training.state();
        state.write::<F>(&checkpoint).map_err(|e| at(&checkpoint, e))?;
        let picture = curve::svg(&state.curve, &format!("{} {}", G::NAME, args.out.display()));
        for (ending, text) in [(".csv", curve::csv(&state.curve)), (".svg", picture)] {
            let path = beside(&args.out, ending);
            files::write_named(&path, text).map_err(|e| at(&path, e))?;
        }
    }
    let speed = training.speed();
    let rate = |seconds: f64| speed.samples as f64 / seconds.max(1e-9) / 1e6;
    let per_cpu =
        speed.cpu.map_or(String::new(), |cpu| format!(", {:.3} M/CPU-second", rate(cpu.as_secs_f64())));
    remark!("{:.3} M samples/s{per_cpu}", rate(speed.wall.as_secs_f64()));
    let few = &data.validation[..data.validation.len().min(20_000)];
    let state = training.state();
    write_net::<F>(&state.info, &state.model, &args.out, few)
}
