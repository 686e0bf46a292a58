//! Cases of the rules of Go, as data: legal moves under positional superko, results by area.

use crate::support::suite;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Suite {
    cases: Vec<Case>,
}

/// A position, reached by moves or set up, and the verdict of the rules.
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

/// The cases of a suite in `tests/data`.
pub fn load(name: &str) -> Vec<Case> {
    serde_json::from_str::<Suite>(&suite(name)).expect("the suite is JSON").cases
}
