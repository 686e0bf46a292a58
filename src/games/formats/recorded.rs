//! What every reader of game records returns: the game, what stands beside its moves, or where and why it is
//! broken.

use crate::game::Side;
use crate::games::game::Start;
use crate::games::record::{GameKind, GoSetup, Opening};
use crate::games::referee::Rules;
use crate::games::tree::{NodeId, Tree};
use crate::message;
use crate::util::message::Message;

/// A game that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    pub kind: GameKind,
    /// Where it starts, and all its moves, in coordinates; its number in the file, from 1.
    pub opening: Opening,
    /// Tags in their order: `White`, `Red`, `Event`.
    pub tags: Vec<(String, String)>,
    /// Go: how it is set up.
    pub go: Option<GoSetup>,
    /// Which line of its game it is, from 1, where all lines were read.
    pub line: Option<usize>,
    pub tree: Tree,
    pub nodes: Vec<NodeId>,
    /// Go: where the game begins anew, by stones that are set up or a move out of turn, and the index of the
    /// next move.
    pub restarts: Vec<(usize, Start)>,
    /// What could not be read beside the main line, with its place. It stands in the tree as it is.
    pub remarks: Vec<(Place, Message)>,
}

/// A game that could not be read, or not to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    pub number: usize,
    /// Where in the file; none where only the game is known.
    pub place: Option<Place>,
    pub why: Message,
    /// Whether it is a move that is refused, and not the record that is damaged.
    pub is_illegal: bool,
    /// The game as it is before the fault, where that is known and has moves or the fault is the first of
    /// them.
    pub before: Option<Box<Recorded>>,
}

/// The games of a reader, those that are read in part before their faults; behind each game what could not be
/// read beside its main line.
pub fn with_parts(games: Vec<Result<Recorded, Broken>>) -> impl Iterator<Item = Result<Recorded, Broken>> {
    games.into_iter().flat_map(|game| {
        let (game, fault) = match game {
            Ok(game) => (Some(game), None),
            Err(mut broken) => {
                let before = broken.before.take().filter(|game| !game.opening.moves.is_empty());
                (before.map(|game| *game), Some(Err(broken)))
            }
        };
        let remarks = game.as_ref().map_or(Vec::new(), |game| {
            let number = game.opening.number;
            let remark = |(place, why): &(Place, Message)| {
                let why = message!("in a variation: {why}" | "变着中：{why}", why);
                Err(Broken::new(number, Some(*place), why))
            };
            game.remarks.iter().map(remark).collect()
        });
        game.map(Ok).into_iter().chain(remarks).chain(fault)
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Line(usize),
    /// Of a file that is no text: the byte, from 0.
    Byte(usize),
}

impl Broken {
    /// A game in which nothing can be read.
    pub(super) fn new(number: usize, place: Option<Place>, why: impl Into<Message>) -> Self {
        Self { number, place, why: why.into(), is_illegal: false, before: None }
    }

    /// Where the game is broken, and why.
    pub fn message(&self) -> Message {
        let why = in_game(self.number, &self.why);
        match self.place {
            Some(Place::Line(line)) => message!("line {line}: {why}" | "第 {line} 行：{why}", line, why),
            Some(Place::Byte(byte)) => message!("byte {byte}: {why}" | "第 {byte} 字节：{why}", byte, why),
            None => why,
        }
    }
}

pub fn in_game(number: usize, why: &Message) -> Message {
    message!("game {number}: {why}" | "第 {number} 局：{why}", number, why)
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl Recorded {
    pub fn start(&self) -> Start {
        let rules = Rules { go: self.go.clone().unwrap_or_default(), ..Rules::default() };
        Start { kind: self.kind, rules, fen: self.opening.fen.clone() }
    }

    /// A game of which all but the moves is to come.
    pub(super) fn new(kind: GameKind, opening: Opening, tags: Vec<(String, String)>, tree: Tree) -> Self {
        let (nodes, go) = (tree.plies().collect(), None);
        let (line, restarts, remarks) = Default::default();
        Self { kind, opening, tags, go, line, tree, nodes, restarts, remarks }
    }

    pub fn comment(&self, ply: usize) -> String {
        self.nodes.get(ply).map_or(String::new(), |id| self.tree.node(*id).comment())
    }

    /// The value of a tag; not one that is empty or a question mark.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let known = |value: &&str| !value.is_empty() && *value != "?";
        self.tags.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str()).filter(known)
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`, from the first side.
    pub fn result(&self) -> &str {
        self.tag("Result").unwrap_or("*")
    }

    /// Who won, `Some(None)` a draw; `None`: the record has no result.
    pub fn winner(&self) -> Option<Option<Side>> {
        match self.result() {
            "1-0" => Some(Some(Side::First)),
            "0-1" => Some(Some(Side::Second)),
            "1/2-1/2" => Some(None),
            _ => None,
        }
    }

    /// The player's name, or that of the color.
    pub fn player(&self, side: Side) -> &str {
        let names: &[&str] = match (self.kind.side_name(side), self.kind) {
            ("Black", _) => &["Black"],
            (_, GameKind::XIANGQI) => &["Red", "White"],
            _ => &["White"],
        };
        names.iter().find_map(|name| self.tag(name)).unwrap_or(self.kind.side_name(side))
    }
}
