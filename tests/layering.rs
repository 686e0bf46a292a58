//! The rules of the house, checked: which module may use which, where `unsafe` and stdout may be
//! touched, how long files and functions may grow.

use std::fs;
use std::path::{Path, PathBuf};

/// A module of `lib.rs`, and the modules it may name. They all stand above it there. `cli` may name all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("util", &[]),
    ("page", &["util"]),
    ("game", &["util"]),
    ("chess", &["game", "util"]),
    ("go", &["game", "util"]),
    ("xiangqi", &["game", "util"]),
    ("clock", &["util"]),
    ("games", &["chess", "go", "xiangqi", "game", "clock", "util"]),
    ("table", &["games", "chess", "game", "util"]),
    ("nnue", &["game", "util"]),
    ("convnet", &["util"]),
    ("tune", &["util"]),
    ("search", &["game", "clock", "tune", "util"]),
    ("eval", &["chess", "xiangqi", "go", "nnue", "convnet", "game", "search", "tune", "util"]),
    (
        "engine",
        &["chess", "xiangqi", "go", "eval", "nnue", "convnet", "search", "tune", "clock", "game", "util"],
    ),
    ("protocol", &["engine", "games", "search", "clock", "game", "util"]),
    ("controller", &["protocol", "engine", "search", "clock", "game", "util"]),
    ("client", &["go", "games", "game", "clock", "util"]),
    ("arbiter", &["chess", "xiangqi", "go", "client", "games", "table", "game", "clock", "page", "util"]),
    (
        "train",
        &[
            "chess", "xiangqi", "go", "games", "eval", "nnue", "convnet", "search", "engine", "tune",
            "clock", "game", "util",
        ],
    ),
    (
        "app",
        &[
            "chess", "xiangqi", "go", "engine", "protocol", "games", "eval", "nnue", "convnet", "search",
            "clock", "game", "page", "table", "util",
        ],
    ),
    (
        "serve",
        &[
            "app", "client", "engine", "search", "games", "table", "chess", "xiangqi", "go", "clock", "game",
            "page", "util",
        ],
    ),
    ("katago", &["app", "protocol", "engine", "search", "games", "chess", "xiangqi", "go", "game", "util"]),
    ("check", &["app", "client", "games", "chess", "xiangqi", "go", "game", "clock", "page", "util"]),
];

/// Where `unsafe` may stand.
const UNSAFE_HOMES: &[&str] = &[
    "src/nnue/simd",
    "src/convnet/simd",
    "src/train/simd",
    "src/util/aligned.rs",
    "src/util/kernels.rs",
    "src/util/memory",
    "src/util/system.rs",
    "src/search/tt.rs",
];

/// The first module that knows protocols by name. Those above it in `lib.rs` do not.
const FIRST_WITH_PROTOCOLS: &str = "protocol";
const PROTOCOL_WORDS: [&str; 3] = ["uci", "ucci", "gtp"];
/// Texts below the protocols that name one, all of them names of options that clients know.
const PROTOCOL_TEXTS: &[&str] = &["UCI_ShowWDL", "UCI_LimitStrength", "UCI_Elo", "UCI_AnalyseMode"];

/// Where operating systems are distinguished.
const SYSTEM_HOME: &str = "src/util/system.rs";
const SYSTEM_WORDS: &[&str] = &[
    "std::os",
    "cfg(unix",
    "cfg(windows",
    "cfg!(unix",
    "cfg!(windows",
    "target_os",
    "target_family",
    "/proc/",
    "rustix",
    "libc",
    "win32job",
    "cpu_time::",
];

const MAX_FILE_LINES: usize = 600;
/// Longer files, which give their reasons at the top; tests may have up to 800 lines.
const LONG_FILES: &[&str] = &["src/go/board.rs", "src/convnet/simd/lanes.rs"];
const MAX_COMMENT_COLUMNS: usize = 110;
const MAX_FUNCTION_LINES: usize = 120;
const MAX_ARGUMENTS: usize = 7;

/// A source file.
pub struct Source {
    pub path: PathBuf,
    /// Comments and the insides of literals blanked out.
    pub code: String,
    /// Only comments blanked out.
    with_literals: String,
    /// All of it is compiled for tests only.
    pub is_test: bool,
}

impl Source {
    /// The top-level module it belongs to: `search` for `src/search/tt.rs`.
    fn module(&self) -> &str {
        let second = self.path.iter().nth(1).and_then(|s| s.to_str()).unwrap_or("");
        second.strip_suffix(".rs").unwrap_or(second)
    }

    /// The code without what is compiled for tests only.
    pub fn production(&self) -> String {
        without(&self.code, &test_items(&self.code))
    }

    /// The same, with the insides of literals.
    fn production_with_literals(&self) -> String {
        without(&self.with_literals, &test_items(&self.code))
    }

    fn is_under(&self, prefix: &str) -> bool {
        self.path.to_str().is_some_and(|p| p.starts_with(prefix))
    }
}

#[test]
fn modules_use_only_what_the_map_allows() {
    let mut wrong = Vec::new();
    for source in sources("src").into_iter().filter(|s| !s.is_test) {
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

/// A command is a file or a folder of `cli`. What two of them need is in `app`. `former` has the old names of
/// others.
#[test]
fn commands_do_not_use_each_other() {
    let command = |path: &Path| {
        let name = path.strip_prefix("src/cli").ok()?.iter().next()?.to_str()?;
        Some(name.strip_suffix(".rs").unwrap_or(name).to_owned())
            .filter(|name| !["mod", "former"].contains(&name.as_str()))
    };
    let all = sources("src/cli");
    let commands: Vec<String> = all.iter().filter_map(|source| command(&source.path)).collect();
    assert!(commands.len() > 15, "the commands were not found");
    let mut wrong = Vec::new();
    for source in all.iter().filter(|source| !source.is_test) {
        let Some(own) = command(&source.path) else { continue };
        let depth = source.path.iter().count() - if source.path.ends_with("mod.rs") { 4 } else { 3 };
        let up = "super::".repeat(depth + 1);
        for prefix in ["crate::cli::", &up] {
            for (at, _) in source.code.match_indices(prefix) {
                for name in path_heads(&source.code[at + prefix.len()..]) {
                    if name != own && commands.iter().any(|other| other == name) {
                        wrong.push(format!("{}: {own} may not use {name}", source.path.display()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The map follows `lib.rs`: the same modules in the same order, and each uses only those above it.
#[test]
fn the_map_is_that_of_the_crate() {
    let modules = modules();
    let mapped: Vec<&str> = MAY_USE.iter().map(|(name, _)| *name).collect();
    assert_eq!(mapped, modules.iter().filter(|name| *name != "cli").collect::<Vec<_>>());
    for (place, (name, allowed)) in MAY_USE.iter().enumerate() {
        for other in *allowed {
            assert!(mapped[..place].contains(other), "{name} may use {other}, which does not stand above it");
        }
    }
    for source in sources("src") {
        let name = source.module();
        let known = ["lib", "main"].contains(&name) || modules.iter().any(|module| module == name);
        assert!(known, "{}: lib.rs has no module {name}", source.path.display());
    }
}

#[test]
fn only_the_writer_and_the_commands_print() {
    // Asking whether stdout is a terminal, or closed, writes nothing.
    let prints = |code: &str| {
        let code = code.replace("stdout().is_terminal()", "").replace("stdio::stdout()", "");
        let writers =
            ["print!", "println!", "dbg!", "io::stdout", "stdout()", "stdout::write", "stdout::Stdout"];
        writers.iter().any(|p| has_word(&code, p))
    };
    let homes = ["src/util/stdout.rs", "src/protocol/io.rs", "src/app/console.rs", "src/cli"];
    let wrong: Vec<_> = sources("src")
        .into_iter()
        .filter(|s| !homes.iter().any(|home| s.is_under(home)))
        .filter(|s| !s.is_test && prints(&s.production()))
        .map(|s| s.path)
        .collect();
    assert!(
        wrong.is_empty(),
        "only util/stdout.rs, protocol/io.rs, app/console.rs and the commands write stdout: {wrong:?}"
    );
}

#[test]
fn no_protocol_is_named_below_the_controller() {
    let modules = modules();
    let below: Vec<&String> = modules.iter().take_while(|name| *name != FIRST_WITH_PROTOCOLS).collect();
    let mut wrong = Vec::new();
    for source in sources("src").iter().filter(|s| !s.is_test && below.iter().any(|name| *name == s.module()))
    {
        for word in source.production_with_literals().split(|c: char| !c.is_alphanumeric() && c != '_') {
            let lower = word.to_lowercase();
            let names_one = lower.split('_').any(|part| PROTOCOL_WORDS.contains(&part));
            if names_one && !PROTOCOL_TEXTS.contains(&word) {
                wrong.push(format!("{}: {word}", source.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn operating_systems_are_distinguished_in_one_file() {
    let mut wrong = Vec::new();
    for source in sources("src").iter().filter(|s| !s.is_under(SYSTEM_HOME)) {
        for word in SYSTEM_WORDS.iter().filter(|word| source.with_literals.contains(**word)) {
            wrong.push(format!("{}: {word}", source.path.display()));
        }
    }
    assert!(wrong.is_empty(), "only {SYSTEM_HOME} knows systems apart:\n{}", wrong.join("\n"));
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
    let is_long = |source: &Source| {
        let may_be_longer = !source.is_under("src") || LONG_FILES.iter().any(|file| source.is_under(file));
        source.code.lines().count() > if may_be_longer { 800 } else { MAX_FILE_LINES }
    };
    let all = ["src", "tests", "benches"].into_iter().flat_map(sources);
    let long: Vec<_> = all.filter(is_long).map(|source| source.path).collect();
    assert!(long.is_empty(), "too many lines: {long:?}");
}

#[test]
fn comments_stay_narrow() {
    let mut wide = Vec::new();
    for source in ["src", "tests", "benches"].into_iter().flat_map(sources) {
        for (number, line) in (1..).zip(read(&source.path).lines()) {
            if line.trim_start().starts_with("//") && line.chars().count() > MAX_COMMENT_COLUMNS {
                wide.push(format!("{}:{number}", source.path.display()));
            }
        }
    }
    assert!(wide.is_empty(), "comments of more than {MAX_COMMENT_COLUMNS} columns: {wide:?}");
}

#[test]
fn functions_stay_short() {
    let mut long = Vec::new();
    for source in ["src", "tests", "benches"].into_iter().flat_map(sources) {
        for function in functions(&source.code).iter().filter(|f| f.lines > MAX_FUNCTION_LINES) {
            long.push(format!("{}: {} has {} lines", source.path.display(), function.name, function.lines));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn functions_take_few_arguments() {
    let mut many = Vec::new();
    for source in ["src", "tests", "benches"].into_iter().flat_map(sources) {
        for function in functions(&source.code).iter().filter(|f| f.arguments > MAX_ARGUMENTS) {
            many.push(format!("{}: {}", source.path.display(), function.name));
        }
    }
    assert!(many.is_empty(), "more than {MAX_ARGUMENTS} arguments:\n{}", many.join("\n"));
}

/// What a test starts must not find the settings of the user who runs the tests.
#[test]
fn tests_start_programs_in_one_way() {
    let starts = |source: &Source| source.code.contains("Command::new(");
    let wrong: Vec<_> = sources("tests").into_iter().filter(starts).map(|source| source.path).collect();
    assert_eq!(wrong, [PathBuf::from("tests/support.rs")], "support::program starts programs");
}

/// The time of day may jump: it names games and seeds random numbers, and nothing is measured by it.
#[test]
fn the_time_of_day_decides_nothing() {
    let named: Vec<String> = sources("src")
        .into_iter()
        .filter(|source| source.production().contains("SystemTime"))
        .map(|source| source.path.to_string_lossy().replace('\\', "/"))
        .collect();
    let allowed = [
        "src/controller/crash.rs",
        "src/table/journal.rs",
        "src/arbiter/journal.rs",
        "src/arbiter/play.rs",
        "src/cli/play/unfinished.rs",
        "src/cli/play/game.rs",
        "src/util/rng.rs",
    ];
    assert_eq!(named, allowed);
}

#[test]
fn every_test_file_is_a_module() {
    for folder in ["tests", "tests/stress"] {
        let main = fs::read_to_string(format!("{folder}/main.rs")).unwrap();
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("");
            if path.extension().is_some_and(|e| e == "rs") && stem != "main" {
                assert!(main.contains(&format!("mod {stem};")), "{folder}/main.rs lacks `mod {stem};`");
            }
        }
    }
}

fn is_module(name: &str) -> bool {
    MAY_USE.iter().any(|(module, _)| *module == name) || name == "cli"
}

/// What the first page of the library names is what its pages show; all other modules are hidden there.
#[test]
fn the_library_is_what_its_first_page_names() {
    let text = read(Path::new("src/lib.rs"));
    let named = |line: &str| Some(line.strip_prefix("//! | [`")?.split_once('`')?.0.to_owned());
    let mut named: Vec<String> = text.lines().filter_map(named).collect();
    let shown = |name: &String| !text.contains(&format!("#[doc(hidden)]\npub mod {name};"));
    let mut shown: Vec<String> = modules().into_iter().filter(shown).collect();
    named.sort();
    shown.sort();
    assert_eq!(named, shown);
    assert!(named.len() > 3, "{named:?}");
}

/// The modules of the crate, in the order of `lib.rs`.
fn modules() -> Vec<String> {
    let code = blank(&read(Path::new("src/lib.rs")), true);
    let name = |line: &str| Some(line.trim().strip_prefix("pub mod ")?.strip_suffix(';')?.to_owned());
    let found: Vec<String> = code.lines().filter_map(name).collect();
    assert!(found.len() > 10, "lib.rs was not understood: {found:?}");
    found
}

/// All Rust files under `root`.
pub fn sources(root: &str) -> Vec<Source> {
    let (mut found, mut folders) = (Vec::new(), vec![PathBuf::from(root)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = read(&path);
                let (code, with_literals) = (blank(&text, true), blank(&text, false));
                found.push(Source { path, code, with_literals, is_test: false });
            }
        }
    }
    let tests: Vec<PathBuf> = found.iter().flat_map(test_modules).collect();
    for source in &mut found {
        // `a/b` is the module in `a/b.rs`, and all below the folder `a/b`.
        source.is_test = tests.iter().any(|test| source.path.with_extension("").starts_with(test));
    }
    found
}

/// The modules that a file declares for tests only, as paths without `.rs`.
fn test_modules(source: &Source) -> Vec<PathBuf> {
    let stem = source.path.file_stem().and_then(|s| s.to_str()).unwrap_or("");
    let folder = match stem {
        "mod" | "lib" | "main" => source.path.parent().unwrap_or(Path::new("")).to_owned(),
        _ => source.path.with_extension(""),
    };
    let name = |item: std::ops::Range<usize>| {
        let head = source.code[item].trim_end().strip_suffix(';')?.rsplit_once("mod ")?.1.trim().to_owned();
        head.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| folder.join(head))
    };
    test_items(&source.code).into_iter().filter_map(name).collect()
}

/// Where the items with the attribute `#[cfg(test)]` stand, attribute included.
fn test_items(code: &str) -> Vec<std::ops::Range<usize>> {
    const ATTRIBUTE: &str = "#[cfg(test)]";
    let mut items: Vec<std::ops::Range<usize>> = Vec::new();
    for (start, _) in code.match_indices(ATTRIBUTE) {
        if items.last().is_some_and(|last| last.contains(&start)) {
            continue;
        }
        let mut depth = 0;
        let end = code[start + ATTRIBUTE.len()..].char_indices().find(|&(_, c)| {
            match c {
                '{' | '(' | '[' => depth += 1,
                '}' | ')' | ']' => depth -= 1,
                _ => {}
            }
            // A field or a variant ends at its comma, the last of them at the brace around it.
            depth < 0 || depth == 0 && matches!(c, ';' | '}' | ',')
        });
        items.push(start..end.map_or(code.len(), |(at, _)| start + ATTRIBUTE.len() + at + 1));
    }
    items
}

/// The text without these parts.
fn without(text: &str, parts: &[std::ops::Range<usize>]) -> String {
    let mut rest = 0;
    let mut out = String::new();
    for part in parts {
        out += &text[rest..part.start];
        rest = part.end;
    }
    out + &text[rest..]
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

/// A function with a body.
#[derive(Debug, PartialEq)]
struct Function<'a> {
    name: &'a str,
    /// From `fn` to the closing brace.
    lines: usize,
    /// `self` included.
    arguments: usize,
}

/// Every function of the code, those inside others too.
fn functions(code: &str) -> Vec<Function<'_>> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        if code[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &code[at + 3..];
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let Some(list) = argument_list(&rest[name.len()..]) else { continue };
        let list = list.start + name.len()..list.end + name.len();
        let Some(open) = rest[list.end..].find(['{', ';']).map(|at| at + list.end) else { continue };
        if name.is_empty() || rest.as_bytes()[open] == b';' {
            continue;
        }
        if let Some(end) = closing(&rest[open..], '{', '}') {
            let lines = rest[..=open + end].lines().count();
            found.push(Function { name, lines, arguments: arguments(&rest[list]) });
        }
    }
    found
}

/// Where the bracket that `text` starts with is closed.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == open) - i32::from(c == close);
        (depth == 0).then_some(at)
    })
}

/// The inside of the parentheses after the name of a function and its generics, if any.
fn argument_list(after_name: &str) -> Option<std::ops::Range<usize>> {
    let open = match after_name.starts_with('<') {
        // The arrow of `F: Fn(u8) -> u8` closes nothing.
        true => closing(&after_name.replace("->", "  "), '<', '>')? + 1,
        false => 0,
    };
    let inside = after_name[open..].starts_with('(').then_some(open + 1)?;
    Some(inside..open + closing(&after_name[open..], '(', ')')?)
}

/// How many arguments a list has: parts between commas outside all brackets.
fn arguments(list: &str) -> usize {
    let (mut depth, mut count, mut is_begun) = (0, 0, false);
    for c in list.replace("->", "  ").chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => is_begun = false,
            _ => {}
        }
        if !is_begun && !c.is_whitespace() && c != ',' {
            (is_begun, count) = (true, count + 1);
        }
    }
    count
}

/// The code with comments replaced by blanks, and string and character literals too if `literals`.
/// Line ends and all other bytes stay where they are.
fn blank(text: &str, literals: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let comment = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else {
            0
        };
        let len = if comment > 0 {
            comment
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
            let keep = comment == 0 && !literals;
            // A blank for each byte, so that places are the same in all versions of the text.
            let blanked = |c: char| if c == '\n' { "\n".to_owned() } else { " ".repeat(c.len_utf8()) };
            out.extend(rest[..len].chars().map(|c| if keep { c.to_string() } else { blanked(c) }));
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

/// Length of the character literal that `rest` starts with; 0 when it is none (a lifetime, for example).
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
    let blanked = blank(code, true);
    assert_eq!(blanked.matches("crate::").count(), 1);
    assert_eq!(blanked.matches('\n').count(), 2);
    assert!(blanked.contains("&'static str"));
    assert_eq!(blank(code, false).matches("crate::").count(), 3);
    assert_eq!(path_heads("{a::X, b::{Y, Z}, c};"), ["a", "b", "c"]);
    assert_eq!(path_heads("search::tt::Payload"), ["search"]);
}

#[test]
fn functions_and_their_arguments_are_counted() {
    let one = |code| functions(code).into_iter().map(|f| (f.name.to_owned(), f.lines, f.arguments)).next();
    assert_eq!(one("fn a() {\n if x {\n }\n}\nfn b();"), Some(("a".to_owned(), 4, 0)));
    assert_eq!(one("fn a<F: Fn(u8, u8) -> u8>(self, f: F, (x, y): (A<B, C>, D),) -> E {}").unwrap().2, 3);
    assert_eq!(one("fn a(size: [u8; 4]) {}").unwrap().2, 1);
    assert_eq!(functions("fn a(x: u8);"), []);
}

#[test]
fn only_items_for_tests_are_left_out() {
    let code = "a(); #[cfg(test)]\nmod tests { b(); { c(); } }\nd(); #[cfg(test)] #[path] mod e; f(); \
                #[cfg(test)] use g::{h, i}; struct J { #[cfg(test)] k: u8, l: u8 }";
    let left = without(code, &test_items(code));
    for word in ["a()", "d()", "f()", "l: u8"] {
        assert!(left.contains(word), "{word}: {left}");
    }
    for word in ["b()", "c()", "mod", "h", "k:"] {
        assert!(!left.contains(word), "{word}: {left}");
    }
}
