//! A conversation in UCI or UCCI: greeting, options, and searches whose answers are looked at whatever they were for.

use super::options::Declared;
use crate::check::catalog::{self, Finding};
use crate::check::engine::Engine;
use crate::check::exam::{Checked, Exam, Halt};
use crate::check::info::Info;
use crate::check::position::{BadLine, BadMove, Position};
use crate::client::player::{Protocol, shift_ranks};
use crate::client::process::{Line, Silence};
use crate::game::Side;
use crate::games::record::{GameKind, Score};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Lines of a search that are looked at: the last ones.
const MOST_INFOS: usize = 20_000;

/// A clock to search by, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// What the engine has left, and its opponent.
    pub time: i64,
    /// What it gets after the move.
    pub increment: u64,
    /// Moves until the clock is filled up.
    pub moves: Option<u32>,
}

/// An answer to `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move in the coordinates of the rules. `None`: the engine has none, or resigns.
    pub mv: Option<String>,
    /// What it told on the way.
    pub infos: Vec<Info>,
    /// From `go` to the answer.
    pub took: Duration,
    /// The answer itself.
    pub text: String,
}

impl Answer {
    /// The last score of the best variation that is no bound.
    pub fn score(&self) -> Option<Score> {
        self.infos.iter().rev().filter(|info| info.is_first() && !info.is_bound).find_map(|info| info.score)
    }
}

/// The conversation.
pub struct Session<'a> {
    /// Where findings go.
    pub exam: &'a mut Exam,
    /// The process.
    pub engine: Engine,
    /// Where the traffic of the present check begins.
    pub mark: usize,
    /// What it declares.
    pub options: Vec<Declared>,
    /// The lines of its greeting.
    pub greeting: Vec<String>,
    /// How long the greeting took.
    pub greeted: Duration,
    /// Xiangqi with ranks 1 to 10.
    ranks_from_one: bool,
    /// When it was last told to search.
    asked: Instant,
}

impl<'a> Session<'a> {
    /// Starts the engine, greets it, sets the options asked for, and waits until it is ready.
    /// # Errors
    /// It does not answer, which is noted.
    pub fn open(exam: &'a mut Exam) -> Checked<Self> {
        let engine = exam.start()?;
        let mut session = Self {
            exam,
            engine,
            mark: 0,
            options: Vec::new(),
            greeting: Vec::new(),
            greeted: Duration::ZERO,
            ranks_from_one: false,
            asked: Instant::now(),
        };
        session.greet()?;
        session.set_up();
        session.ready()?;
        Ok(session)
    }

    /// Whether it is UCCI that is spoken.
    pub fn is_ucci(&self) -> bool {
        self.exam.protocol == Protocol::Ucci
    }

    /// The game that the engine plays: as it is told to by options, else as it says.
    pub fn game(&self) -> GameKind {
        let told = |name: &str| {
            let mut options = self.exam.options.iter().rev();
            options.find(|(option, _)| option.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
        };
        if self.is_ucci() || told("UCI_Variant").or_else(|| self.usual_variant()) == Some("xiangqi") {
            GameKind::XIANGQI
        } else if told("UCI_Chess960") == Some("true") {
            GameKind::CHESS960
        } else {
            GameKind::CHESS
        }
    }

    /// The variant that it plays unless told otherwise.
    fn usual_variant(&self) -> Option<&str> {
        self.option("UCI_Variant").and_then(|option| option.default.as_deref())
    }

    fn greet(&mut self) -> Checked {
        let (hello, end) = if self.is_ucci() { ("ucci", "ucciok") } else { ("uci", "uciok") };
        let sent = self.engine.send(hello);
        let mut lines = Vec::new();
        let found = self.engine.wait_for(sent + self.exam.start_patience(), |text| {
            lines.push(text.to_owned());
            text == end
        });
        let line = match found {
            Ok(line) => line,
            Err(silence) => return Err(self.silent(silence, &catalog::NO_HANDSHAKE, format!("no {end}"))),
        };
        self.greeted = line.at.saturating_duration_since(sent);
        self.options = lines
            .iter()
            .filter_map(|line| line.strip_prefix("option"))
            .filter(|text| text.is_empty() || text.starts_with(char::is_whitespace))
            .map(|text| Declared::read(text, !self.is_ucci()))
            .collect();
        if let Some(name) = lines.iter().find_map(|line| line.strip_prefix("id name ")) {
            name.trim().clone_into(&mut self.exam.name);
        }
        self.greeting = lines;
        Ok(())
    }

    /// The game and the options.
    fn set_up(&mut self) {
        let declares_xiangqi = self.usual_variant() == Some("xiangqi");
        match self.exam.kind {
            // Without this option an engine counts in seconds.
            _ if self.is_ucci() && self.option("usemillisec").is_some() => self.set("usemillisec", "true"),
            GameKind::XIANGQI if !declares_xiangqi && self.option("UCI_Variant").is_some() => {
                self.ranks_from_one = true;
                self.set("UCI_Variant", "xiangqi");
            }
            _ => {}
        }
        for (name, value) in self.exam.options.clone() {
            self.set(&name, &value);
        }
    }

    /// An option that it declares; capital letters are no matter.
    pub fn option(&self, name: &str) -> Option<&Declared> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: &str) {
        let name = self.option(name).map_or(name, |option| &option.name).to_owned();
        self.engine.send(&match (self.is_ucci(), value) {
            (true, _) => format!("setoption {name} {value}").trim_end().to_owned(),
            (false, "") => format!("setoption name {name}"),
            (false, _) => format!("setoption name {name} value {value}"),
        });
    }

    /// A new game, as far as the language has it.
    pub fn new_game(&mut self) {
        if !self.is_ucci() {
            self.engine.send("ucinewgame");
        } else if self.option("newgame").is_some() {
            self.engine.send("setoption newgame");
        }
    }

    /// Begins a check: excerpts start here.
    pub fn begin(&mut self) {
        self.mark = self.engine.mark();
    }

    /// Notes a finding, with the traffic of the check.
    pub fn report(&mut self, finding: &'static Finding, detail: impl Into<String>) {
        self.exam.report(finding, detail, &self.engine, self.mark);
    }

    /// Notes that no answer came.
    pub fn silent(&mut self, silence: Silence, finding: &'static Finding, detail: impl Into<String>) -> Halt {
        self.exam.report_silence(silence, finding, detail, &mut self.engine, self.mark)
    }

    /// Asks whether it is ready; how long the answer took. A move on the way answers nothing that was asked.
    /// # Errors
    /// No answer, which is noted.
    pub fn ready(&mut self) -> Checked<Duration> {
        let mut stray = None;
        let sent = self.engine.send("isready");
        let found = self.engine.wait_for(sent + self.exam.patience, |text| {
            if is_best_move(text) {
                stray = Some(text.to_owned());
            }
            text == "readyok"
        });
        if let Some(text) = stray {
            self.report(&catalog::SECOND_BESTMOVE, format!("\"{text}\" when nothing was searched"));
        }
        match found {
            Ok(line) => Ok(line.at.saturating_duration_since(sent)),
            Err(silence) => Err(self.silent(silence, &catalog::NO_READYOK, "no readyok")),
        }
    }

    /// Whether it still answers, looked at without noting anything. `Err`: how it does not.
    pub fn answers(&mut self) -> Result<(), String> {
        let sent = self.engine.send("isready");
        match self.engine.wait_for(sent + self.exam.patience, |text| text == "readyok") {
            Ok(_) => Ok(()),
            Err(Silence::Ended) => Err(self.engine.end_status()),
            Err(_) => Err(format!("no readyok within {} s", self.exam.patience.as_secs_f64())),
        }
    }

    /// The line that sets up a position.
    pub fn position_line(&self, position: &Position) -> String {
        let mut line = match &position.fen {
            Some(fen) => format!("position fen {fen}"),
            None => "position startpos".to_owned(),
        };
        if !position.moves.is_empty() {
            line.push_str(" moves");
        }
        for mv in &position.moves {
            line.push(' ');
            line.push_str(&self.written(mv));
        }
        line
    }

    /// A move of the rules as this engine writes it.
    pub fn written(&self, mv: &str) -> String {
        if self.ranks_from_one { shift_ranks(mv, 1) } else { mv.to_owned() }
    }

    /// A move that the engine wrote, in the coordinates of the rules.
    pub fn read(&self, mv: &str) -> String {
        if self.ranks_from_one { shift_ranks(mv, -1) } else { mv.to_owned() }
    }

    /// The words of a clock, for the side to move.
    pub fn clock_words(&self, side: Side, clock: Clock) -> String {
        let Clock { time, increment, moves } = clock;
        let mut words = String::new();
        // Writing to a String cannot fail.
        let _ = if self.is_ucci() {
            write!(words, "time {time} increment {increment}")
        } else {
            let (own, other) = match side {
                Side::First => ("w", "b"),
                Side::Second => ("b", "w"),
            };
            write!(words, "{own}time {time} {own}inc {increment} {other}time {time} {other}inc {increment}")
        };
        if let Some(moves) = moves {
            let _ = write!(words, " movestogo {moves}");
        }
        if self.is_ucci() {
            let _ = write!(words, " opptime {time} oppincrement {increment}");
        }
        words
    }

    /// The words of a search without end.
    pub fn endless_words(&self) -> &'static str {
        if self.is_ucci() { "depth infinite" } else { "infinite" }
    }

    /// The words of a short search that every engine knows.
    pub fn short_words(&self) -> &'static str {
        if self.is_ucci() { "depth 2" } else { "movetime 30" }
    }

    /// Begins a check with a search; the time of `go`.
    pub fn go(&mut self, position: &Position, words: &str) -> Instant {
        self.begin();
        let line = self.position_line(position);
        self.engine.send(&line);
        self.asked = self.engine.send(format!("go {words}").trim_end());
        self.asked
    }

    /// Searches to the end, when the engine has done all else. The limit in `words` is kept within `limit`.
    /// # Errors
    /// No answer, which is noted.
    pub fn search(&mut self, position: &Position, words: &str, limit: Duration) -> Checked<Answer> {
        self.ready()?;
        let sent = self.go(position, words);
        let deadline = sent + limit + self.exam.patience;
        self.answer(position, sent, deadline, &catalog::NO_BESTMOVE)
    }

    /// A short search.
    /// # Errors
    /// No answer, which is noted.
    pub fn short_search(&mut self, position: &Position) -> Checked<Answer> {
        self.search(position, self.short_words(), Duration::from_millis(30))
    }

    /// Whether a short search is answered by a legal move, looked at without noting anything. `Err`: what happens instead.
    pub fn plays(&mut self, position: &Position) -> Result<(), String> {
        let line = self.position_line(position);
        self.engine.send(&line);
        let sent = self.engine.send(&format!("go {}", self.short_words()));
        match self.engine.wait_for(sent + self.exam.patience, is_best_move) {
            Ok(line) => {
                let mv = line.text.split_ascii_whitespace().nth(1).unwrap_or("");
                match position.check_move(&self.read(mv)) {
                    Err(BadMove::Illegal(_)) => Err(format!("\"{}\" is not legal", line.text.trim())),
                    Ok(()) | Err(BadMove::Odd(_)) => Ok(()),
                }
            }
            Err(Silence::Ended) => Err(self.engine.end_status()),
            Err(_) => Err(format!("no bestmove within {} s", self.exam.patience.as_secs_f64())),
        }
    }

    /// Waits for the answer to a search, and looks at all that is in it. Silence is noted as `finding`.
    /// # Errors
    /// No answer.
    pub fn answer(
        &mut self,
        position: &Position,
        sent: Instant,
        deadline: Instant,
        finding: &'static Finding,
    ) -> Checked<Answer> {
        let (mut infos, mut stale, asked) = (Vec::new(), None, self.asked);
        let found = self.engine.wait_for_line(deadline, |line| {
            let text = line.text.trim();
            if let Some(info) = text.strip_prefix("info ") {
                infos.push(info.to_owned());
            }
            let is_answer = is_best_move(text) && line.at >= asked;
            if is_best_move(text) && !is_answer {
                stale = Some(text.to_owned());
            }
            is_answer
        });
        if let Some(text) = stale {
            self.report(&catalog::SECOND_BESTMOVE, format!("\"{text}\" when nothing was searched"));
        }
        let line = match found {
            Ok(line) => line,
            Err(silence) => {
                let what = format!("no bestmove in {:.1} s", sent.elapsed().as_secs_f64());
                return Err(self.silent(silence, finding, what));
            }
        };
        let infos = self.infos_of(position, &infos);
        Ok(self.answer_of(position, &line, sent, infos))
    }

    fn answer_of(&mut self, position: &Position, line: &Line, sent: Instant, infos: Vec<Info>) -> Answer {
        let text = line.text.trim().to_owned();
        let took = line.at.saturating_duration_since(sent);
        let mut words = text.split_ascii_whitespace().skip(1);
        let mv = match words.next() {
            None | Some("(none)" | "0000" | "NULL" | "resign") => None,
            Some(mv) => Some(self.read(mv)),
        };
        if mv.is_none() && !text.contains("resign") && !position.is_over() {
            self.report(&catalog::ILLEGAL_MOVE, format!("\"{text}\" when there are legal moves"));
        }
        let mv = mv.map(|mv| self.check_move(position, mv, &text));
        if let Some(mv) = &mv {
            let reply = words.next().filter(|word| *word == "ponder").and_then(|_| words.next());
            if let Some(reply) = reply.map(|reply| self.read(reply)) {
                self.check_reply(position, mv, &reply, &text);
            }
        }
        Answer { mv, infos, took, text }
    }

    /// Notes what is wrong with a move. It is given back as it should be written.
    fn check_move(&mut self, position: &Position, mv: String, text: &str) -> String {
        match position.check_move(&mv) {
            Ok(()) => mv,
            Err(BadMove::Illegal(why)) => {
                self.report(&catalog::ILLEGAL_MOVE, format!("\"{text}\": {why}"));
                mv
            }
            Err(BadMove::Odd(usual)) => {
                let is_castling = position.kind == GameKind::CHESS960 && !usual.eq_ignore_ascii_case(&mv);
                let finding = if is_castling { &catalog::CHESS960_CASTLING } else { &catalog::ODD_MOVE };
                self.report(finding, format!("\"{text}\" should be {usual}"));
                usual
            }
        }
    }

    fn check_reply(&mut self, position: &Position, mv: &str, reply: &str, text: &str) {
        let after = position.clone().after(mv);
        if matches!(reply, "(none)" | "0000" | "NULL") || position.check_move(mv).is_err() {
            return;
        }
        if let Err(BadMove::Illegal(why)) = after.check_move(reply) {
            self.report(&catalog::ILLEGAL_PONDER, format!("\"{text}\": {why}"));
        }
    }

    /// Reads the lines about a search, and notes what is wrong with each.
    fn infos_of(&mut self, position: &Position, lines: &[String]) -> Vec<Info> {
        let mut infos: Vec<Info> = Vec::new();
        let bare_scores = self.is_ucci();
        for line in lines.iter().skip(lines.len().saturating_sub(MOST_INFOS)) {
            let mut info = match Info::read(line, bare_scores) {
                Ok(info) => info,
                Err(why) => {
                    self.report(&catalog::MALFORMED_INFO, format!("\"info {line}\": {why}"));
                    continue;
                }
            };
            // Capital letters are held against the move that is played.
            for mv in &mut info.pv {
                *mv = self.read(mv).to_ascii_lowercase();
            }
            if infos.last().is_none_or(|last| last.pv != info.pv) {
                self.check_line(position, &info.pv, line);
            }
            infos.push(info);
        }
        infos
    }

    fn check_line(&mut self, position: &Position, pv: &[String], text: &str) {
        match position.check_line(pv) {
            Ok(()) => {}
            Err(BadLine::Illegal(why)) => {
                self.report(&catalog::ILLEGAL_PV, format!("\"info {text}\": {why}"));
            }
            Err(BadLine::PastEnd(mv)) => {
                self.report(&catalog::LONG_PV, format!("\"info {text}\": the game is over before {mv}"));
            }
        }
    }
}

/// Whether a line ends a search.
pub fn is_best_move(text: &str) -> bool {
    matches!(text.split_ascii_whitespace().next(), Some("bestmove" | "nobestmove"))
}
