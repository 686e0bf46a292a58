//! Referees: the rules of each game at a position.

mod pieces;
mod stones;

pub use crate::go::score::read_komi;
pub use pieces::Pieces;
pub(crate) use pieces::quiet_moves;
pub use stones::{Stones, fixed_handicap, handicap_of};

use super::record::{Ending, GoSetup, Reason, Style};
use crate::chess::position::Position;
use crate::game::Side;
use crate::util::message::Message;
use crate::xiangqi::{self, NoProgress, RuleSet};
use serde::{Deserialize, Serialize};

/// What the rules leave to the organizer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Xiangqi: who judges repetitions: chinese, asian, computer, none.
    pub repetition: Repetition,
    /// Chess: moves without a capture or a pawn move after which a draw may be claimed (CH-9), as
    /// [`FiftyMoves`](crate::chess::fifty::FiftyMoves) reads them; empty: fifty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub fifty_moves: String,
    /// A draw counts as a loss for the side that moved first (XQ-8).
    pub deciding_game: bool,
    /// The number of fouls that lose (XQ-9); 0: they are not counted.
    pub fouls: u32,
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
    /// Has a board judge repetitions by these rules.
    pub(super) fn apply(&self, board: &mut xiangqi::Board) -> Result<(), Message> {
        board.set_rule_set(self.rules.parse()?);
        board.set_no_progress(match self.no_progress {
            0 => NoProgress::Unlimited,
            plies => NoProgress::Plies(plies),
        });
        Ok(())
    }
}

/// The rules of a game at a position. Moves are text, in coordinates unless documented otherwise.
pub trait Referee: Send + Sync {
    fn side_to_move(&self) -> Side;
    /// Every legal move; in Go the pass is the last.
    fn legal(&self) -> Vec<String>;
    /// Plays a move, and does not look whether it ends the game. Gives it in the usual form of its
    /// coordinates.
    /// # Errors
    /// Why it is not legal; nothing has changed then.
    fn play(&mut self, mv: &str) -> Result<String, Message>;
    /// Plays a move of a record: in Go also one that the rules forbid, but the board allows (ko, suicide).
    /// # Errors
    /// Why it cannot be played; nothing has changed then.
    fn play_recorded(&mut self, mv: &str) -> Result<String, Message> {
        self.play(mv)
    }
    /// Takes back the last `count` moves, which were played.
    fn undo(&mut self, count: usize);
    /// The legal move that a text in any notation names.
    fn read(&self, text: &str) -> Result<String, Message>;
    /// A legal move as people write it, of xiangqi in this style; as it is where it is not legal.
    fn write(&self, mv: &str, style: Style) -> String;
    /// The move in the usual form of its coordinates; as it is where it is not legal.
    fn coordinates(&self, mv: &str) -> String;
    /// The position as a FEN, where the game has it.
    fn fen(&self) -> Option<String> {
        None
    }
    /// How the rules end the game here, if they do. A game of Go is counted when both agree that it is over.
    fn ending(&self) -> Option<Ending> {
        None
    }
    /// Whether the move is legal and the game goes on after it.
    fn goes_on_after(&self, mv: &str) -> bool;
    /// How the game ends when `loser` forfeits it: by its clock, an illegal move or the end of its process.
    /// In chess that is a draw if the opponent cannot checkmate by any possible series of legal moves (CH-12;
    /// FIDE 6.9, 7.5.5).
    fn forfeit(&self, loser: Side, reason: Reason, detail: Message) -> Ending {
        Ending::won(loser.other(), reason, detail)
    }
    /// Chess: the draw that the side to move can claim with a move that it is about to make (CH-8, CH-9).
    /// `None`: there is none.
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
    /// Whether the move, not yet played, is legal and captures. Not asked in Go, which has no offers of
    /// draws.
    fn captures(&self, _mv: &str) -> bool {
        false
    }
    /// Chess, after a capture or a pawn move: the position that endgame tables are asked about.
    fn endgame(&self) -> Option<&Position> {
        None
    }
    fn stones(&self) -> Option<&Stones> {
        None
    }
}
