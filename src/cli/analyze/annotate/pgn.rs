//! PGN with glyphs, `[%eval]`, and better lines as variations before those of the record.

use super::LONGEST_LINE;
use crate::app::review::{Judged, Verdicts};
use crate::games::formats::pgn::tag_value;
use crate::games::formats::{Recorded, of_move};
use crate::games::notation::Style;
use crate::games::record::{GameKind, Numbering};
use std::collections::HashSet;
use std::fmt::Write;

/// The game, annotated, with an empty line behind it.
pub fn write(game: &Recorded, verdicts: &Verdicts, style: Style) -> String {
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "[{name} \"{}\"]", tag_value(value));
    };
    let format = ["ICCS", "Chinese", "WXF"][style as usize];
    let is_xiangqi = game.kind == GameKind::XIANGQI;
    let has = |name: &str| game.tags.iter().any(|(n, _)| n == name);
    if is_xiangqi && !has("Game") {
        tag("Game", "Chinese Chess");
    }
    let mut seen = HashSet::new();
    for (name, value) in &game.tags {
        match name.as_str() {
            "Format" | "Annotator" => {}
            _ if !seen.insert(name.as_str()) => {}
            _ => tag(name, value),
        }
    }
    if is_xiangqi {
        tag("Format", format);
    }
    if let Some(fen) = game.opening.fen.as_deref().filter(|_| !has("FEN")) {
        if !has("SetUp") {
            tag("SetUp", "1");
        }
        tag("FEN", fen);
    }
    tag("Annotator", concat!("Sanqi ", env!("CARGO_PKG_VERSION")));
    let numbering = Numbering::of(game.kind, game.opening.fen.as_deref());
    // Variations stay as they are written: not beside moves in another notation.
    let is_in_format = !is_xiangqi || game.tag("Format").unwrap_or("ICCS").eq_ignore_ascii_case(format);
    let words_of_move = |mv: &Judged| {
        let mut words = words(mv, numbering, game);
        let ours = better(mv, numbering).join(" ");
        let others = of_move(&game.margin.variations, mv.ply).filter(|_| is_in_format);
        let others = others.map(words_in).filter(|words| words.join(" ") != ours);
        words.extend(words_in(&ours));
        words.extend(others.flatten());
        words
    };
    let preface = commented(&without_eval(&game.margin.preface));
    let words = preface.into_iter().chain(verdicts.moves.iter().flat_map(words_of_move));
    let mut column = 0;
    out.push('\n');
    for word in words.chain([game.result().to_owned()]) {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > 80 {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(&word);
        column += width;
    }
    out + "\n\n"
}

/// The words of a move, its glyphs and its comment, which is the record's but for another engine's score.
fn words(mv: &Judged, numbering: Numbering, game: &Recorded) -> Vec<String> {
    let mut words = vec![numbering.text(mv.ply), mv.text.clone()];
    let glyph = match mv.sign {
        "??" => Some("$4"),
        "?" => Some("$2"),
        "?!" => Some("$6"),
        _ => None,
    };
    let others = of_move(&game.margin.glyphs, mv.ply).filter(|other| Some(*other) != glyph);
    words.extend(glyph.into_iter().chain(others).map(str::to_owned));
    let eval = match mv.centipawns {
        Some(cp) => Some(format!("{:.2}", f64::from(cp) / 100.0)),
        None => Some(mv.score.clone()).filter(|score| score.starts_with('#')),
    };
    let eval = eval.map(|eval| format!("[%eval {eval}]")).unwrap_or_default();
    let said = game.comments.get(mv.ply).map_or("", String::as_str);
    words.extend(commented(&format!("{eval} {}", without_eval(said))));
    words
}

/// The words of the better line as a variation.
fn better(mv: &Judged, numbering: Numbering) -> Vec<String> {
    let mut line = Vec::new();
    for (i, text) in mv.better.iter().take(LONGEST_LINE).enumerate() {
        let number = numbering.text(mv.ply + i);
        match i {
            0 => line.push(format!("({number}")),
            _ if number.matches('.').count() == 1 => line.push(number),
            _ => {}
        }
        line.push(text.clone());
    }
    if let Some(last) = line.last_mut() {
        last.push(')');
    }
    line
}

fn words_in(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The words of a comment; none where nothing is said.
fn commented(text: &str) -> Vec<String> {
    match text.trim() {
        "" => Vec::new(),
        text => words_in(&format!("{{{text}}}")),
    }
}

/// A comment without the scores in it.
fn without_eval(comment: &str) -> String {
    let mut out = String::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once("[%eval") {
        out += before;
        rest = after.split_once(']').map_or("", |(_, behind)| behind);
    }
    (out + rest).replace(['{', '}'], "")
}
