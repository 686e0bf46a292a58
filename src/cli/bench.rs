//! `sanqi bench`: a fixed amount of work, whose node count is the engine's signature.

use crate::app::console::{Outcome, say};
use crate::engine::{self, GameId};
use crate::message;
use crate::util::rate::per_second;

#[derive(clap::Args)]
pub struct Args {
    /// The game
    #[arg(default_value = "chess")]
    game: GameId,
    /// Plies (Go: visits) a position
    #[arg(long)]
    depth: Option<u32>,
    /// Threads; with more than one the count is not a signature
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// MiB of table
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
}

pub fn run(args: &Args) -> Outcome {
    let mut engine = engine::create(args.game);
    for (name, value) in [("Threads", args.threads.to_string()), ("Hash", args.hash.to_string())] {
        let known = engine.options().iter().any(|option| option.name == name);
        if known {
            engine
                .set_option(name, &value)
                .map_err(|e| message!("{name} {value}: {e}" | "{name} {value}：{e}", name, value, e))?;
        }
    }
    let (nodes, time) = engine.bench(args.depth, &engine::StopFlag::default());
    say(format_args!("{nodes} nodes {} nps", per_second(nodes, time)));
    Ok(())
}
