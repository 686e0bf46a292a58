//! A game of any kind, under way: where it started, its moves, and the position they lead to.
//!
//! This is the one thing between text and rules. Boards that are drawn, records that are read, matches, the
//! judge and engines that are set up all ask a [`Game`]. Moves are text: those that are kept are in
//! coordinates, `e2e4`, `h2e2`, `D4`. It knows no time and no players.

use super::record::{Ending, GameKind, GameRecord, GoSetup, Opening, Ply, Reason, Style};
use super::referee::{Pieces, Referee, Rules, Stones};
use crate::chess::notation::Notation;
use crate::game::{GameId, Text};
use crate::message;
use crate::util::message::Message;
pub use crate::xiangqi::notation::Notation as Ranks;
use crate::{chess, xiangqi};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Deref, DerefMut};

/// Where a game starts, and by which rules it is played.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    pub kind: GameKind,
    /// By which rules. Go starts with the stones that they set up.
    pub rules: Rules,
    /// The position of chess or xiangqi; `None`: the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
}

impl From<GameKind> for Start {
    /// The usual start, by the usual rules.
    fn from(kind: GameKind) -> Self {
        Self { kind, ..Self::default() }
    }
}

impl Start {
    /// A position of chess or xiangqi, by the usual rules.
    pub fn fen(kind: GameKind, fen: &str) -> Self {
        Self { fen: Some(fen.to_owned()), ..kind.into() }
    }

    /// The record of a game without moves that was not finished, its players without names.
    pub fn record(&self) -> GameRecord {
        GameRecord {
            number: 0,
            round: 1,
            pair: 0,
            kind: self.kind,
            seats: [0, 1],
            names: ["?".to_owned(), "?".to_owned()],
            controls: ["-".to_owned(), "-".to_owned()],
            opening: Opening { fen: self.fen.clone(), ..Opening::default() },
            plies: Vec::new(),
            ending: Ending::drawn(Reason::Interrupted, "the game was not finished"),
            started: 0,
            duration_ms: 0,
            latency_us: [0; 2],
            overhead_us: 0,
            notation: Style::default(),
            go: (self.kind == GameKind::GO).then(|| self.rules.go.clone()),
        }
    }

    /// A game of Go, set up like this.
    pub fn go(setup: GoSetup) -> Self {
        Self { rules: Rules { go: setup, ..Rules::default() }, ..GameKind::GO.into() }
    }
}

/// A position of any game. What all games can do is asked of its [`Referee`]; the variants are for what
/// differs, such as drawing the board.
#[derive(Clone)]
pub enum Position {
    Chess(Box<Pieces<chess::Board>>),
    Xiangqi(Box<Pieces<xiangqi::Board>>),
    Go(Box<Stones>),
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Go(stones) => stones.position().fmt(f),
            Self::Chess(_) | Self::Xiangqi(_) => self.fen().fmt(f),
        }
    }
}

impl Position {
    pub fn at(start: &Start) -> Result<Self, Message> {
        fn board<G: Text>(fen: Option<&str>) -> Result<G, Message> {
            fen.map_or_else(|| Ok(G::start()), <G as Text>::from_fen)
        }
        let fen = start.fen.as_deref();
        Ok(match start.kind.game() {
            GameId::Chess => {
                let is_chess960 = start.kind == GameKind::CHESS960;
                let notation = if is_chess960 { Notation::Chess960 } else { Notation::Coordinate };
                let mut board: chess::Board = board(fen)?;
                if !start.rules.fifty_moves.is_empty() {
                    board.set_fifty_moves(start.rules.fifty_moves.parse()?);
                }
                Self::Chess(Box::new(Pieces::new(board, notation)))
            }
            GameId::Xiangqi => {
                let mut board: xiangqi::Board = board(fen)?;
                start.rules.repetition.apply(&mut board)?;
                Self::Xiangqi(Box::new(Pieces::new(board, Default::default())))
            }
            GameId::Go => Self::Go(Box::new(Stones::new(&start.rules.go)?)),
        })
    }

    /// A line of play as people write it; it ends before the first move that cannot be played.
    pub fn write_line(&self, moves: &[String], style: Style) -> Vec<String> {
        let mut position = self.clone();
        let each = moves.iter().map_while(|mv| {
            let text = position.write(mv, style);
            position.play(mv).ok().map(|_| text)
        });
        each.collect()
    }
}

impl Deref for Position {
    type Target = dyn Referee;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Chess(board) => &**board,
            Self::Xiangqi(board) => &**board,
            Self::Go(stones) => &**stones,
        }
    }
}

impl DerefMut for Position {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Chess(board) => &mut **board,
            Self::Xiangqi(board) => &mut **board,
            Self::Go(stones) => &mut **stones,
        }
    }
}

/// A game under way. It is its [`Position`], with the moves that led there.
#[derive(Clone, Debug)]
pub struct Game {
    start: Start,
    moves: Vec<String>,
    position: Position,
}

impl Deref for Game {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.position
    }
}

impl Game {
    pub fn at(start: Start) -> Result<Self, Message> {
        Ok(Self { position: Position::at(&start)?, moves: Vec::new(), start })
    }

    /// A game after these moves.
    /// # Errors
    /// As [`at`](Self::at), or the first move that is not legal.
    pub fn after<'m>(start: Start, moves: impl IntoIterator<Item = &'m String>) -> Result<Self, Message> {
        let mut game = Self::at(start)?;
        moves.into_iter().try_for_each(|mv| game.play(mv))?;
        Ok(game)
    }

    pub fn start(&self) -> &Start {
        &self.start
    }

    pub fn kind(&self) -> GameKind {
        self.start.kind
    }

    /// The moves so far, each in the usual form of its coordinates.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// All moves, of a game that is not needed any more.
    pub fn into_moves(self) -> Vec<String> {
        self.moves
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a move given in coordinates, and does not look whether it ends the game.
    /// # Errors
    /// Why it is not legal; nothing has changed then.
    pub fn play(&mut self, mv: &str) -> Result<(), Message> {
        let usual = self.position.play(mv)?;
        self.moves.push(usual);
        Ok(())
    }

    /// Plays a move in the form in which [`read`](Referee::read) gives it.
    fn play_read(&mut self, mv: String) -> Result<(), Message> {
        self.position.play_recorded(&mv)?;
        self.moves.push(mv);
        Ok(())
    }

    /// Plays the legal move that a text in any notation names.
    /// # Errors
    /// Why there is none; nothing has changed then.
    pub fn play_text(&mut self, text: &str) -> Result<(), Message> {
        let mv = self.read(text)?;
        self.play_recorded(&mv)
    }

    /// Plays the legal move that a text of a record names, in any notation whose ranks count like this.
    /// # Errors
    /// Why there is none; nothing has changed then.
    pub fn play_with(&mut self, text: &str, ranks: Ranks) -> Result<(), Message> {
        let mv = match &mut self.position {
            Position::Chess(board) => board.play_text(text)?,
            Position::Xiangqi(board) => board.play_with(text, ranks)?,
            Position::Go(_) => return self.play_text(text),
        };
        self.moves.push(mv);
        Ok(())
    }

    /// How the texts of the moves of a whole game from here count the ranks of xiangqi, for
    /// [`read_with`](Self::read_with).
    pub fn ranks_of<'w>(&self, words: impl Iterator<Item = &'w str> + Clone) -> Ranks {
        match self.position() {
            Position::Xiangqi(board) => xiangqi::notation::ranks_of(board, words),
            _ => Ranks::default(),
        }
    }

    /// The legal move that a text of a record names, in any notation whose ranks count like this.
    pub fn read_with(&self, text: &str, ranks: Ranks) -> Result<String, Message> {
        match self.position() {
            Position::Xiangqi(board) => Ok(xiangqi::notation::read_with(board, text, ranks)?.to_string()),
            _ => self.read(text),
        }
    }

    /// Plays the moves of a game from here, in any notation.
    /// # Errors
    /// The index of the first text that is not a legal move, and why; the moves before it have been played
    /// then.
    pub fn play_texts(&mut self, texts: &[&str]) -> Result<(), (usize, Message)> {
        let ranks = self.ranks_of(texts.iter().copied());
        for (at, text) in texts.iter().enumerate() {
            self.read_with(text, ranks).and_then(|mv| self.play_read(mv)).map_err(|why| (at, why))?;
        }
        Ok(())
    }

    /// Plays a move of a record: in Go also one that the rules forbid, but the board allows (ko, suicide).
    /// # Errors
    /// Why it cannot be played; nothing has changed then.
    pub fn play_recorded(&mut self, mv: &str) -> Result<(), Message> {
        let usual = self.position.play_recorded(mv)?;
        self.moves.push(usual);
        Ok(())
    }

    /// Takes back the last move and gives it. `None`: there is none.
    pub fn undo(&mut self) -> Option<String> {
        self.position.undo(self.moves.len().min(1));
        self.moves.pop()
    }

    /// Takes back all moves but the first `plies`.
    pub fn truncate(&mut self, plies: usize) {
        self.position.undo(self.moves.len().saturating_sub(plies));
        self.moves.truncate(plies);
    }

    /// Goes to the position after the moves of a record, from wherever the two lines part.
    /// # Errors
    /// The number of the first move that cannot be played, and why; the game is before it then.
    pub fn follow(&mut self, moves: &[String]) -> Result<(), Message> {
        let common = self.moves.iter().zip(moves).take_while(|(own, other)| own == other).count();
        self.truncate(common);
        for (number, mv) in (1_usize..).zip(moves).skip(common) {
            self.play_recorded(mv)
                .map_err(|why| message!("move {number}: {why}" | "第 {number} 着：{why}", number, why))?;
        }
        Ok(())
    }

    /// Go: whether both have passed in turn, so that the board is to be counted.
    pub fn both_passed(&self) -> bool {
        self.kind() == GameKind::GO
            && self.moves.last_chunk::<2>().is_some_and(|last| last.iter().all(|mv| mv == "pass"))
    }

    /// A move that is about to be played, as records have it: in Go without a text of its own.
    pub fn ply(&self, mv: &str, style: Style) -> Ply {
        let mv = self.coordinates(mv);
        let text = if self.kind() == GameKind::GO { String::new() } else { self.write(&mv, style) };
        Ply { text, ..Ply::plain(&mv) }
    }
}
