//! Remarks of engines about their options, each printed once and not for every process.

use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use std::collections::HashSet;

/// The remarks printed so far.
#[derive(Default)]
pub struct Remarks(HashSet<String>);

impl Remarks {
    /// The line to print for a remark; `None` if it was printed before.
    pub fn news(&mut self, language: Language, engine: &str, remark: &Message) -> Option<String> {
        let line = words::engine_remarks(language, engine, remark.text(language));
        self.0.insert(line.clone()).then_some(line)
    }
}
