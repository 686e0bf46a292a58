//! Self-play that is killed again and again ends in the same file as self-play left alone.

use sanqi::train::record::Reader;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::tempdir;

fn datagen(game: &str, out: &Path, games: u32) -> Child {
    let games = games.to_string();
    Command::new(env!("CARGO_BIN_EXE_sanqi"))
        .args(["datagen", game, "--games", &games, "--nodes", "5", "--threads", "2", "--resume", "--out"])
        .arg(out)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the engine starts")
}

fn the_file(directory: &Path) -> PathBuf {
    let mut entries = fs::read_dir(directory).expect("the directory is there");
    entries.next().expect("a file is there").expect("it can be listed").path()
}

/// Bytes of a file up to the end of its last whole block.
fn whole_blocks(file: &[u8], game: &'static str) -> u64 {
    let mut reader = Reader::new(file, game);
    while reader.next().is_some() {}
    reader.good_end()
}

fn survives_kills(game: &'static str, games: u32) {
    let folder = tempdir().expect("a folder");
    // Neither is there yet: self-play makes it.
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let output = datagen(game, &whole, games).wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    let last = text.lines().last().expect("a result");
    assert!(output.status.success() && last.contains(&format!(" positions, {games} games, ")), "{last}");
    let expected = fs::read(the_file(&whole)).expect("readable");

    let (mut kills, mut length, mut pause) = (0, 0, 7);
    while kills < 20 {
        let mut child = datagen(game, &killed, games);
        pause = (pause * 53 + 29) % 211;
        std::thread::sleep(Duration::from_millis(pause));
        if child.try_wait().expect("a status").is_some() {
            break;
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        kills += 1;
        // Nothing that was whole is ever lost: the file is always a prefix, and keeps its blocks.
        if fs::read_dir(&killed).is_ok_and(|mut d| d.next().is_some()) {
            let now = fs::read(the_file(&killed)).expect("readable");
            let same = now.iter().zip(&expected).take_while(|(a, b)| a == b).count();
            assert_eq!(same, now.len(), "not a prefix after {kills} kills");
            // A block that was being written may be torn: the next run cuts its beginning off.
            let good = whole_blocks(&now, game);
            assert!(good >= length, "whole blocks shrank from {length} to {good}");
            length = good;
        }
    }
    assert!(kills > 0);
    let output = datagen(game, &killed, games).wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert!(fs::read(the_file(&killed)).expect("readable") == expected);
}

#[test]
fn chess_self_play_survives_kills() {
    survives_kills("chess", 160);
}

#[test]
fn xiangqi_self_play_survives_kills() {
    survives_kills("xiangqi", 96);
}
