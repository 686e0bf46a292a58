//! Game records: SGF in and out.
//!
//! Reading takes the main line of the first game of a file, with its set-up stones; variations are read and
//! left aside. Source: <https://www.red-bean.com/sgf/>.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::board::Board;
use super::coords;
use super::position::{IllegalMove, Position};
use super::rules::Rules;
use super::types::{BLACK, Color, MAX_KOMI, MAX_SIZE, Move, Point, WHITE};
use crate::game::Side;
use crate::util::lang::Bilingual;
use crate::util::message::Message;
use crate::{errors, message};
use sgf_parse::go::{self, Prop};
use sgf_parse::{SgfNode, SgfProp};

/// Nodes that one line of play may have: records are trees whose depth is the length of a game.
const MAX_LINE: usize = 2500;

/// Nodes that one record may have, variations included.
const MAX_NODES: usize = 100_000;

/// Values that stand for a rectangle of points: each is up to 625 points, and a record needs a few.
const MAX_RECTANGLES: usize = 2500;

/// Points that they stand for in one record.
const MAX_POINTS: usize = 100_000;

/// The same in a collection, besides four for each of its bytes.
const MAX_COLLECTION_POINTS: usize = 1_000_000;

/// Game trees inside each other.
const MAX_NESTING: usize = 10_000;

const POINTS: Bilingual = Bilingual("points in rectangles", "矩形所含的点");

/// Bytes of a file with one record.
pub const MAX_BYTES: u64 = 4 << 20;

errors! {
    /// Why a text is no record of a game that can be played here.
    pub enum SgfError {
        Syntax(why: Message) = "not SGF: {why}" | "不是 SGF：{why}",
        OtherGame = "not a game of Go" | "不是围棋的棋谱",
        TooLong(limit: usize) = "more than {limit} nodes in one line" | "一条变化里的节点多于 {limit} 个",
        TooMany(what: Bilingual) = "too many {what}" | "{what}太多",
        /// A size outside 1 to 25.
        Size(width: u8, height: u8) = "board size {width}x{height}" | "棋盘大小 {width}x{height}",
        Property(name: String) = "bad property {name}" | "属性 {name} 无法理解",
        SetUp(at: String) = "set-up off the board: '{at}'" | "摆子在棋盘之外：“{at}”",
        /// A move, by its number from 1, in SGF coordinates.
        Move(number: usize, at: String, why: IllegalMove) = "move {number} at '{at}': {why}"
            | "第 {number} 着“{at}”：{why}",
    }
}

/// Reads a record up to just before move number `before` (from 1), or to its end. Komi, rules and handicap are
/// the record's; `rules` where it names none that are known. Whose turn it is: who moves next in the record, or
/// as it says, or as the game has it.
///
/// A record is a fact: moves that the rules forbid, but the board allows (ko, suicide), are played. One without its
/// last brackets is read as far as it goes: see [`Tree::is_cut`].
/// # Errors
/// [`SgfError`]; the first thing that is wrong on the main line.
pub fn load(text: &str, before: Option<usize>, rules: Rules) -> Result<Position, SgfError> {
    check_size(text)?;
    let root = trees(text).next().ok_or_else(no_tree)?.parse()?;
    Loader::new(&root, rules)?.run(&root, before.unwrap_or(usize::MAX))
}

/// A game of a collection.
pub struct Recorded {
    /// Where it ended: its moves are those of the main line.
    pub end: Position,
    /// How many of its first moves are an opening that nobody chose: `book` stands in their comments.
    pub book: usize,
}

/// Reads all games of a collection, as [`load`] reads the first.
/// # Errors
/// [`SgfError`]: of the whole text when it cannot be parsed, else of each game.
pub fn load_all(text: &str, rules: Rules) -> Result<Vec<Result<Recorded, SgfError>>, SgfError> {
    let game =
        |tree: &sgf_parse::GameTree| load_game(tree.as_go_node().map_err(|_| SgfError::OtherGame)?, rules);
    check_collection(text)?;
    if trees(text).any(|tree| tree.is_cut) {
        return Err(missing_bracket());
    }
    Ok(parse(text)?.iter().map(game).collect())
}

/// Reads the main line of a game, as [`load`] does.
/// # Errors
/// Those of [`load`] that one game can have.
pub fn load_game(root: &SgfNode<Prop>, rules: Rules) -> Result<Recorded, SgfError> {
    let is_book =
        |node: &SgfNode<Prop>| node.properties().any(|p| matches!(p, Prop::C(c) if c.text == "book"));
    let book = root.main_variation().skip(1).take_while(|node| is_book(node)).count();
    Ok(Recorded { end: Loader::new(root, rules)?.run(root, usize::MAX)?, book })
}

/// A game of a collection, as it stands in the text.
pub struct Tree<'a> {
    /// From its first bracket to its last, or to the end of a text that is cut.
    text: &'a str,
    /// The line where it begins, from 1.
    pub line: usize,
    /// It has no last bracket: [`missing_bracket`].
    pub is_cut: bool,
}

/// The fault of a record that is cut off.
pub fn missing_bracket() -> SgfError {
    SgfError::Syntax(message!("the last bracket is missing" | "缺少最后的括号"))
}

pub fn no_tree() -> SgfError {
    SgfError::Syntax(message!("no game tree" | "没有棋局"))
}

/// The games of a collection. What stands between them is passed over.
pub fn trees(text: &str) -> impl Iterator<Item = Tree<'_>> {
    let (mut rest, mut next_line) = (text, 1_usize);
    std::iter::from_fn(move || {
        let (before, from) = rest.split_at(start(rest)?);
        let line = next_line.saturating_add(before.matches('\n').count());
        let length = length(from);
        let (text, behind) = from.split_at(length.unwrap_or(from.len()));
        (rest, next_line) = (behind, line.saturating_add(text.matches('\n').count()));
        Some(Tree { text, line, is_cut: length.is_none() })
    })
}

/// Where the next game begins: at a bracket that a node follows.
fn start(text: &str) -> Option<usize> {
    let has_node = |at: &usize| {
        text.get(at.saturating_add(1)..).is_some_and(|behind| behind.trim_start().starts_with(';'))
    };
    text.match_indices('(').map(|(at, _)| at).find(has_node)
}

impl Tree<'_> {
    /// The game as nodes: all that stand before the end of a text that is cut, but for the property that it cuts.
    /// # Errors
    /// [`SgfError`]: the text cannot be parsed, or is no game of Go.
    pub fn parse(&self) -> Result<SgfNode<Prop>, SgfError> {
        check_size(self.text)?;
        let tree = parse(self.text)?.into_iter().next().ok_or(SgfError::OtherGame)?;
        tree.into_go_node().map_err(|_| SgfError::OtherGame)
    }

    /// The line, from 1, where a move of the main line stands, or what is wrong with the game if no move is.
    pub fn line_of(&self, mv: Option<usize>) -> usize {
        let passed = match mv {
            Some(number) => place_of_move(self.text, number).and_then(|at| self.text.get(..at)),
            None => Some(self.text.trim_end()).filter(|_| self.is_cut),
        };
        self.line.saturating_add(passed.map_or(0, |text| text.matches('\n').count()))
    }
}

/// The bytes of a text that stand outside the values of properties, with their places.
fn outside_values(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut in_value, mut escaped) = (false, false);
    text.bytes().enumerate().filter(move |&(_, byte)| {
        let was_in_value = in_value;
        in_value = if was_in_value { byte != b']' || escaped } else { byte == b'[' };
        escaped = was_in_value && byte == b'\\' && !escaped;
        !was_in_value
    })
}

/// How many bytes the game at the start of a text takes. `None`: no bracket closes it.
fn length(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut brackets = outside_values(text).filter(|(_, byte)| matches!(byte, b'(' | b')'));
    let last = brackets.find(|(_, byte)| {
        depth = if *byte == b'(' { depth.saturating_add(1) } else { depth.saturating_sub(1) };
        depth == 0
    });
    last.map(|(at, _)| at.saturating_add(1))
}

/// Where move `number` of the main line stands, from 1. The main line ends with the first bracket that closes.
fn place_of_move(text: &str, number: usize) -> Option<usize> {
    // The capitals of a name, of which old records have small letters besides.
    let (mut name, mut moves, mut is_apart) = (Vec::new(), 0_usize, false);
    for (at, byte) in outside_values(text).take_while(|(_, byte)| *byte != b')') {
        if byte.is_ascii_alphanumeric() && std::mem::take(&mut is_apart) {
            // The name before has no value.
            name.clear();
        }
        is_apart |= byte.is_ascii_whitespace();
        match byte {
            b'A'..=b'Z' => name.push(byte),
            b'[' => {
                moves = moves.saturating_add(usize::from(matches!(name[..], [b'B' | b'W'])));
                if moves == number {
                    return Some(at);
                }
                name.clear();
            }
            b';' | b'(' => name.clear(),
            _ => (),
        }
    }
    None
}

/// A tree as text, in brackets.
pub fn tree_text(root: &SgfNode<Prop>) -> String {
    let mut out = String::new();
    // Trees that are to be written; none stands for a bracket that closes one.
    let mut open = vec![Some(root)];
    while let Some(next) = open.pop() {
        let Some(mut node) = next else {
            out.push(')');
            continue;
        };
        out.push('(');
        out += &node_text(node);
        while let [only] = node.children.as_slice() {
            node = only;
            out += &node_text(node);
        }
        open.push(None);
        open.extend(node.children.iter().rev().map(Some));
    }
    out
}

fn node_text(node: &SgfNode<Prop>) -> String {
    node.properties().fold(";".to_owned(), |text, prop| text + &property(prop))
}

/// A property as text. The parser keeps points in sets: a fixed order makes writing deterministic.
pub fn property(prop: &Prop) -> String {
    let pair = |(from, to): &(go::Point, go::Point)| format!("{}:{}", text_of(*from), text_of(*to));
    let mut values: Vec<String> = match prop {
        // Without a name its values would be those of the property before.
        Prop::Unknown(name, _) if name.is_empty() => return String::new(),
        Prop::Unknown(name, values) | Prop::Invalid(name, values) => {
            let values: Vec<String> = values.iter().map(|value| escape(value)).collect();
            return format!("{name}[{}]", values.join("]["));
        }
        Prop::AB(points)
        | Prop::AE(points)
        | Prop::AW(points)
        | Prop::CR(points)
        | Prop::DD(points)
        | Prop::MA(points)
        | Prop::SL(points)
        | Prop::SQ(points)
        | Prop::TB(points)
        | Prop::TR(points)
        | Prop::TW(points)
        | Prop::VW(points) => points.iter().map(|&at| text_of(at)).collect(),
        Prop::AR(pairs) | Prop::LN(pairs) => pairs.iter().map(pair).collect(),
        Prop::LB(labels) => {
            let text = |text: &str| escape(text).replace(':', "\\:");
            labels.iter().map(|(at, label)| format!("{}:{}", text_of(*at), text(&label.text))).collect()
        }
        Prop::AP(_) | Prop::FG(_) => return prop.to_string(),
        // No colon separates values here: none needs an escape.
        _ => return prop.to_string().replace("\\:", ":"),
    };
    values.sort_unstable();
    format!("{}[{}]", prop.identifier(), values.join("]["))
}

/// The lines from the root of a tree to its ends, each as a tree of its own, the main line first.
/// # Errors
/// There are more than `most`, or the text of all of them together has more than `most_bytes`.
pub fn lines(root: &SgfNode<Prop>, most: usize, most_bytes: usize) -> Result<Vec<SgfNode<Prop>>, Message> {
    let (mut path, mut lines, mut bytes) = (Vec::new(), Vec::new(), 0_usize);
    // Nodes to look at; how many are above each, and the length of their text.
    let mut open = vec![(0, 0_usize, root)];
    while let Some((depth, above, node)) = open.pop() {
        path.truncate(depth);
        path.push(node);
        let length = above.saturating_add(node_text(node).len());
        open.extend(node.children.iter().rev().map(|child| (path.len(), length, child)));
        if node.children.is_empty() {
            bytes = bytes.saturating_add(length);
            if lines.len() >= most {
                return Err(message!("more than {most} lines" | "变化多于 {most} 条", most));
            }
            if bytes > most_bytes {
                return Err(message!(
                    "more than {mib} MiB of text in all lines" | "所有变化的文字多于 {mib} MiB",
                    mib = most_bytes >> 20
                ));
            }
            let alone = |below, node: &&SgfNode<Prop>| {
                vec![SgfNode::new(node.properties.clone(), below, node.is_root)]
            };
            lines.extend(path.iter().rev().fold(Vec::new(), alone));
        }
    }
    Ok(lines)
}

fn parse(text: &str) -> Result<Vec<sgf_parse::GameTree>, SgfError> {
    // Mail headers and byte order marks stand before the first tree.
    let text = start(text).and_then(|at| text.get(at..)).ok_or_else(no_tree)?;
    if longest_line(text) > MAX_LINE {
        return Err(SgfError::TooLong(MAX_LINE));
    }
    sgf_parse::parse(&in_present_form(text)).map_err(|e| SgfError::Syntax(e.to_string().into()))
}

/// Properties whose values are points, colors or numbers: blanks around them mean nothing.
const PLAIN: [&str; 10] = ["AB", "AW", "AE", "B", "W", "PL", "GM", "SZ", "HA", "KM"];

/// The text of game trees without what the parser stops at or misreads: a second `GM` in a node, what stands between and
/// behind the trees, names without a value, blanks around values that are no text, and values of this kind that are
/// empty, but for those of moves, which are passes; and without line breaks behind a backslash, which only break the text
/// of a record and not that of a value. Trees that the text cuts off are closed, unless another game begins in one.
fn in_present_form(text: &str) -> String {
    let (mut out, mut name, mut value) = (String::with_capacity(text.len()), String::new(), String::new());
    let (mut depth, mut in_value, mut escaped) = (0_usize, false, false);
    // Of the name: a blank stands behind it, a value does, and it has been written.
    let (mut is_apart, mut has_value, mut is_written) = (false, false, false);
    let (mut has_game, mut is_left_out, mut is_joined) = (false, false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if let ('\\', true, false, Some(&line_end @ ('\n' | '\r'))) = (c, in_value, escaped, chars.peek()) {
            chars.next();
            chars.next_if(|&next| matches!(next, '\n' | '\r') && next != line_end);
            continue;
        }
        match c {
            ']' if in_value && !escaped => {
                in_value = false;
                let property: String = name.chars().filter(char::is_ascii_uppercase).collect();
                if !std::mem::replace(&mut has_value, true) {
                    is_left_out = property == "GM" && has_game;
                    has_game |= property == "GM";
                    is_joined |= depth > 1 && matches!(property.as_str(), "FF" | "GM" | "SZ");
                }
                let is_plain = PLAIN.contains(&property.as_str());
                let kept = if is_plain { value.trim() } else { value.as_str() };
                let is_nothing = is_plain && kept.is_empty() && !matches!(property.as_str(), "B" | "W");
                if !is_left_out && !is_nothing {
                    if !std::mem::replace(&mut is_written, true) {
                        out.push_str(&name);
                    }
                    out.extend(["[", kept, "]"]);
                }
            }
            _ if in_value => {
                escaped = c == '\\' && !escaped;
                value.push(c);
            }
            _ if depth == 0 && c != '(' => {}
            'A'..='Z' | 'a'..='z' | '0'..='9' => {
                if is_apart || has_value {
                    name.clear();
                    (is_apart, has_value, is_written) = (false, false, false);
                }
                name.push(c);
            }
            '[' => {
                in_value = true;
                value.clear();
            }
            '(' | ')' | ';' => {
                depth = match c {
                    '(' => depth.saturating_add(1),
                    ')' => depth.saturating_sub(1),
                    _ => depth,
                };
                has_game &= c != ';';
                name.clear();
                (is_apart, has_value, is_written) = (false, false, false);
                out.push(c);
            }
            _ if c.is_whitespace() => is_apart = !name.is_empty(),
            // Such as a bracket that should have been escaped.
            _ if c.is_ascii() => {}
            _ => out.push(c),
        }
    }
    if !is_joined {
        out.extend(std::iter::repeat_n(')', depth));
    }
    out
}

/// Refuses a collection whose records together would cost much memory, by the text alone.
/// # Errors
/// [`SgfError::TooMany`].
pub fn check_collection(text: &str) -> Result<(), SgfError> {
    // Four points a byte: rectangles of more than 28 points would have to stand one behind the other.
    let most = text.len().saturating_mul(4).saturating_add(MAX_COLLECTION_POINTS);
    let mut points = 0_usize;
    for (at, _) in text.match_indices(':') {
        points = points.saturating_add(at.checked_sub(2).map_or(0, |from| rectangle(text, from)));
    }
    if points > most { Err(SgfError::TooMany(POINTS)) } else { Ok(()) }
}

/// Points of the rectangle `aa:ss` whose text begins at a place; 0 where none stands there.
#[allow(clippy::arithmetic_side_effects, reason = "differences of letters")]
fn rectangle(text: &str, from: usize) -> usize {
    let Some(&[left, top, b':', right, bottom]) = text.as_bytes().get(from..from.saturating_add(5)) else {
        return 0;
    };
    let line = |letter: u8| match letter {
        b'a'..=b'z' => Some(usize::from(letter - b'a')),
        b'A'..=b'Z' => Some(usize::from(letter - b'A') + 26),
        _ => None,
    };
    let lines = |a, b| Some(line(a)?.abs_diff(line(b)?) + 1);
    lines(left, right).zip(lines(top, bottom)).map_or(0, |(width, height)| width * height)
}

/// Refuses what would cost much time or memory to read, by the text alone.
#[allow(clippy::arithmetic_side_effects, reason = "places and counts within a text")]
fn check_size(text: &str) -> Result<(), SgfError> {
    let (mut nodes, mut rectangles, mut points, mut nesting) = (0, 0, 0, 0_usize);
    let (mut value_from, mut escaped) = (None, false);
    for (at, byte) in text.bytes().enumerate() {
        match (byte, value_from) {
            _ if escaped => escaped = false,
            (b'\\', Some(_)) => escaped = true,
            (b']', Some(_)) => value_from = None,
            (b':', Some(from)) if at == from + 2 => {
                rectangles += 1;
                points += rectangle(text, from);
            }
            (_, Some(_)) => (),
            (b'[', None) => value_from = Some(at + 1),
            (b';', None) => nodes += 1,
            (b'(', None) => nesting += 1,
            (b')', None) => nesting = nesting.saturating_sub(1),
            _ => (),
        }
        let limits = [
            (nodes, MAX_NODES, Bilingual("nodes", "节点")),
            (rectangles, MAX_RECTANGLES, Bilingual("rectangles", "矩形")),
            (points, MAX_POINTS, POINTS),
            (nesting, MAX_NESTING, Bilingual("trees inside each other", "嵌套的变化")),
        ];
        if let Some((_, _, what)) = limits.into_iter().find(|(count, most, _)| count > most) {
            return Err(SgfError::TooMany(what));
        }
    }
    Ok(())
}

/// Most nodes on a path from the root of a tree, by the text alone.
#[allow(clippy::arithmetic_side_effects, reason = "a count within a text")]
fn longest_line(text: &str) -> usize {
    let (mut depth, mut most, mut stack) = (0, 0, Vec::new());
    let (mut in_value, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_value => escaped = true,
            b']' => in_value = false,
            _ if in_value => (),
            b'[' => in_value = true,
            b'(' => stack.push(depth),
            b')' => depth = stack.pop().unwrap_or(0),
            b';' => {
                depth += 1;
                most = most.max(depth);
            }
            _ => (),
        }
    }
    most
}

/// Who is to move by the old forms of `PL`: 1 or black, 2 or white.
fn player(values: &[String]) -> Option<Side> {
    match values {
        [value] if value == "1" || value.eq_ignore_ascii_case("black") => Some(BLACK),
        [value] if value == "2" || value.eq_ignore_ascii_case("white") => Some(WHITE),
        _ => None,
    }
}

struct Loader {
    position: Position,
    handicap: u32,
    moves: usize,
}

impl Loader {
    fn new(root: &SgfNode<Prop>, rules: Rules) -> Result<Self, SgfError> {
        let (mut width, mut height) = (19, 19);
        let (mut rules, mut handicap) = (rules, 0);
        for prop in root.properties() {
            match prop {
                Prop::SZ(size) => (width, height) = *size,
                Prop::HA(stones) => handicap = u32::try_from(*stones).unwrap_or(0),
                Prop::RU(name) => rules = Rules::parse(&name.text).unwrap_or(rules),
                Prop::Invalid(name, _) if name == "SZ" => return Err(SgfError::Property(name.clone())),
                _ => (),
            }
        }
        let fits = |n: u8| (1..=MAX_SIZE).contains(&usize::from(n));
        if !fits(width) || !fits(height) {
            return Err(SgfError::Size(width, height));
        }
        let mut position = Position::new(usize::from(width), usize::from(height), rules);
        if let Some(komi) = komi(root) {
            position.set_komi(komi);
        }
        Ok(Self { position, handicap, moves: 0 })
    }

    fn run(mut self, root: &SgfNode<Prop>, before: usize) -> Result<Position, SgfError> {
        for node in root.main_variation() {
            self.set_up(node)?;
            for prop in node.properties() {
                let (side, mv) = match prop {
                    Prop::B(mv) => (BLACK, mv),
                    Prop::W(mv) => (WHITE, mv),
                    Prop::Invalid(name, _) if name == "B" || name == "W" => {
                        return Err(SgfError::Property(name.clone()));
                    }
                    _ => continue,
                };
                if self.moves.saturating_add(1) >= before {
                    self.position.set_side_to_move(side);
                    return Ok(self.position);
                }
                self.play(side, mv)?;
            }
        }
        Ok(self.position)
    }

    fn play(&mut self, side: Side, mv: &go::Move) -> Result<(), SgfError> {
        self.moves = self.moves.saturating_add(1);
        let v = point(self.position.board(), mv).unwrap_or(Point::NONE);
        self.position.play_recorded(side, v).map_err(|why| {
            let at = match mv {
                go::Move::Move(at) => text_of(*at),
                go::Move::Pass => String::new(),
            };
            SgfError::Move(self.moves, at, why)
        })
    }

    /// Applies the set-up properties of a node: the game begins anew from the position they make.
    fn set_up(&mut self, node: &SgfNode<Prop>) -> Result<(), SgfError> {
        let mut changes: Vec<(Option<Side>, go::Point)> = Vec::new();
        let mut to_move = None;
        for prop in node.properties() {
            match prop {
                Prop::AB(points) => changes.extend(points.iter().map(|&at| (Some(BLACK), at))),
                Prop::AW(points) => changes.extend(points.iter().map(|&at| (Some(WHITE), at))),
                Prop::AE(points) => changes.extend(points.iter().map(|&at| (None, at))),
                Prop::PL(color) => {
                    to_move = Some(if matches!(color, sgf_parse::Color::Black) { BLACK } else { WHITE });
                }
                // As programs wrote it before FF[3].
                Prop::Invalid(name, values) if name == "PL" && player(values).is_some() => {
                    to_move = player(values)
                }
                Prop::Invalid(name, _) if matches!(name.as_str(), "AB" | "AW" | "AE" | "PL") => {
                    return Err(SgfError::Property(name.clone()));
                }
                _ => (),
            }
        }
        if !changes.is_empty() {
            self.place(&mut changes)?;
        }
        if let Some(side) = to_move {
            self.position.set_side_to_move(side);
        }
        Ok(())
    }

    fn place(&mut self, changes: &mut [(Option<Side>, go::Point)]) -> Result<(), SgfError> {
        // The parser keeps points in sets: a fixed order makes reading deterministic.
        changes.sort_by_key(|(side, at)| (*side, at.y, at.x));
        let board = self.position.board();
        let mut after: Vec<(Point, Option<Side>)> =
            board.points().map(|v| (v, board.color(v).side())).collect();
        for &(side, at) in changes.iter() {
            let v = coords::from_sgf(board, at.x, at.y).ok_or_else(|| SgfError::SetUp(text_of(at)))?;
            let found = after.binary_search_by_key(&v.index(), |(v, _)| v.index());
            if let Some(point) = found.ok().and_then(|index| after.get_mut(index)) {
                point.1 = side;
            }
        }
        let stones: Vec<_> = after.into_iter().filter_map(|(v, side)| Some((side?, v))).collect();
        // Handicap stones on an empty board are Black's first move.
        let first = self.moves == 0 && stones.iter().all(|&(side, _)| side == BLACK) && self.handicap > 1;
        let to_move = if first { WHITE } else { board.side_to_move() };
        self.position.set_up(stones, to_move);
        self.position.set_handicap_count(self.handicap);
        Ok(())
    }
}

/// The point of a move, or a pass. `None`: it is off the board.
pub fn point(board: &Board, mv: &go::Move) -> Option<Point> {
    match *mv {
        go::Move::Pass => Some(Point::PASS),
        // Passes of old records, on boards that have no such point.
        go::Move::Move(at) if (at.x, at.y) == (19, 19) && board.width().max(board.height()) <= 19 => {
            Some(Point::PASS)
        }
        go::Move::Move(at) => coords::from_sgf(board, at.x, at.y),
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "a letter of the alphabet")]
fn text_of(at: go::Point) -> String {
    let letter = |i: u8| char::from(if i < 26 { b'a' + i } else { b'A' + (i - 26) % 26 });
    [letter(at.x), letter(at.y)].iter().collect()
}

/// The komi of a game, in points. `None`: it tells none, or none that can be understood.
pub fn komi(root: &SgfNode<Prop>) -> Option<f32> {
    let (mut komi, mut is_ours, mut is_fox) = (None, false, false);
    for prop in root.properties() {
        let program = match prop {
            Prop::KM(number) => {
                komi = Some(*number);
                continue;
            }
            // Some programs write a comma for the point.
            Prop::Invalid(name, values) if name == "KM" => {
                let number = values.first().and_then(|text| text.trim().replace(',', ".").parse().ok());
                komi = number.or(komi);
                continue;
            }
            Prop::AP((program, _)) => program.text.as_str(),
            // A program without its version.
            Prop::Invalid(name, values) if name == "AP" => values.first().map_or("", String::as_str),
            _ => continue,
        };
        is_ours = program.trim().eq_ignore_ascii_case("sanqi");
        is_fox |= program.trim().eq_ignore_ascii_case("foxwq");
    }
    let points = match komi? {
        // What this program wrote is points.
        number if is_ours => Some(number as f32),
        // Fox writes hundredths of a 子, of which the least are quarters.
        number if is_fox && number.abs() < 100.0 && number % 25.0 == 0.0 => komi_points(number / 100.0),
        number => komi_points(number),
    };
    points.filter(|points| points.abs() <= MAX_KOMI)
}

/// Komi in points, from a number that may also be of 子 (2.75, 3.75: quarters do not occur in points) or of
/// hundredths (375, as one large server writes it). `None`: no sensible number.
pub fn komi_points(number: f64) -> Option<f32> {
    let number = if number.abs() >= 100.0 { number / 100.0 } else { number };
    let zi = (number * 4.0).fract() == 0.0 && (number * 2.0).fract() != 0.0;
    let points = if zi { number * 2.0 } else { number };
    points.is_finite().then_some(points as f32)
}

/// What a written record says beside the moves. Empty texts are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// `B+7.5`, `W+R`, `0`.
    pub result: String,
    /// Date, `YYYY-MM-DD`.
    pub date: String,
    /// A comment on the whole game.
    pub comment: String,
}

/// What stands near the beginning of every record that [`save`] writes: the program's name, its version follows.
pub const MARK: &str = "AP[Sanqi:";

/// The moves that placed a handicap on the empty board, up to its last stone: White may have passed between them.
fn placed(position: &Position) -> &[(Side, Move)] {
    let (board, moves) = (position.start_board(), position.moves());
    let stones = moves.iter().enumerate().filter(|(_, (_, mv))| mv.is_stone());
    let handicap: Vec<usize> = stones.take_while(|(_, (side, _))| *side == BLACK).map(|(i, _)| i).collect();
    let is_placed = handicap.len() > 1
        && handicap.len() == position.handicap() as usize
        && board.empty_count() == board.area();
    let last = handicap.last().filter(|_| is_placed);
    last.and_then(|&last| moves.get(..=last)).unwrap_or_default()
}

/// Writes the game as SGF: set-up stones, komi, rules, handicap, moves.
pub fn save(position: &Position, info: &Info) -> String {
    let board = position.start_board();
    let mut out = format!("(;FF[4]GM[1]CA[UTF-8]{MARK}");
    out += &escape(env!("CARGO_PKG_VERSION"));
    out += "]";
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            out += &format!("{name}[{}]", escape(value));
        }
    };
    add("SZ", &size(board));
    add("KM", &position.komi().to_string());
    let rules = position.rules();
    add("RU", &rules.name().map_or_else(|| rules.short(), str::to_owned));
    add("PB", &info.black);
    add("PW", &info.white);
    add("RE", &info.result);
    add("DT", &info.date);
    add("C", &info.comment);
    if position.handicap() > 1 {
        add("HA", &position.handicap().to_string());
    }
    let placed = placed(position);
    let handicap = placed.iter().map(|&(_, mv)| mv).filter(|mv| mv.is_stone());
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let set_up = board.points().filter(|&v| board.color(v) == color);
        let set_up = set_up.chain(handicap.clone().filter(|_| color == Color::Black));
        let stones: String = set_up.map(|v| format!("[{}]", coords::sgf(board, v))).collect();
        if !stones.is_empty() {
            out += name;
            out += &stones;
        }
    }
    let moves = position.moves().get(placed.len()..).unwrap_or_default();
    let first = moves.first().map_or(position.board().side_to_move(), |&(side, _)| side);
    if first == WHITE {
        out += "PL[W]";
    }
    for (i, &(side, mv)) in moves.iter().enumerate() {
        if i % 10 == 0 {
            out.push('\n');
        }
        let name = if side == BLACK { 'B' } else { 'W' };
        out += &format!(";{name}[{}]", coords::sgf(board, mv));
    }
    out.push(')');
    out
}

fn size(board: &Board) -> String {
    let (width, height) = (board.width(), board.height());
    if width == height { width.to_string() } else { format!("{width}:{height}") }
}

/// Text as the value of an SGF property: its special characters escaped.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
