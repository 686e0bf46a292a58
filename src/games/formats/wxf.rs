//! The text format of the World Xiangqi Federation: a line for each heading, `FORMAT` first, and the moves
//! between `START{` and `}END`. It is read as PGN with the same lines.
//! Source: "Chinese Chess File Format", Huayong Yang and others.

use super::pgn::tag_value;
use std::fmt::Write;

/// Whether a text begins with a heading `FORMAT` and has moves of this format.
pub fn is_wxf(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    heading(first).is_some_and(|(name, _)| name == "FORMAT") && text.lines().any(|line| start(line).is_some())
}

/// The same games as PGN, each line where it was.
pub fn to_pgn(text: &str) -> String {
    let (mut out, mut result, mut in_moves) = (String::new(), "*", false);
    for line in text.lines() {
        if in_moves {
            match line.split_once("}END").or_else(|| line.split_once("}end")) {
                Some((moves, _)) => {
                    let _ = write!(out, "{moves} {result}");
                    in_moves = false;
                }
                None => out.push_str(line),
            }
        } else if let Some(moves) = start(line) {
            out.push_str(moves);
            in_moves = true;
        } else if let Some((name, value)) = heading(line) {
            let tag = match name.as_str() {
                "FORMAT" => "Game",
                "GAME" => "Event",
                "RED" => "Red",
                "BLACK" => "Black",
                "DATE" => "Date",
                "EVENT" => "Event",
                "SITE" | "PLACE" => "Site",
                "ROUND" => "Round",
                "OPEN" | "OPENING" => "Opening",
                "FEN" => "FEN",
                "RESULT" => {
                    result = result_of(value);
                    "Result"
                }
                _ => "",
            };
            let value = match tag {
                "Game" => "Chinese Chess",
                "Result" => result,
                _ => value,
            };
            if !tag.is_empty() {
                let _ = write!(out, "[{tag} \"{}\"]", tag_value(value));
            }
            if tag == "Game" {
                result = "*";
            }
        }
        out.push('\n');
    }
    out
}

/// The name of a heading in capitals, and its value.
fn heading(line: &str) -> Option<(String, &str)> {
    let (name, value) = line.trim().split_once([' ', '\t'])?;
    let is_name = name.bytes().all(|b| b.is_ascii_alphabetic());
    is_name.then(|| (name.to_ascii_uppercase(), value.trim()))
}

/// What stands behind the bracket that opens the moves.
fn start(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let behind = line.get("START".len()..)?;
    line.get(.."START".len())?.eq_ignore_ascii_case("START").then(|| behind.trim_start().strip_prefix('{'))?
}

fn result_of(value: &str) -> &'static str {
    let value: String = value.to_lowercase().split_whitespace().collect();
    match value.as_str() {
        "1-0" | "redwins" | "red" | "红胜" | "紅勝" => "1-0",
        "0-1" | "blackwins" | "black" | "黑胜" | "黑勝" => "0-1",
        "1/2-1/2" | "0.5-0.5" | "½-½" | "draw" | "和" | "和棋" => "1/2-1/2",
        _ => "*",
    }
}

#[cfg(test)]
mod tests {
    use crate::games::formats::{Recorded, read};
    use crate::games::record::GameKind;

    const GAMES: &str = "FORMAT\tWXF\nGAME\tNational team\nRED\tHu Ronghua; Shanghai; China\nBLACK\tA \"B\"\n\
        DATE\t1995.10.01\nRESULT\t1-0\nREMARK\tseen\nSTART{\n1. C2=5 H8+7!\n2. H2+3 {quiet} R9=8\n}END\n\n\
        FORMAT  AXF\nRED  C\nSTART{ 1. C2.5 h8+7 2. C5+9 }END\n";

    fn moves(game: &Recorded) -> String {
        game.opening.moves.join(" ")
    }

    #[test]
    fn games_are_read_with_their_headings() {
        for kind in [None, Some(GameKind::XIANGQI)] {
            let games = read(GAMES.as_bytes(), kind);
            assert_eq!(games.len(), 2);
            let first = games[0].as_ref().unwrap();
            assert_eq!(
                (moves(first).as_str(), first.kind, first.result()),
                ("h2e2 h9g7 h0g2 i9h9", GameKind::XIANGQI, "1-0")
            );
            for (tag, value) in [
                ("Red", "Hu Ronghua; Shanghai; China"),
                ("Black", "A \"B\""),
                ("Event", "National team"),
                ("Date", "1995.10.01"),
            ] {
                assert_eq!(first.tag(tag), Some(value));
            }
            assert_eq!(first.comment(2), "quiet");
        }
    }

    #[test]
    fn a_wrong_move_is_named_with_its_line() {
        let games = read(GAMES.as_bytes(), None);
        let broken = games[1].as_ref().unwrap_err();
        let why = broken.message().to_string();
        assert!(why.starts_with("line 15: game 2: ") && why.contains("C5+9"), "{why}");
        assert_eq!(moves(broken.before.as_ref().unwrap()), "h2e2 h9g7");
    }

    #[test]
    fn a_game_without_an_end_is_read_to_where_it_stops() {
        let games = read(b"FORMAT WXF\nSTART{\n1. C2=5 H8+7\n", None);
        assert_eq!(moves(games[0].as_ref().unwrap()), "h2e2 h9g7");
    }
}
