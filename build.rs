//! Chooses the nets to embed: `nnue/<game>.bin` where it exists, else none; `EVALFILE` replaces the one of
//! the game it is for. The net of Go is `nnue/go-net.bin`, and has no such replacement.

use std::path::{Path, PathBuf};
use std::{env, fs};

const GAMES: [&str; 2] = ["chess", "xiangqi"];
/// Where a net file names its game.
const GAME_FIELD: std::ops::Range<usize> = 12..20;

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-env-changed=EVALFILE");
    println!("cargo::rerun-if-changed={}", root.join("nnue").display());
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
