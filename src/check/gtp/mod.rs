//! What is checked in GTP, version 2.
//! <https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>

mod games;
mod commands;
mod session;

use super::run::{CheckRun, Checked, Group};
use super::session::Busy;
use session::GtpSession;

pub const GTP: &[Group] = &[
    Group { name: "handshake", run: commands::handshake },
    Group { name: "ready", run: commands::ready },
    Group { name: "answers", run: commands::answers },
    Group { name: "clocks", run: games::clocks },
    Group { name: "games", run: games::games },
    Group { name: "moves", run: games::moves },
    Group { name: "board", run: games::board },
    Group { name: "scores", run: games::scores },
    Group { name: "input", run: commands::input },
    Group { name: "quit", run: quit },
];

/// The end of the process, asked for and not.
fn quit(run: &mut CheckRun) -> Checked {
    for is_asked in [true, false] {
        let mut session = GtpSession::open(run)?;
        session.mark = 0;
        session.leaves(is_asked, Busy::Idle);
    }
    let mut session = GtpSession::open(run)?;
    session.new_game()?;
    session.engine.send("genmove b");
    session.leaves(false, Busy::Searching);
    Ok(())
}
