//! A game at a table of the terminal: clocks, offers, claims, and games that go on after the program has
//! ended.

use crate::support::{engine, program, run_program, stderr, stdout};
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::Instant;
use tempfile::tempdir;

/// What a game prints, its input all at once.
fn played(args: &[&str], input: &str) -> String {
    let output = run_program(engine(), &[&["play"], args].concat(), input);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

/// A game whose input stays open.
fn open(args: &[&str]) -> Child {
    let mut command = program(engine());
    command.arg("play").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Reads what a game prints up to a text.
fn read_until(game: &mut Child, wanted: &str) -> String {
    let (mut text, mut byte) = (Vec::new(), [0]);
    let out = game.stdout.as_mut().unwrap();
    while !String::from_utf8_lossy(&text).contains(wanted) {
        assert_eq!(out.read(&mut byte).unwrap(), 1, "no {wanted:?} in {}", String::from_utf8_lossy(&text));
        text.push(byte[0]);
    }
    String::from_utf8(text).unwrap()
}

const ROOK: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80";

#[test]
fn the_flag_falls_without_a_key() {
    for (control, least) in
        [("1", 1.0), ("0.5+1x0.5", 1.0), ("st=1", 1.0), ("60+1x30@1", 1.0), ("0.6d0.4", 1.0)]
    {
        let begun = Instant::now();
        let mut game = open(&["chess", "--tc", control]);
        read_until(&mut game, "0-1 Black wins: White oversteps the time");
        let seconds = begun.elapsed().as_secs_f64();
        assert!((least..least + 20.0).contains(&seconds), "{control}: {seconds} s");
        game.stdin.take().unwrap().write_all(b"e4\nquit\n").unwrap();
        assert!(game.wait().unwrap().success());
    }
    // The engine's flag falls as well, where it has no book.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    let text = played(&["chess", "--side", "black", "--tc", "0.001", "--fen", start], "");
    assert!(text.contains("0-1 Black wins: White oversteps the time"), "{text}");
    // Against a bare king time wins nothing (CH-12).
    let mut game = open(&["chess", "--tc", "0.2", "--fen", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"]);
    read_until(
        &mut game,
        "1/2-1/2 a draw: White oversteps the time, but Black cannot mate".split(',').next().unwrap(),
    );
    drop(game.stdin.take());
    assert!(game.wait().unwrap().success());
}

#[test]
fn claims_are_examined() {
    let game = ["chess", "--conduct", "match", "--tc", "600", "--fen", ROOK, "--nodes", "1"];
    let text = played(&game, "claim\nclaim Ra2\n");
    assert!(
        text.contains("White claims a draw, wrongly: occurrence 1 of the position, 49 moves since"),
        "{text}"
    );
    assert!(text.contains("White's clock: -300 s"), "{text}");
    assert!(text.contains("1/2-1/2 a draw: White claims a draw with Ra2: fifty moves"), "{text}");
    // The game is over when a player claims it, and goes on otherwise.
    let text = played(&game, "Ra2\nmoves\n");
    assert!(!text.contains("1/2-1/2"), "{text}");
    let casual = ["chess", "--fen", ROOK, "--nodes", "1"];
    assert!(played(&casual, "Ra2\n").contains("1/2-1/2 a draw: fifty moves"));
}

#[test]
fn serious_games_have_no_advice() {
    let text = played(&["chess", "--conduct", "match", "--level", "1"], "e4\nundo\nhint\nscore\npause\n");
    for line in [
        "no move is taken back in a serious game",
        "there is no advice in a serious game",
        "only the arbiter may do that",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn a_second_illegal_move_loses_in_rapid_chess() {
    let text =
        played(&["chess", "--conduct", "rapid", "--tc", "600", "--level", "1"], "Ke3\nnonsense\nKd5\n");
    for line in [
        "White: Ke3 is put back, illegal move 1",
        "Black's clock: +120 s",
        "0-1 Black wins: White plays illegal move 2, Kd5",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn draws_are_offered_once_and_taken_where_the_game_is_level() {
    let level = "3rk3/8/8/8/8/8/8/3RK3 w - - 0 1";
    let text = played(&["chess", "--fen", level, "--nodes", "1000"], "draw\n");
    assert!(text.contains("1/2-1/2 a draw: draw agreed"), "{text}");
    let text = played(&["xiangqi", "--conduct", "match", "--nodes", "1"], "提和\n提和\n提和\n提和\n");
    let lines: Vec<&str> =
        text.lines().filter(|line| line.contains("foul") || line.contains("declines")).collect();
    assert_eq!(
        lines[..3],
        [
            "the engine declines the draw",
            "Red: foul 1, a draw offered again",
            "Red: foul 2, a draw offered again"
        ]
    );
    assert!(text.contains("0-1 Black wins: Red: offers a draw again, foul 3"), "{text}");
    let text = played(&["chess", "--level", "1"], "draw\ndraw\n");
    assert!(text.contains("a draw was declined, and nothing has changed since"), "{text}");
}

#[test]
fn a_game_goes_on_after_a_kill() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("game").display().to_string();
    let mut game = open(&["chess", "--resume", &file, "--tc", "300+2", "--level", "1"]);
    game.stdin.as_mut().unwrap().write_all(b"e4\ntime\n").unwrap();
    read_until(&mut game, "(300+2)");
    let why = run_program(engine(), &["play", "chess", "--resume", &file], "");
    assert!(stderr(&why).contains("another program plays this game"), "{}", stderr(&why));
    game.kill().unwrap();
    game.wait().unwrap();
    let text = played(&["chess", "--resume", &file], "time\nmoves\nNf3\n");
    assert!(
        text.starts_with(
            "The game is resumed after move 2.\nYou are White. The engine plays at level 1 (520).\n"
        ),
        "{text}"
    );
    assert!(text.contains("1. e4 ") && text.contains("(300+2)"), "{text}");
    let text = played(&["chess", "--resume", &file], "moves\n");
    assert!(text.starts_with("The game is resumed after move 4.\n") && text.contains("2. Nf3 "), "{text}");
    for (args, why) in [
        (&["go"][..], "it is a game of chess"),
        (&["chess", "--tc", "60"], "--tc is settled: the game in it goes on as it was agreed"),
    ] {
        let output = run_program(engine(), &[&["play"], args, &["--resume", &file]].concat(), "");
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[test]
fn a_sealed_move_waits_for_its_envelope() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("game");
    let file = path.display().to_string();
    let args = ["chess", "--resume", &file, "--level", "1"];
    let text = played(
        &[&args[..], &["--tc", "300", "--conduct", "match"]].concat(),
        "adjourn\nadjourn d9\nadjourn d4\ne4\n",
    );
    assert!(
        text.contains("adjourn MOVE: the move that is sealed")
            && text.contains("sealed; your envelope is in"),
        "{text}"
    );
    let journal = std::fs::read_to_string(&path).unwrap();
    assert!(journal.contains("\"sealed\"") && !journal.contains("d2d4"), "{journal}");
    let envelope = folder.path().join("game.envelope");
    let sealed = std::fs::read_to_string(&envelope).unwrap();
    std::fs::remove_file(&envelope).unwrap();
    // Lost, or another one: the program asks for it, and nothing is lost.
    let other = sealed.replace("d2d4", "e2e4");
    let text = played(&args, &format!("nonsense\n{other}\nlost d9\nquit\n"));
    for line in [
        "an envelope is written as 32 hexadecimal digits",
        "this envelope does not belong to the sealed move",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let text = played(&args, &format!("{sealed}moves\n"));
    assert!(text.contains("the envelope is opened; White: d2d4") && text.contains("1. d4 "), "{text}");
    let game = ["chess", "--nodes", "1"];
    assert!(played(&game, "adjourn e4\n").contains("a game is adjourned in a file"));
}

#[test]
fn go_is_counted_in_stones() {
    let game = ["go", "--size", "5", "--komi", "1/4子", "--side", "black", "--level", "15k", "--lang", "zh"];
    let text = played(&game, "C3\n停一手\n停一手\n停一手\n停一手\n是\n");
    assert!(text.contains("需 12¾ 子"), "{text}");
    assert!(text.contains("白方：") && !text.contains("白方: "), "{text}");
    let output = run_program(engine(), &["play", "go", "--komi", "3又3"], "");
    assert!(stderr(&output).contains("3.75zi"), "{}", stderr(&output));
}

#[test]
fn clocks_can_be_paused_and_lots_are_drawn() {
    let text = played(&["chess", "--tc", "60", "--level", "1"], "pause\ne4\npause\ncontinue\ntime\n");
    for line in
        ["the clocks are stopped; continue lets them run", "the clocks are stopped", "the clocks run", "(60)"]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
    // A pause outlasts a move that is taken back, and an engine to move goes on.
    let black = ["chess", "--side", "black", "--tc", "60", "--level", "1"];
    assert!(played(&black, "pause\nundo\ntime\nresign\n").contains("1-0 White wins: Black resigns"));
    let first = |text: String| text.lines().next().unwrap().split('.').next().unwrap().to_owned();
    let game = ["chess", "--side", "random", "--nodes", "1"];
    let sides: std::collections::BTreeSet<String> = (0..40).map(|_| first(played(&game, ""))).collect();
    assert_eq!(sides.into_iter().collect::<Vec<_>>(), ["You are Black", "You are White"]);
}
