//! Go: board, rules, counting, life and death, playouts.
//!
//! [`Board`] has only the stones, and is made for playouts; [`Position`] is a game: a board with rules, komi
//! and the history that superko needs. Points and moves are [`Point`]s.
//!
//! ```
//! use sanqi::go::coords::parse_vertex;
//! use sanqi::go::score::margin;
//! use sanqi::go::{BLACK, PointSet, Position, Rules, WHITE};
//!
//! let mut position = Position::new(5, 5, Rules::default());
//! position.set_komi(0.5);
//! for row in 1..=5 {
//!     for (side, column) in [(BLACK, 'C'), (WHITE, 'B')] {
//!         let point = parse_vertex(position.board(), &format!("{column}{row}")).ok_or("no such point")?;
//!         position.play(side, point)?;
//!     }
//! }
//! // Three columns of five points against two.
//! assert_eq!(margin(&position, &PointSet::EMPTY).to_string(), "B+4.5");
//! let taken = parse_vertex(position.board(), "C3").ok_or("no such point")?;
//! assert!(position.check(BLACK, taken).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod coords;
mod game;
mod grid;
#[doc(hidden)]
pub mod ladder;
pub mod life;
#[doc(hidden)]
pub mod pattern;
#[doc(hidden)]
pub mod playout;
pub mod position;
pub mod rules;
pub mod score;
#[doc(hidden)]
pub mod symmetry;
#[cfg(test)]
pub(crate) mod testing;
pub mod types;

pub use board::Board;
pub use position::{IllegalMove, Position};
pub use rules::Rules;
pub use types::{BLACK, CELLS, Color, MAX_KOMI, MAX_SIZE, Move, Point, PointSet, WHITE};
