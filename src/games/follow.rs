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
        let entered = self.apply(node);
        let (level, result) = match entered {
            Ok(level) => (level, Ok(())),
            Err(why) => (Level::Nothing, Err(why)),
        };
        self.levels.push(level);
        result
    }

    fn apply(&mut self, node: &Node) -> Result<Level, Message> {
        let mover = node.played.as_ref().map(|(side, _)| *side);
        let is_null = node.played.is_some_and(|(_, mv)| &*mv == NULL_MOVE);
        let sets_up = node.items.iter().any(|item| matches!(item, Item::Place(..) | Item::Turn(_)));
        let is_out_of_turn = mover.is_some_and(|side| side != self.game.side_to_move());
        let next = if self.game.kind() == GameKind::GO && (sets_up || is_out_of_turn) {
            Some(Game::at(Start::go(self.setup_with(node)?))?)
        } else if is_null {
            Some(passed(&self.game)?)
        } else {
            None
        };
        let (mut level, mut game) = (Level::Nothing, next);
        if let Some(game) = game.take() {
            level = Level::Anew(Box::new(std::mem::replace(&mut self.game, game)));
        }
        let Some((_, mv)) = node.played.filter(|_| !is_null) else { return Ok(level) };
        match (self.game.play_recorded(&mv), level) {
            (Ok(()), Level::Nothing) => Ok(Level::Played),
            (Ok(()), level) => Ok(level),
            (Err(why), Level::Anew(game)) => {
                self.game = *game;
                Err(why)
            }
            (Err(why), _) => Err(why),
        }
    }

    /// The stones on the board with those of a node, and whose turn it is.
    fn setup_with(&self, node: &Node) -> Result<GoSetup, Message> {
        let Position::Go(stones) = self.game.position() else {
            return Err(message!("stones are set up in a game of another kind" | "不是围棋，却摆了子"));
        };
        let position = stones.position();
        let board = position.board();
        let mut stones: Vec<_> = (board.points())
            .filter_map(|v| Some((board.color(v).side()?, coords::vertex(board, v))))
            .collect();
        let mut first = self.game.side_to_move();
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
        let first = node.played.map_or(first, |(side, _)| side);
        Ok(GoSetup { stones, first: Some(first), ..self.game.start().rules.go.clone() })
    }
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
