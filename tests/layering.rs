//! The rules of the house, checked: which module may use which, where `unsafe` and stdout may be
//! touched, how long files and functions may grow.

use std::fs;
use std::path::{Path, PathBuf};

/// A module, and the modules it may name. The order is that of `lib.rs`.
const MAY_USE: &[(&str, &[&str])] = &[
    ("util", &[]),
    ("game", &["util"]),
    ("chess", &["game", "util"]),
    ("go", &["game", "util"]),
    ("xiangqi", &["game", "util"]),
    ("conv", &["util"]),
    ("nnue", &["game", "util"]),
    ("clock", &["util"]),
    ("tune", &["util"]),
    ("search", &["game", "tune", "clock", "util"]),
    ("eval", &["chess", "xiangqi", "go", "nnue", "conv", "game", "search", "tune", "util"]),
    (
        "engine",
        &["chess", "xiangqi", "go", "eval", "nnue", "conv", "search", "tune", "clock", "game", "util"],
    ),
    ("protocol", &["engine", "search", "clock", "game", "util"]),
    ("controller", &["protocol", "engine", "search", "clock", "game", "util"]),
    ("arbiter", &["chess", "xiangqi", "go", "game", "clock", "util"]),
    (
        "train",
        &[
            "chess", "xiangqi", "go", "eval", "nnue", "conv", "search", "engine", "tune", "clock", "game",
            "util",
        ],
    ),
];

/// Where `unsafe` may stand.
const UNSAFE_HOMES: &[&str] = &[
    "src/nnue/simd",
    "src/nnue/weights",
    "src/train/simd",
    "src/conv/kernels",
    "src/util/memory",
    "src/search/tt.rs",
];

/// Modules that know no protocol by name.
const BELOW_PROTOCOLS: &[&str] =
    &["util", "game", "chess", "go", "xiangqi", "conv", "nnue", "clock", "tune", "search", "eval", "engine"];

const MAX_FILE_LINES: usize = 800;
const MAX_FUNCTION_LINES: usize = 250;

/// A source file, and its code with comments and the insides of literals blanked out.
struct Source {
    path: PathBuf,
    code: String,
}

impl Source {
    /// The top-level module it belongs to: `search` for `src/search/tt.rs`.
    fn module(&self) -> &str {
        let second = self.path.iter().nth(1).and_then(|s| s.to_str()).unwrap_or("");
        second.strip_suffix(".rs").unwrap_or(second)
    }

    /// The code before its tests.
    fn production(&self) -> &str {
        self.code.split("#[cfg(test)]").next().unwrap_or(&self.code)
    }

    /// Tests that fill a file of their own may use what stands above their module.
    fn is_test(&self) -> bool {
        self.path.file_stem().and_then(|s| s.to_str()).is_some_and(|s| s.ends_with("tests"))
    }

    fn is_under(&self, prefix: &str) -> bool {
        self.path.to_str().is_some_and(|p| p.starts_with(prefix))
    }
}

#[test]
fn modules_use_only_what_the_map_allows() {
    let mut wrong = Vec::new();
    for source in sources("src").into_iter().filter(|s| !s.is_test()) {
        let module = source.module();
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == module) else { continue };
        for (at, _) in source.code.match_indices("crate::") {
            for name in path_heads(&source.code[at + "crate::".len()..]) {
                if name != module && is_module(name) && !allowed.contains(&name) {
                    wrong.push(format!("{}: {module} may not use {name}", source.path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_is_on_the_map() {
    for source in sources("src") {
        let name = source.module();
        let known = ["lib", "main", "cli"].contains(&name) || is_module(name);
        assert!(known, "{}: say in MAY_USE what {name} may use", source.path.display());
    }
}

#[test]
fn only_the_writer_and_the_commands_print() {
    // Asking whether stdout is a terminal writes nothing.
    let prints = |code: &str| {
        let code = code.replace("stdout().is_terminal()", "");
        ["print!", "println!", "dbg!", "io::stdout", "stdout()"].iter().any(|p| has_word(&code, p))
    };
    let wrong: Vec<_> = sources("src")
        .into_iter()
        .filter(|s| !s.is_under("src/protocol/io.rs") && !s.is_under("src/cli"))
        .filter(|s| !s.is_test() && prints(s.production()))
        .map(|s| s.path)
        .collect();
    assert!(wrong.is_empty(), "only protocol/io.rs and cli write stdout: {wrong:?}");
}

#[test]
fn no_protocol_is_named_below_the_controller() {
    let mut wrong = Vec::new();
    for source in sources("src").iter().filter(|s| BELOW_PROTOCOLS.contains(&s.module())) {
        for word in source.production().split(|c: char| !c.is_alphanumeric() && c != '_') {
            let lower = word.to_lowercase();
            if lower.split('_').any(|part| ["uci", "ucci", "gtp"].contains(&part)) {
                wrong.push(format!("{}: {word}", source.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn unsafe_code_stays_in_its_homes() {
    let mut wrong = Vec::new();
    for source in sources("src") {
        if !has_word(&source.code, "unsafe") || UNSAFE_HOMES.iter().any(|home| source.is_under(home)) {
            continue;
        }
        wrong.push(format!("{}: unsafe", source.path.display()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_stay_short() {
    let long: Vec<_> = ["src", "tests", "benches"]
        .into_iter()
        .flat_map(sources)
        .filter(|s| s.code.lines().count() > MAX_FILE_LINES)
        .map(|s| s.path)
        .collect();
    assert!(long.is_empty(), "more than {MAX_FILE_LINES} lines: {long:?}");
}

#[test]
fn functions_stay_short() {
    let mut long = Vec::new();
    for source in ["src", "tests", "benches"].into_iter().flat_map(sources) {
        for (name, lines) in functions(&source.code) {
            if lines > MAX_FUNCTION_LINES {
                long.push(format!("{}: {name} has {lines} lines", source.path.display()));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_test_file_is_a_module() {
    let main = fs::read_to_string("tests/main.rs").unwrap();
    for entry in fs::read_dir("tests").unwrap().flatten() {
        let path = entry.path();
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("");
        if path.extension().is_some_and(|e| e == "rs") && stem != "main" {
            assert!(main.contains(&format!("mod {stem};")), "tests/main.rs lacks `mod {stem};`");
        }
    }
}

fn is_module(name: &str) -> bool {
    MAY_USE.iter().any(|(module, _)| *module == name) || name == "cli"
}

/// All Rust files under `root`.
fn sources(root: &str) -> Vec<Source> {
    let (mut found, mut folders) = (Vec::new(), vec![PathBuf::from(root)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(Source { code: blank(&read(&path)), path });
            }
        }
    }
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn has_word(code: &str, word: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    code.match_indices(word).any(|(at, _)| {
        !joins(code[..at].chars().next_back()) && !joins(code[at + word.len()..].chars().next())
    })
}

/// First segments of the path or brace group that follows `crate::`: `{a::X, b::{Y, Z}}` gives a and b.
fn path_heads(after: &str) -> Vec<&str> {
    let head =
        |s: &str| s.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").len();
    let first = |s: &'_ str| -> std::ops::Range<usize> {
        let lead = s.len() - s.trim_start().len();
        lead..lead + head(s)
    };
    let Some(group) = after.strip_prefix('{') else { return vec![&after[first(after)]] };
    let (mut depth, mut start, mut heads) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                let item = &group[start..at];
                heads.push(&item[first(item)]);
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    heads.retain(|h| !h.is_empty());
    heads
}

/// Name and length in lines of every function body.
fn functions(code: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        if code[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &code[at + 3..];
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let Some(open) = rest.find(['{', ';']) else { continue };
        if name.is_empty() || rest.as_bytes()[open] == b';' {
            continue;
        }
        let mut depth = 0;
        for (i, c) in rest[open..].char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                found.push((name, rest[..=open + i].lines().count()));
                break;
            }
        }
    }
    found
}

/// The code with comments and the contents of string and character literals replaced by blanks; line
/// ends stay where they are.
fn blank(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else if c == '"' {
            string_end(rest)
        } else if let Some(hashes) = raw_string_hashes(rest, out.chars().next_back()) {
            let close = format!("\"{}", "#".repeat(hashes));
            let body = hashes + 2;
            rest[body..].find(&close).map_or(rest.len(), |at| body + at + close.len())
        } else {
            char_literal_end(rest)
        };
        if len == 0 {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            out.extend(rest[..len].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[len..];
        }
    }
    out
}

/// Length of the string literal that `rest` starts with.
fn string_end(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Number of `#` when a raw string starts here.
fn raw_string_hashes(rest: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|c| c.is_alphanumeric() && c != 'b' || c == '_') {
        return None;
    }
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

/// Length of the character literal that `rest` starts with; 0 when it is none (a lifetime, say).
fn char_literal_end(rest: &str) -> usize {
    let Some(inner) = rest.strip_prefix('\'') else { return 0 };
    let mut chars = inner.char_indices();
    match chars.next() {
        Some((_, '\\')) => {
            chars.next();
            chars.find(|&(_, c)| c == '\'').map_or(0, |(at, _)| at + 2)
        }
        Some(_) => match chars.next() {
            Some((at, '\'')) => at + 2,
            _ => 0,
        },
        None => 0,
    }
}

#[test]
fn blanking_keeps_code_and_drops_the_rest() {
    let code = "let a = \"crate::x\"; // crate::y\nlet b = r#\"\"crate::z\"\"#; let c = '\\''; let d: &'static str; /* \n */ crate::w";
    let blanked = blank(code);
    assert_eq!(blanked.matches("crate::").count(), 1);
    assert_eq!(blanked.matches('\n').count(), 2);
    assert!(blanked.contains("&'static str"));
    assert_eq!(path_heads("{a::X, b::{Y, Z}, c};"), ["a", "b", "c"]);
    assert_eq!(path_heads("search::tt::Table"), ["search"]);
    assert_eq!(functions("fn a() {\n if x {\n }\n}\nfn b();"), [("a", 4)]);
}
