//! Small things that know no game.

pub mod files;
pub mod memory;
pub mod rng;
pub mod system;
