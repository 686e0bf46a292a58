//! Xiangqi: board, moves, notation and the judge of repetitions.
//!
//! A 10x9 mailbox has the piece on each square, one 90-bit set per kind of piece the squares of that kind,
//! and one occupancy word per file and per rank indexes the tables that give chariots and cannons their
//! targets. Stalemate loses, the generals may not face each other, and a repetition has a verdict of its own
//! ([`repetition`]).
//!
//! ```
//! use sanqi::game::{Game, Side};
//! use sanqi::xiangqi::notation::{self, Notation};
//! use sanqi::xiangqi::Board;
//!
//! let mut board = Board::start();
//! let mv = notation::read_any(&board, "炮二平五")?;
//! assert_eq!(mv, notation::read_any(&board, "h2e2")?);
//! assert_eq!(notation::coordinates(mv, Notation::RanksFromOne), "h3e3");
//! assert_eq!(notation::wxf(&board, mv), "C2=5");
//!
//! board.do_move(mv, &mut ());
//! assert_eq!(board.side_to_move(), Side::Second);
//! assert_eq!(board.fen(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bitboard;
pub mod book;
#[doc(hidden)]
pub mod lookup;
pub mod notation;
pub mod repetition;
#[doc(hidden)]
pub mod tactics;
pub mod types;

mod attacks;
mod board;
mod endings;
mod fen;
mod game;
mod movegen;
mod rules;
mod see;

pub use bitboard::Bitboard;
pub use board::Board;
pub use fen::{FenError, START_FEN};
pub use rules::{NoProgress, RuleSet};
pub use types::{Kind, Move, Piece, Square};

/// The language of texts for people.
pub use crate::util::lang::Language;
