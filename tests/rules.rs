//! The rules as pages and as `sanqi rules`: complete, the same, and true to the names that they cite.

use crate::support::{engine, run, run_program, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const GAMES: [&str; 3] = ["chess", "xiangqi", "go"];

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_default()
}

/// All clauses, as JSON has them.
fn clauses() -> Vec<Value> {
    serde_json::from_str(&stdout(&run(&["rules", "--format", "json"]))).expect("a list of clauses")
}

fn texts<'c>(clause: &'c Value, key: &str) -> Vec<&'c str> {
    clause[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Everything like `XQ-R5` in a text.
fn identifiers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for start in ["CH-", "XQ-", "GO-"] {
        for (at, _) in text.match_indices(start) {
            if text[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) {
                continue;
            }
            let rest: String = text[at + 3..].chars().take_while(char::is_ascii_alphanumeric).collect();
            // `XQ-R` and the like stand for several.
            if rest.ends_with(|c: char| c.is_ascii_digit()) || start == "CH-" && !rest.is_empty() {
                found.insert(format!("{start}{rest}"));
            }
        }
    }
    found
}

fn files(folder: PathBuf, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(path, found);
        } else if path
            .extension()
            .is_some_and(|ending| ["rs", "md", "tsv", "js"].iter().any(|one| ending == *one))
        {
            found.push(path);
        }
    }
}

#[test]
fn the_pages_are_what_the_program_prints() {
    for game in GAMES {
        for (language, folder) in [("en", "docs/rules"), ("zh", "docs/zh/rules")] {
            let printed = stdout(&run(&["rules", game, "--format", "markdown", "--lang", language]));
            let page = read(format!("{folder}/{game}.md"));
            assert!(page.starts_with(&printed), "{folder}/{game}.md: `make docs` writes it anew");
        }
    }
}

#[test]
fn every_identifier_that_is_cited_is_a_clause() {
    let clauses = clauses();
    let known: BTreeSet<&str> = clauses.iter().filter_map(|clause| clause["id"].as_str()).collect();
    assert_eq!(known.len(), clauses.len(), "an identifier stands for one clause");
    for folder in ["docs/rules", "docs/zh/rules"] {
        let pages: String = GAMES.iter().map(|game| read(format!("{folder}/{game}.md"))).collect();
        for id in &known {
            assert!(
                pages.contains(&format!("</a>{id} ")) || pages.contains(&format!("**{id} ")),
                "{folder}: {id}"
            );
        }
    }
    let mut paths = Vec::new();
    ["src", "docs", "tests"].into_iter().for_each(|folder| files(Path::new(ROOT).join(folder), &mut paths));
    let mut cited = 0;
    for path in paths.iter().filter(|path| !path.ends_with("tests/rules.rs")) {
        for id in identifiers(&fs::read_to_string(path).unwrap_or_default()) {
            assert!(known.contains(id.as_str()), "{}: there is no {id}", path.display());
            cited += 1;
        }
    }
    assert!(cited > 200, "{cited} citations were found");
}

/// `a::b::name` is in src/a/b.rs, src/a/b/mod.rs or src/a/b/tests.rs, or in tests/a.rs.
fn is_test(path: &str) -> bool {
    let Some((module, name)) = path.rsplit_once("::") else { return false };
    let file = module.replace("::", "/");
    let homes = [
        format!("tests/{file}.rs"),
        format!("src/{file}.rs"),
        format!("src/{file}/mod.rs"),
        format!("src/{file}/tests.rs"),
    ];
    homes.iter().any(|home| {
        let text = read(home);
        let head = format!("fn {name}(");
        text.find(&head).is_some_and(|at| {
            let before: Vec<&str> = text[..at].lines().rev().take(4).collect();
            before.iter().any(|line| line.contains("#[test]"))
        })
    })
}

#[test]
fn every_clause_for_software_names_its_tests() {
    for clause in clauses() {
        let (id, tests) = (&clause["id"], texts(&clause, "tests"));
        let is_for_people = texts(&clause, "who") == ["people"];
        let is_missing = clause.get("does").is_none() && clause.get("missing").is_some();
        assert_eq!(tests.is_empty(), is_for_people || is_missing, "{id}");
        for test in tests {
            assert!(is_test(test), "{id}: there is no test {test}");
        }
        for key in ["title", "text", "does", "missing", "readings"] {
            let Some(texts) = clause.get(key) else { continue };
            for language in ["en", "zh"] {
                assert!(
                    texts[language].as_str().is_some_and(|text| !text.is_empty()),
                    "{id}: {key} {language}"
                );
            }
            let chinese = texts["zh"].as_str().unwrap_or_default();
            assert!(!chinese.is_ascii(), "{id}: {chinese}");
        }
    }
}

/// The arguments of a command, with those in quotes as one.
fn arguments(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (at, part) in command.split('"').enumerate() {
        if at % 2 == 1 { words.push(part) } else { words.extend(part.split_whitespace()) }
    }
    words.split_off(1)
}

#[test]
fn every_command_that_shows_a_clause_runs() {
    // They need engines, or a file.
    let waits = |command: &str| command.starts_with("sanqi match") || command.contains("--resume");
    let clauses = clauses();
    let commands: BTreeSet<(&str, bool)> = clauses
        .iter()
        // A wrong starting position is refused.
        .flat_map(|clause| texts(clause, "see").into_iter().map(|command| (command, clause["id"] != "CH-21")))
        .filter(|(command, _)| !waits(command))
        .collect();
    assert!(commands.len() > 25);
    for (command, succeeds) in commands {
        let output = run_program(engine(), &arguments(command), "");
        assert_eq!(output.status.success(), succeeds, "{command}: {}", stderr(&output));
    }
}

#[test]
fn clauses_are_printed_in_both_languages() {
    let english = stdout(&run(&["rules", "CH-10", "--lang", "en"]));
    assert!(english.starts_with("CH-10  Draw by agreement\n    10.6–10.7 · FIDE "), "{english}");
    assert!(english.lines().all(|line| line.chars().count() <= 80), "{english}");
    let chinese = stdout(&run(&["rules", "chess", "10.12", "--lang", "zh"]));
    assert!(chinese.starts_with("CH-9  五十回合\n"), "{chinese}");
    let found = stdout(&run(&["rules", "go", "byo-yomi", "--lang", "en"]));
    assert!(found.contains("GO-12  ") && !found.contains("GO-1  "), "{found}");
    let output = run(&["rules", "CH-99"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("the most similar identifier is CH-9"), "{}", stderr(&output));
}
