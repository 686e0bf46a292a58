//! The summary of a game, for lists and searches.

use super::MAX_GAME;
use crate::ensure;
use crate::games::record::GameKind;
use crate::serve::tree::MAX_NODES;
use crate::util::message::Message;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Moves of the opening that are searched.
const OPENING: usize = 24;
/// Letters of a name, an event, a move.
const MAX_TEXT: usize = 120;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct About {
    game: GameKind,
    /// Who plays the first side, and the second.
    names: [String; 2],
    event: String,
    date: String,
    result: String,
    /// Moves of the main line.
    plies: usize,
    /// Its first moves, in every notation that there is.
    opening: Vec<Vec<String>>,
    /// The position under the cursor.
    picture: Picture,
    /// The side that the engine plays, and how well.
    opponent: Option<u8>,
    level: String,
    /// When the page began the game and changed it last, in milliseconds since 1970.
    pub created: u64,
    pub saved: u64,
    /// Mistakes that a person may still practice on.
    #[serde(default)]
    pub unsolved: usize,
    /// Of the tree, without these times.
    pub hash: String,
}

/// A board: a FEN, or the stones from the top and the lines of the board; with the last move.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Picture {
    #[serde(default)]
    fen: String,
    #[serde(default)]
    stones: String,
    #[serde(default)]
    size: Size,
    #[serde(default)]
    last: String,
}

/// The lines of a board of Go: of a square one, or its columns and rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Size {
    Square(u8),
    Rectangle([u8; 2]),
}

impl Default for Size {
    fn default() -> Self {
        Self::Square(0)
    }
}

/// The parts of a game that the summary is made of.
#[derive(Deserialize)]
struct Outline {
    start: OutlineStart,
    #[serde(default)]
    tags: Vec<(String, String)>,
    #[serde(default)]
    result: String,
    nodes: Vec<OutlineNode>,
    #[serde(default)]
    picture: Picture,
    #[serde(default)]
    opponent: Option<u8>,
    #[serde(default)]
    level: String,
    #[serde(default)]
    unsolved: usize,
}

#[derive(Deserialize)]
struct OutlineStart {
    game: GameKind,
}

#[derive(Deserialize)]
struct OutlineNode {
    parent: Option<usize>,
    mv: String,
    #[serde(default)]
    text: Option<Vec<String>>,
}

fn short(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

impl About {
    /// Summarizes a game as the page sends it, and returns the tree to be stored with it.
    pub fn of(mut tree: Map<String, Value>) -> Result<(Self, Value), Message> {
        let mut time = |name| tree.remove(name).and_then(|time| time.as_u64()).unwrap_or_default();
        let (created, saved) = (time("created"), time("saved"));
        let tree = Value::from(tree);
        let text = tree.to_string();
        let outline: Outline = serde_json::from_str(&text).map_err(|why| Message::from(why.to_string()))?;
        ensure!(
            text.len() <= MAX_GAME && outline.nodes.len() <= MAX_NODES,
            "a game of more than {max} moves, or too long" | "超过 {max} 步，或太长",
            max = MAX_NODES
        );
        let hash = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
        let (mut plies, mut parent, mut opening) = (0_usize, None, Vec::new());
        for (number, node) in outline.nodes.iter().enumerate().filter(|(_, node)| is_move(&node.mv)) {
            if node.parent != parent {
                continue;
            }
            (plies, parent) = (plies.saturating_add(1), Some(number));
            if opening.len() < OPENING {
                let texts = node.text.clone().unwrap_or_else(|| vec![node.mv.clone()]);
                opening.push(texts.iter().take(3).map(|text| short(text)).collect());
            }
        }
        let tag = |name: &str| {
            let found = outline.tags.iter().find(|(tag, _)| tag == name);
            found.map_or_else(String::new, |(_, value)| short(value))
        };
        let sides = match outline.start.game {
            GameKind::GO => [["Black", "Black"], ["White", "White"]],
            GameKind::XIANGQI => [["Red", "White"], ["Black", "Black"]],
            _ => [["White", "White"], ["Black", "Black"]],
        };
        let names = sides
            .map(|[name, other]| Some(tag(name)).filter(|n| !n.is_empty()).unwrap_or_else(|| tag(other)));
        let Picture { fen, stones, size, last } = outline.picture;
        let picture = Picture {
            fen: short(&fen),
            stones: stones.chars().take(625).collect(),
            size,
            last: short(&last),
        };
        let about = Self {
            game: outline.start.game,
            names,
            event: tag("Event"),
            date: tag("Date"),
            result: short(&outline.result),
            plies,
            opening,
            picture,
            opponent: outline.opponent,
            level: short(&outline.level),
            created,
            saved,
            unsolved: outline.unsolved,
            hash,
        };
        Ok((about, tree))
    }

    /// Whether the game is of this kind or a variant of it.
    pub fn is_of(&self, kind: GameKind) -> bool {
        self.game == kind || kind == GameKind::from(kind.game()) && self.game.game() == kind.game()
    }
}

fn is_move(text: &str) -> bool {
    text.len() <= MAX_TEXT
}

/// The words of a search. A word is found among players, event, date, result and game; those that are not
/// there have to be the first moves of the game, one after the other.
pub struct Words(Vec<String>);

impl Words {
    pub fn of(query: &str) -> Self {
        let words = query.split_whitespace().map(|word| {
            // Numbers of moves: `1.e4`.
            let (number, rest) = word.split_once('.').unwrap_or(("x", ""));
            let is_number = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
            let is_date = rest.starts_with(|c: char| c.is_ascii_digit());
            let word = if is_number && !is_date { rest.trim_start_matches('.') } else { word };
            word.to_lowercase()
        });
        Self(words.filter(|word| !word.is_empty()).collect())
    }

    /// Whether a game is found.
    pub fn find(&self, about: &About) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let [first, second] = &about.names;
        let date = about.date.replace('.', "-");
        let game = match about.game {
            GameKind::XIANGQI => "xiangqi 象棋 中国象棋",
            GameKind::GO => "go 围棋",
            GameKind::CHESS => "chess 国际象棋",
            _ => "chess960 国际象棋",
        };
        let text = [first, second, &about.event, &about.date, &date, &about.result, game].join("\n");
        let text = text.to_lowercase();
        let moves: Vec<&String> = self.0.iter().filter(|word| !text.contains(word.as_str())).collect();
        let is_opening = |notation: usize| {
            let is_same = |(word, texts): (&&String, &Vec<String>)| {
                let text = texts.get(notation).or(texts.first()).map(|text| text.to_lowercase());
                text.is_some_and(|text| {
                    text.trim_end_matches(['+', '#']) == word.trim_end_matches(['+', '#'])
                })
            };
            moves.len() <= about.opening.len() && moves.iter().zip(&about.opening).all(is_same)
        };
        moves.is_empty() || (0..3).any(is_opening)
    }
}
