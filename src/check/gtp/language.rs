//! The language itself: who it is, which commands there are, how answers are framed, and input that is odd or wrong.

use super::session::Session;
use crate::check::catalog::{self, Finding};
use crate::check::exam::{Checked, Exam};
use crate::client::player::median;
use std::time::Duration;

/// What every engine must have (section 4 of the specification, and what managers need besides).
const REQUIRED: [&str; 11] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
];
const SLOW_HANDSHAKE: Duration = Duration::from_secs(5);
const SLOW: Duration = Duration::from_millis(50);
const QUESTIONS: usize = 21;

/// Version, name and commands.
pub fn handshake(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    let took = session.greeted;
    session.exam.facts.push(("start", format!("{:.0} ms", took.as_secs_f64() * 1e3)));
    session.mark = 0;
    if took > SLOW_HANDSHAKE {
        session.report(&catalog::SLOW_HANDSHAKE, format!("it took {:.1} s", took.as_secs_f64()));
    }
    session.begin();
    let version = session.ask("protocol_version")?;
    if version.text != "2" {
        session.report(&catalog::OTHER_VERSION, format!("\"{}\"", version.text));
    }
    let name = session.ask("name")?;
    let version = session.ask("version")?;
    if !name.is_success || name.text.is_empty() {
        session.report(&catalog::NO_NAME, format!("\"{}\"", name.text));
    }
    session.exam.name = format!("{} {}", name.text, version.text).trim().to_owned();
    session.begin();
    for command in REQUIRED {
        let is_listed = session.has(command);
        let known = session.ask(&format!("known_command {command}"))?;
        let is_known = known.text == "true";
        if !is_listed && !is_known {
            session.report(&catalog::REQUIRED_COMMAND, format!("no {command}"));
        } else if is_listed != is_known {
            session.report(
                &catalog::KNOWN_COMMAND,
                format!("{command}: listed {is_listed}, known {}", known.text),
            );
        }
    }
    if session.ask("known_command no-such-command")?.text != "false" {
        session.report(&catalog::KNOWN_COMMAND, "no-such-command is said to be known");
    }
    Ok(())
}

/// How fast it answers, from the start on.
pub fn ready(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    session.begin();
    let mut times = Vec::new();
    for _ in 0..QUESTIONS {
        times.push(session.ask("protocol_version")?.took);
    }
    let middle = median(&mut times);
    session.exam.facts.push(("protocol_version", format!("{:.2} ms", middle.as_secs_f64() * 1e3)));
    if middle > SLOW {
        session.report(&catalog::SLOW_READYOK, format!("median {:.0} ms", middle.as_secs_f64() * 1e3));
    }
    Ok(())
}

/// Identifiers, refusals, comments, answers of several lines.
pub fn answers(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    for (line, id) in [("17 protocol_version", "17"), ("65536 name", "65536"), ("3 no-such-command", "3")] {
        session.begin();
        let answer = session.ask(line)?;
        if answer.id != id {
            session.report(
                &catalog::ID_LOST,
                format!("\"{line}\" was answered with the number \"{}\"", answer.id),
            );
        }
    }
    for line in ["no-such-command", "play", "play b z99", "play green a1", "komi many", "boardsize nine"] {
        session.begin();
        let answer = session.ask(line)?;
        if answer.is_success {
            session
                .report(&catalog::NOT_REFUSED, format!("\"{line}\" was answered with \"= {}\"", answer.text));
        }
    }
    if session.has("showboard") {
        session.new_game()?;
        session.ask("showboard")?;
        let strays_before = session.strays;
        let next = session.ask("protocol_version")?;
        if next.text != "2" || (strays_before == 0 && session.strays > 0) {
            session.report(&catalog::NO_BLANK_LINE, "the answer to showboard ends before its end");
        }
    }
    session.begin();
    let texts = ["protocol_version # comment", "\tprotocol_version  ", "# comment\nprotocol_version"];
    for text in texts {
        session.begin();
        let answer = session.ask(text)?;
        if answer.text != "2" {
            session.report(&catalog::COMMENT, format!("{text:?} was answered with \"{}\"", answer.text));
        }
    }
    Ok(())
}

/// Input that is odd or wrong: the engine may refuse it, but must stay.
pub fn input(exam: &mut Exam) -> Checked {
    let long = [vec![b'x'; 1 << 16], b"\n".to_vec()].concat();
    let inputs: [(&'static Finding, Vec<u8>); 5] = [
        (&catalog::UNKNOWN_COMMAND, b"xyzzy now\n".to_vec()),
        (&catalog::EMPTY_LINE, b"\n  \n".to_vec()),
        (&catalog::LONG_LINE, long),
        (&catalog::NOT_UTF8, b"\xff\xfe\x80 caf\xe9\n".to_vec()),
        (&catalog::CRLF, b"protocol_version\r\n".to_vec()),
    ];
    let mut session = Session::open(exam)?;
    for (finding, bytes) in inputs {
        session.begin();
        session.engine.send_bytes(&bytes);
        let answers = match finding.id {
            "crlf" => {
                let deadline = std::time::Instant::now() + session.exam.patience;
                let is_two = |text: &str| text.strip_prefix('=').is_some_and(|rest| rest.trim() == "2");
                session.engine.wait_for(deadline, is_two).map(drop).map_err(|_| "no answer".to_owned())
            }
            _ => session.answers(),
        };
        if let Err(how) = answers {
            session.report(finding, how);
            let Session { exam, .. } = session;
            session = Session::open(exam)?;
        }
    }
    Ok(())
}
