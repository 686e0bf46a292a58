//! Trees as the text of SGF.

use super::syntax::GLYPHS;
use crate::game::Side;
use crate::games::tree::{Item, Tree};
use crate::go::{Board, coords};

/// Properties with values of two parts, of which the second may have a colon.
const COMPOSED: [&str; 6] = ["LB", "AR", "LN", "AP", "FG", "SZ"];

/// Text as the value of a property: its special characters escaped.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// What every record begins with.
const HEAD: &str = "FF[4]GM[1]CA[UTF-8]";

/// A tree as text, with a line end.
pub fn write_tree(tree: &Tree, board: &Board) -> String {
    let mut out = String::new();
    // For each open bracket the number of nodes above it.
    let mut open: Vec<usize> = Vec::new();
    for (id, depth) in tree.walk() {
        let has_siblings = tree.parent(id).is_none_or(|parent| tree.children(parent).nth(1).is_some());
        if has_siblings {
            while open.pop_if(|above| *above >= depth).is_some() {
                out.push(')');
            }
            out.push_str(if depth == 0 { "(" } else { "\n(" });
            open.push(depth);
        }
        out.push_str(if depth == 0 || has_siblings { ";" } else { "\n;" });
        if depth == 0 {
            out.push_str(HEAD);
        }
        let node = tree.node(id);
        if let Some((side, mv)) = node.played {
            property(&mut out, letter(side), &[place(board, &mv)]);
        }
        node.items.iter().for_each(|item| write_item(&mut out, board, item));
    }
    out.extend(open.iter().map(|_| ')'));
    out.push('\n');
    out
}

const fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "B",
        Side::Second => "W",
    }
}

/// A vertex as a point of SGF; a pass is empty.
fn place(board: &Board, vertex: &str) -> String {
    coords::parse_vertex(board, vertex).map_or_else(String::new, |v| coords::sgf(board, v))
}

fn write_item(out: &mut String, board: &Board, item: &Item) {
    match item {
        Item::Preface(text) | Item::Comment(text) => property(out, "C", &[escape(text)]),
        Item::Glyph(glyph) => {
            if let Some((_, name, strength)) = GLYPHS.iter().find(|(known, ..)| known == glyph) {
                property(out, name, &[(*strength).to_owned()]);
            }
        }
        Item::Place(side, points) => {
            let name = match side {
                Some(Side::First) => "AB",
                Some(Side::Second) => "AW",
                None => "AE",
            };
            property(out, name, &points.iter().map(|point| place(board, point)).collect::<Vec<_>>());
        }
        Item::Turn(side) => property(out, "PL", &[letter(*side).to_owned()]),
        Item::Property(name, values) => {
            let is_composed = COMPOSED.contains(&name.as_str());
            let text = |value: &String| match value.split_once(':') {
                Some((first, second)) if is_composed => {
                    format!("{}:{}", escape(first), escape(second).replace(':', "\\:"))
                }
                _ => escape(value),
            };
            property(out, name, &values.iter().map(text).collect::<Vec<_>>());
        }
        Item::Unread(_) => {}
    }
}

fn property(out: &mut String, name: &str, values: &[String]) {
    out.push_str(name);
    for value in values {
        out.extend(["[", value, "]"]);
    }
}
