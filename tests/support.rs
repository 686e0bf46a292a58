//! What the tests of the binary share.
#![allow(dead_code, reason = "each test program uses a part")]

use crossbeam::channel::unbounded;
use sanqi::engine::{self, Engine, Event, GameId, Info, Limits, Notation, PositionSpec};
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The engine under test: the one named by `SANQI` (the release build, under `make test`), or this build's.
pub fn engine() -> PathBuf {
    std::env::var_os("SANQI").map_or_else(built_with_tests, PathBuf::from)
}

/// The engine compiled along with the tests, with assertions; or the one named by `SANQI_CHECKED`, which
/// stands in for it: a build for another system.
pub fn built_with_tests() -> PathBuf {
    std::env::var_os("SANQI_CHECKED").map_or_else(|| env!("CARGO_BIN_EXE_sanqi").into(), PathBuf::from)
}

/// A command that starts `path`, in which neither it nor what it starts finds a person's own settings: these
/// must not change what is tested.
pub fn program(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    for variable in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA"] {
        command.env(variable, concat!(env!("CARGO_TARGET_TMPDIR"), "/settings"));
    }
    command
}

/// The same where it is to be signalled: a job that a shell runs in the background ignores SIGINT, one under
/// `nohup` SIGHUP, and so does what it starts.
#[cfg(target_os = "linux")]
pub fn program_to_signal(path: impl AsRef<OsStr>) -> Command {
    let mut command = program("env");
    command.arg("--default-signal").arg(path);
    command
}

/// The text of a suite in `tests/data`. A suite that is missing fails the test.
pub fn suite(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The command lines that have `mark` in them, of processes that run; none where the system does not list
/// them.
pub fn processes(mark: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|e| std::fs::read(e.path().join("cmdline")).ok());
    lines.map(|l| String::from_utf8_lossy(&l).replace('\0', " ")).filter(|l| l.contains(mark)).collect()
}

/// Sends a signal such as `TERM` by the shell's own `kill`: not every system has it as a program.
pub fn signal(process: u32, name: &str) {
    let sent = program("sh").args(["-c", &format!("kill -{name} {process}")]).status().expect("a shell");
    assert!(sent.success(), "no SIG{name} for {process}");
}

/// Notes that a test could drive, or ask, the program or library `name`. `make test` counts these notes at
/// its end.
pub fn client_ran(name: &str) {
    note(&format!("run\t{name}\t"));
}

/// Notes that a test could not, because `needed` is not installed. `make test` prints these notes at its end.
pub fn client_skipped(name: &str, needed: &str) {
    eprintln!("skipped: {name} needs {needed}");
    note(&format!("skipped\t{name}\t{needed}"));
}

/// Appends a line to the file that `SANQI_TEST_REPORT` names: libtest hides what a passing test prints.
fn note(line: &str) {
    let Some(path) = std::env::var_os("SANQI_TEST_REPORT") else { return };
    let mut file = std::fs::File::options().create(true).append(true).open(path).expect("the report opens");
    file.write_all(format!("{}\n", line.trim_end_matches('\n')).as_bytes()).expect("the report is written");
}

/// The Python of the test tools, or the system's.
pub fn python() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/venv/bin/python");
    if own.exists() { own } else { "python3".into() }
}

/// Runs `program` with `args` and `input` to its end.
pub fn run_program(path: PathBuf, args: &[&str], input: &str) -> Output {
    let mut child = program(path)
        .args(args)
        // The language that the person reads must not change what is tested.
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    // A command that does not read its input may have ended already.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the engine ends")
}

/// Runs the engine under test with `args` and nothing to read.
pub fn run(args: &[&str]) -> Output {
    run_program(engine(), args, "")
}

/// Standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The last line of standard output.
pub fn last_line(output: &Output) -> String {
    stdout(output).lines().last().unwrap_or("").to_owned()
}

/// An engine of this process, set up.
pub fn engine_at(game: GameId, fen: &str, moves: &[&str]) -> Box<dyn Engine> {
    let mut engine = engine::create(game);
    let moves = moves.iter().map(ToString::to_string).collect();
    let spec = PositionSpec { fen: Some(fen.into()), moves, notation: Notation::Coordinate };
    engine.set_position(&spec).unwrap();
    engine
}

/// Searches to the end; the infos and the best move.
pub fn search(engine: &mut dyn Engine, limits: Limits) -> (Vec<Info>, Option<String>) {
    let (sender, events) = unbounded();
    engine.go(limits, sender).unwrap();
    let mut infos = Vec::new();
    for event in events {
        match event {
            Event::Info(info) => infos.push(info),
            Event::BestMove(best) => {
                engine.wait();
                return (infos, best.mv);
            }
            _ => (),
        }
    }
    panic!("a search ended without a best move");
}
