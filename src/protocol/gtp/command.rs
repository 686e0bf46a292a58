//! A command of GTP: its name, its arguments, what runs it, and what it answers.
//!
//! A circle with the session: a command runs on a session, and a session keeps the reply that waits for a
//! search.

use super::args::{Refusal, words};
use super::line::Request;
use super::session::Session;

pub enum Answer {
    /// At once, with this text.
    Text(String),
    /// When the search that it started ends.
    Later,
}

impl From<&str> for Answer {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

pub(super) type Reply = Result<Answer, Refusal>;

/// Success without a text.
pub fn done() -> Reply {
    Ok(Answer::Text(String::new()))
}

pub fn list(of: Vec<String>) -> Reply {
    Ok(words(of).into())
}

pub struct GtpCommand {
    pub name: &'static str,
    /// Its arguments for `help`: a word each, optional ones in brackets.
    pub usage: &'static str,
    pub help: &'static str,
    pub run: fn(&mut Session<'_>, &Request) -> Reply,
}

/// The table of a family: `"name" "ARGUMENTS" => handler, "help";`.
macro_rules! commands {
    ($($name:literal $usage:literal => $run:expr, $help:literal;)*) => {
        &[$($crate::protocol::gtp::command::GtpCommand {
            name: $name,
            usage: $usage,
            help: $help,
            run: $run,
        }),*]
    };
}
pub(super) use commands;

impl GtpCommand {
    /// Number of arguments without which it is a syntax error.
    pub fn required(&self) -> usize {
        self.usage.split_whitespace().take_while(|word| !word.starts_with('[')).count()
    }
}

/// The errors that clients expect where these commands lack arguments.
const MISSING: &[(&str, &str)] = &[
    ("play", "invalid color or coordinate"),
    ("genmove", "invalid color"),
    ("reg_genmove", "invalid color"),
    ("set_free_handicap", "invalid handicap"),
];

impl GtpCommand {
    /// Its error when arguments are missing.
    pub fn missing(&self) -> Refusal {
        let found = MISSING.iter().find(|(name, _)| *name == self.name);
        found.map_or(Refusal::SYNTAX, |(_, text)| (*text).into())
    }
}
