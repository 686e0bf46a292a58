//! Asking GTP engines.

use super::conversation::{GRACE, adopt, in_seconds};
use super::{Choice, Dialog, EngineSpec, Fault, FaultKind, GameSetup, Link, MoveRequest, Patience, Reply};
use crate::client::grammar::gtp::{self, GtpAnswer, color};
use crate::client::process::Silence;
use crate::client::wire::later;
use crate::game::Side;
use crate::games::record::{Ending, GameKind};
use crate::games::referee::{Rules, handicap_of};
use crate::games::time::Control;
use crate::go::{self, Board, Point, coords};
use crate::message;
use std::collections::HashSet;
use std::time::Instant;

#[derive(Default)]
pub(super) struct Gtp {
    commands: HashSet<String>,
    /// Moves the engine knows of.
    played: Vec<String>,
    /// Whether its last answer was a move, which is not among them yet.
    answered: bool,
    cleaning_up: bool,
    /// The number of the last command, where the engine repeats numbers.
    number: Option<u32>,
    /// A game begins: what is answered to older commands is of the game before.
    is_new_game: bool,
    /// It refuses fractions of a second in `time_left`.
    whole_seconds: bool,
    /// The question for a move that waits for its answer, when it was asked, and when it was sent.
    awaited: Option<(String, Instant, Instant)>,
}

impl Dialog for Gtp {
    fn hello(&mut self, link: &mut Link, spec: &EngineSpec, _: GameKind) -> Result<String, Fault> {
        self.try_numbers(link)?;
        let list = self.must(link, "list_commands")?;
        self.commands = list.split_whitespace().map(str::to_owned).collect();
        let name = self.must(link, "name")?;
        for (option, value) in &spec.options {
            self.set_option(link, option, value)?;
        }
        if let Some(nodes) = spec.nodes {
            self.set_visits(link, nodes)?;
        }
        for line in &spec.init {
            self.must(link, line)?;
        }
        Ok(name)
    }

    fn new_game(&mut self, link: &mut Link, setup: &GameSetup) -> Result<(), Fault> {
        (self.played, self.answered, self.cleaning_up, self.is_new_game) = (Vec::new(), false, false, true);
        self.set_up(link, setup.rules)?;
        if setup.control.is_timed() {
            self.time_settings(link, setup.control)?;
        }
        Ok(())
    }

    fn think(&mut self, link: &mut Link, request: &MoveRequest) -> Result<Option<Reply>, Fault> {
        let (line, asked, sent) = match self.awaited.take() {
            Some(awaited) => awaited,
            None => self.ask_for_move(link, request)?,
        };
        let budget = request.clock().budget();
        let deadline = match budget {
            Some(budget) => later(sent, budget.saturating_add(GRACE).saturating_add(request.stopped)),
            None => Patience::until(link.patience.stall),
        };
        let is_answer = |text: &str| text.starts_with(['=', '?']);
        if link.wire.peek_unless(deadline, request.bell, is_answer) == Err(Silence::Called) {
            self.awaited = Some((line, asked, sent));
            return Ok(None);
        }
        let Some(answer) = self.read(link, asked, deadline)? else {
            return Err(match budget {
                Some(budget) => FaultKind::Late(budget.as_secs_f64()).into(),
                None => FaultKind::NoMove(link.patience.stall).into(),
            });
        };
        if !answer.is_success {
            return Err(FaultKind::NotAMove(line, answer.text).into());
        }
        let mv = answer.text.trim().to_uppercase();
        let choice = match mv.as_str() {
            "RESIGN" => Choice::Resign,
            "PASS" => Choice::Move("pass".to_owned()),
            _ => Choice::Move(mv),
        };
        self.answered = matches!(choice, Choice::Move(_));
        let time = answer.took.saturating_sub(sent.saturating_duration_since(asked));
        let (ponder, draw, wrong_claim, line, thought) = Default::default();
        Ok(Some(Reply { choice, ponder, draw, wrong_claim, time, line, thought }))
    }

    /// GTP has no word that ends a search: the process is ended.
    fn rest(&mut self, _: &mut Link, _: &Ending) -> Result<(), Fault> {
        self.awaited.take().map_or(Ok(()), |_| Err(FaultKind::Interrupted.into()))
    }

    fn dead_stones(&mut self, link: &mut Link, request: &MoveRequest) -> Result<Option<Vec<String>>, Fault> {
        if !self.commands.contains("final_status_list") {
            return Ok(None);
        }
        self.catch_up(link, request)?;
        let line = "final_status_list dead";
        let sent = Instant::now();
        self.send(link, line);
        // Some engines take long to answer it.
        let patience = link.patience.ready.max(60.0);
        // An answer that comes later must not be taken for that to another question: the process is ended.
        let late = || no_answer(line, patience);
        let answer = self.read(link, sent, Patience::until(patience))?.ok_or_else(late)?;
        let list = answer.text.split_whitespace().map(str::to_uppercase);
        Ok(answer.is_success.then(|| list.collect()))
    }

    fn clean_up(&mut self, _: &mut Link) -> bool {
        self.cleaning_up = self.commands.contains("kgs-genmove_cleanup");
        self.cleaning_up
    }
}

impl Gtp {
    /// Asks for a move: the question, and when it was asked and sent. An answer before it is to another
    /// question; the clock does not pay for the trace of the question.
    fn ask_for_move(
        &mut self,
        link: &mut Link,
        request: &MoveRequest,
    ) -> Result<(String, Instant, Instant), Fault> {
        self.catch_up(link, request)?;
        self.send_times(link, request)?;
        let command = if self.cleaning_up { "kgs-genmove_cleanup" } else { "genmove" };
        let line = format!("{command} {}", color(request.side));
        let asked = Instant::now();
        self.send(link, &line);
        Ok((line, asked, Instant::now()))
    }

    fn set_up(&mut self, link: &mut Link, rules: &Rules) -> Result<(), Fault> {
        let (columns, rows) = rules.go.board_size();
        let board = if columns == rows {
            format!("boardsize {columns}")
        } else {
            format!("rectangular_boardsize {columns} {rows}")
        };
        self.must(link, &board)?;
        self.must(link, "clear_board")?;
        self.must(link, &format!("komi {}", rules.go.komi))?;
        // An engine without a choice of rules is taken to play by the right ones.
        if self.commands.contains("kata-set-rules") {
            self.must(link, &format!("kata-set-rules {}", rules.go.rules))?;
        } else if self.commands.contains("kgs-rules") {
            let name = go::Rules::parse(&rules.go.rules).ok().and_then(|rules| rules.kgs_name());
            let is_set = match name {
                Some(name) => self.ask(link, &format!("kgs-rules {name}"))?.is_success,
                None => false,
            };
            if !is_set {
                link.remark(&message!(
                    "it does not accept the rules {rules}" | "不能告诉它用 {rules} 规则",
                    rules = rules.go.rules
                ));
            }
        }
        if rules.go.handicap > 1 {
            let placed = self.must(link, &format!("fixed_handicap {}", rules.go.handicap))?;
            let points = handicap_of(&rules.go).unwrap_or_default();
            let board = Board::new(columns, rows);
            let mut wanted: Vec<String> = points
                .into_iter()
                .map(|(column, row)| coords::vertex(&board, Point::new(column, row)))
                .collect();
            let mut found: Vec<String> = placed.split_whitespace().map(str::to_uppercase).collect();
            wanted.sort_unstable();
            found.sort_unstable();
            // Programs do not agree on the points of every size.
            if found != wanted {
                self.must(link, "clear_board")?;
                self.must(link, &format!("set_free_handicap {}", wanted.join(" ")))?;
            }
        }
        Ok(())
    }

    fn set_option(&mut self, link: &mut Link, option: &str, value: &str) -> Result<(), Fault> {
        self.must(link, &gtp::option_line(&self.commands, option, value)).map(drop)
    }

    fn set_visits(&mut self, link: &mut Link, visits: u64) -> Result<(), Fault> {
        if self.commands.contains("kata-set-param") {
            return self.must(link, &format!("kata-set-param maxVisits {visits}")).map(drop);
        }
        if self.commands.contains("lz-setoption") {
            return self.must(link, &format!("lz-setoption name visits value {visits}")).map(drop);
        }
        Err(FaultKind::NoVisits.into())
    }

    /// Plays what the engine has not seen; takes back what was not played after all.
    fn catch_up(&mut self, link: &mut Link, request: &MoveRequest) -> Result<(), Fault> {
        adopt(&mut self.played, &mut self.answered, request.moves);
        let common =
            self.played.iter().zip(request.moves).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        for _ in common..self.played.len() {
            self.must(link, "undo")?;
        }
        self.played.truncate(common);
        let black_starts = request.setup.rules.go.handicap <= 1;
        for (i, mv) in request.moves.iter().enumerate().skip(common) {
            let side = if i.is_multiple_of(2) == black_starts { Side::First } else { Side::Second };
            self.must(link, &format!("play {} {mv}", color(side)))?;
            self.played.push(mv.clone());
        }
        Ok(())
    }

    fn time_settings(&mut self, link: &mut Link, control: &Control) -> Result<(), Fault> {
        if !self.has("kata-time_settings") {
            in_seconds(control)?;
        }
        let command = gtp::time_settings(&self.commands, control);
        // A command that every engine may lack.
        if command.split(' ').next() == Some("time_settings") && !self.has("time_settings") {
            link.remark(&message!(
                "it cannot be given a clock: it has no time_settings"
                    | "不能告诉它时间：它没有 time_settings"
            ));
            return Ok(());
        }
        self.must(link, &command).map(drop)
    }

    fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    fn send_times(&mut self, link: &mut Link, request: &MoveRequest) -> Result<(), Fault> {
        if !self.commands.contains("time_left") {
            return Ok(());
        }
        for side in [Side::First, Side::Second] {
            let clock = request.clock_of(side);
            if clock.control().is_timed() && clock.control().per_move.is_none() {
                let exact = self.has("kata-time_settings") && !self.whole_seconds;
                let counts_periods = self.has("kata-time_settings") || self.has("kgs-time_settings");
                let line = |exact| gtp::time_left_line(side, clock, exact, counts_periods);
                if !self.ask(link, &line(exact))?.is_success && exact {
                    self.whole_seconds = true;
                    self.ask(link, &line(false))?;
                }
            }
        }
        Ok(())
    }

    /// Whether the engine repeats the number of a command, as it should: an answer is then never taken for
    /// that to another command. Engines that do not are asked without numbers.
    fn try_numbers(&mut self, link: &mut Link) -> Result<(), Fault> {
        let sent = Instant::now();
        link.send("1 protocol_version");
        let deadline = Patience::until(link.patience.ready);
        let Some(answer) = read_any(link, sent, deadline)? else {
            return Err(no_answer("protocol_version", link.patience.ready));
        };
        self.number = (answer.id == "1").then_some(1);
        Ok(())
    }

    fn send(&mut self, link: &Link, line: &str) {
        match &mut self.number {
            Some(number) => {
                *number = number.wrapping_add(1) % 1_000_000;
                link.send(&format!("{number} {line}"));
            }
            None => {
                link.send(line);
            }
        }
    }

    /// Reads one answer. `None`: not in time.
    fn read(
        &mut self,
        link: &mut Link,
        sent: Instant,
        deadline: Instant,
    ) -> Result<Option<GtpAnswer>, Fault> {
        loop {
            let Some(answer) = read_any(link, sent, deadline)? else { return Ok(None) };
            if self.number.is_none_or(|expected| answer.id == expected.to_string()) {
                self.is_new_game = false;
                return Ok(Some(answer));
            }
            let fault = unasked(&answer.text.chars().take(40).collect::<String>());
            if !self.is_new_game {
                return Err(fault);
            }
            link.remark(&fault.detail);
        }
    }

    /// Sends a command whose failure is the engine's fault; gives the answer.
    fn must(&mut self, link: &mut Link, line: &str) -> Result<String, Fault> {
        let answer = self.ask(link, line)?;
        match answer.is_success {
            true => Ok(answer.text),
            false => Err(FaultKind::Refused(line.to_owned(), answer.text).into()),
        }
    }

    /// Sends a command; the engine may refuse it.
    fn ask(&mut self, link: &mut Link, line: &str) -> Result<GtpAnswer, Fault> {
        let sent = Instant::now();
        self.send(link, line);
        let deadline = Patience::until(link.patience.ready);
        match self.read(link, sent, deadline)? {
            Some(answer) => {
                link.latencies.push(answer.took);
                Ok(answer)
            }
            None => Err(no_answer(line, link.patience.ready)),
        }
    }
}

fn no_answer(line: &str, time: f64) -> Fault {
    FaultKind::NoAnswer(line.to_owned(), time).into()
}

fn unasked(text: &str) -> Fault {
    FaultKind::Unasked(text.to_owned()).into()
}

/// Reads one answer: from a line that starts with `=` or `?` to the empty line. `None`: not in time.
fn read_any(link: &mut Link, sent: Instant, deadline: Instant) -> Result<Option<GtpAnswer>, Fault> {
    let mut answer: Option<GtpAnswer> = None;
    loop {
        let Some(line) = link.receive(deadline)?.filter(|line| line.at <= deadline) else { return Ok(None) };
        let text = line.text.trim();
        match &mut answer {
            None => {
                answer = GtpAnswer::begin(text, line.at.saturating_duration_since(sent));
                if line.at < sent && answer.as_ref().is_some_and(|answer| answer.id.is_empty()) {
                    return Err(unasked(text));
                }
            }
            Some(begun) => {
                if begun.is_ended_by(text) {
                    return Ok(answer);
                }
            }
        }
    }
}
