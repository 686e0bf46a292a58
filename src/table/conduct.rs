//! What a table allows: which clauses of the rule texts apply, and what breaking them costs.

use crate::game::GameId;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The terms that are not time and not the rules of the board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conduct {
    /// Chess: third occurrences and fifty moves draw when a player claims it (CH-8, CH-9), and without a
    /// claim only at the fifth occurrence and after 75 moves (FIDE 9.6). Otherwise the referee ends the game
    /// at once.
    pub claims: bool,
    /// Moves may be taken back, and the engine may be asked for advice.
    pub take_backs: bool,
    /// The illegal move of a player that loses the game; 0: every one is put back (CH-14).
    pub illegal_moves: u32,
    /// What the opponent gets for an illegal move that does not lose.
    pub illegal_bonus: Duration,
    /// What a wrong claim takes from the claimant's clock (CH-15).
    pub wrong_claim_cost: Duration,
    /// What the opponent gets for a wrong claim.
    pub wrong_claim_bonus: Duration,
    /// The number of fouls that lose; 0: they are refused and not counted (XQ-9).
    pub fouls: u32,
}

/// The presets.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preset {
    // Take-backs, advice, no penalties.
    #[default]
    Casual,
    // A serious game by the rule texts: no take-backs, claims are examined, fouls count.
    Match,
    // FIDE's rapid chess: two minutes for an illegal move, the second loses.
    Rapid,
    // FIDE's blitz: one minute.
    Blitz,
}

impl Preset {
    /// The conduct of a game.
    pub fn conduct(self, game: GameId) -> Conduct {
        let is_serious = self != Self::Casual;
        let minutes = |n: u64| Duration::from_secs(60 * n);
        let is_chess = is_serious && game == GameId::Chess;
        let bonus = match self {
            Self::Rapid => minutes(2),
            Self::Blitz => minutes(1),
            Self::Casual | Self::Match => Duration::ZERO,
        };
        let fide = if is_chess { bonus } else { Duration::ZERO };
        Conduct {
            claims: is_chess,
            take_backs: !is_serious,
            illegal_moves: if fide.is_zero() { 0 } else { 2 },
            illegal_bonus: fide,
            wrong_claim_cost: if is_chess && fide.is_zero() { minutes(5) } else { Duration::ZERO },
            wrong_claim_bonus: fide,
            fouls: if is_serious && game == GameId::Xiangqi { 3 } else { 0 },
        }
    }
}
