//! What is checked in XBoard's protocol. <https://www.gnu.org/software/xboard/engine-intf.html>

mod language;
mod play;
mod session;

use super::exam::{Exam, Group};
use crate::games::record::GameKind;

/// The groups of XBoard's protocol.
pub const XBOARD: &[Group] = &[
    Group { name: "handshake", run: language::handshake },
    Group { name: "ready", run: language::ready },
    Group { name: "answers", run: language::answers },
    Group { name: "clocks", run: play::clocks },
    Group { name: "limits", run: play::limits },
    Group { name: "stop", run: play::stop },
    Group { name: "games", run: play::games },
    Group { name: "moves", run: play::moves },
    Group { name: "board", run: language::board },
    Group { name: "info", run: play::info },
    Group { name: "scores", run: play::scores },
    Group { name: "input", run: language::input },
    Group { name: "quit", run: language::quit },
];

/// The game that the engine says it plays; chess if it does not.
pub fn game(exam: &mut Exam) -> GameKind {
    session::Session::open(exam).map_or(GameKind::CHESS, |session| session.game())
}
