//! Chooses the nets to embed: `nnue/<game>.bin` where it exists, else none; `EVALFILE` replaces the one of
//! the game it is for. The net of Go is `nnue/go-net.bin`, and has no such replacement.
//!
//! It also notes what `--version` prints about the build: commit, compiler, target. A new commit by itself
//! rebuilds nothing: the commit is the one that was checked out when the sources last changed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const GAMES: [&str; 2] = ["chess", "xiangqi"];
/// Where a net file names its game.
const GAME_FIELD: std::ops::Range<usize> = 12..20;
/// What a build is made of.
const SOURCES: [&str; 6] = ["src", "nnue", "books", "build.rs", "Cargo.toml", "Cargo.lock"];
/// The commit, for builds without a repository.
const COMMIT: &str = "SANQI_COMMIT";
/// Stands for what is not known.
const UNKNOWN: &str = "unknown";

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    choose_nets(&root, &out);
    describe_build(&root);
}

fn choose_nets(root: &Path, out: &Path) {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let given = env::var("EVALFILE").ok().filter(|name| !name.is_empty()).map(|name| {
        let path = root.join(&name);
        println!("cargo::rerun-if-changed={}", path.display());
        let game = game_of(&path).unwrap_or_else(|why| panic!("EVALFILE {name}: {why}"));
        (game, path)
    });
    let none = out.join("no-net.bin");
    fs::write(&none, []).expect("OUT_DIR can be written");
    for game in GAMES {
        let own = root.join("nnue").join(game).with_extension("bin");
        let net = match &given {
            Some((for_game, path)) if *for_game == game => path,
            _ if own.exists() => &own,
            _ => &none,
        };
        println!("cargo::rustc-env=SANQI_{}_NET={}", game.to_uppercase(), net.display());
    }
    let of_go = root.join("nnue/go-net.bin");
    println!("cargo::rustc-env=SANQI_GO_NET={}", if of_go.exists() { &of_go } else { &none }.display());
}

/// Which game the net in `path` is for. The engine looks at the rest.
fn game_of(path: &Path) -> Result<&'static str, String> {
    let bytes = fs::read(path).map_err(|e| e.to_string())?;
    let name = bytes.get(GAME_FIELD).filter(|_| bytes.starts_with(b"SANQINET")).ok_or("not a net file")?;
    let found = GAMES.into_iter().find(|game| name.strip_prefix(game.as_bytes()).is_some_and(all_zero));
    found.ok_or_else(|| "a net for a game that has none embedded".to_owned())
}

fn all_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|&b| b == 0)
}

fn describe_build(root: &Path) {
    println!("cargo::rerun-if-env-changed={COMMIT}");
    let given = env::var(COMMIT).ok().filter(|text| !text.is_empty());
    let commit = given.or_else(|| commit(root)).unwrap_or_else(|| UNKNOWN.to_owned());
    let compiler = env::var("RUSTC").ok().and_then(|rustc| said(Command::new(rustc).arg("--version")));
    let target = env::var("TARGET").ok();
    println!("cargo::rustc-env=SANQI_BUILD_COMMIT={commit}");
    println!("cargo::rustc-env=SANQI_BUILD_COMPILER={}", compiler.as_deref().unwrap_or(UNKNOWN));
    println!("cargo::rustc-env=SANQI_BUILD_TARGET={}", target.as_deref().unwrap_or(UNKNOWN));
}

/// The commit that is checked out in `root`. `None`: `root` is no repository of its own (an unpacked archive
/// may lie in somebody else's), or there is no git.
fn commit(root: &Path) -> Option<String> {
    let git =
        |args: &[&str]| said(Command::new("git").args(["--no-optional-locks", "-C"]).arg(root).args(args));
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let status = ["status", "--porcelain", "--untracked-files=no", "--"];
    let changes = git(&[&status[..], &SOURCES].concat())?;
    Some(if changes.is_empty() { commit } else { commit + ", with changes" })
}

/// What a program writes, on one line. `None`: it is not there, or fails.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().replace('\n', " "))
}
