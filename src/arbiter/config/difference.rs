//! What differs between two settings of a match.

use super::MatchConfig;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

impl MatchConfig {
    /// The first setting that `other` has differently, apart from those in `free`: its keys with dots in
    /// between, and both values as JSON.
    pub fn difference(&self, other: &Self, free: &[&str]) -> Option<(String, [Option<String>; 2])> {
        let settings = [self, other].map(|config| {
            let mut settings = BTreeMap::new();
            flatten("", serde_json::to_value(config).unwrap_or_default(), &mut settings);
            settings
        });
        let names: BTreeSet<&String> = settings.iter().flat_map(BTreeMap::keys).collect();
        let differs = |name: &&String| settings[0].get(*name) != settings[1].get(*name);
        let name = names.into_iter().find(|name| !is_part_of(name, free) && differs(name))?;
        let values = settings.each_ref().map(|settings| settings.get(name).map(Value::to_string));
        Some((name.clone(), values))
    }
}

/// Whether a setting, its keys with dots in between, is one of these or stands in one of these tables.
pub(super) fn is_part_of(name: &str, settings: &[&str]) -> bool {
    let is_part = |rest: &str| rest.is_empty() || rest.starts_with('.');
    settings.iter().any(|setting| name.strip_prefix(setting).is_some_and(is_part))
}

/// Adds the values of nested tables, each with all of its keys.
pub(super) fn flatten(prefix: &str, value: Value, settings: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(table) => {
            let dot = if prefix.is_empty() { "" } else { "." };
            table
                .into_iter()
                .for_each(|(key, value)| flatten(&format!("{prefix}{dot}{key}"), value, settings));
        }
        value => drop(settings.insert(prefix.to_owned(), value)),
    }
}
