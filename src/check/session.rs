//! A conversation with an engine that is checked, in any protocol.

use super::catalog::{self, Finding};
use super::engine::Engine;
use super::position::{TestPosition, random_game};
use super::positions;
use super::run::{Aborted, CheckRun, Checked};
use crate::client::player::median;
use crate::client::process::{Silence, describe_exit};
use crate::util::lang::Bilingual;
use crate::util::message::Message;
use crate::{errors, message};
use std::fmt::Display;
use std::time::Duration;

/// Times in a row that something must be late to be a finding.
const TRIES: usize = 3;

const SLOW_HANDSHAKE: Duration = Duration::from_secs(5);
const SLOW_ANSWER: Duration = Duration::from_millis(50);
/// Questions whose median time is taken.
const QUESTIONS: usize = 21;

const SLOW_QUIT: Duration = Duration::from_secs(1);
const MAX_QUIT: Duration = Duration::from_secs(5);
/// How long the process may run on with its input closed.
const EOF: Duration = Duration::from_secs(2);

errors! {
    /// What the engine does when it is to leave.
    pub enum Busy {
        Idle = "idle" | "空闲时",
        Searching = "in a search" | "搜索时",
    }
}

/// `report!(session => FINDING, "english" | "中文", blanks)`: notes a finding of the catalog.
macro_rules! report {
    ($session:expr => $finding:ident, $($detail:tt)+) => {
        $session.report(&$crate::check::catalog::$finding, $crate::message!($($detail)+))
    };
}
pub(super) use report;

/// What is known of an engine in its protocol.
pub trait Peer: Default {
    /// Greets the engine, sets the options asked for and waits until it is ready.
    fn greet(session: &mut EngineSession<Self>) -> Checked;
}

pub struct EngineSession<'a, P> {
    pub run: &'a mut CheckRun,
    pub engine: Engine,
    /// Where the traffic of the present check begins.
    pub mark: usize,
    pub peer: P,
}

impl<'a, P: Peer> EngineSession<'a, P> {
    /// Starts the engine and greets it.
    pub fn open(run: &'a mut CheckRun) -> Checked<Self> {
        let engine = run.start()?;
        let mut session = Self { run, engine, mark: 0, peer: P::default() };
        P::greet(&mut session)?;
        Ok(session)
    }

    /// Begins a check: excerpts start here.
    pub fn begin(&mut self) {
        self.mark = self.engine.mark();
    }

    /// Notes a finding, with the traffic of the check.
    pub fn report(&mut self, finding: &'static Finding, detail: impl Into<Message>) {
        self.run.report(finding, detail, &self.engine, self.mark);
    }

    /// Notes why no answer came: the end of the process as a crash, silence as `finding`.
    pub fn silent(
        &mut self,
        silence: Silence,
        finding: &'static Finding,
        detail: impl Into<Message>,
    ) -> Aborted {
        if silence == Silence::Ended {
            let (status, detail) = (self.engine.end_status(), detail.into());
            report!(self => CRASH, "{status}; {detail}" | "{status}；{detail}", status, detail);
        } else {
            self.report(finding, detail);
        }
        Aborted
    }

    /// Why `what` did not come, where that is part of a finding.
    pub fn unanswered(&mut self, silence: Silence, what: &str) -> Message {
        match silence {
            Silence::Ended => self.engine.end_status(),
            _ => {
                let s = self.run.patience.as_secs_f64();
                message!("no {what} within {s} s" | "{s} 秒内没有 {what}", what, s)
            }
        }
    }

    /// Notes a measurement, and a greeting that took long.
    pub fn report_greeting(&mut self, name: Bilingual, took: Duration) {
        self.run.facts.push((name, format!("{:.0} ms", took.as_secs_f64() * 1e3)));
        if took > SLOW_HANDSHAKE {
            let s = took.as_secs_f64();
            report!(self => SLOW_HANDSHAKE, "it took {s:.1} s" | "用了 {s:.1} 秒", s);
        }
    }

    /// Measures the round trip of a question that needs no thought.
    pub fn round_trips(
        &mut self,
        name: &'static str,
        mut ask: impl FnMut(&mut Self) -> Checked<Duration>,
    ) -> Checked {
        self.begin();
        let mut times = Vec::new();
        for _ in 0..QUESTIONS {
            times.push(ask(self)?);
        }
        let middle = median(&mut times);
        let ms = middle.as_secs_f64() * 1e3;
        self.run.facts.push((Bilingual(name, name), format!("{ms:.2} ms")));
        if middle > SLOW_ANSWER {
            report!(self => SLOW_READYOK, "median {ms:.0} ms" | "中位数 {ms:.0} 毫秒", ms);
        }
        Ok(())
    }

    /// Sends each input and checks that the engine `works` afterwards; if not, that is the input's finding,
    /// and the rest goes to a new process.
    pub fn survives(
        mut self,
        inputs: Vec<(&'static Finding, Vec<u8>)>,
        works: impl Fn(&mut Self) -> Result<(), Message>,
    ) -> Checked<Self> {
        for (finding, bytes) in inputs {
            self.begin();
            let mark = self.mark;
            self.engine.send_bytes(&bytes);
            if let Err(how) = works(&mut self) {
                self.mark = mark;
                self.report(finding, how);
                let EngineSession { run, .. } = self;
                self = Self::open(run)?;
            }
        }
        Ok(self)
    }

    /// Measures until a time is at most `limit`, [`TRIES`] times at most: once may be the machine's fault.
    /// If none was, that is what `finding` makes of the shortest.
    pub fn expect_within(
        &mut self,
        limit: Duration,
        what: &str,
        finding: impl FnOnce(Duration) -> &'static Finding,
        mut measure: impl FnMut(&mut Self) -> Checked<Duration>,
    ) -> Checked {
        let mut shortest = Duration::MAX;
        for _ in 0..TRIES {
            shortest = shortest.min(measure(self)?);
            if shortest <= limit {
                return Ok(());
            }
        }
        let ms = shortest.as_secs_f64() * 1e3;
        let late = message!(
            "\"{what}\" took {ms:.0} ms or more, {TRIES} times in a row"
                | "“{what}”用了 {ms:.0} 毫秒以上，连续 {TRIES} 次",
            what,
            ms,
            TRIES
        );
        self.report(finding(shortest), late);
        Ok(())
    }

    /// The end of the process, asked for or not. `state`: what it was doing.
    pub fn leaves(&mut self, is_asked: bool, state: Busy) {
        match is_asked {
            true => self.quits(state),
            false => self.ends_without_input(state),
        }
    }

    /// Sends `quit` and watches the process end.
    fn quits(&mut self, state: Busy) {
        self.engine.send("quit");
        if let Some(status) = self.engine.await_end(SLOW_QUIT) {
            if !status.success() {
                let status = describe_exit(status);
                report!(self => BAD_EXIT, "{state}: {status}" | "{state}：{status}", state, status);
            }
            return;
        }
        let patience = self.run.patience.min(MAX_QUIT).saturating_sub(SLOW_QUIT);
        let ends = self.engine.await_end(patience).is_some();
        self.report(if ends { &catalog::SLOW_QUIT } else { &catalog::QUIT_IGNORED }, Message::of(&state));
    }

    /// Closes the input and watches the process end.
    fn ends_without_input(&mut self, state: Busy) {
        self.engine.close_input();
        if self.engine.await_end(EOF).is_none() {
            self.report(&catalog::EOF_IGNORED, Message::of(&state));
        }
    }
}

/// An answer to a search, and what was reported on the way.
#[derive(Clone, Debug)]
pub struct SearchAnswer<R> {
    /// The move in the coordinates of the rules. `None`: the engine has none, or resigns.
    pub mv: Option<String>,
    pub text: String,
    pub reports: Vec<R>,
    pub took: Duration,
}

/// The end of the process, asked for and not, idle and in a search that `search` starts.
pub fn quit<P: Peer>(run: &mut CheckRun, search: fn(&mut EngineSession<P>)) -> Checked {
    for is_asked in [true, false] {
        EngineSession::<P>::open(run)?.leaves(is_asked, Busy::Idle);
        let mut session = EngineSession::open(run)?;
        search(&mut session);
        std::thread::sleep(Duration::from_millis(100));
        session.leaves(is_asked, Busy::Searching);
    }
    Ok(())
}

/// Games in a row, and a long one, in each of which the engine has to play a move.
pub fn games<P: Peer>(
    session: &mut EngineSession<P>,
    plays: impl Fn(&mut EngineSession<P>, &TestPosition) -> Result<(), Message>,
) -> Checked {
    let kind = session.run.kind;
    let games = [(12, 0, &catalog::NEW_GAME), (12, 1, &catalog::NEW_GAME), (400, 7, &catalog::LONG_GAME)];
    for (plies, seed, finding) in games {
        session.begin();
        if let Err(how) = plays(session, &random_game(kind, plies, seed)) {
            session.report(finding, how);
            break;
        }
    }
    Ok(())
}

/// Legal moves everywhere, every `step` plies of random games too. `search` gives `None` for what cannot be
/// set up.
pub fn moves<P: Peer, R>(
    session: &mut EngineSession<P>,
    step: usize,
    search: impl Fn(&mut EngineSession<P>, &TestPosition) -> Checked<Option<SearchAnswer<R>>>,
) -> Checked {
    let (kind, games) = (session.run.kind, if session.run.quick { 2 } else { 6 });
    for position in positions::corner_cases(kind).into_iter().chain(positions::only_moves(kind)) {
        search(session, &position)?;
    }
    for game in (0..games).map(|seed| random_game(kind, 120, seed)) {
        for plies in (10..=120).step_by(step) {
            let moves = game.moves.iter().take(plies).cloned().collect();
            search(session, &TestPosition { moves, ..game.clone() })?;
        }
    }
    for position in positions::mates_in_one(kind) {
        let Some(answer) = search(session, &position)? else { continue };
        if answer.mv.is_some_and(|mv| !position.is_won_by(&mv)) {
            session.report(&catalog::MISSES_MATE, quote(&answer.text));
        }
    }
    Ok(())
}

/// Input that no engine knows and every engine must survive.
pub fn odd_inputs() -> Vec<(&'static Finding, Vec<u8>)> {
    vec![
        (&catalog::UNKNOWN_COMMAND, b"xyzzy now\n".to_vec()),
        (&catalog::EMPTY_LINE, b"\n  \n".to_vec()),
        (&catalog::LONG_LINE, [vec![b'x'; 1 << 16], b"\n".to_vec()].concat()),
        (&catalog::NOT_UTF8, b"\xff\xfe\x80 caf\xe9\n".to_vec()),
    ]
}

/// A line of the engine or a command, and what is wrong with it.
pub fn quoted(text: &str, why: &(impl Display + ?Sized)) -> Message {
    message!("\"{text}\": {why}" | "“{text}”：{why}", text, why)
}

/// A line of the engine by itself.
pub fn quote(text: &str) -> Message {
    message!("\"{text}\"" | "“{text}”", text)
}

pub fn not_legal(line: &str) -> Message {
    message!("\"{line}\" is not legal" | "“{line}”不合规则", line = line.trim())
}

/// A score with the wrong sign for the side to move.
pub fn wrong_sign(score: impl Display, is_ahead: bool) -> Message {
    match is_ahead {
        true => message!(
            "{score} for the side to move, which is far ahead" | "走棋的一方远为占优，却报 {score}",
            score
        ),
        false => message!(
            "{score} for the side to move, which is far behind" | "走棋的一方远为落后，却报 {score}",
            score
        ),
    }
}
