//! `sanqi net info`: the header of a net.

use crate::app::about;
use crate::app::console::{Outcome, at, say};
use crate::convnet;
use crate::engine::GameId;
use crate::eval::{Chess768, Xiangqi689};
use crate::message;
use crate::nnue::{FeatureSet, Net, NetError};
use crate::util::files;
use crate::util::message::Message;
use std::path::Path;

/// Show the header of a net: game, architecture, training
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
        let none = || message!("no net for {name} is embedded" | "程序里没有 {name} 的网络", name);
        say(describe_embedded(game)?.ok_or_else(none)?);
        return Ok(());
    }
    let path = Path::new(name);
    let bytes = files::read_named(path).map_err(|e| at(path, e))?;
    if bytes.starts_with(&convnet::file::MAGIC) {
        say(convnet::ConvNet::from_bytes(&bytes).map_err(|e| at(path, e))?);
        return Ok(());
    }
    match Net::<Xiangqi689>::from_bytes(&bytes) {
        Ok(net) => say(net),
        Err(NetError::WrongGame(..)) => say(Net::<Chess768>::from_bytes(&bytes).map_err(|e| at(path, e))?),
        Err(why) => return Err(at(path, why)),
    }
    Ok(())
}

fn describe_embedded(game: GameId) -> Result<Option<String>, Message> {
    fn text<F: FeatureSet>() -> Result<Option<String>, Message> {
        Ok(about::net::<F>()?.map(|net| net.to_string()))
    }
    match game {
        GameId::Chess => text::<Chess768>(),
        GameId::Xiangqi => text::<Xiangqi689>(),
        GameId::Go => Ok(convnet::embedded().map(|net| net.to_string())),
    }
}
