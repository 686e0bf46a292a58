//! What a record has between its moves: stones that are set up within a game, a move out of turn, a side that
//! does not move, a node without a move. The page keeps it as a move with a text of its own.
//!
//! `+b:D4,E5 w:C3 e:G7 t:w` puts black and white stones on points, empties others, and gives the turn; `+`
//! does nothing. `b:D4` is a move of Black's out of turn, and `--` a null move.

use crate::game::Side;
use crate::games::follow::NULL_MOVE;
use crate::games::tree::{Item, MoveText, Node};
use crate::message;
use crate::util::message::Message;
use serde_json::{Value, json};

const SIDES: [(&str, Option<Side>); 3] = [("b", Some(Side::First)), ("w", Some(Side::Second)), ("e", None)];

const fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "b",
        Side::Second => "w",
    }
}

fn side_of(letter: &str) -> Option<Side> {
    SIDES.iter().find(|(name, _)| *name == letter).and_then(|(_, side)| *side)
}

/// Whether a move of the page is none that is played in turn.
pub(super) fn is_step(text: &str) -> bool {
    text.starts_with('+') || text.contains(':') || text == NULL_MOVE
}

/// Whether it plays nothing.
pub(super) fn is_setup(text: &str) -> bool {
    text.starts_with('+')
}

pub(super) fn sets_up(node: &Node) -> bool {
    node.items.iter().any(|item| matches!(item, Item::Place(..) | Item::Turn(_)))
}

/// The set-up of a node of a record; its turn is that of the move behind it, if there is one.
pub(super) fn of_node(node: &Node) -> String {
    let field = |item: &Item| match item {
        Item::Place(side, points) => {
            let points: Vec<&str> = points.iter().map(|point| &**point).collect();
            Some(format!("{}:{}", side.map_or("e", letter), points.join(",")))
        }
        Item::Turn(side) if node.played.is_none() => Some(format!("t:{}", letter(*side))),
        _ => None,
    };
    let turn = node.played.map(|(side, _)| format!("t:{}", letter(side)));
    let fields: Vec<String> = node.items.iter().filter_map(field).chain(turn).collect();
    format!("+{}", fields.join(" "))
}

/// A move out of turn.
pub(super) fn of_move(side: Side, mv: &str) -> String {
    format!("{}:{mv}", letter(side))
}

/// A step as a node of a record.
/// # Errors
/// What in the text is not understood.
pub(super) fn node(side: Side, text: &str) -> Result<Node, Message> {
    let unknown = || message!("{text} is no move" | "{text} 不是着法", text);
    let read = |point: &str| MoveText::new(point).ok_or_else(unknown);
    let Some(fields) = text.strip_prefix('+') else {
        let (side, mv) = match text.split_once(':') {
            Some((color, mv)) => (side_of(color).ok_or_else(unknown)?, mv),
            None => (side, text),
        };
        return Ok(Node::of_move(side, read(mv)?));
    };
    let mut node = Node::default();
    for field in fields.split_whitespace() {
        let (name, value) = field.split_once(':').ok_or_else(unknown)?;
        let item = match SIDES.iter().find(|(known, _)| *known == name) {
            Some((_, side)) => Item::Place(*side, value.split(',').map(read).collect::<Result<_, _>>()?),
            None if name == "t" => Item::Turn(side_of(value).ok_or_else(unknown)?),
            None => return Err(unknown()),
        };
        node.items.push(item);
    }
    Ok(node)
}

/// A step as people read it: `●D4 ○C3 ×G7`, of many points their number; `→○` gives the turn.
pub(super) fn written(text: &str) -> Value {
    let sign = |name: &str| match name {
        "b" => "●",
        "w" => "○",
        _ => "×",
    };
    let field = |field: &str| match field.split_once(':') {
        Some(("t", side)) => format!("→{}", sign(side)),
        Some((name, points)) => {
            let count = points.split(',').count();
            if count > 4 { format!("{}×{count}", sign(name)) } else { format!("{}{points}", sign(name)) }
        }
        None => field.to_owned(),
    };
    let fields: Vec<String> = text.trim_start_matches('+').split_whitespace().map(field).collect();
    if fields.is_empty() { json!(["·"]) } else { json!([fields.join(" ")]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_they_are_written() {
        for text in ["+b:D4,E5 w:C3 e:G7 t:w", "+", "+t:b", "+e:A1"] {
            assert_eq!(of_node(&node(Side::First, text).unwrap()), text);
        }
        let moved = node(Side::First, "w:D4").unwrap().played.unwrap();
        assert_eq!((moved.0, &*moved.1), (Side::Second, "D4"));
        for text in ["+x:D4", "+b", "+t:e", "q:D4", "+b:D4567890"] {
            assert!(node(Side::First, text).is_err(), "{text}");
        }
        assert_eq!(written("+b:D4 w:C3,C4 t:w"), json!(["●D4 ○C3,C4 →○"]));
        assert_eq!(written("+b:A1,A2,A3,A4,A5"), json!(["●×5"]));
    }
}
