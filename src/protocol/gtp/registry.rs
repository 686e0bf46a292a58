//! The one list of commands: what is known, how it is called, what runs it.
//!
//! Each family of commands is a table in its own file. `list_commands`, `known_command`, `help` and the
//! check for missing arguments all read these tables, so that they cannot disagree.
//!
//! The families, the session and this file are a circle: the list names every family, `list_commands` and `help` are
//! commands of a family and read the list, and each command runs on a session.

use super::args::Refusal;
use super::line::Request;
use super::session::Session;
use super::{analyze, genmove, gogui, kata, kept, kgs, leela, query, rules, score, setup, standard, time};

/// What a handler answers.
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

/// What a command comes to.
pub type Reply = Result<Answer, Refusal>;

/// Success without a text.
pub fn done() -> Reply {
    Ok(Answer::Text(String::new()))
}

/// One command.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Its arguments, as people read them: a word each, optional ones in brackets.
    pub usage: &'static str,
    /// What it does, in a few words.
    pub help: &'static str,
    /// Runs it.
    pub run: fn(&mut Session<'_>, &Request) -> Reply,
}

impl Command {
    /// Number of arguments without which it is a syntax error.
    pub fn required(&self) -> usize {
        self.usage.split_whitespace().take_while(|word| !word.starts_with('[')).count()
    }
}

/// What clients expect to be told where arguments of these commands are missing, or too few to mean anything.
const MISSING: &[(&str, &str)] = &[
    ("play", "invalid color or coordinate"),
    ("genmove", "invalid color"),
    ("reg_genmove", "invalid color"),
    ("set_free_handicap", "invalid handicap"),
];

impl Command {
    /// Why it fails without its arguments.
    pub fn missing(&self) -> Refusal {
        let found = MISSING.iter().find(|(name, _)| *name == self.name);
        found.map_or(Refusal::SYNTAX, |(_, text)| (*text).into())
    }
}

const FAMILIES: &[&[Command]] = &[
    standard::COMMANDS,
    setup::COMMANDS,
    genmove::COMMANDS,
    time::COMMANDS,
    score::COMMANDS,
    analyze::COMMANDS,
    rules::COMMANDS,
    query::COMMANDS,
    kgs::COMMANDS,
    kata::COMMANDS,
    kept::COMMANDS,
    leela::COMMANDS,
    gogui::COMMANDS,
];

/// All commands, family by family.
pub fn all() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().copied().flatten()
}

/// The command of this name.
pub fn find(name: &str) -> Option<&'static Command> {
    all().find(|command| command.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_command_is_listed_twice() {
        let mut seen = HashSet::new();
        for command in all() {
            assert!(seen.insert(command.name), "{}", command.name);
        }
    }

    #[test]
    fn arguments_in_brackets_are_optional() {
        assert_eq!(find("play").map(Command::required), Some(2));
        assert_eq!(find("genmove").map(Command::required), Some(1));
        assert_eq!(find("final_status_list").map(Command::required), Some(1));
        assert_eq!(find("name").map(Command::required), Some(0));
    }

    #[test]
    fn the_standard_set_is_whole() {
        let standard = "quit protocol_version name version known_command list_commands boardsize \
            clear_board komi play genmove reg_genmove undo fixed_handicap place_free_handicap set_free_handicap loadsgf \
            time_settings time_left final_score final_status_list showboard";
        for name in standard.split_whitespace() {
            assert!(find(name).is_some(), "{name}");
        }
    }
}
