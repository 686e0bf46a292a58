//! Numbers of moves.

use super::GameKind;
use crate::game::GameId;

/// How the moves of a game are numbered: from what was played before it, and in Go each by itself.
#[derive(Clone, Copy, Debug)]
pub struct Numbering {
    /// Half-moves before the first of the game.
    pub before: usize,
    each: bool,
}

impl Numbering {
    /// That of a game which starts from this FEN, or as usual.
    pub fn of(kind: GameKind, fen: Option<&str>) -> Self {
        let before = fen.map_or(0, |fen| crate::game::plies_before(fen) as usize);
        match kind.game() {
            GameId::Go => Self { before: 0, each: true },
            GameId::Chess | GameId::Xiangqi => Self { before, each: false },
        }
    }

    /// The number of the move at index `ply`, and the dots behind it: `12.` or `12...`.
    pub fn text(self, ply: usize) -> String {
        let at = self.before.saturating_add(ply);
        match self.each {
            true => format!("{}.", at.saturating_add(1)),
            false => {
                format!("{}{}", (at / 2).saturating_add(1), if at.is_multiple_of(2) { "." } else { "..." })
            }
        }
    }
}
