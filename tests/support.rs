//! What the tests of the binary share.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The engine under test: the one named by `SANQI` (the release build, under `make test`), or this build's.
pub fn engine() -> PathBuf {
    std::env::var_os("SANQI").map_or_else(built_with_tests, PathBuf::from)
}

/// The engine compiled along with the tests, with assertions.
pub fn built_with_tests() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_sanqi"))
}

/// Runs `program` with `args` and `input` to its end.
pub fn run_program(program: PathBuf, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(program)
        .args(args)
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
