//! The recipes in `nnue/recipes` make a net from nothing, and the engine plays by it.

use std::process::Command;
use tempfile::tempdir;

use crate::support::{engine, run, run_program, stderr, stdout};

/// Runs the recipe of `game` with few games, one epoch and two generations, and plays by the net it makes.
fn makes_a_net(game: &str) {
    let folder = tempdir().expect("a folder");
    let recipe = format!("{}/nnue/recipes/{game}.sh", env!("CARGO_MANIFEST_DIR"));
    let made = Command::new("sh")
        .args([recipe.as_ref(), folder.path()])
        .envs([("GAMES", "100"), ("GENERATIONS", "2"), ("HIDDEN", "128"), ("EPOCHS", "1")])
        .envs([("BATCH", "512"), ("THREADS", "2")])
        .env("SANQI", engine())
        .output()
        .expect("a shell");
    assert!(made.status.success(), "{}", stderr(&made));
    let net = folder.path().join(format!("{game}.bin"));
    let net = net.to_str().expect("a path of text");

    let told = stdout(&run(&["netinfo", net]));
    assert!(told.contains(&format!("game: {game}")) && told.contains("generations: 2"), "{told}");
    let option = format!("setoption name EvalFile value {net}");
    let input = format!("{option}\nposition startpos\ngo nodes 1000\n");
    let played = stdout(&run_program(engine(), &["uci", "--game", game], &input));
    assert!(played.contains("bestmove ") && !played.contains("not "), "{played}");
}

#[test]
#[ignore = "a minute"]
fn the_recipe_of_chess_makes_a_net() {
    makes_a_net("chess");
}

#[test]
#[ignore = "a minute"]
fn the_recipe_of_xiangqi_makes_a_net() {
    makes_a_net("xiangqi");
}
