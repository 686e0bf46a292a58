//! Sanqi (三棋): chess, xiangqi and Go in one engine.
//!
//! The modules in reading order: each may use those above it, as `tests/layering.rs` checks.
#![deny(unsafe_code)]

pub mod util; // random numbers, aligned memory, prefetch, files, the operating system

pub mod game; // what a game is: traits, verdicts, Zobrist keys, perft

pub mod chess; // magic bitboards, legal moves, FEN, SAN, draws, Chess960
pub mod go; // union-find board, superko, area scoring, life and death
pub mod xiangqi; // 10x9 mailbox, legal moves, repetition judge, notation

pub mod clock; // every form of time control, and how much of it to spend
pub mod nnue; // nets: what inputs are, file, accumulators, kernels
pub mod convnet; // convolutional nets: file, evaluation, kernels
pub mod tune; // the numbers of the search that can be tuned
pub mod search; // worker pool, transposition table, alpha-beta, Monte-Carlo tree

pub mod eval; // which evaluation each game uses, what its net sees

pub mod engine; // a game, its evaluation and a search behind one object-safe trait

pub mod protocol; // UCI, UCCI and GTP

pub mod controller; // the event loop between a dialect and an engine

pub mod arbiter; // matches between engines, refereed by the rules
pub mod train; // self-play data, trainers

pub mod cli; // the sub-commands
