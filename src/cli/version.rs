//! `sanqi --version`: what was built, and which of it runs on this processor.

use super::language::game as game_name;
use super::nets::netinfo;
use super::{Outcome, say};
use crate::engine::GameId;
use crate::util::lang::Language;
use crate::util::{build, words};
use crate::{convnet, nnue};

/// Prints `sanqi VERSION` and, below it, a field a line. Programs read it: it has one language.
pub fn run() -> Outcome {
    say(text(Language::English)?);
    Ok(())
}

/// The lines, without the end of the last one.
/// # Errors
/// As [`netinfo::summary`].
pub fn text(language: Language) -> Result<String, super::Failure> {
    let mut lines = vec![
        format!("sanqi {}", build::VERSION),
        words::build_commit(language, words::reason(language, build::COMMIT)),
        words::build_compiler(language, build::COMPILER),
        words::build_target(language, build::TARGET),
        words::build_alphabeta_code(language, nnue::simd::Kernel::best().name()),
        words::build_go_code(language, convnet::Kernel::best().name()),
    ];
    for game in GameId::ALL {
        let net = netinfo::summary(game)?
            .map_or_else(|| words::no_net(language), |net| words::reason(language, &net));
        lines.push(words::build_net(language, game_name(language, game), net));
    }
    Ok(lines.join("\n"))
}
