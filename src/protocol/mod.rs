//! Protocols: lines of text in, lines of text out.
//!
//! A [`Dialect`] understands one protocol. It owns no engine and prints nothing: it asks the
//! [`Host`], which the controller is, to act, and hands it the lines to write.

use crate::engine::{Engine, Event, GameId};
use crate::search::limits::Limits;

/// What the engine is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Nothing.
    Idle,
    /// Searching on its own time.
    Searching,
    /// Searching on the opponent's time.
    Pondering,
}

/// What a dialect may ask of the controller.
pub trait Host {
    /// What the engine is doing.
    fn state(&self) -> State;
    /// The engine of the current game.
    fn engine(&mut self) -> &mut dyn Engine;
    /// Changes the game; the old engine is dropped unless it is that game already.
    fn select_game(&mut self, game: GameId);
    /// Starts a search; its events come back through [`Dialect::event`].
    /// # Errors
    /// As [`Engine::go`].
    fn go(&mut self, limits: Limits) -> Result<(), String>;
    /// Stops the search; its `BestMove` still comes. Does nothing when idle.
    fn stop(&mut self);
    /// The expected move was played. Does nothing unless pondering.
    fn ponder_hit(&mut self);
    /// Blocks until the search ended and its events were given to the dialect.
    fn wait(&mut self);
    /// Sets an option of the controller or of the engine, whichever has it.
    /// # Errors
    /// Unknown name, value out of range, or not now; nothing has changed then.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String>;
    /// All options there are.
    fn options(&self) -> Vec<crate::engine::OptionSpec>;
    /// Writes one line (without its end) to the client, at once.
    fn send(&mut self, line: &str);
    /// Ends the session after this line.
    fn quit(&mut self);
}

/// One protocol.
pub trait Dialect: Send {
    /// Its name (`uci`).
    fn name(&self) -> &'static str;
    /// Deals with one input line, given without its line end.
    fn line(&mut self, line: &str, host: &mut dyn Host);
    /// Renders what a search reports.
    fn event(&mut self, event: &Event, host: &mut dyn Host);
    /// Whether input is left unread until the running command has finished (UCCI `batch`, GTP).
    fn waits_for_search(&self) -> bool {
        false
    }
}
