//! Other engines: their processes, and the protocols they speak, seen from the side that asks.
// What an engine prints is input.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

pub mod request; // what is asked of an engine

pub mod grammar; // the lines of the protocols

pub mod cancel; // ends the work with engines from outside
pub mod process; // an engine's process and its lines
pub mod wire; // lines sent and waited for

pub mod features; // the announcement of XBoard's engines

pub mod player; // an engine of any protocol, asked for moves

pub mod spec; // an engine as the command line gives it

pub mod detect; // which protocol an engine speaks
