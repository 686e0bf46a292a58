//! Reports of a game while it is played.

use crate::games::game::Start;
use crate::games::record::Ply;

/// Where moves are reported to as they are played.
pub trait Watch: Send + Sync {
    /// A game begins with these moves of its opening.
    fn begun(&self, number: usize, start: &Start, names: [String; 2], opening: &[Ply]);
    /// A move was made; the time left on both clocks, in milliseconds.
    fn moved(&self, number: usize, ply: &Ply, clocks: [Option<u64>; 2]);
    /// A clock was started, stopped or changed; the time left on both, and whether that of the side to move
    /// runs.
    fn clocks(&self, number: usize, clocks: [Option<u64>; 2], runs: bool);
}
