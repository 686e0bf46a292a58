//! `sanqi --version`: what was built, and which of it runs on this processor.

use super::nets::netinfo;
use super::{Outcome, say};
use crate::engine::GameId;
use crate::util::build;
use crate::{convnet, nnue};

/// Prints `sanqi VERSION` and, below it, a field a line.
pub fn run() -> Outcome {
    say(text()?);
    Ok(())
}

/// The lines, without the end of the last one.
/// # Errors
/// As [`netinfo::summary`].
pub fn text() -> Result<String, super::Failure> {
    let mut lines = vec![
        format!("sanqi {}", build::VERSION),
        format!("commit: {}", build::COMMIT),
        format!("compiler: {}", build::COMPILER),
        format!("target: {}", build::TARGET),
        format!("code for chess and xiangqi: {}", nnue::simd::Kernel::best().name()),
        format!("code for go: {}", convnet::Kernel::best().name()),
    ];
    for game in GameId::ALL {
        let net = netinfo::summary(game)?.unwrap_or_else(|| "none".to_owned());
        lines.push(format!("net of {}: {net}", game.name()));
    }
    Ok(lines.join("\n"))
}
