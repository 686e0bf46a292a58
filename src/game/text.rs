//! Positions and moves as text.

use super::Game;
use crate::util::message::Message;
use std::fmt::Debug;

/// A position that can be written down.
pub trait Text: Game {
    /// How moves are written, where there are several ways; the default is the usual one.
    type Notation: Copy + Debug + Default + Send + Sync + 'static;

    /// Parses a FEN.
    /// # Errors
    /// Says what is wrong with it, in one line of lower case.
    fn from_fen(fen: &str) -> Result<Self, Message>;
    fn fen(&self) -> String;
    /// Finds the legal move that `text` names.
    /// # Errors
    /// Says why there is none.
    fn parse_move(&self, text: &str, notation: Self::Notation) -> Result<Self::Move, Message>;
    fn move_text(&self, mv: Self::Move, notation: Self::Notation) -> String;
    /// The board as a picture of characters, for people.
    fn diagram(&self) -> String;
    /// The same with its ranks as this notation counts them.
    fn diagram_in(&self, _notation: Self::Notation) -> String {
        self.diagram()
    }
}

/// Half-moves before a position, as its FEN counts them in its second and sixth field.
pub fn plies_before(fen: &str) -> u32 {
    let mut fields = fen.split_whitespace();
    let second_moves = matches!(fields.nth(1), Some("b" | "B"));
    let number: u32 = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
    number.saturating_sub(1).saturating_mul(2).saturating_add(u32::from(second_moves))
}
