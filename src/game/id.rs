//! The name of a game: what layers match on where they leave the generic code for that of one game.

use super::Side;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum GameId {
    /// Chess and Chess960.
    #[default]
    Chess,
    Xiangqi,
    Go,
}

impl GameId {
    pub const ALL: [Self; 3] = [Self::Chess, Self::Xiangqi, Self::Go];

    /// `chess`, `xiangqi` or `go`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Xiangqi => "xiangqi",
            Self::Go => "go",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|g| g.name() == name)
    }

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
