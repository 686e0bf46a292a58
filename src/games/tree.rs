//! A record as a tree: its moves and variations, with everything that stands beside them in its order.
//!
//! Every record format is read into this tree and written from it. What a format has beyond moves, comments,
//! glyphs and set-up stays in the node where it stood, as a property under its own name.

use crate::game::Side;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;

/// A move in coordinates: `e2e4`, `h2e2`, `D4`, `pass`. A point of Go has the same form.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MoveText {
    bytes: [u8; 7],
    length: u8,
}

impl MoveText {
    /// `None`: the text is longer than any move.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; 7];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self { bytes, length: text.len() as u8 })
    }
}

impl Deref for MoveText {
    type Target = str;

    fn deref(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.length)).unwrap_or_default();
        // The bytes are those of a text.
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl TryFrom<String> for MoveText {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        Self::new(&text).ok_or("longer than any move")
    }
}

impl From<MoveText> for String {
    fn from(mv: MoveText) -> Self {
        mv.to_string()
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// What a node has besides its move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Item {
    /// A comment before the first move of a variation.
    Preface(String),
    /// A comment behind the move; in the root, on the whole game.
    Comment(String),
    /// A numeric annotation glyph of PGN, `$1`.
    Glyph(u8),
    /// Go: stones of a color are put on these points, or taken off them (`None`).
    Place(Option<Side>, Vec<MoveText>),
    Turn(Side),
    /// Anything else under its own name, as the format has it.
    Property(String, Vec<String>),
    /// A text that could not be read, as it stands in the record.
    Unread(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(u32);

impl NodeId {
    /// Nodes are numbered from 0, the root, in the order in which they were added.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

pub const ROOT: NodeId = NodeId(0);

const NONE: u32 = u32::MAX;

/// A move, or a place of a record without one.
#[derive(Clone, Debug)]
pub struct Node {
    parent: u32,
    first: u32,
    last: u32,
    next: u32,
    /// The move that leads here. The root has none.
    pub played: Option<(Side, MoveText)>,
    /// All that stands beside it, in its order.
    pub items: Vec<Item>,
}

impl Default for Node {
    fn default() -> Self {
        Self::below(NONE)
    }
}

impl Node {
    /// A node with a move and nothing else.
    pub fn of_move(side: Side, mv: MoveText) -> Self {
        Self { played: Some((side, mv)), ..Self::default() }
    }

    const fn below(parent: u32) -> Self {
        Self { parent, first: NONE, last: NONE, next: NONE, played: None, items: Vec::new() }
    }

    /// All comments behind the move, with a blank between them.
    pub fn comment(&self) -> String {
        let texts = self.items.iter().filter_map(|item| match item {
            Item::Comment(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    /// Whether it changes the board, or whose turn it is, otherwise than by its move.
    pub fn sets_up(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Place(..) | Item::Turn(_)))
    }

    pub fn property(&self, wanted: &str) -> Option<&[String]> {
        self.items.iter().find_map(|item| match item {
            Item::Property(name, values) if name == wanted => Some(values.as_slice()),
            _ => None,
        })
    }
}

/// A tree of moves. Of the nodes below another the first goes on with the line, the others are variations.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: vec![Node::below(NONE)] }
    }
}

/// Trees are equal when their nodes are, whatever the order in which they were made.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        let each = |tree: &Self| {
            tree.walk()
                .map(|(id, depth)| (depth, tree.node(id).played, tree.node(id).items.clone()))
                .collect::<Vec<_>>()
        };
        each(self) == each(other)
    }
}

impl Tree {
    /// An empty tree with room for the moves of a line.
    pub fn with_capacity(moves: usize) -> Self {
        let mut nodes = Vec::with_capacity(moves.saturating_add(1));
        nodes.push(Node::below(NONE));
        Self { nodes }
    }

    /// How many nodes it has, the root among them.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    #[allow(clippy::indexing_slicing, reason = "ids are made by this tree and nodes are never removed")]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    #[allow(clippy::indexing_slicing, reason = "as above")]
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Adds an empty node behind the other children of `parent`.
    pub fn add(&mut self, parent: NodeId) -> NodeId {
        let id = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        self.nodes.push(Node::below(parent.0));
        let before = std::mem::replace(&mut self.node_mut(parent).last, id);
        match before {
            NONE => self.node_mut(parent).first = id,
            before => self.node_mut(NodeId(before)).next = id,
        }
        NodeId(id)
    }

    /// Adds a move behind the other children of `parent`.
    pub fn play(&mut self, parent: NodeId, side: Side, mv: MoveText) -> NodeId {
        let id = self.add(parent);
        self.node_mut(id).played = Some((side, mv));
        id
    }

    /// Puts the last child of a node, which has several, behind the first: a variation before the others.
    pub fn raise_last(&mut self, parent: NodeId) {
        let Node { first, last, .. } = *self.node(parent);
        let second = self.node(NodeId(first)).next;
        if second == last || second == NONE {
            return;
        }
        let before = self.children(parent).find(|id| self.node(*id).next == last);
        self.node_mut(NodeId(first)).next = last;
        self.node_mut(NodeId(last)).next = second;
        if let Some(before) = before {
            self.node_mut(before).next = NONE;
            self.node_mut(parent).last = before.0;
        }
    }

    /// Takes a node that is not the root away from its parent, with all below it.
    pub fn detach(&mut self, id: NodeId) {
        let Some(parent) = self.parent(id) else { return };
        let before = self.children(parent).take_while(|other| *other != id).last();
        let next = std::mem::replace(&mut self.node_mut(id).next, NONE);
        match before {
            Some(before) => self.node_mut(before).next = next,
            None => self.node_mut(parent).first = next,
        }
        if next == NONE {
            self.node_mut(parent).last = before.map_or(NONE, |before| before.0);
        }
    }

    /// The node above. The root has none.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        Some(NodeId(self.node(id).parent)).filter(|parent| parent.0 != NONE)
    }

    /// The nodes below, the one that goes on with the line first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let link = |id: u32| Some(NodeId(id)).filter(|id| id.0 != NONE);
        std::iter::successors(link(self.node(id).first), move |id| link(self.node(*id).next))
    }

    /// The main line, from the root to its end.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        self.line_from(ROOT)
    }

    pub fn line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |id| self.children(*id).next())
    }

    /// The nodes of the main line that have a move.
    pub fn plies(&self) -> impl Iterator<Item = NodeId> {
        self.main_line().filter(|id| self.node(*id).played.is_some())
    }

    /// All nodes, each before those below it, with the number of nodes above it.
    pub fn walk(&self) -> impl Iterator<Item = (NodeId, usize)> {
        std::iter::successors(Some((ROOT, 0_usize)), |&(id, depth)| {
            if let Some(first) = self.children(id).next() {
                return Some((first, depth.saturating_add(1)));
            }
            let (mut at, mut depth) = (id, depth);
            loop {
                match self.node(at).next {
                    NONE => at = self.parent(at)?,
                    next => return Some((NodeId(next), depth)),
                }
                depth = depth.saturating_sub(1);
            }
        })
    }

    /// The nodes from the root down to one.
    pub fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |id| self.parent(*id)).collect();
        path.reverse();
        path
    }

    /// A line as a tree of its own: the nodes of a path from the root, without what branches off.
    pub fn of_path(&self, path: &[NodeId]) -> Self {
        let mut tree = Self::default();
        let mut at = ROOT;
        for (i, &id) in path.iter().enumerate() {
            if i > 0 {
                at = tree.add(at);
            }
            let Node { played, items, .. } = self.node(id).clone();
            let node = tree.node_mut(at);
            (node.played, node.items) = (played, items);
        }
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(tree: &Tree, id: NodeId) -> String {
        tree.node(id).played.map_or(String::new(), |(_, mv)| mv.to_string())
    }

    #[test]
    fn nodes_are_walked_in_the_order_of_a_record() {
        let mut tree = Tree::default();
        let add = |tree: &mut Tree, parent, mv| tree.play(parent, Side::First, MoveText::new(mv).unwrap());
        let a = add(&mut tree, ROOT, "a");
        let b = add(&mut tree, a, "b");
        add(&mut tree, a, "c");
        add(&mut tree, b, "d");
        add(&mut tree, ROOT, "e");
        add(&mut tree, a, "f");
        let order = |tree: &Tree| {
            tree.walk()
                .map(|(id, depth)| format!("{}{depth}", played(tree, id)))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(order(&tree), "0 a1 b2 d3 c2 f2 e1");
        let main: Vec<_> = tree.plies().map(|id| played(&tree, id)).collect();
        assert_eq!(main, ["a", "b", "d"]);
        tree.raise_last(a);
        assert_eq!(order(&tree), "0 a1 b2 d3 f2 c2 e1");
        add(&mut tree, a, "g");
        assert_eq!(order(&tree), "0 a1 b2 d3 f2 c2 g2 e1");
        tree.raise_last(b);
        tree.detach(b);
        assert_eq!(order(&tree), "0 a1 f2 c2 g2 e1");
        let line = tree.of_path(&tree.path_to(b));
        assert_eq!(order(&line), "0 a1 b2");
        assert!(line != tree && line == line.clone());
    }

    #[test]
    fn moves_are_short_texts() {
        assert_eq!(&*MoveText::new("e7e8q").unwrap(), "e7e8q");
        assert!(MoveText::new("too long").is_none());
    }
}
