//! Small things that know no game.

pub mod rng;
