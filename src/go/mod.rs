//! Go: board, rules, counting, life and death, playouts.
//!
//! [`Board`] is the stones alone, made for playouts; [`Position`] is a game: a board with rules, komi and the
//! history that superko needs. Points and moves are [`Point`]s.

pub mod board;
pub mod coords;
mod grid;
pub mod ladder;
pub mod life;
pub mod pattern;
pub mod playout;
pub mod position;
pub mod rules;
pub mod score;
pub mod sgf;
#[cfg(test)]
pub(crate) mod testing;
pub mod types;

pub use board::Board;
pub use position::{IllegalMove, Position};
pub use rules::Rules;
pub use types::{BLACK, CELLS, Color, MAX_SIZE, Move, Point, PointSet, WHITE};
