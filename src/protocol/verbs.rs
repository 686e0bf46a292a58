//! The commands of a protocol as one table: its word, and what is made of a line that begins with it.
//!
//! What a line means, what it does to a running search and whether it is a command at all are read from the
//! same row, so that they cannot disagree.

use super::conversation::Command;
use super::extras::Extension;
use super::io::FastAction;
use super::words::first_word;

pub struct Verb {
    pub word: &'static str,
    /// Whether unknown words may stand before it.
    pub after_noise: bool,
    /// Its effect on a running search at the moment it arrives.
    pub fast_action: FastAction,
    /// Reads it: the line from its word on, and what follows the word.
    pub read: fn(&str, &str) -> Command,
}

impl Verb {
    /// A command of the protocol that does nothing to a running search.
    pub const fn new(word: &'static str, read: fn(&str, &str) -> Command) -> Self {
        Self { word, after_noise: true, fast_action: FastAction::None, read }
    }

    pub const fn with_fast_action(self, fast_action: FastAction) -> Self {
        Self { fast_action, ..self }
    }

    /// One that is a command only as the first word: the protocol has none of that name.
    pub const fn first_only(self) -> Self {
        Self { after_noise: false, ..self }
    }
}

/// The command of a line, the line from its word on, and what follows the word. Where the protocol skips
/// words that are no commands (`noise`), it is the first that is one.
pub fn find<'a>(
    table: &'static [Verb],
    line: &'a str,
    noise: bool,
) -> Option<(&'static Verb, &'a str, &'a str)> {
    let (mut rest, mut is_first) = (line.trim_ascii_start(), true);
    loop {
        let (word, after) = first_word(rest);
        if word.is_empty() {
            return None;
        }
        let found = table.iter().find(|verb| verb.word == word && (is_first || verb.after_noise));
        match found {
            Some(verb) => return Some((verb, rest, after)),
            None if !noise => return None,
            None => (rest, is_first) = (after, false),
        }
    }
}

pub fn help(after: &str) -> Command {
    match first_word(after) {
        ("option", name) => Command::HelpOption(name.trim_ascii_end().to_owned()),
        _ => Command::Extension(Extension::Help),
    }
}

pub fn parse(table: &'static [Verb], line: &str, noise: bool) -> Command {
    match find(table, line, noise) {
        Some((verb, whole, after)) => (verb.read)(whole, after),
        None if line.trim_ascii().is_empty() => Command::Empty,
        None => Command::Unknown,
    }
}

/// The effect of a line on a running search.
pub fn fast_action(table: &'static [Verb], line: &str, noise: bool) -> FastAction {
    find(table, line, noise).map_or(FastAction::None, |(verb, ..)| verb.fast_action)
}
