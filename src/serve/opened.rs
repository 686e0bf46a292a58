//! A game that was opened, as the page keeps it: a tree of moves with variations, comments and judgments.

use super::position::{MAX_MOVES, written};
use crate::games::formats::{Recorded, of_move, without_number};
use crate::games::game::Position;
use crate::go::{coords, sgf};
use serde::Serialize;
use serde_json::Value;
use sgf_parse::SgfNode;
use sgf_parse::go::Prop;

/// Variations inside each other that are followed.
const MAX_NESTING: usize = 50;
/// Moves of one game that are shown.
const MAX_NODES: usize = 20_000;

/// A move of a game.
#[derive(Debug, Serialize)]
pub(super) struct Node {
    /// The number of the move that it answers.
    parent: Option<usize>,
    /// Itself.
    mv: String,
    /// As people write it.
    text: Value,
    /// What is said of it.
    comment: String,
    /// How it is judged: `!?`.
    sign: &'static str,
}

/// The moves of a game, each behind the one that it answers; of several answers the first is the main line.
pub fn nodes(game: &Recorded) -> Vec<Node> {
    let Ok(start) = Position::at(&game.start()) else { return Vec::new() };
    let mut tree = Tree::default();
    match &game.margin.tree {
        Some(root) => tree.sgf(root, start, None, 0),
        None => tree.pgn(game, start),
    }
    tree.nodes
}

/// What is said of a node of SGF.
fn comment_of(node: &SgfNode<Prop>) -> String {
    let said = |prop: &Prop| if let Prop::C(text) = prop { Some(text.text.clone()) } else { None };
    node.properties().filter_map(said).collect()
}

/// What is said of a game before its first move.
pub fn preface(game: &Recorded) -> String {
    let is_bare =
        |root: &&SgfNode<Prop>| !root.properties().any(|prop| matches!(prop, Prop::B(_) | Prop::W(_)));
    game.margin.tree.as_ref().filter(is_bare).map_or_else(|| game.margin.preface.clone(), comment_of)
}

#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    /// Variations of PGN that were looked at. Those without a move add no node.
    variations: usize,
}

impl Tree {
    /// Adds a move, unless there are too many. Gives its number.
    fn add(
        &mut self,
        position: &mut Position,
        mv: &str,
        parent: Option<usize>,
        comment: &str,
    ) -> Option<usize> {
        let text = written(position, mv);
        if self.nodes.len() >= MAX_NODES || position.play_recorded(mv).is_err() {
            return None;
        }
        let comment = without_commands(comment);
        self.nodes.push(Node { parent, mv: mv.to_owned(), text, comment, sign: "" });
        self.nodes.len().checked_sub(1)
    }

    /// Adds to what is said of a move.
    fn comment(&mut self, node: usize, comment: &str) {
        if let Some(node) = self.nodes.get_mut(node) {
            let said = without_commands(comment);
            if !node.comment.is_empty() && !said.is_empty() {
                node.comment.push(' ');
            }
            node.comment.push_str(&said);
        }
    }

    /// Judges a move. Glyphs that are no judgments of moves have no sign.
    fn sign(&mut self, node: usize, sign: &'static str) {
        if let Some(node) = self.nodes.get_mut(node).filter(|_| !sign.is_empty()) {
            node.sign = sign;
        }
    }

    /// The main line with what stands beside it.
    fn pgn(&mut self, game: &Recorded, start: Position) {
        let (mut position, mut parent) = (start, None);
        for (ply, mv) in game.opening.moves.iter().take(MAX_MOVES).enumerate() {
            let mut variations = of_move(&game.margin.variations, ply).peekable();
            let before = variations.peek().is_some().then(|| position.clone());
            let comment = game.comments.get(ply).map_or("", String::as_str);
            let Some(node) = self.add(&mut position, mv, parent, comment) else { return };
            for glyph in of_move(&game.margin.glyphs, ply) {
                self.sign(node, sign_of(glyph));
            }
            if let Some(before) = &before {
                for text in variations {
                    let inner = text.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
                    self.variation(inner.unwrap_or(text), before, parent, 0);
                }
            }
            parent = Some(node);
        }
    }

    /// A variation of PGN from a position on. What cannot be played ends it.
    fn variation(&mut self, text: &str, start: &Position, parent: Option<usize>, nesting: usize) {
        if nesting > MAX_NESTING || self.variations >= MAX_NODES {
            return;
        }
        self.variations = self.variations.saturating_add(1);
        let (mut position, mut moves) = (start.clone(), 0_usize);
        // Where the variations of the last move begin.
        let mut earlier = None;
        let (mut parent, mut before_parent) = (parent, parent);
        let mut rest = text.trim_start();
        let (mut last, mut preface) = (None, String::new());
        while !rest.is_empty() {
            if let Some(comment) = rest.strip_prefix('{') {
                let (comment, behind) = comment.split_once('}').unwrap_or((comment, ""));
                match last {
                    Some(last) => self.comment(last, comment),
                    // What stands before the first move is said of it.
                    None => preface = [preface.as_str(), comment].join(" "),
                }
                rest = behind.trim_start();
            } else if let Some(inner) = rest.strip_prefix('(') {
                let (inner, behind) = inner.split_at(closing(inner));
                let start = earlier.get_or_insert_with(|| {
                    let mut before = position.clone();
                    before.undo(moves.min(1));
                    before
                });
                self.variation(inner, start, before_parent, nesting.saturating_add(1));
                rest = behind.strip_prefix(')').unwrap_or(behind).trim_start();
            } else {
                let end =
                    rest.find(|c: char| c.is_whitespace() || matches!(c, '{' | '(')).unwrap_or(rest.len());
                let (word, behind) = rest.split_at(end);
                rest = behind.trim_start();
                if let Some(last) = last.filter(|_| word.starts_with('$')) {
                    self.sign(last, sign_of(word));
                    continue;
                }
                let Some(text) = move_in(word) else { continue };
                let marked = text.trim_end_matches(['!', '?']);
                let Ok(mv) = position.read(marked) else { return };
                if moves >= MAX_MOVES {
                    return;
                }
                let Some(node) = self.add(&mut position, &mv, parent, &std::mem::take(&mut preface)) else {
                    return;
                };
                self.sign(node, written_sign(text.strip_prefix(marked).unwrap_or_default()));
                moves = moves.saturating_add(1);
                (before_parent, parent, last) = (parent, Some(node), Some(node));
                earlier = None;
            }
        }
    }

    /// The nodes of SGF from one on: the first of the ones that follow goes on with the line. The line comes first, and then
    /// what branches off it.
    fn sgf(&mut self, from: &SgfNode<Prop>, start: Position, parent: Option<usize>, nesting: usize) {
        let (mut position, mut parent, mut node) = (start, parent, from);
        let mut branches = Vec::new();
        while nesting <= MAX_NESTING && self.sgf_node(node, &mut position, &mut parent) {
            let Some((next, others)) = node.children.split_first() else { break };
            if !others.is_empty() {
                branches.push((others, position.clone(), parent));
            }
            node = next;
        }
        for (others, position, parent) in branches {
            for other in others {
                self.sgf(other, position.clone(), parent, nesting.saturating_add(1));
            }
        }
    }

    /// The moves of a node. `false`: one of them cannot be played in turn.
    fn sgf_node(
        &mut self,
        node: &SgfNode<Prop>,
        position: &mut Position,
        parent: &mut Option<usize>,
    ) -> bool {
        let comment = comment_of(node);
        let has_move = node.properties().any(|prop| matches!(prop, Prop::B(_) | Prop::W(_)));
        if let (Some(before), false) = (*parent, has_move) {
            self.comment(before, &comment);
        }
        for prop in node.properties() {
            let (mv, is_second) = match prop {
                Prop::B(mv) => (mv, 0),
                Prop::W(mv) => (mv, 1),
                _ => continue,
            };
            let Some(stones) = position.stones() else { return false };
            let board = stones.position().board();
            if position.side_to_move().index() != is_second {
                return false;
            }
            let Some(vertex) = sgf::point(board, mv).map(|v| coords::vertex(board, v)) else { return false };
            let Some(added) = self.add(position, &vertex, *parent, &comment) else { return false };
            for prop in node.properties() {
                match prop {
                    Prop::BM(sgf_parse::Double::Two) => self.sign(added, "??"),
                    Prop::BM(_) => self.sign(added, "?"),
                    Prop::DO => self.sign(added, "?!"),
                    Prop::TE(_) => self.sign(added, "!"),
                    _ => {}
                }
            }
            *parent = Some(added);
        }
        true
    }
}

/// Where the bracket closes that is open at the start; the end of the text if none does.
fn closing(text: &str) -> usize {
    let (mut depth, mut in_comment) = (1_usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '}' => in_comment = false,
            _ if in_comment => {}
            '{' => in_comment = true,
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The move in a word, behind its number. `None`: there is none.
fn move_in(word: &str) -> Option<&str> {
    let text = without_number(word);
    let is_move = text.chars().any(char::is_alphanumeric) && !matches!(text, "1-0" | "0-1" | "1/2-1/2");
    (is_move && !text.starts_with('$')).then_some(text)
}

/// A sign that annotators write.
fn written_sign(text: &str) -> &'static str {
    ["!!", "??", "!?", "?!", "!", "?"].into_iter().find(|sign| *sign == text).unwrap_or_default()
}

/// What annotators write for a glyph.
fn sign_of(glyph: &str) -> &'static str {
    match glyph {
        "$1" => "!",
        "$2" => "?",
        "$3" => "!!",
        "$4" => "??",
        "$5" => "!?",
        "$6" => "?!",
        _ => "",
    }
}

/// A comment without what stands in brackets for programs, `[%clk 0:10:00]`.
fn without_commands(comment: &str) -> String {
    let mut parts = comment.split("[%");
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        said += part.split_once(']').map_or("", |(_, behind)| behind);
    }
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::formats;

    fn outline(text: &str) -> String {
        let game = formats::read(text.as_bytes(), None).remove(0).unwrap();
        let each = nodes(&game).into_iter().map(|node| {
            let parent = node.parent.map_or("-".to_owned(), |parent| parent.to_string());
            format!("{parent}{}{} {}", node.mv, node.sign, node.comment).trim().to_owned()
        });
        each.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn variations_of_pgn_are_kept() {
        let text = "{Root} 1. e4! {[%clk 0:10:00] good} e5?! (1... c5 {Sicilian} 2. Nf3 (2. c3 $2) d6) 2. Nf3 (2. Zz9) 1-0";
        assert_eq!(outline(text), "-e2e4! good, 0e7e5?!, 0c7c5 Sicilian, 2g1f3, 2c2c3?, 3d7d6, 1g1f3");
        let text = "1. e4! $14 {best} e5?! $16 ({Better} 1... c5 {x}) 2. Nf3 *";
        assert_eq!(outline(text), "-e2e4! best, 0e7e5?!, 0c7c5 Better x, 1g1f3");
    }

    /// A line with a variation at every move, a long line, and thousands of comments cost no more than their length.
    #[test]
    fn what_is_long_takes_no_time_that_grows_with_its_square() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(5000);
        let game = |text: &str| outline(&format!("{text} *")).split(", ").count();
        let began = std::time::Instant::now();
        assert_eq!(game(&shuffle), MAX_MOVES);
        assert_eq!(game(&format!("1. e4 ({shuffle}) e5")), 2 + MAX_MOVES);
        assert_eq!(game(&format!("1. e4 {} e5", "{a} $1 ".repeat(100_000))), 2);
        assert_eq!(game(&format!("1. e4 (1. d4 d5 {shuffle} {}) e5", "() ".repeat(100_000))), 2 + MAX_MOVES);
        assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
    }

    #[test]
    fn variations_of_sgf_are_kept() {
        let text = "(;SZ[9];B[ee]C[a](;W[gc]BM[2];B[cc])(;W[cc];B[gc]DO[])(;B[aa]))";
        assert_eq!(outline(text), "-E5 a, 0G7??, 1C7, 0C7, 3G7?!");
        // Nodes without a move speak of the move before them, and the root of the game.
        let text = "(;SZ[9]C[root];B[ee]N[n]C[a];C[b];W[gc])";
        assert_eq!(outline(text), "-E5 a b, 0G7");
        assert_eq!(preface(&formats::read(text.as_bytes(), None).remove(0).unwrap()), "root");
    }

    /// A line with a variation at every move is no deeper than any other.
    #[test]
    fn long_lines_keep_all_their_variations() {
        let point =
            |i: usize| format!("{}{}", (b'a' + (i % 19) as u8) as char, (b'a' + (i / 19) as u8) as char);
        let color = |i: usize| ["B", "W"][i % 2];
        let (mut text, mut ends) = ("(;SZ[19]".to_owned(), String::new());
        for i in 0..120 {
            text += &format!("(;{}[{}]C[{i}]", color(i), point(i));
            ends = format!(")(;{}[{}]){ends}", color(i), point(300 + i % 2));
        }
        let outline = outline(&(text + &ends + ")"));
        assert_eq!(outline.split(", ").count(), 240, "{outline}");
    }
}
