//! Chess by the FIDE laws, Chess960 included.
//!
//! Reading order: [`types`], [`bitboard`], [`attacks`] and [`magic`] are the vocabulary; [`position`] holds
//! what decides legal moves and [`movegen`] finds them; [`board`] adds keys and history; [`legality`],
//! [`see`] and [`draws`] answer the questions of a search, [`tactics`] those of an evaluation, [`game`] hands
//! them over; [`fen`], [`notation`] and [`san`] are the text; [`rules`] is the arbiter's view of how games
//! end, and [`polyglot`] knows how they begin, [`syzygy`] knows how they must end when few pieces are left.
//!
//! ```
//! use sanqi::chess::rules::{self, End};
//! use sanqi::chess::Board;
//! use sanqi::game::{Game, Side};
//!
//! let mut board = Board::start();
//! for text in ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"] {
//!     let mv = board.parse_san(text)?;
//!     board.do_move(mv, &mut ());
//! }
//! assert!(board.legal().is_empty());
//! assert_eq!(rules::end(&board), Some(End::Checkmate { winner: Side::First }));
//! assert_eq!(board.fen(), "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4");
//! assert!(Board::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod attacks;
pub mod bitboard;
#[doc(hidden)]
pub mod magic;
pub mod types;

pub mod movegen;
pub mod perft;
pub mod position;

pub mod board;
mod zobrist;

pub mod draws;
#[doc(hidden)]
pub mod legality;
#[doc(hidden)]
pub mod see;
#[doc(hidden)]
pub mod tactics;

mod game;
#[cfg(test)]
mod properties;

pub mod fen;
pub mod notation;
mod refusal;
pub mod san;

pub mod chess960;
pub mod fifty;
pub mod helpmate;
pub mod polyglot;
pub mod rules;
pub mod syzygy;

pub use board::Board;
pub use fen::{FenError, START_FEN};
pub use see::VALUES as SEE_VALUES;
pub use types::{Color, Kind, Move, Piece, Square};
