//! Signals while commands wait for what they read, and readers that leave.

use super::{processes, shell, text};
use crate::support::{program_to_signal, signal};
use sanqi::util::rng::Rng;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Runs a command, sends it a signal after a while, and waits for its end.
fn ends_by(folder: &Path, arguments: &[&str], name: &str, after: Duration) {
    let mut child = program_to_signal(env!("CARGO_BIN_EXE_sanqi"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    assert!(child.try_wait().unwrap().is_none(), "{arguments:?} ended by itself");
    signal(child.id(), name);
    let told = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if told.elapsed() > Duration::from_secs(10) {
            child.kill().unwrap();
            panic!("{arguments:?} outlives SIG{name}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!child.wait().unwrap().success(), "{arguments:?} was told to end, and claims success");
}

/// A signal ends what waits for a file: here for a pipe that nobody writes to.
#[test]
fn a_signal_ends_what_waits_for_a_file() {
    let folder = tempdir().unwrap();
    assert!(shell("mkfifo pipe", folder.path()).status.success());
    // With a writer, so that they wait in reading and not in opening.
    let writer = fs::File::options().read(true).write(true).open(folder.path().join("pipe")).unwrap();
    let commands = [
        "judge pipe",
        "judge --batch pipe",
        "makebook pipe --out book",
        "export go --data pipe --out arrays",
        "replay pipe --game 1",
        "datastat pipe",
        "datastat pipe --wdl",
        "train-moves --data pipe --out strengths",
        "quantise chess pipe --out net",
        "netinfo pipe",
        "evalcmp chess none search --data pipe",
        "analyze pipe",
        "train chess --data pipe --out net",
        "tune pipe --tc 1+1 --engine cmd=true",
        "match --config pipe",
    ];
    let mut random = Rng::new(3);
    let mark = folder.path().to_str().unwrap();
    for (i, command) in commands.iter().enumerate() {
        let arguments: Vec<&str> = command.split(' ').collect();
        let name = ["TERM", "INT", "HUP"][i % 3];
        ends_by(folder.path(), &arguments, name, Duration::from_millis(50 + random.below(300) as u64));
    }
    drop(writer);
    assert_eq!(processes(mark), 0);
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().flatten().filter(|entry| entry.file_name() == "net").count(),
        0,
        "a net of nothing"
    );
}

/// A signal ends what computes for long.
#[test]
fn a_signal_ends_what_computes() {
    let folder = tempdir().unwrap();
    let games = shell(
        "$S match --game go --size 5 --games 2 --rounds 10 --openings none --each nodes=1 --engine \"cmd=$S gtp\" name=A \
         --engine \"cmd=$S gtp\" name=B --sgfout games.sgf",
        folder.path(),
    );
    assert!(games.status.success(), "{}", text(&games.stderr));
    let train_moves = ["train-moves", "--data", "games.sgf", "--out", "strengths", "--epochs", "1000000000"];
    for name in ["TERM", "INT", "HUP"] {
        ends_by(folder.path(), &train_moves, name, Duration::from_millis(700));
        ends_by(folder.path(), &["doctor"], name, Duration::from_millis(30));
    }
    assert!(!folder.path().join("strengths").exists());
}

/// A reader that leaves, as `head` does, ends a command without a word of complaint.
#[test]
fn a_reader_that_leaves_is_no_failure() {
    let folder = tempdir().unwrap();
    let query = r#"{"id":"a","moves":[],"rules":"chinese","boardXSize":5,"boardYSize":5,"maxVisits":5}"#;
    fs::write(folder.path().join("query"), query).unwrap();
    fs::write(folder.path().join("game.pgn"), "[Result \"1-0\"]\n\n1. e4 e5 1-0\n").unwrap();
    let engines = "--engine \"cmd=$S uci\" name=A --engine \"cmd=$S uci\" name=B";
    let play = format!("match --games 2 --openings none --each nodes=1 --maxmoves 2 {engines}");
    let made = shell(
        &format!("$S {play} --trace trace && $S datagen chess --nodes 5 --games 40 --threads 1 --out data"),
        folder.path(),
    );
    assert!(made.status.success(), "{}", text(&made.stderr));
    // Where more is told than a pipe holds, or than one write, the reader leaves in the middle of it.
    let long = [
        "man",
        "completions bash",
        "--help",
        "--print-config",
        "perft chess 3",
        "bench chess --depth 3",
        "tune --print chess",
        "replay trace --game 1",
        "datastat data/chess-1-0of1.rec",
        "judge --json --rules all --moves h2e2 h9g7",
    ];
    let short = [
        "netinfo",
        "doctor",
        "speedtest chess --seconds 0.02 --threads 1",
        "analysis <query",
        "analyze game.pgn --nodes 10",
        "serve",
        "play chess </dev/null",
        "evalcmp chess none search --data data/chess-1-0of1.rec",
        "datagen chess --nodes 5 --games 2 --threads 1 --out more",
        &play,
    ];
    let lines = [("uci", "isready"), ("ucci", "isready"), ("gtp", "list_commands"), ("analysis", "{}")];
    let scripts = long
        .iter()
        .map(|command| format!("{{ timeout 60 $S {command}; echo $? >code; }} | head -n 1 >/dev/null"))
        // The first write finds nobody.
        .chain(
            long.iter()
                .chain(&short)
                .map(|command| format!("{{ sleep 0.05; timeout 60 $S {command}; echo $? >code; }} | true")),
        )
        // A client that does not read, but writes on.
        .chain(lines.iter().map(|(protocol, line)| {
            format!("yes '{line}' | {{ timeout 60 $S {protocol}; echo $? >code; }} | head -n 1 >/dev/null")
        }));
    for script in scripts {
        let _ = fs::remove_file(folder.path().join("code"));
        let out = shell(&script, folder.path());
        let remarks = text(&out.stderr);
        let code = fs::read_to_string(folder.path().join("code")).unwrap();
        assert_eq!(code.trim(), "0", "{script}: {remarks}");
        let complains = ["panicked", "cannot write", "Broken pipe"].iter().any(|word| remarks.contains(word));
        assert!(!complains, "{script}: {remarks}");
    }
}
