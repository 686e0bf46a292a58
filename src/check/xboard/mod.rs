//! What is checked in XBoard's protocol. <https://www.gnu.org/software/xboard/engine-intf.html>

mod commands;
mod play;
mod session;

use super::run::{CheckRun, Group};
use crate::games::record::GameKind;

pub const XBOARD: &[Group] = &[
    Group { name: "handshake", run: commands::handshake },
    Group { name: "ready", run: commands::ready },
    Group { name: "answers", run: commands::answers },
    Group { name: "clocks", run: play::clocks },
    Group { name: "limits", run: play::limits },
    Group { name: "stop", run: play::stop },
    Group { name: "games", run: play::games },
    Group { name: "moves", run: play::moves },
    Group { name: "board", run: commands::board },
    Group { name: "info", run: play::info },
    Group { name: "scores", run: play::scores },
    Group { name: "input", run: commands::input },
    Group { name: "quit", run: commands::quit },
];

/// The game that the engine announces; chess without an announcement.
pub fn game(run: &mut CheckRun) -> GameKind {
    session::XboardSession::open(run).map_or(GameKind::CHESS, |session| session.game())
}
