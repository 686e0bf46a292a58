//! A game with its variations, as the page keeps it, written as PGN or SGF.

use super::position::Line;
use crate::game::Side;
use crate::games::formats::{pgn, sgf};
use crate::games::game::Position;
use crate::games::notation::Style;
use crate::games::record::GameKind;
use crate::go::sgf::escape;
use crate::go::{Color, coords};
use crate::message;
use crate::util::message::Message;
use crate::xiangqi::START_FEN;
use serde::Deserialize;
use std::fmt::Write;

/// Moves of a game, variations included.
const MAX_NODES: usize = 20_000;
/// Variations inside each other.
const MAX_NESTING: usize = 50;

/// A game and its variations.
#[derive(Debug, Deserialize)]
pub(super) struct Tree {
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
    /// The moves. Each stands behind the one it answers.
    nodes: Vec<Node>,
}

/// A move of the game or of a variation.
#[derive(Debug, Deserialize)]
struct Node {
    /// The index of the move it answers; none: it is a first move. Of several answers the first goes on with the line.
    parent: Option<usize>,
    /// The move, in coordinates.
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
}

/// Where the answers to a move stand in [`Writer::answers`]; those to the start stand first.
const fn answers_to(node: usize) -> usize {
    node.saturating_add(1)
}

impl Tree {
    /// The text of the record.
    /// # Errors
    /// What is wrong with the tree.
    pub fn save(&self) -> Result<String, Message> {
        if self.nodes.len() > MAX_NODES {
            return Err(message!("more than {most} moves" | "超过 {most} 步", most = MAX_NODES));
        }
        let mut answers = vec![Vec::new(); self.nodes.len().saturating_add(1)];
        for (at, node) in self.nodes.iter().enumerate() {
            let place = match node.parent {
                None => 0,
                Some(parent) if parent < at => answers_to(parent),
                Some(parent) => {
                    return Err(message!(
                        "move {at} stands before move {parent}, which it answers"
                            | "第 {at} 手排在它所应的第 {parent} 手之前",
                        at,
                        parent
                    ));
                }
            };
            if let Some(others) = answers.get_mut(place) {
                others.push(at);
            }
        }
        let position = Position::at(&self.start.start())?;
        let text = Writer { tree: self, answers, out: String::new() };
        match self.start.game {
            GameKind::GO => text.sgf(&position),
            _ => text.pgn(&position),
        }
    }
}

fn not_go() -> Message {
    message!("not a game of Go" | "不是围棋对局")
}

struct Writer<'a> {
    tree: &'a Tree,
    /// Answers to each move, those to the start first: index 0 is the start, 1 the first node.
    answers: Vec<Vec<usize>>,
    out: String,
}

impl Writer<'_> {
    #[allow(
        clippy::indexing_slicing,
        reason = "the start and every move have a list, and `at` is one of them"
    )]
    fn answers(&self, at: usize) -> &[usize] {
        &self.answers[at]
    }

    #[allow(clippy::indexing_slicing, reason = "the lists of answers hold moves of the tree")]
    fn node(&self, at: usize) -> &Node {
        &self.tree.nodes[at]
    }

    fn pgn(mut self, start: &Position) -> Result<String, Message> {
        let Tree { start: line, tags, result, notation, .. } = self.tree;
        let style = Style::from_name(notation).unwrap_or_default();
        let result = Some(result.as_str()).filter(|r| ["1-0", "0-1", "1/2-1/2"].contains(r)).unwrap_or("*");
        let is_xiangqi = line.game == GameKind::XIANGQI;
        let mut tag = |name: &str, value: &str| {
            // Writing to a String cannot fail.
            let _ = writeln!(self.out, "[{name} \"{}\"]", pgn::tag_value(value));
        };
        if is_xiangqi {
            tag("Game", "Chinese Chess");
        }
        let is_name =
            |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        const OWN: [&str; 6] = ["Game", "Result", "FEN", "SetUp", "Variant", "Format"];
        for (name, value) in tags.iter().filter(|(name, _)| is_name(name) && !OWN.contains(&name.as_str())) {
            tag(name, value);
        }
        tag("Result", result);
        match line.game {
            GameKind::XIANGQI => {
                tag("Variant", "xiangqi");
                tag("Format", style.pgn_format());
            }
            GameKind::CHESS960 => tag("Variant", "Chess960"),
            _ => {}
        }
        let usual = is_xiangqi.then_some(START_FEN);
        if let Some(fen) = line.start().fen.as_deref().or(usual) {
            tag("SetUp", "1");
            tag("FEN", fen);
        }
        let spoken = self.tree.comment.replace(['{', '}'], "");
        let mut words: Vec<String> = match spoken.trim() {
            "" => Vec::new(),
            text => format!("{{{text}}}").split_whitespace().map(str::to_owned).collect(),
        };
        self.pgn_line(0, start, style, 0, &mut words)?;
        words.push(result.to_owned());
        self.out.push('\n');
        pgn::wrap(&mut self.out, &words);
        Ok(self.out)
    }

    /// The line that answers node `at` of [`answers`](Self::answers), with the variations beside it.
    fn pgn_line(
        &self,
        mut at: usize,
        start: &Position,
        style: Style,
        nesting: usize,
        words: &mut Vec<String>,
    ) -> Result<(), Message> {
        if nesting > MAX_NESTING {
            return Err(message!(
                "more than {most} variations inside each other" | "变着嵌套超过 {most} 层",
                most = MAX_NESTING
            ));
        }
        let mut position = start.clone();
        // The first move of a variation has the number.
        let mut needs_number = nesting == 0 || words.last().is_some_and(|word| word.ends_with('}'));
        while let Some((&next, others)) = self.answers(at).split_first() {
            self.pgn_move(next, &position, style, needs_number, words)?;
            needs_number = !others.is_empty() || words.last().is_some_and(|word| word.ends_with('}'));
            for &other in others {
                let opening = words.len();
                self.pgn_move(other, &position, style, true, words)?;
                let mut after = position.clone();
                after.play_recorded(&self.node(other).mv)?;
                self.pgn_line(answers_to(other), &after, style, nesting.saturating_add(1), words)?;
                if let Some(first) = words.get_mut(opening) {
                    first.insert(0, '(');
                }
                if let Some(last) = words.last_mut() {
                    last.push(')');
                }
            }
            position.play_recorded(&self.node(next).mv)?;
            at = answers_to(next);
        }
        Ok(())
    }

    fn pgn_move(
        &self,
        at: usize,
        position: &Position,
        style: Style,
        needs_number: bool,
        words: &mut Vec<String>,
    ) -> Result<(), Message> {
        let node = self.node(at);
        let mv = position.read(&node.mv)?;
        let number = self.number(position);
        match position.side_to_move() {
            Side::First => words.push(format!("{number}.")),
            Side::Second if needs_number => words.push(format!("{number}...")),
            Side::Second => {}
        }
        words.push(position.write(&mv, style));
        let glyph = match node.sign.as_str() {
            "!" => "$1",
            "?" => "$2",
            "!!" => "$3",
            "??" => "$4",
            "!?" => "$5",
            "?!" => "$6",
            _ => "",
        };
        if !glyph.is_empty() {
            words.push(glyph.to_owned());
        }
        let is_eval = |c: char| c.is_ascii_digit() || "+-.#".contains(c);
        let eval = Some(&node.eval).filter(|eval| !eval.is_empty() && eval.chars().all(is_eval));
        let spoken = node.comment.replace(['{', '}'], "");
        let eval = eval.map(|eval| format!("[%eval {eval}]")).into_iter();
        let comment: Vec<String> = eval.chain(spoken.split_whitespace().map(str::to_owned)).collect();
        if !comment.is_empty() {
            words.extend(format!("{{{}}}", comment.join(" ")).split(' ').map(str::to_owned));
        }
        Ok(())
    }

    /// The number of the next full move.
    fn number(&self, position: &Position) -> u32 {
        match position {
            Position::Chess(board) => board.move_number(),
            Position::Xiangqi(board) => u32::from(board.full_move()),
            Position::Go(stones) => (stones.position().moves().len() as u32).saturating_add(1),
        }
    }

    fn sgf(mut self, start: &Position) -> Result<String, Message> {
        let Some(stones) = start.stones() else { return Err(not_go()) };
        let setup = &self.tree.start.rules.go;
        let board = stones.position().board();
        self.out.push_str(sgf::HEAD);
        let mut property = |name: &str, value: &str| {
            let _ = write!(self.out, "{name}[{}]", escape(value));
        };
        property("SZ", &setup.size.to_string());
        property("KM", &setup.komi.to_string());
        property("RU", &sgf::rules(setup));
        for (name, value) in &self.tree.tags {
            if let Some((known, _)) = sgf::TAGS.iter().find(|(_, tag)| tag == name) {
                property(known, value);
            }
        }
        if !self.tree.result.is_empty() && self.tree.result != "*" {
            property("RE", &self.tree.result);
        }
        if setup.handicap > 1 && board.stones(Side::First) as usize == setup.handicap {
            property("HA", &setup.handicap.to_string());
        }
        for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
            let points: Vec<_> = board.points().filter(|&v| board.color(v) == color).collect();
            if !points.is_empty() {
                self.out.push_str(name);
            }
            for v in points {
                let _ = write!(self.out, "[{}]", coords::sgf(board, v));
            }
        }
        if stones.position().board().side_to_move() == Side::Second {
            self.out.push_str("PL[W]");
        }
        if !self.tree.comment.is_empty() {
            let _ = write!(self.out, "C[{}]", escape(&self.tree.comment));
        }
        let mut text = std::mem::take(&mut self.out);
        self.sgf_line(0, start, 0, &mut text)?;
        text.push_str(")\n");
        Ok(text)
    }

    fn sgf_line(
        &self,
        mut at: usize,
        start: &Position,
        nesting: usize,
        out: &mut String,
    ) -> Result<(), Message> {
        if nesting > MAX_NESTING {
            return Err(message!(
                "more than {most} variations inside each other" | "变着嵌套超过 {most} 层",
                most = MAX_NESTING
            ));
        }
        let mut position = start.clone();
        // The line itself is the first of several answers. The others close behind its end, the last of them first.
        let mut behind = Vec::new();
        while let Some((&next, others)) = self.answers(at).split_first() {
            if !others.is_empty() {
                out.push_str("\n(");
                let mut variations = String::from(")");
                for &other in others {
                    variations.push_str("\n(");
                    self.sgf_move(other, &position, &mut variations)?;
                    let mut after = position.clone();
                    after.play_recorded(&self.node(other).mv)?;
                    self.sgf_line(answers_to(other), &after, nesting.saturating_add(1), &mut variations)?;
                    variations.push(')');
                }
                behind.push(variations);
            }
            self.sgf_move(next, &position, out)?;
            position.play_recorded(&self.node(next).mv)?;
            at = answers_to(next);
        }
        out.extend(behind.into_iter().rev());
        Ok(())
    }

    fn sgf_move(&self, at: usize, position: &Position, out: &mut String) -> Result<(), Message> {
        let node = self.node(at);
        let Some(stones) = position.stones() else { return Err(not_go()) };
        let board = stones.position().board();
        let vertex = position.read(&node.mv)?;
        let point = coords::parse_vertex(board, &vertex).map_or(String::new(), |v| coords::sgf(board, v));
        let letter = if position.side_to_move() == Side::First { 'B' } else { 'W' };
        let _ = write!(out, "\n;{letter}[{point}]{}", sgf::judgment(&node.sign));
        if !node.comment.is_empty() {
            let _ = write!(out, "C[{}]", escape(&node.comment));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::formats;
    use serde_json::json;

    fn saved(tree: serde_json::Value) -> Result<String, Message> {
        serde_json::from_value::<Tree>(tree).map_err(|e| e.to_string())?.save()
    }

    #[test]
    fn chess_is_written_with_its_variations_and_read_back() {
        let text = saved(json!({
            "start": {"game": "chess"}, "tags": [["White", "a \"b\""], ["Bad name", "x"]], "result": "1-0",
            "nodes": [
                {"parent": null, "mv": "e2e4", "comment": "best {by} test", "eval": "0.30"},
                {"parent": 0, "mv": "e7e5"},
                {"parent": 0, "mv": "c7c5", "sign": "?!"},
                {"parent": 1, "mv": "g1f3"},
                {"parent": 2, "mv": "g1f3"},
                {"parent": null, "mv": "d2d4"},
            ],
        }))
        .unwrap();
        let moves = text.lines().last().unwrap();
        let expected = "1. e4 {[%eval 0.30] best by test} (1. d4) 1... e5 (1... c5 $6 2. Nf3) 2. Nf3 1-0";
        assert_eq!(moves, expected, "{text}");
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
                {"parent": null, "mv": "E5"}, {"parent": 0, "mv": "C3", "comment": "a]b"},
                {"parent": 0, "mv": "G7"}, {"parent": 1, "mv": "pass"}, {"parent": 2, "mv": "G3"}],
        }))
        .unwrap();
        let flat: String = text.split_whitespace().collect();
        assert!(flat.ends_with(";B[ee](;W[cg]C[a\\]b];B[])(;W[gc];B[gg]))"), "{flat}");
        let read = formats::read(text.as_bytes(), None);
        assert_eq!(read[0].as_ref().unwrap().opening.moves, ["E5", "C3", "pass"]);
    }

    #[test]
    fn trees_that_are_none_are_refused() {
        let with =
            |nodes| saved(json!({"start": {"game": "chess"}, "nodes": nodes})).unwrap_err().to_string();
        assert!(with(json!([{"parent": 0, "mv": "e2e4"}])).contains("stands before"));
        assert!(with(json!([{"parent": null, "mv": "e2e5"}])).contains("e2e5"));
        // Each move an answer beside the one before it, and the line goes on with the second.
        let mut nodes = vec![json!({"parent": null, "mv": "g1f3"})];
        let mut parent = None;
        for i in 0..200 {
            let [one, other] =
                [["g1h3", "g1f3"], ["g8h6", "g8f6"], ["f3g1", "f3g1"], ["f6g8", "f6g8"]][i % 4];
            if one != other {
                nodes.push(json!({"parent": parent, "mv": one}));
            }
            nodes.push(json!({"parent": parent, "mv": other}));
            parent = Some(nodes.len() - 1);
        }
        assert!(with(json!(nodes)).contains("inside each other"));
    }
}
