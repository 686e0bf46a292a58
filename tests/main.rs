//! Integration tests: the rules of the house, and the binary as its users meet it.
//!
//! They form one binary, since every other one links the engine again. Every file of this folder is a module
//! here; `layering::every_test_file_is_a_module` notices a forgotten one. One area:
//! `cargo test --test all layering::`. Faults of the system, random commands and long games are in `stress/`,
//! response times in `latency/`.

mod analysis;
mod analyze;
mod arbiter;
mod books;
mod check;
mod chess_crosscheck;
mod chess_perft;
mod circles;
mod cli;
mod clients;
mod crash;
mod datagen;
mod defaults;
mod desk;
mod dialects;
mod endings;
mod fuzz;
mod go_cases;
mod go_reference;
mod go_rules;
mod go_sgf;
mod gtp;
mod guides;
mod hostile;
mod install;
mod judge;
mod kept;
mod layering;
mod levels;
mod live;
mod mates;
mod names;
mod nnue;
mod odd_engines;
mod pages;
mod play;
mod recipes;
mod records;
mod rules;
mod search;
mod serve;
mod session;
mod shards;
mod shown;
mod signature;
mod support;
mod tune;
mod words;
mod xiangqi_board;
mod xiangqi_crosscheck;
mod xiangqi_matches;
mod xiangqi_perft;
mod xiangqi_repetition;
mod xiangqi_selfplay;
