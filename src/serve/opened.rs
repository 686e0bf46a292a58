//! A game that was opened, as the page keeps it: a tree of moves with variations, comments and judgments.

use super::extra::{Extra, comment_of, sign_of, without_commands};
use super::position::{MAX_MOVES, written_step};
use super::{step, tree};
use crate::games::follow::Follower;
use crate::games::formats::Recorded;
use crate::games::record::GameKind;
use crate::games::tree::{Item, ROOT};
use serde::Serialize;
use serde_json::{Value, json};

/// Letters of an unreadable variation that are shown.
const MAX_UNREAD: usize = 40;

#[derive(Debug, Serialize)]
pub(super) struct Node {
    /// The number of the move that it answers.
    parent: Option<usize>,
    /// Its [step](super::step).
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

/// The moves of a game, each behind the one that it answers; of several answers the first is the main line.
/// A line ends where it is longer than the page keeps it.
pub fn nodes(game: &Recorded) -> Vec<Node> {
    let Ok(mut follower) = Follower::new(game.start()) else { return Vec::new() };
    let mut found: Vec<Node> = Vec::new();
    // The number of the move at each node on the way, and how many nodes are above the end of a line.
    let mut path: Vec<Option<usize>> = vec![None];
    let mut end = usize::MAX;
    for (id, depth) in game.tree.walk().skip(1) {
        if depth > end || found.len() >= tree::MAX_NODES {
            continue;
        }
        end = usize::MAX;
        path.truncate(depth);
        follower.back_to(depth.saturating_sub(1));
        let (node, parent) = (game.tree.node(id), path.last().copied().flatten());
        let turn = follower.game().side_to_move();
        let mv = step::name(follower.game(), node);
        let unread = node.items.iter().find_map(|item| match item {
            Item::Unread(text) if node.played.is_none() => {
                Some(text.chars().take(MAX_UNREAD).collect::<String>())
            }
            _ => None,
        });
        let text = unread.map_or_else(|| written_step(follower.game(), &mv), |text| json!([text]));
        if depth > MAX_MOVES || follower.enter(depth, node).is_err() {
            end = depth;
            continue;
        }
        path.push(Some(found.len()));
        let (comment, sign) = (comment_of(&node.items), sign_of(&node.items));
        let mut extra = Extra::of(&node.items, sign);
        let clock = extra.clock();
        let side = node.played.map_or(turn, |(side, _)| side);
        extra.exact = tree::exact(&node.items, (&comment, sign, &extra), game.kind, side);
        found.push(Node { parent, mv, text, comment, sign, clock, extra });
    }
    found
}

/// The comment on a game before its first move.
pub fn preface(game: &Recorded) -> String {
    without_commands(&game.tree.node(ROOT).comment())
}

/// What else the record has before the first move.
pub fn extra(game: &Recorded) -> Extra {
    let items = &game.tree.node(ROOT).items;
    let mut extra = Extra::of(items, "");
    // The root of SGF has a writer of its own.
    if game.kind != GameKind::GO {
        extra.exact = items.clone();
    }
    extra
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
        assert_eq!(outline(text), "-e2e4! good, 0e7e5?!, 1g1f3, 1., 0c7c5 Sicilian, 4g1f3, 5d7d6, 4c2c3?");
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
        assert_eq!(outline(text), "-E5 a, 0G7??, 1C7, 0C7, 3G7?!, 0B[A9]");
        // A comment may stand in a node of its own.
        let text = "(;SZ[9]C[root];B[ee]N[n]C[a];C[b];W[gc])";
        assert_eq!(outline(text), "-E5 a, 0. b, 1G7");
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
