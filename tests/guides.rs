//! The guides to other programs (`docs/guis`, `docs/bots`) and the files that they give away: what these set
//! in the engine exists there.

use crate::session::Session;
use crate::support::{engine, run_program, stdout};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Where guides are.
const FOLDERS: [&str; 2] = ["guis", "bots"];

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
pub fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let opening = format!("```{language}\n");
    page.split(opening.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// Sets options over UCI; the engine has no remark to any of them.
fn accepts(options: &[(String, String)]) {
    assert!(!options.is_empty(), "no options were found");
    let lines: String =
        options.iter().map(|(name, value)| format!("setoption name {name} value {value}\n")).collect();
    let output = run_program(engine(), &[], &format!("uci\n{lines}isready\nquit\n"));
    let printed = stdout(&output);
    let after = printed.split_once("uciok\n").expect("an answer to `uci`").1;
    assert_eq!(after, "readyok\n", "{options:?}");
}

/// Starts the engine by a command line and sends commands of GTP; none is refused.
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

/// What stands behind `key`, once, in lines `key = value`.
fn values(text: &str, comment: char) -> BTreeMap<&str, &str> {
    let pairs = text.lines().filter(|line| !line.trim_start().starts_with(comment));
    pairs.filter_map(|line| line.split_once('=')).map(|(key, value)| (key.trim(), value.trim())).collect()
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
    let script = file("bots/pychess-external-engine.sh");
    let line = blocks(&file("bots/pychess.md"), "sh")[0].to_owned();
    assert!(script.ends_with(&line), "{line}");
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
    assert!(started > 8, "{started} command lines were found");
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

/// The lines below `uci_options:`, those that are commented out too. `tests/clients/bots.py` reads the whole
/// file as YAML.
#[test]
fn lichess_bot_sets_options_that_there_are() {
    let text = file("bots/lichess-bot.yml");
    let (_, below) = text.split_once("  uci_options:\n").unwrap();
    let (own, _) = below.split_once("\n\n").unwrap();
    let options: Vec<(String, String)> = own
        .lines()
        .filter_map(|line| line.trim_start_matches(['#', ' ']).split('#').next()?.split_once(": "))
        // The folder is an example.
        .filter(|(name, _)| *name != "SyzygyPath")
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    assert_eq!(options.len(), 5, "{options:?}");
    accepts(&options);
}

/// JSON with lines of comment; what gtp2ogs sends to a new game on a board of each size.
#[test]
fn gtp2ogs_starts_the_engine_and_is_not_refused() {
    let text = file("bots/gtp2ogs.json5");
    let json: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let config: serde_json::Value = serde_json::from_str(&json).unwrap();
    let words = config["bot"]["command"].as_array().unwrap();
    let command = words.iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(" ");
    for size in config["allowed_board_sizes"].as_array().unwrap() {
        let board = format!("boardsize {size}");
        let commands = [
            "list_commands",
            "kata-list_time_settings",
            board.as_str(),
            "clear_board",
            "komi 7.5",
            "kata-time_settings fischer-capped 600 10 1200 -1",
            "kgs-time_settings byoyomi 600 30 5",
            "time_settings 0 30 1",
            "time_left black 1 1",
            "time_left white 1 1",
            "play black c3",
            "genmove white",
            "showboard",
        ];
        plays(&command, &commands);
    }
}

#[test]
fn kgs_starts_the_engine_and_is_not_refused() {
    // The names that the help of kgsGtp lists.
    const KNOWN: [&str; 20] = [
        "logFile",
        "verbose",
        "engine",
        "gtp.in",
        "gtp.out",
        "engine.port",
        "server.host",
        "server.port",
        "name",
        "password",
        "room",
        "mode",
        "automatch.speed",
        "automatch.rank",
        "rules",
        "rules.boardSize",
        "rules.time",
        "opponent",
        "talk",
        "gameNotes",
    ];
    // Those that it reads besides.
    const MORE: [&str; 4] = ["reconnect", "undo", "hint.cleanup", "hint.noArguing"];
    let text = file("bots/kgs.properties");
    assert!(text.is_ascii(), "files of this kind are in Latin-1");
    let values = values(&text, '#');
    for name in values.keys() {
        assert!(KNOWN.contains(name) || MORE.contains(name), "{name}");
    }
    assert!(values["gameNotes"].len() <= 80);
    let size = format!("boardsize {}", values["rules.boardSize"]);
    let rules = format!("kgs-rules {}", values["rules"]);
    let commands = [
        size.as_str(),
        "clear_board",
        "komi 7.5",
        rules.as_str(),
        "kgs-time_settings byoyomi 600 30 5",
        "time_left b 600 0",
        "play b q16",
        "time_left w 1 1",
        "genmove w",
        "kgs-chat game somebody Hello",
        "play b pass",
        "final_status_list dead",
        "time_left w 1 1",
        "kgs-genmove_cleanup w",
        "kgs-game_over",
    ];
    plays(values["engine"], &commands);
}

#[test]
fn cgos_starts_the_engine_and_is_not_refused() {
    let text = file("bots/cgos.cfg");
    let (_, own) = text.split_once("\nGTPEngine:\n").unwrap();
    let values = values(own, '#');
    for needed in ["CommandLine", "ServerHost", "ServerPort", "ServerUser", "ServerPassword", "NumberOfGames"]
    {
        assert!(values.contains_key(needed), "{needed}");
    }
    let commands = [
        "list_commands",
        "boardsize 19",
        "clear_board",
        "komi 7.5",
        "time_settings 900 0 0",
        "play w q16",
        "time_left b 1 0",
        "kata-genmove_analyze b ownership true",
    ];
    plays(values["CommandLine"], &commands);
}
