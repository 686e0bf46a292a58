//! A move between the lines that the search expects with and without it.

use super::Opinion;
use crate::app::language::usual_style;
use crate::game::Side;
use crate::games::game::{Game, Position};
use crate::util::lang::Language;
use crate::util::message::Message;

/// A move with the search's lines in its place and after it.
pub(super) struct Lines<'a> {
    /// Before the move.
    pub game: &'a Game,
    /// After it.
    pub next: &'a Game,
    pub mv: &'a str,
    pub before: &'a Opinion,
    pub after: &'a Opinion,
}

impl Lines<'_> {
    pub fn mover(&self) -> Side {
        self.game.side_to_move()
    }

    /// The first move of the line that refutes the move.
    pub fn reply(&self) -> Option<Message> {
        Some(written(self.next, self.after.line.first()?))
    }

    /// The move that was better.
    pub fn better(&self) -> Option<Message> {
        let first = self.before.line.first()?;
        (*first != self.mv).then(|| written(self.game, first))
    }
}

/// A move as readers of each language write it.
pub(super) fn written(position: &Position, mv: &str) -> Message {
    let [english, chinese] =
        [Language::English, Language::Chinese].map(|language| position.write(mv, usual_style(language)));
    Message::new(english, chinese)
}
