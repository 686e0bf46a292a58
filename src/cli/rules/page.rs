//! Clauses as text for a terminal, and as a page of Markdown.

use super::{Clause, Concern, RuleBook};
use crate::app::language::{columns, left};
use crate::util::lang::{Bilingual, Language};
use rustyline::DefaultEditor;
use std::io::{IsTerminal, stdout};

/// Longer lines are hard to read.
const MAX_WIDTH: usize = 100;
const INDENT: usize = 4;

const SANQI: Bilingual = Bilingual("Sanqi", "三棋");
const MISSING: Bilingual = Bilingual("Not yet", "尚未支持");
const READINGS: Bilingual = Bilingual("Readings", "不同理解");
const SEE: Bilingual = Bilingual("See", "查看");
const TESTS: Bilingual = Bilingual("Tests", "测试");

/// The last line of the part of a page that is written here.
const END: &str = "<!-- What follows is written by hand. -->\n";

impl Concern {
    fn text(self, language: Language) -> &'static str {
        match self {
            Self::Engine => language.pick("engine", "引擎"),
            Self::Match => language.pick("match", "比赛"),
            Self::Board => language.pick("board", "对弈"),
            Self::People => language.pick("people", "棋手"),
        }
    }
}

impl Clause {
    fn is_for_people_only(&self) -> bool {
        self.who == [Concern::People]
    }

    /// `10.12 · FIDE 9.3 · engine, match`.
    fn place(&self, language: Language) -> String {
        let who: Vec<_> = self.who.iter().map(|who| who.text(language)).collect();
        let fide = if self.fide.is_empty() { String::new() } else { format!("FIDE {}", self.fide) };
        let parts = [self.clause.clone(), fide, who.join(language.pick(", ", "、"))];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }

    /// The paragraphs under the text, each with its name.
    fn notes(&self, language: Language) -> impl Iterator<Item = (&'static str, &str)> {
        let notes = [(SANQI, &self.does), (MISSING, &self.missing), (READINGS, &self.readings)];
        notes.into_iter().filter_map(move |(name, texts)| {
            let texts = texts.as_ref()?;
            Some((name.text(language), texts.text(language)))
        })
    }
}

fn colon(language: Language) -> &'static str {
    language.pick(": ", "：")
}

pub(super) fn contents(books: &[RuleBook], language: Language) -> String {
    let mut out = String::new();
    for book in books {
        out += &format!("{}\n", book.title.text(language));
        for clause in book.section.iter().flat_map(|section| &section.clause) {
            out += &format!("  {}{}\n", left(&clause.id, 8), clause.title.text(language));
        }
        out.push('\n');
    }
    out + language.pick("sanqi rules CH-8 prints a clause.\n", "sanqi rules CH-8 显示一条。\n")
}

pub(super) fn text(book: &RuleBook, language: Language) -> String {
    let mut out = format!("{}\n\n", book.title.text(language));
    for section in &book.section {
        out += &format!("== {} ==\n\n{}\n", section.title.text(language), clauses(&section.clause, language));
    }
    out
}

pub(super) fn clauses<'c>(clauses: impl IntoIterator<Item = &'c Clause>, language: Language) -> String {
    let width = width();
    let texts = clauses.into_iter().map(|clause| clause_text(clause, language, width));
    texts.collect::<Vec<_>>().join("\n")
}

fn clause_text(clause: &Clause, language: Language, width: usize) -> String {
    let mut out = format!("{}  {}\n", clause.id, clause.title.text(language));
    let mut add = |text: &str| out += &wrapped(&without_links(text), INDENT, width);
    add(&clause.place(language));
    add(clause.text.text(language));
    for (name, text) in clause.notes(language) {
        add(&format!("{name}{}{text}", colon(language)));
    }
    for command in &clause.see {
        // It can be copied: it is not broken.
        out += &format!("{}$ {command}\n", " ".repeat(INDENT));
    }
    out
}

/// The page in docs/rules, up to what is written there by hand.
pub(super) fn markdown(book: &RuleBook, language: Language) -> String {
    let mut out = format!("# {}\n\n{}\n\n", book.title.text(language), book.intro.text(language));
    for section in &book.section {
        let link = |clause: &Clause| {
            format!("[{}](#{}) {}", clause.id, anchor(&clause.id), clause.title.text(language))
        };
        let links: Vec<_> = section.clause.iter().map(link).collect();
        out += &format!("* **{}**{}{}\n", section.title.text(language), colon(language), links.join(" · "));
    }
    for section in &book.section {
        out += &format!("\n## {}\n\n", section.title.text(language));
        let clauses = section.clause.iter().map(|clause| clause_markdown(clause, language));
        // Clauses of a line each are a list.
        let lines_only = section.clause.iter().all(Clause::is_for_people_only);
        out += &clauses.collect::<Vec<_>>().join(if lines_only { "" } else { "\n" });
    }
    out + "\n" + END
}

fn clause_markdown(clause: &Clause, language: Language) -> String {
    let (id, title, colon) = (&clause.id, clause.title.text(language), colon(language));
    let (place, text) = (clause.place(language), clause.text.text(language));
    let anchor = anchor(id);
    if clause.is_for_people_only() {
        return format!("* <a id=\"{anchor}\"></a>**{id} {title}** ({place}){colon}{text}\n");
    }
    let mut out = format!("### <a id=\"{anchor}\"></a>{id} {title}\n\n*{place}*\n\n{text}\n");
    let code =
        |lines: &[String]| lines.iter().map(|line| format!("`{line}`")).collect::<Vec<_>>().join(" · ");
    let more = [(SEE, code(&clause.see)), (TESTS, code(&clause.tests))];
    let more = more.iter().map(|(name, text)| (name.text(language), text.as_str()));
    out += &clause
        .notes(language)
        .chain(more)
        .filter(|(_, text)| !text.is_empty())
        .fold(String::new(), |out, (name, text)| out + &format!("\n**{name}**{colon}{text}\n"));
    out
}

/// `[text](target)` as `text`.
fn without_links(text: &str) -> String {
    let mut parts = text.split("](");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(at) = out.rfind('[') {
            out.remove(at);
        }
        out += part.split_once(')').map_or(part, |(_, rest)| rest);
    }
    out
}

fn anchor(id: &str) -> String {
    id.to_lowercase()
}

fn width() -> usize {
    let editor = if stdout().is_terminal() { DefaultEditor::new().ok() } else { None };
    let columns = editor.and_then(|mut editor| editor.dimensions()).map_or(80, |(columns, _)| columns.into());
    columns.clamp(30, MAX_WIDTH)
}

/// The text in lines of a width, indented.
fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let mut lines = vec![String::new()];
    for piece in pieces(text) {
        let last = lines.last().map_or(0, |line| columns(line));
        if last > 0 && indent + last + columns(piece.trim_end()) > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(piece);
        }
    }
    lines.iter().map(|line| format!("{}{}\n", " ".repeat(indent), line.trim_end())).collect()
}

/// What must stay in one line: words, and characters of Chinese with their punctuation.
fn pieces(text: &str) -> Vec<&str> {
    let is_wide = |c: char| columns(c.encode_utf8(&mut [0; 4])) > 1;
    let may_break = |before: char, after: char| {
        let between = before == ' ' || is_wide(before) || is_wide(after);
        between && after != ' ' && !"，。；：、！？）”》".contains(after) && !"（“《".contains(before)
    };
    let (mut pieces, mut start) = (Vec::new(), 0);
    for ((_, before), (at, after)) in text.char_indices().zip(text.char_indices().skip(1)) {
        if may_break(before, after) {
            pieces.extend(text.get(start..at));
            start = at;
        }
    }
    pieces.extend(text.get(start..));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words_and_before_no_punctuation() {
        assert_eq!(wrapped("a bc def", 2, 7), "  a bc\n  def\n");
        assert_eq!(wrapped("三次重复，作和", 0, 8), "三次重\n复，作和\n");
        assert_eq!(wrapped("连走 b2e2 再走", 0, 9), "连走 b2e2\n再走\n");
        assert_eq!(without_links("see [the list](#list), and more"), "see the list, and more");
    }
}
