//! The text that DhtmlXQ, the board of many Chinese sites, shows: fields between `[DhtmlXQ_name]` and its end. Points
//! are two digits, the file from Red's left and the rank from Black's home; pieces stand in a fixed order, 99 for
//! one that is gone. Only the main line is read. Read as the site's own script does where files are damaged
//! (<http://www.dpxq.com>): what is no digit in a start stands for 9, and a move that is cut is left out.

use super::{Broken, Damage, Place, Point, PointedMove, Recorded, pgn, read_pointed};
use crate::games::record::Opening;
use std::collections::HashMap;

/// The pieces in the order of `binit`, Red's and then Black's.
pub(super) const PIECES: &str = "RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// All games of a text: each ends with its list of moves.
pub fn read(text: &str) -> Vec<Result<Recorded, Broken>> {
    let lower = text.to_ascii_lowercase();
    let mut bounds: Vec<usize> = ["[dhtmlxq]", "[dhtmlxqiframe]"]
        .iter()
        .flat_map(|head| lower.match_indices(head).map(|(at, _)| at))
        .chain([0, text.len()])
        .collect();
    bounds.sort_unstable();
    let sections = bounds.windows(2).filter_map(|pair| text.get(*pair.first()?..*pair.last()?));
    let sections: Vec<&str> = sections.filter(|s| s.to_ascii_lowercase().contains("[dhtmlxq_")).collect();
    // Lines are counted once: from the fault before on.
    let (mut line, mut counted) = (1_usize, 0_usize);
    let game = |(number, section): (usize, &str)| {
        // The section is a part of the text.
        let at = section.as_ptr().addr().saturating_sub(text.as_ptr().addr());
        read_game(section, number).map_err(|Damage { byte, why }| {
            let fault = at.saturating_add(byte.unwrap_or(0));
            let between = text.get(counted..fault).unwrap_or_default();
            (line, counted) = (line.saturating_add(between.matches('\n').count()), fault);
            Broken::new(number, Some(Place::Line(line)), why)
        })
    };
    (1..).zip(sections).map(game).collect()
}

/// The fields of a game by their names in small letters: the byte where the value begins, and the value with the blanks
/// around it. What a value quotes is no field.
struct Fields<'a>(HashMap<String, (usize, &'a str)>);

impl<'a> Fields<'a> {
    fn of(text: &'a str) -> Self {
        let lower = text.to_ascii_lowercase();
        let signs = |sign: &'static str| {
            lower.match_indices(sign).filter_map(|(at, _)| {
                let (name, _) = lower.get(at.saturating_add(sign.len())..)?.split_once(']')?;
                Some((at, name))
            })
        };
        let mut ends: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, name) in signs("[/dhtmlxq_") {
            ends.entry(name).or_default().push(at);
        }
        let mut fields = HashMap::new();
        let mut behind = 0;
        for (at, name) in signs("[dhtmlxq_").filter(|(_, name)| ends.contains_key(name)) {
            let start = at.saturating_add("[dhtmlxq_]".len()).saturating_add(name.len());
            let ends = ends.get(name).map_or(&[][..], Vec::as_slice);
            let end = ends.get(ends.partition_point(|end| *end < start)).copied();
            if let Some(end) = end.filter(|_| at >= behind) {
                fields.entry(name.to_owned()).or_insert((start, text.get(start..end).unwrap_or_default()));
                behind = end;
            }
        }
        Self(fields)
    }

    /// The value of a field that is not empty.
    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }
}

fn read_game(text: &str, number: usize) -> Result<Recorded, Damage> {
    let fields = Fields::of(text);
    let moves = moves(&fields)?;
    let fen = match (fields.get("fen"), fields.get("binit")) {
        (Some(fen), _) => Some(pgn::fen_of(fen)),
        (None, Some(binit)) => Some(fen(binit, moves.first().map(|mv| mv.from))),
        (None, None) => None,
    };
    let moves = read_pointed(fen.as_deref(), &moves)?;
    let result = fields.get("result").and_then(pgn::result_in_chinese).unwrap_or("*");
    let mut tags = vec![("Result".to_owned(), result.to_owned())];
    // Some programs write the players as teams.
    let has_names = ["red", "black", "redname", "blackname"].iter().any(|name| fields.get(name).is_some());
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
        if let Some(value) = fields.get(name).filter(|_| !is_told) {
            tags.push((tag.to_owned(), value.to_owned()));
        }
    }
    let opening = Opening { fen, moves, number };
    Ok(Recorded::of_xiangqi(opening, tags))
}

/// The list of moves: four digits each, between which there may be blanks. Some programs write the main line as the
/// first variation, and no list.
fn moves(fields: &Fields<'_>) -> Result<Vec<PointedMove>, Damage> {
    let mut lists = ["movelist", "move_0_1_0"].iter().filter_map(|name| fields.0.get(*name));
    let &(start, list) = lists.find(|(_, list)| !list.trim().is_empty()).unwrap_or(&(0, ""));
    let signs = list.char_indices().filter(|(_, c)| !c.is_whitespace());
    let digit = |(at, c): (usize, char)| {
        let byte = start.saturating_add(at);
        let digit = c.to_digit(10).ok_or_else(|| Damage::at(byte, format!("{c:?} in the list of moves")))?;
        Ok((byte, digit as usize))
    };
    let digits: Vec<(usize, usize)> = signs.map(digit).collect::<Result<_, Damage>>()?;
    let (moves, _) = digits.as_chunks::<4>();
    let pointed = |&[(byte, file), (_, row), (_, to_file), (_, to_row)]: &[(usize, usize); 4]| PointedMove {
        from: (file, row),
        to: (to_file, to_row),
        byte,
    };
    Ok(moves.iter().map(pointed).collect())
}

/// The FEN of a start in digits, a file from Red's left and a rank from Black's home for each piece. One that is too
/// short is filled up with 9: no piece.
fn fen(binit: &str, first: Option<Point>) -> String {
    let signs = binit.chars().filter(|c| !c.is_whitespace());
    let digits: Vec<usize> = (signs.map(|c| c.to_digit(10).map_or(9, |digit| digit as usize)))
        .chain(std::iter::repeat(9))
        .take(64)
        .collect();
    let points = digits.as_chunks::<2>().0.iter().map(|&[file, row]| (file, row));
    fen_of(points.zip(PIECES.chars()).filter(|((file, _), _)| *file < 9), first)
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
        let error = games[0].as_ref().unwrap_err().to_string();
        assert!(error.starts_with("line 7: game 1: move 1: "), "{error}");
        assert!(games[1].is_ok());
        let same = read(&GAME.replace("7747", "7748").repeat(2));
        assert!(same[1].as_ref().unwrap_err().to_string().starts_with("line 15: game 2: "), "{same:?}");
        let framed = GAME.replace("[DhtmlXQ]", "[DhtmlXQiFrame]").replace("[/DhtmlXQ]", "[/DhtmlXQiFrame]");
        assert_eq!(read(&framed.repeat(2)).len(), 2);
        // A list may take several lines.
        for (list, why) in [
            ("7747\n70x2", "line 8: game 1: 'x' in the list of moves"),
            ("7747 7062\n7747", "line 8: game 1: move 3: "),
        ] {
            let error = read(&GAME.replace("77477062", list)).remove(0).unwrap_err().to_string();
            assert!(error.starts_with(why), "{error}");
        }
    }

    #[test]
    fn damaged_fields_are_read_as_the_site_does() {
        let list = "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]";
        let init =
            "[DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]";
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR";
        let usual = START_FEN.split(' ').next().unwrap();
        let without = "rnbak4/9/9/9/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        let short = "[DhtmlXQ_binit]0919293949596979891777 06264666860010203040[/DhtmlXQ_binit]";
        let main = ["h2e2", "h9g7"];
        let rows: &[(String, &str, &[&str])] = &[
            (format!("[DhtmlXQ_fen]{fen} w - - 0 1[/DhtmlXQ_fen]{list}"), fen, &main),
            (format!("[DhtmlXQ_fen]{fen} r[/DhtmlXQ_fen]{init}{list}"), fen, &main),
            (format!("{init}[DhtmlXQ_fen][/DhtmlXQ_fen]{list}"), usual, &main),
            (format!("{}{list}", init.replace("]0919", "]xx19")), &fen.replace("R1BA", "1NBA"), &main),
            (format!("{}{list}", init.replace("]0919", "]09??")), fen, &main),
            (format!("{short}[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"), without, &main[..1]),
            (format!("{init}[DhtmlXQ_move_0_1_0]77477062[/DhtmlXQ_move_0_1_0]"), usual, &main),
            (
                format!(
                    "{init}[DhtmlXQ_movelist][/DhtmlXQ_movelist][DhtmlXQ_move_0_1_0]7747[/DhtmlXQ_move_0_1_0]"
                ),
                usual,
                &main[..1],
            ),
            (
                format!(
                    "{init}[DhtmlXQ_comment0][DhtmlXQ_movelist]0908[/DhtmlXQ_movelist][/DhtmlXQ_comment0]{list}"
                ),
                usual,
                &main,
            ),
            (
                format!("{init}[DhtmlXQ_comment0]see [DhtmlXQ_movelist]7747[/DhtmlXQ_comment0]{list}"),
                usual,
                &main,
            ),
            (format!("{init}{list}").to_lowercase(), usual, &main),
            (format!("{init}{list}").replace("7062[", "70626["), usual, &main),
            (format!("{init}{list}").replace("7062[", "7062\n626["), usual, &main),
        ];
        for (text, fen, moves) in rows {
            for text in [format!("[DhtmlXQ]{text}[/DhtmlXQ]"), format!("[dhtmlxq]{text}[/dhtmlxq]")] {
                let game = read(&text).remove(0).unwrap_or_else(|why| panic!("{text}: {why}"));
                let start = game.opening.fen.unwrap_or_default();
                assert!(start.starts_with(&format!("{fen} w")), "{text}: {start}");
                assert_eq!(game.opening.moves, *moves, "{text}");
            }
        }
    }
}
