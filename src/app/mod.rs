//! What the commands share: the console, languages, levels, engines at a game, reviews of games.

pub mod about; // what was built
pub mod args; // arguments that several commands share
pub mod console; // results, failures, files that people name
pub mod language; // `--lang`, and text in columns
pub mod defaults; // the file of options
pub mod desk; // what the rules answer to a question about a game
pub mod level; // strength below full strength
pub mod opponent; // the engine's manners at a table
pub mod page; // a page that a command fills
pub mod seat; // an engine at a game
pub mod terminal; // a person at a terminal
pub mod usage; // help and wrong usage in the person's language
pub mod remarks; // what engines remark on their options
pub mod review; // opinions and judged moves
