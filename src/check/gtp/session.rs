//! A conversation in GTP: commands, and answers that are framed as they should be.

use crate::check::catalog::{self, Finding};
use crate::check::engine::Engine;
use crate::check::exam::{Checked, Exam, Halt};
use crate::client::player::gtp_option;
use crate::client::process::Silence;
use crate::game::Side;
use crate::games::record::GoSetup;
use crate::games::referee::{Referee, Stones};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// It begins with `=`.
    pub is_success: bool,
    /// The digits after the mark.
    pub id: String,
    /// The rest, lines and all.
    pub text: String,
    /// From the command to its first line.
    pub took: Duration,
}

/// The conversation.
pub struct Session<'a> {
    /// Where findings go.
    pub exam: &'a mut Exam,
    /// The process.
    pub engine: Engine,
    /// Where the traffic of the present check begins.
    pub mark: usize,
    /// What the engine lists.
    pub commands: HashSet<String>,
    /// How long its first answer took.
    pub greeted: Duration,
    /// Answers before which lines stood that belong to none.
    pub strays: usize,
}

impl<'a> Session<'a> {
    /// Starts the engine, asks for its commands and sets the options asked for.
    /// # Errors
    /// It does not answer, which is noted.
    pub fn open(exam: &'a mut Exam) -> Checked<Self> {
        let engine = exam.start()?;
        let (commands, greeted) = (HashSet::new(), Duration::ZERO);
        let mut session = Self { exam, engine, mark: 0, commands, greeted, strays: 0 };
        let patience = session.exam.start_patience();
        let listed = session.ask_within("list_commands", patience, &catalog::NO_HANDSHAKE)?;
        session.greeted = listed.took;
        session.commands = listed.text.split_whitespace().map(str::to_owned).collect();
        for (name, value) in session.exam.options.clone() {
            session.ask(&gtp_option(&session.commands, &name, &value))?;
        }
        session.begin();
        Ok(session)
    }

    /// Whether the engine lists a command.
    pub fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Begins a check: excerpts start here.
    pub fn begin(&mut self) {
        self.mark = self.engine.mark();
    }

    /// Notes a finding, with the traffic of the check.
    pub fn report(&mut self, finding: &'static Finding, detail: impl Into<String>) {
        self.exam.report(finding, detail, &self.engine, self.mark);
    }

    /// Sends a command and reads its answer.
    /// # Errors
    /// None comes, which is noted.
    pub fn ask(&mut self, line: &str) -> Checked<Answer> {
        self.ask_or(line, &catalog::NO_ANSWER)
    }

    fn ask_or(&mut self, line: &str, finding: &'static Finding) -> Checked<Answer> {
        self.ask_within(line, self.exam.patience, finding)
    }

    fn ask_within(&mut self, line: &str, patience: Duration, finding: &'static Finding) -> Checked<Answer> {
        let sent = self.engine.send(line);
        match self.read(sent, sent + patience) {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(Halt),
            Err(silence) => {
                let detail = format!("no answer to \"{line}\"");
                Err(self.exam.report_silence(silence, finding, detail, &mut self.engine, self.mark))
            }
        }
    }

    /// Sends a command that has to succeed: a refusal is noted as `finding`.
    /// # Errors
    /// No answer, or a refusal.
    pub fn must(&mut self, line: &str, finding: &'static Finding) -> Checked<Answer> {
        let answer = self.ask(line)?;
        if answer.is_success {
            return Ok(answer);
        }
        self.report(finding, format!("\"{line}\": \"? {}\"", answer.text));
        Err(Halt)
    }

    /// Reads one answer: from a line that begins with `=` or `?` to the empty line. One without an end is noted.
    fn read(&mut self, sent: Instant, deadline: Instant) -> Result<Option<Answer>, Silence> {
        let mut stray = Vec::new();
        let first = self.engine.wait_for(deadline, |text| {
            let begins = text.starts_with(['=', '?']);
            if !begins && !text.is_empty() {
                stray.push(text.to_owned());
            }
            begins
        });
        if let Some(text) = stray.first() {
            self.strays = self.strays.saturating_add(1);
            self.report(&catalog::STRAY_OUTPUT, format!("\"{text}\" belongs to no answer"));
        }
        let line = first?;
        let (mark, rest) = line.text.trim().split_at_checked(1).unwrap_or_default();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (id, text) = rest.split_at(digits);
        let mut lines = vec![text.trim().to_owned()];
        let is_success = mark == "=";
        let end = self.engine.wait_for(deadline, |text| {
            lines.push(text.to_owned());
            text.is_empty()
        });
        if end == Err(Silence::TimedOut) {
            self.report(&catalog::NO_BLANK_LINE, format!("\"{}\" has no end", line.text));
            return Ok(None);
        }
        end?;
        lines.pop();
        let took = line.at.saturating_duration_since(sent);
        Ok(Some(Answer { is_success, id: id.to_owned(), text: lines.join("\n"), took }))
    }

    /// Whether it still answers, looked at without noting anything. `Err`: how it does not.
    pub fn answers(&mut self) -> Result<(), String> {
        let sent = self.engine.send("protocol_version");
        let deadline = sent + self.exam.patience;
        match self
            .engine
            .wait_for(deadline, |text| text.strip_prefix('=').is_some_and(|rest| rest.trim() == "2"))
        {
            Ok(_) => self
                .engine
                .wait_for(deadline, str::is_empty)
                .map(drop)
                .map_err(|_| "no empty line".to_owned()),
            Err(Silence::Ended) => Err(self.engine.end_status()),
            Err(_) => Err(format!("no answer within {} s", self.exam.patience.as_secs_f64())),
        }
    }

    /// An empty board of a small game, and the rules beside it. The engine is told of a clock that makes it move fast.
    /// # Errors
    /// It cannot be set up, which is noted.
    pub fn new_game(&mut self) -> Checked<Board> {
        self.begin();
        self.must(&format!("boardsize {SIZE}"), &catalog::LEGAL_REFUSED)?;
        self.must("clear_board", &catalog::LEGAL_REFUSED)?;
        self.must("komi 7.5", &catalog::LEGAL_REFUSED)?;
        if self.has("time_settings") {
            self.ask("time_settings 60 0 0")?;
        }
        Board::new().map_err(|_| Halt)
    }

    /// Has it play a move, which the rules judge. The answer, and the move, if it is one.
    /// # Errors
    /// No answer.
    pub fn genmove(&mut self, board: &mut Board, side: Side) -> Checked<(Answer, Option<String>)> {
        if self.has("time_left") {
            self.ask(&format!("time_left {} 6 0", letter(side)))?;
        }
        self.genmove_on_clock(board, side)
    }

    /// The same with whatever clock it was told.
    /// # Errors
    /// No answer.
    pub fn genmove_on_clock(&mut self, board: &mut Board, side: Side) -> Checked<(Answer, Option<String>)> {
        let line = format!("genmove {}", letter(side));
        let answer = self.ask_or(&line, &catalog::NO_BESTMOVE)?;
        if !answer.is_success {
            self.report(&catalog::ILLEGAL_MOVE, format!("\"{line}\": \"? {}\"", answer.text));
            return Ok((answer, None));
        }
        let mv = answer.text.to_lowercase();
        if mv == "resign" {
            return Ok((answer, None));
        }
        if let Err(why) = board.play(side, &mv) {
            self.report(&catalog::ILLEGAL_MOVE, format!("\"{line}\": \"{}\": {why}", answer.text));
            return Ok((answer, None));
        }
        Ok((answer, Some(mv)))
    }
}

/// Rows and columns of the games that are played.
pub const SIZE: usize = 9;

/// The color of a side as commands have it.
pub fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "b",
        Side::Second => "w",
    }
}

/// The rules, for moves of either side at any time: simple ko and no suicide, since the engine is told of no rules.
pub struct Board(Stones);

impl Board {
    fn new() -> Result<Self, String> {
        let setup = GoSetup { size: SIZE, rules: "japanese".to_owned(), ..GoSetup::default() };
        Ok(Self(Stones::new(&setup)?))
    }

    /// Plays a move of a side, whose turn it need not be.
    /// # Errors
    /// It is not legal.
    pub fn play(&mut self, side: Side, mv: &str) -> Result<(), String> {
        if self.0.side_to_move() != side {
            self.0.play("pass")?;
        }
        Ok(self.0.play(mv)?)
    }
}
