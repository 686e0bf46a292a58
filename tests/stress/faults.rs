//! What becomes of the engine where the system gives less than it asks for, or takes away what it has.

#[cfg(target_os = "linux")]
mod disks;
#[cfg(target_os = "linux")]
mod ends;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod signals;

use crate::session::Session;
#[cfg(target_os = "linux")]
use crate::support::program_to_signal;
use crate::support::{program, signal};
use sanqi::util::rng::Rng;
use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// The binary under test with this many KiB of address space and these lines as its input.
fn confined(kib: u32, arguments: &str, lines: &str) -> Output {
    let script = format!("ulimit -v {kib}; printf '{lines}' | {} {arguments}", env!("CARGO_BIN_EXE_sanqi"));
    program("sh").args(["-c", &script]).env("RUST_BACKTRACE", "0").output().expect("a shell")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Without enough for one thread there is one line, and no panic.
#[test]
fn too_little_memory_to_start_is_said_in_one_line() {
    for kib in [40_000, 60_000, 80_000, 100_000] {
        let out = confined(kib, "uci", "uci\\nposition startpos\\ngo depth 1\\n");
        let (answers, remarks) = (text(&out.stdout), text(&out.stderr));
        let plays = answers.contains("bestmove ") && out.status.success();
        let reports = out.status.code() == Some(1) && remarks.lines().count() == 1;
        // Below what the loader needs for the program itself nothing is left to report it.
        let never_ran = answers.is_empty() && !remarks.contains("panicked") && !out.status.success();
        // The allocator of the standard library reports it itself, and no code of ours runs after it.
        let aborted = remarks.starts_with("memory allocation of");
        assert!(plays || reports || never_ran || aborted, "{kib}: {:?} {answers} {remarks}", out.status);
        assert!(!remarks.contains("panicked"), "{kib}: {remarks}");
    }
}

/// Threads that the system does not give are done without, or reported: they end no command.
#[test]
fn too_few_threads_are_a_line_at_most() {
    // Where threads have taken all memory, the standard library may end the program: its allocator, or a
    // thread at its start.
    let is_done = |out: &Output, printed: &str| {
        let done = out.status.success() && text(&out.stdout).contains(printed);
        done || text(&out.stderr).starts_with("memory allocation of")
    };
    let out = confined(400_000, "perft chess 3 --threads 1024", "");
    assert!(is_done(&out, "8902"), "{}", text(&out.stderr));
    let engine = |name: &str| format!("--engine name={name} cmd={}", env!("CARGO_BIN_EXE_sanqi"));
    let arguments = format!(
        "match --games 400 --concurrency 400 --tc st=0.01 --openings none {} {}",
        engine("a"),
        engine("b")
    );
    let out = confined(450_000, &arguments, "");
    let ended_by_std = text(&out.stderr).contains("failed to allocate an alternative stack");
    assert!(ended_by_std || !text(&out.stderr).contains("panicked"), "{}", text(&out.stderr));
    let folder = tempdir().unwrap();
    let arguments = format!("datagen chess --threads 400 --games 1 --out {}", folder.path().display());
    let out = confined(1_500_000, &arguments, "");
    assert_eq!(
        (out.status.code(), text(&out.stderr).as_str()),
        (Some(1), "sanqi: no memory for 400 threads\n")
    );
}

/// What the shell makes of `script`, in which `$S` is the engine.
fn shell(script: &str, folder: &Path) -> Output {
    let mut command = program("sh");
    command.args(["-c", script]).env("S", env!("CARGO_BIN_EXE_sanqi")).current_dir(folder);
    command.output().expect("a shell")
}

/// An output that cannot be read is a failure, in every command and every protocol.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_or_full_output_is_a_failure() {
    let folder = tempdir().unwrap();
    let commands = [
        "perft chess 2",
        "doctor",
        "man",
        "completions bash",
        "--help",
        "--version",
        "--print-config",
        "netinfo",
        "bench go",
        "judge --moves h2e2 h9g7",
    ];
    let sessions = ["uci", "ucci", "gtp", ""];
    let scripts = commands
        .iter()
        .map(|command| format!("$S {command} >&-"))
        .chain(sessions.iter().map(|name| format!("echo {name} | $S {name} >&-")))
        .chain(["uci", "ucci"].iter().map(|name| format!("echo {name} | $S {name} >/dev/full")))
        .chain(["echo name | $S gtp >/dev/full".to_owned()]);
    for script in scripts {
        let out = shell(&script, folder.path());
        let remarks = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{script}: {remarks}");
        assert!(
            remarks.lines().count() == 1 && remarks.contains("cannot write to stdout"),
            "{script}: {remarks}"
        );
    }
    // What has written to standard error before has this one line more.
    let query = r#"{"id":"a","moves":[],"rules":"chinese","boardXSize":5,"boardYSize":5,"maxVisits":5}"#;
    fs::write(folder.path().join("query"), query).unwrap();
    fs::write(folder.path().join("game.pgn"), "[Result \"1-0\"]\n\n1. e4 e5 1-0\n").unwrap();
    let players = "--engine cmd=\"$S uci\" name=A --engine cmd=\"$S uci\" name=B";
    let game = "[Variant \"xiangqi\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 1-0\n";
    fs::write(folder.path().join("xiangqi.pgn"), game).unwrap();
    let made = shell(
        &format!(
            "$S match --games 2 --openings none --each nodes=1 --maxmoves 2 --trace trace {players} && \
             $S datagen chess --nodes 5 --games 40 --threads 1 --out old && \
             $S selfplay go --visits 4 --games 2 --sizes 5:1 --threads 1 --out go"
        ),
        folder.path(),
    );
    assert!(made.status.success(), "{}", text(&made.stderr));
    // In an order in which each finds what those before it have made.
    for command in [
        "analysis <query",
        "analyze game.pgn --nodes 10",
        "serve",
        "play chess </dev/null",
        "tune --print chess",
        "speedtest chess --seconds 0.1 --threads 1",
        "datagen chess --nodes 5 --games 2 --out data",
        "selfplay go --visits 4 --games 2 --sizes 5:1 --threads 1 --out more",
        "export go --data go/go-1-0of1.rec --out arrays",
        "datastat old/chess-1-0of1.rec",
        "evalcmp chess none search --data old/chess-1-0of1.rec",
        "train chess --data old/chess-1-0of1.rec --hidden 128 --epochs 1 --out net",
        "quantise chess net.ckpt --out rounded",
        "makebook xiangqi.pgn --min-games 1 --out book",
        "replay trace --game 1",
        "check -- $S uci",
        &format!("match --games 2 --each nodes=1 --maxmoves 2 {players}"),
    ] {
        let out = shell(&format!("$S {command} >/dev/full"), folder.path());
        let remarks = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{command}: {remarks}");
        assert_eq!(remarks.matches("cannot write to stdout").count(), 1, "{command}: {remarks}");
        assert!(!remarks.contains("panicked"), "{command}: {remarks}");
    }
    // The null device is no closed output.
    assert!(
        shell("$S perft chess 2 >/dev/null; exec >/dev/null; echo uci | $S uci", folder.path())
            .status
            .success()
    );
}

/// Who closes standard error goes without remarks, and loses nothing else.
#[test]
fn a_closed_standard_error_costs_only_the_remarks() {
    let mut child = program(env!("CARGO_BIN_EXE_sanqi"))
        .arg("gtp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    let input = "loadsgf /nonexistent\nname\n";
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(text(&out.stdout), "? cannot open or parse '/nonexistent'\n\n= Sanqi\n\n");
    assert!(out.status.success());

    let folder = tempdir().unwrap();
    let engines = "--engine \"cmd=$S uci\" name=A --engine \"cmd=$S uci\" name=B";
    let script = format!(
        "$S match --games 2 --each nodes=1 --maxmoves 2 {engines} 2>&-; $S uci --sandbox nowhere 2>&-; echo $?"
    );
    let out = shell(&script, folder.path());
    assert!(text(&out.stdout).contains("A vs B"), "{}", text(&out.stdout));
    assert!(text(&out.stdout).ends_with("\n1\n"), "{}", text(&out.stdout));
}

/// Where nothing can be written, one line names the file and the reason before hours of work are spent
/// on it.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_reported_first() {
    let folder = tempdir().unwrap();
    let made = shell(
        "$S datagen chess --nodes 5 --games 40 --threads 1 --out . && \
         $S selfplay go --visits 5 --sizes 5:1 --games 2 --threads 1 --out .",
        folder.path(),
    );
    assert!(made.status.success(), "{}", text(&made.stderr));
    fs::write(folder.path().join("x.pgn"), "[Result \"1-0\"]\n\nh2e2 h9g7 1-0\n").unwrap();
    fs::write(folder.path().join("parameters"), "Contempt, int, 0, -100, 100, 10, 0.002\n").unwrap();
    // The kernel lets no user make a file there, not even root.
    const NOWHERE: &str = "/proc/sanqi";
    for command in [
        "datagen chess --nodes 100 --out",
        "selfplay go --visits 100 --out",
        "train chess --data chess*.rec --hidden 128 --epochs 1000000 --threads 1 --out",
        "export go --data go*.rec --out",
        "makebook x.pgn --min-games 1 --out",
        "analyze x.pgn --game xiangqi --nodes 100000000 --out",
        "analyze x.pgn --game xiangqi --nodes 100000000 --report",
        "tune parameters --tc nodes=100 --engine cmd=\"$S uci\" --save",
    ] {
        let out = shell(&format!("timeout 60 $S {command} {NOWHERE}"), folder.path());
        let remarks = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{command}: {remarks}");
        let last = remarks.lines().last().unwrap_or_default();
        assert!(last.starts_with(&format!("sanqi: {NOWHERE}")), "{command}: {remarks}");
    }
}

/// Two runs on one file: the second is refused, and the first goes on.
#[test]
fn a_file_of_records_has_one_writer() {
    let folder = tempdir().unwrap();
    let datagen = |games: &str| {
        let mut command = program(env!("CARGO_BIN_EXE_sanqi"));
        command.args(["datagen", "chess", "--nodes", "50", "--threads", "1", "--resume", "--games", games]);
        command.args(["--out", "data"]).current_dir(folder.path());
        command
    };
    let mut first = datagen("1000000").stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let file = folder.path().join("data/chess-1-0of1.rec");
    while fs::metadata(&file).map_or(0, |found| found.len()) < 5000 {
        assert!(first.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = datagen("1000000").output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(text(&second.stderr).contains("another run is writing it"), "{}", text(&second.stderr));
    assert!(first.try_wait().unwrap().is_none());
    first.kill().unwrap();
    first.wait().unwrap();
    // A lock ends with its process.
    assert!(datagen("1").output().unwrap().status.success());
}

/// Reports that are not read are not kept: the engine holds as much memory as before, and answers once it is
/// read.
#[cfg(target_os = "linux")]
#[test]
fn a_client_that_does_not_read_costs_no_memory() {
    let mut child = program(env!("CARGO_BIN_EXE_sanqi"))
        .arg("gtp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let memory = |id: u32| -> u64 {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    };
    // The tree may fill a MiB, which it soon has.
    input.write_all(b"kata-set-param Hash 1\nkata-analyze b 1 ownership true movesOwnership true\n").unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let early = memory(child.id());
    std::thread::sleep(Duration::from_secs(3));
    let late = memory(child.id());
    assert!(late < early + 8192, "{early} KiB, then {late} KiB");
    input.write_all(b"7 name\n8 quit\n").unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success() && text(&out.stdout).ends_with("=7 Sanqi\n\n=8\n\n"));
}

/// A file that is refused is refused with the reason: in the protocol, or beside it where the protocol has
/// its own words.
#[test]
fn refusals_of_files_have_reasons() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("illegal"), "(;SZ[5];B[aa];W[zz])").unwrap();
    fs::write(folder.path().join("text"), "hello").unwrap();
    fs::write(folder.path().join("cut"), "(;SZ[5];B[aa]").unwrap();
    let out = shell(
        "printf 'loadsgf missing\\nloadsgf .\\nloadsgf illegal\\nloadsgf text\\nloadsgf cut\\n' | $S gtp",
        folder.path(),
    );
    assert_eq!(text(&out.stdout).matches("? cannot open or parse '").count(), 4, "{}", text(&out.stdout));
    let remarks = text(&out.stderr);
    for reason in [
        "missing: ",
        ".: it is a folder",
        "illegal: move 2 at 'zz': not on the board",
        "text: not SGF",
        "cut: not SGF: the last",
    ] {
        assert!(remarks.lines().any(|line| line.starts_with(reason)), "{reason}: {remarks}");
    }
    let lines = "setoption name Book File value .\\nsetoption name EvalFile value .\\n\
                 setoption name Debug Log File value .\\nisready\\n";
    let out = shell(&format!("printf '{lines}' | $S uci"), folder.path());
    assert_eq!(text(&out.stdout).matches("it is a folder").count(), 3, "{}", text(&out.stdout));
}

/// A client reaches nothing outside its sandbox, and nothing inside that the engine did not make is written
/// to. A pipe that has the name of a table is none, and its other end is not waited for.
#[test]
fn a_pipe_among_endgame_tables_is_refused() {
    let folder = tempdir().unwrap();
    let lines = "setoption name SyzygyPath value .\\nisready\\nquit\\n";
    let out = shell(&format!("mkfifo KQvK.rtbw && printf '{lines}' | timeout 20 $S uci"), folder.path());
    let printed = text(&out.stdout);
    assert!(out.status.success() && printed.contains("readyok"), "{printed}");
    assert!(printed.contains("it is not a regular file"), "{printed}");
}

#[test]
fn a_sandbox_holds_what_a_client_names() {
    let folder = tempdir().unwrap();
    let (outside, inside) = (folder.path().join("outside"), folder.path().join("in"));
    fs::create_dir(&inside).unwrap();
    let others = "(;SZ[5];B[aa])";
    for path in [outside.clone(), inside.join("others.sgf")] {
        fs::write(path, others).unwrap();
    }
    let lines = "boardsize 5\\nplay b C3\\nprintsgf ../outside\\nloadsgf ../outside\\nprintsgf others.sgf\\n\
                 loadsgf others.sgf\\nprintsgf own.sgf\\nplay w B2\\nprintsgf own.sgf\\nclear_board\\nloadsgf own.sgf\\n";
    let out = shell(&format!("printf '{lines}' | $S gtp --sandbox in"), folder.path());
    let answers = text(&out.stdout);
    let marks: String = answers.lines().filter_map(|line| line.chars().next()).collect();
    assert_eq!(marks, "==???======", "{answers}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), others);
    assert_eq!(fs::read_to_string(inside.join("others.sgf")).unwrap(), others);
    let own = fs::read_to_string(inside.join("own.sgf")).unwrap();
    assert!(own.contains("W[bd]") && own.ends_with(")\n"), "{own}");

    let lines = "setoption name Debug Log File value ../log\\nsetoption name EvalFile value /etc/passwd\\n\
                 setoption name Book File value others.sgf;../outside\\nsetoption name SyzygyPath value ..\\n\
                 setoption name Debug Log File value others.sgf\\nsetoption name Debug Log File value log\\n\
                 setoption name EvalFile value <hand-made>\\nisready\\n";
    let out = shell(&format!("printf '{lines}' | $S uci --sandbox in"), folder.path());
    let answers = text(&out.stdout);
    let refused = answers.lines().filter(|line| line.contains("not in the sandbox")).count();
    assert_eq!((refused, answers.lines().count()), (4, 6), "{answers}");
    assert!(answers.contains("did not write"), "{answers}");
    assert!(fs::read_to_string(inside.join("log")).unwrap().contains(">> readyok"));
    assert!(!folder.path().join("log").exists());
    let out = shell("$S uci --sandbox missing </dev/null", folder.path());
    assert_eq!((out.status.code(), text(&out.stderr).lines().count()), (Some(1), 1));
}

/// Books are read whole: what becomes of the file later is nothing to the engine.
#[test]
fn a_book_that_is_cut_short_while_in_use_does_no_harm() {
    let folder = tempdir().unwrap();
    let book = folder.path().join("book.bin");
    fs::write(&book, [0u8; 1600]).unwrap();
    let mut session = Session::start(&["uci"]);
    session.send(&format!(
        "setoption name Book File value {}\nsetoption name OwnBook value true",
        book.display()
    ));
    session.send("isready");
    session.until("readyok");
    fs::write(&book, b"").unwrap();
    session.send("position startpos\ngo depth 2");
    session.until("bestmove");
    fs::remove_file(&book).unwrap();
    session.send("ucinewgame\nposition startpos\ngo depth 2");
    session.until("bestmove");
    assert!(session.finish().1.success());
}

/// A game that a signal ends is kept, no matter who is to move.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_keeps_the_game_of_a_person() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    let mut child = program_to_signal(env!("CARGO_BIN_EXE_sanqi"))
        .args(["play", "chess", "--seconds", "1000", "--pgn", "game.pgn"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut held = child.stdin.take().unwrap();
    held.write_all(b"e4\n").unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert!(!file.exists());
    signal(child.id(), "TERM");
    assert!(!child.wait().unwrap().success());
    let kept = fs::read_to_string(&file).unwrap();
    assert!(kept.contains("1. e4 ") && kept.matches("[Event ").count() == 1, "{kept}");
}

/// A match between two copies of the engine, with these words for each of them.
#[cfg(target_os = "linux")]
fn match_of_two(folder: &Path, each: &[&str]) -> std::process::Command {
    let engine = format!("cmd={} uci", env!("CARGO_BIN_EXE_sanqi"));
    let mut command = program_to_signal(env!("CARGO_BIN_EXE_sanqi"));
    command.args(["match", "--openings", "none", "--journal", "journal", "--engine", &engine, "name=A"]);
    command.args(["--engine", &engine, "name=B", "--each"]).args(each).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// What a person who stops a match for a while takes from the engines' clocks decides no game.
#[cfg(target_os = "linux")]
#[test]
fn a_match_that_stood_still_plays_its_game_again() {
    let folder = tempdir().unwrap();
    let remarks = folder.path().join("remarks");
    let mut child = match_of_two(folder.path(), &["tc=2+0.02", "--games", "1", "--rounds", "1"])
        .stderr(fs::File::create(&remarks).unwrap())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !fs::read_to_string(&remarks).unwrap().contains("Started game 1") {
        assert!(began.elapsed() < Duration::from_secs(30), "it has not begun");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(500));
    signal(child.id(), "STOP");
    std::thread::sleep(Duration::from_secs(4));
    signal(child.id(), "CONT");
    assert!(child.wait().unwrap().success());
    let (remarks, journal) =
        (fs::read_to_string(&remarks).unwrap(), fs::read_to_string(folder.path().join("journal")).unwrap());
    assert_eq!(remarks.matches("Game 1 is played again").count(), 1, "{remarks}");
    assert!(journal.lines().count() == 2 && !journal.contains("\"reason\":\"time\""), "{remarks}");
}

/// A signal to all processes of a job, the engines before the manager, is no crash of the engines.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_to_the_engines_too_decides_no_game() {
    let folder = tempdir().unwrap();
    let mut child = match_of_two(folder.path(), &["st=600", "--games", "1", "--rounds", "1"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let tasks = format!("/proc/{}/task", child.id());
    let engines = || -> HashSet<u32> {
        let children = fs::read_dir(&tasks).into_iter().flatten().flatten();
        let children = children.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        children.collect::<String>().split_whitespace().map(|pid| pid.parse().unwrap()).collect()
    };
    let began = Instant::now();
    while engines().len() < 2 || began.elapsed() < Duration::from_secs(4) {
        assert!(began.elapsed() < Duration::from_secs(60), "the engines have not begun");
        std::thread::sleep(Duration::from_millis(20));
    }
    let pids: Vec<String> = engines().iter().map(u32::to_string).collect();
    shell(&format!("kill -KILL {}; kill -TERM {}", pids.join(" "), child.id()), folder.path());
    let journal = || fs::read_to_string(folder.path().join("journal")).unwrap();
    assert!(!child.wait().unwrap().success());
    assert_eq!(journal().lines().count(), 1, "{}", journal());
}

/// Games are kept though their reports are not read, and a signal ends the match then, too.
#[cfg(target_os = "linux")]
#[test]
fn unread_remarks_hold_no_match_up() {
    let folder = tempdir().unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    let mut filler = writer.try_clone().unwrap();
    std::thread::spawn(move || filler.write_all(&[b'.'; 1 << 22]));
    std::thread::sleep(Duration::from_millis(500));
    let mut child = match_of_two(folder.path(), &["nodes=1", "--games", "2", "--rounds", "1000"])
        .stderr(writer)
        .spawn()
        .unwrap();
    let began = Instant::now();
    let games = || fs::read_to_string(folder.path().join("journal")).unwrap_or_default().lines().count();
    while games() < 8 {
        assert!(began.elapsed() < Duration::from_secs(60), "its games are not kept");
        std::thread::sleep(Duration::from_millis(20));
    }
    signal(child.id(), "TERM");
    let printed = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(printed.elapsed() < Duration::from_secs(40), "it outlives the signal");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(reader);
}

/// Records that are written to a file that is gone are lost: the run ends instead.
#[cfg(unix)]
#[test]
fn records_that_are_taken_away_end_the_run() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("data/chess-1-0of1.rec");
    for harm in ["remove", "cut"] {
        let mut child = program(env!("CARGO_BIN_EXE_sanqi"))
            .args(["datagen", "chess", "--nodes", "50", "--threads", "1", "--out", "data"])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while fs::metadata(&file).map_or(0, |found| found.len()) < 5000 {
            assert!(child.try_wait().unwrap().is_none());
            std::thread::sleep(Duration::from_millis(5));
        }
        match harm {
            "remove" => fs::remove_file(&file).unwrap(),
            _ => fs::write(&file, "").unwrap(),
        }
        let out = child.wait_with_output().unwrap();
        let why = if harm == "remove" { "taken away" } else { "another program has changed it" };
        assert!(out.status.code() == Some(1) && text(&out.stderr).contains(why), "{}", text(&out.stderr));
        let _ = fs::remove_file(&file);
    }
}

/// The beginning of a script in which no file grows beyond this many blocks, as on a full disk.
/// The signal that goes with it is not taken: disks send none.
fn full_after(blocks: u32) -> String {
    format!("trap '' XFSZ; ulimit -f {blocks};")
}

/// What is written at once is there as it was, or as it is to be: a disk that fills up takes no earlier file.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_files_that_were_there() {
    let folder = tempdir().unwrap();
    let game = |mv: &str| format!("[Result \"1-0\"]\n\n{mv} h9g7 i3i4 g6g5 i4i5 1-0\n\n");
    let games: String = ["h2e2", "b2e2", "g3g4", "a3a4", "h0g2", "b0c2"].map(game).concat();
    fs::write(folder.path().join("x.pgn"), games).unwrap();
    let make = "$S makebook x.pgn --min-games 1 --out book.dat";
    assert!(shell(make, folder.path()).status.success());
    let before = fs::read(folder.path().join("book.dat")).unwrap();
    let out = shell(&format!("{} {make}", full_after(0)), folder.path());
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    assert!(text(&out.stderr).starts_with("sanqi: book.dat: "), "{}", text(&out.stderr));
    assert_eq!(fs::read(folder.path().join("book.dat")).unwrap(), before);

    let data = shell("$S datagen chess --nodes 5 --games 100 --threads 1 --out data", folder.path());
    assert!(data.status.success(), "{}", text(&data.stderr));
    let train =
        "$S train chess --data data/* --hidden 128 --epochs 3 --threads 1 --batch 256 --scale 400 --out net";
    let out = shell(&format!("{} {train}", full_after(64)), folder.path());
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    assert!(!folder.path().join("net").exists() && text(&out.stderr).contains("net.ckpt: "));
    assert!(shell(train, folder.path()).status.success());
    let net = fs::read(folder.path().join("net")).unwrap();
    let out = shell(&format!("{} {train} --seed 2", full_after(64)), folder.path());
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    assert_eq!(fs::read(folder.path().join("net")).unwrap(), net);
}

/// A table that fits on the disk no more leaves the one that was saved before, and no half of itself.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_table_that_was_saved() {
    let folder = tempdir().unwrap();
    let save = |beginning: &str, mib: u32| {
        let options = [("Hash", &*mib.to_string()), ("Hash File", "table"), ("Save Hash to File", "")];
        let lines = options.map(|(name, value)| format!("setoption name {name} value {value}\\n")).concat();
        text(&shell(&format!("{beginning} printf '{lines}isready\\n' | $S uci"), folder.path()).stdout)
    };
    assert!(save("", 1).contains("positions were saved to table"));
    let before = fs::read(folder.path().join("table")).unwrap();
    let printed = save(&full_after(64), 2);
    assert!(printed.contains("info string cannot save to 'table': File too large"), "{printed}");
    assert!(printed.contains("readyok"));
    assert_eq!(fs::read(folder.path().join("table")).unwrap(), before);
    assert!(!folder.path().join("table.part").exists());
}

/// A log that fits on the disk no more is closed with a word, and the game goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_full_log_decides_no_game() {
    let folder = tempdir().unwrap();
    let lines = format!("setoption name Debug Log File value log\\n{}", "isready\\n".repeat(60));
    let script = format!("{} printf '{lines}position startpos\\ngo depth 2\\n' | $S uci", full_after(1));
    let out = shell(&script, folder.path());
    assert!(out.status.success());
    assert_eq!(text(&out.stdout).matches("readyok").count(), 60);
    assert!(text(&out.stdout).contains("bestmove "));
    assert_eq!(text(&out.stderr).matches("the log file is closed").count(), 1, "{}", text(&out.stderr));
}

/// A file that may grow no further is a full disk. What was finished is kept, and what is resumed ends as if
/// nothing had happened.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "minutes"]
fn a_disk_that_fills_up_takes_nothing_that_was_finished() {
    let folder = tempdir().unwrap();
    let datagen = "$S datagen chess --nodes 5 --games 60 --threads 1 --seed 3";
    assert!(shell(&format!("{datagen} --out whole"), folder.path()).status.success());
    let cut = shell(&format!("{} {datagen} --out cut", full_after(4)), folder.path());
    assert_eq!(cut.status.code(), Some(1), "{}", text(&cut.stderr));
    assert!(text(&cut.stderr).contains("cannot write"), "{}", text(&cut.stderr));
    assert!(shell(&format!("{datagen} --out cut --resume"), folder.path()).status.success());
    let same = shell("cmp whole/* cut/*", folder.path());
    assert!(same.status.success(), "{}", text(&same.stdout));

    let play = "--engine \"cmd=$S uci\" name=A --engine \"cmd=$S uci\" name=B";
    let start = format!("$S match --games 6 --each nodes=1 --maxmoves 20 --journal j --pgnout p {play}");
    let cut = shell(&format!("{} {start}", full_after(6)), folder.path());
    assert_eq!(cut.status.code(), Some(1), "{}", text(&cut.stdout));
    assert!(text(&cut.stderr).contains("cannot write the journal"), "{}", text(&cut.stderr));
    let journal = fs::read_to_string(folder.path().join("j")).unwrap();
    let kept = journal.matches('\n').count() - 1;
    let resumed = shell("$S match --resume j", folder.path());
    assert!(text(&resumed.stdout).contains("A vs B"), "{}", text(&resumed.stderr));
    let after = fs::read_to_string(folder.path().join("j")).unwrap();
    assert!(
        kept < 6 && after.starts_with(&journal[..journal.rfind('\n').unwrap() + 1]),
        "{kept} games were kept"
    );
    assert_eq!(after.lines().count(), 7);
    assert_eq!(fs::read_to_string(folder.path().join("p")).unwrap().matches("[Event ").count(), 6);
}

/// Killed again and again, a training ends in the same net as one that was left alone.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "minutes"]
fn a_killed_training_goes_on_where_it_was() {
    let folder = tempdir().unwrap();
    let data = shell("$S datagen chess --nodes 5 --games 200 --threads 1 --out data", folder.path());
    assert!(data.status.success(), "{}", text(&data.stderr));
    let train = "$S train chess --data data/* --hidden 128 --epochs 12 --threads 1 --batch 256 --scale 400";
    let whole = shell(&format!("{train} --out whole.net"), folder.path());
    assert!(whole.status.success(), "{}", text(&whole.stderr));
    let resume = "r=; test -e killed.net.ckpt && r=--resume";
    let mut random = Rng::new(2);
    for _ in 0..12 {
        let tenths = 1 + random.below(9);
        shell(&format!("{resume}; timeout -s KILL 0.{tenths} {train} --out killed.net $r"), folder.path());
    }
    let last = shell(&format!("{resume}; {train} --out killed.net $r"), folder.path());
    assert!(last.status.success(), "{}", text(&last.stderr));
    assert!(shell("cmp whole.net killed.net", folder.path()).status.success(), "the nets differ");
}
