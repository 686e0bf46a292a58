//! Small things that know no game.
// Files are input.
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

pub mod aligned;
pub mod build;
pub mod bytes;
mod cgroup;
pub mod files;
pub(crate) mod kernels;
pub mod kept;
pub mod lang;
pub mod memory;
pub mod message;
pub mod net_error;
pub mod rate;
pub mod rng;
pub mod shard;
pub mod stdout;
pub mod sync;
pub mod system;
pub mod words;
