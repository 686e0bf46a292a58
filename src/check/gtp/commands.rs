//! The language itself: who it is, which commands there are, how answers are framed, and input that is odd or
//! wrong.

use super::session::GtpSession;
use crate::check::catalog;
use crate::check::run::{CheckRun, Checked};
use crate::check::session::{odd_inputs, quote, report};
use crate::client::grammar::gtp;
use crate::message;
use crate::util::lang::Bilingual;
use crate::util::message::Message;
use std::time::Instant;

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

/// Version, name and commands.
pub fn handshake(run: &mut CheckRun) -> Checked {
    let mut session = GtpSession::open(run)?;
    session.mark = 0;
    session.report_greeting(Bilingual("start", "启动"), session.peer.greeted);
    session.begin();
    let version = session.ask("protocol_version")?;
    if version.text != "2" {
        session.report(&catalog::OTHER_VERSION, quote(&version.text));
    }
    let name = session.ask("name")?;
    let version = session.ask("version")?;
    if !name.is_success || name.text.is_empty() {
        session.report(&catalog::NO_NAME, quote(&name.text));
    }
    session.run.name = format!("{} {}", name.text, version.text).trim().to_owned();
    session.begin();
    for command in REQUIRED {
        let is_listed = session.has(command);
        let known = session.ask(&format!("known_command {command}"))?;
        let is_known = known.text == "true";
        if !is_listed && !is_known {
            report!(session => REQUIRED_COMMAND, "no {command}" | "没有 {command}", command);
        } else if is_listed != is_known {
            report!(session => KNOWN_COMMAND,
                "{command}: listed {is_listed}, known {known}"
                | "{command}：清单中 {is_listed}，询问得 {known}", command, is_listed, known = known.text);
        }
    }
    if session.ask("known_command no-such-command")?.text != "false" {
        report!(session => KNOWN_COMMAND,
            "no-such-command is reported as known" | "说是懂得 no-such-command");
    }
    Ok(())
}

/// How fast it answers, from the start on.
pub fn ready(run: &mut CheckRun) -> Checked {
    let ask = |session: &mut GtpSession| Ok(session.ask("protocol_version")?.took);
    GtpSession::open(run)?.round_trips("protocol_version", ask)
}

/// Identifiers, refusals, comments, answers of several lines.
pub fn answers(run: &mut CheckRun) -> Checked {
    let mut session = GtpSession::open(run)?;
    for (line, id) in [("17 protocol_version", "17"), ("65536 name", "65536"), ("3 no-such-command", "3")] {
        session.begin();
        let answer = session.ask(line)?;
        if answer.id != id {
            report!(session => ID_LOST,
                "\"{line}\" was answered with the number \"{id}\""
                | "“{line}”的应答带编号“{id}”", line, id = answer.id);
        }
    }
    for line in ["no-such-command", "play", "play b z99", "play green a1", "komi many", "boardsize nine"] {
        session.begin();
        let answer = session.ask(line)?;
        if answer.is_success {
            session.report(&catalog::NOT_REFUSED, answered(line, &format!("= {}", answer.text)));
        }
    }
    if session.has("showboard") {
        session.new_game()?;
        session.ask("showboard")?;
        let strays_before = session.peer.strays;
        let next = session.ask("protocol_version")?;
        if next.text != "2" || (strays_before == 0 && session.peer.strays > 0) {
            report!(session => NO_BLANK_LINE,
                "the answer to showboard ends before its end" | "showboard 的应答中途就结束了");
        }
    }
    session.begin();
    let texts = ["protocol_version # comment", "\tprotocol_version  ", "# comment\nprotocol_version"];
    for text in texts {
        session.begin();
        let answer = session.ask(text)?;
        if answer.text != "2" {
            session.report(&catalog::COMMENT, answered(&text.escape_debug().to_string(), &answer.text));
        }
    }
    Ok(())
}

fn answered(line: &str, text: &str) -> Message {
    message!("\"{line}\" was answered with \"{text}\"" | "“{line}”的应答是“{text}”", line, text)
}

/// Input that is odd or wrong: the engine may refuse it, but must stay.
pub fn input(run: &mut CheckRun) -> Checked {
    let mut session = GtpSession::open(run)?.survives(odd_inputs(), GtpSession::answers)?;
    session.begin();
    session.engine.send_bytes(b"protocol_version\r\n");
    let deadline = Instant::now() + session.run.patience;
    if session.engine.wait_for(deadline, gtp::is_version_2).is_err() {
        report!(session => CRLF, "no answer" | "没有应答");
    }
    Ok(())
}
