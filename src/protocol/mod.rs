//! Protocols: lines of text in, lines of text out.
//!
//! A [`Dialect`] understands one protocol. It owns no engine and prints nothing: it asks the
//! [`Host`], which the controller is, to act, and hands it the lines to write.
// No input may bring the program down. Tests may.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod conversation;
pub mod defaults;
mod extras;
mod go;
pub mod gtp;
mod host;
pub mod io;
pub mod options;
pub mod page;
mod ucci;
pub mod uci;
mod verbs;
mod words;

use crate::engine::{Event, GameId};
use crate::util::lang::Language;
use crate::util::message::Message;
pub use host::{GoSearch, Host, HostOptions, HostSearch, Io, State};
use io::FastAction;

pub trait Dialect: Send {
    fn open(&mut self, _host: &mut dyn Host) {}
    /// Sets an option of the command line, by its name or by the protocol's name for it.
    fn set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) -> Result<(), Message> {
        host.set_option(name, value)
    }
    /// The client has ended the session, and no search runs any more.
    fn farewell(&mut self, _host: &mut dyn Host) {}
    /// Deals with one input line, given without its line end. It may be of any length and hold anything but a
    /// line feed; bytes that are not UTF-8 have been replaced. A search that this line, or one before it,
    /// stops has ended already.
    fn line(&mut self, line: &str, host: &mut dyn Host);
    /// Deals with one input line that comes too late: what came before the end of the session has had its
    /// time. A line that is owed an answer gets the shortest there is, and nothing is done but ending the
    /// session.
    fn dismiss(&mut self, line: &str, host: &mut dyn Host);
    /// Renders what a search reports. When this is a `BestMove`, the host is idle already.
    fn event(&mut self, event: &Event, host: &mut dyn Host);
    /// Whether input is left unread until the running search has ended, whatever search it is (GTP
    /// `genmove`). Asked after every line and event.
    fn waits_for_search(&self) -> bool {
        false
    }
    /// How a remark is written, in lines, that the client gets at any moment and in any state.
    fn remark_form(&self) -> fn(&str) -> Vec<String>;
    /// The reader thread's reaction to a line that arrives during a search, which a busy controller must not
    /// delay. Asked again after every line and event.
    fn fast_action(&self) -> fn(&str) -> FastAction {
        |_| FastAction::None
    }
    /// Whether all input is to be processed: it is left unread while a search runs that ends by itself,
    /// and its end comes to that search only after some time (UCCI `batch`). Asked after every line and
    /// event.
    fn works_through_input(&self) -> bool {
        false
    }
    /// The input has ended and every line of it has been dealt with. The session ends when the running
    /// search, if any, has ended.
    fn input_ended(&mut self, host: &mut dyn Host) {
        host.stop();
    }
}

pub struct Protocol {
    /// Its name, also on the command line.
    pub name: &'static str,
    /// Whether a line opens a session in it.
    pub opens: fn(&str) -> bool,
    /// A dialect for one session of `game`, where the protocol leaves the choice, and the language of its
    /// remarks, where it has remarks for people.
    pub create: fn(game: Option<GameId>, language: Language) -> Box<dyn Dialect>,
    /// Whether an option of this name and value can be given on the command line.
    pub has_option: fn(name: &str, value: &str) -> bool,
}

/// All protocols, in the order in which they are asked whether they know a first line.
pub const PROTOCOLS: &[Protocol] = &[
    Protocol { name: "uci", opens: uci::opens, create: uci::create, has_option: uci::has_option },
    Protocol { name: "ucci", opens: ucci::opens, create: ucci::create, has_option: ucci::has_option },
    Protocol { name: "gtp", opens: gtp::opens, create: gtp::create, has_option: gtp::has_option },
];

pub fn by_name(name: &str) -> Option<&'static Protocol> {
    PROTOCOLS.iter().find(|p| p.name == name)
}

/// The protocol that knows `line` as the first of a session.
pub fn detect(line: &str) -> Option<&'static Protocol> {
    PROTOCOLS.iter().find(|p| (p.opens)(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Lines that open no session: words that people type to find out about the program, and lines that a
    /// client sends when its greeting was not answered.
    const NONE: [&str; 3] = ["help", "stop", "ponderhit"];

    /// A client may begin with any command. It gets a protocol that has the command, not necessarily its own.
    #[test]
    fn every_command_opens_a_protocol_that_has_it() {
        let words = |verbs: &'static [verbs::Verb]| verbs.iter().map(|verb| verb.word).collect::<Vec<_>>();
        let commands: HashMap<&str, Vec<&str>> = HashMap::from([
            ("uci", words(uci::parse::VERBS)),
            ("ucci", words(ucci::parse::VERBS)),
            ("gtp", gtp::registry::all().map(|command| command.name).collect()),
        ]);
        assert_eq!(commands.len(), PROTOCOLS.len());
        for (own, word) in commands.iter().flat_map(|(own, all)| all.iter().map(move |word| (own, *word))) {
            let opened = detect(word).map(|protocol| protocol.name);
            if NONE.contains(&word) {
                assert_eq!(opened, None, "{word} of {own}");
                continue;
            }
            let opened = opened.unwrap_or_else(|| panic!("{word} of {own} opens nothing"));
            assert!(commands[opened].contains(&word), "{word} of {own} opens {opened}");
            assert_eq!(detect(&format!(" {word}\t")).map(|protocol| protocol.name), Some(opened), "{word}");
            // A number before it is GTP's.
            if *own == "gtp" {
                assert_eq!(detect(&format!("7 {word}")).map(|protocol| protocol.name), Some("gtp"), "{word}");
            }
        }
        assert_eq!(detect("setoption name Hash value 1").map(|protocol| protocol.name), Some("uci"));
        assert_eq!(detect("setoption hashsize 1").map(|protocol| protocol.name), Some("ucci"));
    }
}
