//! The files of the page, which are in the binary.

/// A file of the page.
pub struct File {
    /// Its name in the address; the page itself has none.
    pub name: &'static str,
    /// What it is.
    pub kind: &'static str,
    /// What is in it.
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

const FILES: &[File] = &[
    File { name: "", kind: HTML, text: include_str!("page/index.html") },
    File { name: "style.css", kind: STYLE, text: include_str!("page/style.css") },
    File { name: "home.css", kind: STYLE, text: include_str!("page/home.css") },
    File { name: "board.css", kind: STYLE, text: include_str!("page/board.css") },
    File { name: "icon.svg", kind: PICTURE, text: include_str!("page/icon.svg") },
    File { name: "boards.js", kind: SCRIPT, text: crate::page::BOARDS },
    File { name: "app.js", kind: SCRIPT, text: include_str!("page/app.js") },
    File { name: "branches.js", kind: SCRIPT, text: include_str!("page/branches.js") },
    File { name: "state.js", kind: SCRIPT, text: include_str!("page/state.js") },
    File { name: "views.js", kind: SCRIPT, text: include_str!("page/views.js") },
    File { name: "commands.js", kind: SCRIPT, text: include_str!("page/commands.js") },
    File { name: "games.js", kind: SCRIPT, text: include_str!("page/games.js") },
    File { name: "coach.js", kind: SCRIPT, text: include_str!("page/coach.js") },
    File { name: "coach.css", kind: STYLE, text: include_str!("page/coach.css") },
    File { name: "overlay.js", kind: SCRIPT, text: include_str!("page/overlay.js") },
    File { name: "players.js", kind: SCRIPT, text: include_str!("page/players.js") },
    File { name: "words-coach.js", kind: SCRIPT, text: include_str!("page/words-coach.js") },
    File { name: "engine.js", kind: SCRIPT, text: include_str!("page/engine.js") },
    File { name: "game.js", kind: SCRIPT, text: include_str!("page/game.js") },
    File { name: "graph.js", kind: SCRIPT, text: include_str!("page/graph.js") },
    File { name: "home.js", kind: SCRIPT, text: include_str!("page/home.js") },
    File { name: "known.js", kind: SCRIPT, text: include_str!("page/known.js") },
    File { name: "lesson.js", kind: SCRIPT, text: include_str!("page/lesson.js") },
    File { name: "library.js", kind: SCRIPT, text: include_str!("page/library.js") },
    File { name: "lines.js", kind: SCRIPT, text: include_str!("page/lines.js") },
    File { name: "markup.js", kind: SCRIPT, text: include_str!("page/markup.js") },
    File { name: "pens.js", kind: SCRIPT, text: include_str!("page/pens.js") },
    File { name: "premove.js", kind: SCRIPT, text: include_str!("page/premove.js") },
    File { name: "sitting.js", kind: SCRIPT, text: include_str!("page/sitting.js") },
    File { name: "start.js", kind: SCRIPT, text: include_str!("page/start.js") },
    File { name: "moves.js", kind: SCRIPT, text: include_str!("page/moves.js") },
    File { name: "input.js", kind: SCRIPT, text: include_str!("page/input.js") },
    File { name: "panels.js", kind: SCRIPT, text: include_str!("page/panels.js") },
    File { name: "words.js", kind: SCRIPT, text: include_str!("page/words.js") },
];

const LIVE_FILES: &[File] = &[
    File { name: "", kind: HTML, text: include_str!("page/live.html") },
    File { name: "look.css", kind: STYLE, text: crate::page::LOOK },
    File { name: "live.css", kind: STYLE, text: include_str!("page/live.css") },
    File { name: "icon.svg", kind: PICTURE, text: include_str!("page/icon.svg") },
    File { name: "boards.js", kind: SCRIPT, text: crate::page::BOARDS },
    File { name: "input.js", kind: SCRIPT, text: include_str!("page/input.js") },
    File { name: "premove.js", kind: SCRIPT, text: include_str!("page/premove.js") },
    File { name: "live.js", kind: SCRIPT, text: include_str!("page/live.js") },
    File { name: "live-parts.js", kind: SCRIPT, text: include_str!("page/live-parts.js") },
    File { name: "seat.html", kind: HTML, text: include_str!("page/seat.html") },
    File { name: "seat.js", kind: SCRIPT, text: include_str!("page/seat.js") },
    File { name: "arbiter.html", kind: HTML, text: include_str!("page/arbiter.html") },
    File { name: "arbiter.js", kind: SCRIPT, text: include_str!("page/arbiter.js") },
];

/// The file with this name of the live page of a match.
pub fn live_file(name: &str) -> Option<&'static File> {
    LIVE_FILES.iter().find(|file| file.name == name)
}

/// The file with this name.
pub fn file(name: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a module imports, by its name in the address.
    fn imports(text: &str) -> Vec<&str> {
        text.lines()
            .filter(|line| line.starts_with("import "))
            .filter_map(|line| line.split('"').nth(1)?.strip_prefix("./"))
            .collect()
    }

    #[test]
    fn every_module_that_is_imported_is_there() {
        for file in FILES.iter().filter(|file| file.kind == SCRIPT) {
            for name in imports(file.text) {
                assert!(super::file(name).is_some(), "{} imports {name}", file.name);
            }
        }
        for file in LIVE_FILES.iter().filter(|file| file.kind == SCRIPT) {
            for name in imports(file.text) {
                assert!(live_file(name).is_some(), "{} imports {name}", file.name);
            }
        }
        assert!(!imports(file("app.js").unwrap().text).is_empty());
    }

    /// A module that the page does not name is asked for only when the modules that import it have come.
    #[test]
    fn the_page_names_every_module_so_that_none_waits_for_another() {
        let page = file("").unwrap().text;
        for module in FILES.iter().filter(|file| file.kind == SCRIPT) {
            assert!(page.contains(&format!("=\"{}\"", module.name)), "{}", module.name);
        }
    }

    #[test]
    fn the_page_asks_nothing_of_the_network() {
        for file in FILES.iter().chain(LIVE_FILES) {
            let without_names = file.text.replace("http://www.w3.org/", "");
            assert!(
                !without_names.contains("http://") && !without_names.contains("https://"),
                "{}",
                file.name
            );
        }
    }
}
