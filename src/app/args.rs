//! Arguments that several commands share.

use crate::chess::fifty::{FiftyMoves, FiftyMovesError};
use crate::engine::GameId;
use crate::games::formats;
use crate::games::referee::read_komi;
use crate::message;
use crate::util::message::Message;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use encoding_rs::Encoding;

/// Reads the name of a game with an alpha-beta search: its nets learn from self-play records.
pub fn alpha_beta_game() -> impl TypedValueParser<Value = GameId> {
    let names = [GameId::Chess, GameId::Xiangqi].map(GameId::name);
    PossibleValuesParser::new(names).map(|name| GameId::from_name(&name).unwrap_or_default())
}

/// The number of threads asked for, or one for each processor.
pub fn threads_or_all(threads: Option<u16>) -> usize {
    threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Reads a length of time on the command line.
pub fn seconds_above_0(text: &str) -> Result<f64, &'static str> {
    let is_length = |&seconds: &f64| (1e-9..=1e9).contains(&seconds);
    text.parse().ok().filter(is_length).ok_or("a number of seconds above 0 is wanted")
}

/// Reads an option of an engine on the command line.
pub fn name_and_value(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("an option is NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Reads the name of an encoding on the command line.
pub fn encoding(name: &str) -> Result<&'static Encoding, &'static str> {
    formats::encoding_named(name).ok_or("no encoding of that name is known")
}

/// Reads a komi on the command line: points, or stones of the Chinese count.
pub fn komi(text: &str) -> Result<f32, Message> {
    read_komi(text).map(|points| points as f32).ok_or_else(|| {
        message!(
            "a komi is a number of points, or of stones as in 3.75zi or 3又3/4子"
                | "贴目写作目数，或写作子数，例如 3.75zi、3又3/4子"
        )
    })
}

/// Reads the moves of the fifty-move rule on the command line.
pub fn fifty_moves(text: &str) -> Result<String, FiftyMovesError> {
    text.parse::<FiftyMoves>().map(|_| text.to_owned())
}
