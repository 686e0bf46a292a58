//! The text that DhtmlXQ, the board of many Chinese sites, shows: fields between `[DhtmlXQ_name]` and its end. Points
//! are two digits, the file from Red's left and the rank from Black's home; pieces stand in a fixed order, 99 for
//! one that is gone. Only the main line is read.

use super::{Broken, Damage, Place, Point, PointedMove, Recorded, read_pointed};
use crate::games::record::Opening;

/// The pieces in the order of `binit`, Red's and then Black's.
pub(super) const PIECES: &str = "RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// All games of a text: each ends with its list of moves.
pub fn read(text: &str) -> Vec<Result<Recorded, Broken>> {
    let sections = text.split("[DhtmlXQ]").flat_map(|text| text.split("[DhtmlXQiFrame]"));
    let sections: Vec<&str> = sections.filter(|s| s.contains("[DhtmlXQ_")).collect();
    // Lines are counted once: from the fault before on.
    let (mut line, mut counted) = (1_usize, 0_usize);
    let game = |(number, section): (usize, &str)| {
        // The section is a part of the text.
        let at = section.as_ptr().addr().saturating_sub(text.as_ptr().addr());
        read_game(section, number).map_err(|Damage { byte, why }| {
            let fault = at.saturating_add(byte.unwrap_or(0));
            let between = text.get(counted..fault).unwrap_or_default();
            (line, counted) = (line.saturating_add(between.matches('\n').count()), fault);
            Broken { number, place: Some(Place::Line(line)), why }
        })
    };
    (1..).zip(sections).map(game).collect()
}

/// The value of a field.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    placed_field(text, name).map(|(_, value)| value.trim())
}

/// The value of a field with the blanks around it, and the byte where it begins.
fn placed_field<'a>(text: &'a str, name: &str) -> Option<(usize, &'a str)> {
    let opening = format!("[DhtmlXQ_{name}]");
    let start = text.find(&opening)?.saturating_add(opening.len());
    let (value, _) = text.get(start..)?.split_once(&format!("[/DhtmlXQ_{name}]"))?;
    Some((start, value))
}

fn read_game(text: &str, number: usize) -> Result<Recorded, Damage> {
    let moves = moves(text)?;
    let fen = match field(text, "binit").filter(|binit| !binit.is_empty()) {
        Some(binit) => Some(fen(binit, moves.first().map(|mv| mv.from))?),
        None => None,
    };
    let moves = read_pointed(fen.as_deref(), &moves)?;
    let result = field(text, "result").and_then(result_of).unwrap_or("*");
    let mut tags = vec![("Result".to_owned(), result.to_owned())];
    // Some programs write the players as teams.
    let has_names = ["red", "black", "redname", "blackname"]
        .iter()
        .any(|name| field(text, name).is_some_and(|value| !value.is_empty()));
    for (name, tag) in [
        ("event", "Event"),
        ("title", "Event"),
        ("round", "Round"),
        ("red", "Red"),
        ("redname", "Red"),
        ("redteam", if has_names { "RedTeam" } else { "Red" }),
        ("black", "Black"),
        ("blackname", "Black"),
        ("blackteam", if has_names { "BlackTeam" } else { "Black" }),
        ("date", "Date"),
        ("place", "Site"),
    ] {
        let is_told = tags.iter().any(|(other, _)| other == tag);
        if let Some(value) = field(text, name).filter(|value| !value.is_empty() && !is_told) {
            tags.push((tag.to_owned(), value.to_owned()));
        }
    }
    let opening = Opening { fen, moves, number };
    Ok(Recorded::of_xiangqi(opening, tags))
}

/// A result in Chinese, such as `红胜`, `红先负` and `和棋`, as PGN has it.
pub(super) fn result_of(text: &str) -> Option<&'static str> {
    let is_lost = text.contains(['负', '負']);
    match text.chars().next()? {
        '红' | '紅' | '黑' if text.contains('和') => Some("1/2-1/2"),
        '和' => Some("1/2-1/2"),
        '红' | '紅' => Some(if is_lost { "0-1" } else { "1-0" }),
        '黑' => Some(if is_lost { "1-0" } else { "0-1" }),
        _ => None,
    }
}

/// The list of moves: four digits each, between which there may be blanks.
fn moves(text: &str) -> Result<Vec<PointedMove>, Damage> {
    let (start, list) = placed_field(text, "movelist").unwrap_or_default();
    let signs = list.char_indices().filter(|(_, c)| !c.is_whitespace());
    let digit = |(at, c): (usize, char)| {
        let byte = start.saturating_add(at);
        let digit = c.to_digit(10).ok_or_else(|| Damage::at(byte, format!("{c:?} in the list of moves")))?;
        Ok((byte, digit as usize))
    };
    let digits: Vec<(usize, usize)> = signs.map(digit).collect::<Result<_, Damage>>()?;
    let (moves, rest) = digits.as_chunks::<4>();
    if let Some(&(byte, _)) = rest.first() {
        return Err(Damage::at(byte, "half a move ends the list"));
    }
    let pointed = |&[(byte, file), (_, row), (_, to_file), (_, to_row)]: &[(usize, usize); 4]| PointedMove {
        from: (file, row),
        to: (to_file, to_row),
        byte,
    };
    Ok(moves.iter().map(pointed).collect())
}

/// Files from Red's left, ranks from Black's home.
fn points(digits: &str) -> Option<Vec<Point>> {
    let digits: Option<Vec<usize>> =
        digits.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(10).map(|d| d as usize)).collect();
    let digits = digits?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|&[file, row]| (file, row)).collect())
}

fn fen(binit: &str, first: Option<Point>) -> Result<String, String> {
    let points = points(binit).filter(|p| p.len() == 32).ok_or("binit: 64 digits are expected")?;
    let on = points.iter().zip(PIECES.chars()).filter(|((file, _), _)| *file < 9);
    Ok(fen_of(on.map(|(&point, piece)| (point, piece)), first))
}

/// A FEN of pieces on points (file, row from Black's home); whoever owns the piece on `first` is to move.
pub(super) fn fen_of(pieces: impl Iterator<Item = (Point, char)>, first: Option<Point>) -> String {
    let mut board = [['1'; 9]; 10];
    for ((file, row), piece) in pieces {
        if let Some(point) = board.get_mut(row).and_then(|row| row.get_mut(file)) {
            *point = piece;
        }
    }
    let first = first.and_then(|(file, row)| board.get(row)?.get(file));
    let black = first.is_some_and(char::is_ascii_lowercase);
    let rows: Vec<String> = board.iter().map(pack).collect();
    format!("{} {} - - 0 1", rows.join("/"), if black { 'b' } else { 'w' })
}

/// A row with its empty points counted.
#[allow(clippy::arithmetic_side_effects, reason = "a row has nine points")]
fn pack(row: &[char; 9]) -> String {
    let (mut out, mut empty) = (String::new(), 0);
    for &c in row.iter().chain(['.'].iter()) {
        if c == '1' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            out += &empty.to_string();
            empty = 0;
        }
        if c != '.' {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::START_FEN;

    const GAME: &str = "[DhtmlXQ]\n[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]\n[DhtmlXQ_title]一局[/DhtmlXQ_title]\n\
        [DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]\n\
        [DhtmlXQ_red]甲[/DhtmlXQ_red]\n[DhtmlXQ_result]红胜[/DhtmlXQ_result]\n\
        [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n";

    #[test]
    fn the_usual_start_and_its_first_moves_are_read() {
        let game = read(GAME).remove(0).unwrap();
        assert_eq!(game.opening.fen.as_deref(), Some(START_FEN));
        assert_eq!(game.opening.moves, ["h2e2", "h9g7"]);
        assert_eq!((game.result(), game.tag("Red"), game.tag("Event")), ("1-0", Some("甲"), Some("一局")));
    }

    #[test]
    fn a_broken_game_is_named_and_the_next_one_read() {
        let two = GAME.replace("7747", "7748") + GAME;
        let games = read(&two);
        let told = games[0].as_ref().unwrap_err().to_string();
        assert!(told.starts_with("line 7: game 1: move 1: "), "{told}");
        assert!(games[1].is_ok());
        let same = read(&GAME.replace("7747", "7748").repeat(2));
        assert!(same[1].as_ref().unwrap_err().to_string().starts_with("line 15: game 2: "), "{same:?}");
        let framed = GAME.replace("[DhtmlXQ]", "[DhtmlXQiFrame]").replace("[/DhtmlXQ]", "[/DhtmlXQiFrame]");
        assert_eq!(read(&framed.repeat(2)).len(), 2);
        // A list may take several lines.
        for (list, why) in [
            ("7747\n70x2", "line 8: game 1: 'x' in the list of moves"),
            ("7747\n7062\n7", "line 9: game 1: half a move ends the list"),
            ("7747 7062\n7747", "line 8: game 1: move 3: "),
        ] {
            let told = read(&GAME.replace("77477062", list)).remove(0).unwrap_err().to_string();
            assert!(told.starts_with(why), "{told}");
        }
    }
}
