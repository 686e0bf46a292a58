//! CBR and CBL, the files of 象棋桥 (CCBridge): a record of one game, and a library of records. Fields have
//! fixed places and are written in UTF-16; nothing is masked. Source: users' descriptions, first of all
//! <https://zhuanlan.zhihu.com/p/682174695>; the reader of cchess is the oracle of the tests.

use super::dhtmlxq::fen_of;
use super::{Broken, Damage, Place, Point, Pointed, PointedMove, Recorded};
use crate::message;

pub const RECORD: &[u8] = b"CCBridge Record\0";

pub const LIBRARY: &[u8] = b"CCBridgeLibrary\0";

/// Bytes in front of a record's moves.
const HEAD: usize = 2214;

/// Where the fields of a record stand: texts by place and width in bytes, the others by place.
mod at {
    pub const TITLE: (usize, usize) = (180, 128);
    pub const EVENT: (usize, usize) = (692, 64);
    pub const ROUND: (usize, usize) = (756, 64);
    pub const DATE: (usize, usize) = (884, 64);
    pub const SITE: (usize, usize) = (948, 64);
    pub const RED: (usize, usize) = (1076, 64);
    pub const RED_TEAM: (usize, usize) = (1140, 64);
    pub const BLACK: (usize, usize) = (1300, 64);
    pub const BLACK_TEAM: (usize, usize) = (1364, 64);
    pub const RESULT: usize = 2076;
    pub const SIDE: usize = 2112;
    pub const BOARD: usize = 2120;
    /// Of a library: for how many slots it has an index.
    pub const SLOTS: usize = 60;
}

/// Bytes in front of a library's index, of an entry of the index, and of a slot. A record that is longer than
/// a slot goes on in the next.
const LIBRARY_HEAD: usize = 66_624;
const INDEX_ENTRY: usize = 276;
const SLOT: usize = 4096;

/// The letters of the pieces, from 1; the upper half of a byte is 1 for Red and 2 for Black.
const PIECES: &[u8; 7] = b"RNBAKCP";

/// The meanings of the first byte of a move.
const ENDS_LINE: u8 = 0x01;
const HAS_VARIATION: u8 = 0x02;
const HAS_REMARK: u8 = 0x04;

/// The game of a file that begins with [`RECORD`].
pub fn read(bytes: &[u8]) -> Result<Recorded, Broken> {
    read_numbered(bytes, 1, 0, |rest| rest.iter().all(|byte| *byte == 0))
}

/// The games of a file that begins with [`LIBRARY`].
pub fn read_library(bytes: &[u8]) -> Vec<Result<Recorded, Broken>> {
    // Slots beyond the file hold nothing: no number is too large.
    let slots = bytes
        .get(at::SLOTS..)
        .and_then(<[u8]>::first_chunk)
        .map_or(0, |four| u32::from_le_bytes(*four) as usize);
    let first = LIBRARY_HEAD.saturating_add(slots.saturating_mul(INDEX_ENTRY));
    if first > bytes.len() {
        let why = format!("the library ends in its index of {slots} games");
        return vec![Err(Broken::new(1, Some(Place::Byte(bytes.len())), why))];
    }
    let is_record = |&start: &usize| bytes.get(start..).is_some_and(|rest| rest.starts_with(RECORD));
    let starts: Vec<usize> = (first..bytes.len()).step_by(SLOT).filter(is_record).collect();
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    let each = (1..).zip(starts.iter().zip(ends));
    each.map(|(number, (&start, end))| {
        // A slot that is used again may keep the end of a longer record.
        read_numbered(bytes.get(start..end).unwrap_or_default(), number, start, |_| true)
    })
    .collect()
}

/// The game of a record whose first byte has the number `start` in its file, where `may_follow` accepts what
/// stands behind its last move.
fn read_numbered(
    bytes: &[u8],
    number: usize,
    start: usize,
    may_follow: fn(&[u8]) -> bool,
) -> Result<Recorded, Broken> {
    let place = |byte: Option<usize>| Some(Place::Byte(start.saturating_add(byte.unwrap_or(0))));
    match read_game(bytes, number, may_follow) {
        Ok(game) => game.read(place),
        Err(Damage { byte, why }) => Err(Broken::new(number, place(byte), why)),
    }
}

fn read_game(bytes: &[u8], number: usize, may_follow: fn(&[u8]) -> bool) -> Result<Pointed, Damage> {
    let (head, tree) =
        bytes.split_first_chunk().ok_or_else(|| format!("the head of a CBR record has {HEAD} bytes"))?;
    let (mut comment, mut moves) = (String::new(), Vec::new());
    let fault = match read_moves(tree, &mut comment, &mut moves) {
        // A damaged move may look like the last.
        Ok(rest) if !may_follow(rest) => {
            let why = message!("moves stand behind the last one" | "末着之后还有着法");
            Some(Damage::at(bytes.len().saturating_sub(rest.len()), why))
        }
        read => read.err(),
    };
    let mut fen = fen_of(pieces(head)?.into_iter(), moves.first().map(|mv| mv.from));
    if moves.is_empty() && head[at::SIDE] == 2 {
        fen = fen.replacen(" w ", " b ", 1);
    }
    let fen = Some(fen).filter(|fen| fen != crate::xiangqi::START_FEN);
    let result = ["*", "1-0", "0-1", "1/2-1/2"].get(usize::from(head[at::RESULT])).copied().unwrap_or("*");
    let mut tags = vec![("Result".to_owned(), result.to_owned())];
    let event = if text(head, at::EVENT).is_empty() { at::TITLE } else { at::EVENT };
    for (name, field) in [
        ("Event", event),
        ("Round", at::ROUND),
        ("Date", at::DATE),
        ("Site", at::SITE),
        ("Red", at::RED),
        ("RedTeam", at::RED_TEAM),
        ("Black", at::BLACK),
        ("BlackTeam", at::BLACK_TEAM),
    ] {
        let value = text(head, field);
        if !value.is_empty() {
            tags.push((name.to_owned(), value));
        }
    }
    Ok(Pointed { number, fen, tags, comment, moves, fault })
}

/// A field of text: UTF-16 up to a zero or the end of the field.
fn text(head: &[u8; HEAD], (start, width): (usize, usize)) -> String {
    utf16(head.get(start..start.saturating_add(width)).unwrap_or_default())
}

fn utf16(bytes: &[u8]) -> String {
    let (units, _) = bytes.as_chunks::<2>();
    let units = units.iter().map(|&unit| u16::from_le_bytes(unit));
    let read: String = char::decode_utf16(units.take_while(|&unit| unit != 0))
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    read.trim().to_owned()
}

/// A point by its number: row by row from Black's home, in a row from Red's left.
fn point(value: u8) -> Option<Point> {
    (value < 90).then(|| (usize::from(value % 9), usize::from(value / 9)))
}

fn pieces(head: &[u8; HEAD]) -> Result<Vec<(Point, char)>, Damage> {
    let mut found = Vec::new();
    for (i, &byte) in head[at::BOARD..at::BOARD + 90].iter().enumerate() {
        let letter = usize::from(byte & 0x0F).checked_sub(1).and_then(|kind| PIECES.get(kind));
        let piece = match (byte >> 4, letter) {
            (1, Some(&letter)) => letter as char,
            (2, Some(&letter)) => letter.to_ascii_lowercase() as char,
            (0, _) => continue,
            _ => {
                return Err(Damage::at(
                    at::BOARD.saturating_add(i),
                    format!("{byte:#04x} on the board is no piece"),
                ));
            }
        };
        found.push(((i % 9, i / 9), piece));
    }
    Ok(found)
}

/// The moves behind the head, with their remarks. What stands first is no move but carries the remark on the
/// start. Gives what stands behind the last.
#[allow(clippy::arithmetic_side_effects, reason = "places within the record, and counts of its moves")]
fn read_moves<'t>(
    tree: &'t [u8],
    start: &mut String,
    moves: &mut Vec<PointedMove>,
) -> Result<&'t [u8], Damage> {
    let mut rest = tree;
    let cut = || Damage::at(HEAD + tree.len(), "the file ends in a move");
    // The plies at which variations are due.
    let (mut ply, mut variations, mut is_start) = (0, Vec::new(), true);
    loop {
        let byte = HEAD + tree.len() - rest.len();
        let node;
        (node, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
        // Some programs end a line by zeros instead of the mark.
        if !is_start && *node == [0; 4] {
            let Some(at) = variations.pop() else { return Ok(rest) };
            ply = at;
            continue;
        }
        let [mark, _, from, to] = *node;
        let mut comment = String::new();
        if mark & HAS_REMARK != 0 {
            let (length, remark) = rest.split_first_chunk().ok_or_else(cut)?;
            let length = u32::from_le_bytes(*length) as usize;
            comment = utf16(remark.get(..length).ok_or_else(cut)?);
            rest = remark.get(length..).ok_or_else(cut)?;
        }
        if is_start {
            *start = comment;
        } else {
            let why = || Damage::at(byte, format!("move {} leaves the board", ply + 1));
            let (from, to) = point(from).zip(point(to)).ok_or_else(why)?;
            moves.push(PointedMove { from, to, byte, ply, comment });
            if mark & HAS_VARIATION != 0 {
                variations.push(ply);
            }
            ply += 1;
        }
        is_start = false;
        if mark & ENDS_LINE != 0 {
            let Some(at) = variations.pop() else { return Ok(rest) };
            ply = at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of 炮二平五 马８进７, the first with a remark; `moves` as marks, points and remarks.
    fn record(moves: &[(u8, u8, u8, &str)]) -> Vec<u8> {
        let mut file = vec![0; HEAD];
        file[..16].copy_from_slice(RECORD);
        let mut write = |(start, _): (usize, usize), text: &str| {
            for (i, unit) in text.encode_utf16().enumerate() {
                file[start + 2 * i..start + 2 * i + 2].copy_from_slice(&unit.to_le_bytes());
            }
        };
        write(at::TITLE, "一局");
        write(at::RED, "胡荣华");
        file[at::RESULT] = 1;
        file[at::SIDE] = 1;
        let rows =
            ["rnbakabnr", "", ".c.....c.", "p.p.p.p.p", "", "", "P.P.P.P.P", ".C.....C.", "", "RNBAKABNR"];
        for (row, pieces) in rows.iter().enumerate() {
            for (file_of_board, letter) in pieces.bytes().enumerate() {
                let kind = PIECES.iter().position(|&other| other == letter.to_ascii_uppercase());
                let color = if letter.is_ascii_uppercase() { 0x10 } else { 0x20 };
                file[at::BOARD + 9 * row + file_of_board] = kind.map_or(0, |kind| color + kind as u8 + 1);
            }
        }
        for &(mark, from, to, remark) in moves {
            file.extend([mark, 0, from, to]);
            if mark & HAS_REMARK != 0 {
                file.extend((2 * remark.chars().count() as u32).to_le_bytes());
                file.extend(remark.encode_utf16().flat_map(u16::to_le_bytes));
            }
        }
        file
    }

    fn whole() -> Vec<u8> {
        record(&[(4, 0, 0, "开局"), (4, 70, 67, "好"), (3, 7, 24, ""), (1, 1, 20, "")])
    }

    #[test]
    fn the_main_line_is_read_with_its_players() {
        let game = read(&whole()).unwrap();
        assert_eq!(game.opening.moves, ["h2e2", "h9g7"]);
        assert_eq!((game.opening.fen.as_deref(), game.result()), (None, "1-0"));
        assert_eq!((game.tag("Red"), game.tag("Event")), (Some("胡荣华"), Some("一局")));
    }

    #[test]
    fn a_position_without_moves_has_its_side() {
        let mut file = record(&[(1, 0, 0, "")]);
        file[at::SIDE] = 2;
        let game = read(&file).unwrap();
        assert!(game.opening.fen.unwrap().contains(" b ") && game.opening.moves.is_empty());
    }

    #[test]
    fn whatever_is_cut_off_or_wrong_is_reported() {
        let file = record(&[(4, 0, 0, "开局"), (4, 70, 67, "好"), (1, 7, 24, "")]);
        for length in RECORD.len()..file.len() {
            assert!(read(&file[..length]).is_err(), "{length} bytes");
        }
        for (moves, why) in [
            (&[(0, 0, 0, ""), (1, 70, 60, "")][..], "move 1: \"h2g3\""),
            (&[(0, 0, 0, ""), (1, 70, 90, "")], "move 1 leaves the board"),
        ] {
            let found = read(&record(moves)).unwrap_err().to_string();
            assert!(found.starts_with("byte 2218: game 1: ") && found.contains(why), "{found}");
        }
        let mut file = record(&[(0, 0, 0, ""), (1, 70, 67, ""), (1, 7, 24, "")]);
        let broken = read(&file).unwrap_err();
        assert!(broken.to_string().ends_with("moves stand behind the last one"), "{broken}");
        assert_eq!(broken.before.unwrap().opening.moves.len(), 1);
        file.truncate(file.len() - 4);
        file.extend([0; 64]);
        assert!(read(&file).is_ok());
        let mut file = whole();
        file[at::BOARD] = 0x18;
        assert!(read(&file).unwrap_err().why.to_string().contains("0x18"));
    }

    #[test]
    fn a_library_gives_every_record_and_names_the_broken_one() {
        let mut file = vec![0; LIBRARY_HEAD + 3 * INDEX_ENTRY];
        file[..16].copy_from_slice(LIBRARY);
        file[at::SLOTS] = 3;
        let long = record(&[(4, 0, 0, &"长".repeat(3000)), (1, 70, 67, "")]);
        let broken = record(&[(0, 0, 0, ""), (1, 70, 60, "")]);
        for mut record in [whole(), long, broken, whole()] {
            record.resize(record.len().next_multiple_of(SLOT), 0);
            file.extend(record);
        }
        let games = read_library(&file);
        let found: Vec<_> = games.iter().map(|game| game.as_ref().map(|g| g.opening.moves.len())).collect();
        assert_eq!((&found[0], &found[1], &found[3]), (&Ok(2), &Ok(1), &Ok(2)), "{found:?}");
        assert_eq!((found.len(), found[2].unwrap_err().number), (4, 3));
        assert_eq!(games[3].as_ref().unwrap().opening.number, 4);
        file[at::SLOTS + 3] = 0xFF;
        assert!(read_library(&file)[0].is_err() && read_library(LIBRARY)[0].is_err());
    }
}
