//! Counting a finished game of Go in the terminal: both sides have passed and agree on dead stones.

use super::{Next, PlaySession, boards};
use crate::app::console::{put, say};
use crate::app::terminal::count;
use crate::app::terminal::typed::{known, narrow};
use crate::engine::Side;
use crate::table::{Action, Actor};
use crate::util::message::Message;
use crate::util::words;

impl PlaySession {
    /// Draws the counted board with these stones dead.
    fn show_count(&self, dead: &[String]) {
        let Some(stones) = self.game.position().stones() else { return };
        put(boards::draw_count(stones, &stones.dead_stones(dead), self.look));
        say(boards::count_legend(self.language, self.look));
    }

    /// Counts a game of Go after two passes; the person may dispute which stones are dead, or play
    /// on.
    pub(super) fn settle(&mut self) -> Result<Next, Message> {
        let mut dead = self.game.dead_stones();
        self.show_count(&dead);
        loop {
            let Some(ending) = self.game.count(&dead) else { return Ok(Next::Quit) };
            let before = self.game.length();
            let list = if dead.is_empty() { words::none_dead(self.language) } else { dead.join(" ") };
            say(words::count_so_far(self.language, list, ending.text(self.language)));
            let prompt = words::agree_prompt(self.language);
            let Some(line) = self.input.line(&prompt)? else {
                match self.leave()? {
                    Next::Stay => continue,
                    next => return Ok(next),
                }
            };
            let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
            match known(word).as_str() {
                "" | "y" | "yes" | "ok" | "agree" => {
                    for side in [Side::First, Side::Second] {
                        self.expect(Actor::Player(side), Action::Count { dead: dead.clone() })?;
                    }
                    return Ok(Next::Turn);
                }
                "help" | "?" | "n" | "no" | "pass" => say(words::count_help(self.language)),
                word => match self.command(word, rest.trim())? {
                    Some(Next::Stay) if self.game.length() == before => {}
                    Some(next) => return Ok(next),
                    None if self.dispute(&narrow(&line), &mut dead) => self.show_count(&dead),
                    None => {}
                },
            }
        }
    }

    /// Changes what the chains on some vertices are taken for; whether there is any.
    fn dispute(&self, vertices: &str, dead: &mut Vec<String>) -> bool {
        let missing = |vertex: &str| say(words::no_stone_on(self.language, vertex));
        count::dispute(self.game.position(), vertices, dead, missing)
    }
}
