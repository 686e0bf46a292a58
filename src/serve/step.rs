//! What leads from one node of a game to the next, as the page names it: a move in coordinates, or one of
//!
//! * `--`: a null move,
//! * `.`: nothing, a node that only has a comment,
//! * `B[D4]`: Go, a move out of turn or on a stone,
//! * `AB[D4,Q16]AE[C3]PL[W]B[E5]`: Go, stones put on the board and taken off it, the side to move, a move.

use crate::game::Side;
use crate::games::follow::{self, NULL_MOVE};
use crate::games::game::Game;
use crate::games::record::GameKind;
use crate::games::tree::{Item, MoveText, Node};
use crate::message;
use crate::util::message::Message;

const NOTHING: &str = ".";

/// The name of the step that a node of a record takes.
pub fn name(game: &Game, node: &Node) -> String {
    let color = |side: Side| *side.of(&["B", "W"]);
    match node.played {
        Some((_, mv)) if &*mv == NULL_MOVE || follow::is_usual(game, node) => return mv.to_string(),
        None if !node.sets_up() => return NOTHING.to_owned(),
        _ => {}
    }
    let mut name = String::new();
    for item in &node.items {
        match item {
            Item::Place(side, points) => {
                let points: Vec<&str> = points.iter().map(|point| &**point).collect();
                name += &format!("A{}[{}]", side.map_or("E", color), points.join(","));
            }
            Item::Turn(side) => name += &format!("PL[{}]", color(*side)),
            _ => {}
        }
    }
    if let Some((side, mv)) = node.played {
        name += &format!("{}[{}]", color(side), &*mv);
    }
    name
}

/// Whether a step is a move in turn.
pub fn is_move(name: &str) -> bool {
    ![NOTHING, NULL_MOVE].contains(&name) && !name.ends_with(']')
}

/// The node of a step.
/// # Errors
/// The move is not legal, or the name is none.
pub fn node(game: &Game, name: &str) -> Result<Node, Message> {
    let side = game.side_to_move();
    let bad = || message!("{name} is no step of a game" | "{name} 不是棋局中的一步", name);
    let text = |mv: &str| MoveText::new(mv).ok_or_else(bad);
    let is_go = game.kind() == GameKind::GO;
    match name {
        NOTHING => return Ok(Node::default()),
        NULL_MOVE if !is_go => return Ok(Node::of_move(side, text(NULL_MOVE)?)),
        // A record may have moves that the rules forbid.
        _ if is_move(name) => {
            return Ok(Node::of_move(side, text(game.read(name).as_deref().unwrap_or(name))?));
        }
        _ if !is_go => return Err(bad()),
        _ => {}
    }
    let color = |name: &str| match name {
        "B" => Ok(Side::First),
        "W" => Ok(Side::Second),
        _ => Err(bad()),
    };
    let mut node = Node::default();
    for property in name.split_terminator(']') {
        let (property, value) = property.split_once('[').ok_or_else(bad)?;
        match property {
            "AB" | "AW" | "AE" => {
                let side = property.strip_prefix('A').filter(|side| *side != "E").map(color).transpose()?;
                let points = value.split(',').map(text).collect::<Result<_, _>>()?;
                node.items.push(Item::Place(side, points));
            }
            "PL" => node.items.push(Item::Turn(color(value)?)),
            _ => node.played = Some((color(property)?, text(value)?)),
        }
    }
    Ok(node)
}

/// Takes a step.
/// # Errors
/// Why it is impossible; nothing has changed then.
pub fn take(game: &mut Game, name: &str) -> Result<(), Message> {
    if is_move(name) {
        return game.play_recorded(name);
    }
    let node = node(game, name)?;
    follow::enter(game, &node)
}
