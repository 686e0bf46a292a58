//! `--lang`: the language that a person is spoken to in.

use super::{Failure, Outcome};
use crate::arbiter::record::{Ending, Reason};
use crate::engine::GameId;
use crate::util::lang::Language;
use crate::util::words;

/// The flag of every command that speaks to a person.
#[derive(clap::Args, Default)]
pub struct LanguageArg {
    /// The language, en or zh; that of the system (LC_ALL, LC_MESSAGES, LANG) if left out
    #[arg(long, value_name = "LANG", value_parser = Language::NAMES)]
    lang: Option<String>,
}

impl LanguageArg {
    /// The language that was asked for.
    pub fn asked(&self) -> Option<Language> {
        self.lang.as_deref().and_then(Language::from_name)
    }

    /// The language that was asked for, else the system's.
    pub fn language(&self) -> Language {
        self.asked().unwrap_or_else(Language::of_system)
    }
}

/// What a game is called.
pub fn game(language: Language, game: GameId) -> String {
    match game {
        GameId::Chess => words::chess(language),
        GameId::Xiangqi => words::xiangqi(language),
        GameId::Go => words::go(language),
    }
}

/// The outcome of a command, its failure in the person's language as far as the reason is known in it.
pub fn told(language: Language, outcome: Outcome) -> Outcome {
    outcome.map_err(|Failure(why)| Failure(words::reason(language, &why)))
}

/// Columns that a text takes on a terminal: Chinese characters take two.
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| if c as u32 > 0x2E80 { 2 } else { 1 }).sum()
}

/// How a game ended: in English with what the referee says of it, in Chinese by the name of the reason. A count of Go
/// is told in both.
pub fn ending(language: Language, ending: &Ending) -> String {
    match (language, ending.reason) {
        (Language::English, _) => in_points(&ending.detail).to_owned(),
        (Language::Chinese, Reason::Counted) => ending.detail.clone(),
        (Language::Chinese, reason) => reason.text(language),
    }
}

/// A result of Go without what follows it in Chinese: `B+3.5 (黑胜1¾子)`.
fn in_points(detail: &str) -> &str {
    match detail.split_once(" (") {
        Some((margin, count)) if count.contains(['子', '和']) => margin,
        _ => detail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Side;

    #[test]
    fn who_reads_no_chinese_is_told_points() {
        let counted = Ending::won(Side::First, Reason::Counted, "B+3.5 (黑胜1¾子)");
        assert_eq!(ending(Language::English, &counted), "B+3.5");
        assert_eq!(ending(Language::Chinese, &counted), "B+3.5 (黑胜1¾子)");
        let mated = Ending::won(Side::First, Reason::Checkmate, "White mates");
        assert_eq!(ending(Language::English, &mated), "White mates");
        assert_eq!(ending(Language::Chinese, &mated), "将死");
    }
}
