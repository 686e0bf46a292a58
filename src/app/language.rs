//! `--lang`: the language of texts for people.

use super::console::Outcome;
use crate::games::record::Style;
use crate::util::lang::Language;

/// The flag of every command that prints texts for people.
#[derive(clap::Args, Default)]
pub struct LanguageArg {
    /// The language, en or zh; that of the system (LC_ALL, LC_MESSAGES, LANG) if left out
    #[arg(long, value_name = "LANG", value_parser = Language::NAMES)]
    lang: Option<String>,
}

impl LanguageArg {
    pub fn asked(&self) -> Option<Language> {
        self.lang.as_deref().and_then(Language::from_name)
    }

    /// The language that was asked for, else the system's.
    pub fn language(&self) -> Language {
        self.asked().unwrap_or_else(Language::of_system)
    }
}

/// The outcome of a command, with a failure in this language only.
pub fn in_language(language: Language, outcome: Outcome) -> Outcome {
    outcome.map_err(|why| why.text(language).into())
}

/// The notation of xiangqi that readers of a language expect.
pub fn usual_style(language: Language) -> Style {
    language.pick(Style::default(), Style::Chinese)
}

/// The text with spaces behind it, up to a width in columns.
pub fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// The text with spaces before it, up to a width in columns.
pub fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Columns that a text takes on a terminal: Chinese characters take two.
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| if c as u32 > 0x2E80 { 2 } else { 1 }).sum()
}
