//! Fields of a query, and the errors of those that are wrong.

use crate::games::record::GameKind;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

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
/// Maximum number of unknown fields of a query that are reported.
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

/// A fault in a field: an error, after which the query is not answered, or a warning.
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

    pub fn to_warning(&self, id: &str) -> Value {
        json!({"warning": self.why, "field": self.field, "id": id})
    }
}

/// A field as `read` reads it, if it is there; the error `why` if it cannot.
fn optional<'a, T>(
    input: &'a Value,
    field: &str,
    why: &str,
    read: impl FnOnce(&'a Value) -> Option<T>,
) -> Result<Option<T>, FieldError> {
    input.get(field).map(|value| read(value).ok_or_else(|| FieldError::new(field, why))).transpose()
}

/// A list of whole numbers.
pub fn integers(input: &Value, field: &str, why: &str) -> Result<Option<Vec<i64>>, FieldError> {
    optional(input, field, why, |value| value.as_array()?.iter().map(Value::as_i64).collect())
}

/// A whole number in a range.
pub fn integer(
    input: &Value,
    field: &str,
    range: RangeInclusive<i64>,
    why: &str,
) -> Result<Option<i64>, FieldError> {
    optional(input, field, why, |value| value.as_i64().filter(|n| range.contains(n)))
}

pub fn number(
    input: &Value,
    field: &str,
    range: RangeInclusive<f64>,
    why: &str,
) -> Result<Option<f64>, FieldError> {
    optional(input, field, why, |value| value.as_f64().filter(|x| range.contains(x)))
}

pub fn string<'a>(input: &'a Value, field: &str, why: &str) -> Result<Option<&'a str>, FieldError> {
    optional(input, field, why, Value::as_str)
}

/// A flag; false if the field is not there.
pub fn flag(input: &Value, field: &str) -> Result<bool, FieldError> {
    optional(input, field, "Must be a boolean", Value::as_bool).map(Option::unwrap_or_default)
}
