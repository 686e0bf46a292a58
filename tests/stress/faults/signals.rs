//! Signals at any moment of every command, and readers that leave.

use super::ends::{ATTEMPTS, END, HANGS};
use super::{shell, text};
use crate::support::{processes, program_to_signal, signal};
use sanqi::util::rng::Rng;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Starts a command in a folder, with an input that stays open: nothing but a signal ends it.
fn start(arguments: &[&str], folder: &Path, input: &str) -> Child {
    let mut command = program_to_signal(env!("CARGO_BIN_EXE_sanqi"));
    command.args(arguments).current_dir(folder);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(input.as_bytes()).unwrap();
    child
}

/// Sends a signal, and measures how long the command goes on, and what it has started (`left`: how many there
/// are).
fn outlives(mut child: Child, what: &str, name: &str, left: impl Fn() -> usize) -> Duration {
    // `wait` and `kill` would close it.
    let _held = child.stdin.take();
    let printed = Instant::now();
    signal(child.id(), name);
    loop {
        let status = child.try_wait().unwrap();
        match status {
            Some(status) if left() == 0 => {
                println!("{what}: {:?} after SIG{name}", printed.elapsed());
                assert!(!status.success(), "{what} was asked to end, and claims success");
                return printed.elapsed();
            }
            _ if printed.elapsed() > HANGS => {
                let _ = child.kill();
                panic!("{what} outlives SIG{name}, or left an engine behind: {status:?}");
            }
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// A command in a folder of its own hears a signal within a second, after so long. What it starts has `mark`
/// among its words.
fn ends_by(arguments: &[&str], input: &str, name: &str, after: Duration, mark: &str) {
    let is_in_time = (0..ATTEMPTS).any(|_| {
        let place = tempdir().unwrap();
        let mut child = start(arguments, place.path(), input);
        std::thread::sleep(after);
        assert!(child.try_wait().unwrap().is_none(), "{arguments:?} ended by itself");
        let took = outlives(child, &arguments.join(" "), name, || processes(mark).len());
        assert!(!place.path().join("net").exists(), "{arguments:?}: a net of nothing");
        took < END
    });
    assert!(is_in_time, "{arguments:?} hears SIG{name} late");
}

/// A signal ends every command within a second, whatever it does, and leaves no engine behind.
#[test]
fn signals_end_every_command() {
    let folder = tempdir().unwrap();
    let mark = folder.path().to_str().unwrap();
    let engine = format!("cmd={} uci --sandbox {mark}", env!("CARGO_BIN_EXE_sanqi"));
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (chess, go) = (out("chess"), out("go"));
    let data = shell("$S datagen chess --nodes 5 --games 40 --threads 1 --out data", folder.path());
    assert!(data.status.success(), "{}", text(&data.stderr));
    let (records, net) = (out("data/chess-1-0of1.rec"), out("net"));
    let (game, parameters) = (out("game.pgn"), out("parameters"));
    fs::write(&game, "[Result \"1-0\"]\n\n1. e4 e5 1-0\n").unwrap();
    fs::write(&parameters, "Contempt, int, 0, -100, 100, 10, 0.002\n").unwrap();
    let query = "{\"id\":\"a\",\"moves\":[],\"rules\":\"chinese\",\"boardXSize\":9,\"boardYSize\":9,\"maxVisits\":1000000}\n";
    let commands: [(&[&str], &str); 15] = [
        (&["uci", "--sandbox", mark], "go infinite\n"),
        (&["ucci", "--sandbox", mark], "setoption batch true\ngo depth 200\n"),
        (&["gtp", "--sandbox", mark], "kata-set-param maxTime 600\ngenmove b\n"),
        (&["perft", "chess", "9"], ""),
        (&["bench", "chess", "--depth", "60"], ""),
        (&["speedtest", "chess", "--seconds", "1000"], ""),
        (&["play", "chess", "--seconds", "1000"], "e4\n"),
        (&["serve"], ""),
        (&["analysis"], query),
        (&["analyze", &game, "--nodes", "1000000000"], ""),
        (
            &["train", "chess", "--data", &records, "--hidden", "128", "--epochs", "1000000", "--out", &net],
            "",
        ),
        (&["tune", &parameters, "--tc", "1+0.01", "--engine", &engine], ""),
        (&["datagen", "chess", "--nodes", "100", "--out", &chess], ""),
        (&["selfplay", "go", "--visits", "100", "--out", &go], ""),
        (
            &[
                "match",
                "--games",
                "1000",
                "--each",
                "tc=10+0.01",
                "--engine",
                &engine,
                "name=A",
                "--engine",
                &engine,
                "name=B",
            ],
            "",
        ),
    ];
    let mut random = Rng::new(1);
    for ((arguments, input), name) in commands.iter().zip(["TERM", "INT", "HUP"].into_iter().cycle()) {
        ends_by(arguments, input, name, Duration::from_millis(50 + random.below(1500) as u64), mark);
    }
}

/// A signal ends what waits for a file: here for a pipe without a writer.
#[test]
fn a_signal_ends_what_waits_for_a_file() {
    let folder = tempdir().unwrap();
    assert!(shell("mkfifo pipe", folder.path()).status.success());
    // With a writer, so that they wait in reading and not in opening.
    let pipe = folder.path().join("pipe");
    let writer = fs::File::options().read(true).write(true).open(&pipe).unwrap();
    let pipe = pipe.to_str().unwrap();
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
    for (command, name) in commands.iter().zip(["TERM", "INT", "HUP"].into_iter().cycle()) {
        let arguments: Vec<&str> =
            command.split(' ').map(|word| if word == "pipe" { pipe } else { word }).collect();
        ends_by(&arguments, "", name, Duration::from_millis(50 + random.below(300) as u64), pipe);
    }
    drop(writer);
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
    let games = folder.path().join("games.sgf");
    let games = games.to_str().unwrap();
    let train_moves = ["train-moves", "--data", games, "--out", "net", "--epochs", "1000000000"];
    for name in ["TERM", "INT", "HUP"] {
        ends_by(&train_moves, "", name, Duration::from_millis(700), games);
        ends_by(&["doctor"], "", name, Duration::from_millis(30), games);
    }
}

/// An engine that hears neither signals nor the end of its input ends with the program that started it.
#[test]
fn a_signal_leaves_no_deaf_engine_behind() {
    let folder = tempdir().unwrap();
    let engine = folder.path().join("deaf.sh");
    let script =
        "trap '' TERM INT HUP\necho $$ >>pids\necho uciok\necho readyok\nwhile :; do sleep 0.1; done\n";
    fs::write(&engine, script).unwrap();
    let command = format!("sh {}", engine.display());
    fs::write(folder.path().join("par"), "Hash, int, 16, 1, 32, 1, 0.002\n").unwrap();
    let tuned = format!("cmd=sh args={}", engine.display());
    let words: Vec<&str> = tuned.split(' ').collect();
    let made = shell(
        "$S match --games 2 --openings none --each nodes=1 --maxmoves 2 --trace trace --engine \"cmd=$S uci\" name=A \
         --engine \"cmd=$S uci\" name=B",
        folder.path(),
    );
    assert!(made.status.success(), "{}", text(&made.stderr));
    let runs = [
        vec!["replay", "trace", "--game", "1", "--engine", "A", "--cmd", &command],
        vec!["check", "--", "sh", engine.to_str().unwrap()],
        [&["tune", "par", "--tc", "9+1", "--engine"], &words[..]].concat(),
        [&["match", "--tc", "9+1", "--engine", "name=a"], &words[..], &["--engine", "name=b"], &words[..]]
            .concat(),
    ];
    for (run, name) in runs.iter().zip(["TERM", "INT", "HUP"].into_iter().cycle()) {
        let _ = fs::remove_file(folder.path().join("pids"));
        let child = start(run, folder.path(), "");
        let began = Instant::now();
        while !fs::read_to_string(folder.path().join("pids")).is_ok_and(|pids| pids.ends_with('\n')) {
            assert!(began.elapsed() < Duration::from_secs(20), "{run:?} {command} has not begun");
            std::thread::sleep(Duration::from_millis(5));
        }
        let pids = fs::read_to_string(folder.path().join("pids")).unwrap();
        let lives =
            |pid: &&str| fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|c| c.contains("deaf"));
        outlives(child, &run.join(" "), name, || pids.lines().filter(lives).count());
    }
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
    // Where more is printed than a pipe holds, or than one write, the reader leaves in the middle of it.
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
        // The first write finds no reader.
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
