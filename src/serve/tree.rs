//! A game with its variations, as the page keeps it, written as PGN or SGF.

use super::extra::Extra;
use super::position::Line;
use super::step;
use crate::ensure;
use crate::game::Side;
use crate::games::follow::Follower;
use crate::games::formats::{pgn, sgf};
use crate::games::notation::Style;
use crate::games::opening_names::tag_opening;
use crate::games::record::GameKind;
use crate::games::referee::{Referee, Stones};
use crate::games::tree::{Item, MoveText, NodeId, ROOT, Tree};
use crate::go::coords;
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::xiangqi::START_FEN;
use serde::Deserialize;
use std::collections::HashMap;

/// Moves of a game, variations included.
pub(super) const MAX_NODES: usize = 20_000;

#[derive(Debug, Deserialize)]
pub(super) struct SavedGame {
    /// Where the game begins; its moves are not looked at.
    start: Line,
    /// Tags of PGN in their order.
    #[serde(default)]
    tags: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; in Go `B+3.5` and the like.
    #[serde(default)]
    result: String,
    /// How moves of xiangqi are written.
    #[serde(default)]
    notation: String,
    /// What is said before the first move.
    #[serde(default)]
    comment: String,
    /// What an opened record has besides.
    #[serde(default)]
    extra: Option<Extra>,
    /// Whether it was opened: such a record gets no tags that it does not have.
    #[serde(default)]
    opened: bool,
    /// The moves. Each stands behind the one it answers.
    nodes: Vec<Node>,
}

/// A move of the game or of a variation.
#[derive(Default, Debug, Deserialize)]
struct Node {
    /// The index of the move it answers; none: it is a first move. Of several answers the first goes on with
    /// the line.
    parent: Option<usize>,
    /// The [step](super::step), a move in coordinates for the most part.
    mv: String,
    /// Words for people.
    #[serde(default)]
    comment: String,
    /// The score after it as `[%eval]` has it, in pawns from the first side, or `#` and moves.
    #[serde(default)]
    eval: String,
    /// `?`, `?!`, `??`, `!`, or nothing.
    #[serde(default)]
    sign: String,
    /// Milliseconds left on the clock of the side that made it; in overtime those of the period.
    #[serde(default)]
    clock: Option<u64>,
    /// Periods of byo-yomi or stones that are left, in overtime.
    #[serde(default)]
    overtime: Option<u32>,
    /// What an opened record has besides.
    #[serde(default)]
    extra: Option<Extra>,
}

impl SavedGame {
    pub fn save(&self) -> Result<String, Message> {
        let tree = self.tree()?;
        if self.start.game == GameKind::GO { self.sgf(tree) } else { self.pgn(&tree) }
    }

    fn tree(&self) -> Result<Tree, Message> {
        ensure!(self.nodes.len() <= MAX_NODES, "more than {max} moves" | "超过 {max} 步", max = MAX_NODES);
        let mut tree = Tree::default();
        let mut ids: Vec<NodeId> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let parent = match node.parent {
                None => Some(ROOT),
                Some(parent) => ids.get(parent).copied(),
            };
            let parent = parent.ok_or_else(|| {
                message!(
                    "move {at} stands before move {parent}, which it answers"
                        | "第 {at} 手排在它所应的第 {parent} 手之前",
                    at,
                    parent = node.parent.unwrap_or(0)
                )
            })?;
            let id = tree.add(parent);
            ids.push(id);
        }
        let mut follower = Follower::new(self.start.start())?;
        let order: Vec<_> = tree.walk().skip(1).collect();
        let moves: HashMap<usize, &Node> = ids.iter().map(|id| id.index()).zip(&self.nodes).collect();
        for (id, depth) in order {
            follower.back_to(depth.saturating_sub(1));
            let Some(node) = moves.get(&id.index()) else { continue };
            let step = step::node(follower.game(), &node.mv)?;
            let side = step.played.map_or(follower.game().side_to_move(), |(side, _)| side);
            let own = tree.node_mut(id);
            own.played = step.played;
            own.items = step.items;
            own.items.extend(node.items(self.start.game, side));
            follower.enter(depth, tree.node(id))?;
        }
        Ok(tree)
    }

    fn pgn(&self, tree: &Tree) -> Result<String, Message> {
        let mut tree = tree.clone();
        tree.node_mut(ROOT).items = match &self.extra {
            Some(extra) if extra.is_exact(&self.comment, "") => extra.exact.clone(),
            extra => {
                let commands = extra.iter().flat_map(|extra| extra.commands_but("eval"));
                let text: Vec<&str> = commands.chain([self.comment.as_str()]).collect();
                comment(text.join(" ").trim()).into_iter().collect()
            }
        };
        let start = self.start.start();
        let result = Some(self.result.as_str());
        let result = result.filter(|r| ["1-0", "0-1", "1/2-1/2"].contains(r)).unwrap_or("*");
        let mut tags: Vec<(String, String)> = self.tags.clone();
        const OWN: [&str; 6] = ["Game", "Result", "FEN", "SetUp", "Variant", "Format"];
        tags.retain(|(name, _)| !OWN.contains(&name.as_str()));
        let style = Style::from_name(&self.notation).unwrap_or_default();
        if !self.opened {
            let mut follower = Follower::new(start.clone())?;
            for (depth, id) in (1..).zip(tree.main_line().skip(1)) {
                follower.enter(depth, tree.node(id))?;
            }
            let is_chinese = style == Style::Chinese;
            let language = if is_chinese { Language::Chinese } else { Language::English };
            tag_opening(&mut tags, follower.game(), language);
        }
        let mut tag = |name: &str, value: &str| tags.push((name.to_owned(), value.to_owned()));
        tag("Result", result);
        match start.kind {
            GameKind::XIANGQI => tag("Variant", "xiangqi"),
            GameKind::CHESS960 => tag("Variant", "Chess960"),
            _ => {}
        }
        let usual = (start.kind == GameKind::XIANGQI).then_some(START_FEN);
        if let Some(fen) = start.fen.as_deref().or(usual) {
            tag("SetUp", "1");
            tag("FEN", fen);
        }
        pgn::write_tree(&tree, start, &tags, style, result)
    }

    fn sgf(&self, mut tree: Tree) -> Result<String, Message> {
        let setup = &self.start.start().rules.go;
        let stones = Stones::new(setup)?;
        let board = stones.position().board();
        let mut items = Vec::new();
        let mut property =
            |name: &str, value: String| items.push(Item::Property(name.to_owned(), vec![value]));
        property("AP", "sanqi".to_owned());
        property("SZ", sgf::board_size(board));
        property("KM", setup.komi.to_string());
        property("RU", sgf::rules(setup));
        for (name, value) in &self.tags {
            if let Some((known, _)) = sgf::TAGS.iter().find(|(_, tag)| tag == name) {
                property(known, value.clone());
            }
        }
        if !self.result.is_empty() && self.result != "*" {
            property("RE", self.result.clone());
        }
        if setup.handicap > 1 && board.stones(Side::First) as usize == setup.handicap {
            property("HA", setup.handicap.to_string());
        }
        for side in [Side::First, Side::Second] {
            let own = board.points().filter(|&v| board.color(v).side() == Some(side));
            let points: Vec<_> = own.filter_map(|v| MoveText::new(&coords::vertex(board, v))).collect();
            if !points.is_empty() {
                items.push(Item::Place(Some(side), points));
            }
        }
        if stones.side_to_move() == Side::Second {
            items.push(Item::Turn(Side::Second));
        }
        items.extend(self.extra.iter().flat_map(|extra| extra.properties(true)));
        items.extend(comment(&self.comment));
        tree.node_mut(ROOT).items = items;
        Ok(sgf::write_tree(&tree, board))
    }
}

impl Node {
    /// What stands beside the move.
    fn items(&self, kind: GameKind, side: Side) -> Vec<Item> {
        let is_go = kind == GameKind::GO;
        let none = Extra::default();
        let extra = self.extra.as_ref().unwrap_or(&none);
        if self.eval.is_empty() && extra.is_exact(&self.comment, &self.sign) {
            return extra.exact.clone();
        }
        let is_eval = |c: char| c.is_ascii_digit() || "+-.#".contains(c);
        let eval = Some(&self.eval).filter(|eval| !is_go && !eval.is_empty() && eval.chars().all(is_eval));
        let eval = eval.map(|eval| format!("[%eval {eval}]"));
        let clock = self.clock.filter(|_| !is_go && !extra.has_command("clk")).map(|ms| {
            let (seconds, tenths) = (ms / 1000, ms / 100 % 10);
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            format!("[%clk {hours}:{minutes:02}:{:02}.{tenths}]", seconds % 60)
        });
        let commands = extra.commands_but(if eval.is_some() { "eval" } else { "" }).map(str::to_owned);
        let words = Some(self.comment.clone()).filter(|text| !text.is_empty());
        let text: Vec<String> = eval.into_iter().chain(clock).chain(commands).chain(words).collect();
        let names = |names: [&str; 2]| side.of(&names).to_string();
        let (left, periods) = (names(["BL", "WL"]), names(["OB", "OW"]));
        let property = |name: String, value: String| {
            (is_go && !extra.has_property(&name)).then(|| Item::Property(name, vec![value]))
        };
        let left = self.clock.and_then(|ms| property(left, format!("{}.{:03}", ms / 1000, ms % 1000)));
        let periods = self.overtime.and_then(|n| property(periods, n.to_string()));
        let glyph = pgn::glyph_of(&self.sign).map(Item::Glyph);
        let properties = is_go.then(|| extra.properties(false)).into_iter().flatten();
        let items = glyph.into_iter().chain(extra.glyphs()).chain(left).chain(periods).chain(properties);
        items.chain(comment(&text.join(" "))).chain(extra.unread()).collect()
    }
}

/// What stands beside a move of a record, but for set-up, where these parts of it would not be written so.
pub(super) fn exact(items: &[Item], parts: (&str, &str, &Extra), kind: GameKind, side: Side) -> Vec<Item> {
    let (comment, sign, extra) = (parts.0.to_owned(), parts.1.to_owned(), Some(parts.2.clone()));
    let node = Node { comment, sign, extra, ..Node::default() };
    let items = items.iter().filter(|item| !matches!(item, Item::Place(..) | Item::Turn(_)));
    Some(items.cloned().collect()).filter(|items| *items != node.items(kind, side)).unwrap_or_default()
}

fn comment(text: &str) -> Option<Item> {
    Some(text).filter(|text| !text.trim().is_empty()).map(|text| Item::Comment(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::formats;
    use serde_json::json;

    fn saved(tree: serde_json::Value) -> Result<String, Message> {
        serde_json::from_value::<SavedGame>(tree).map_err(|e| e.to_string())?.save()
    }

    #[test]
    fn chess_is_written_with_its_variations_and_read_back() {
        let text = saved(json!({
            "start": {"game": "chess"}, "tags": [["White", "a \"b\""], ["Bad name", "x"]], "result": "1-0",
            "nodes": [
                {"parent": null, "mv": "e2e4", "comment": "best {by} test", "eval": "0.30"},
                {"parent": 0, "mv": "e7e5"},
                {"parent": 0, "mv": "c7c5", "sign": "?!"},
                {"parent": 1, "mv": "g1f3", "clock": 3_725_400},
                {"parent": 2, "mv": "g1f3"},
                {"parent": null, "mv": "d2d4"},
            ],
        }))
        .unwrap();
        let moves = text.trim_end().rsplit("\n\n").next().unwrap().replace('\n', " ");
        let expected = "1. e4 {[%eval 0.30] best (by) test} (1. d4) 1... e5 (1... c5 $6 2. Nf3) 2. Nf3 {[%clk 1:02:05.4]} 1-0";
        assert_eq!(moves, expected, "{text}");
        assert!(text.contains("[ECO \"C40\"]\n[Opening \"King's Knight Opening\"]"), "{text}");
        assert!(text.contains("[White \"a \\\"b\\\"\"]") && !text.contains("Bad"), "{text}");
        let read = formats::read(text.as_bytes(), None);
        assert_eq!(read[0].as_ref().unwrap().opening.moves, ["e2e4", "e7e5", "g1f3"]);
    }

    #[test]
    fn xiangqi_is_written_in_the_notation_asked_for() {
        let tree = |notation: &str| {
            json!({"start": {"game": "xiangqi"}, "notation": notation, "nodes": [
                {"parent": null, "mv": "h2e2"}, {"parent": 0, "mv": "h9g7"}]})
        };
        assert!(saved(tree("chinese")).unwrap().ends_with("1. 炮二平五 马８进７ *\n"));
        assert!(saved(tree("wxf")).unwrap().ends_with("1. C2=5 H8+7 *\n"));
        let text = saved(tree("iccs")).unwrap();
        assert_eq!(formats::read(text.as_bytes(), None)[0].as_ref().unwrap().opening.moves.len(), 2);
    }

    #[test]
    fn go_is_written_as_a_tree_and_read_back() {
        let text = saved(json!({
            "start": {"game": "go", "rules": {"go": {"size": 9, "komi": 7.0}}},
            "nodes": [
                {"parent": null, "mv": "E5"}, {"parent": 0, "mv": "C3", "comment": "a]b", "clock": 30_000, "overtime": 5},
                {"parent": 0, "mv": "G7"}, {"parent": 1, "mv": "pass"}, {"parent": 2, "mv": "G3"}],
        }))
        .unwrap();
        let flat: String = text.split_whitespace().collect();
        assert!(flat.ends_with(";B[ee](;W[cg]WL[30.000]OW[5]C[a\\]b];B[])(;W[gc];B[gg]))"), "{flat}");
        let read = formats::read(text.as_bytes(), None);
        assert_eq!(read[0].as_ref().unwrap().opening.moves, ["E5", "C3", "pass"]);
    }

    #[test]
    fn trees_that_are_none_are_refused() {
        let with =
            |nodes| saved(json!({"start": {"game": "chess"}, "nodes": nodes})).unwrap_err().to_string();
        assert!(with(json!([{"parent": 0, "mv": "e2e4"}])).contains("stands before"));
        assert!(with(json!([{"parent": null, "mv": "e2e5"}])).contains("e2e5"));
    }
}
