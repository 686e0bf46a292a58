//! XQF, the files of 象棋演播室: a head of 1024 bytes, then a tree of moves. From
//! version 11 on, points and moves are masked by keys in the head. Source: the description XQF.TXT.

use super::dhtmlxq::{PIECES, fen_of};
use super::{Broken, Damage, Place, Point, Pointed, PointedMove, Recorded};
use crate::message;
use encoding_rs::{GB18030, WINDOWS_1258};
use unicode_normalization::UnicodeNormalization;

pub const HEADER: usize = 1024;

const VERSION: usize = 2;

/// Offset of the side to move: 0 for Red, 1 for Black.
const SIDE: usize = 50;

/// The text that masks moves and remarks.
const MASK: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// The only game of a file.
pub fn read(bytes: &[u8]) -> Result<Recorded, Broken> {
    match read_game(bytes) {
        Ok(game) => game.read(|byte| byte.map(Place::Byte)),
        Err(Damage { byte, why }) => Err(Broken::new(1, byte.map(Place::Byte), why)),
    }
}

/// What is taken off the bytes of a file.
struct Keys {
    /// Off the points of the pieces.
    piece: u8,
    /// Off the start of a move.
    from: u8,
    /// Off its end.
    to: u8,
    /// Off the length of a remark.
    remark: u32,
    /// Off every byte behind the head, by its place.
    stream: [u8; 32],
}

impl Keys {
    fn of(head: &[u8; HEADER]) -> Self {
        if head[VERSION] < 11 {
            return Self { piece: 0, from: 0, to: 0, remark: 0, stream: [0; 32] };
        }
        let mask = head[3];
        let [sum, xy, from, to] = [head[12], head[13], head[14], head[15]];
        let square = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
        let piece = square(xy).wrapping_mul(xy);
        let from_key = square(from).wrapping_mul(piece);
        let to_key = square(to).wrapping_mul(from_key);
        let bytes = [sum, xy, from, to];
        let mut stream = *MASK;
        let keys = bytes.iter().zip(&head[8..12]).map(|(byte, always)| byte & mask | always);
        for (byte, key) in stream.iter_mut().zip(keys.cycle()) {
            *byte &= key;
        }
        let remark = (u32::from(u16::from_be_bytes([sum, xy])) % 32_000).saturating_add(767);
        Self { piece, from: from_key, to: to_key, remark, stream }
    }
}

fn read_game(bytes: &[u8]) -> Result<Pointed, Damage> {
    let (head, tree) =
        bytes.split_first_chunk().ok_or_else(|| format!("the head of an XQF file has {HEADER} bytes"))?;
    let keys = Keys::of(head);
    let Moves { comment, moves, fault } = moves_of(tree, head[VERSION], &keys);
    let pieces = pieces(head, &keys);
    let mut fen = fen_of(pieces.into_iter(), moves.first().map(|mv| mv.from));
    if moves.is_empty() && head[SIDE] == 1 {
        fen = fen.replacen(" w ", " b ", 1);
    }
    let fen = Some(fen).filter(|fen| fen != crate::xiangqi::START_FEN);
    // Some programs write a draw as 4.
    let result = ["*", "1-0", "0-1", "1/2-1/2", "1/2-1/2"].get(usize::from(head[51])).copied().unwrap_or("*");
    let mut tags = vec![("Result".to_owned(), result.to_owned())];
    // The title stands for a missing event.
    for (name, at) in
        [("Event", 208), ("Event", 80), ("Date", 272), ("Site", 288), ("Red", 304), ("Black", 320)]
    {
        // Pascal's strings: the length, then that many bytes in the code page of Chinese Windows.
        let Some((&length, text)) = head.get(at..).and_then(<[u8]>::split_first) else { continue };
        let length = usize::from(length).min(63);
        let value = text_of(text.get(..length).unwrap_or_default());
        let is_known = tags.iter().any(|(other, _)| other == name);
        if !value.trim().is_empty() && !is_known {
            tags.push((name.to_owned(), value.trim().to_owned()));
        }
    }
    Ok(Pointed { number: 1, fen, tags, comment, moves, fault })
}

/// Text of Chinese Windows. In Vietnam it is that of Windows there, whose accented letters would be Chinese
/// characters within words.
fn text_of(bytes: &[u8]) -> String {
    let text = GB18030.decode_without_bom_handling(bytes).0;
    let chars: Vec<char> = text.chars().collect();
    let is_letter =
        |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(char::is_ascii_alphabetic);
    let wide: Vec<usize> =
        (0..chars.len()).filter(|&at| chars.get(at).is_some_and(|c| !c.is_ascii())).collect();
    let glued = wide.iter().filter(|&&at| is_letter(at.checked_sub(1)) || is_letter(at.checked_add(1)));
    match 2_usize.saturating_mul(glued.count()) > wide.len()
        && text.contains(|c: char| c.is_ascii_lowercase())
    {
        // That code page has vowels and tones apart.
        true => WINDOWS_1258.decode_without_bom_handling(bytes).0.nfc().collect(),
        false => text.into_owned(),
    }
}

/// File from Red's left, row from Black's home, of ten times the file and the rank from Red's home.
#[allow(clippy::arithmetic_side_effects, reason = "the last of the digits is from 0 to 9")]
fn point(value: u8) -> Option<Point> {
    (value < 90).then(|| (usize::from(value / 10), 9 - usize::from(value % 10)))
}

#[allow(clippy::arithmetic_side_effects, reason = "a byte and one")]
fn pieces(head: &[u8; HEADER], keys: &Keys) -> Vec<(Point, char)> {
    let mut points = [0; 32];
    points.copy_from_slice(&head[16..48]);
    // Version 12 turns the list as well.
    if head[VERSION] >= 12 {
        points.rotate_right((usize::from(keys.piece) + 1) % 32);
    }
    let points = points.map(|byte| byte.wrapping_sub(keys.piece));
    points.iter().zip(PIECES.chars()).filter_map(|(&value, piece)| Some((point(value)?, piece))).collect()
}

/// What stands behind the head.
#[derive(Default)]
struct Moves {
    comment: String,
    moves: Vec<PointedMove>,
    fault: Option<Damage>,
}

/// The moves with their remarks, up to where they cannot be read. What stands first is no move but carries
/// the remark on the game.
fn moves_of(raw: &[u8], version: u8, keys: &Keys) -> Moves {
    // The head is a multiple of the mask long.
    let tree: Vec<u8> =
        raw.iter().zip(keys.stream.iter().cycle()).map(|(byte, key)| byte.wrapping_sub(*key)).collect();
    let mut found = Moves::default();
    found.fault = match read_moves(&tree, version, keys, &mut found) {
        // A damaged move may look like the last.
        Ok(end) if raw.get(end..).is_some_and(|rest| rest.iter().any(|byte| *byte != 0)) => {
            let why = message!("moves stand behind the last one" | "末着之后还有着法");
            Some(Damage::at(HEADER.saturating_add(end), why))
        }
        read => read.err(),
    };
    found
}

/// Gives where the moves end.
#[allow(clippy::arithmetic_side_effects, reason = "places within the file, and counts of its moves")]
fn read_moves(tree: &[u8], version: u8, keys: &Keys, found: &mut Moves) -> Result<usize, Damage> {
    let mut rest = tree;
    let cut = || Damage::at(HEADER + tree.len(), "the file ends in a move");
    // The plies at which variations are due.
    let (mut ply, mut variations, mut is_root) = (0, Vec::new(), true);
    loop {
        let byte = HEADER + tree.len() - rest.len();
        let node;
        (node, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
        let [from, to, tag, _] = *node;
        let (goes_on, has_variation, has_remark) = if version < 11 {
            (tag & 0xF0 != 0, tag & 0x0F != 0, true)
        } else {
            (tag & 0x80 != 0, tag & 0x40 != 0, tag & 0x20 != 0)
        };
        let mut comment = String::new();
        if has_remark {
            let (length, remark) = rest.split_first_chunk().ok_or_else(cut)?;
            let length = u32::from_le_bytes(*length).checked_sub(keys.remark);
            let length = length.ok_or_else(|| Damage::at(byte, "a remark of negative length"))? as usize;
            comment = text_of(remark.get(..length).ok_or_else(cut)?);
            rest = remark.get(length..).ok_or_else(cut)?;
        }
        if is_root {
            found.comment = comment;
        } else {
            let from = point(from.wrapping_sub(0x18).wrapping_sub(keys.from));
            let to = point(to.wrapping_sub(0x20).wrapping_sub(keys.to));
            let why = || Damage::at(byte, format!("move {} leaves the board", ply + 1));
            let (from, to) = from.zip(to).ok_or_else(why)?;
            found.moves.push(PointedMove { from, to, byte, ply, comment });
            if has_variation {
                variations.push(ply);
            }
            ply += 1;
        }
        is_root = false;
        if !goes_on {
            let Some(at) = variations.pop() else { return Ok(tree.len() - rest.len()) };
            ply = at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plain file of version 10 with 炮二平五 马８进７, its first move with a remark.
    fn plain() -> Vec<u8> {
        let mut file = vec![0; HEADER];
        file[..3].copy_from_slice(b"XQ\x0a");
        let points = "00102030405060708012720323436383091929394959697989177706264666 86";
        let digits: Vec<u8> = points.bytes().filter(u8::is_ascii_digit).map(|d| d - b'0').collect();
        for (i, pair) in digits.chunks(2).enumerate() {
            file[16 + i] = 10 * pair[0] + pair[1];
        }
        file[51] = 1;
        // 胡荣华; the second byte of 喆 is below those of GB 2312.
        file[304..309].copy_from_slice(b"\x04\xba\xfa\xc8\xd9");
        file[320..325].copy_from_slice(b"\x04\xcc\xd5\x86\xb4");
        for (from, to, tag, remark) in [(0, 0, 0xF0, ""), (72, 42, 0xF0, "good"), (79, 67, 0, "")] {
            let length = [remark.len() as u8, 0, 0, 0];
            file.extend([0x18 + from, 0x20 + to, tag, 0]);
            file.extend(length);
            file.extend(remark.bytes());
        }
        file
    }

    #[test]
    fn a_plain_file_is_read() {
        let game = read(&plain()).unwrap();
        assert_eq!(game.opening.moves, ["h2e2", "h9g7"]);
        assert_eq!((game.opening.fen.as_deref(), game.result()), (None, "1-0"));
        assert_eq!((game.tag("Red"), game.tag("Black")), (Some("胡荣"), Some("陶喆")));
    }

    #[test]
    fn names_are_chinese_or_vietnamese() {
        for (bytes, text) in [
            (&b"Nguy\xea\xden V\xe3n"[..], "Nguyễn Văn"),
            (b"Tr\xe2n \xd0inh", "Trân Đinh"),
            (b"Ly\xec Huynh", "Lý Huynh"),
            (b"\xd0\xe0o Cao Khoa", "Đào Cao Khoa"),
            (b"Tr\xe2\xccn Ch\xe1nh T\xe2m", "Trần Chánh Tâm"),
            (b"Ph\xf9ng Quang \xd0i\xea\xf2p", "Phùng Quang Điệp"),
            (b"Vo\xde Minh Nh\xe2\xect", "Võ Minh Nhất"),
            (b"Nguy\xea\xden Th\xe0nh Ba\xd2o", "Nguyễn Thành Bảo"),
            (b"\xba\xfa\xc8\xd9", "胡荣"),
            (b"Master \xba\xfa", "Master 胡"),
            (b"A\xba\xfa\xc8\xd9\xbb\xaa", "A胡荣华"),
            (b"plain", "plain"),
        ] {
            assert_eq!(text_of(bytes), text);
        }
    }

    /// A variation behind the second move, and one behind the first.
    #[test]
    fn variations_and_remarks_are_kept() {
        let mut file = plain();
        file.truncate(HEADER);
        let node = |from: u8, to: u8, tag: u8, remark: &str| {
            let mut bytes = vec![0x18 + from, 0x20 + to, tag, 0, remark.len() as u8, 0, 0, 0];
            bytes.extend(remark.bytes());
            bytes
        };
        for bytes in [
            node(0, 0, 0xF0, "start"),
            node(72, 42, 0xFF, "good"),
            node(79, 67, 0x0F, ""),
            node(19, 27, 0, "or"),
            node(12, 42, 0, ""),
        ] {
            file.extend(bytes);
        }
        let game = read(&file).unwrap();
        assert_eq!(game.opening.moves, ["h2e2", "h9g7"]);
        let text = super::super::pgn::write_tree(
            &game.tree,
            game.start(),
            &[],
            crate::games::notation::Style::Iccs,
            game.result(),
        );
        let moves = text.unwrap().split_once("\n\n").unwrap().1.trim().to_owned();
        assert_eq!(moves, "{start} 1. H2-E2 {good} (1. B2-E2) 1... H9-G7 (1... B9-C7 {or}) 1-0");
    }

    #[test]
    fn moves_behind_the_last_one_are_named() {
        let (mut file, whole) = (plain(), plain().len());
        // Nothing but the tag of the first move changes: it seems to be the last.
        file[HEADER + 8 + 2] = 0;
        let broken = read(&file).unwrap_err();
        assert_eq!(
            (broken.place, broken.why.to_string().as_str()),
            (Some(Place::Byte(HEADER + 20)), "moves stand behind the last one")
        );
        assert_eq!(broken.before.unwrap().opening.moves, ["h2e2"]);
        let mut padded = plain();
        padded.resize(whole + 64, 0);
        assert_eq!(read(&padded), read(&plain()));
    }

    #[test]
    fn a_position_without_moves_has_its_side() {
        let mut file = plain();
        file.truncate(HEADER);
        file.extend([0; 8]);
        file[SIDE] = 1;
        let game = read(&file).unwrap();
        assert!(game.opening.fen.unwrap().contains(" b ") && game.opening.moves.is_empty());
    }

    #[test]
    fn whatever_is_cut_off_is_reported() {
        let file = plain();
        for length in HEADER..file.len() {
            let broken = read(&file[..length]).unwrap_err();
            assert_eq!(broken.place, Some(Place::Byte(length)), "{broken}");
            // Nodes of eight bytes, the first two with a remark of four.
            let moves = length.saturating_sub(HEADER + 8) / 12;
            assert_eq!(broken.before.map_or(0, |game| game.opening.moves.len()), moves, "{length} bytes");
        }
    }
}
