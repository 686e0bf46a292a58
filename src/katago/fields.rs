//! Fields of a query, and the errors of those that are wrong.

use crate::games::record::GameKind;
use serde_json::{Value, json};

/// Fields that every query may have.
const COMMON: &[&str] = &[
    "id",
    "game",
    "action",
    "rules",
    "moves",
    "analyzeTurns",
    "priority",
    "priorities",
    "maxVisits",
    "analysisPVLen",
    "overrideSettings",
    "reportDuringSearchEvery",
    "firstReportDuringSearchAfter",
    "allowMoves",
    "avoidMoves",
];
/// Fields of Go that request more output.
pub const INCLUDED_OF_GO: &[&str] = &[
    "includeOwnership",
    "includeOwnershipStdev",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includePolicy",
    "includePVVisits",
];
const GO: &[&str] =
    &["komi", "whiteHandicapBonus", "boardXSize", "boardYSize", "initialStones", "initialPlayer"];
/// Fields of chess and xiangqi.
const PIECES: &[&str] = &["fen", "lines"];
/// Settings of KataGo's search that have no counterpart here, as fields and in `overrideSettings`.
pub const WITHOUT_EFFECT: &[&str] = &["rootFpuReductionMax", "rootPolicyTemperature", "wideRootNoise"];
/// Unknown fields of a query that are reported, at most.
const MAX_UNKNOWN: usize = 100;

/// The fields of a query that are not read.
pub fn unused(input: &Value, kind: GameKind) -> impl Iterator<Item = &str> {
    let own = if kind == GameKind::GO { GO } else { PIECES };
    let is_known = move |name: &str| {
        [COMMON, INCLUDED_OF_GO, own, WITHOUT_EFFECT].iter().any(|names| names.contains(&name))
    };
    let names = input.as_object().into_iter().flat_map(serde_json::Map::keys).map(String::as_str);
    names.filter(move |name| !is_known(name)).take(MAX_UNKNOWN)
}

/// What is wrong with a field. The query is not answered.
#[derive(Debug, PartialEq)]
pub struct FieldError {
    field: String,
    why: String,
}

impl FieldError {
    pub fn new(field: &str, why: impl Into<String>) -> Self {
        Self { field: field.to_owned(), why: why.into() }
    }

    pub fn to_json(&self, id: &str) -> Value {
        json!({"error": self.why, "field": self.field, "id": id})
    }
}

/// What a query asks for in vain. It is answered all the same.
#[derive(Debug, PartialEq)]
pub struct Warning {
    field: String,
    why: String,
}

impl Warning {
    /// `why`: what cannot be done.
    pub fn new(field: &str, why: impl Into<String>) -> Self {
        Self { field: field.to_owned(), why: why.into() }
    }

    pub fn to_json(&self, id: &str) -> Value {
        json!({"warning": self.why, "field": self.field, "id": id})
    }
}

/// A list of whole numbers, if the field is there.
/// # Errors
/// `why`, if it is something else.
pub fn integers(input: &Value, field: &str, why: &str) -> Result<Option<Vec<i64>>, FieldError> {
    let Some(value) = input.get(field) else { return Ok(None) };
    let list = value.as_array().map(|all| all.iter().map(Value::as_i64).collect::<Option<Vec<_>>>());
    list.flatten().map(Some).ok_or_else(|| FieldError::new(field, why))
}

/// A whole number in a range, if the field is there.
/// # Errors
/// `why`, if it is something else.
pub fn integer(
    input: &Value,
    field: &str,
    range: std::ops::RangeInclusive<i64>,
    why: &str,
) -> Result<Option<i64>, FieldError> {
    let Some(value) = input.get(field) else { return Ok(None) };
    value.as_i64().filter(|n| range.contains(n)).map(Some).ok_or_else(|| FieldError::new(field, why))
}

/// A number in a range, if the field is there.
/// # Errors
/// `why`, if it is something else.
pub fn number(
    input: &Value,
    field: &str,
    range: std::ops::RangeInclusive<f64>,
    why: &str,
) -> Result<Option<f64>, FieldError> {
    let Some(value) = input.get(field) else { return Ok(None) };
    value.as_f64().filter(|x| range.contains(x)).map(Some).ok_or_else(|| FieldError::new(field, why))
}

/// A text.
pub fn string<'a>(input: &'a Value, field: &str, why: &str) -> Result<Option<&'a str>, FieldError> {
    match input.get(field) {
        None => Ok(None),
        Some(value) => value.as_str().map(Some).ok_or_else(|| FieldError::new(field, why)),
    }
}

/// A flag; false if the field is not there.
pub fn flag(input: &Value, field: &str) -> Result<bool, FieldError> {
    match input.get(field) {
        None => Ok(false),
        Some(value) => value.as_bool().ok_or_else(|| FieldError::new(field, "Must be a boolean")),
    }
}
