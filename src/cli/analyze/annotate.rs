//! Games with the engine's marks: PGN with glyphs, `[%eval]` and better lines as variations; SGF with the chances
//! as Sabaki reads them.

use super::Failure;
use super::judged::{Judged, Verdicts};
use crate::arbiter::notation::Style;
use crate::arbiter::record::GameKind;
use crate::arbiter::records::Recorded;
use crate::arbiter::referee::Stones;
use crate::game::Side;
use crate::go::{Color, coords};
use std::fmt::Write;

/// The game, annotated, with an empty line or a line end behind it.
pub fn write(game: &Recorded, verdicts: &Verdicts, style: Style) -> Result<String, Failure> {
    match game.kind {
        GameKind::Go => sgf(game, verdicts),
        _ => Ok(pgn(game, verdicts, style)),
    }
}

fn pgn(game: &Recorded, verdicts: &Verdicts, style: Style) -> String {
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    };
    let is_xiangqi = game.kind == GameKind::Xiangqi;
    let has = |name: &str| game.tags.iter().any(|(n, _)| n == name);
    if is_xiangqi && !has("Game") {
        tag("Game", "Chinese Chess");
    }
    for (name, value) in &game.tags {
        match name.as_str() {
            "Format" | "Annotator" => {}
            _ => tag(name, value),
        }
    }
    if is_xiangqi {
        tag("Format", ["ICCS", "Chinese", "WXF"][style as usize]);
    }
    if let Some(fen) = game.opening.fen.as_deref().filter(|_| !has("FEN")) {
        tag("FEN", fen);
    }
    tag("Annotator", concat!("Sanqi ", env!("CARGO_PKG_VERSION")));
    let second_starts = verdicts.moves.first().is_some_and(|mv| mv.side == Side::Second);
    let said = |mv: &Judged| game.comments.get(mv.ply).map_or("", String::as_str);
    let words = verdicts.moves.iter().flat_map(|mv| words(mv, second_starts, said(mv)));
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

/// The words of a move; `said` is what the record says of it, which is kept but for another engine's score.
fn words(mv: &Judged, second_starts: bool, said: &str) -> Vec<String> {
    let number = mv.number(second_starts);
    let mut words = vec![number.clone(), mv.text.clone()];
    let glyph = match mv.sign {
        "??" => Some("$4"),
        "?" => Some("$2"),
        "?!" => Some("$6"),
        _ => None,
    };
    words.extend(glyph.map(str::to_owned));
    let eval = match mv.centipawns {
        Some(cp) => Some(format!("{:.2}", f64::from(cp) / 100.0)),
        None => Some(mv.score.clone()).filter(|score| score.starts_with('#')),
    };
    let eval = eval.map(|eval| format!("[%eval {eval}]")).unwrap_or_default();
    let comment = format!("{eval} {}", without_eval(said));
    if !comment.trim().is_empty() {
        words.extend(format!("{{{}}}", comment.trim()).split_whitespace().map(str::to_owned));
    }
    if !mv.better.is_empty() {
        let mut line = vec![format!("({number}")];
        line.extend(mv.better.iter().take(10).enumerate().flat_map(|(i, text)| {
            let next = Judged { ply: mv.ply + i, ..mv.clone() };
            let numbered = i > 0 && next.number(second_starts).matches('.').count() == 1;
            numbered.then(|| next.number(second_starts)).into_iter().chain([text.clone()])
        }));
        if let Some(last) = line.last_mut() {
            last.push(')');
        }
        words.extend(line);
    }
    words
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

fn sgf(game: &Recorded, verdicts: &Verdicts) -> Result<String, Failure> {
    let setup = game.go.clone().unwrap_or_default();
    let stones = Stones::new(&setup)?;
    let board = stones.position().board();
    let escape = |text: &str| text.replace('\\', "\\\\").replace(']', "\\]");
    let mut out = format!(
        "(;FF[4]GM[1]CA[UTF-8]AP[sanqi]SZ[{}]KM[{}]RU[{}]",
        setup.size,
        setup.komi,
        escape(&setup.rules)
    );
    for (tag, property) in [("Black", "PB"), ("White", "PW"), ("Event", "EV"), ("Result", "RE")] {
        if let Some(value) = game.tag(tag) {
            let _ = write!(out, "{property}[{}]", escape(value));
        }
    }
    if setup.handicap > 1 {
        let _ = write!(out, "HA[{}]", setup.handicap);
    }
    for (property, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let points = board.points().filter(|&v| board.color(v) == color);
        let points: String = points.map(|v| format!("[{}]", coords::sgf(board, v))).collect();
        if !points.is_empty() {
            let _ = write!(out, "{property}{points}");
        }
    }
    if board.side_to_move() == Side::Second {
        out.push_str("PL[W]");
    }
    let point =
        |text: &str| coords::parse_vertex(board, text).map_or(String::new(), |v| coords::sgf(board, v));
    for mv in &verdicts.moves {
        let letter = if mv.side == Side::First { 'B' } else { 'W' };
        let bad = match mv.sign {
            "??" => "BM[2]",
            "?" => "BM[1]",
            "?!" => "DO[]",
            _ => "",
        };
        // The game itself is the first of the variations, so that readers follow it.
        let node = format!(
            "\n;{letter}[{}]{bad}SBKV[{:.2}]{}C[{}{}{}]",
            point(&mv.text),
            100.0 * mv.chances,
            mv.lead.map_or(String::new(), |lead| format!("SBKS[{lead:.1}]")),
            escape(&mv.score),
            mv.sign,
            game.comments
                .get(mv.ply)
                .filter(|said| !said.is_empty())
                .map_or(String::new(), |said| format!("\n{}", escape(said)))
        );
        let _ = if mv.better.is_empty() { write!(out, "{node}") } else { write!(out, "({node}") };
    }
    // Variations close behind the game, the innermost first.
    out.push(')');
    for mv in verdicts.moves.iter().rev().filter(|mv| !mv.better.is_empty()) {
        let mut side = mv.side;
        out.push_str("\n(");
        for vertex in mv.better.iter().take(10) {
            let letter = if side == Side::First { 'B' } else { 'W' };
            let _ = write!(out, ";{letter}[{}]", point(vertex));
            side = side.other();
        }
        out.push_str("))");
    }
    Ok(out + "\n")
}
