//! A game that was opened, as the page keeps it: a tree of moves with variations, comments and judgments.

use super::extra::Extra;
use super::position::{MAX_MOVES, written};
use crate::games::follow::{Follower, NULL_MOVE};
use crate::games::formats::{Recorded, pgn};
use crate::games::tree::{Item, Node as TreeNode, ROOT};
use serde::Serialize;
use serde_json::Value;

/// Moves of one game that are shown.
const MAX_NODES: usize = 20_000;

#[derive(Debug, Serialize)]
pub(super) struct Node {
    /// The number of the move that it answers.
    parent: Option<usize>,
    /// Itself.
    mv: String,
    /// As people write it.
    text: Value,
    comment: String,
    /// How it is judged: `!?`.
    sign: &'static str,
    /// Milliseconds on the clock after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<u64>,
    #[serde(skip_serializing_if = "Extra::is_empty")]
    extra: Extra,
}

/// The first move of the main line that [`nodes`] leaves out, from 1.
pub fn first_hidden(game: &Recorded, nodes: &[Node]) -> Option<usize> {
    let mut shown = 0_usize;
    let mut parent = None;
    for (number, node) in nodes.iter().enumerate() {
        if node.parent == parent {
            (shown, parent) = (shown.saturating_add(1), Some(number));
        }
    }
    (shown < game.tree.plies().count()).then_some(shown.saturating_add(1))
}

/// The moves of a game, each behind the one that it answers; of several answers the first is the main line.
/// The page plays them from the start: a line ends where stones are set up, a move is out of turn, or a side
/// does not move.
pub fn nodes(game: &Recorded) -> Vec<Node> {
    let Ok(mut follower) = Follower::new(game.start()) else { return Vec::new() };
    let mut found: Vec<Node> = Vec::new();
    // The number of the move at each node on the way, and how many nodes are above the end of a line.
    let mut path: Vec<Option<usize>> = vec![None];
    let mut end = usize::MAX;
    for (id, depth) in game.tree.walk().skip(1) {
        if depth > end || found.len() >= MAX_NODES {
            continue;
        }
        end = usize::MAX;
        path.truncate(depth);
        follower.back_to(depth.saturating_sub(1));
        let (node, parent) = (game.tree.node(id), path.last().copied().flatten());
        let Some((side, mv)) = node.played else {
            // It speaks of the move before it.
            if let Some(before) = parent.and_then(|parent| found.get_mut(parent)) {
                add_comment(&mut before.comment, &node.comment());
            }
            path.push(parent);
            if sets_up(node) && parent.is_some() || follower.enter(depth, node).is_err() {
                end = depth;
            }
            continue;
        };
        let is_in_turn = side == follower.game().side_to_move() && &*mv != NULL_MOVE;
        let text = written(follower.game().position(), &mv);
        let is_long = follower.game().moves().len() >= MAX_MOVES;
        if !is_in_turn || sets_up(node) || is_long || follower.enter(depth, node).is_err() {
            end = depth;
            continue;
        }
        path.push(Some(found.len()));
        let (comment, sign) = (comment_of(node), sign_of(node));
        let extra = Extra::of(node, sign);
        let clock = extra.clock();
        found.push(Node { parent, mv: mv.to_string(), text, comment, sign, clock, extra });
    }
    found
}

/// The comment on a game before its first move.
pub fn preface(game: &Recorded) -> String {
    without_commands(&game.tree.node(ROOT).comment())
}

/// What else the record has before the first move.
pub fn extra(game: &Recorded) -> Extra {
    Extra::of(game.tree.node(ROOT), "")
}

fn sets_up(node: &TreeNode) -> bool {
    node.items.iter().any(|item| matches!(item, Item::Place(..) | Item::Turn(_)))
}

fn comment_of(node: &TreeNode) -> String {
    let mut comment = String::new();
    for item in &node.items {
        if let Item::Preface(text) | Item::Comment(text) = item {
            add_comment(&mut comment, text);
        }
    }
    comment
}

fn add_comment(comment: &mut String, text: &str) {
    let text = without_commands(text);
    if !comment.is_empty() && !text.is_empty() {
        comment.push(' ');
    }
    comment.push_str(&text);
}

/// The last judgment of a move. Other glyphs have no sign.
fn sign_of(node: &TreeNode) -> &'static str {
    let mut signs = node.items.iter().rev().filter_map(|item| match item {
        Item::Glyph(glyph) => Some(pgn::sign_of(*glyph)).filter(|sign| !sign.is_empty()),
        _ => None,
    });
    signs.next().unwrap_or_default()
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
        assert_eq!(outline(text), "-e2e4! good, 0e7e5?!, 1g1f3, 0c7c5 Sicilian, 3g1f3, 4d7d6, 3c2c3?");
        let text = "1. e4! $14 {best} e5?! $16 ({Better} 1... c5 {x}) 2. Nf3 *";
        assert_eq!(outline(text), "-e2e4! best, 0e7e5?!, 1g1f3, 0c7c5 Better x");
    }

    /// A line with a variation at every move, a long line, and thousands of comments cost no more than their
    /// length.
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
