//! Referees: the rules of each game, applied to every move of a match.

mod board;
mod stones;

pub use stones::{Stones, fixed_handicap};

use super::record::{Ending, GameKind, GoSetup, Opening, Reason, Style};
use crate::chess::position::Position;
use crate::game::{GameId, Side};
use crate::xiangqi::{NoProgress, RuleSet};
use serde::{Deserialize, Serialize};

/// What the rules leave to the organizer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Xiangqi: who judges repetitions: chinese, asian, computer, none.
    pub repetition: Repetition,
    /// A draw counts as a loss for the side that moved first (XQ-8).
    pub deciding_game: bool,
    /// The number of fouls that lose (XQ-9); 0: they are not counted.
    pub fouls: u32,
    /// Go.
    pub go: GoSetup,
}

/// The xiangqi rule set and its limit, as a configuration names them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Repetition {
    /// `chinese`, `asian`, `computer` or `none`.
    pub rules: String,
    /// Plies without a capture that draw; 0 is no limit.
    pub no_progress: u16,
}

impl Default for Repetition {
    fn default() -> Self {
        Self { rules: RuleSet::default().name().to_owned(), no_progress: 120 }
    }
}

impl Repetition {
    fn rule_set(&self) -> Result<RuleSet, String> {
        self.rules.parse()
    }

    fn limit(&self) -> NoProgress {
        match self.no_progress {
            0 => NoProgress::Unlimited,
            plies => NoProgress::Plies(plies),
        }
    }
}

/// The rules of one game in progress.
pub trait Referee: Send {
    /// Whose turn it is.
    fn side_to_move(&self) -> Side;
    /// Makes a move given in coordinates, and does not look whether it ends the game.
    /// # Errors
    /// Why the move is not legal; nothing has changed then.
    fn make(&mut self, mv: &str) -> Result<(), String>;
    /// Plays a move given in coordinates. `Some`: it ends the game.
    /// # Errors
    /// Why the move is not legal; nothing has changed then.
    fn play(&mut self, mv: &str) -> Result<Option<Ending>, String> {
        self.make(mv)?;
        Ok(self.ending())
    }
    /// Whether the move is legal and the game goes on after it.
    fn goes_on_after(&self, mv: &str) -> bool;
    /// How the game ends when `loser` forfeits it: by its clock, an illegal move or the end of its process. In chess that
    /// is a draw if the opponent cannot checkmate by any possible series of legal moves (CH-12; FIDE 6.9, 7.5.5).
    fn forfeit(&self, loser: Side, reason: Reason, detail: String) -> Ending {
        Ending::won(loser.other(), reason, detail)
    }
    /// Chess: the draw that the side to move can claim with a move that it is about to make (CH-8, CH-9). `None`: there is
    /// none.
    fn claim(&self) -> Option<Ending> {
        None
    }
    /// The first move of a line of play from here that is not legal.
    fn first_illegal<'l>(&self, _line: &'l [String]) -> Option<&'l str> {
        None
    }
    /// Whether the last move was a capture, or in chess a pawn move.
    fn made_progress(&self) -> bool {
        false
    }
    /// Whether the move, not yet played, is legal and captures.
    fn captures(&self, mv: &str) -> bool;
    /// The move in the usual form of its coordinates, asked for before it is played; as it is where it is not legal.
    fn coordinates(&self, mv: &str) -> String;
    /// The move in coordinates that a text in another notation means. `None`: there is none.
    fn read(&self, _text: &str) -> Option<String> {
        None
    }
    /// The move in the notation of records, asked for before it is played; of xiangqi in that of `style`. Empty: the
    /// coordinates are.
    fn notation(&self, mv: &str, style: Style) -> String;
    /// How the rules end the game here, if they do.
    fn ending(&self) -> Option<Ending>;
    /// Chess, after a capture or a pawn move: the position that endgame tables are asked about.
    fn endgame(&self) -> Option<&Position> {
        None
    }
    /// The board of Go.
    fn stones(&self) -> Option<&Stones> {
        None
    }
}

/// Plays a game that was played before, and looks at its last position alone: whether that ends it.
/// # Errors
/// The first move that is not legal, and why.
pub fn replay<'m>(
    referee: &mut dyn Referee,
    moves: impl IntoIterator<Item = &'m String>,
) -> Result<Option<Ending>, String> {
    moves.into_iter().try_for_each(|mv| referee.make(mv))?;
    Ok(referee.ending())
}

/// A referee at the position the opening's FEN gives; the opening's moves are still to be played.
/// # Errors
/// Says what is wrong with the FEN or the rules.
pub fn create(kind: GameKind, rules: &Rules, opening: &Opening) -> Result<Box<dyn Referee>, String> {
    let fen = opening.fen.as_deref();
    Ok(match kind.game() {
        GameId::Chess => Box::new(board::chess(fen, kind == GameKind::CHESS960)?),
        GameId::Xiangqi => Box::new(board::xiangqi(fen, rules)?),
        GameId::Go => Box::new(Stones::new(&rules.go)?),
    })
}
