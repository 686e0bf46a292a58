//! Records of chess and xiangqi as PGN.
//! Source: <https://www.chessprogramming.org/Portable_Game_Notation>; xiangqi as ICCS PGN has it.

use crate::games::record::{GameKind, GameRecord, Numbering, Ply};
use crate::util::lang::Language;
use crate::xiangqi::START_FEN;
use std::fmt::Write;

const LINE: usize = 80;

/// What all games of a match have in common.
#[derive(Clone, Debug, Default)]
pub struct Headings {
    /// The match.
    pub event: String,
    /// Where it is played.
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
    // PGN knows clocks alone.
    if clocks != limits {
        let [first, second] = limits;
        tag("Limit", &if first == second { first.to_owned() } else { limits.join("; ") });
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

/// Writes words in lines of at most [`LINE`] characters, unless one word alone is longer.
pub fn wrap(out: &mut String, words: &[String]) {
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
