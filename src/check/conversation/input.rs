//! Input that is odd or wrong: the engine may refuse it, but must stay.

use super::session::UciSession;
use crate::check::catalog::{self, Finding};
use crate::check::position::TestPosition;
use crate::check::run::{CheckRun, Checked};
use crate::check::session::{odd_inputs, report};
use crate::client::grammar::uci::is_best_move;

/// What is sent, and what it is when the engine does not survive it.
fn inputs(is_ucci: bool) -> Vec<(&'static Finding, Vec<u8>)> {
    let mut inputs = odd_inputs();
    if !is_ucci {
        inputs.push((&catalog::UNKNOWN_COMMAND, b"setoption name NoSuchOption value 1\n".to_vec()));
    }
    inputs.extend([
        (&catalog::BAD_HISTORY, b"position startpos moves e2e4 e2e4 zz99\n".to_vec()),
        (&catalog::BAD_FEN, b"position fen nonsense w - - 0 1\n".to_vec()),
        (&catalog::BAD_FEN, b"position fen\nposition\n".to_vec()),
        (&catalog::BAD_FEN, b"position fen 8/8/8/8/8/8/8/8 w KQkq - 0 1\n".to_vec()),
    ]);
    inputs
}

/// Sends each, and looks whether the engine still answers and plays.
pub fn input(run: &mut CheckRun) -> Checked {
    let start = TestPosition::start(run.kind);
    let session = UciSession::open(run)?;
    let inputs = inputs(session.is_ucci());
    let works = |session: &mut UciSession| session.answers().and_then(|()| session.plays(&start));
    windows_lines(&mut session.survives(inputs, works)?, &start);
    Ok(())
}

fn windows_lines(session: &mut UciSession, start: &TestPosition) {
    session.begin();
    let lines = ["isready".to_owned(), session.position_line(start), format!("go {}", session.short_words())];
    let mut found = (false, None);
    for line in lines {
        session.engine.send_bytes(format!("{line}\r\n").as_bytes());
    }
    let deadline = std::time::Instant::now() + session.run.patience;
    let outcome = session.engine.wait_for(deadline, |text| {
        found.0 |= text == "readyok";
        if is_best_move(text) {
            found.1 = text.split_ascii_whitespace().nth(1).map(str::to_owned);
        }
        found.1.is_some()
    });
    match (outcome, found) {
        (Ok(_), (true, Some(mv))) if start.check_move(&session.read(&mv)).is_ok() => {}
        (_, (false, _)) => report!(session => CRLF, "no readyok" | "没有 readyok"),
        (_, (_, None)) => report!(session => CRLF, "no bestmove" | "没有 bestmove"),
        (_, (_, Some(mv))) => session.report(&catalog::CRLF, format!("bestmove {mv}")),
    }
}
