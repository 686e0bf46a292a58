//! The language itself: features, round trips, moves that are refused and taken back, odd input, the end.

use super::session::{FAST, Session, is_move, move_of};
use crate::check::catalog::{self, Finding};
use crate::check::exam::{Checked, Exam};
use crate::check::position::Position;
use crate::check::{leave, positions};
use crate::client::player::median;
use std::time::{Duration, Instant};

const SLOW_HANDSHAKE: Duration = Duration::from_secs(5);
const SLOW: Duration = Duration::from_millis(50);
const QUESTIONS: usize = 21;
/// How long a refusal is waited for, and a move that should not come.
const WAIT: Duration = Duration::from_millis(500);

/// What it announces, and how fast.
pub fn handshake(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    match session.announced {
        None if session.features.is_empty() => {
            session.report(&catalog::NO_FEATURES, "no feature after \"protover 2\"");
        }
        None => session.report(&catalog::NO_DONE, "the features do not end with done=1"),
        Some(took) => {
            session.exam.facts.push(("features", format!("{:.0} ms", took.as_secs_f64() * 1e3)));
            if took > SLOW_HANDSHAKE {
                session.report(&catalog::SLOW_HANDSHAKE, format!("it took {:.1} s", took.as_secs_f64()));
            }
        }
    }
    if session.exam.name.is_empty() && !session.features.is_empty() {
        session.report(&catalog::NO_NAME, "no myname among the features");
    }
    let wanted = ["ping", "setboard", "usermove"];
    let missing: Vec<&str> = wanted.into_iter().filter(|name| !session.has(name)).collect();
    if !missing.is_empty() && !session.features.is_empty() {
        session.report(&catalog::MISSING_FEATURE, missing.join(", "));
    }
    Ok(())
}

/// How fast it answers.
pub fn ready(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    if !session.has("ping") {
        return Ok(());
    }
    session.begin();
    let mut times = Vec::new();
    for _ in 0..QUESTIONS {
        times.push(session.ready()?);
    }
    let middle = median(&mut times);
    session.exam.facts.push(("ping", format!("{:.2} ms", middle.as_secs_f64() * 1e3)));
    if middle > SLOW {
        session.report(&catalog::SLOW_READYOK, format!("median {:.0} ms", middle.as_secs_f64() * 1e3));
    }
    Ok(())
}

/// Whether an illegal move is refused.
pub fn answers(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    let [_, _, _, illegal] = positions::first_moves(session.exam.kind);
    session.set_up(&Position::start(session.exam.kind));
    session.user_move(illegal);
    let deadline = Instant::now() + WAIT.max(session.exam.patience / 4);
    if session.engine.wait_for(deadline, is_refusal).is_err() {
        session.report(&catalog::NOT_REFUSED, format!("no \"Illegal move\" after {illegal}"));
    }
    Ok(())
}

/// Whether it knows what is on the board, and whose turn it is.
pub fn board(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    let start = Position::start(session.exam.kind);
    let [legal, reply, other, _] = positions::first_moves(session.exam.kind);
    session.set_up(&start);
    session.user_move(legal);
    session.user_move(reply);
    if session.engine.peek_until(Instant::now() + WAIT, is_move).is_ok() {
        session.report(&catalog::FORCE_IGNORED, "a move in force mode");
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
    let deadline = sent + session.exam.patience;
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

/// `Illegal move: e2e5`, or `Error (illegal move): e2e5`. Other errors are about what an engine does not know.
fn is_refusal(text: &str) -> bool {
    text.contains("llegal")
}

/// Input that is odd or wrong: the engine may refuse it, but must stay.
pub fn input(exam: &mut Exam) -> Checked {
    let long = [vec![b'x'; 1 << 16], b"\n".to_vec()].concat();
    let mut inputs: Vec<(&'static Finding, Vec<u8>)> = vec![
        (&catalog::UNKNOWN_COMMAND, b"xyzzy now\n".to_vec()),
        (
            &catalog::UNKNOWN_COMMAND,
            b"result * {Game was aborted}\ncomputer\nname Somebody\nrating 0 0\n".to_vec(),
        ),
        (&catalog::EMPTY_LINE, b"\n  \n".to_vec()),
        (&catalog::LONG_LINE, long),
        (&catalog::NOT_UTF8, b"\xff\xfe\x80 caf\xe9\n".to_vec()),
    ];
    let start = Position::start(exam.kind);
    let mut session = Session::open(exam)?;
    if session.has("setboard") {
        for fen in ["nonsense w - - 0 1", "8/8/8/8/8/8/8/8 w KQkq - 0 1", ""] {
            inputs.push((&catalog::BAD_FEN, format!("force\nsetboard {fen}\n").into_bytes()));
        }
    }
    for (finding, bytes) in inputs {
        session.begin();
        let mark = session.mark;
        session.engine.send_bytes(&bytes);
        if let Err(how) = session.plays(&start) {
            session.mark = mark;
            session.report(finding, how);
            let Session { exam, .. } = session;
            session = Session::open(exam)?;
        }
    }
    if session.has("ping") {
        session.begin();
        session.engine.send_bytes(b"ping 9999\r\n");
        let deadline = Instant::now() + session.exam.patience;
        if session.engine.wait_for(deadline, |text| text == "pong 9999").is_err() {
            session.report(&catalog::CRLF, "no pong");
        }
    }
    Ok(())
}

/// The end of the process, asked for and not, idle and in a search.
pub fn quit(exam: &mut Exam) -> Checked {
    for (is_asked, state) in [(true, "idle"), (true, "in a search"), (false, "idle"), (false, "in a search")]
    {
        let mut session = Session::open(exam)?;
        if state != "idle" {
            session.set_up(&Position::start(session.exam.kind));
            session.engine.send("level 0 60:00 0");
            session.engine.send("go");
            std::thread::sleep(Duration::from_millis(100));
        }
        let end = if is_asked { leave::quits } else { leave::ends_without_input };
        end(session.exam, &mut session.engine, session.mark, state);
    }
    Ok(())
}
