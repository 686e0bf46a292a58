//! The text that DhtmlXQ, the board of many Chinese sites, shows: fields between `[DhtmlXQ_name]` and its
//! end. Points are two digits, the file from Red's left and the rank from Black's home; pieces stand in a
//! fixed order, 99 for one that is gone. Read as the site's own script does where files are damaged
//! (<http://www.dpxq.com>): what is no digit in a start stands for 9, and a move that is cut is left out.

use super::{Broken, Damage, Place, Point, Pointed, PointedMove, Recorded, pgn};
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
        let mut place = |byte: Option<usize>| {
            let fault = at.saturating_add(byte.unwrap_or(0));
            let lines = |from, to| text.get(from..to).map_or(0, |between| between.matches('\n').count());
            line = line.saturating_add(lines(counted, fault)).saturating_sub(lines(fault, counted));
            counted = fault;
            Some(Place::Line(line))
        };
        match read_game(section, number) {
            Ok(game) => game.read(place),
            Err(Damage { byte, why }) => Err(Broken::new(number, place(byte), why)),
        }
    };
    (1..).zip(sections).map(game).collect()
}

/// The fields of a game by their names in small letters: the byte where the value begins, and the value with
/// the blanks around it. What a value quotes is no field.
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

fn read_game(text: &str, number: usize) -> Result<Pointed, Damage> {
    let fields = Fields::of(text);
    let Moves { moves, fault } = moves(&fields);
    let fen = match (fields.get("fen"), fields.get("binit")) {
        (Some(fen), _) => Some(pgn::fen_of(fen)),
        (None, Some(binit)) => Some(fen(binit, moves.first().map(|mv| mv.from))),
        (None, None) => None,
    };
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
        let is_known = tags.iter().any(|(other, _)| other == tag);
        if let Some(value) = fields.get(name).filter(|_| !is_known) {
            tags.push((tag.to_owned(), value.to_owned()));
        }
    }
    let comment = fields.get("comment0").map_or(String::new(), text_of);
    Ok(Pointed { number, fen, tags, comment, moves, fault })
}

/// A text with the line breaks of a page.
fn text_of(text: &str) -> String {
    text.replace("||", "\n").replace("<br>", "\n").trim().to_owned()
}

/// The moves of all lines, up to the first fault.
struct Moves {
    moves: Vec<PointedMove>,
    fault: Option<Damage>,
}

/// A line of play: the main line is number 0.
struct Branch<'a> {
    number: usize,
    /// The line that it leaves, and with which of its moves, from 1.
    parent: usize,
    ply: usize,
    /// The byte where its list begins, and the list: four digits a move, between which there may be blanks.
    list: (usize, &'a str),
}

/// All lines, each with those that leave it behind it, the last to leave first. Some programs write the main
/// line as the first variation, and no list.
fn moves(fields: &Fields<'_>) -> Moves {
    let mut lists = ["movelist", "move_0_1_0"].iter().filter_map(|name| fields.0.get(*name));
    let main = lists.find(|(_, list)| !list.trim().is_empty()).copied().unwrap_or_default();
    let branch = |(name, list): (&String, &(usize, _))| {
        let mut numbers = name.strip_prefix("move_")?.split('_').map(|text| text.parse::<usize>().ok());
        let (parent, ply, number) = (numbers.next()??, numbers.next()??, numbers.next()??);
        Some(Branch { number, parent, ply, list: *list }).filter(|branch| branch.number > 0)
    };
    let mut branches: Vec<Branch<'_>> = fields.0.iter().filter_map(branch).collect();
    branches.sort_by_key(|branch| (branch.ply, std::cmp::Reverse(branch.number)));
    let (mut open, mut found) = (vec![Branch { number: 0, parent: 0, ply: 1, list: main }], Vec::new());
    while let Some(line) = open.pop() {
        if let Err(fault) = add_line(fields, &line, &mut found) {
            return Moves { moves: found, fault: Some(fault) };
        }
        let leaves = |branch: &mut Branch<'_>| branch.parent == line.number;
        open.extend(branches.extract_if(.., leaves));
    }
    Moves { moves: found, fault: None }
}

fn add_line(fields: &Fields<'_>, line: &Branch<'_>, found: &mut Vec<PointedMove>) -> Result<(), Damage> {
    let (start, list) = line.list;
    let mut digits = Vec::with_capacity(4);
    let mut ply = line.ply.saturating_sub(1);
    for (at, c) in list.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        let byte = start.saturating_add(at);
        let digit = c.to_digit(10).ok_or_else(|| Damage::at(byte, format!("{c:?} in the list of moves")))?;
        digits.push((byte, digit as usize));
        if let [(byte, file), (_, row), (_, to_file), (_, to_row)] = digits[..] {
            let number = ply.saturating_add(1);
            let name = match line.number {
                0 => format!("comment{number}"),
                branch => format!("comment{branch}_{number}"),
            };
            let comment = fields.get(&name).map_or(String::new(), text_of);
            found.push(PointedMove { from: (file, row), to: (to_file, to_row), byte, ply, comment });
            (ply, digits) = (number, Vec::with_capacity(4));
        }
    }
    Ok(())
}

/// The FEN of a start in digits, a file from Red's left and a rank from Black's home for each piece. One that
/// is too short is filled up with 9: no piece.
fn fen(binit: &str, first: Option<Point>) -> String {
    let signs = binit.chars().filter(|c| !c.is_whitespace());
    let digits: Vec<usize> = (signs.map(|c| c.to_digit(10).map_or(9, |digit| digit as usize)))
        .chain(std::iter::repeat(9))
        .take(64)
        .collect();
    let points = digits.as_chunks::<2>().0.iter().map(|&[file, row]| (file, row));
    fen_of(points.zip(PIECES.chars()).filter(|((file, _), _)| *file < 9), first)
}

/// A FEN of pieces on points (file, row from Black's home); the side of the piece on `first` is to move.
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
