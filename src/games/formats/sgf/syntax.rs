//! The text of SGF as trees, and trees as text. Source: <https://www.red-bean.com/sgf/sgf4.html>.
//!
//! Programs break the grammar in many ways. Names without a value, doubled `GM`, blanks around values, text
//! before and between the games, and a bracket too many behind a comment are passed over; anything else ends
//! the game there.

use super::SgfError;
use crate::ensure;
use crate::game::Side;
use crate::games::tree::{Item, MoveText, NodeId, ROOT, Tree};
use crate::go::{Board, MAX_SIZE, Point, coords};
use crate::message;
use crate::util::lang::Bilingual;

/// Nodes from the root to an end: the length of a game.
const MAX_LINE: usize = 2500;

/// Nodes of a game, variations included.
const MAX_NODES: usize = 100_000;

/// Rectangles of points in a game: each is up to 625 points, and a record needs a few.
const MAX_RECTANGLES: usize = 2500;

/// Points that are set up in a game.
const MAX_POINTS: usize = 100_000;

/// Points of all rectangles in a collection, besides four for each of its bytes.
const MAX_COLLECTION_POINTS: usize = 1_000_000;

/// Game trees inside each other.
const MAX_NESTING: usize = 10_000;

const POINTS: Bilingual = Bilingual("points in rectangles", "矩形所含的点");

/// Properties whose values are points, colors or numbers: blanks around them mean nothing, and an empty one
/// of any but a move is none. Of the size it is a fault: the moves would fit another board, too.
const PLAIN: [&str; 10] = ["AB", "AW", "AE", "B", "W", "PL", "GM", "SZ", "HA", "KM"];

/// Properties with one value, which another without a name of its own cannot follow.
const SINGLE: [&str; 14] = ["B", "W", "PL", "GM", "SZ", "HA", "KM", "C", "N", "GC", "PB", "PW", "BL", "WL"];

#[derive(Clone)]
pub struct Parsed {
    /// All nodes before the fault, if there is one.
    pub tree: Tree,
    pub board: Board,
    /// The line where the game begins, from 1.
    pub line: usize,
    /// The lines where the nodes begin.
    lines: Vec<usize>,
    /// What is wrong with the text, and the line where it stands.
    pub fault: Option<(usize, SgfError)>,
}

impl Parsed {
    pub fn line_of(&self, id: NodeId) -> usize {
        self.lines.get(id.index()).copied().unwrap_or(self.line)
    }

    /// A game of another format, with the lines of its nodes.
    pub fn of_tree(tree: Tree, board: Board, lines: Vec<usize>) -> Self {
        Self { tree, board, line: 1, lines, fault: None }
    }

    /// The line of play from the root to a node, as a game of its own.
    pub fn line_to(&self, end: NodeId) -> Self {
        let path = self.tree.path_to(end);
        let lines = path.iter().map(|id| self.line_of(*id)).collect();
        Self {
            tree: self.tree.of_path(&path),
            board: self.board.clone(),
            line: self.line,
            lines,
            fault: None,
        }
    }
}

/// Rows and columns of a board whose record does not name them.
pub const USUAL_SIZE: usize = 19;

/// The games of a collection, on boards of `size` where they do not name it. What stands between them is
/// passed over.
pub fn games(text: &str, size: usize) -> impl Iterator<Item = Parsed> {
    let mut reader = Reader { text, at: 0, line: 1 };
    std::iter::from_fn(move || {
        let start = start(text.get(reader.at..)?)?;
        reader.go_to(reader.at.saturating_add(start));
        let mut game = Game::new(reader.line, size).read(&mut reader);
        if game.fault.is_none() && closes_nothing(reader.rest()) {
            game.fault = Some((reader.line, surplus_bracket()));
        }
        Some(game)
    })
}

/// Whether a bracket closes before any opens: the game may have ended too early.
fn closes_nothing(text: &str) -> bool {
    text.find(['(', ')']).is_some_and(|at| text.get(at..).is_some_and(|rest| rest.starts_with(')')))
}

/// Where the next game begins: at a bracket that a node follows.
fn start(text: &str) -> Option<usize> {
    let has_node = |at: &usize| {
        text.get(at.saturating_add(1)..).is_some_and(|behind| behind.trim_start().starts_with(';'))
    };
    text.match_indices('(').map(|(at, _)| at).find(has_node)
}

#[derive(Clone)]
struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// From 1.
    line: usize,
}

impl<'a> Reader<'a> {
    fn go_to(&mut self, at: usize) {
        let passed = self.text.get(self.at..at).unwrap_or_default();
        self.line = self.line.saturating_add(passed.matches('\n').count());
        self.at = at;
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Passes the letters and digits that stand here.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        self.go_to(self.at.saturating_add(length));
        rest.get(..length).unwrap_or_default()
    }

    /// Passes the value whose bracket stands here, and gives it without escapes. `None`: the text ends in it.
    fn value(&mut self) -> Option<String> {
        let rest = self.rest();
        let mut value = String::new();
        let mut chars = rest.char_indices().skip(1).peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                ']' => {
                    self.go_to(self.at.saturating_add(at).saturating_add(1));
                    return Some(value);
                }
                '\\' => match chars.next() {
                    // It only breaks the text of the record.
                    Some((_, end @ ('\n' | '\r'))) => {
                        chars.next_if(|&(_, next)| matches!(next, '\n' | '\r') && next != end);
                    }
                    escaped => value.extend(escaped.map(|(_, c)| c)),
                },
                _ => value.push(c),
            }
        }
        self.go_to(self.text.len());
        None
    }
}

struct Game {
    parsed: Parsed,
    /// For every open bracket the node that stands before it.
    open: Vec<Option<NodeId>>,
    current: Option<NodeId>,
    depths: Vec<usize>,
    rectangles: usize,
    points: usize,
    /// The properties of the node that is being read.
    node: Option<Vec<(String, Vec<String>)>>,
    node_line: usize,
}

impl Game {
    fn new(line: usize, size: usize) -> Self {
        let parsed = Parsed {
            tree: Tree::default(),
            board: Board::new(size, size),
            line,
            lines: vec![line],
            fault: None,
        };
        Self {
            parsed,
            open: Vec::new(),
            current: None,
            depths: vec![1],
            rectangles: 0,
            points: 0,
            node: None,
            node_line: line,
        }
    }

    fn read(mut self, reader: &mut Reader<'_>) -> Parsed {
        if let Err(fault) = self.read_nodes(reader) {
            // A fault of the last node does not hide what is wrong before it.
            let _ = self.end_node();
            self.parsed.fault = Some((reader.line, fault));
        }
        self.parsed
    }

    fn read_nodes(&mut self, reader: &mut Reader<'_>) -> Result<(), SgfError> {
        // A name that has no value yet.
        let mut name = String::new();
        // The last bracket that opened a game, if no node stands behind it.
        let mut opened = reader.clone();
        let mut is_first = false;
        while let Some(c) = reader.rest().chars().next() {
            let before = reader.clone();
            match c {
                '(' => {
                    self.end_node()?;
                    if self.open.len() >= MAX_NESTING {
                        return Err(SgfError::TooMany(Bilingual("trees inside each other", "嵌套的变化")));
                    }
                    self.open.push(self.current);
                    (opened, is_first) = (before, true);
                }
                ')' => {
                    self.end_node()?;
                    self.current = self.open.pop().flatten();
                    if self.open.is_empty() {
                        reader.go_to(reader.at.saturating_add(1));
                        return Ok(());
                    }
                }
                ';' => {
                    is_first &= self.node.is_none();
                    self.end_node()?;
                    (self.node, self.node_line) = (Some(Vec::new()), reader.line);
                }
                '[' => {
                    let Some(value) = reader.value() else { break };
                    let joined = matches!(name.as_str(), "FF" | "GM");
                    if joined && is_first && self.open.len() > 1 {
                        // Another game begins in one that is not closed.
                        self.node = None;
                        *reader = opened;
                        break;
                    }
                    self.value(std::mem::take(&mut name), value)?;
                    continue;
                }
                ']' => self.stray_bracket(&name)?,
                c if c.is_ascii_alphanumeric() => {
                    name = reader.word().chars().filter(char::is_ascii_uppercase).collect();
                    let last = self.node.as_ref().and_then(|node| node.last());
                    // Small letters alone are no name but what a bracket has cut off a text.
                    if !name.is_empty() && self.node.is_none() || name.is_empty() && last.is_none() {
                        return Err(unexpected(c));
                    }
                    continue;
                }
                c if c.is_whitespace() => {
                    let rest = reader.rest();
                    let blanks = rest.len().saturating_sub(rest.trim_start().len());
                    reader.go_to(reader.at.saturating_add(blanks));
                    continue;
                }
                c if c.is_ascii() => {}
                c => {
                    ensure!(self.is_behind_text(), unexpected(c));
                }
            }
            if matches!(c, '(' | ')' | ';') {
                name.clear();
            }
            reader.go_to(reader.at.saturating_add(c.len_utf8()));
        }
        self.end_node()?;
        if reader.rest().is_empty() {
            reader.line = reader.text.trim_end().matches('\n').count().saturating_add(1);
        }
        Err(missing_bracket())
    }

    /// Whether the last value of the node is a text of people, which may be cut short by a bracket in it.
    fn is_behind_text(&self) -> bool {
        let last = self.node.as_ref().and_then(|node| node.last());
        last.is_some_and(|(name, _)| !PLAIN.contains(&name.as_str()))
    }

    /// A bracket that closes nothing: the rest of a text with brackets in it, but not a value without its
    /// first bracket.
    fn stray_bracket(&self, name: &str) -> Result<(), SgfError> {
        match self.is_behind_text() && !PLAIN.contains(&name) {
            true => Ok(()),
            false => Err(unexpected(']')),
        }
    }

    fn value(&mut self, name: String, value: String) -> Result<(), SgfError> {
        let Some(node) = &mut self.node else { return Err(unexpected('[')) };
        if !name.is_empty() {
            node.push((name, Vec::new()));
        } else if node.last().is_none_or(|(last, _)| SINGLE.contains(&last.as_str())) {
            return Err(unexpected('['));
        }
        let Some((name, values)) = node.last_mut() else { return Ok(()) };
        let is_plain = PLAIN.contains(&name.as_str());
        let value = if is_plain { value.trim().to_owned() } else { value };
        if !is_plain || !value.is_empty() || matches!(name.as_str(), "B" | "W" | "SZ") {
            values.push(value);
        }
        Ok(())
    }

    /// Adds the node that was read to the tree.
    fn end_node(&mut self) -> Result<(), SgfError> {
        let Some(properties) = self.node.take() else { return Ok(()) };
        let id = match self.current {
            None => {
                self.set_size(&properties)?;
                ROOT
            }
            Some(current) => self.add(current)?,
        };
        self.current = Some(id);
        for (name, values) in properties {
            self.property(name, values)?;
        }
        Ok(())
    }

    fn add(&mut self, parent: NodeId) -> Result<NodeId, SgfError> {
        let tree = &mut self.parsed.tree;
        let depth = self.depths.get(parent.index()).map_or(1, |depth| depth.saturating_add(1));
        ensure!(depth <= MAX_LINE, SgfError::TooLong(MAX_LINE));
        ensure!(tree.len() < MAX_NODES, SgfError::TooMany(Bilingual("nodes", "节点")));
        self.depths.push(depth);
        self.parsed.lines.push(self.node_line);
        Ok(tree.add(parent))
    }

    fn set_size(&mut self, properties: &[(String, Vec<String>)]) -> Result<(), SgfError> {
        let value = |wanted: &str| {
            properties.iter().find_map(|(name, values)| values.first().filter(|_| name == wanted))
        };
        ensure!(value("GM").is_none_or(|game| game == "1"), SgfError::OtherGame);
        let Some(size) = value("SZ") else { return Ok(()) };
        let (width, height) = size.split_once(':').unwrap_or((size, size));
        let number = |text: &str| text.trim().parse::<u8>().map_err(|_| SgfError::Property("SZ".to_owned()));
        let (width, height) = (number(width)?, number(height)?);
        let fits = |n: u8| (1..=MAX_SIZE).contains(&usize::from(n));
        ensure!(fits(width) && fits(height), SgfError::Size(width, height));
        self.parsed.board = Board::new(width.into(), height.into());
        Ok(())
    }

    /// Adds a property to the current node. What cannot be understood stays as it is.
    fn property(&mut self, name: String, values: Vec<String>) -> Result<(), SgfError> {
        let value = values.first().map_or("", String::as_str);
        let is_only = values.len() == 1;
        let item = match name.as_str() {
            // They describe the text, and the writer has its own.
            "FF" | "GM" | "CA" => return Ok(()),
            _ if values.is_empty() => return Ok(()),
            "B" | "W" if is_only => match point(&self.parsed.board, value) {
                Some(v) => return self.play(if name == "B" { Side::First } else { Side::Second }, v),
                None => Item::Property(name, values),
            },
            "AB" | "AW" | "AE" => match self.points(&values)? {
                Some(points) => Item::Place(side_named(name.trim_start_matches('A')), points),
                None => Item::Property(name, values),
            },
            "PL" => match side_named(value) {
                Some(side) => Item::Turn(side),
                None => Item::Property(name, values),
            },
            "C" => Item::Comment(values.concat()),
            _ => match GLYPHS.iter().find(|(_, known, strength)| *known == name && *strength == value.trim())
            {
                Some((glyph, ..)) if is_only => Item::Glyph(*glyph),
                _ => Item::Property(name, values),
            },
        };
        let current = self.current.unwrap_or(ROOT);
        self.parsed.tree.node_mut(current).items.push(item);
        Ok(())
    }

    /// A node has one move; some records have several in one.
    fn play(&mut self, side: Side, v: Point) -> Result<(), SgfError> {
        let mut id = self.current.unwrap_or(ROOT);
        if id == ROOT || self.parsed.tree.node(id).played.is_some() {
            id = self.add(id)?;
            self.current = Some(id);
        }
        let mv = MoveText::new(&coords::vertex(&self.parsed.board, v));
        self.parsed.tree.node_mut(id).played = mv.map(|mv| (side, mv));
        Ok(())
    }

    /// The points of a set-up, rectangles taken apart. `None`: one is off the board.
    fn points(&mut self, values: &[String]) -> Result<Option<Vec<MoveText>>, SgfError> {
        let mut found = Vec::new();
        for value in values {
            let (from, to) = value.split_once(':').unwrap_or((value, value));
            let Some(((x1, y1), (x2, y2))) = letters(from).zip(letters(to)) else { return Ok(None) };
            let (columns, rows) = (x1.min(x2)..=x1.max(x2), y1.min(y2)..=y1.max(y2));
            self.rectangles = self.rectangles.saturating_add(usize::from(value.contains(':')));
            self.points = self.points.saturating_add(columns.len().saturating_mul(rows.len()));
            ensure!(self.rectangles <= MAX_RECTANGLES, SgfError::TooMany(Bilingual("rectangles", "矩形")));
            ensure!(self.points <= MAX_POINTS, SgfError::TooMany(POINTS));
            for (x, y) in columns.flat_map(|x| rows.clone().map(move |y| (x, y))) {
                let Some(v) = coords::from_sgf(&self.parsed.board, x, y) else { return Ok(None) };
                found.extend(MoveText::new(&coords::vertex(&self.parsed.board, v)));
            }
        }
        Ok(Some(found))
    }
}

fn unexpected(c: char) -> SgfError {
    SgfError::Syntax(message!("{c:?} where a property is due" | "该有属性的地方却是 {c:?}", c))
}

/// The fault of a record that is cut off.
pub fn missing_bracket() -> SgfError {
    SgfError::Syntax(message!("the last bracket is missing" | "缺少最后的括号"))
}

fn surplus_bracket() -> SgfError {
    SgfError::Syntax(message!("a bracket closes nothing" | "多了一个括号"))
}

/// Whether nothing is wrong but a bracket at the end.
pub fn is_of_bracket(fault: &SgfError) -> bool {
    *fault == missing_bracket() || *fault == surplus_bracket()
}

pub fn no_tree() -> SgfError {
    SgfError::Syntax(message!("no game tree" | "没有棋局"))
}

/// What is thought of a move: the glyph of PGN, the property and its strength. The first of a glyph is
/// written.
pub(super) const GLYPHS: [(u8, &str, &str); 9] = [
    (1, "TE", "1"),
    (1, "TE", ""),
    (2, "BM", "1"),
    (2, "BM", ""),
    (3, "TE", "2"),
    (4, "BM", "2"),
    (5, "IT", ""),
    (6, "DO", ""),
    (6, "DO", "1"),
];

/// A color, also in the forms of `PL` before FF\[3\].
fn side_named(text: &str) -> Option<Side> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "1" | "black" => Some(Side::First),
        "w" | "2" | "white" => Some(Side::Second),
        _ => None,
    }
}

/// Column and row of a point from the upper left corner: `aa` is (0, 0).
#[allow(clippy::arithmetic_side_effects, reason = "letters of the alphabet")]
pub fn letters(text: &str) -> Option<(u8, u8)> {
    let number = |letter: u8| match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    };
    let &[x, y] = text.trim().as_bytes() else { return None };
    number(x).zip(number(y))
}

/// The point of a move, or a pass. `None`: it is not on the board.
fn point(board: &Board, text: &str) -> Option<Point> {
    match letters(text) {
        None => text.trim().is_empty().then_some(Point::PASS),
        // Passes of old records, on boards that have no such point.
        Some((19, 19)) if board.width().max(board.height()) <= 19 => Some(Point::PASS),
        Some((x, y)) => coords::from_sgf(board, x, y),
    }
}

/// Refuses a collection whose records together would cost much memory, by the size of the text.
pub fn check_collection(text: &str) -> Result<(), SgfError> {
    // Four points a byte: rectangles of more than 28 points would have to stand one behind the other.
    let most = text.len().saturating_mul(4).saturating_add(MAX_COLLECTION_POINTS);
    let area = |at: usize| {
        let from = at.checked_sub(2)?;
        let (left, top) = letters(text.get(from..at)?)?;
        let (right, bottom) = letters(text.get(at.saturating_add(1)..at.saturating_add(3))?)?;
        let lines = |a: u8, b: u8| usize::from(a.abs_diff(b)).saturating_add(1);
        Some(lines(left, right).saturating_mul(lines(top, bottom)))
    };
    let points = text.match_indices(':').filter_map(|(at, _)| area(at)).fold(0_usize, usize::saturating_add);
    if points > most { Err(SgfError::TooMany(POINTS)) } else { Ok(()) }
}
