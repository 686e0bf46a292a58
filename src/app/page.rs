//! A page that a command fills, entry by entry.

use super::console::{Outcome, at};
use crate::page;
use crate::util::files;
use crate::util::lang::Language;
use crate::util::message::Message;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The entries so far, and the file they go to.
pub struct PageFile {
    path: PathBuf,
    pub language: Language,
    pub entries: Vec<Value>,
}

impl PageFile {
    /// A page for a file that can be written.
    pub fn new(path: &Path, language: Language) -> Result<Self, Message> {
        files::try_to_write_named(path).map_err(|e| at(path, e))?;
        Ok(Self { path: path.to_owned(), language, entries: Vec::new() })
    }

    /// Writes the file from a template.
    pub fn save(&self, template: &str, title: &str, words: &Value) -> Outcome {
        let page = page::fill(template, self.language, title, words, &Value::from(self.entries.clone()));
        files::write_named(&self.path, page).map_err(|e| at(&self.path, e))
    }
}

/// Reads a page that was saved, which has all of its template, and whose template names none but these words.
#[cfg(test)]
pub fn read_whole(path: &Path, template: &str, words: &Value) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(!text.contains("{{"));
    assert_eq!(text.matches("</script>").count(), template.matches("</script>").count());
    for name in template.split("WORDS.").skip(1).chain(template.split("data-word=\"").skip(1)) {
        let name = name.split(|c: char| !c.is_ascii_lowercase()).next().unwrap();
        assert!(words[name].is_string(), "{name}");
    }
    text
}
