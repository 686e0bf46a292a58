//! Records of games: SGF in and out.

use super::game_state::{self, GameError, GameState};
use crate::game::Side;
use crate::go::sgf;
use crate::util::message::Message;

/// Bytes of a file with the record of one game.
pub const MAX_SGF_BYTES: u64 = sgf::MAX_BYTES;

/// What stands near the beginning of every record that [`GameState::sgf`] writes.
pub const SGF_MARK: &str = sgf::MARK;

impl GameState {
    /// Loads a game up to just before move number `before` (from 1), or to its end; gives the color to play,
    /// and what is missing in the text. Size, komi and rules become those of the record.
    /// # Errors
    /// Says why the text is no record of a game of Go; nothing has changed then.
    pub fn load_sgf(
        &mut self,
        text: &str,
        before: Option<usize>,
    ) -> Result<(Side, Option<String>), GameError> {
        let position = sgf::load(text, before, *self.position.rules())
            .map_err(|error| GameError::Other(Message::of(&error)))?;
        let board = position.board();
        if board.width().min(board.height()) < game_state::MIN_SIZE {
            return Err(GameError::Size);
        }
        self.replace(position);
        let is_cut = sgf::trees(text).next().is_some_and(|tree| tree.is_cut);
        Ok((self.side_to_move(), is_cut.then(|| sgf::missing_bracket().to_string())))
    }

    /// The game as SGF.
    pub fn sgf(&self) -> String {
        sgf::save(&self.position, &sgf::Info::default())
    }
}
