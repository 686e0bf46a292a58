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

    /// Writes the file, which a script draws.
    pub fn save(&self, script: &str, title: &str, words: &Value) -> Outcome {
        let page = page::fill(script, self.language, title, words, &Value::from(self.entries.clone()));
        files::write_named(&self.path, page).map_err(|e| at(&self.path, e))
    }
}

/// Reads the data of a page that was saved: it is whole, and its modules name none but its words.
#[cfg(test)]
pub fn read_whole(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(!text.contains("{{"));
    assert_eq!(text.matches("</script>").count(), 1);
    let json = |name: &str| {
        let (_, rest) = text.split_once(&format!("\nconst {name} = ")).unwrap();
        serde_json::from_str::<Value>(rest.split_once(";\n").unwrap().0).unwrap()
    };
    let words = json("WORDS");
    for name in text.split("WORDS.").skip(1).chain(text.split(" words.").skip(1)) {
        let name = name.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap();
        assert!(words[name].is_string(), "{name}");
    }
    json("DATA")
}
