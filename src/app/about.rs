//! What was built, which of it runs on this processor, and the embedded nets: `sanqi --version`.

use super::language::game as game_name;
use crate::engine::GameId;
use crate::eval::{Chess768, Xiangqi689};
use crate::nnue::{FeatureSet, Net, embedded};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::{build, words};
use crate::{convnet, nnue};

/// `sanqi VERSION` and, below it, a field a line, without the end of the last line. Programs read it in English.
/// # Errors
/// As [`summary`].
pub fn text(language: Language) -> Result<String, Message> {
    let mut lines = vec![
        format!("sanqi {}", build::VERSION),
        words::build_commit(language, words::reason(language, build::COMMIT)),
        words::build_compiler(language, build::COMPILER),
        words::build_target(language, build::TARGET),
        words::build_alphabeta_code(language, nnue::simd::Kernel::best().name()),
        words::build_go_code(language, convnet::Kernel::best().name()),
    ];
    for game in GameId::ALL {
        let net = summary(game)?.map_or_else(|| words::no_net(language), |net| words::reason(language, &net));
        lines.push(words::build_net(language, game_name(language, game), net));
    }
    Ok(lines.join("\n"))
}

/// The embedded net of a game in a few words: its generation, and the checksum that names it in reports.
/// # Errors
/// The embedded file is damaged: a mistake of the build.
pub fn summary(game: GameId) -> Result<Option<String>, Message> {
    fn of_board<F: FeatureSet>() -> Result<Option<String>, Message> {
        Ok(net::<F>()?.map(|net| described(net.info().generation, net.checksum())))
    }
    fn described(generation: u32, checksum: u32) -> String {
        format!("generation {generation}, checksum {checksum:08x}")
    }
    match game {
        GameId::Chess => of_board::<Chess768>(),
        GameId::Xiangqi => of_board::<Xiangqi689>(),
        GameId::Go => Ok(convnet::embedded().map(|net| described(net.header().generation, net.checksum()))),
    }
}

/// The net embedded for a game.
/// # Errors
/// As [`summary`].
pub fn net<F: FeatureSet>() -> Result<Option<Net<F>>, Message> {
    embedded::<F>().map_err(|e| Message::from(format!("the net embedded for {}: {e}", F::GAME)))
}
