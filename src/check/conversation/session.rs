//! A conversation in UCI or UCCI: greeting, options, and searches. Every answer is examined.

use crate::check::catalog::{self, Finding};
use crate::check::position::{BadLine, BadMove, TestPosition};
use crate::check::run::Checked;
use crate::check::session::{EngineSession, Peer, SearchAnswer, not_legal, quoted, report};
use crate::client::grammar::uci::{self, DeclaredOption, Flaw, InfoLine, is_best_move, shift_ranks};
use crate::client::grammar::{BestMoveLine, Choice};
use crate::client::process::{OutputLine, Silence};
use crate::client::request::EngineProtocol;
use crate::game::Side;
use crate::games::record::{GameKind, ReportedScore};
use crate::message;
use crate::util::message::Message;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Lines of a search that are looked at: the last ones.
const MAX_INFOS: usize = 20_000;

/// A clock to search by, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct TestClock {
    /// Time left to the engine, and to its opponent.
    pub time: i64,
    /// Time added after the move.
    pub increment: u64,
    /// Moves to the next time control.
    pub moves: Option<u32>,
}

pub type UciAnswer = SearchAnswer<InfoLine>;

impl UciAnswer {
    /// The last score of the best variation that is not a bound.
    pub fn score(&self) -> Option<ReportedScore> {
        self.reports.iter().rev().filter(|info| info.is_first() && !info.is_bound).find_map(|info| info.score)
    }
}

/// What is known of an engine of UCI or UCCI.
pub struct UciPeer {
    pub options: Vec<(DeclaredOption, Vec<Flaw>)>,
    pub greeting: Vec<String>,
    pub greeted: Duration,
    /// 1: xiangqi with ranks 1 to 10; 0: the ranks of the rules.
    first_rank: i32,
    /// When its last search was started.
    asked: Instant,
}

impl Default for UciPeer {
    fn default() -> Self {
        let (options, greeting, greeted) = Default::default();
        Self { options, greeting, greeted, first_rank: 0, asked: Instant::now() }
    }
}

impl Peer for UciPeer {
    fn greet(session: &mut UciSession) -> Checked {
        session.greet()?;
        session.set_up();
        session.ready().map(drop)
    }
}

pub type UciSession<'a> = EngineSession<'a, UciPeer>;

impl UciSession<'_> {
    pub fn is_ucci(&self) -> bool {
        self.run.protocol == EngineProtocol::Ucci
    }

    /// The game by the options set, else by those declared.
    pub fn game(&self) -> GameKind {
        let set = |name: &str| {
            let mut options = self.run.options.iter().rev();
            options.find(|(option, _)| option.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
        };
        if self.is_ucci() || set("UCI_Variant").or_else(|| self.usual_variant()) == Some("xiangqi") {
            GameKind::XIANGQI
        } else if set("UCI_Chess960") == Some("true") {
            GameKind::CHESS960
        } else {
            GameKind::CHESS
        }
    }

    /// The variant that it plays by default.
    fn usual_variant(&self) -> Option<&str> {
        self.option("UCI_Variant").and_then(|option| option.default.as_deref())
    }

    fn greet(&mut self) -> Checked {
        let (hello, end) = if self.is_ucci() { ("ucci", "ucciok") } else { ("uci", "uciok") };
        let sent = self.engine.send(hello);
        let mut lines = Vec::new();
        let found = self.engine.wait_for(sent + self.run.start_patience(), |text| {
            lines.push(text.to_owned());
            text == end
        });
        let line = found.map_err(|silence| {
            self.silent(silence, &catalog::NO_HANDSHAKE, message!("no {end}" | "没有 {end}", end))
        })?;
        self.peer.greeted = line.at.saturating_duration_since(sent);
        self.peer.options = lines.iter().filter_map(|line| uci::option(line, self.run.protocol)).collect();
        if let Some(name) = lines.iter().find_map(|line| line.strip_prefix("id name ")) {
            name.trim().clone_into(&mut self.run.name);
        }
        self.peer.greeting = lines;
        Ok(())
    }

    fn set_up(&mut self) {
        let declares_xiangqi = self.usual_variant() == Some("xiangqi");
        match self.run.kind {
            // Without this option an engine counts in seconds.
            _ if self.is_ucci() && self.option("usemillisec").is_some() => self.set("usemillisec", "true"),
            GameKind::XIANGQI if !declares_xiangqi && self.option("UCI_Variant").is_some() => {
                self.peer.first_rank = 1;
                self.set("UCI_Variant", "xiangqi");
            }
            _ => {}
        }
        for (name, value) in self.run.options.clone() {
            self.set(&name, &value);
        }
    }

    /// An option that it declares, in upper or lower case.
    pub fn option(&self, name: &str) -> Option<&DeclaredOption> {
        let mut options = self.peer.options.iter().map(|(option, _)| option);
        options.find(|option| option.name.eq_ignore_ascii_case(name))
    }

    pub fn set(&mut self, name: &str, value: &str) {
        let name = self.option(name).map_or(name, |option| &option.name);
        let line = uci::set_option(self.run.protocol, name, value);
        self.engine.send(&line);
    }

    /// Announces a new game, if the protocol can.
    pub fn new_game(&mut self) {
        if !self.is_ucci() {
            self.engine.send("ucinewgame");
        } else if self.option("newgame").is_some() {
            self.engine.send("setoption newgame");
        }
    }

    /// Asks whether it is ready; how long the answer took. A move on the way is a finding: none was asked
    /// for.
    pub fn ready(&mut self) -> Checked<Duration> {
        let (found, stray) = self.ready_ok();
        if let Some(text) = stray {
            report!(self => SECOND_BESTMOVE,
                "\"{text}\" when nothing was searched" | "没有搜索，却有“{text}”", text);
        }
        found.map_err(|silence| {
            self.silent(silence, &catalog::NO_READYOK, message!("no readyok" | "没有 readyok"))
        })
    }

    /// The time until `readyok`, and a move on the way.
    pub fn ready_ok(&mut self) -> (Result<Duration, Silence>, Option<String>) {
        let mut stray = None;
        let sent = self.engine.send("isready");
        let found = self.engine.wait_for(sent + self.run.patience, |text| {
            if is_best_move(text) {
                stray = Some(text.to_owned());
            }
            text == "readyok"
        });
        (found.map(|line| line.at.saturating_duration_since(sent)), stray)
    }

    /// Whether it still answers, looked at without noting anything. `Err`: how it does not.
    pub fn answers(&mut self) -> Result<(), Message> {
        self.ready_ok().0.map(drop).map_err(|silence| self.unanswered(silence, "readyok"))
    }

    pub fn position_line(&self, position: &TestPosition) -> String {
        uci::position(position.fen.as_deref(), &position.moves, self.peer.first_rank)
    }

    /// A move of the rules as this engine writes it.
    pub fn written(&self, mv: &str) -> String {
        shift_ranks(mv, self.peer.first_rank)
    }

    /// A move that the engine wrote, in the coordinates of the rules.
    pub fn read(&self, mv: &str) -> String {
        shift_ranks(mv, -self.peer.first_rank)
    }

    /// The answer to `go` in a line.
    fn best_move(&self, text: &str) -> Option<BestMoveLine> {
        Some(uci::best_move(text)?.shift_ranks(-self.peer.first_rank))
    }

    pub fn clock_words(&self, side: Side, clock: TestClock) -> String {
        let TestClock { time, increment, moves } = clock;
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

    pub fn endless_words(&self) -> &'static str {
        if self.is_ucci() { "depth infinite" } else { "infinite" }
    }

    /// The words of a short search that every engine knows.
    pub fn short_words(&self) -> &'static str {
        if self.is_ucci() { "depth 2" } else { "movetime 30" }
    }

    /// Begins a check with a search; the time of `go`.
    pub fn go(&mut self, position: &TestPosition, words: &str) -> Instant {
        self.begin();
        let line = self.position_line(position);
        self.engine.send(&line);
        self.peer.asked = self.engine.send(format!("go {words}").trim_end());
        self.peer.asked
    }

    /// Waits until the engine is ready, then searches to the end. `limit`: how long `words` allow.
    pub fn search(&mut self, position: &TestPosition, words: &str, limit: Duration) -> Checked<UciAnswer> {
        self.ready()?;
        let sent = self.go(position, words);
        let deadline = sent + limit + self.run.patience;
        self.answer(position, sent, deadline, &catalog::NO_BESTMOVE)
    }

    pub fn short_search(&mut self, position: &TestPosition) -> Checked<UciAnswer> {
        self.search(position, self.short_words(), Duration::from_millis(30))
    }

    /// Whether a short search is answered by a legal move, looked at without noting anything. `Err`: what
    /// happens instead.
    pub fn plays(&mut self, position: &TestPosition) -> Result<(), Message> {
        let line = self.position_line(position);
        self.engine.send(&line);
        let sent = self.engine.send(&format!("go {}", self.short_words()));
        match self.engine.wait_for(sent + self.run.patience, is_best_move) {
            Ok(line) => {
                let mv = line.text.split_ascii_whitespace().nth(1).unwrap_or("");
                let is_illegal = matches!(position.check_move(&self.read(mv)), Err(BadMove::Illegal(_)));
                if is_illegal { Err(not_legal(&line.text)) } else { Ok(()) }
            }
            Err(silence) => Err(self.unanswered(silence, "bestmove")),
        }
    }

    /// Waits for the answer to a search and examines it. Silence is noted as `finding`.
    pub fn answer(
        &mut self,
        position: &TestPosition,
        sent: Instant,
        deadline: Instant,
        finding: &'static Finding,
    ) -> Checked<UciAnswer> {
        let (mut infos, mut stale, asked) = (Vec::new(), None, self.peer.asked);
        let found = self.engine.find(deadline, |line| {
            let text = line.text.trim();
            if let Some(info) = text.strip_prefix("info ") {
                infos.push(info.to_owned());
            }
            let is_answer = is_best_move(text) && line.at >= asked;
            if is_best_move(text) && !is_answer {
                stale = Some(text.to_owned());
            }
            is_answer.then(|| line.clone())
        });
        if let Some(text) = stale {
            report!(self => SECOND_BESTMOVE,
                "\"{text}\" when nothing was searched" | "没有搜索，却有“{text}”", text);
        }
        let line = found.map_err(|silence| {
            let s = sent.elapsed().as_secs_f64();
            let what = message!("no bestmove in {s:.1} s" | "{s:.1} 秒之中没有 bestmove", s);
            self.silent(silence, finding, what)
        })?;
        let infos = self.infos_of(position, &infos);
        Ok(self.answer_of(position, &line, sent, infos))
    }

    fn answer_of(
        &mut self,
        position: &TestPosition,
        line: &OutputLine,
        sent: Instant,
        infos: Vec<InfoLine>,
    ) -> UciAnswer {
        let text = line.text.trim().to_owned();
        let took = line.at.saturating_duration_since(sent);
        let best = self.best_move(&text);
        let (choice, reply) = best.map_or((Choice::NoMove, None), |best| (best.choice, best.ponder));
        let mv = if let Choice::Move(mv) = choice { Some(mv) } else { None };
        if mv.is_none() && !text.contains("resign") && !position.is_over() {
            report!(self => ILLEGAL_MOVE,
                "\"{text}\" when there are legal moves" | "有合法着法，却答“{text}”", text);
        }
        let mv = mv.map(|mv| self.check_move(position, mv, &text));
        if let (Some(mv), Some(reply)) = (&mv, reply) {
            self.check_reply(position, mv, &reply, &text);
        }
        UciAnswer { mv, text, reports: infos, took }
    }

    /// Notes what is wrong with a move. Returns it as it should be written.
    fn check_move(&mut self, position: &TestPosition, mv: String, text: &str) -> String {
        match position.check_move(&mv) {
            Ok(()) => mv,
            Err(BadMove::Illegal(why)) => {
                self.report(&catalog::ILLEGAL_MOVE, quoted(text, &why));
                mv
            }
            Err(BadMove::Odd(usual)) => {
                let is_castling = position.kind == GameKind::CHESS960 && !usual.eq_ignore_ascii_case(&mv);
                let finding = if is_castling { &catalog::CHESS960_CASTLING } else { &catalog::ODD_MOVE };
                self.report(
                    finding,
                    message!("\"{text}\" should be {usual}" | "“{text}”应写作 {usual}", text, usual),
                );
                usual
            }
        }
    }

    fn check_reply(&mut self, position: &TestPosition, mv: &str, reply: &str, text: &str) {
        let after = position.clone().after(mv);
        if position.check_move(mv).is_err() {
            return;
        }
        if let Err(BadMove::Illegal(why)) = after.check_move(reply) {
            self.report(&catalog::ILLEGAL_PONDER, quoted(text, &why));
        }
    }

    /// Reads the lines about a search, and notes what is wrong with each.
    fn infos_of(&mut self, position: &TestPosition, lines: &[String]) -> Vec<InfoLine> {
        let mut infos: Vec<InfoLine> = Vec::new();
        for line in lines.iter().skip(lines.len().saturating_sub(MAX_INFOS)) {
            let (mut info, flaws) = uci::info(line, self.run.protocol);
            if let Some(why) = flaws.first() {
                self.report(&catalog::MALFORMED_INFO, quoted(&format!("info {line}"), why));
                continue;
            }
            // Capital letters are a finding of the move that is played only.
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

    fn check_line(&mut self, position: &TestPosition, pv: &[String], text: &str) {
        match position.check_line(pv) {
            Ok(()) => {}
            Err(BadLine::Illegal(why)) => {
                self.report(&catalog::ILLEGAL_PV, quoted(&format!("info {text}"), &why));
            }
            Err(BadLine::PastEnd(mv)) => {
                report!(self => LONG_PV,
                    "\"info {text}\": the game is over before {mv}"
                    | "“info {text}”：走 {mv} 之前棋局已经结束", text, mv);
            }
        }
    }
}
