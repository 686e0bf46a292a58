//! The pages of a match: what they ask of it.

use crate::arbiter::hall::Hall;
use crate::arbiter::live::LiveMatch;
use crate::serve::live::{self, LiveSource};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::system::remark;
use crate::util::words;
use std::net::IpAddr;
use std::sync::Arc;

pub struct MatchPages {
    pub live: Arc<LiveMatch>,
    pub hall: Arc<Hall>,
    /// The person who needs no page.
    pub at_terminal: Option<usize>,
}

/// Serves the pages of a match, and prints their addresses.
pub fn start(pages: Arc<MatchPages>, listen: IpAddr, port: u16, language: Language) -> Result<(), Message> {
    let addresses = live::start(listen, port, pages, language)?;
    remark!("{}", words::live_page(language, addresses.live));
    remark!("{}", words::arbiter_address(language, addresses.arbiter));
    for (name, address) in addresses.seats {
        remark!("{}", words::seat_address(language, name, address));
    }
    Ok(())
}

impl LiveSource for MatchPages {
    fn about(&self, language: Language) -> String {
        self.live.about(language).to_string()
    }

    fn state(&self, language: Language) -> Arc<str> {
        self.live.state(language)
    }

    fn game(&self, ordinal: usize, language: Language) -> Option<String> {
        self.live.game(ordinal, language)
    }

    fn people(&self) -> Vec<(usize, String)> {
        let mut people = self.hall.people();
        people.retain(|(person, _)| Some(*person) != self.at_terminal);
        people
    }

    fn seat(&self, person: usize, seen: u64, language: Language) -> String {
        self.hall.seat(person, seen, language)
    }

    fn act(&self, person: usize, asked: &[u8], language: Language) -> String {
        self.hall.act_on(person, asked, language)
    }

    fn boards(&self, seen: u64, language: Language) -> String {
        self.hall.boards(seen, language)
    }

    fn order(&self, asked: &[u8], language: Language) -> String {
        self.hall.order_by(asked, language)
    }
}
