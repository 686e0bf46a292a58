//! A game that follows the nodes of a record's tree, forwards and back.

use super::game::{Game, Position, Start};
use super::record::{GameKind, GoSetup};
use super::tree::{Item, Node};
use crate::go::coords;
use crate::message;
use crate::util::message::Message;

/// How programs write that a side does not move.
pub const NULL_MOVE: &str = "--";

/// A game at a node of a tree.
pub struct Follower {
    game: Game,
    /// What each node on the way from the root did.
    levels: Vec<Level>,
}

enum Level {
    Nothing,
    Played,
    /// The game begins anew: this is the one before.
    Anew(Box<Game>),
}

impl Follower {
    /// At the root. Its own set-up is the start's.
    pub fn new(start: Start) -> Result<Self, Message> {
        Ok(Self { game: Game::at(start)?, levels: Vec::new() })
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Goes back to the node on the way at this depth: 0 is the root.
    pub fn back_to(&mut self, depth: usize) {
        while self.levels.len() > depth {
            match self.levels.pop() {
                Some(Level::Anew(game)) => self.game = *game,
                Some(Level::Played) => drop(self.game.undo()),
                Some(Level::Nothing) | None => {}
            }
        }
    }

    /// Enters a node with `depth` nodes above it, of which the last is on the way.
    /// # Errors
    /// Why its set-up or its move is impossible; the game stays as it was before, at this depth.
    pub fn enter(&mut self, depth: usize, node: &Node) -> Result<(), Message> {
        self.back_to(depth.saturating_sub(1));
        let entered = apply(&mut self.game, node);
        let (level, result) = match entered {
            Ok(level) => (level, Ok(())),
            Err(why) => (Level::Nothing, Err(why)),
        };
        self.levels.push(level);
        result
    }
}

/// Does what a node does. Where the position does not follow by a move in turn (a null move, stones that are
/// set up, two moves of one side), the game begins anew with it.
/// # Errors
/// Why its set-up or its move is impossible; the game stays as it was.
pub fn enter(game: &mut Game, node: &Node) -> Result<(), Message> {
    apply(game, node).map(drop)
}

/// Whether a node only plays a move, in turn and, in Go, on an empty point.
pub fn is_usual(game: &Game, node: &Node) -> bool {
    let Some((side, mv)) = node.played else { return false };
    let Position::Go(stones) = game.position() else { return &*mv != NULL_MOVE };
    let board = stones.position().board();
    let is_taken = coords::parse_vertex(board, &mv).is_some_and(|v| board.color(v).side().is_some());
    side == game.side_to_move() && !node.sets_up() && !is_taken
}

fn apply(game: &mut Game, node: &Node) -> Result<Level, Message> {
    let is_null = node.played.is_some_and(|(_, mv)| &*mv == NULL_MOVE);
    let is_anew = (node.played.is_some() || node.sets_up()) && !is_usual(game, node);
    let next = if game.kind() == GameKind::GO && is_anew {
        Some(Game::at(Start::go(setup_with(game, node)?))?)
    } else if is_null {
        Some(passed(game)?)
    } else {
        None
    };
    let mut level = Level::Nothing;
    if let Some(next) = next {
        level = Level::Anew(Box::new(std::mem::replace(game, next)));
    }
    let Some((_, mv)) = node.played.filter(|_| !is_null) else { return Ok(level) };
    match (game.play_recorded(&mv), level) {
        (Ok(()), Level::Nothing) => Ok(Level::Played),
        (Ok(()), level) => Ok(level),
        (Err(why), Level::Anew(before)) => {
            *game = *before;
            Err(why)
        }
        (Err(why), _) => Err(why),
    }
}

/// The stones on the board with those of a node, and whose turn it is.
fn setup_with(game: &Game, node: &Node) -> Result<GoSetup, Message> {
    let Position::Go(stones) = game.position() else {
        return Err(message!("stones are set up in a game of another kind" | "不是围棋，却摆了子"));
    };
    let position = stones.position();
    let board = position.board();
    let mut stones: Vec<_> =
        (board.points()).filter_map(|v| Some((board.color(v).side()?, coords::vertex(board, v)))).collect();
    let mut first = game.side_to_move();
    for item in &node.items {
        match item {
            Item::Place(side, points) => {
                stones.retain(|(_, at)| !points.iter().any(|point| **point == **at));
                let placed = points.iter().filter_map(|point| Some(((*side)?, point.to_string())));
                stones.extend(placed);
            }
            Item::Turn(side) => first = *side,
            _ => {}
        }
    }
    if let Some((_, mv)) = node.played {
        // FF[4]: a move is executed whatever stands on its point.
        stones.retain(|(_, at)| *at != *mv);
    }
    let first = node.played.map_or(first, |(side, _)| side);
    Ok(GoSetup { stones, first: Some(first), ..game.start().rules.go.clone() })
}

/// A game of chess or xiangqi that begins behind a null move: the position with the other side to move.
/// # Errors
/// Why the side to move cannot pass: it is in check.
pub fn passed(game: &Game) -> Result<Game, Message> {
    let fen = game.fen().unwrap_or_default();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    if let Some(side) = fields.get_mut(1) {
        *side = if *side == "b" { "w" } else { "b" };
    }
    if let Some(passant) = fields.get_mut(3) {
        *passant = "-";
    }
    Game::at(Start { fen: Some(fields.join(" ")), ..game.start().clone() })
}
