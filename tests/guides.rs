//! The guides to other programs (`docs/guis`) and the files that they give away: what these tell the engine
//! is what the engine has.

use crate::session::Session;
use crate::support::{engine, run_program, stdout};
use std::fs;
use std::path::{Path, PathBuf};

/// Where guides are.
const FOLDERS: [&str; 1] = ["guis"];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)
}

fn file(name: &str) -> String {
    fs::read_to_string(folder(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of the files in a folder of `docs`, sorted.
fn names(of: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder(of))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Where the links of a page lead, without the place within the page.
fn links(page: &str) -> Vec<&str> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.starts_with("https:")).collect()
}

/// The blocks of code of a page that are in this language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let opening = format!("```{language}\n");
    page.split(opening.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// Sets options over UCI; the engine has no remark to any of them.
fn accepts(options: &[(String, String)]) {
    assert!(!options.is_empty(), "no options were found");
    let lines: String =
        options.iter().map(|(name, value)| format!("setoption name {name} value {value}\n")).collect();
    let output = run_program(engine(), &[], &format!("uci\n{lines}isready\nquit\n"));
    let told = stdout(&output);
    let after = told.split_once("uciok\n").expect("an answer to `uci`").1;
    assert_eq!(after, "readyok\n", "{options:?}");
}

/// Starts the engine as a command line says and sends commands of GTP; none is refused.
fn plays(command: &str, commands: &[&str]) {
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    let mut gtp = Session::start(&arguments);
    for line in commands {
        gtp.must(line);
    }
    gtp.must("quit");
    let (_, status, _) = gtp.finish();
    assert!(status.success(), "{command}: {status}");
}

#[test]
fn every_guide_and_file_is_in_its_index() {
    for of in FOLDERS {
        let index = file(&format!("{of}/README.md"));
        let pages: Vec<String> = names(of).into_iter().filter(|name| name.ends_with(".md")).collect();
        let texts: Vec<String> = pages.iter().map(|name| file(&format!("{of}/{name}"))).collect();
        assert!(pages.len() > 5, "{pages:?}");
        for name in names(of) {
            let linked = |text: &String| links(text).contains(&name.as_str());
            assert!(name == "README.md" || texts.iter().any(linked), "docs/{of}/{name} is linked nowhere");
            let is_page = name.ends_with(".md") && name != "README.md";
            assert!(!is_page || linked(&index), "docs/{of}/README.md lacks {name}");
        }
        for (name, text) in pages.iter().zip(&texts) {
            for target in links(text) {
                assert!(folder(of).join(target).exists(), "docs/{of}/{name}: {target}");
            }
            assert!(
                name == "README.md" || text.contains("\n## Tried\n"),
                "docs/{of}/{name} says how it was tried"
            );
        }
    }
}

#[test]
fn the_pages_show_the_files_as_they_are() {
    let stanza = file("guis/gnome-chess-engines.conf");
    assert_eq!(blocks(&file("guis/gnome-chess.md"), "ini"), [stanza.as_str()]);
    let example = file("guis/python_chess_example.py");
    assert_eq!(blocks(&file("guis/python-chess.md"), "python"), [example.as_str()]);
}

#[test]
fn every_command_line_of_the_guides_starts() {
    let mut started = 0;
    for of in FOLDERS {
        for name in names(of).iter().filter(|name| name.ends_with(".md")) {
            let text = file(&format!("{of}/{name}"));
            let code = text.split('`').map(|code| code.strip_prefix("/path/to/").unwrap_or(code));
            for command in code.filter(|code| code.starts_with("sanqi gtp") || code.starts_with("gtp --")) {
                let command = command.strip_prefix("sanqi ").unwrap_or(command);
                plays(&format!("sanqi {command}"), &["name"]);
                started += 1;
            }
        }
    }
    assert!(started > 6, "{started} command lines were found");
}

#[test]
fn gnome_chess_sets_options_that_there_are() {
    let options: Vec<(String, String)> = file("guis/gnome-chess-engines.conf")
        .lines()
        .filter(|line| line.starts_with("option-"))
        .filter_map(|line| line.split_once('=')?.1.rsplit_once(' '))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    assert_eq!(options.len(), 3);
    accepts(&options);
}
