//! Cases of the rules of Go, as data: legal moves under positional superko, results by area.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
struct Suite {
    cases: Vec<Case>,
}

/// A position, reached by moves or set up, and what the rules say of it.
#[derive(Deserialize)]
pub struct Case {
    pub name: String,
    pub size: usize,
    #[serde(default)]
    pub moves: Vec<String>,
    #[serde(default)]
    pub setup: BTreeMap<String, Vec<String>>,
    pub board: Vec<String>,
    #[serde(default)]
    pub komi: f32,
    #[serde(default)]
    pub to_play: String,
    pub legal: Option<Vec<String>>,
    #[serde(default)]
    pub illegal: BTreeMap<String, String>,
    #[serde(default)]
    pub legal_only_under_situational: Vec<String>,
    #[serde(default)]
    pub dead: Vec<String>,
    pub area_black_minus_white: Option<i32>,
    pub result: Option<String>,
}

/// The suite beside the repository, which not every checkout has.
pub fn shared() -> Option<Vec<Case>> {
    let path = "../shared/data/go/rule_cases.json";
    let cases = load(path);
    if cases.is_none() {
        eprintln!("skipped: {path} is not there");
    }
    cases
}

/// The repository's own.
pub fn own() -> Vec<Case> {
    load("tests/data/go_rules.json").expect("the suite is in the repository")
}

fn load(path: &str) -> Option<Vec<Case>> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).ok()?;
    Some(serde_json::from_str::<Suite>(&text).expect("the suite is JSON").cases)
}
