//! `sanqi data play go`: self-play for the trainer of Go's net.

use super::{RunArgs, print_summary};
use crate::app::args::threads_or_all;
use crate::app::console::Outcome;
use crate::convnet::{ConvNet, Server};
use crate::ensure;
use crate::message;
use crate::train::selfplay::{self, By, SelfplayPlayer, SelfplaySettings, Sizes};
use crate::util::files;
use crate::util::message::Message;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Play games of Go against itself and record them for the net
///
/// Games depend only on the seed, the shard and their number. Shards of one seed never overlap where the
/// number of shards is the same. An interrupted run continued with --resume ends in the same games as one
/// that was not. Files of several shards concatenate. Without a goal it plays until it is killed.
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    run: RunArgs,
    /// Sizes of the boards, each with its share of the time
    #[arg(long, value_name = "N:SHARE,…", default_value = "9:40,13:25,19:35")]
    sizes: Sizes,
    /// Play by this net; one search in four has all its visits, the others a sixth of them [default: by
    /// playouts]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Use playouts beside the net
    #[arg(long, requires = "net")]
    hybrid: bool,
    /// Have the server at this address (nnue/train/serve.py) evaluate; hundreds of games (--threads) keep it
    /// busy
    #[arg(long, requires = "net", value_name = "HOST:PORT")]
    server: Option<String>,
    /// Visits of a search on boards up to 13x13 [default: 150; 96 by a net, 300 with playouts beside it]
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    visits: Option<u32>,
    /// Visits of a search on larger boards [default: 300; 96 by a net, 200 with playouts beside it]
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    large_visits: Option<u32>,
}

/// Visits of a search by default: on small boards, on large ones. Playouts need more of them for a move than
/// a net does. For the same processor time 150 made a better net than 400 (docs/lab/go-net-first.md).
const VISITS: [u32; 2] = [150, 300];
const NET_VISITS: [u32; 2] = [96, 96];
const HYBRID_VISITS: [u32; 2] = [300, 200];
const MAX_NET_BYTES: u64 = 16 << 20;

pub(in crate::cli) fn run(args: &Args) -> Outcome {
    let net = args.net.as_deref().map(|path| read_net(path, args.server.as_deref())).transpose()?;
    let by = match (&net, args.hybrid) {
        (None, _) => By::Playouts,
        (Some(_), false) => By::Net,
        (Some(_), true) => By::Hybrid,
    };
    let [visits, large_visits] = match by {
        By::Playouts => VISITS,
        By::Net => NET_VISITS,
        By::Hybrid => HYBRID_VISITS,
    };
    let settings = SelfplaySettings {
        by,
        net: net.as_ref().map_or(0, |net| net.header().training),
        seed: args.run.seed,
        shard: args.run.shard.index,
        shards: args.run.shard.of,
        visits: args.visits.unwrap_or(visits),
        large_visits: args.large_visits.unwrap_or(large_visits),
        sizes: args.sizes.clone(),
    };
    let goal = args.run.goal(None)?;
    let threads = threads_or_all(args.run.threads);
    let players =
        (0..threads).map(|_| SelfplayPlayer::new(by, net.clone())).collect::<Result<Vec<_>, _>>()?;
    let done = selfplay::run(&args.run.out, &settings, goal, args.run.existing(), players)?;
    print_summary(&done, if net.is_some() { "visits" } else { "playouts" });
    Ok(())
}

/// The net of a file, and its kernel.
fn read_net(path: &Path, server: Option<&str>) -> Result<Arc<ConvNet>, Message> {
    let failure = |error: Message| {
        message!("--net {path}: {error}" | "--net {path}：{error}", path = path.display(), error)
    };
    let bytes = files::read(path, MAX_NET_BYTES).map_err(|error| failure(error.into()))?;
    let net = ConvNet::from_bytes(&bytes).map_err(|error| failure(error.into()))?;
    // Records name the net by its training; 0 stands for games without one.
    ensure!(net.header().training != 0, failure(message!("the net has no training id" | "网络没有训练编号")));
    let Some(address) = server else { return Ok(Arc::new(net)) };
    let server = Server::connect(address, net.header().training).map_err(|error| {
        let why = Message::of(&error);
        message!("--server {address}: {why}" | "--server {address}：{why}", address, why)
    })?;
    Ok(Arc::new(net.served_by(server)))
}
