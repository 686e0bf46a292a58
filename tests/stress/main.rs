//! Stress: faults of the system, commands in random order, hours of games, planted faults. The quick ones run
//! in `make test`, the others by `make faults`, `make sequences`, `make soak` and `make planted`.

mod faults;
mod persons;
mod planted;
mod sequences;
#[path = "../session.rs"]
mod session;
mod soak;
#[path = "../support.rs"]
mod support;
