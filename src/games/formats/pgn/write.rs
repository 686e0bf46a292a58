//! Records of chess and xiangqi as PGN.
//! Source: <https://www.chessprogramming.org/Portable_Game_Notation>; xiangqi as ICCS PGN has it.

use crate::games::follow::Follower;
use crate::games::game::Start;
use crate::games::opening_names::{OpeningName, opening_of};
use crate::games::record::{GameKind, GameRecord, Numbering, Ply, Style};
use crate::games::tree::{Item, NodeId, ROOT, Tree};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::xiangqi::START_FEN;
use std::collections::HashSet;
use std::fmt::Write;

const LINE: usize = 80;

/// What all games of a match have in common.
#[derive(Clone, Debug, Default)]
pub struct Headings {
    pub event: String,
    pub site: String,
}

/// What every record of a kind of game begins with.
pub const fn head(kind: GameKind) -> &'static str {
    match kind {
        GameKind::XIANGQI => "[Game \"Chinese Chess\"]",
        _ => "[Event \"",
    }
}

/// The value of a tag as it stands between quotes: on one line.
pub fn tag_value(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace(char::is_control, " ")
}

/// The record as PGN, with an empty line at its end.
pub fn write(record: &GameRecord, headings: &Headings) -> String {
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "[{name} \"{}\"]", tag_value(value));
    };
    let xiangqi = record.kind == GameKind::XIANGQI;
    if xiangqi {
        tag("Game", "Chinese Chess");
    }
    tag("Event", &headings.event);
    tag("Site", &headings.site);
    tag("Date", &date(record.started));
    tag("Round", &format!("{}.{}", record.round, record.ordinal()));
    let [first, second] = &record.names;
    tag("White", first);
    if xiangqi {
        // Readers of chess records want White, those of xiangqi records Red.
        tag("Red", first);
    }
    tag("Black", second);
    tag("Result", record.ending.result());
    match record.kind {
        GameKind::XIANGQI => {
            tag("Variant", "xiangqi");
            tag("Format", record.notation.pgn_format());
        }
        GameKind::CHESS960 => tag("Variant", "Chess960"),
        _ => {}
    }
    // Readers that know no xiangqi by name can still set it up.
    let start = (record.kind == GameKind::XIANGQI).then_some(START_FEN);
    if let Some(fen) = record.opening.fen.as_deref().or(start) {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    let limits = record.controls.each_ref().map(String::as_str);
    let clocks = limits.map(clock_of);
    // PGN puts a colon between periods.
    match clocks.map(|clock| clock.replace(',', ":")) {
        [first, second] if first == second => tag("TimeControl", &first),
        [first, second] => {
            tag("WhiteTimeControl", &first);
            tag("BlackTimeControl", &second);
        }
    }
    // PGN has only clocks.
    if clocks != limits {
        let [first, second] = limits;
        tag("Limit", &if first == second { first.to_owned() } else { limits.join("; ") });
    }
    if let Some(OpeningName { code, name }) = opening_of(record) {
        if !code.is_empty() {
            tag("ECO", code);
        }
        tag("Opening", name.text(Language::English));
    }
    tag("PlyCount", &record.plies.len().to_string());
    tag("GameStartTime", &timestamp(record.started));
    tag("Termination", record.ending.reason.pgn_termination());
    tag("Reason", record.ending.detail.text(Language::English));
    out.push('\n');
    out.push_str(&movetext(record));
    out.push('\n');
    out
}

/// The part of a limit that is a clock as PGN writes it; `-` where there is none.
fn clock_of(control: &str) -> &str {
    let clock = control.split(' ').next().unwrap_or_default();
    if clock.starts_with(|c: char| c.is_ascii_digit()) { clock } else { "-" }
}

/// A tree as a record with these tags, of which the first of each name counts. Tags that the game needs are
/// added.
pub fn write_tree(
    tree: &Tree,
    start: Start,
    tags: &[(String, String)],
    style: Style,
    result: &str,
) -> Result<String, Message> {
    let is_xiangqi = start.kind == GameKind::XIANGQI;
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    let mut seen = HashSet::new();
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        let is_new = is_name(name) && seen.insert(name.to_owned());
        if is_new {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "[{name} \"{}\"]", tag_value(value));
        }
    };
    if is_xiangqi && !tags.iter().any(|(name, _)| name == "Game") {
        tag("Game", "Chinese Chess");
    }
    for (name, value) in tags {
        match name.as_str() {
            "Result" => tag(name, result),
            "Format" if is_xiangqi => {}
            _ => tag(name, value),
        }
    }
    tag("Result", result);
    if is_xiangqi {
        tag("Format", style.pgn_format());
    }
    if let Some(fen) = start.fen.as_deref().filter(|_| !tags.iter().any(|(name, _)| name == "FEN")) {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    out.push('\n');
    movetext_of(&mut out, tree, start, style, result)?;
    Ok(out)
}

/// A tree as movetext that ends with the result.
fn movetext_of(
    out: &mut String,
    tree: &Tree,
    start: Start,
    style: Style,
    result: &str,
) -> Result<(), Message> {
    let numbering = Numbering::of(start.kind, start.fen.as_deref());
    let mut writer = Writer { tree, follower: Follower::new(start)?, numbering, style, words: Vec::new() };
    writer.items(ROOT);
    let mut open = vec![Part::Rest(ROOT, 0)];
    let mut is_first = true;
    while let Some(part) = open.pop() {
        match part {
            Part::Rest(id, depth) => {
                let mut below = tree.children(id);
                let Some(first) = below.next() else { continue };
                let others: Vec<NodeId> = below.collect();
                let depth = depth.saturating_add(1);
                open.push(Part::Rest(first, depth));
                if !others.is_empty() {
                    open.push(Part::Back(first, depth));
                }
                for &other in others.iter().rev() {
                    let variation =
                        [Part::Close, Part::Rest(other, depth), Part::Move(other, depth, true), Part::Open];
                    open.extend(variation);
                }
                open.push(Part::Move(first, depth, is_first));
                is_first = false;
            }
            Part::Move(id, depth, is_start) => writer.node(id, depth, is_start),
            // It was entered before.
            Part::Back(id, depth) => drop(writer.follower.enter(depth, tree.node(id))),
            Part::Open => writer.words.push("(".to_owned()),
            Part::Close => {
                if let Some(last) = writer.words.last_mut() {
                    last.push(')');
                }
            }
        }
    }
    writer.words.push(result.to_owned());
    wrap(out, &writer.words);
    Ok(())
}

/// A part of a tree that is still to be written.
enum Part {
    /// A node and its depth; whether its number has to be written.
    Move(NodeId, usize, bool),
    Rest(NodeId, usize),
    Back(NodeId, usize),
    Open,
    Close,
}

struct Writer<'t> {
    tree: &'t Tree,
    follower: Follower,
    numbering: Numbering,
    style: Style,
    words: Vec<String>,
}

impl Writer<'_> {
    fn word(&mut self, word: String) {
        match self.words.last_mut() {
            Some(last) if last == "(" => last.push_str(&word),
            _ => self.words.push(word),
        }
    }

    fn node(&mut self, id: NodeId, depth: usize, is_start: bool) {
        let node = self.tree.node(id);
        for item in &node.items {
            if let Item::Preface(text) = item {
                self.comment(text);
            }
        }
        if let Some((_, mv)) = node.played {
            self.follower.back_to(depth.saturating_sub(1));
            let number = self.numbering.text(depth.saturating_sub(1));
            let is_behind_more = self.words.last().is_some_and(|word| word.ends_with(['}', ')']));
            if is_start || is_behind_more || !number.ends_with("...") {
                self.word(number);
            }
            let text = self.follower.game().write(&mv, self.style);
            self.word(text);
        }
        // A line ends before a move that cannot be played: none was read.
        let _ = self.follower.enter(depth, node);
        self.items(id);
    }

    /// What stands behind the move of a node.
    fn items(&mut self, id: NodeId) {
        for item in &self.tree.node(id).items {
            match item {
                Item::Comment(text) => self.comment(text),
                Item::Glyph(glyph) => self.word(format!("${glyph}")),
                Item::Unread(text) => text.split_whitespace().for_each(|word| self.word(word.to_owned())),
                _ => {}
            }
        }
    }

    fn comment(&mut self, text: &str) {
        let words = words_of_comment(text);
        words.into_iter().for_each(|word| self.word(word));
    }
}

/// The words of a comment in braces; none where it is empty. What programs wrote in brackets,
/// `[%clk 0:10:00]`, stays in one.
fn words_of_comment(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_command = false;
    // A comment cannot hold the brace that ends it.
    let text = if text.contains('}') { text.replace('{', "(").replace('}', ")") } else { text.to_owned() };
    for word in text.split_whitespace() {
        match words.last_mut().filter(|_| is_command) {
            Some(last) => last.extend([" ", word]),
            None => words.push(word.to_owned()),
        }
        let command = words.last().and_then(|word| word.rsplit_once("[%"));
        is_command = command.is_some_and(|(_, command)| !command.contains(']'));
    }
    if let Some(first) = words.first_mut() {
        first.insert(0, '{');
    }
    if let Some(last) = words.last_mut() {
        last.push('}');
    }
    words
}

/// Numbered moves with comments, wrapped.
fn movetext(record: &GameRecord) -> String {
    let numbering = Numbering::of(record.kind, record.opening.fen.as_deref());
    let mut words = Vec::new();
    for (i, ply) in record.plies.iter().enumerate() {
        let number = numbering.text(i);
        if i == 0 || !number.ends_with("...") {
            words.push(number);
        }
        words.push(if ply.text.is_empty() { ply.mv.clone() } else { ply.text.clone() });
        if let Some(comment) = comment(ply) {
            words.extend(comment.split(' ').map(str::to_owned));
        }
    }
    words.push(record.ending.result().to_owned());
    let mut out = String::new();
    wrap(&mut out, &words);
    out
}

/// Writes words in lines of at most [`LINE`] characters, unless a single word is longer.
fn wrap(out: &mut String, words: &[String]) {
    let mut column = 0_usize;
    for word in words {
        let width = word.chars().count();
        let end = column.saturating_add(1).saturating_add(width);
        if column > 0 && end > LINE {
            out.push('\n');
            column = width;
        } else if column > 0 {
            out.push(' ');
            column = end;
        } else {
            column = width;
        }
        out.push_str(word);
    }
    out.push('\n');
}

/// `{+0.31/12 0.520s, n=120345, tl=7.560s}`: score and depth, time, nodes, time left.
fn comment(ply: &Ply) -> Option<String> {
    if ply.book {
        return Some("{book}".to_owned());
    }
    let mut text = "{".to_owned();
    if let Some(score) = ply.thought.score {
        let _ = write!(text, "{score}");
        if let Some(depth) = ply.thought.depth {
            let _ = write!(text, "/{depth}");
        }
        text.push(' ');
    }
    let _ = write!(text, "{:.3}s", ply.time_us as f64 / 1e6);
    if let Some(nodes) = ply.thought.nodes {
        let _ = write!(text, ", n={nodes}");
    }
    if let Some(clock) = ply.clock_ms {
        let _ = write!(text, ", tl={:.3}s", clock as f64 / 1e3);
    }
    if let Some(remark) = &ply.thought.comment {
        let clean: String = remark.chars().filter(|c| !matches!(c, '{' | '}')).collect();
        let _ = write!(text, ", {clean}");
    }
    text.push('}');
    Some(text)
}

/// `2026.11.20`.
pub fn date(unix: u64) -> String {
    let (year, month, day) = civil(unix);
    format!("{year}.{month:02}.{day:02}")
}

/// `2026-11-20T17:43:45Z`.
pub fn timestamp(unix: u64) -> String {
    let (year, month, day) = civil(unix);
    let s = unix % 86_400;
    format!("{year}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", s / 3600, s / 60 % 60, s % 60)
}

/// Year, month and day of a time in seconds since 1970, in UTC.
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
#[allow(
    clippy::arithmetic_side_effects,
    reason = "the days of 2^64 seconds are far from the end of the type"
)]
pub fn civil(unix: u64) -> (u64, u64, u64) {
    let days = unix / 86_400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let m = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * m + 2) / 5 + 1;
    let month = if m < 10 { m + 3 } else { m - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_civil() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(timestamp(1_795_196_625), "2026-11-20T17:43:45Z");
        assert_eq!(date(951_782_400), "2000.02.29");
        assert_eq!(date(u64::MAX), "584554051223.11.09");
    }
}
