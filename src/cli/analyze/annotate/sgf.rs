//! SGF with the chances as Sabaki reads them, and better lines as variations before those of the record.

use super::LONGEST_LINE;
use crate::app::review::{Judged, Verdicts};
use crate::game::Side;
use crate::games::formats::Recorded;
use crate::games::formats::sgf::judgment;
use crate::games::record::GoSetup;
use crate::games::referee::Stones;
use crate::go::sgf::{self, escape};
use crate::go::{Board, Color, coords};
use crate::util::message::Message;
use sgf_parse::SgfProp;
use sgf_parse::go::Prop;

type Node = sgf_parse::SgfNode<Prop>;

/// Properties of the root that are written anew, and moves, which get nodes of their own.
const OF_ROOT: [&str; 10] = ["FF", "GM", "CA", "AP", "SZ", "KM", "RU", "PL", "B", "W"];

/// Properties of a move that are written anew.
const OF_MOVE: [&str; 6] = ["B", "W", "C", "PL", "SBKV", "SBKS"];

/// What is thought of a move: a node has one of them at most.
const JUDGMENTS: [&str; 4] = ["BM", "DO", "IT", "TE"];

/// The game, annotated, with a line end behind it.
pub fn write(game: &Recorded, verdicts: &Verdicts) -> Result<String, Message> {
    let setup = game.go.clone().unwrap_or_default();
    let stones = Stones::new(&setup)?;
    let board = stones.position().board();
    let root = game.margin.tree.as_ref().ok_or_else(|| Message::from("the record is no SGF".to_owned()))?;
    let mut tree = Tree { text: head(&setup, root, board), behind: Vec::new() };
    let mut moves = verdicts.moves.iter();
    let mut next: Option<(&Node, &[Node])> = Some((root, &[]));
    while let Some((node, others)) = next {
        let mut others: Vec<String> = others.iter().map(sgf::tree_text).collect();
        let mut rest = Some(node).filter(|node| !node.is_root);
        let count = node.properties().filter(|prop| matches!(prop, Prop::B(_) | Prop::W(_))).count();
        // Some records have several moves in a node.
        for mv in moves.by_ref().take(count) {
            let mut variations = better(mv, board).into_iter().collect::<Vec<_>>();
            others.retain(|other| !variations.contains(other));
            variations.append(&mut others);
            tree.node(&marked(mv, board, rest.take()), variations);
        }
        if let Some(node) = rest {
            tree.node(&format!("\n;{}", kept(node, |name| name != "PL")), others);
        }
        next = node.children.split_first();
    }
    Ok(tree.finish())
}

/// A game as it is written.
struct Tree {
    text: String,
    /// The variations that stand behind the rest of the game, those of the first node first.
    behind: Vec<Vec<String>>,
}

impl Tree {
    /// Goes on by a node and what may stand in its place. The game itself is the first of the variations, so that
    /// readers follow it.
    fn node(&mut self, node: &str, variations: Vec<String>) {
        if !variations.is_empty() {
            self.text.push('(');
            self.behind.push(variations);
        }
        self.text += node;
    }

    /// The whole game.
    fn finish(mut self) -> String {
        self.text.push(')');
        // The innermost first.
        for variations in self.behind.iter().rev() {
            for variation in variations {
                self.text.push('\n');
                self.text += variation;
            }
            self.text.push(')');
        }
        self.text + "\n"
    }
}

/// The root without the bracket that closes the game.
fn head(setup: &GoSetup, root: &Node, board: &Board) -> String {
    let mut out = format!("(;FF[4]GM[1]CA[UTF-8]AP[sanqi]SZ[{}]", setup.size);
    // What the record does not report is not made up.
    let as_it_is = |name| root.get_property(name).map(sgf::property).unwrap_or_default();
    out += &sgf::komi(root).map_or_else(|| as_it_is("KM"), |komi| format!("KM[{komi}]"));
    out += &as_it_is("RU");
    let is_set_up = |node: &Node| node.properties().any(|prop| matches!(prop, Prop::AB(_) | Prop::AW(_)));
    // Stones of a handicap that the record only counts.
    if !root.main_variation().any(is_set_up) {
        for (property, color) in [("AB", Color::Black), ("AW", Color::White)] {
            let points = board.points().filter(|&v| board.color(v) == color);
            let points: String = points.map(|v| format!("[{}]", coords::sgf(board, v))).collect();
            if !points.is_empty() {
                out += &(property.to_owned() + &points);
            }
        }
    }
    if board.side_to_move() == Side::Second {
        out += "PL[W]";
    }
    out + &kept(root, |name| !OF_ROOT.contains(&name))
}

/// The properties of a node whose names are kept, as text.
fn kept(node: &Node, is_kept: impl Fn(&str) -> bool) -> String {
    node.properties().filter(|prop| is_kept(&prop.identifier())).map(sgf::property).collect()
}

/// A move with its marks, and with what the record has in its node.
fn marked(mv: &Judged, board: &Board, node: Option<&Node>) -> String {
    let bad = judgment(mv.sign);
    let lead = mv.lead.map_or(String::new(), |lead| format!("SBKS[{lead:.1}]"));
    let is_kept = |name: &str| !OF_MOVE.contains(&name) && (bad.is_empty() || !JUDGMENTS.contains(&name));
    let rest = node.map_or(String::new(), |node| kept(node, is_kept));
    let said = node.map_or(String::new(), comment);
    format!(
        "\n;{}{bad}SBKV[{:.2}]{lead}{rest}C[{}{}{}]",
        played(mv.side, &mv.text, board),
        100.0 * mv.chances,
        escape(&mv.score),
        mv.sign,
        escape(&said)
    )
}

/// What the record says in a node, on lines of its own.
fn comment(node: &Node) -> String {
    let texts = node.properties().filter_map(|prop| match prop {
        Prop::C(text) if !text.text.is_empty() => Some(format!("\n{}", text.text)),
        _ => None,
    });
    texts.collect()
}

/// A better line as a variation.
fn better(mv: &Judged, board: &Board) -> Option<String> {
    let sides = [mv.side, mv.side.other()].into_iter().cycle();
    let moves = mv.better.iter().take(LONGEST_LINE).zip(sides);
    let line: String = moves.map(|(vertex, side)| format!(";{}", played(side, vertex, board))).collect();
    (!line.is_empty()).then(|| format!("({line})"))
}

/// A move as a property.
fn played(side: Side, vertex: &str, board: &Board) -> String {
    let letter = if side == Side::First { 'B' } else { 'W' };
    let point = coords::parse_vertex(board, vertex).map_or(String::new(), |v| coords::sgf(board, v));
    format!("{letter}[{point}]")
}
