//! Games of chess, xiangqi and Go apart from any engine: records, notations, referees, openings, time
//! controls.
//!
//! What a match, an analysis, the judge and the boards have in common: a game that was played or is under
//! way, read from and written to the formats that the world uses, under the rules of the game.
// Records and configurations are input.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

pub mod time; // time controls and clocks

pub mod record; // what is kept of a game
pub mod notation; // moves as people write them
pub mod referee; // the rules at a position
pub mod game; // a game under way

pub mod tree; // a record with its variations and all that stands beside the moves
pub mod follow; // a game that follows a tree
pub mod formats; // files of every kind: PGN, SGF, XQF, CBR, DhtmlXQ
pub mod typed; // moves as people type them
pub mod game_file; // a file of games that grows
pub mod openings; // where games start
pub mod opening_names; // what openings are called
