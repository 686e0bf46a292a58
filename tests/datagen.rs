//! Self-play that is killed again and again ends in the same file as self-play left alone.

use crate::support::{program, run, stderr};
use sanqi::train::record::go::GoGame;
use sanqi::train::record::{Reader, Record, TrainingGame};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;
use tempfile::tempdir;

const CHESS: &[&str] = &["datagen", "chess", "--nodes", "5"];
const XIANGQI: &[&str] = &["datagen", "xiangqi", "--nodes", "5"];
const GO: &[&str] = &["selfplay", "go", "--visits", "20", "--sizes", "5:2,7:1"];

fn datagen(command: &[&str], out: &Path, games: u32) -> Child {
    let games = games.to_string();
    program(env!("CARGO_BIN_EXE_sanqi"))
        .args(command)
        .args(["--games", &games, "--threads", "2", "--resume", "--out"])
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
fn whole_blocks<T: Record>(file: &[u8], game: &'static str) -> u64 {
    let mut reader = Reader::<_, T>::of(file, game);
    while reader.next().is_some() {}
    reader.good_end()
}

fn survives_kills<T: Record>(command: &[&'static str], games: u32) {
    let folder = tempdir().expect("a folder");
    // Neither is there yet: self-play makes it.
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let output = datagen(command, &whole, games).wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    let last = text.lines().last().expect("a result");
    assert!(output.status.success() && last.contains(&format!(" positions, {games} games, ")), "{last}");
    let expected = fs::read(the_file(&whole)).expect("readable");

    let (mut kills, mut length, mut pause) = (0, 0, 7);
    while kills < 20 {
        let mut child = datagen(command, &killed, games);
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
            let good = whole_blocks::<T>(&now, command[1]);
            assert!(good >= length, "whole blocks shrank from {length} to {good}");
            length = good;
        }
    }
    assert!(kills > 0);
    let output = datagen(command, &killed, games).wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert!(fs::read(the_file(&killed)).expect("readable") == expected);
}

/// A file that is cut anywhere and resumed is the file of a run that was never stopped: what a worker
/// searched before leaves no trace in the next game. Deep enough that traces would show, with several seeds.
#[test]
fn resumed_self_play_plays_the_same_games() {
    let folder = tempdir().expect("a folder");
    for seed in ["3", "9", "17"] {
        let play = |out: &Path| {
            let out = out.to_str().expect("a name");
            let arguments =
                ["datagen", "chess", "--games", "40", "--nodes", "60", "--threads", "2", "--resume"];
            let output = run(&[&arguments[..], &["--seed", seed, "--out", out]].concat());
            assert!(output.status.success(), "{}", stderr(&output));
            fs::read(the_file(Path::new(out))).expect("readable")
        };
        let whole = folder.path().join(format!("whole{seed}"));
        let expected = play(&whole);
        for part in 1..4 {
            let cut = folder.path().join(format!("cut{seed}-{part}"));
            fs::create_dir(&cut).expect("a folder");
            let name = the_file(&whole);
            let beginning = &expected[..expected.len() * part / 4];
            fs::write(cut.join(name.file_name().expect("a file")), beginning).expect("written");
            assert!(play(&cut) == expected, "seed {seed}, cut after {part} quarters");
        }
    }
}

#[test]
fn chess_self_play_survives_kills() {
    survives_kills::<TrainingGame>(CHESS, 160);
}

#[test]
fn xiangqi_self_play_survives_kills() {
    survives_kills::<TrainingGame>(XIANGQI, 96);
}

#[test]
fn go_self_play_survives_kills() {
    survives_kills::<GoGame>(GO, 32);
}
