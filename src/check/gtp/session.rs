//! A conversation in GTP: commands, and answers that are framed as they should be.

use crate::check::catalog::{self, Finding};
use crate::check::run::{Aborted, Checked};
use crate::check::session::{EngineSession, Peer, quote, quoted, report};
use crate::client::grammar::gtp::{self, GtpAnswer, color};
use crate::client::process::Silence;
use crate::game::Side;
use crate::games::record::GoSetup;
use crate::games::referee::{Referee, Stones};
use crate::message;
use crate::util::message::Message;
use std::collections::HashSet;
use std::time::{Duration, Instant};

#[derive(Default)]
pub struct GtpPeer {
    pub commands: HashSet<String>,
    /// How long its first answer took.
    pub greeted: Duration,
    /// Answers with stray lines before them.
    pub strays: usize,
}

impl Peer for GtpPeer {
    fn greet(session: &mut GtpSession) -> Checked {
        let patience = session.run.start_patience();
        let listed = session.ask_within("list_commands", patience, &catalog::NO_HANDSHAKE)?;
        session.peer.greeted = listed.took;
        session.peer.commands = listed.text.split_whitespace().map(str::to_owned).collect();
        for (name, value) in session.run.options.clone() {
            session.ask(&gtp::option_line(&session.peer.commands, &name, &value))?;
        }
        session.begin();
        Ok(())
    }
}

pub type GtpSession<'a> = EngineSession<'a, GtpPeer>;

impl GtpSession<'_> {
    pub fn has(&self, command: &str) -> bool {
        self.peer.commands.contains(command)
    }

    /// Sends a command and reads its answer.
    pub fn ask(&mut self, line: &str) -> Checked<GtpAnswer> {
        self.ask_or(line, &catalog::NO_ANSWER)
    }

    fn ask_or(&mut self, line: &str, finding: &'static Finding) -> Checked<GtpAnswer> {
        self.ask_within(line, self.run.patience, finding)
    }

    fn ask_within(
        &mut self,
        line: &str,
        patience: Duration,
        finding: &'static Finding,
    ) -> Checked<GtpAnswer> {
        let sent = self.engine.send(line);
        match self.read(sent, sent + patience) {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(Aborted),
            Err(silence) => {
                let what = message!("no answer to \"{line}\"" | "没有应答“{line}”", line);
                Err(self.silent(silence, finding, what))
            }
        }
    }

    /// Sends a command that has to succeed: a refusal is noted as `finding`.
    pub fn must(&mut self, line: &str, finding: &'static Finding) -> Checked<GtpAnswer> {
        let answer = self.ask(line)?;
        if answer.is_success {
            return Ok(answer);
        }
        self.report(finding, quoted(line, &quote(&format!("? {}", answer.text))));
        Err(Aborted)
    }

    /// Reads one answer: from a line that begins with `=` or `?` to the empty line. One without an end is
    /// noted.
    fn read(&mut self, sent: Instant, deadline: Instant) -> Result<Option<GtpAnswer>, Silence> {
        let mut stray = Vec::new();
        let first = self.engine.wait_for(deadline, |text| {
            let begins = text.starts_with(['=', '?']);
            if !begins && !text.is_empty() {
                stray.push(text.to_owned());
            }
            begins
        });
        if let Some(text) = stray.first() {
            self.peer.strays = self.peer.strays.saturating_add(1);
            report!(self => STRAY_OUTPUT,
                "\"{text}\" belongs to no answer" | "“{text}”不属于任何应答", text);
        }
        let line = first?;
        let mut answer = GtpAnswer::begin(&line.text, line.at.saturating_duration_since(sent));
        let end = self.engine.wait_for(deadline, |text| answer.as_mut().is_none_or(|a| a.is_ended_by(text)));
        if end == Err(Silence::TimedOut) {
            report!(self => NO_BLANK_LINE, "\"{line}\" has no end" | "“{line}”没有结束", line = line.text);
            return Ok(None);
        }
        end?;
        Ok(answer)
    }

    /// Whether it still answers, looked at without noting anything. `Err`: how it does not.
    pub fn answers(&mut self) -> Result<(), Message> {
        let sent = self.engine.send("protocol_version");
        let deadline = sent + self.run.patience;
        match self.engine.wait_for(deadline, gtp::is_version_2) {
            Ok(_) => {
                let end = self.engine.wait_for(deadline, str::is_empty);
                end.map(drop).map_err(|_| message!("no empty line" | "没有空行"))
            }
            Err(silence) => Err(self.unanswered(silence, "answer")),
        }
    }

    /// An empty board of a small game, and the rules beside it. The engine gets a clock that makes it move
    /// fast.
    pub fn new_game(&mut self) -> Checked<RuleBoard> {
        self.begin();
        self.must(&format!("boardsize {SIZE}"), &catalog::LEGAL_REFUSED)?;
        self.must("clear_board", &catalog::LEGAL_REFUSED)?;
        self.must("komi 7.5", &catalog::LEGAL_REFUSED)?;
        if self.has("time_settings") {
            self.ask("time_settings 60 0 0")?;
        }
        RuleBoard::new().map_err(|_| Aborted)
    }

    /// Has it play a move, which the rules judge. The answer, and the move, if it is one.
    pub fn genmove(&mut self, board: &mut RuleBoard, side: Side) -> Checked<(GtpAnswer, Option<String>)> {
        if self.has("time_left") {
            self.ask(&format!("time_left {} 6 0", color(side)))?;
        }
        self.genmove_on_clock(board, side)
    }

    /// [`genmove`](Self::genmove) on the clock that was sent before.
    pub fn genmove_on_clock(
        &mut self,
        board: &mut RuleBoard,
        side: Side,
    ) -> Checked<(GtpAnswer, Option<String>)> {
        let line = format!("genmove {}", color(side));
        let answer = self.ask_or(&line, &catalog::NO_BESTMOVE)?;
        if !answer.is_success {
            self.report(&catalog::ILLEGAL_MOVE, quoted(&line, &quote(&format!("? {}", answer.text))));
            return Ok((answer, None));
        }
        let mv = answer.text.to_lowercase();
        if mv == "resign" {
            return Ok((answer, None));
        }
        if let Err(why) = board.play(side, &mv) {
            self.report(&catalog::ILLEGAL_MOVE, quoted(&line, &quoted(&answer.text, &why)));
            return Ok((answer, None));
        }
        Ok((answer, Some(mv)))
    }
}

/// Rows and columns of the games that are played.
pub const SIZE: usize = 9;

/// The rules, for moves of either side at any time: simple ko and no suicide, since the engine is sent no
/// rules.
pub struct RuleBoard(Stones);

impl RuleBoard {
    fn new() -> Result<Self, Message> {
        Stones::new(&GoSetup { size: SIZE, rules: "japanese".to_owned(), ..GoSetup::default() }).map(Self)
    }

    /// Plays a move of a side, whose turn it need not be.
    pub fn play(&mut self, side: Side, mv: &str) -> Result<(), Message> {
        if self.0.side_to_move() != side {
            self.0.play("pass")?;
        }
        self.0.play(mv)?;
        Ok(())
    }
}
