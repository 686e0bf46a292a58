//! What the pages show: commands and flags that there are, matches that are played, files that are read.

use crate::guides::blocks;
use crate::support::{engine, program, run, stderr, stdout};
use sanqi::arbiter::config::MatchConfig;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// All pages, by their path in the repository.
fn pages() -> BTreeMap<String, String> {
    let mut files: Vec<PathBuf> = ["README.md", "README.zh.md", "CONTRIBUTING.md", "nnue/README.md"]
        .map(|page| Path::new(ROOT).join(page))
        .into();
    let mut folders = vec![Path::new(ROOT).join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            // The lab tells what was run long ago.
            if path.is_dir() && !path.ends_with("lab") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                files.push(path);
            }
        }
    }
    let read = |path: PathBuf| {
        let name = path.strip_prefix(ROOT).unwrap().to_string_lossy().replace('\\', "/");
        (name, fs::read_to_string(path).unwrap())
    };
    files.into_iter().map(read).collect()
}

/// The commands of a page's shell blocks, each in one line, without comments.
fn shell_commands(page: &str) -> Vec<String> {
    let joined = |block: &str| block.replace("\\\n", " ").replace("|\n", "| ");
    let lines: Vec<String> = blocks(page, "sh")
        .into_iter()
        .flat_map(|block| joined(block).lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let without_comment = |line: &String| line.split(" #").next().unwrap_or("").trim().to_owned();
    lines.iter().map(without_comment).filter(|line| !line.is_empty()).collect()
}

/// What a page shows between backquotes within its text.
fn inline_code(page: &str) -> Vec<String> {
    let text: String = page.split("```").step_by(2).collect();
    text.split('`').skip(1).step_by(2).map(|code| code.replace('\n', " ").replace("\\|", "|")).collect()
}

/// The words behind the program's name, where it is the program that is started; not those of other programs: what
/// stands in quotes, and behind `gnugo`.
fn arguments(command: &str) -> Option<Vec<&str>> {
    let mut words = command.split('"').step_by(2).flat_map(str::split_whitespace);
    let program = words.next()?;
    (program.rsplit('/').next() == Some("sanqi")).then(|| words.take_while(|word| *word != "gnugo").collect())
}

#[test]
fn every_command_and_flag_that_a_page_names_is_there() {
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut named = 0;
    for (page, text) in pages() {
        for code in inline_code(&text).into_iter().chain(shell_commands(&text)) {
            let Some(words) = code.split(" | ").find_map(arguments) else { continue };
            let subcommand =
                words.first().filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
            let command = subcommand.filter(|word| !word.starts_with('-')).copied().unwrap_or("");
            let help = helps.entry(command.to_owned()).or_insert_with(|| {
                let output = run(&[command, "--help"][usize::from(command.is_empty())..]);
                assert!(
                    output.status.success(),
                    "{page}: there is no `sanqi {command}`: {}",
                    stderr(&output)
                );
                stdout(&output)
            });
            for flag in words.iter().filter(|word| word.starts_with("--") && word.len() > 2) {
                let flag = flag.split(['=', ',', ';', ')']).next().unwrap_or(flag);
                let is_there =
                    help.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).any(|word| word == flag);
                assert!(is_there, "{page}: `{code}`: `sanqi {command}` has no {flag}");
                named += 1;
            }
        }
    }
    assert!(named > 60 && helps.len() > 15, "{named} flags of {} commands were found", helps.len());
}

/// A match as it is shown, at 20 nodes a move, shortened to a pair of games, by this engine alone.
#[cfg(unix)]
fn rehearsed(command: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut before = String::new();
    // `"args=--mode gtp"`, `args="--mode gtp"`: other engines have arguments of their own.
    fn ours((i, part): (usize, &str)) -> &str {
        match part {
            _ if i % 2 == 0 => part,
            _ if part.starts_with("args=") => "args=gtp",
            _ => "gtp",
        }
    }
    let command: String = command.split('"').enumerate().map(ours).collect();
    for word in command.split_whitespace() {
        let shown = match word.split_once('=') {
            Some(("cmd", _)) => "cmd=./sanqi".to_owned(),
            Some(("tc", _)) => "nodes=20".to_owned(),
            _ if before == "--tc" => "nodes=20".to_owned(),
            _ if before == "--games" => "2".to_owned(),
            _ if before == "--rounds" => "1".to_owned(),
            // More of the same.
            _ if word == "…" => "--engine cmd=./sanqi --engine cmd=./sanqi".to_owned(),
            _ => word.to_owned(),
        };
        words.push(shown);
        before = word.to_owned();
    }
    words.join(" ")
}

/// A folder with the program under the names that the pages give it, and with openings of each name.
#[cfg(unix)]
fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["sanqi", "sanqi-old"] {
        std::os::unix::fs::symlink(engine(), folder.path().join(name)).unwrap();
    }
    std::os::unix::fs::symlink(Path::new(ROOT).join("books"), folder.path().join("books")).unwrap();
    for name in ["openings_uho.epd", "openings_balanced.epd"] {
        fs::copy(Path::new(ROOT).join("books/chess.epd"), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("random9.sgf"), "(;GM[1]FF[4]SZ[9];B[dd];W[ff])\n").unwrap();
    folder
}

#[cfg(unix)]
#[test]
fn every_match_that_a_page_shows_is_played() {
    let mut played = 0;
    for (page, text) in pages() {
        let folder = workplace();
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
        for command in shell_commands(&text) {
            let Some(words) = command.split(" | ").last().and_then(arguments) else { continue };
            let shown = match words.first() {
                Some(&"match") => rehearsed(&command),
                Some(&"analysis") if command.contains(" | ") => command.clone(),
                _ => continue,
            };
            // Parts of a run that a cluster made.
            if shown.contains('*') {
                continue;
            }
            let output =
                program("sh").args(["-c", &shown]).current_dir(&folder).env("PATH", &path).output().unwrap();
            assert!(output.status.success(), "{page}: {shown}: {}{}", stdout(&output), stderr(&output));
            assert!(!stdout(&output).is_empty(), "{page}: {shown}");
            played += 1;
        }
    }
    assert!(played > 10, "{played} commands were run");
}

#[test]
fn the_files_that_pages_show_are_read() {
    let pages = pages();
    let folder = tempfile::tempdir().unwrap();
    for page in ["docs/MATCHES.md", "docs/zh/MATCHES.md"] {
        let file = folder.path().join("match.toml");
        for block in blocks(&pages[page], "toml") {
            fs::write(&file, block).unwrap();
            let mut config = MatchConfig::load(&file).unwrap_or_else(|why| panic!("{page}: {why}"));
            assert_eq!(config.complete(), Ok(()), "{page}");
        }
    }
    for page in ["docs/OPTIONS.md", "docs/zh/OPTIONS.md"] {
        let file = folder.path().join("sanqi.toml");
        for block in blocks(&pages[page], "toml") {
            fs::write(&file, block).unwrap();
            let output = run(&["--config", file.to_str().unwrap(), "--print-config"]);
            assert!(output.status.success(), "{page}: {}", stderr(&output));
            assert!(stdout(&output).contains("\nThreads = 4"), "{page}: {}", stdout(&output));
        }
    }
}
