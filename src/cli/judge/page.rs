//! Judged repetitions as a page: a diagram of every move, what it is, whom it attacks, and by which clause.
//!
//! The boards are those of the report of a match and of `sanqi serve`.

use super::{JudgedGame, Outcome};
use crate::app::page::PageFile;
use crate::game::Side;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use crate::xiangqi::repetition::{Class, Judgement, MoveReport};
use serde_json::{Value, json};
use std::path::Path;

const PAGE: &str = include_str!("page.html");

/// The repetitions so far.
pub(super) struct Page(PageFile);

impl Page {
    /// A page without repetitions, for a file that can be written.
    /// # Errors
    /// It cannot.
    pub fn new(path: &Path, language: Language) -> Result<Self, Message> {
        PageFile::new(path, language).map(Self)
    }

    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    pub fn language(&self) -> Language {
        self.0.language
    }

    /// Adds the repetitions of a game, if it has any. `note` describes what there is to see.
    pub fn add(&mut self, name: &str, note: &str, game: &JudgedGame) {
        for judgements in &game.found {
            let Some(first) = judgements.first().filter(|judgement| judgement.clause.is_some()) else {
                continue;
            };
            self.0.entries.push(json!({
                "name": name,
                "note": note,
                "ruling": first.ruling.name(),
                "verdict": first.ruling.text(self.0.language),
                "summaries": judgements.iter().map(|one| one.summary(self.0.language)).collect::<Vec<_>>(),
                "fen": game.after(first.first_ply - 1).fen(),
                "moves": first.moves.iter().map(|mv| self.move_json(first, mv)).collect::<Vec<_>>(),
            }));
        }
    }

    fn move_json(&self, judgement: &Judgement, mv: &MoveReport) -> Value {
        let arrows = mv.victims.iter().map(|victim| {
            json!({"from": victim.attacker_square.to_string(), "to": victim.square.to_string(), "weight": 0.5})
        });
        let roots = mv.victims.iter().flat_map(|victim| &victim.roots).map(|root| root.square.to_string());
        json!({
            "ply": mv.ply,
            "red": mv.side == Side::First,
            "mv": mv.mv.to_string(),
            "text": mv.name(),
            "class": mv.class.text(self.0.language),
            "attack": mv.class.is_attack(),
            "check": mv.class == Class::Check,
            "clause": mv.cited(judgement.rules, self.0.language),
            "attacks": mv.attacks(judgement.rules, self.0.language),
            "arrows": arrows.collect::<Vec<_>>(),
            "roots": roots.collect::<Vec<_>>(),
        })
    }

    /// Writes the file.
    /// # Errors
    /// It cannot be written.
    pub fn save(&self) -> Outcome {
        let language = self.0.language;
        self.0.save(PAGE, &words::judged_title(language), &page_words(language))
    }
}

fn page_words(language: Language) -> Value {
    json!({
        "title": words::judged_title(language),
        "beginning": words::cycle_begins(language),
        "legend": words::diagram_legend(language),
        "none": words::nothing_judged(language),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_whole_and_its_data_is_json() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let mut page = Page::new(&path, Language::Chinese).unwrap();
        page.0.entries.push(json!({"name": "</script>"}));
        page.save().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("{{"));
        assert_eq!(text.matches("</script>").count(), PAGE.matches("</script>").count());
        let words = page_words(Language::Chinese);
        for name in PAGE.split("WORDS.").skip(1) {
            let name = name.split(|c: char| !c.is_ascii_lowercase()).next().unwrap();
            assert!(words[name].is_string(), "{name}");
        }
        assert!(Page::new(&folder.path().join("no/such.html"), Language::English).is_err());
    }
}
