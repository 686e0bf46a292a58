//! Speaking a protocol on standard input and output.

use crate::controller::{self, Config};
use crate::engine::GameId;
use crate::protocol;
use std::process::ExitCode;

/// How to speak.
#[derive(clap::Args, Default)]
pub struct ProtocolArgs {
    /// The game, where the protocol leaves the choice: UCI speaks of chess, and of xiangqi if told so here
    #[arg(long, value_name = "GAME")]
    game: Option<GameId>,
}

/// Speaks the protocol called `name`, or whichever the client's first known word belongs to.
pub fn run(name: Option<&str>, args: &ProtocolArgs) -> ExitCode {
    let protocol = name.and_then(protocol::by_name);
    controller::run(Config { protocol, game: args.game, commands: Vec::new() })
}

/// Runs `lines` as if they were typed; then goes on with standard input, unless one of them quits.
pub fn run_lines(lines: Vec<String>) -> ExitCode {
    // A first line that opens no session is one of UCI's: `position`, `go`, `setoption`.
    let first = lines.first().and_then(|line| protocol::detect(line));
    let protocol = first.or_else(|| protocol::by_name("uci"));
    controller::run(Config { protocol, game: None, commands: lines })
}
