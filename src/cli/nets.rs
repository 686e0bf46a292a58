//! `sanqi train`, `quantise`, `netinfo`, `evalcmp` and `datastat`: from records to a net.

use super::datagen::{AlphaBetaGameId, chosen_net};
use super::{Failure, Outcome, say};
use crate::chess::Board as ChessBoard;
use crate::engine::GameId;
use crate::eval::{Chess768, Xiangqi689};
use crate::eval::{Evaluation, GameEval};
use crate::game::{AlphaBetaGame, Text};
use crate::nnue::net::Info;
use crate::nnue::{BoardFeatures, FeatureSet, Net, embedded};
use crate::train::chances::Results;
use crate::train::datastat::Statistics;
use crate::train::net::checkpoint::{Checkpoint, write_at_once};
use crate::train::net::compare::{Comparison, by_model, by_net, by_score};
use crate::train::net::curve;
use crate::train::net::data::{Dataset, Selection};
use crate::train::net::fit::{Config, Training};
use crate::train::net::model::Model;
use crate::train::net::quantise::{mean, quantise, restore};
use crate::train::sample::Sample;
use crate::xiangqi::Board as XiangqiBoard;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Train a net on records
///
/// Writes the net to NET, and beside it NET.ckpt (weights in floats, after every epoch), NET.csv and NET.svg
/// (the loss). The same settings, data and number of threads give the same net; --resume goes on after the
/// last whole epoch.
#[derive(clap::Args)]
pub(super) struct TrainArgs {
    /// Which game
    game: AlphaBetaGameId,
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
    /// Inputs of their own for states of pieces (hanging, pinned, passed, …) and for motifs (a safe check, a fork, …),
    /// learned from all positions in which nobody is in check, not from quiet ones alone; chess alone has them
    #[arg(long)]
    threats: bool,
    /// Times every position is used
    #[arg(long, value_name = "N", default_value_t = 20)]
    epochs: u32,
    /// Positions a step
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    batch: usize,
    /// Learning rate at the start; it ends at a cosine's foot
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
    /// Centipawns for one unit of the net's output [default: fitted to the results]
    #[arg(long, value_name = "CP")]
    scale: Option<f32>,
    /// Plies of each game left out, opening included [default: chess 16, xiangqi 12]
    #[arg(long, value_name = "N")]
    skip: Option<usize>,
    /// Share of the positions that is used, in training and of the games set aside; branches are all used
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    share: f32,
    /// Positions to try for each one of the games: a few random moves away from it, kept when quiet
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    deviations: f32,
    /// How far a position's score is taken from the next one's of its game, and that from the one after it
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    lambda: f32,
    /// The net that judges without a search; `none`: the hand-made evaluation [default: the embedded net]
    #[arg(long, value_name = "FILE")]
    judge: Option<PathBuf>,
    /// Begin with the weights of a checkpoint (`.ckpt`) or a net, of the same shape or a smaller one
    #[arg(long, value_name = "FILE")]
    init: Option<PathBuf>,
    /// Generation of the games, noted in the net: 1 for those of the hand-made evaluation
    #[arg(long, value_name = "N", default_value_t = 1)]
    generation: u32,
    /// Threads [default: all processors]
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Seed of the weights and the order of positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Go on after the last epoch in NET.ckpt
    #[arg(long)]
    resume: bool,
}

/// Round a training checkpoint to a net file
///
/// Of several checkpoints or nets of one shape, the mean: a net on from another one and that one together often know
/// more than either. They must come from the same beginning; nets that do not have nothing in common.
#[derive(clap::Args)]
pub(super) struct QuantiseArgs {
    /// Which game
    game: AlphaBetaGameId,
    /// Checkpoints of trainings (`.ckpt`), or nets
    #[arg(required = true, value_name = "FILE")]
    sources: Vec<PathBuf>,
    /// The net file to write
    #[arg(long, value_name = "NET")]
    out: PathBuf,
}

/// Say what a net is and where it comes from
#[derive(clap::Args)]
pub(super) struct NetinfoArgs {
    /// A net file, or a game for the embedded one [default: all embedded ones]
    #[arg(value_name = "FILE|GAME")]
    net: Option<String>,
}

/// Compare what two evaluations say of the same positions, those of games that training sets aside
///
/// Each is a net file, a checkpoint (`.ckpt`), `none` for the hand-made evaluation, or `search` for the scores in
/// the records. The loss is the mean squared difference of the results to be expected.
#[derive(clap::Args)]
pub(super) struct EvalcmpArgs {
    /// Which game
    game: AlphaBetaGameId,
    /// The first
    a: PathBuf,
    /// The second
    b: PathBuf,
    /// Files of records
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Positions compared
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    positions: usize,
}

/// Check files of records and describe them
#[derive(clap::Args)]
pub(super) struct DatastatArgs {
    /// Files of records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Fit the chances of a win, a draw and a loss (chess) instead, and print the model
    #[arg(long)]
    wdl: bool,
}

/// Calls a function generic over inputs and board for the game that `$game` names.
macro_rules! for_game {
    ($game:expr, $function:ident($($arg:expr),*)) => {
        match $game {
            AlphaBetaGameId::Chess => $function::<Chess768, ChessBoard>($($arg),*),
            AlphaBetaGameId::Xiangqi => $function::<Xiangqi689, XiangqiBoard>($($arg),*),
        }
    };
}

pub(super) fn train(args: &TrainArgs) -> Outcome {
    for_game!(args.game, train_game(args))
}

pub(super) fn quantise_checkpoint(args: &QuantiseArgs) -> Outcome {
    for_game!(args.game, quantise_game(args))
}

pub(super) fn evalcmp(args: &EvalcmpArgs) -> Outcome {
    for_game!(args.game, compare_game(args))
}

fn at(path: &Path, why: impl Display) -> Failure {
    Failure(format!("{}: {why}", path.display()))
}

/// `path` with another ending after the whole name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn threads(wanted: Option<usize>) -> usize {
    wanted.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}

fn config<F: FeatureSet>(args: &TrainArgs) -> Result<Config, Failure> {
    let bad = |what: &str| Failure(format!("{what} is not possible"));
    if args.hidden == 0 || !args.hidden.is_multiple_of(128) || args.hidden > crate::nnue::simd::MAX_LANES {
        return Err(bad(&format!("--hidden {}", args.hidden)));
    }
    if !(1..=32).contains(&args.buckets) || args.batch == 0 || args.epochs == 0 {
        return Err(Failure("--buckets, --batch or --epochs is out of range".to_owned()));
    }
    for (name, share) in [("result-share", args.result_share), ("lambda", args.lambda), ("share", args.share)]
    {
        if !(0.0..=1.0).contains(&share) {
            return Err(Failure(format!("--{name} is a share from 0 to 1, not {share}")));
        }
    }
    if args.threats && F::Board::ID.is_none() {
        return Err(bad(&format!("--threats for {}", F::GAME)));
    }
    Ok(Config {
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
        threads: threads(args.threads),
        seed: args.seed,
    })
}

fn load<G: GameEval>(
    files: &[PathBuf],
    selection: &Selection<G>,
    threads: usize,
) -> Result<Dataset, Failure> {
    let data = Dataset::load::<G>(files, selection, threads).map_err(|e| Failure(e.to_string()))?;
    data.complaints.iter().for_each(|complaint| eprintln!("{complaint}"));
    let with_result = data.training.iter().filter(|sample| sample.outcome().is_some()).count();
    eprintln!(
        "{} games, {} positions: {} to train on ({with_result} of them with a result), {} to validate",
        data.games,
        data.positions,
        data.training.len(),
        data.validation.len()
    );
    Ok(data)
}

fn train_game<F: FeatureSet, G: GameEval<Features = F>>(args: &TrainArgs) -> Outcome {
    let config = config::<F>(args)?;
    let mut selection = Selection::<G>::new(Evaluation::new(chosen_net::<F>(args.judge.as_deref())?));
    selection.skip = args.skip.unwrap_or(selection.skip);
    selection.share = args.share;
    selection.deviations = args.deviations;
    selection.lambda = args.lambda;
    selection.captures = args.threats;
    let data = load::<G>(&args.data, &selection, config.threads)?;
    let checkpoint = beside(&args.out, ".ckpt");
    let mut training = if args.resume && checkpoint.exists() {
        let state = Checkpoint::read::<F>(&checkpoint).map_err(|e| at(&checkpoint, e))?;
        let resumed = Training::resume::<F>(&config, &data, state);
        resumed.ok_or_else(|| at(&checkpoint, "begun with other settings or other data"))?
    } else if let Some(path) = &args.init {
        let (info, model) = read_floats::<F>(path)?;
        let begun = Training::fine_tune::<F>(&config, &data, &info, &model);
        begun.ok_or_else(|| at(path, "a net of another shape, that this one cannot grow from"))?
    } else {
        Training::new::<F>(&config, &data)
    };
    eprintln!("one unit is {} centipawns", training.state().info.scale);
    while !training.is_done() {
        let row = training.epoch::<F>();
        eprintln!(
            "epoch {}/{}: training {:.6}, validation {:.6}",
            row.epoch, config.epochs, row.training, row.validation
        );
        let state = training.state();
        state.write::<F>(&checkpoint).map_err(|e| at(&checkpoint, e))?;
        let picture = curve::svg(&state.curve, &format!("{} {}", G::NAME, args.out.display()));
        for (ending, text) in [(".csv", curve::csv(&state.curve)), (".svg", picture)] {
            let path = beside(&args.out, ending);
            std::fs::write(&path, text).map_err(|e| at(&path, e))?;
        }
    }
    let speed = training.speed();
    let rate = |seconds: f64| speed.samples as f64 / seconds.max(1e-9) / 1e6;
    let per_cpu =
        speed.cpu.map_or(String::new(), |cpu| format!(", {:.3} M/CPU-second", rate(cpu.as_secs_f64())));
    eprintln!("{:.3} M samples/s{per_cpu}", rate(speed.wall.as_secs_f64()));
    let few = &data.validation[..data.validation.len().min(20_000)];
    let state = training.state();
    write_net::<F>(&state.info, &state.model, &args.out, few)
}

/// Quantises, says how much that changed, and writes the file.
fn write_net<F: FeatureSet>(info: &Info, model: &Model, out: &Path, samples: &[Sample]) -> Outcome {
    let net = quantise::<F>(model, info.clone()).map_err(|e| Failure(e.to_string()))?;
    if !samples.is_empty() {
        let floats = by_model::<F>(model, info, samples);
        eprintln!("rounding: {}", described(&Comparison::of(&floats, &by_net(&net, samples))));
    }
    write_at_once(out, &net.to_bytes()).map_err(|e| at(out, e))?;
    say(net);
    Ok(())
}

fn described(c: &Comparison) -> String {
    let Comparison { count, correlation, mean, largest, loss } = c;
    format!(
        "{count} positions, r {correlation:.6}, mean difference {mean:.2} cp, largest {largest:.0} cp, loss {loss:.7}"
    )
}

fn quantise_game<F: FeatureSet, G: AlphaBetaGame>(args: &QuantiseArgs) -> Outcome {
    let mut sources = Vec::new();
    for path in &args.sources {
        sources.push(read_floats::<F>(path)?);
    }
    let (info, model) =
        mean(&sources).map_err(|other| at(&args.sources[other], "of another shape or scale"))?;
    write_net::<F>(&info, &model, &args.out, &[])
}

fn read_net<F: FeatureSet>(path: &Path) -> Result<Net<F>, Failure> {
    let bytes = std::fs::read(path).map_err(|e| at(path, e))?;
    Net::from_bytes(&bytes).map_err(|e| at(path, e))
}

fn is_checkpoint(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "ckpt")
}

/// A checkpoint or a net, in floats.
fn read_floats<F: FeatureSet>(path: &Path) -> Result<(Info, Model), Failure> {
    if is_checkpoint(path) {
        let state = Checkpoint::read::<F>(path).map_err(|e| at(path, e))?;
        return Ok((state.info, state.model));
    }
    let net = read_net::<F>(path)?;
    Ok((net.info().clone(), restore(&net)))
}

fn compare_game<F: FeatureSet, G: GameEval<Features = F>>(args: &EvalcmpArgs) -> Outcome {
    let load_samples = |rejudges| -> Result<Vec<Sample>, Failure> {
        let selection = Selection::<G> { rejudges, ..Selection::new(Evaluation::new(None)) };
        let set_aside = load::<G>(&args.data, &selection, threads(None))?.validation;
        if set_aside.is_empty() {
            return Err(Failure("no game of these files is set aside: one in fifty is".to_owned()));
        }
        let stride = (set_aside.len() / args.positions.max(1)).max(1);
        Ok(set_aside.into_iter().step_by(stride).take(args.positions).collect())
    };
    let samples = load_samples(false)?;
    let evaluate = |path: &Path| -> Result<Vec<f64>, Failure> {
        if path.as_os_str() == "search" {
            return Ok(by_score(&samples));
        }
        if path.as_os_str() == "none" {
            return Ok(by_score(&load_samples(true)?));
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

pub(super) fn netinfo(args: &NetinfoArgs) -> Outcome {
    let Some(name) = &args.net else {
        for game in GameId::ALL {
            say(describe_embedded(game)?
                .unwrap_or_else(|| format!("game: {}\narchitecture: none", game.name())));
        }
        return Ok(());
    };
    if let Some(game) = GameId::from_name(name) {
        let none = || Failure(format!("no net for {name} is embedded"));
        say(describe_embedded(game)?.ok_or_else(none)?);
        return Ok(());
    }
    let path = Path::new(name);
    let bytes = std::fs::read(path).map_err(|e| at(path, e))?;
    match Net::<Xiangqi689>::from_bytes(&bytes) {
        Ok(net) => say(net),
        Err(_) => say(Net::<Chess768>::from_bytes(&bytes).map_err(|e| at(path, e))?),
    }
    Ok(())
}

fn describe_embedded(game: GameId) -> Result<Option<String>, Failure> {
    fn text<F: FeatureSet>() -> Result<Option<String>, Failure> {
        let net = embedded::<F>().map_err(|e| Failure(format!("the net embedded for {}: {e}", F::GAME)))?;
        Ok(net.map(|net| net.to_string()))
    }
    match game {
        GameId::Chess => text::<Chess768>(),
        GameId::Xiangqi => text::<Xiangqi689>(),
        GameId::Go => Ok(None),
    }
}

pub(super) fn datastat(args: &DatastatArgs) -> Outcome {
    let game = crate::train::record::game_of(&args.files[0]).map_err(|e| at(&args.files[0], e))?;
    match game.as_str() {
        "chess" if args.wdl => fit_chances(&args.files),
        _ if args.wdl => Err(Failure("--wdl fits chess records only".to_owned())),
        "chess" => describe_data::<ChessBoard>(&args.files),
        "xiangqi" => describe_data::<XiangqiBoard>(&args.files),
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

fn describe_data<G: AlphaBetaGame + Text>(files: &[PathBuf]) -> Outcome {
    let mut statistics = Statistics::new::<G>();
    for path in files {
        statistics.add::<G>(path).map_err(|e| at(path, e))?;
    }
    statistics.complaints.iter().for_each(|complaint| eprintln!("{complaint}"));
    say(&statistics);
    if statistics.complaints.is_empty() { Ok(()) } else { Err(Failure("the files are damaged".to_owned())) }
}
