//! The language itself: features, round trips, moves that are refused and taken back, odd input, the end.

use super::session::{FAST, XboardSession, is_move, move_of};
use crate::check::catalog;
use crate::check::position::TestPosition;
use crate::check::positions;
use crate::check::run::{CheckRun, Checked};
use crate::check::session::{self, odd_inputs, report};
use crate::util::lang::Bilingual;
use std::time::{Duration, Instant};

/// How long a refusal is waited for, and a move that should not come.
const WAIT: Duration = Duration::from_millis(500);

pub fn handshake(run: &mut CheckRun) -> Checked {
    let mut session = XboardSession::open(run)?;
    let is_silent = session.peer.features.values.is_empty();
    match session.peer.announced {
        None if is_silent => {
            report!(session => NO_FEATURES,
                "no feature after \"protover 2\"" | "“protover 2”之后没有 feature");
        }
        None => {
            report!(session => NO_DONE, "the features do not end with done=1" | "feature 没有以 done=1 结束");
        }
        Some(took) => session.report_greeting(Bilingual("features", "feature"), took),
    }
    if session.run.name.is_empty() && !is_silent {
        report!(session => NO_NAME, "no myname among the features" | "feature 里没有 myname");
    }
    let wanted = ["ping", "setboard", "usermove"];
    let missing: Vec<&str> = wanted.into_iter().filter(|name| !session.has(name)).collect();
    if !missing.is_empty() && !is_silent {
        session.report(&catalog::MISSING_FEATURE, missing.join(", "));
    }
    Ok(())
}

pub fn ready(run: &mut CheckRun) -> Checked {
    let mut session = XboardSession::open(run)?;
    if session.has("ping") { session.round_trips("ping", XboardSession::ready) } else { Ok(()) }
}

/// Whether an illegal move is refused.
pub fn answers(run: &mut CheckRun) -> Checked {
    let mut session = XboardSession::open(run)?;
    let [_, _, _, illegal] = positions::first_moves(session.run.kind);
    session.set_up(&TestPosition::start(session.run.kind));
    session.user_move(illegal);
    let deadline = Instant::now() + WAIT.max(session.run.patience / 4);
    if session.engine.wait_for(deadline, is_refusal).is_err() {
        report!(session => NOT_REFUSED,
            "no \"Illegal move\" after {illegal}" | "{illegal} 之后没有“Illegal move”", illegal);
    }
    Ok(())
}

/// Whether it knows what is on the board, and whose turn it is.
pub fn board(run: &mut CheckRun) -> Checked {
    let mut session = XboardSession::open(run)?;
    let start = TestPosition::start(session.run.kind);
    let [legal, reply, other, _] = positions::first_moves(session.run.kind);
    session.set_up(&start);
    session.user_move(legal);
    session.user_move(reply);
    if session.engine.peek_until(Instant::now() + WAIT, is_move).is_ok() {
        report!(session => FORCE_IGNORED, "a move in force mode" | "force 状态下走了棋");
        return Ok(());
    }
    if session.engine.peek_until(Instant::now(), is_refusal).is_ok() {
        session.report(&catalog::LEGAL_REFUSED, format!("{legal} {reply}"));
    }
    // After a move is taken back another may be played; after two, the first one again.
    session.set_up(&start);
    for step in [legal, reply, "undo", other, "undo", "undo", legal] {
        match step {
            "undo" => drop(session.engine.send("undo")),
            mv => session.user_move(mv),
        }
    }
    let after = start.clone().after(legal);
    session.ready()?;
    for line in FAST {
        session.engine.send(line);
    }
    let sent = session.engine.send("go");
    let refused = session.engine.peek_until(sent, is_refusal).is_ok();
    let deadline = sent + session.run.patience;
    let found = session.engine.wait_for(deadline, is_move);
    let mv = found.as_ref().map_or("", |line| move_of(&line.text));
    if refused || after.read(mv).is_err() {
        session.report(
            &catalog::UNDO,
            format!("after {legal} {reply} undo {other} undo undo {legal}: \"{mv}\""),
        );
    }
    Ok(())
}

/// `Illegal move: e2e5`, or `Error (illegal move): e2e5`. Other errors are about what an engine does not
/// know.
fn is_refusal(text: &str) -> bool {
    text.contains("llegal")
}

/// Input that is odd or wrong: the engine may refuse it, but must stay.
pub fn input(run: &mut CheckRun) -> Checked {
    let mut inputs = odd_inputs();
    let commands = b"result * {Game was aborted}\ncomputer\nname Somebody\nrating 0 0\n";
    inputs.push((&catalog::UNKNOWN_COMMAND, commands.to_vec()));
    let start = TestPosition::start(run.kind);
    let session = XboardSession::open(run)?;
    if session.has("setboard") {
        for fen in ["nonsense w - - 0 1", "8/8/8/8/8/8/8/8 w KQkq - 0 1", ""] {
            inputs.push((&catalog::BAD_FEN, format!("force\nsetboard {fen}\n").into_bytes()));
        }
    }
    let mut session = session.survives(inputs, |session| session.plays(&start))?;
    if session.has("ping") {
        session.begin();
        session.engine.send_bytes(b"ping 9999\r\n");
        let deadline = Instant::now() + session.run.patience;
        if session.engine.wait_for(deadline, |text| text == "pong 9999").is_err() {
            report!(session => CRLF, "no pong" | "没有 pong");
        }
    }
    Ok(())
}

/// The end of the process, asked for and not, idle and in a search.
pub fn quit(run: &mut CheckRun) -> Checked {
    session::quit(run, |session: &mut XboardSession| {
        session.set_up(&TestPosition::start(session.run.kind));
        session.engine.send("level 0 60:00 0");
        session.engine.send("go");
    })
}
