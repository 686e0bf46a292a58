//! `sanqi.toml`: where it is found, what goes before it, and what is said of mistakes in it.

use crate::support::{engine, program, stderr, stdout};
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use tempfile::{TempDir, tempdir};

/// A folder of settings with this file in it.
fn settings(text: &str) -> TempDir {
    let folder = tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sanqi")).unwrap();
    std::fs::write(folder.path().join("sanqi/sanqi.toml"), text).unwrap();
    folder
}

/// The engine with these settings, arguments and lines.
fn with(settings: &Path, args: &[&str], lines: &str) -> Output {
    with_program(&engine(), settings, args, lines)
}

fn with_program(path: &Path, settings: &Path, args: &[&str], lines: &str) -> Output {
    let mut child = program(path)
        .args(args)
        .env("XDG_CONFIG_HOME", settings)
        .env("APPDATA", settings)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What prints its settings reads nothing.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    child.wait_with_output().unwrap()
}

/// Each dialect announces what it has: the file, unless the command line or the client said otherwise.
#[test]
fn the_file_goes_before_the_built_in_and_after_all_others() {
    let own = settings("Hash = 33\n[xiangqi]\nRandomness = 20\n[go]\nHash = 44\nEvaluator = \"playouts\"\n");
    let printed = |args: &[&str], lines: &str| stdout(&with(own.path(), args, lines));
    let uci = "uci\nhelp option hash\nquit\n";
    let of_file = printed(&["uci"], uci);
    assert!(of_file.contains("option name Hash type spin default 33 min 1 max 1048576"), "{of_file}");
    let answer = "info string Hash: Size of the transposition table in MiB. Value: a whole number from 1 to 1048576; 33 by default.";
    assert!(of_file.contains(answer), "{of_file}");
    assert!(printed(&["uci", "--no-config"], uci).contains("option name Hash type spin default 16 "));

    let ucci = printed(&["ucci"], "ucci\nhelp option style\nhelp option nothing\nquit\n");
    assert!(ucci.contains("option randomness type combo") && ucci.contains("huge default medium"), "{ucci}");
    assert!(ucci.contains("info message style: Centipawns by which "), "{ucci}");
    assert!(ucci.contains("info message no such option: nothing; options: usemillisec, batch, "), "{ucci}");

    let hash = "kata-get-param hashMiB\nhelp option hashMiB\nkata-get-param evaluator\n";
    let go = printed(&["gtp"], hash);
    assert!(go.contains("= 44\n") && go.contains("= playouts\n"), "{go}");
    assert!(go.contains("= Hash: ") && go.contains("; 44 by default."), "{go}");
    let command_line = printed(&["gtp", "--option", "Hash=55"], hash);
    assert!(command_line.contains("= 55\n"), "{command_line}");
    let client = printed(&["gtp", "--option", "Hash=55"], &format!("kata-set-param hashMiB 66\n{hash}"));
    assert!(client.contains("= 66\n"), "{client}");
    assert!(printed(&["gtp", "--no-config"], hash).contains("= 256\n"));
}

/// Beside the program, then the person's own; or the one that is named.
#[test]
fn the_first_file_found_is_used() {
    let own = settings("Hash = 33\n");
    let folder = tempdir().unwrap();
    let copy = folder.path().join(engine().file_name().unwrap());
    std::fs::copy(engine(), &copy).unwrap();
    let hash = |args: &[&str]| {
        let printed = stdout(&with_program(&copy, own.path(), args, "uci\nquit\n"));
        let line = printed.lines().find_map(|line| line.strip_prefix("option name Hash type spin default "));
        line.and_then(|rest| rest.split(' ').next()).map(str::to_owned)
    };
    assert_eq!(hash(&["uci"]).as_deref(), Some("33"));
    std::fs::write(folder.path().join("sanqi.toml"), "Hash = 22\n").unwrap();
    assert_eq!(hash(&["uci"]).as_deref(), Some("22"));
    let named = folder.path().join("named.toml");
    std::fs::write(&named, "\u{FEFF}Hash = 11\n").unwrap();
    let named = named.to_str().unwrap();
    assert_eq!(hash(&["uci", "--config", named]).as_deref(), Some("11"));
    assert_eq!(hash(&["--config", named]).as_deref(), Some("11"));
    assert_eq!(hash(&["uci", "--no-config"]).as_deref(), Some("16"));
    // What is no text keeps nothing from starting.
    std::fs::write(named, b"Hash = 11\n\xff\n").unwrap();
    let printed = stdout(&with(own.path(), &["uci", "--config", named], "uci\nisready\nquit\n"));
    assert!(
        printed.contains(&format!("info string {named}: invalid utf-8")) && printed.contains("readyok"),
        "{printed}"
    );
    assert!(printed.contains("option name Hash type spin default 16 "), "{printed}");
    let missing = with(own.path(), &["uci", "--config", "no-such-file"], "uci\nquit\n");
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).starts_with("sanqi: no-such-file: "), "{}", stderr(&missing));
}

/// The engine starts and plays, and reports with the line what is wrong, in the dialect's form.
#[test]
fn mistakes_are_reported_in_the_dialect_and_the_rest_holds() {
    let own = settings(
        "Thraeds = 2\nHash = 33\n[chess]\nSyzygyPath = \"/no/such/folder\"\n[xiangqi]\nIdle = 99\n[go]\nSeed = -1\n",
    );
    let (file, lines) = (own.path().join("sanqi/sanqi.toml"), "go depth 1\nquit\n");
    let at = |line: u32| format!("{} line {line}: ", file.display());
    let uci = stdout(&with(own.path(), &["uci"], &format!("uci\n{lines}")));
    for problem in [
        format!("info string {}no such option: Thraeds; Threads is the nearest", at(1)),
        format!("info string {}SyzygyPath: no Syzygy tables in '/no/such/folder'", at(4)),
        format!("info string {}Idle must be a whole number from 0 to 90, not '99'", at(6)),
    ] {
        assert!(uci.contains(&problem), "{problem}: {uci}");
    }
    assert!(uci.contains("default 33 min") && uci.contains("bestmove "), "{uci}");
    assert!(uci.find("uciok") < uci.find("info string"), "{uci}");
    let ucci = stdout(&with(own.path(), &["ucci"], &format!("ucci\n{lines}")));
    assert!(
        ucci.contains(&format!("info message {}Idle must be ", at(6))) && ucci.contains("bestmove "),
        "{ucci}"
    );
    let go = with(own.path(), &["gtp"], "boardsize 5\nname\n");
    assert!(stderr(&go).contains(&format!("{}Seed must be ", at(8))), "{}", stderr(&go));
    assert_eq!(stdout(&go).lines().filter(|line| line.starts_with('=')).count(), 2, "{}", stdout(&go));

    let broken = settings("Hash = 33\nThreads = \n");
    let uci = stdout(&with(broken.path(), &["uci"], &format!("uci\n{lines}")));
    assert!(uci.contains("sanqi.toml line 2: ") && uci.contains("nothing of this file is used"), "{uci}");
    assert!(uci.contains("default 16 min") && uci.contains("bestmove "), "{uci}");
}

/// What is printed is a file that sets the same; all else in it is a comment.
#[test]
fn the_printed_file_keeps_what_is_set() {
    let own = settings("Threads = 3\n[go]\nSeed = 5\n");
    let printed = stdout(&with(own.path(), &["--print-config"], ""));
    let set = |text: &str| text.lines().filter(|line| line.contains(" = ") && !line.starts_with('#')).count();
    assert_eq!(set(&printed), 4, "{printed}");
    assert!(
        printed.contains(
            "\n# Threads that search. Value: a whole number from 1 to 1024; 1 by default.\nThreads = 3\n"
        ),
        "{printed}"
    );
    let again = settings(&printed);
    assert_eq!(stdout(&with(again.path(), &["--print-config"], "")), printed);
    assert_eq!(set(&stdout(&with(own.path(), &["uci", "--no-config", "--print-config"], ""))), 0);
}
