//! Real clients: every executable file of `tests/clients/` drives the engine as its users' programs do.
//!
//! A script gets the path of the engine as its argument, and its working directory is the project. It exits
//! with 0 when all is well and with 77 when something it needs is not installed.

use crate::support::engine;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a script says when it could not run.
const SKIPPED: i32 = 77;

fn scripts() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("tests/clients").expect("tests/clients");
    let is_executable =
        |path: &Path| path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o100 != 0);
    let mut found: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| is_executable(p)).collect();
    found.sort();
    found
}

/// `PATH` with Debian's games and the packages that `make tools` installs.
fn search_path() -> String {
    let tools = Path::new("target/tools/venv/bin").canonicalize().unwrap_or_default();
    let path = std::env::var("PATH").unwrap_or_default();
    format!("{}:{path}:/usr/games", tools.display())
}

/// One after the other: games by the clock want the machine to themselves.
#[test]
fn real_clients_play_without_an_incident() {
    let mut failed = Vec::new();
    for script in scripts() {
        let started = std::time::Instant::now();
        let output = Command::new(&script)
            .arg(engine())
            .env("PATH", search_path())
            .env("NODE_PATH", Path::new("target/tools/node_modules").canonicalize().unwrap_or_default())
            .output()
            .unwrap_or_else(|e| panic!("{}: {e}", script.display()));
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let name = script.display();
        match output.status.code() {
            Some(0) => eprintln!("{name}: ok, {:.0} s", started.elapsed().as_secs_f64()),
            Some(SKIPPED) => eprintln!("{name}: skipped: {}", text.trim()),
            code => {
                let tail: Vec<&str> = text.lines().rev().take(40).collect();
                let tail: Vec<&str> = tail.into_iter().rev().collect();
                failed.push(format!("{name}: {code:?}\n{}", tail.join("\n")));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
