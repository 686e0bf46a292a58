//! What was built, which of it runs on this processor, and the embedded nets: `sanqi --version`.

use crate::engine::GameId;
use crate::eval::{Chess768, Xiangqi689};
use crate::message;
use crate::nnue::{FeatureSet, Net, embedded};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::{build, words};
use crate::{convnet, nnue};

/// `sanqi VERSION` and, below it, a field a line, without the end of the last line. Programs read it in
/// English.
pub fn text(language: Language) -> Result<String, Message> {
    let mut lines = vec![
        format!("sanqi {}", build::VERSION),
        words::build_commit(language, commit(language)),
        words::build_compiler(language, build::COMPILER),
        words::build_target(language, build::TARGET),
        words::build_alphabeta_code(language, nnue::simd::Kernel::best().name()),
        words::build_go_code(language, convnet::Kernel::best().name()),
    ];
    for game in GameId::ALL {
        let net = summary(game)?.map_or_else(|| words::no_net(language), |net| net.text(language).to_owned());
        lines.push(words::build_net(language, game.text(language), net));
    }
    Ok(lines.join("\n"))
}

fn commit(language: Language) -> String {
    match build::COMMIT.strip_suffix(", with changes") {
        Some(commit) => words::with_changes(language, commit),
        None => build::COMMIT.to_owned(),
    }
}

/// The embedded net of a game in a few words: its generation, and the checksum that names it in reports.
fn summary(game: GameId) -> Result<Option<Message>, Message> {
    fn of_board<F: FeatureSet>() -> Result<Option<Message>, Message> {
        Ok(net::<F>()?.map(|net| described(net.info().generation, net.checksum())))
    }
    fn described(generation: u32, checksum: u32) -> Message {
        let checksum = format!("{checksum:08x}");
        message!(
            "generation {generation}, checksum {checksum}" | "第 {generation} 代，校验和 {checksum}",
            generation,
            checksum
        )
    }
    match game {
        GameId::Chess => of_board::<Chess768>(),
        GameId::Xiangqi => of_board::<Xiangqi689>(),
        GameId::Go => Ok(convnet::embedded().map(|net| described(net.header().generation, net.checksum()))),
    }
}

pub fn net<F: FeatureSet>() -> Result<Option<Net<F>>, Message> {
    embedded::<F>().map_err(|why| {
        message!("the net embedded for {game}: {why}" | "内置的 {game} 网络：{why}", game = F::GAME, why)
    })
}
