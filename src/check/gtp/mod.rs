//! What is checked in GTP, version 2. <https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>

mod games;
mod language;
mod session;

use super::exam::{Checked, Exam, Group};
use super::session::Busy;
use session::GtpSession;

/// The groups of GTP.
pub const GTP: &[Group] = &[
    Group { name: "handshake", run: language::handshake },
    Group { name: "ready", run: language::ready },
    Group { name: "answers", run: language::answers },
    Group { name: "clocks", run: games::clocks },
    Group { name: "games", run: games::games },
    Group { name: "moves", run: games::moves },
    Group { name: "board", run: games::board },
    Group { name: "scores", run: games::scores },
    Group { name: "input", run: language::input },
    Group { name: "quit", run: quit },
];

/// The end of the process, asked for and not.
fn quit(exam: &mut Exam) -> Checked {
    for is_asked in [true, false] {
        let mut session = GtpSession::open(exam)?;
        session.mark = 0;
        match is_asked {
            true => session.quits(Busy::Idle),
            false => session.ends_without_input(Busy::Idle),
        }
    }
    let mut session = GtpSession::open(exam)?;
    session.new_game()?;
    session.engine.send("genmove b");
    session.ends_without_input(Busy::Searching);
    Ok(())
}
