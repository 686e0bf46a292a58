//! What is checked in UCI and UCCI. The two are one conversation in two languages; what only one of them has
//! is left out in the other.

mod clocks;
mod handshake;
mod input;
mod moves;
mod session;
mod states;
mod thoughts;

use super::run::{CheckRun, Group};
use crate::games::record::GameKind;

/// `board` is of UCCI only, `chess960` of UCI.
pub const GROUPS: &[Group] = &[
    Group { name: "handshake", run: handshake::handshake },
    Group { name: "options", run: handshake::options },
    Group { name: "ready", run: handshake::ready },
    Group { name: "clocks", run: clocks::clocks },
    Group { name: "limits", run: clocks::limits },
    Group { name: "stop", run: states::stop },
    Group { name: "ponder", run: states::ponder },
    Group { name: "games", run: states::games },
    Group { name: "moves", run: moves::moves },
    Group { name: "board", run: moves::banmoves },
    Group { name: "info", run: thoughts::info },
    Group { name: "scores", run: thoughts::scores },
    Group { name: "chess960", run: moves::chess960 },
    Group { name: "input", run: input::input },
    Group { name: "quit", run: states::quit },
];

/// The game by the engine's options, set or declared; chess without any.
pub fn game(run: &mut CheckRun) -> GameKind {
    session::UciSession::open(run).map_or(GameKind::CHESS, |session| session.game())
}
