//! Players: engines of any protocol behind one interface.
//!
//! What an engine does wrong becomes a [`Fault`]: the game it was playing is decided, its process is
//! ended, and the next game starts a new one.

mod conversation;
mod fault;
mod gtp;
mod link;
mod thought;
mod uci;
mod xboard;

pub use super::grammar::Choice;
pub use super::request::{EngineProtocol, GameSetup, MoveRequest};
pub use super::wire::Tap;
pub use fault::Fault;
pub use link::RemarkSink;

use super::cancel::CancelToken;
use super::process::CommandLine;
use super::wire::{Wire, later};
use crate::games::record::{Ending, GameKind, Thought};
use crate::games::time::Control;
use crate::message;
use crate::util::message::Message;
use fault::FaultKind;
use link::Link;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An engine as a configuration describes it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineSpec {
    /// The name in tables and records; that of the program if empty.
    pub name: String,
    pub cmd: String,
    /// A person plays, and no program is started.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub human: bool,
    /// The person sits at the terminal of the match.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub terminal: bool,
    /// More arguments, which [`join_args`](Self::join_args) puts behind those of `cmd`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// The protocol; the usual one of the game if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proto: Option<EngineProtocol>,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// Lines to send after the handshake.
    pub init: Vec<String>,
    /// Its time control, in place of the match's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc: Option<Control>,
    /// Nodes (visits, playouts) a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<PathBuf>,
    /// Start a new process for every game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restart: Option<bool>,
    /// Let it think in the opponent's time about the reply it expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ponder: Option<bool>,
    /// Milliseconds that its clock forgives per move, in place of the match's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timemargin: Option<u64>,
}

impl EngineSpec {
    /// Moves all arguments into `cmd`.
    pub fn join_args(&mut self) {
        for args in self.args.drain(..) {
            self.cmd.push(' ');
            self.cmd.push_str(&args);
        }
    }

    /// Whether it thinks in the opponent's time.
    pub fn ponders(&self) -> bool {
        self.ponder == Some(true)
    }

    pub fn protocol(&self, kind: GameKind) -> EngineProtocol {
        self.proto.unwrap_or(match kind {
            GameKind::GO => EngineProtocol::Gtp,
            _ => EngineProtocol::Uci,
        })
    }

    /// Sets its limit: a time control, `nodes=N` or `depth=N`.
    pub fn limit(&mut self, text: &str) -> Result<(), Message> {
        let number = |digits: &str| {
            digits.parse().map_err(|_| message!("{text:?}: not a number" | "{text:?}：不是数", text))
        };
        if let Some(nodes) = text.strip_prefix("nodes=") {
            self.nodes = Some(number(nodes)?);
        } else if let Some(depth) = text.strip_prefix("depth=") {
            self.depth = Some(u32::try_from(number(depth)?).unwrap_or(u32::MAX));
        } else {
            self.tc = Some(text.parse()?);
        }
        Ok(())
    }

    pub fn command(&self) -> Result<CommandLine, Message> {
        let command = CommandLine::parse(&self.cmd)?;
        Ok(CommandLine { directory: self.dir.clone(), stderr: self.stderr.clone(), ..command })
    }
}

/// How long the arbiter waits where no clock runs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Patience {
    /// For the handshake and `readyok`, in seconds.
    pub ready: f64,
    /// For a move when the game has no clock, in seconds.
    pub stall: f64,
    /// For the end of the process after `quit`, in seconds.
    pub quit: f64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { ready: 20.0, stall: 600.0, quit: 5.0 }
    }
}

impl Patience {
    fn until(wait: f64) -> Instant {
        later(Instant::now(), seconds(wait))
    }
}

/// A time of a configuration; an hour where it is none.
fn seconds(time: f64) -> Duration {
    Duration::try_from_secs_f64(time).unwrap_or(Duration::from_secs(3600))
}

#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    pub choice: Choice,
    /// The reply it expects, in coordinates.
    pub ponder: Option<String>,
    pub draw: bool,
    /// It claimed a draw before, and this is why it has none.
    pub wrong_claim: Option<Message>,
    /// From the request's last byte to the answer's.
    pub time: Duration,
    /// The line of play that it expects, in coordinates, legal or not. Empty: it is not known.
    pub line: Vec<String>,
    /// What it reported about its search.
    pub thought: Thought,
}

/// One protocol's way to ask for the same things.
trait Dialog: Send {
    /// Greets the engine and sets the options. Returns the engine's name for itself.
    fn hello(&mut self, link: &mut Link, spec: &EngineSpec, kind: GameKind) -> Result<String, Fault>;
    fn new_game(&mut self, link: &mut Link, setup: &GameSetup) -> Result<(), Fault>;
    /// Asks for a move. A search on the opponent's time becomes this one if it was about the right move.
    /// `None`: the bell rang; the search goes on, and the next call waits for its move.
    fn think(&mut self, link: &mut Link, request: &MoveRequest) -> Result<Option<Reply>, Fault>;
    /// Starts a search on the opponent's time. The last of the request's moves is the one expected.
    fn ponder(&mut self, _: &Link, _: &MoveRequest) {}
    /// After a game: ends a search that is under way.
    fn rest(&mut self, _: &mut Link, _: &Ending) -> Result<(), Fault> {
        Ok(())
    }
    /// Asks which stones are dead. `None`: it cannot answer.
    fn dead_stones(&mut self, _: &mut Link, _: &MoveRequest) -> Result<Option<Vec<String>>, Fault> {
        Ok(None)
    }
    /// Whether it ends, as it has announced, when its game is over.
    fn is_for_one_game(&self) -> bool {
        false
    }
    /// Makes moves count every stone on the board as alive, if it can (playing out a dispute).
    fn clean_up(&mut self, _: &mut Link) -> bool {
        false
    }
}

pub struct Player {
    spec: EngineSpec,
    kind: GameKind,
    patience: Patience,
    tap: Option<Arc<dyn Tap>>,
    remarks: Option<RemarkSink>,
    cancel: CancelToken,
    running: Option<(Link, Box<dyn Dialog>)>,
    own_name: Option<String>,
    latencies: Vec<Duration>,
}

impl Player {
    /// A player whose process is started by its first game.
    pub fn new(spec: EngineSpec, kind: GameKind, patience: Patience) -> Self {
        Self {
            spec,
            kind,
            patience,
            tap: None,
            remarks: None,
            cancel: CancelToken::default(),
            running: None,
            own_name: None,
            latencies: Vec::new(),
        }
    }

    /// Where remarks about the options of processes started from now on go.
    pub fn set_remarks(&mut self, remarks: RemarkSink) {
        self.remarks = Some(remarks);
    }

    /// Cancels waiting for answers of processes started from now on.
    pub fn set_cancel(&mut self, cancel: CancelToken) {
        self.cancel = cancel;
    }

    pub fn set_tap(&mut self, tap: Option<Arc<dyn Tap>>) {
        if let Some((link, _)) = &mut self.running {
            link.wire.set_tap(tap.clone());
        }
        self.tap = tap;
    }

    /// The name the engine gave itself, once it has been started.
    pub fn own_name(&self) -> Option<&str> {
        self.own_name.as_deref()
    }

    /// Median round trip of the questions that need no thought, since last asked.
    pub fn take_latency(&mut self) -> Duration {
        median(&mut std::mem::take(&mut self.latencies))
    }

    /// Starts the process if there is none, and prepares it for a game.
    pub fn new_game(&mut self, setup: &GameSetup) -> Result<(), Fault> {
        if self.spec.restart == Some(true)
            || self.running.as_ref().is_some_and(|(_, dialog)| dialog.is_for_one_game())
        {
            self.quit();
        }
        if self.running.is_none() {
            let command = self.spec.command().map_err(FaultKind::Command)?;
            let mut wire = Wire::start(&command, self.tap.clone()).map_err(FaultKind::NoProcess)?;
            wire.set_cancel(self.cancel.clone());
            let (remarks, patience) = (self.remarks.clone(), self.patience);
            let mut link = Link { wire, remarks, patience, latencies: Vec::new() };
            let mut dialog: Box<dyn Dialog> = match self.spec.protocol(self.kind) {
                protocol @ (EngineProtocol::Uci | EngineProtocol::Ucci) => Box::new(uci::Uci::new(protocol)),
                EngineProtocol::Gtp => Box::new(gtp::Gtp::default()),
                EngineProtocol::Xboard => Box::new(xboard::Xboard::default()),
            };
            self.own_name = Some(dialog.hello(&mut link, &self.spec, self.kind)?);
            self.running = Some((link, dialog));
        }
        self.with(|link, dialog| dialog.new_game(link, setup))
    }

    /// Asks for a move. `None`: the request's bell rang; asked again, it goes on with the same search.
    pub fn think(&mut self, request: &MoveRequest) -> Result<Option<Reply>, Fault> {
        self.with(|link, dialog| dialog.think(link, request))
    }

    /// Lets it think in the opponent's time; the last of the request's moves is the one it expects.
    pub fn ponder(&mut self, request: &MoveRequest) {
        if let Some((link, dialog)) = &mut self.running {
            dialog.ponder(link, request);
        }
    }

    /// The game is over: nothing is left to think about. An engine that does not stop is ended.
    pub fn rest(&mut self, ending: &Ending) {
        if self.running.is_some() {
            let _ = self.with(|link, dialog| dialog.rest(link, ending));
        }
    }

    /// Passes on what the match's user should know about the engine.
    pub fn remark(&self, text: &Message) {
        if let Some((link, _)) = &self.running {
            link.remark(text);
        }
    }

    /// Asks which stones are dead. `None`: it cannot answer.
    pub fn dead_stones(&mut self, request: &MoveRequest) -> Result<Option<Vec<String>>, Fault> {
        self.with(|link, dialog| dialog.dead_stones(link, request))
    }

    /// From now on every stone left on the board is alive: play until that is true. `false`: it cannot.
    pub fn clean_up(&mut self) -> bool {
        self.running.as_mut().is_some_and(|(link, dialog)| dialog.clean_up(link))
    }

    fn with<T>(
        &mut self,
        ask: impl FnOnce(&mut Link, &mut dyn Dialog) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Some((link, dialog)) = &mut self.running else {
            return Err(FaultKind::NotRunning.into());
        };
        let answer = ask(link, dialog.as_mut());
        self.latencies.append(&mut link.latencies);
        if answer.is_err() {
            self.kill();
        }
        answer
    }

    pub fn kill(&mut self) {
        self.running = None;
    }

    /// Asks the engine to quit, and makes sure that it does.
    pub fn quit(&mut self) {
        if let Some((mut link, _)) = self.running.take() {
            link.wire.quit(seconds(link.patience.quit));
        }
    }
}

/// The median of `times`, which are sorted; zero if there are none.
pub fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

impl Drop for Player {
    fn drop(&mut self) {
        self.quit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_patience_has_an_end() {
        for seconds in [0.0, 1e9, 1e19, f64::MAX, f64::NAN, -1.0] {
            assert!(Patience::until(seconds) <= later(Instant::now(), Duration::MAX), "{seconds}");
        }
    }
}
