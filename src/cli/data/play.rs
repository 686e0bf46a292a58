//! `sanqi data play chess|xiangqi`: self-play for the trainer.

use super::{RunArgs, print_summary};
use crate::app::about;
use crate::app::args::threads_or_all;
use crate::app::console::{Outcome, at};
use crate::engine::GameId;
use crate::eval::{Evaluation, GameEval};
use crate::game::Game;
use crate::games::openings::Openings;
use crate::games::record::{GameKind, Opening};
use crate::games::referee::Rules;
use crate::message;
use crate::nnue::{FeatureSet, Net};
use crate::train::datagen::{self, NodeLimits, Searcher, Settings};
use crate::util::message::Message;
use crate::util::{files, memory};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Play games against itself and record them
///
/// Games depend only on the seed, the shard and their number. Shards of one seed never overlap where the
/// number of shards is the same. An interrupted run continued with --resume ends in the same games as one
/// that was not. Files of several shards concatenate. Without a goal it plays until it is killed.
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    run: RunArgs,
    /// End after N positions in the shard
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Nodes a move; the last iteration may take up to eight times as many
    #[arg(long, value_name = "N", default_value_t = 1000,
        value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    nodes: u64,
    /// Thousandths of the moves that are random and without a score; the result counts for what follows them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..1000))]
    random_moves: u32,
    /// Thousandths of the games that begin with an opening that people know; the others with random moves
    #[arg(long, value_name = "N", default_value_t = 250, value_parser = clap::value_parser!(u32).range(..=1000))]
    known_openings: u32,
    /// Play by this net; `none`: by the hand-made evaluation [default: the embedded net]
    #[arg(long, value_name = "FILE")]
    evalfile: Option<PathBuf>,
}

pub(in crate::cli) fn run(game: GameId, args: &Args) -> Outcome {
    match game {
        GameId::Chess => generate::<crate::chess::Board>(args),
        GameId::Xiangqi => generate::<crate::xiangqi::Board>(args),
        GameId::Go => Err(message!("data play go has arguments of its own" | "data play go 有自己的参数")),
    }
}

fn chosen_net<F: FeatureSet>(evalfile: Option<&Path>) -> Result<Option<Arc<Net<F>>>, Message> {
    match evalfile {
        None => Ok(about::net::<F>()?.map(Arc::new)),
        Some(name) if name.as_os_str() == "none" => Ok(None),
        Some(path) => {
            let bytes = files::read_named(path).map_err(|e| at(path, e))?;
            Net::from_bytes(&bytes).map(|net| Some(Arc::new(net))).map_err(|e| at(path, e))
        }
    }
}

/// The moves of the openings that are part of the program.
fn known_openings<G: GameEval>() -> Result<Vec<Vec<u16>>, Message> {
    let kind = GameKind::from_name(G::NAME).unwrap_or(GameKind::CHESS);
    let own = Openings::own(kind, &Rules::default(), 0);
    let packed = |opening: &Opening| {
        let mut pos = G::start();
        let each = opening.moves.iter().map(|text| {
            let mv = pos.parse_move(text, Default::default())?;
            pos.do_move(mv, &mut ());
            Ok(G::pack(mv))
        });
        each.collect()
    };
    own.iter().flat_map(Openings::all).map(packed).collect()
}

/// Bytes that a player may take: its table, what its search learns, and accumulators.
const PLAYER_BYTES: usize = 24 << 20;

fn generate<G: GameEval>(args: &Args) -> Outcome {
    let net = chosen_net::<G::Features>(args.evalfile.as_deref())?;
    let settings = Settings {
        net: net.as_ref().map_or(0, |net| net.info().training),
        seed: args.run.seed,
        shard: args.run.shard.index,
        shards: args.run.shard.of,
        limits: NodeLimits { soft: args.nodes, hard: 8 * args.nodes },
        random_moves: args.random_moves,
        known_openings: args.known_openings,
        openings: known_openings::<G>()?,
        ..Settings::for_game(<G as Game>::NAME)
    };
    let goal = args.run.goal(args.positions)?;
    let threads = threads_or_all(args.run.threads);
    // The standard library ends the program where a small piece of memory is refused.
    if !memory::can_allocate(threads * PLAYER_BYTES) {
        return Err(message!("no memory for {threads} threads" | "内存不足以运行 {threads} 个线程", threads));
    }
    let players = (0..threads)
        .map(|_| Searcher::new(Evaluation::<G>::new(net.clone())))
        .collect::<Result<Vec<_>, _>>()?;
    let done = datagen::run(&args.run.out, &settings, goal, args.run.existing(), players)?;
    print_summary(&done, "nodes");
    Ok(())
}
