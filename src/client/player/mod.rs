//! Players: engines of any protocol behind one face.
//!
//! Whatever an engine does wrong becomes a [`Fault`]: the game it was playing is decided, its process is
//! ended, and the next game starts a new one.

mod conversation;
mod gtp;
mod info;
mod ucci;
mod uci;
mod wire;
mod xboard;

pub use gtp::option_line as gtp_option;
pub use uci::shift_ranks;
pub use wire::{Remarks, Tap, Wire};
pub use xboard::{NUDGE, NUDGE_AGAIN, features, move_in, option_line as xboard_option, xboard_fen};

use super::halt::Bell;
use super::process::CommandLine;
use crate::game::Side;
use crate::games::record::{Ending, GameKind, Reason, Thought};
use crate::games::referee::{Referee, Rules};
use crate::games::time::{Clock, Control};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A protocol an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Universal Chess Interface, also for xiangqi.
    Uci,
    /// China Chess Protocol.
    Ucci,
    /// Go Text Protocol.
    Gtp,
    /// Chess Engine Communication Protocol, of chess and xiangqi engines that came before UCI.
    Xboard,
}

/// An engine as a configuration describes it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineSpec {
    /// The name in tables and records; that of the program if empty.
    pub name: String,
    /// Program and arguments.
    pub cmd: String,
    /// More arguments, which [`join_args`](Self::join_args) puts behind those of `cmd`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// The protocol; what is usual for the game if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proto: Option<Protocol>,
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
    /// File its stderr is appended to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<PathBuf>,
    /// Start a new process for every game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restart: Option<bool>,
    /// Let it think in the opponent's time about the reply it expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ponder: Option<bool>,
    /// What its clock forgives a move, in place of the match's, in milliseconds.
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

    /// The protocol it speaks in games of this kind.
    pub fn protocol(&self, kind: GameKind) -> Protocol {
        self.proto.unwrap_or(match kind {
            GameKind::GO => Protocol::Gtp,
            _ => Protocol::Uci,
        })
    }

    /// Sets its limit: a time control, `nodes=N` or `depth=N`.
    /// # Errors
    /// Quotes what is none of them.
    pub fn limit(&mut self, text: &str) -> Result<(), String> {
        let number = |digits: &str| digits.parse().map_err(|_| format!("{text:?}: not a number"));
        if let Some(nodes) = text.strip_prefix("nodes=") {
            self.nodes = Some(number(nodes)?);
        } else if let Some(depth) = text.strip_prefix("depth=") {
            self.depth = Some(u32::try_from(number(depth)?).unwrap_or(u32::MAX));
        } else {
            self.tc = Some(text.parse()?);
        }
        Ok(())
    }

    fn command(&self) -> Result<CommandLine, String> {
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
    fn until(seconds: f64) -> Instant {
        let wait = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(3600));
        later(Instant::now(), wait)
    }
}

/// A hundred years, in place of what is beyond the clock of the system.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 86_400);

/// The end of a wait that begins at `start`.
fn later(start: Instant, wait: Duration) -> Instant {
    start.checked_add(wait.min(FOREVER)).unwrap_or(start)
}

/// What an engine did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Its kind.
    pub reason: Reason,
    /// The details.
    pub detail: String,
}

impl Fault {
    fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}

/// A game about to start.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// What is played.
    pub kind: GameKind,
    /// By which rules.
    pub rules: &'a Rules,
    /// From which FEN, unless the usual start.
    pub fen: Option<&'a str>,
    /// The player's own time control.
    pub control: &'a Control,
}

/// A move to be made.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The game.
    pub setup: Setup<'a>,
    /// All moves so far, in coordinates.
    pub moves: &'a [String],
    /// Who is to move: the player asked.
    pub side: Side,
    /// The clocks of both sides.
    pub clocks: &'a [Clock; 2],
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Plies a move.
    pub depth: Option<u32>,
    /// The opponent offers a draw.
    pub draw_offered: bool,
    /// Examines claims of a draw.
    pub referee: &'a dyn Referee,
}

impl Request<'_> {
    fn clock(&self) -> &Clock {
        self.clock_of(self.side)
    }

    #[allow(clippy::indexing_slicing, reason = "a side is 0 or 1")]
    fn clock_of(&self, side: Side) -> &Clock {
        &self.clocks[side.index()]
    }
}

/// What the player chose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A move in coordinates, legal or not.
    Move(String),
    /// A move in algebraic notation, legal or not: XBoard's protocol knows both.
    Algebraic(String),
    /// It resigns.
    Resign,
    /// It claims this draw, rightly.
    Draw(Ending),
    /// It says that it has no move.
    NoMove,
}

/// A player's answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// What it chose.
    pub choice: Choice,
    /// The reply it expects, in coordinates.
    pub ponder: Option<String>,
    /// Whether it offers, or accepts, a draw.
    pub draw: bool,
    /// From the request's last byte to the answer's.
    pub time: Duration,
    /// The line of play that it expects, in coordinates, legal or not. Empty: it is not known.
    pub line: Vec<String>,
    /// What it told about its search.
    pub thought: Thought,
}

/// One protocol's way to ask for the same things.
trait Dialog: Send {
    /// Shakes hands and sets the options. Gives the name the engine has for itself.
    fn hello(&mut self, wire: &mut Wire, spec: &EngineSpec, kind: GameKind) -> Result<String, Fault>;
    /// Prepares for a game.
    fn new_game(&mut self, wire: &mut Wire, setup: &Setup) -> Result<(), Fault>;
    /// Asks for a move. A search on the opponent's time becomes this one if it was about the right move.
    fn think(&mut self, wire: &mut Wire, request: &Request) -> Result<Reply, Fault>;
    /// Starts a search on the opponent's time. The last of the request's moves is the one expected.
    fn ponder(&mut self, _: &Wire, _: &Request) {}
    /// After a game: ends a search on the opponent's time.
    fn rest(&mut self, _: &mut Wire, _: &Ending) -> Result<(), Fault> {
        Ok(())
    }
    /// Asks which stones are dead. `None`: it cannot say.
    fn dead_stones(&mut self, _: &mut Wire, _: &Request) -> Result<Option<Vec<String>>, Fault> {
        Ok(None)
    }
    /// Whether it ends, as it has announced, when its game is over.
    fn is_for_one_game(&self) -> bool {
        false
    }
    /// Makes moves count every stone on the board as alive, if it can (playing out a dispute).
    fn clean_up(&mut self, _: &mut Wire) -> bool {
        false
    }
}

/// An engine that plays games.
pub struct Player {
    spec: EngineSpec,
    kind: GameKind,
    patience: Patience,
    tap: Option<Arc<dyn Tap>>,
    remarks: Option<Remarks>,
    bell: Option<Bell>,
    running: Option<(Wire, Box<dyn Dialog>)>,
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
            bell: None,
            running: None,
            own_name: None,
            latencies: Vec::new(),
        }
    }

    /// Who is told what processes started from now on say about their options, and which they do not have.
    pub fn set_remarks(&mut self, remarks: Remarks) {
        self.remarks = Some(remarks);
    }

    /// What ends the waiting for answers of processes started from now on.
    pub fn set_bell(&mut self, bell: Bell) {
        self.bell = Some(bell);
    }

    /// Who listens to the traffic from now on.
    pub fn set_tap(&mut self, tap: Option<Arc<dyn Tap>>) {
        if let Some((wire, _)) = &mut self.running {
            wire.set_tap(tap.clone());
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
    /// # Errors
    /// What went wrong.
    pub fn new_game(&mut self, setup: &Setup) -> Result<(), Fault> {
        if self.spec.restart == Some(true)
            || self.running.as_ref().is_some_and(|(_, dialog)| dialog.is_for_one_game())
        {
            self.quit();
        }
        if self.running.is_none() {
            let command = self.spec.command().map_err(|e| Fault::new(Reason::Crash, e))?;
            // Every engine is tried before the first game: here the system refuses, and the game is nobody's loss.
            let refused = |e| Fault::new(Reason::Interrupted, e);
            let mut wire = Wire::start(&command, self.patience).map_err(refused)?;
            wire.set_tap(self.tap.clone());
            wire.set_remarks(self.remarks.clone());
            if let Some(bell) = &self.bell {
                wire.set_bell(bell.clone());
            }
            let mut dialog: Box<dyn Dialog> = match self.spec.protocol(self.kind) {
                Protocol::Uci => Box::new(uci::Uci::default()),
                Protocol::Ucci => Box::new(ucci::Ucci::default()),
                Protocol::Gtp => Box::new(gtp::Gtp::default()),
                Protocol::Xboard => Box::new(xboard::Xboard::default()),
            };
            self.own_name = Some(dialog.hello(&mut wire, &self.spec, self.kind)?);
            self.running = Some((wire, dialog));
        }
        self.with(|wire, dialog| dialog.new_game(wire, setup))
    }

    /// Asks for a move.
    /// # Errors
    /// What went wrong; the process is gone then.
    pub fn think(&mut self, request: &Request) -> Result<Reply, Fault> {
        self.with(|wire, dialog| dialog.think(wire, request))
    }

    /// Lets it think in the opponent's time; the last of the request's moves is the one it expects.
    pub fn ponder(&mut self, request: &Request) {
        if let Some((wire, dialog)) = &mut self.running {
            dialog.ponder(wire, request);
        }
    }

    /// The game is over: nothing is left to think about. An engine that does not stop is ended.
    pub fn rest(&mut self, ending: &Ending) {
        if self.running.is_some() {
            let _ = self.with(|wire, dialog| dialog.rest(wire, ending));
        }
    }

    /// Passes on what the match's user should know about the engine.
    pub fn remark(&self, text: &str) {
        if let Some((wire, _)) = &self.running {
            wire.remark(text);
        }
    }

    /// Asks which stones are dead. `None`: it cannot say.
    /// # Errors
    /// What went wrong; the process is gone then.
    pub fn dead_stones(&mut self, request: &Request) -> Result<Option<Vec<String>>, Fault> {
        self.with(|wire, dialog| dialog.dead_stones(wire, request))
    }

    /// From now on every stone left on the board is alive: play until that is true. `false`: it cannot.
    pub fn clean_up(&mut self) -> bool {
        self.running.as_mut().is_some_and(|(wire, dialog)| dialog.clean_up(wire))
    }

    fn with<T>(
        &mut self,
        ask: impl FnOnce(&mut Wire, &mut dyn Dialog) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Some((wire, dialog)) = &mut self.running else {
            return Err(Fault::new(Reason::Crash, "the engine is not running"));
        };
        let answer = ask(wire, dialog.as_mut());
        self.latencies.append(&mut wire.latencies);
        if answer.is_err() {
            self.kill();
        }
        answer
    }

    /// Ends the process at once.
    pub fn kill(&mut self) {
        self.running = None;
    }

    /// Asks the engine to quit, and makes sure that it does.
    pub fn quit(&mut self) {
        if let Some((mut wire, _)) = self.running.take() {
            wire.quit();
        }
    }
}

/// The middle one of `times`, which it sorts; zero of none.
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
