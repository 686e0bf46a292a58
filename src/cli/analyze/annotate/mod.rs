//! Games with the engine's marks. What their records had besides the moves stays.

mod pgn;
mod sgf;

use crate::app::review::Verdicts;
use crate::games::formats::Recorded;
use crate::games::notation::Style;
use crate::games::record::GameKind;
use crate::util::message::Message;

/// Moves of a better line that are written.
const LONGEST_LINE: usize = 10;

/// The game, annotated, with an empty line or a line end behind it.
pub fn write(game: &Recorded, verdicts: &Verdicts, style: Style) -> Result<String, Message> {
    match game.kind {
        GameKind::GO => sgf::write(game, verdicts),
        _ => Ok(pgn::write(game, verdicts, style)),
    }
}
