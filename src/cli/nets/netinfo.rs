//! `sanqi netinfo`: what a net is and where it comes from.

use super::at;
use crate::cli::{Failure, Outcome, say};
use crate::convnet;
use crate::engine::GameId;
use crate::eval::{Chess768, Xiangqi689};
use crate::nnue::{FeatureSet, Net, NetError, embedded};
use crate::util::files;
use std::path::Path;

/// Say what a net is and where it comes from
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    /// A net file, or a game for the embedded one [default: all embedded ones]
    #[arg(value_name = "FILE|GAME")]
    net: Option<String>,
}

pub(in crate::cli) fn run(args: &Args) -> Outcome {
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
    let bytes = files::read_named(path).map_err(|e| at(path, e))?;
    if bytes.starts_with(&convnet::file::MAGIC) {
        say(convnet::Net::from_bytes(&bytes).map_err(|e| at(path, e))?);
        return Ok(());
    }
    match Net::<Xiangqi689>::from_bytes(&bytes) {
        Ok(net) => say(net),
        Err(NetError::WrongGame { .. }) => say(Net::<Chess768>::from_bytes(&bytes).map_err(|e| at(path, e))?),
        Err(why) => return Err(at(path, why)),
    }
    Ok(())
}

/// The embedded net of a game in a few words: its generation, and the checksum that names it in reports.
/// # Errors
/// The file embedded was no good: a mistake of the build.
pub(in crate::cli) fn summary(game: GameId) -> Result<Option<String>, Failure> {
    fn of_board<F: FeatureSet>() -> Result<Option<String>, Failure> {
        Ok(built_in::<F>()?.map(|net| words(net.info().generation, net.checksum())))
    }
    fn words(generation: u32, checksum: u32) -> String {
        format!("generation {generation}, checksum {checksum:08x}")
    }
    match game {
        GameId::Chess => of_board::<Chess768>(),
        GameId::Xiangqi => of_board::<Xiangqi689>(),
        GameId::Go => Ok(convnet::embedded().map(|net| words(net.header().generation, net.checksum()))),
    }
}

fn built_in<F: FeatureSet>() -> Result<Option<Net<F>>, Failure> {
    embedded::<F>().map_err(|e| Failure(format!("the net embedded for {}: {e}", F::GAME)))
}

fn describe_embedded(game: GameId) -> Result<Option<String>, Failure> {
    fn text<F: FeatureSet>() -> Result<Option<String>, Failure> {
        Ok(built_in::<F>()?.map(|net| net.to_string()))
    }
    match game {
        GameId::Chess => text::<Chess768>(),
        GameId::Xiangqi => text::<Xiangqi689>(),
        GameId::Go => Ok(convnet::embedded().map(|net| net.to_string())),
    }
}
