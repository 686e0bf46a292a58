//! The event loop between a dialect and an engine.
//!
//! One thread: it takes a line of input or an event of the search, whichever comes first, and gives it to the
//! dialect, which acts on the [`Session`]. Only this module knows what runs, what waits
//! for its end and what was refused. Nothing here knows a protocol by name.
// No input may bring the program down. Tests may.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod crash;
mod session;
#[cfg(test)]
pub(crate) mod stub;
#[cfg(test)]
mod tests;

use crate::engine::{self, AnyEngine, Event, GameId};
use crate::protocol::defaults::Defaults;
use crate::protocol::io::{self, DebugLog, FastAction, FastPath, Input, Line, Output};
use crate::protocol::{self, Dialect, HostSearch, Io, Protocol, State};
use crate::util::files::Sandbox;
use crate::util::lang::Language;
use crate::util::system::remark;
use crash::Recorder;
use crossbeam::channel::{self, Receiver, TryRecvError};
use session::Session;
use std::io::{IsTerminal, Read, Write};
use std::process::ExitCode;
use std::time::Instant;

#[derive(Default)]
pub struct Config {
    /// The protocol; `None`: whichever the first known word of the input belongs to.
    pub protocol: Option<&'static Protocol>,
    /// The game, where the protocol leaves the choice.
    pub game: Option<GameId>,
    /// Lines dealt with before any input, each after the search of the one before has ended, unless that
    /// is one that only a line can end.
    pub commands: Vec<String>,
    /// Which files the client may name.
    pub sandbox: Sandbox,
    pub defaults: Defaults,
    /// Names and values of options that are set before the client sends anything. They go before the file's.
    pub options: Vec<(String, String)>,
    /// The language of remarks for people.
    pub language: Language,
}

/// Speaks a protocol on standard input and output until the client quits, closes its end, or ends the
/// input.
pub fn run(config: Config) -> ExitCode {
    let interactive = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let journal = DebugLog::default();
    let output = Output::stdout(journal.clone());
    let recorder = Recorder::default();
    recorder.install(output.clone());
    let outcome = speak(config, std::io::stdin(), (output.clone(), journal), (interactive, recorder));
    let problem = match outcome {
        Err(error) => format!("no thread to read the input with: {error}"),
        Ok(Some(refused)) => refused,
        Ok(None) => match output.failure() {
            Some(error) => format!("cannot write to stdout: {error}"),
            None => return ExitCode::SUCCESS,
        },
    };
    remark!("sanqi: {problem}");
    ExitCode::FAILURE
}

/// Speaks a protocol on any input and output: what [`run`] does, for tests with all kinds of input.
pub fn converse(
    config: Config,
    source: impl Read + Send + 'static,
    sink: impl Write + Send + 'static,
) -> std::io::Result<()> {
    let journal = DebugLog::default();
    let output = Output::new(sink, journal.clone());
    speak(config, source, (output, journal), (false, Recorder::default())).map(drop)
}

/// Speaks until the end. `Some`: why the session was not begun.
fn speak(
    config: Config,
    source: impl Read + Send + 'static,
    (output, journal): (Output, DebugLog),
    (interactive, recorder): (bool, Recorder),
) -> std::io::Result<Option<String>> {
    let fast_path = FastPath::default();
    let input = io::read(source, fast_path.clone(), output.clone())?;
    let make = (Box::new(AnyEngine::new) as Factory, engine::declared as _);
    let session = Session::new(make, output, fast_path, journal, interactive).with_recorder(recorder);
    Ok(Controller::new(config, input, session).run())
}

type Factory = Box<dyn Fn(GameId) -> AnyEngine>;

/// The next thing the loop has to handle.
enum Next {
    Line(Line),
    Event(Event),
    InputEnded,
}

struct Controller {
    config: Config,
    dialect: Option<Box<dyn Dialect>>,
    session: Session,
    lines: Receiver<Line>,
    ended: Receiver<std::convert::Infallible>,
    /// `ended` is closed: `lines` gets no more.
    reader_gone: bool,
    /// The dialect knows that the input has ended.
    end_handled: bool,
    /// The remark that the protocol is not spoken here was printed.
    stranger_warned: bool,
    /// Why the session cannot begin.
    refused: Option<String>,
    recorder: Recorder,
}

impl Controller {
    fn new(config: Config, input: Input, session: Session) -> Self {
        let Input { lines, ended } = input;
        let mut this = Self {
            config,
            dialect: None,
            lines,
            ended,
            reader_gone: false,
            end_handled: false,
            stranger_warned: false,
            refused: None,
            recorder: session.recorder(),
            session,
        };
        this.session.set_sandbox(std::mem::take(&mut this.config.sandbox));
        this.session.set_defaults(std::mem::take(&mut this.config.defaults));
        if let Some(protocol) = this.config.protocol {
            this.open(protocol);
        }
        this
    }

    fn run(mut self) -> Option<String> {
        for command in std::mem::take(&mut self.config.commands) {
            if !self.session.is_over() {
                self.line(&Line { text: command, arrived: Instant::now() });
            }
            if !self.session.is_endless() {
                self.finish_search();
            }
        }
        self.session.line_done();
        while !(self.session.is_over() || self.end_handled && self.session.state() == State::Idle) {
            match self.next() {
                Next::Line(line) => {
                    self.line(&line);
                    self.session.line_done();
                }
                Next::Event(event) => self.event(&event),
                Next::InputEnded => self.input_ended(),
            }
        }
        self.session.stop();
        self.finish_search();
        if let Some(dialect) = &mut self.dialect
            && self.session.is_over()
        {
            dialect.farewell(&mut self.session);
        }
        self.refused
    }

    /// Waits for a line or an event. Lines go first: a line that stopped a search is handled
    /// before the end of that search.
    fn next(&mut self) -> Next {
        loop {
            let endless = self.session.is_endless();
            let waits = |d: &dyn Dialect| d.waits_for_search() || (d.works_through_input() && !endless);
            let waits = self.dialect.as_deref().is_some_and(waits);
            let reads = !waits || self.session.state() == State::Idle;
            if reads {
                match self.lines.try_recv() {
                    Ok(line) => return Next::Line(line),
                    Err(TryRecvError::Disconnected) => return Next::InputEnded,
                    Err(TryRecvError::Empty) => (),
                }
            } else if self.reader_gone && self.lines.is_empty() && !self.end_handled {
                return Next::InputEnded;
            }
            if let Some(event) = self.session.take_due() {
                return Next::Event(event);
            }
            let lines = if reads { self.lines.clone() } else { channel::never() };
            let ended = if reads || self.reader_gone { channel::never() } else { self.ended.clone() };
            let events = self.session.events().clone();
            crossbeam::select! {
                recv(lines) -> line => return line.map_or(Next::InputEnded, Next::Line),
                recv(ended) -> _ => self.reader_gone = true,
                recv(events) -> event => {
                    self.session.accept(event.ok());
                    // The next round looks for a line that was queued before the event was sent.
                }
            }
        }
    }

    fn line(&mut self, line: &Line) {
        self.recorder.command(&line.text);
        self.session.set_arrival(line.arrived);
        if self.dialect.is_none() {
            match protocol::detect(&line.text) {
                Some(protocol) => self.open(protocol),
                None => self.warn_stranger(&line.text),
            }
            if self.refused.is_some() {
                return;
            }
        }
        if self.session.is_ending() {
            return self.dismiss(&line.text);
        }
        self.end_stopped_search(&line.text);
        self.session.note_position();
        #[cfg(debug_assertions)]
        crash::fail_for_a_test(&line.text);
        if let Some(dialect) = &mut self.dialect {
            dialect.line(&line.text, &mut self.session);
            for remark in self.session.take_remarks() {
                dialect.event(&Event::Message(remark), &mut self.session);
            }
        }
        self.refresh();
    }

    /// The end is overdue: what still waits passes by.
    fn dismiss(&mut self, line: &str) {
        self.session.stop();
        self.finish_search();
        if let Some(dialect) = &mut self.dialect {
            dialect.dismiss(line, &mut self.session);
        }
    }

    /// Clients send what stops a search and, without waiting for the best move, what they want next: all of
    /// it is dealt with when the search has ended.
    fn end_stopped_search(&mut self, line: &str) {
        let stops = |dialect: &dyn Dialect| {
            matches!(dialect.fast_action()(line), FastAction::Stop | FastAction::Quit)
        };
        if self.dialect.as_deref().is_some_and(stops) {
            self.session.stop();
        }
        if self.session.state() == State::Stopping {
            self.finish_search();
        }
    }

    fn event(&mut self, event: &Event) {
        if let Some(dialect) = &mut self.dialect {
            dialect.event(event, &mut self.session);
        }
        // Nothing is left that could end what a dialect has begun at the end of a search, such as pondering.
        if (self.end_handled || self.session.is_over()) && self.session.is_endless() {
            self.session.stop();
        }
        self.refresh();
    }

    fn input_ended(&mut self) {
        self.end_handled = true;
        self.lines = channel::never();
        match &mut self.dialect {
            Some(dialect) => dialect.input_ended(&mut self.session),
            None => self.session.quit(),
        }
    }

    /// Gives the dialect what the search still reports, up to its end.
    fn finish_search(&mut self) {
        while let Some(event) = self.session.next_event() {
            self.event(&event);
        }
    }

    fn open(&mut self, protocol: &'static Protocol) {
        let mut dialect = (protocol.create)(self.config.game, self.config.language);
        self.recorder.set_form(dialect.remark_form());
        dialect.open(&mut self.session);
        for (name, value) in std::mem::take(&mut self.config.options) {
            // Where the client chooses the protocol, options of every protocol can be given.
            if self.config.protocol.is_none() && !(protocol.has_option)(&name, &value) {
                continue;
            }
            if let Err(why) = dialect.set_option(&name, &value, &mut self.session) {
                self.refused.get_or_insert(format!("option {name}: {why}"));
                self.session.quit();
            }
        }
        self.dialect = Some(dialect);
        self.refresh();
    }

    fn refresh(&mut self) {
        if let Some(dialect) = &self.dialect {
            self.session.set_fast_action(dialect.fast_action());
            self.session.set_patient(dialect.works_through_input());
        }
    }

    /// Warns the user of a client that speaks another protocol, on stderr: the client would take stdout for
    /// an answer.
    fn warn_stranger(&mut self, text: &str) {
        let remark = match text.split_whitespace().next() {
            Some("xboard" | "protover") => NO_XBOARD,
            Some(word) if word.starts_with('{') => NO_JSON,
            _ => return,
        };
        if !std::mem::replace(&mut self.stranger_warned, true) {
            remark!("{remark}");
        }
    }
}

/// Remarks for a client that begins with XBoard's protocol, and for one that begins with JSON.
const NO_XBOARD: &str =
    "sanqi speaks UCI, UCCI and GTP, not XBoard's protocol: polyglot or uci2wb translates";
const NO_JSON: &str = "sanqi speaks UCI, UCCI and GTP; KataGo's JSON protocol is spoken by: sanqi katago";
