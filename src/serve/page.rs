//! The files of the page, which are in the binary.

use crate::page;

/// A file of the page.
#[derive(Clone, Copy)]
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
    File { name: "home.js", kind: SCRIPT, text: include_str!("page/home.js") },
    File { name: "known.js", kind: SCRIPT, text: include_str!("page/known.js") },
    File { name: "lesson.js", kind: SCRIPT, text: include_str!("page/lesson.js") },
    File { name: "library.js", kind: SCRIPT, text: include_str!("page/library.js") },
    File { name: "lines.js", kind: SCRIPT, text: include_str!("page/lines.js") },
    File { name: "pens.js", kind: SCRIPT, text: include_str!("page/pens.js") },
    File { name: "premove.js", kind: SCRIPT, text: include_str!("page/premove.js") },
    File { name: "sitting.js", kind: SCRIPT, text: include_str!("page/sitting.js") },
    File { name: "sounds.js", kind: SCRIPT, text: include_str!("page/sounds.js") },
    File { name: "start.js", kind: SCRIPT, text: include_str!("page/start.js") },
    File { name: "input.js", kind: SCRIPT, text: include_str!("page/input.js") },
    File { name: "panels.js", kind: SCRIPT, text: include_str!("page/panels.js") },
    File { name: "words.js", kind: SCRIPT, text: include_str!("page/words.js") },
];

const LIVE_FILES: &[File] = &[
    File { name: "", kind: HTML, text: include_str!("page/live.html") },
    File { name: "live.css", kind: STYLE, text: include_str!("page/live.css") },
    File { name: "icon.svg", kind: PICTURE, text: include_str!("page/icon.svg") },
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
pub fn live_file(name: &str) -> Option<File> {
    find(LIVE_FILES, name)
}

/// The file with this name.
pub fn file(name: &str) -> Option<File> {
    find(FILES, name)
}

/// A file of a page, or one that pages without a server have as well.
fn find(own: &[File], name: &str) -> Option<File> {
    let shared = |name| match name {
        "look.css" => Some(File { name: "look.css", kind: STYLE, text: page::LOOK }),
        "report.css" => Some(File { name: "report.css", kind: STYLE, text: page::REPORT }),
        name => {
            let (name, text) = page::MODULES.iter().find(|(module, _)| *module == name)?;
            Some(File { name, kind: SCRIPT, text })
        }
    };
    own.iter().find(|file| file.name == name).copied().or_else(|| shared(name))
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

    /// What a page runs, from the modules it names on.
    fn modules(of: &[&'static str], find: fn(&str) -> Option<File>) -> Vec<&'static str> {
        let mut found = of.to_vec();
        let mut at = 0;
        while let Some(name) = found.get(at).copied() {
            let file = find(name).unwrap_or_else(|| panic!("{name} is imported"));
            found.extend(imports(file.text).into_iter().filter(|name| !of.contains(name)));
            let mut seen = std::collections::HashSet::new();
            found.retain(|name| seen.insert(*name));
            at += 1;
        }
        found
    }

    /// A module that the page does not name is asked for only when the modules that import it have come.
    #[test]
    fn the_page_names_every_module_so_that_none_waits_for_another() {
        let page = file("").unwrap().text;
        let all = modules(&["app.js"], file);
        assert!(all.len() > 10);
        for module in all {
            assert!(page.contains(&format!("=\"{module}\"")), "{module}");
        }
        modules(&["live.js", "seat.js", "arbiter.js"], live_file);
    }

    #[test]
    fn modules_of_reports_have_no_name_twice() {
        let mut names = std::collections::HashSet::new();
        for line in page::MODULES.iter().flat_map(|(_, text)| text.lines()) {
            let line = line.strip_prefix("export ").unwrap_or(line);
            let line = line.strip_prefix("async ").unwrap_or(line);
            let declared =
                ["const ", "let ", "function ", "class "].iter().find_map(|kind| line.strip_prefix(kind));
            let name =
                declared.and_then(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next());
            assert!(name.is_none_or(|name| name.is_empty() || names.insert(name)), "{line}");
        }
    }

    #[test]
    fn the_page_asks_nothing_of_the_network() {
        let shared = page::MODULES.iter().map(|(name, _)| file(name).unwrap());
        let looks = ["look.css", "report.css"].map(|name| file(name).unwrap());
        for file in FILES.iter().chain(LIVE_FILES).copied().chain(shared).chain(looks) {
            let without_names = file.text.replace("http://www.w3.org/", "");
            assert!(
                !without_names.contains("http://") && !without_names.contains("https://"),
                "{}",
                file.name
            );
        }
    }
}
