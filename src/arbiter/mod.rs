//! Matches between engines of any protocol, refereed by the rules.
//!
//! A match is a list of games. A game has two [`players`](crate::client::player) (processes that speak a
//! protocol), a [`referee`](crate::games::referee) (the rules) and two clocks; only its
//! [`record`](crate::games::record) is kept.
// Engines, configurations and the files of earlier matches are input.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

pub mod stats; // Elo, likelihoods, sequential tests

mod stall_watch; // notices when the manager itself stood still

pub mod fouls; // offers of draws that are repeated
pub mod adjudicate; // games ended by the match's own rules
pub mod hall; // persons, their boards, what the arbiter asks for
pub mod play; // one game
mod person; // a person at a board
mod go_on; // a game of an interrupted match
pub mod under_way; // the moves of games under way
mod settle; // dead stones

pub mod config; // a match as it is set up
pub mod cup;
pub mod fixture; // one game of a match, before it is played
pub mod schedule; // who plays whom
pub mod standings; // who has scored what
pub mod watch; // reports of a game while it is played
pub mod tournament; // a whole match

pub mod live; // a match as spectators see it
pub mod journal; // what survives an interruption
pub mod merge; // one match of the journals of its parts
pub mod report; // a page that shows a match

pub mod spsa; // tuning by games

#[cfg(test)]
mod testing; // games for tests
