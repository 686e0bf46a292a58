//! Games and trees written as SGF.

use crate::game::Side;
use crate::go::board::Board;
use crate::go::coords;
use crate::go::position::Position;
use crate::go::types::{BLACK, Color, Move, WHITE};
use crate::message;
use crate::util::message::Message;
use sgf_parse::go::{self, Prop};
use sgf_parse::{SgfNode, SgfProp};

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

/// What stands near the beginning of every record that [`save`] writes: the program's name, its version
/// follows.
pub const MARK: &str = "AP[Sanqi:";

/// The moves that placed a handicap on the empty board, up to its last stone: White may have passed between
/// them.
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

#[allow(clippy::arithmetic_side_effects, reason = "a letter of the alphabet")]
pub(super) fn text_of(at: go::Point) -> String {
    let letter = |i: u8| char::from(if i < 26 { b'a' + i } else { b'A' + (i - 26) % 26 });
    [letter(at.x), letter(at.y)].iter().collect()
}
