//! `sanqi rules`: the rules of the three games, clause by clause, and what Sanqi does about each.
//!
//! A file for each game holds its clauses in both languages. This command and the pages in docs/rules are
//! written from them.

mod page;

use crate::app::console::{Outcome, put};
use crate::app::language::{LanguageArg, in_language};
use crate::engine::GameId;
use crate::ensure;
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use serde::{Deserialize, Serialize};

const BOOKS: [(GameId, &str); 3] = [
    (GameId::Chess, include_str!("chess.toml")),
    (GameId::Xiangqi, include_str!("xiangqi.toml")),
    (GameId::Go, include_str!("go.toml")),
];

/// Print the rules of the games, clause by clause
///
/// Each clause has an identifier, which verdicts and documentation cite. Printed are its number in the rule
/// text, whom it concerns, what Sanqi does about it, and a command that shows it.
#[derive(clap::Args)]
pub struct Args {
    /// A game, an identifier (CH-8), a number of the rule text (10.12), or words; a list of all if left out
    #[arg(value_name = "GAME|CLAUSE|WORD")]
    words: Vec<String>,
    /// How to print: text, markdown (the page in docs/rules; one game) or json
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    language: LanguageArg,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Markdown,
    Json,
}

/// A text in English and in Chinese.
#[derive(Deserialize, Serialize, Clone)]
#[serde(from = "[String; 2]")]
struct Texts {
    en: String,
    zh: String,
}

impl From<[String; 2]> for Texts {
    fn from([en, zh]: [String; 2]) -> Self {
        Self { en, zh }
    }
}

impl Texts {
    fn text(&self, language: Language) -> &str {
        language.pick(&self.en, &self.zh)
    }
}

/// Whom a clause concerns.
#[derive(Deserialize, Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Concern {
    Engine,
    Match,
    /// `play` and `serve`.
    Board,
    /// People at a board of wood.
    People,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleBook {
    title: Texts,
    /// The paragraph at the head of the page.
    intro: Texts,
    section: Vec<Section>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    title: Texts,
    clause: Vec<Clause>,
}

#[derive(Deserialize, Serialize, Clone)]
#[serde(deny_unknown_fields)]
struct Clause {
    id: String,
    /// Its numbers in the rule text: `10.10(2), 10.11`, `1.1–1.5`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    clause: String,
    /// The same in the FIDE laws of 2023.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    fide: String,
    who: Vec<Concern>,
    title: Texts,
    text: Texts,
    /// What Sanqi does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    does: Option<Texts>,
    /// What it does not do yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missing: Option<Texts>,
    /// Where readings of the clause differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    readings: Option<Texts>,
    /// Commands that show it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    see: Vec<String>,
    /// Tests that hold Sanqi to it: `module::name`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tests: Vec<String>,
}

pub fn run(args: &Args) -> Outcome {
    let language = args.language.language();
    in_language(language, print(args, language))
}

fn print(args: &Args, language: Language) -> Outcome {
    let game = args.words.first().and_then(|word| GameId::ALL.into_iter().find(|game| game.name() == word));
    let wanted = args.words.get(usize::from(game.is_some())..).unwrap_or_default().join(" ");
    let mut books = Vec::new();
    for (_, text) in BOOKS.into_iter().filter(|&(id, _)| game.is_none_or(|game| game == id)) {
        books.push(toml::from_str::<RuleBook>(text).map_err(|why| Message::from(why.to_string()))?);
    }
    if args.format == Format::Markdown {
        let [book] = &books[..] else {
            return Err(message!(
                "the page of which game? sanqi rules chess --format markdown"
                    | "要哪一种棋的页面？例如 sanqi rules chess --format markdown"
            ));
        };
        put(page::markdown(book, language));
        return Ok(());
    }
    let found = find(&books, &wanted);
    ensure!(!found.is_empty(), not_found(&books, &wanted));
    let text = match args.format {
        Format::Json => json(&found)?,
        _ if args.words.is_empty() => page::contents(&books, language),
        _ if wanted.is_empty() => books.iter().map(|book| page::text(book, language)).collect(),
        _ => page::clauses(found, language),
    };
    put(text);
    Ok(())
}

fn json(clauses: &[&Clause]) -> Result<String, Message> {
    let text = serde_json::to_string_pretty(clauses).map_err(|why| Message::from(why.to_string()))?;
    Ok(text + "\n")
}

fn all(books: &[RuleBook]) -> impl Iterator<Item = &Clause> {
    books.iter().flat_map(|book| &book.section).flat_map(|section| &section.clause)
}

/// The clause of an identifier; else those of a number; else those in which a text occurs.
fn find<'b>(books: &'b [RuleBook], wanted: &str) -> Vec<&'b Clause> {
    let ways: [fn(&Clause, &str) -> bool; 3] = [has_id, has_number, contains];
    let mut found = ways.map(|is_it| all(books).filter(|clause| is_it(clause, wanted)).collect::<Vec<_>>());
    found.iter_mut().find(|found| !found.is_empty()).map(std::mem::take).unwrap_or_default()
}

/// `CH-8`, `ch8`.
fn has_id(clause: &Clause, wanted: &str) -> bool {
    let bare = |id: &str| id.replace('-', "").to_uppercase();
    bare(&clause.id) == bare(wanted)
}

/// Whether the clause has a number, or one below it: `10`, `10.12`, `10.10(2)`, `七.5`, `7.5`.
fn has_number(clause: &Clause, wanted: &str) -> bool {
    let wanted = in_digits(wanted);
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || ".()".contains(c));
    if wanted.is_empty() || !is_number(&wanted) {
        return false;
    }
    let begins_with = |number: &str, start: &str| {
        number.strip_prefix(start).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let last = |number: &str| {
        let (head, last) = number.rsplit_once('.')?;
        Some((head.to_owned(), last.split('(').next()?.parse::<u32>().ok()?))
    };
    in_digits(&clause.clause).split(", ").any(|number| match number.split_once('–') {
        None => begins_with(number, &wanted),
        Some((first, end)) => {
            let is_within = || {
                let ((head, low), (other, high), (own, at)) = (last(first)?, last(end)?, last(&wanted)?);
                Some(head == other && head == own && (low..=high).contains(&at))
            };
            begins_with(first, &wanted) || begins_with(end, &wanted) || is_within() == Some(true)
        }
    })
}

/// A number with the Chinese digits of its chapter in others: `七.5` as `7.5`.
fn in_digits(number: &str) -> String {
    let digit = |c: char| "一二三四五六七八九".chars().zip('1'..='9').find(|pair| pair.0 == c);
    number.chars().map(|c| digit(c).map_or(c, |(_, digit)| digit)).collect()
}

fn contains(clause: &Clause, wanted: &str) -> bool {
    let wanted = wanted.to_lowercase();
    let texts = [Some(&clause.title), Some(&clause.text), clause.does.as_ref(), clause.missing.as_ref()];
    let texts = texts.into_iter().chain([clause.readings.as_ref()]).flatten();
    let mut all = texts.flat_map(|texts| [&texts.en, &texts.zh]).chain(&clause.see);
    all.any(|text| text.to_lowercase().contains(&wanted))
}

fn not_found(books: &[RuleBook], wanted: &str) -> Message {
    let wanted_id = wanted.to_uppercase();
    let by_likeness = |a: &&Clause, b: &&Clause| {
        let [a, b] = [a, b].map(|clause| strsim::jaro_winkler(&clause.id, &wanted_id));
        a.total_cmp(&b)
    };
    let nearest = all(books).max_by(by_likeness).map_or("", |clause| &clause.id);
    message!(
        "{wanted:?} is in no clause; the most similar identifier is {nearest}, and `sanqi rules` lists all"
            | "没有一条含有“{wanted}”；最接近的编号是 {nearest}，`sanqi rules` 列出全部",
        wanted,
        nearest
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(game: GameId, wanted: &str) -> Vec<String> {
        let (_, text) = BOOKS.into_iter().find(|(id, _)| *id == game).unwrap();
        let books = [toml::from_str(text).unwrap()];
        find(&books, wanted).into_iter().map(|clause| clause.id.clone()).collect()
    }

    #[test]
    fn clauses_are_found_by_identifier_number_and_word() {
        assert_eq!(found(GameId::Chess, "ch8"), ["CH-8"]);
        assert_eq!(found(GameId::Chess, "10.12"), ["CH-9"]);
        assert_eq!(found(GameId::Chess, "1.3"), ["CH-1"], "within 1.1–1.5");
        assert_eq!(found(GameId::Xiangqi, "七.5"), found(GameId::Xiangqi, "7.5"));
        assert_eq!(found(GameId::Xiangqi, "7.5"), ["XQ-R5"]);
        assert!(found(GameId::Go, "读秒").contains(&"GO-12".to_owned()));
        assert!(found(GameId::Go, "no such thing").is_empty());
    }
}
