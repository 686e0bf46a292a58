//! Files that use each other in a circle can only be read together: one of them has to give the reason.
//!
//! A folder's `mod.rs` (or the file named like the folder) is its table of contents. That it names the files
//! below it, and they what it defines, makes no circle. All other uses count: `use` lines and paths from
//! `crate`, `super` or `self`, re-exports followed to the file that they come from. Code for tests does not
//! count.

use crate::layering::{Source, sources};
use std::collections::{BTreeMap, BTreeSet};

/// A module's path from the crate's root: `["chess", "board"]`.
type Module = Vec<String>;

/// Which module each module uses, by name.
struct Graph {
    modules: BTreeMap<Module, String>,
    /// What a module passes on under a name of its own: the module that it comes from.
    passed_on: BTreeMap<(Module, String), Module>,
}

#[test]
fn files_in_a_circle_give_the_reason() {
    let found: Vec<Source> = sources("src").into_iter().filter(|s| !s.is_test).collect();
    let graph = Graph::new(found.iter().map(|source| (module_of(source), source.production())));
    assert!(graph.modules.len() > 200, "the modules were not found");
    let top = |module: &Module| {
        let source = found.iter().find(|source| module_of(source) == *module).expect("a module has a file");
        let text = std::fs::read_to_string(&source.path).expect("the file is there");
        text.lines().take_while(|line| line.starts_with("//!")).collect::<String>()
    };
    let silent: Vec<String> = graph
        .circles()
        .iter()
        .filter(|circle| !circle.iter().any(|module| top(module).contains("circle")))
        .map(|circle| circle.iter().map(|module| module.join("::")).collect::<Vec<_>>().join(", "))
        .collect();
    assert!(silent.is_empty(), "circles of files without a reason at the top of one:\n{}", silent.join("\n"));
}

fn module_of(source: &Source) -> Module {
    let path = source.path.with_extension("");
    let mut parts: Module = path.iter().skip(1).map(|part| part.to_string_lossy().into_owned()).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

impl Graph {
    /// Modules with the code of their files.
    fn new(code: impl Iterator<Item = (Module, String)>) -> Self {
        let mut graph = Self { modules: code.collect(), passed_on: BTreeMap::new() };
        for (module, code) in &graph.modules {
            for (path, is_public) in used_paths(code) {
                let last = path.last().cloned().unwrap_or_default();
                if is_public
                    && let Some((from, rest)) = graph.resolve(module, &path)
                    && !rest.is_empty()
                {
                    graph.passed_on.insert((module.clone(), last), from);
                }
            }
        }
        graph
    }

    /// The module with the longest path that begins `path`, as `from` writes it, and what follows.
    fn resolve(&self, from: &Module, path: &[String]) -> Option<(Module, Vec<String>)> {
        let (mut base, mut rest) = (from.clone(), path);
        match rest.first()?.as_str() {
            "crate" => (base, rest) = (Module::new(), &rest[1..]),
            "super" | "self" => {
                while let Some(first @ ("super" | "self")) = rest.first().map(String::as_str) {
                    if first == "super" {
                        base.pop()?;
                    }
                    rest = &rest[1..];
                }
            }
            child => {
                let child = [base.as_slice(), &[child.to_owned()]].concat();
                self.modules.contains_key(&child).then_some(())?;
            }
        }
        (0..=rest.len()).rev().find_map(|n| {
            let module = [base.as_slice(), &rest[..n]].concat();
            self.modules.contains_key(&module).then(|| (module, rest[n..].to_vec()))
        })
    }

    /// The modules that one uses within its top-level module, its own children apart.
    fn uses(&self, module: &Module) -> BTreeSet<Module> {
        let paths = used_paths(&self.modules[module]);
        let resolved = paths.iter().filter_map(|(path, _)| self.resolve(module, path));
        let origin = |(target, rest): (Module, Vec<String>)| match rest.first() {
            Some(name) => self.passed_on.get(&(target.clone(), name.clone())).cloned().unwrap_or(target),
            None => target,
        };
        let within = |target: &Module| target.first() == module.first() && !target.starts_with(module);
        resolved.map(origin).filter(within).collect()
    }

    /// Groups of modules each of which uses, by way of others, all of its group.
    fn circles(&self) -> Vec<Vec<Module>> {
        let uses: BTreeMap<&Module, BTreeSet<Module>> =
            self.modules.keys().map(|module| (module, self.uses(module))).collect();
        let reach: BTreeMap<&Module, BTreeSet<Module>> =
            self.modules.keys().map(|module| (module, reachable(&uses, module))).collect();
        let mut circles: Vec<Vec<Module>> = Vec::new();
        for (module, reached) in &reach {
            let is_new = !circles.iter().flatten().any(|known| known == *module);
            if is_new && reached.contains(*module) {
                circles
                    .push(reached.iter().filter(|other| reach[other].contains(*module)).cloned().collect());
            }
        }
        circles
    }
}

fn reachable(uses: &BTreeMap<&Module, BTreeSet<Module>>, from: &Module) -> BTreeSet<Module> {
    let (mut reached, mut waiting) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(module) = waiting.pop() {
        waiting.extend(uses[&module].iter().filter(|next| reached.insert((*next).clone())).cloned());
    }
    reached
}

/// Every path of the `use` lines and those in the code that begin with `crate`, `super` or `self`; whether it
/// is passed on.
fn used_paths(code: &str) -> Vec<(Vec<String>, bool)> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
        let word = rest[at..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let after = &rest[at + word.len()..];
        let before = &rest[..at];
        rest = after;
        if word == "use" && after.starts_with(' ') {
            // `use<'a>` in a signature is no import.
            let (tree, following) = after.split_once(';').unwrap_or((after, ""));
            let before = code[..code.len() - after.len() - word.len()].trim_end();
            let is_public = ["pub", "pub(super)", "pub(crate)"].iter().any(|word| before.ends_with(word));
            found.extend(paths_of(tree).into_iter().map(|path| (path, is_public)));
            rest = following;
        } else if matches!(word, "crate" | "super" | "self")
            && after.starts_with("::")
            && !before.ends_with("::")
        {
            let path = after.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').next();
            let segments = path.unwrap_or_default().split("::").filter(|part| !part.is_empty());
            found.push((std::iter::once(word).chain(segments).map(str::to_owned).collect(), false));
            rest = &after[path.unwrap_or_default().len()..];
        }
    }
    found
}

/// The paths of a `use` tree: `a::{b::C, d}` has two.
fn paths_of(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let Some((head, list)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![path.split("::").map(|part| part.trim().to_owned()).collect()];
    };
    let head: Vec<String> =
        head.split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
    let list = list.trim_end().strip_suffix('}').unwrap_or(list);
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    let inner = parts.into_iter().filter(|part| !part.trim().is_empty()).flat_map(paths_of);
    inner.map(|path| [head.clone(), path].concat()).collect()
}

#[test]
fn uses_are_followed_to_their_files() {
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Module>();
    let circles = |files: &[(&str, &str)]| {
        let code = files.iter().map(|(path, code)| (module(path), (*code).to_owned()));
        Graph::new(code)
            .circles()
            .iter()
            .map(|c| c.iter().map(|m| m.join("::")).collect())
            .collect::<Vec<Vec<_>>>()
    };
    // A folder and its files are no circle.
    assert!(circles(&[("a", "mod b; fn f() { b::g() }"), ("a::b", "use super::f;")]).is_empty());
    let three = [("a::b", "use super::c::{self, X as Y};"), ("a::c", "fn f() { crate::a::d::g() }")];
    assert!(circles(&[("a", ""), three[0], three[1], ("a::d", "")]).is_empty());
    let closed = circles(&[("a", "pub use b::Z;"), three[0], three[1], ("a::d", "use super::{Z, e};")]);
    assert_eq!(closed, [["a::b", "a::c", "a::d"]]);
    // Modules of the crate's top level are another test's.
    assert!(circles(&[("a", "use crate::b;"), ("b", "use crate::a;")]).is_empty());
    assert_eq!(paths_of(" super::{a, b::{c, d as e}} ").len(), 3);
}
