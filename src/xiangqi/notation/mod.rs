//! Moves as text: coordinates (ICCS and ranks from one), Chinese notation and WXF.

mod coordinate;

pub use coordinate::{coordinates, read};

use thiserror::Error;

/// Why a text names no move here.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The text is not written the way moves are.
    #[error("\"{0}\" is not a move")]
    Malformed(String),
    /// No piece of the side to move can go there.
    #[error("\"{0}\" is not possible here")]
    Impossible(String),
    /// The move leaves the own general attacked.
    #[error("\"{0}\" leaves the general in check")]
    Exposes(String),
}
