//! Real clients: every script of `tests/clients/` drives the engine as its users' programs do.
//!
//! A script gets the path of the engine as its argument, and its working directory is the project. It exits
//! with 0 when all is well and with 77 when something it needs is not installed.

use crate::support::{client_ran, client_skipped, engine, program};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What a script exits with when it could not run.
const SKIPPED: i32 = 77;
/// What `env` exits with when there is no interpreter for a script.
const NO_INTERPRETER: i32 = 127;

fn scripts() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("tests/clients").expect("tests/clients");
    let is_script = |path: &Path| std::fs::read(path).is_ok_and(|text| text.starts_with(b"#!"));
    let mut found: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| is_script(p)).collect();
    found.sort();
    found
}

/// `PATH` with Debian's games and the packages that `make tools` installs.
fn search_path() -> String {
    let tools = |folder: &str| Path::new("target/tools").join(folder).canonicalize().unwrap_or_default();
    let path = std::env::var("PATH").unwrap_or_default();
    format!("{}:{}:{path}:/usr/games", tools("venv/bin").display(), tools("bin").display())
}

/// What the first line of a script has it run by: `python3` for `#!/usr/bin/env python3`.
fn interpreter(script: &Path) -> String {
    let text = std::fs::read_to_string(script).unwrap_or_default();
    text.lines().next().and_then(|line| line.split_whitespace().last()).unwrap_or_default().to_owned()
}

/// Runs a script; `Err` with the end of what it said when it failed.
fn run(script: &Path) -> Result<(), String> {
    let started = std::time::Instant::now();
    let output = program(script)
        .arg(engine())
        .env("PATH", search_path())
        .env("NODE_PATH", Path::new("target/tools/node_modules").canonicalize().unwrap_or_default())
        .output()
        .unwrap_or_else(|e| panic!("{}: {e}", script.display()));
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let name = script.file_name().unwrap_or_default().to_string_lossy();
    match output.status.code() {
        Some(0) => {
            eprintln!("{name}: ok, {:.0} s", started.elapsed().as_secs_f64());
            client_ran(&name);
        }
        Some(NO_INTERPRETER) => client_skipped(&name, &interpreter(script)),
        Some(SKIPPED) => {
            let why = text.lines().last().unwrap_or_default().trim();
            client_skipped(&name, why.trim_start_matches("skipped: "));
        }
        code => {
            let lines: Vec<&str> = text.lines().collect();
            let tail = &lines[lines.len().saturating_sub(40)..];
            return Err(format!("{name}: {code:?}\n{}", tail.join("\n")));
        }
    }
    Ok(())
}

/// One more at a time than there are processors: in each, one side thinks while the other waits.
#[test]
fn real_clients_play_without_an_incident() {
    let scripts = Mutex::new(scripts().into_iter());
    let next = || scripts.lock().unwrap().next();
    let worker = || std::iter::from_fn(next).filter_map(|script| run(&script).err()).collect::<Vec<_>>();
    let failed = std::thread::scope(|scope| {
        // By a name like a test's: a panic here is none of the engine's.
        let named = || std::thread::Builder::new().name("clients::worker".to_owned());
        let count = 1 + std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let workers: Vec<_> = (0..count).map(|_| named().spawn_scoped(scope, worker).unwrap()).collect();
        workers.into_iter().flat_map(|w| w.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
