//! The name of a game: what layers match on where they leave the generic code for that of one game.

use super::Side;
use crate::util::lang::{Language, named};
use crate::util::message::Message;
use crate::util::words;

named! {
    #[derive(clap::ValueEnum, Default)]
    pub enum GameId {
        // Chess and Chess960.
        #[default]
        Chess = "chess": "chess" | "国际象棋",
        Xiangqi = "xiangqi": "xiangqi" | "象棋",
        Go = "go": "go" | "围棋",
    }
}

impl GameId {
    /// What the sides are called, the first one first.
    const fn colors(self) -> [(&'static str, fn(Language) -> String); 2] {
        const WHITE: (&str, fn(Language) -> String) = ("White", words::white);
        const BLACK: (&str, fn(Language) -> String) = ("Black", words::black);
        match self {
            Self::Chess => [WHITE, BLACK],
            Self::Xiangqi => [("Red", words::red), BLACK],
            Self::Go => [BLACK, WHITE],
        }
    }

    /// What a side is called: White and Black, Red and Black, Black and White.
    pub const fn side_name(self, side: Side) -> &'static str {
        side.of(&self.colors()).0
    }

    /// What a side is called, in both languages.
    pub fn side(self, side: Side) -> Message {
        Message::new(self.side_name(side), self.side_text(side, Language::Chinese))
    }

    /// [`side_name`](Self::side_name) in a language.
    pub fn side_text(self, side: Side, language: Language) -> String {
        side.of(&self.colors()).1(language)
    }
}
