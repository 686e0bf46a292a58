//! What a dialect may ask of the controller.

use crate::engine::go::{GoEngine, SearchRequest};
use crate::engine::{AnyEngine, Engine, GameId, Limits, OptionSpec, PositionSpec, StopHandle};
use crate::util::message::Message;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Idle,
    /// Searching on its own time.
    Searching,
    /// Searching on the opponent's time.
    Pondering,
    /// Stopped; the search's `BestMove` is still to come.
    Stopping,
}

pub trait Host: Io + HostSearch + HostOptions + GoSearch {}

/// The client's end.
pub trait Io {
    /// Writes one line (without its end) to the client, at once. Control characters become blanks.
    fn send(&mut self, line: &str);
    /// Whether a person at a terminal is at the other end.
    fn is_interactive(&self) -> bool;
    /// The path of a file that the client names.
    /// # Errors
    /// The client has no access to it, as [`Sandbox::locate`](crate::util::files::Sandbox::locate) reports.
    fn locate(&self, name: &str) -> std::io::Result<std::path::PathBuf>;
    /// Ends the session after this line.
    fn quit(&mut self);
    /// Whether nothing may be started any more: the client quit or closed the input some time ago.
    fn is_ending(&self) -> bool;
}

/// The game, its engine and the running search.
pub trait HostSearch {
    fn state(&self) -> State;
    fn game(&self) -> GameId;
    fn engine(&mut self) -> &mut dyn Engine;
    /// Changes the game; the old engine is dropped unless it is that game already. Options that were set
    /// are set again where the new engine has them. A running search is stopped, and forgotten.
    fn select_game(&mut self, game: GameId);
    /// Sets up a position of the current game.
    fn set_position(&mut self, spec: &PositionSpec) -> Result<(), Message>;
    /// Starts a search. Its events come to [`Dialect::event`](super::Dialect::event). A `BestMove` before its
    /// time (pondering, or `infinite`) is held back until [`stop`](Self::stop) or
    /// [`ponder_hit`](Self::ponder_hit).
    fn go(&mut self, limits: Limits) -> Result<(), Message>;
    /// Whether a search runs that only the client can end.
    fn is_endless(&self) -> bool;
    /// Stops the search; its `BestMove` still comes. Does nothing when idle.
    fn stop(&mut self);
    /// The expected move was played. Does nothing unless pondering.
    fn ponder_hit(&mut self, draw_offered: bool);
    /// Runs work of the engine that blocks the controller, with the flag by which the client stops it.
    /// Whether it did.
    fn work(&mut self, job: &mut dyn FnMut(&mut AnyEngine, &StopHandle)) -> bool;
}

pub trait HostOptions {
    /// Sets an option of the controller or of the engine, whichever has it. Names are compared without
    /// regard to case.
    /// # Errors
    /// Unknown name, value out of range, or a search is running; nothing has changed then.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Message>;
    /// The options of the controller and of the current game.
    fn options(&mut self) -> Vec<OptionSpec>;
    /// The options of the games that may be played instead of the current one, those of
    /// [`options`](Self::options) left out. They can be set, and are remembered for these games.
    fn other_options(&mut self) -> Vec<OptionSpec>;
}

/// What only Go can be asked, in a session of Go.
pub trait GoSearch {
    fn go_engine(&mut self) -> &mut GoEngine;
    /// Starts a search of Go, as [`HostSearch::go`] does.
    fn go_search(&mut self, request: SearchRequest, limits: Limits) -> Result<(), Message>;
}
