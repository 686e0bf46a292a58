//! Sanqi (三棋): chess, xiangqi and Go in one engine.
//!
//! # The library
//!
//! What other programs may use is the rules of the three games, their notations, the judge of xiangqi's
//! repetitions, and the engines:
//!
//! | Module | Has |
//! |---|---|
//! | [`game`] | what all three games have in common: whose turn it is, legal moves, verdicts |
//! | [`chess`] | positions, legal moves, FEN, SAN, Chess960, how games end, Polyglot books, Syzygy tables |
//! | [`go`] | positions of 2×2 to 25×25, rule sets, counting, life and death, coordinates |
//! | [`xiangqi`] | positions, legal moves, FEN, notations, books, the judge: [`xiangqi::repetition`] |
//! | [`engine`] | searches of all three games behind one trait |
//!
//! Each has an example. All else is what the program `sanqi` is made of: it is public for the tests and the
//! benches, hidden in these pages, and changes with any version. The version of the crate covers only these
//! five modules.
//!
//! # For those who change it
//!
//! The modules in reading order: each may use those above it, as `tests/layering.rs` checks. `cargo doc
//! --document-private-items` shows what the links to private items mean.
#![deny(unsafe_code)]
// The pages are written for maintainers, too.
#![allow(rustdoc::private_intra_doc_links)]
// `eprintln!` panics where standard error is closed; `util::system::remark` does not.
#![cfg_attr(not(test), deny(clippy::print_stderr))]
// No input may bring the program down. Tests may. What cannot be is `unreachable!`, with the reason.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo, clippy::unimplemented),
    deny(clippy::string_slice)
)]

#[doc(hidden)]
pub mod util; // random numbers, aligned memory, choice of kernels, files, the operating system

#[doc(hidden)]
pub mod page; // HTML pages that need no other file: look, boards

pub mod game; // what a game is: traits, verdicts, Zobrist keys, perft

pub mod chess; // magic bitboards, legal moves, FEN, SAN, draws, Chess960
pub mod go; // union-find board, superko, area scoring, life and death
pub mod xiangqi; // 10x9 mailbox, legal moves, repetition judge, notation

#[doc(hidden)]
pub mod clock; // every form of time control, and how much of it to spend
#[doc(hidden)]
pub mod games; // records, notations, referees, openings: a game apart from any engine
#[doc(hidden)]
pub mod table; // a game between two seats: clocks that run, offers, claims, adjournment
#[doc(hidden)]
pub mod nnue; // nets: what inputs are, file, accumulators, kernels
#[doc(hidden)]
pub mod convnet; // convolutional nets: file, evaluation, kernels
#[doc(hidden)]
pub mod tune; // the numbers of the search that can be tuned
#[doc(hidden)]
pub mod search; // worker pool, transposition table, alpha-beta, Monte-Carlo tree

#[doc(hidden)]
pub mod eval; // which evaluation each game uses, what its net sees

pub mod engine; // a game, its evaluation and a search behind one object-safe trait

#[doc(hidden)]
pub mod protocol; // UCI, UCCI and GTP

#[doc(hidden)]
pub mod controller; // the event loop between a dialect and an engine

#[cfg(any(feature = "match", feature = "check", feature = "serve"))]
#[doc(hidden)]
pub mod client; // other engines: processes, and every protocol from the side that asks
#[cfg(feature = "match")]
#[doc(hidden)]
pub mod arbiter; // matches between engines, refereed by the rules
#[cfg(feature = "train")]
#[doc(hidden)]
pub mod train; // self-play data, trainers

#[doc(hidden)]
pub mod app; // what the commands share: console, languages, levels, an engine at a game, reviews
#[cfg(feature = "serve")]
#[doc(hidden)]
pub mod serve; // boards in the browser
#[doc(hidden)]
pub mod katago; // KataGo's JSON protocol for analysis, for all three games
#[cfg(feature = "check")]
#[doc(hidden)]
pub mod check; // examines an engine of any protocol

#[doc(hidden)]
pub mod cli; // the commands
