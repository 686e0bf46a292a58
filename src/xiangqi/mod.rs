//! Xiangqi: board, moves, notation and the judge of repetitions.
//!
//! A 10x9 mailbox says what stands on a square, one 90-bit set per kind of piece says where that kind stands,
//! and one occupancy word per file and per rank indexes the tables that give chariots and cannons their
//! targets. Stalemate loses, the generals may not face each other, and a repetition has a verdict of its own
//! ([`repetition`]).

pub mod bitboard;
pub mod book;
pub mod lookup;
pub mod notation;
pub mod repetition;
pub mod types;

mod attacks;
mod board;
mod fen;
mod game;
mod make;
mod movegen;
mod rules;
mod see;

pub use bitboard::Bitboard;
pub use board::Board;
pub use fen::{FenError, START_FEN};
pub use rules::{NoProgress, RuleSet};
pub use types::{Kind, Move, Piece, Square};
