//! Chess by the FIDE laws, Chess960 included.
//!
//! Reading order: [`types`], [`bitboard`], [`attacks`] and [`magic`] are the vocabulary; [`position`]
//! holds what decides legal moves and [`movegen`] finds them; [`board`] adds keys and history;
//! [`legality`], [`see`] and [`draws`] answer the questions of a search, [`tactics`] those of an evaluation, [`game`]
//! hands them over;
//! [`fen`], [`notation`] and [`san`] are the text; [`rules`] is the arbiter's view of how games end, and
//! [`polyglot`] knows how they begin, [`syzygy`] knows how they must end when few pieces are left.

pub mod attacks;
pub mod bitboard;
pub mod magic;
pub mod types;

pub mod movegen;
pub mod perft;
pub mod position;

pub mod board;
mod zobrist;

pub mod draws;
pub mod legality;
pub mod see;
pub mod tactics;

mod game;
#[cfg(test)]
mod properties;

pub mod fen;
pub mod notation;
pub mod san;

pub mod chess960;
pub mod polyglot;
pub mod rules;
pub mod syzygy;

pub use board::Board;
pub use draws::force_tables;
pub use fen::{FenError, START_FEN};
pub use see::VALUES as SEE_VALUES;
pub use types::{Color, Kind, Move, Piece, Square};
