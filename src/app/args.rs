//! Arguments that several commands share.

use crate::engine::GameId;
use crate::games::formats;
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
