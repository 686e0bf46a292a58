//! `sanqi speedtest`: how fast the parts are on this machine.

mod recommend;

use crate::app::console::{Outcome, say};
use crate::app::seat::time_search;
use crate::convnet;
use crate::engine::go::GoEngine;
use crate::engine::{self, Engine, GameId, PositionSpec};
use crate::eval::go::planes::{self, DeadStones};
use crate::eval::{Evaluation, GameEval};
use crate::game::{Game, Text};
use crate::go::playout::{random_move, random_playout};
use crate::go::{Board as GoBoard, Point, Position, Rules, ladder};
use crate::message;
use crate::nnue::{self, simd::Kernel};
use crate::search::alphabeta::Evaluator;
use crate::train::datagen::{self, Searcher, Settings};
use crate::util::message::Message;
use crate::util::rate::per_second;
use crate::util::rng::Rng;
use crate::util::system::processor;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Args {
    /// The game, or all
    #[arg(default_value = "all", value_parser = ["chess", "xiangqi", "go", "all"])]
    pub game: String,
    /// Seconds for each measurement
    #[arg(long, default_value_t = 3.0, value_parser = crate::app::args::seconds_above_0)]
    seconds: f64,
    /// Numbers of threads to search with, as in 1,2,4
    #[arg(long, value_delimiter = ',', default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Sizes of the hash table in MiB, as in 1,16,256: chess and xiangqi are measured with each, by threads
    #[arg(long, value_name = "LIST", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Vec<u32>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Recommend Threads, Hash and who evaluates Go, instead of measuring the parts
    #[arg(long, conflicts_with_all = ["json", "hash", "threads"])]
    recommend: bool,
    /// The same, and write it into the file of options: this one, or the one in use, or a new one among your
    /// settings
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
        conflicts_with_all = ["json", "hash", "threads"])]
    pub write_config: Option<Option<PathBuf>>,
}

/// Positions searched: the start, a middle game, an endgame.
pub const CHESS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/5pk1/4p1p1/7p/1R5P/r5P1/5PK1/8 w - - 0 1",
];
pub const XIANGQI: [&str; 3] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r2akab1r/9/2n1b1n1c/p1p1p1p1p/4c4/2P6/P3P1P1P/1CN3NC1/9/R1BAKABR1 w - - 0 1",
    "3k5/4a4/4b4/4p4/9/2B6/4P1n2/4C4/4A4/2BAK4 w - - 0 1",
];
const SIZES: [usize; 3] = [9, 13, 19];
/// Residual blocks of the net of Go that is measured where none is embedded.
const BLOCKS: usize = 6;
/// Size of the table, in MiB, where none is asked for.
const HASH: u32 = 64;
/// Evaluations a second by Go's net, by kernel and size.
const BY_KERNEL: &str = "net_evals_per_s_with";
/// The table of nodes a second by size of the hash table and number of threads.
const SCALING: &str = "nps_by_hash";

impl Args {
    fn recommends(&self) -> bool {
        self.recommend || self.write_config.is_some()
    }

    pub fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

pub fn run(args: &Args) -> Outcome {
    if args.recommends() {
        return recommend::run(args);
    }
    let time = args.time();
    let mut report = Map::new();
    if let Some(name) = processor() {
        report.insert("processor".to_owned(), name.into());
    }
    let wants = |game: &str| args.game == "all" || args.game == game;
    for (game, positions) in [(GameId::Chess, CHESS), (GameId::Xiangqi, XIANGQI)] {
        if wants(game.name()) {
            let mut section = Map::new();
            section.insert("nps".to_owned(), searches(game, &positions, &args.threads, HASH, time)?);
            let mut scaling = Map::new();
            for &mib in &args.hash {
                scaling.insert(mib.to_string(), searches(game, &positions, &args.threads, mib, time)?);
            }
            if !scaling.is_empty() {
                section.insert(SCALING.to_owned(), scaling.into());
            }
            let (evaluations, datagen) = match game {
                GameId::Xiangqi => game_parts::<crate::xiangqi::Board>(positions[1], time)?,
                _ => game_parts::<crate::chess::Board>(positions[1], time)?,
            };
            section.insert("datagen_nps".to_owned(), datagen);
            section.insert("eval_per_s".to_owned(), evaluations.into());
            report.insert(game.name().to_owned(), section.into());
        }
    }
    if wants("go") {
        let mut section = Map::new();
        section.insert("random_playouts_per_s".to_owned(), by_size(|size| Ok(random_playouts(size, time)))?);
        section.insert("visits_per_s".to_owned(), by_size(|size| visits(size, time))?);
        let net = convnet::embedded();
        let origin = if net.is_some() { "embedded" } else { "random" };
        let net = net.unwrap_or_else(|| Arc::new(convnet::ConvNet::random(1, BLOCKS)));
        let evaluations = by_size(|size| Ok(net_evaluations(&net, convnet::Kernel::best(), size, time)))?;
        section.insert("net_evals_per_s".to_owned(), evaluations);
        section.insert("net".to_owned(), format!("{origin}, {} blocks", net.blocks()).into());
        section.insert("net_kernel".to_owned(), convnet::Kernel::best().name().into());
        section.insert(BY_KERNEL.to_owned(), evaluations_by_kernel(&net, time));
        section.insert("evaluator".to_owned(), go_evaluator());
        report.insert("go".to_owned(), section.into());
    }
    if args.json {
        say(Value::Object(report));
    } else {
        for (game, section) in &report {
            if let Some(text) = section.as_str() {
                say(format_args!("{game:<8} {text}"));
            }
            for (what, value) in section.as_object().into_iter().flatten() {
                show(game, what, value);
            }
        }
    }
    Ok(())
}

fn show(game: &str, what: &str, value: &Value) {
    match value {
        Value::Object(rows) if what == SCALING => show_scaling(game, rows),
        Value::Object(parts) => {
            for (part, value) in parts {
                say(format_args!("{game:<8} {what:<22} {part:>11} {:>14}", value.to_string()));
            }
        }
        Value::String(text) => say(format_args!("{game:<8} {what:<22} {:>11} {text:>14}", "")),
        _ => say(format_args!("{game:<8} {what:<22} {:>11} {:>14}", "", value.to_string())),
    }
}

/// A row for each size of the hash table, a column for each number of threads.
fn show_scaling(game: &str, rows: &Map<String, Value>) {
    let columns = rows.values().find_map(Value::as_object).map(by_number).unwrap_or_default();
    let heads: String =
        columns.iter().map(|(threads, _)| format!("{:>14}", format!("{threads} threads"))).collect();
    say(format_args!("{game:<8} nps by MiB of hash {heads}"));
    for (mib, row) in by_number(rows) {
        let cells = row.as_object().map(by_number).unwrap_or_default();
        let cells: String = cells.iter().map(|(_, nps)| format!("{:>14}", nps.to_string())).collect();
        say(format_args!("{game:<8} {mib:>19} {cells}"));
    }
}

/// The entries, by the numbers that their names are.
fn by_number(map: &Map<String, Value>) -> Vec<(u64, &Value)> {
    let mut entries: Vec<_> =
        map.iter().filter_map(|(name, value)| Some((name.parse().ok()?, value))).collect();
    entries.sort_by_key(|entry| entry.0);
    entries
}

/// Nodes a second by number of threads.
pub fn searches(
    game: GameId,
    fens: &[&str],
    threads: &[u16],
    mib: u32,
    time: Duration,
) -> Result<Value, Message> {
    let mut found = Map::new();
    for count in threads {
        let mut engine = engine::create(game);
        set(engine.as_mut(), "Threads", &count.to_string())?;
        set(engine.as_mut(), "Hash", &mib.to_string())?;
        let (mut nodes, mut spent) = (0, Duration::ZERO);
        for fen in fens {
            engine.new_game();
            let spec = PositionSpec { fen: Some((*fen).to_owned()), ..PositionSpec::default() };
            let (n, t) = time_search(engine.as_mut(), &spec, time / fens.len() as u32)?;
            nodes += n;
            spent += t;
        }
        found.insert(count.to_string(), per_second(nodes, spent).into());
    }
    Ok(found.into())
}

fn set(engine: &mut dyn Engine, option: &str, value: &str) -> Result<(), Message> {
    engine
        .set_option(option, value)
        .map_err(|e| message!("{option} {value}: {e}" | "{option} {value}：{e}", option, value, e))
}

/// Evaluations a second, and nodes a second of self-play by the net's kernel.
fn game_parts<G: GameEval>(fen: &str, time: Duration) -> Result<(u64, Value), Message> {
    let mut by_kernel = Map::new();
    for kernel in Kernel::available() {
        by_kernel.insert(kernel.name().to_owned(), self_play::<G>(kernel, time)?.into());
    }
    Ok((evaluations::<G>(fen, time)?, by_kernel.into()))
}

/// Nodes a second of one thread of `sanqi data play`, in whole games.
fn self_play<G: GameEval>(kernel: Kernel, time: Duration) -> Result<u64, Message> {
    let settings = Settings::for_game(G::NAME);
    let net = nnue::embedded().ok().flatten().map(Arc::new);
    let eval = Evaluation::<G>::with_kernel(net, kernel);
    let mut player = Searcher::new(eval)?;
    let (start, mut nodes) = (Instant::now(), 0);
    for game in 0.. {
        nodes += datagen::play(&mut player, &settings, game).1;
        if start.elapsed() >= time {
            break;
        }
    }
    Ok(per_second(nodes, start.elapsed()))
}

/// Evaluations a second as a search makes them: play a move, evaluate, take it back.
fn evaluations<G: GameEval>(fen: &str, time: Duration) -> Result<u64, Message> {
    let mut pos = <G as Text>::from_fen(fen).map_err(|e| Message::from(format!("fen \"{fen}\": {e}")))?;
    let moves = pos.legal();
    let mut eval = Evaluation::<G>::default();
    eval.reset(&pos);
    let (start, mut count) = (Instant::now(), 0);
    while start.elapsed() < time {
        for &mv in &moves {
            eval.push();
            Game::do_move(&mut pos, mv, &mut eval);
            std::hint::black_box(eval.evaluate(&pos));
            Game::undo_move(&mut pos);
            eval.pop();
        }
        count += moves.len() as u64;
    }
    Ok(per_second(count, start.elapsed()))
}

fn by_size(measure: impl Fn(usize) -> Result<u64, Message>) -> Result<Value, Message> {
    let mut found = Map::new();
    for size in SIZES {
        found.insert(size.to_string(), measure(size)?.into());
    }
    Ok(found.into())
}

fn random_playouts(size: usize, time: Duration) -> u64 {
    let empty = GoBoard::new(size, size);
    let (mut board, mut rng) = (empty.clone(), Rng::new(1));
    let (start, mut count) = (Instant::now(), 0);
    while start.elapsed() < time {
        for _ in 0..64 {
            board.clone_from(&empty);
            std::hint::black_box(random_playout(&mut board, &mut rng));
        }
        count += 64;
    }
    per_second(count, start.elapsed())
}

/// The evaluator used in play, and the reason.
fn go_evaluator() -> Value {
    let (mode, speed) = GoEngine::default().evaluator();
    let mut found = Map::new();
    found.insert("mode".to_owned(), mode.to_string().into());
    if let Some(speed) = speed {
        found.insert("net_us".to_owned(), (speed.evaluation.as_micros() as u64).into());
        found.insert("visit_us".to_owned(), (speed.visit.as_micros() as u64).into());
    }
    found.into()
}

fn visits(size: usize, time: Duration) -> Result<u64, Message> {
    let mut engine = GoEngine::default();
    engine.game_state().set_size(size, size)?;
    let (visits, time) = time_search(&mut engine, &PositionSpec::default(), time)?;
    Ok(per_second(visits, time))
}

/// Evaluations a second by each kernel that has instructions of its own, on 9×9 and 19×19.
fn evaluations_by_kernel(net: &Arc<convnet::ConvNet>, time: Duration) -> Value {
    let mut found = Map::new();
    for kernel in convnet::Kernel::available().into_iter().skip(1) {
        for size in [9, 19] {
            let name = format!("{} {size}", kernel.name());
            found.insert(name, net_evaluations(net, kernel, size, time).into());
        }
    }
    found.into()
}

/// Evaluations a second by the net of one thread, one position at a time, including its inputs.
fn net_evaluations(net: &Arc<convnet::ConvNet>, kernel: convnet::Kernel, size: usize, time: Duration) -> u64 {
    let positions = random_game(size);
    let mut evaluator = convnet::ConvNetEvaluator::with_kernel(Arc::clone(net), kernel);
    let (mut inputs, mut reader) = (planes::Inputs::default(), ladder::LadderReader::default());
    let (start, mut count) = (Instant::now(), 0);
    while start.elapsed() < time {
        for position in &positions {
            planes::read(position, DeadStones::AllAlive, &mut inputs, &mut reader);
            std::hint::black_box(evaluator.evaluate(size, size, &inputs.planes, &inputs.globals));
        }
        count += positions.len() as u64;
    }
    per_second(count, start.elapsed())
}

/// Sixteen positions of a game of random moves, from the empty board until it is two thirds full.
fn random_game(size: usize) -> Vec<Position> {
    let mut rng = Rng::new(1);
    let mut position = Position::new(size, size, Rules::CHINESE);
    let mut positions = vec![position.clone()];
    for number in 1..16 {
        while position.moves().len() < number * size * size / 24 {
            let side = position.board().side_to_move();
            let mv = random_move(&mut position.board().clone(), &mut rng);
            // Random moves know no superko.
            let mv = if position.check(side, mv).is_ok() { mv } else { Point::PASS };
            position.do_move(mv, &mut ());
        }
        positions.push(position.clone());
    }
    positions
}
