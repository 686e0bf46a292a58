//! Small things that know no game.

pub mod memory;
pub mod rng;
pub mod system;
