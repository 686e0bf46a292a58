//! Games from files: PGN of chess and xiangqi, the text of DhtmlXQ, XQF, CBR and CBL, and SGF. A game that cannot be
//! read is named by its number and line; the others are read.

mod cbr;
mod decode;
mod dhtmlxq;
mod pgn;
mod xqf;

pub use decode::decode;
pub use pgn::without_number;

use super::notation::Position;
use super::record::{GameKind, GoSetup, Opening};
use super::referee::Rules;
use super::sgf;
use crate::game::Side;
use sgf_parse::SgfNode;
use sgf_parse::go::Prop;

/// A game that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// What is played.
    pub kind: GameKind,
    /// Where it starts, and all its moves, in coordinates; its number in the file, from 1.
    pub opening: Opening,
    /// What is said of each move; none where the record has none, or its kind is not read for them.
    pub comments: Vec<String>,
    /// Tags in their order: `White`, `Red`, `Event`.
    pub tags: Vec<(String, String)>,
    /// Go: how it is set up.
    pub go: Option<GoSetup>,
    /// Which line of its game it is, from 1, where all lines were read.
    pub line: Option<usize>,
    /// What else the record has.
    pub margin: Margin,
}

/// What a record has besides the game, for whoever writes the game again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Margin {
    /// PGN: the comment before the first move.
    pub preface: String,
    /// PGN: glyphs, such as `$1`, with the number of moves before the move that has them.
    pub glyphs: Vec<(usize, String)>,
    /// PGN: variations in their brackets, with the number of moves before the move that they stand behind.
    pub variations: Vec<(usize, String)>,
    /// SGF: the game as it was parsed.
    pub tree: Option<SgfNode<Prop>>,
}

/// Those of a list that belong to the move with so many moves before it. A [`Margin`]'s lists are in the order of the
/// moves.
pub fn of_move(list: &[(usize, String)], ply: usize) -> impl Iterator<Item = &str> {
    let from = list.partition_point(|(before, _)| *before < ply);
    let own = list.get(from..).unwrap_or_default().iter().take_while(move |(before, _)| *before == ply);
    own.map(|(_, text)| text.as_str())
}

/// A game that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Where in the file; none where only the game is known.
    pub place: Option<Place>,
    /// What is wrong there.
    pub why: String,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Of a text: the line, from 1.
    Line(usize),
    /// Of a file that is no text: the byte, from 0.
    Byte(usize),
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.place {
            Some(Place::Line(line)) => write!(f, "line {line}: ")?,
            Some(Place::Byte(byte)) => write!(f, "byte {byte}: ")?,
            None => {}
        }
        write!(f, "game {}: {}", self.number, self.why)
    }
}

impl Recorded {
    /// A game of xiangqi of whose record the moves and the tags are read.
    fn of_xiangqi(opening: Opening, tags: Vec<(String, String)>) -> Self {
        let (comments, margin) = Default::default();
        Self { kind: GameKind::Xiangqi, opening, comments, tags, go: None, line: None, margin }
    }

    /// The value of a tag; not one that is empty or a question mark.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let known = |value: &&str| !value.is_empty() && *value != "?";
        self.tags.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str()).filter(known)
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`, from the first side.
    pub fn result(&self) -> &str {
        self.tag("Result").unwrap_or("*")
    }

    /// The player's name, or that of the color.
    pub fn player(&self, side: Side) -> &str {
        let names: &[&str] = match (self.kind.side_name(side), self.kind) {
            ("Black", _) => &["Black"],
            (_, GameKind::Xiangqi) => &["Red", "White"],
            _ => &["White"],
        };
        names.iter().find_map(|name| self.tag(name)).unwrap_or(self.kind.side_name(side))
    }
}

/// All games of a file; `kind` where neither the file nor the game says what is played, `None` for what is usual.
pub fn read(bytes: &[u8], kind: Option<GameKind>) -> Vec<Result<Recorded, Broken>> {
    read_most(bytes, kind, Most::ALL)
}

/// How much of a file is read.
#[derive(Clone, Copy)]
pub struct Most {
    /// Games, of texts that may have many: PGN and SGF.
    pub games: usize,
    /// Moves of a game of PGN.
    pub plies: usize,
}

impl Most {
    /// All of it.
    pub const ALL: Self = Self { games: usize::MAX, plies: usize::MAX };
}

/// The same with all variations of SGF: each line of play, from the start to an end, is a game. Of other files only the
/// games themselves are read.
pub fn read_lines(bytes: &[u8], kind: Option<GameKind>) -> Vec<Result<Recorded, Broken>> {
    let text = decode(bytes);
    if is_sgf(&text, kind) { sgf::read_lines(&text) } else { read(bytes, kind) }
}

/// Whether a text is SGF: its first bracket that a semicolon follows is one that a property or a bracket follows in turn.
fn is_sgf(text: &str, kind: Option<GameKind>) -> bool {
    let begins = |from: &str| {
        let node = from.trim_start().strip_prefix(';').map(str::trim_start)?;
        let behind_name = node.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        Some(
            node.starts_with(['(', ';'])
                || behind_name.len() < node.len() && behind_name.trim_start().starts_with('['),
        )
    };
    let mut brackets = text.match_indices('(').filter_map(|(at, _)| text.get(at.saturating_add(1)..));
    kind == Some(GameKind::Go)
        || text.trim_start().starts_with("(;")
        || brackets.find_map(begins).unwrap_or(false)
}

/// The same, and no more than `most`.
pub fn read_most(bytes: &[u8], kind: Option<GameKind>, most: Most) -> Vec<Result<Recorded, Broken>> {
    if bytes.starts_with(b"XQ") && bytes.len() >= xqf::HEADER {
        return vec![xqf::read(bytes)];
    }
    if bytes.starts_with(cbr::RECORD) {
        return vec![cbr::read(bytes)];
    }
    if bytes.starts_with(cbr::LIBRARY) {
        return cbr::read_library(bytes);
    }
    let text = decode(bytes);
    if text.contains("[DhtmlXQ") {
        return dhtmlxq::read(&text);
    }
    if is_sgf(&text, kind) {
        return sgf::read_games(&text, most.games);
    }
    pgn::read(&text, kind, most)
}

/// All games of a file as openings of `kind`, each cut to its first `plies` moves; what is wrong with those that cannot be
/// read, or are games of another kind.
pub fn openings(bytes: &[u8], kind: GameKind, plies: usize) -> Vec<Result<Opening, String>> {
    let is_xiangqi = |kind| kind == GameKind::Xiangqi;
    let cut = |game: Result<Recorded, Broken>| {
        let game = game.map_err(|e| e.to_string())?;
        if is_xiangqi(game.kind) != is_xiangqi(kind) {
            return Err(format!("game {}: a game of {}", game.opening.number, game.kind));
        }
        let mut opening = game.opening;
        opening.moves.truncate(plies);
        Ok(opening)
    };
    read_most(bytes, Some(kind), Most { plies, ..Most::ALL }).into_iter().map(cut).collect()
}

/// A point of the board as files of xiangqi count them: the file from Red's left, the row from Black's home, from 0.
type Point = (usize, usize);

/// The point in coordinates: `(0, 9)` is `a0`.
#[allow(clippy::arithmetic_side_effects, reason = "a file or a row is from 0 to 9")]
fn coordinates((file, row): Point) -> String {
    format!("{}{}", (b'a' + file as u8) as char, 9 - row)
}

/// Reads moves written in any notation, one after the other, into coordinates.
struct MoveReader {
    position: Position,
    moves: Vec<String>,
}

impl MoveReader {
    fn new(kind: GameKind, fen: Option<&str>) -> Result<Self, String> {
        let opening = Opening { fen: fen.map(str::to_owned), ..Opening::default() };
        Ok(Self { position: Position::new(kind, &Rules::default(), &opening)?, moves: Vec::new() })
    }

    fn read(&mut self, text: &str) -> Result<(), String> {
        let mv = self.position.read(text)?;
        self.position.play(&mv)?;
        self.moves.push(mv);
        Ok(())
    }
}

/// A move of xiangqi told by its start and its end.
struct PointedMove {
    from: Point,
    to: Point,
    /// The byte of the record where it stands.
    byte: usize,
}

/// Reads moves into coordinates from `fen`, or from the usual start.
fn read_pointed(fen: Option<&str>, moves: &[PointedMove]) -> Result<Vec<String>, Damage> {
    let mut reader = MoveReader::new(GameKind::Xiangqi, fen)?;
    for (number, mv) in (1..).zip(moves) {
        let text = coordinates(mv.from) + &coordinates(mv.to);
        reader.read(&text).map_err(|why| Damage::at(mv.byte, format!("move {number}: {why}")))?;
    }
    Ok(reader.moves)
}

/// What is wrong with a record.
struct Damage {
    /// The byte of the record where it is; none where all of it is meant.
    byte: Option<usize>,
    why: String,
}

impl Damage {
    fn at(byte: usize, why: impl Into<String>) -> Self {
        Self { byte: Some(byte), why: why.into() }
    }
}

impl From<String> for Damage {
    fn from(why: String) -> Self {
        Self { byte: None, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sgf_is_known_by_its_first_node() {
        for text in ["(;GM[1]SZ[9];B[ee])", "(\n;GM[1])", "From: (me)\n\n( ; AB [aa])", "(;(;B[ee]))"] {
            assert!(is_sgf(text, None), "{text}");
        }
        for text in ["1. e4 (1. d4 ; a line\n d5) *", "1. e4 {(;)} e5", "", "[Event \"(;a\"]\n\n1. e4 *"] {
            assert!(!is_sgf(text, None), "{text}");
        }
    }
}
