//! `nnue/recipe.sh` and `make go-generation` make nets from nothing, and the engine plays by it.

use tempfile::tempdir;

use crate::support::{engine, program, run, run_program, stderr, stdout};

/// Runs the recipe of `game` with few games, one epoch and two generations, and plays by the net it makes.
fn makes_a_net(game: &str) {
    let folder = tempdir().expect("a folder");
    let recipe = format!("{}/nnue/recipe.sh", env!("CARGO_MANIFEST_DIR"));
    let made = program("sh")
        .args([recipe.as_ref(), game.as_ref(), folder.path().as_os_str()])
        .envs([("GAMES", "100"), ("GENERATIONS", "2"), ("HIDDEN", "128"), ("EPOCHS", "1")])
        .envs([("BATCH", "512"), ("THREADS", "2")])
        .env("SANQI", engine())
        .output()
        .expect("a shell");
    assert!(made.status.success(), "{}", stderr(&made));
    let net = folder.path().join(format!("{game}.bin"));
    let net = net.to_str().expect("a path of text");

    let printed = stdout(&run(&["netinfo", net]));
    assert!(printed.contains(&format!("game: {game}")) && printed.contains("generations: 2"), "{printed}");
    let option = format!("setoption name EvalFile value {net}");
    let input = format!("{option}\nposition startpos\ngo nodes 1000\n");
    let played = stdout(&run_program(engine(), &["uci", "--game", game], &input));
    assert!(played.contains("bestmove ") && !played.contains("not "), "{played}");

    let file = |name: &str| folder.path().join(format!("{game}{name}")).display().to_string();
    let mean = |with: &str| {
        run(&["quantise", game, &file("-2.bin.ckpt"), "--mean-with", with, "--out", &file("-mean.bin")])
    };
    let refused = stderr(&mean(&format!("{}/nnue/{game}.bin", env!("CARGO_MANIFEST_DIR"))));
    assert!(refused.contains("not of the checkpoint's shape and scale"), "{refused}");
    let before = file("-1.bin");
    assert!(mean(&before).status.success());
    let bytes = |path: &str| std::fs::read(path).expect("a net");
    assert!(![net, &before].into_iter().any(|other| bytes(other) == bytes(&file("-mean.bin"))));
}

#[test]
fn the_recipe_of_chess_makes_a_net() {
    makes_a_net("chess");
}

#[test]
fn the_recipe_of_xiangqi_makes_a_net() {
    makes_a_net("xiangqi");
}

#[test]
fn settings_that_there_cannot_be_are_refused() {
    let recipe = format!("{}/nnue/recipe.sh", env!("CARGO_MANIFEST_DIR"));
    let refused = |args: &[&str], setting: (&str, &str)| {
        let output = program("sh").arg(&recipe).args(args).envs([setting]).output().expect("a shell");
        let printed = stderr(&output);
        assert!(
            output.status.code() == Some(2) && printed.lines().count() == 1,
            "{args:?} {setting:?}: {printed}"
        );
    };
    refused(&[], ("GAMES", "100"));
    refused(&["go", "nowhere"], ("GAMES", "100"));
    for setting in [("GAMES", "abc"), ("GENERATIONS", "0"), ("THREADS", "-1")] {
        refused(&["chess", "nowhere"], setting);
    }
}

/// Two generations of Go's net, from the first game to a match of both, and a second run that finds
/// everything done.
#[test]
#[ignore = "minutes; installs PyTorch"]
fn a_generation_of_go_makes_a_net() {
    let folder = tempdir().expect("a folder");
    let path = |name: &str| format!("{}={}", name, folder.path().join(name).display());
    let generation = |number: u32, more: &[&str]| {
        let exe = engine();
        let made = program("make")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            // The engine under test is not to be made again.
            .arg("--old-file")
            .arg(&exe)
            .args(["go-generation", &format!("EXE={}", exe.display()), &path("GO_DATA"), &path("GO_WORK")])
            .arg(format!("GENERATION={number}"))
            .env_remove("MAKEFLAGS")
            .args(["GO_GAMES=60", "GO_ASIDE=6", "GO_EPOCHS=2", "GO_MATCH=2", "GO_VISITS=16"])
            .args([
                "GO_SELFPLAY=--sizes 5:2,7:1 --visits 16",
                "GO_TRAIN=--batch 64 --warmup 5 --check-every 20",
            ])
            .args(more)
            .output()
            .expect("make");
        let printed = format!("{}{}", stdout(&made), stderr(&made));
        assert!(made.status.success(), "{printed}");
        printed
    };
    let net = |number: u32| {
        let path = folder.path().join(format!("GO_WORK/generation-{number}/net.bin"));
        std::fs::read(path).expect("a net")
    };
    let printed = generation(1, &["GO_BLOCKS=3"]);
    assert!(printed.contains("net.bin: 3 blocks") && printed.contains("net.bin 5x5: "), "{printed}");
    assert!(printed.contains("\nnew vs old: ") && net(1).starts_with(b"SANQICNV"), "{printed}");

    // The next one plays by that net, has its shape and counts on.
    let printed = generation(2, &[]);
    let before = folder.path().join("GO_WORK/generation-1/net.bin");
    assert!(printed.contains(&format!("--net {}", before.display())), "{printed}");
    assert!(
        printed.contains("net.bin: 3 blocks") && printed.contains(", 120 + 0 + 0 + 0 games"),
        "{printed}"
    );
    assert!(printed.contains("\nnew vs old: "), "{printed}");
    let first = net(2);
    let printed = generation(2, &[]);
    assert!(!printed.contains("Started game"), "{printed}");
    assert_eq!(net(2), first);
    assert!(!generation(2, &["GO_MATCH=0"]).contains("new vs old"));
}
