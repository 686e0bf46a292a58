//! Moves as people and records write them.
//!
//! Chess is read as standard algebraic notation or coordinates, xiangqi as ICCS, Chinese notation or WXF, Go as
//! vertices; all are written back in the notation asked for.

pub use super::record::Style;

use super::record::{GameKind, Opening};
use super::referee::{Rules, Stones};
use crate::chess;
use crate::chess::notation::Notation;
use crate::game::{Game, GameId, Side, Text};
use crate::go::coords;
use crate::xiangqi::{self, notation};

/// The legal move of chess that `text` names.
/// # Errors
/// Says why there is none.
pub fn chess_move(board: &chess::Board, text: &str, notation: Notation) -> Result<chess::Move, String> {
    // In coordinates everybody writes small letters, so that "b2c3" is no bishop's move.
    board.parse_move(text, notation).or_else(|_| board.parse_san(text).map_err(|e| e.to_string()))
}

/// The legal move of xiangqi that `text` names.
/// # Errors
/// Says why there is none.
pub fn xiangqi_move(board: &xiangqi::Board, text: &str) -> Result<xiangqi::Move, String> {
    notation::read_any(board, text).map_err(|e| e.to_string())
}

/// A position of any game, for reading and writing moves; whether the game is over is the referee's business.
#[derive(Clone)]
pub enum Position {
    /// Chess, with the notation of its coordinates.
    Chess(Box<chess::Board>, Notation),
    /// Xiangqi.
    Xiangqi(Box<xiangqi::Board>),
    /// Go.
    Go(Box<Stones>),
}

impl Position {
    /// Where a game starts, the opening's moves not yet played.
    /// # Errors
    /// What is wrong with the FEN, or with the rules of Go.
    pub fn new(kind: GameKind, rules: &Rules, opening: &Opening) -> Result<Self, String> {
        fn start<G: Text>(fen: Option<&str>) -> Result<Box<G>, String> {
            fen.map_or_else(|| Ok(G::start()), <G as Text>::from_fen).map(Box::new)
        }
        let fen = opening.fen.as_deref();
        Ok(match kind.game() {
            GameId::Chess if kind == GameKind::CHESS960 => Self::Chess(start(fen)?, Notation::Chess960),
            GameId::Chess => Self::Chess(start(fen)?, Notation::Coordinate),
            GameId::Xiangqi => Self::Xiangqi(start(fen)?),
            GameId::Go => Self::Go(Box::new(Stones::new(&rules.go)?)),
        })
    }

    /// Who is to move.
    pub fn side_to_move(&self) -> Side {
        match self {
            Self::Chess(board, _) => Game::side_to_move(&**board),
            Self::Xiangqi(board) => Game::side_to_move(&**board),
            Self::Go(stones) => Game::side_to_move(stones.position()),
        }
    }

    /// The move that `text` names, in coordinates.
    /// # Errors
    /// Says why there is none.
    pub fn read(&self, text: &str) -> Result<String, String> {
        match self {
            Self::Chess(board, notation) => {
                Ok(board.move_text(chess_move(board, text, *notation)?, *notation))
            }
            Self::Xiangqi(board) => Ok(board.move_text(xiangqi_move(board, text)?, Default::default())),
            Self::Go(stones) => {
                let position = stones.position();
                let vertex = coords::parse_vertex(position.board(), text)
                    .ok_or_else(|| format!("\"{text}\" is not a point of the board"))?;
                let side = Game::side_to_move(position);
                position.check(side, vertex).map_err(|why| format!("\"{text}\" cannot be played: {why}"))?;
                Ok(coords::vertex(position.board(), vertex))
            }
        }
    }

    /// A legal move, given in coordinates, as people write it.
    pub fn write(&self, mv: &str, style: Style) -> String {
        let text = match self {
            Self::Chess(board, notation) => board.parse_move(mv, *notation).map(|mv| board.san(mv)),
            Self::Xiangqi(board) => {
                board.parse_move(mv, Default::default()).map(|mv| style.xiangqi(board, mv))
            }
            Self::Go(_) => return mv.to_owned(),
        };
        text.unwrap_or_else(|_| mv.to_owned())
    }

    /// Plays a move given in coordinates.
    /// # Errors
    /// Says why it is not legal; nothing has changed then.
    pub fn play(&mut self, mv: &str) -> Result<(), String> {
        match self {
            Self::Chess(board, notation) => {
                let mv = board.parse_move(mv, *notation)?;
                board.do_move(mv, &mut ());
            }
            Self::Xiangqi(board) => {
                let mv = board.parse_move(mv, Default::default())?;
                board.do_move(mv, &mut ());
            }
            Self::Go(stones) => drop(super::referee::Referee::play(&mut **stones, mv)?),
        }
        Ok(())
    }

    /// Plays a move of a record: in Go also one that the rules forbid, but the board allows (ko, suicide).
    /// # Errors
    /// Says why it cannot be played; nothing has changed then.
    pub fn play_recorded(&mut self, mv: &str) -> Result<(), String> {
        match self {
            Self::Go(stones) => stones.play_recorded(mv),
            Self::Chess(..) | Self::Xiangqi(_) => self.play(mv),
        }
    }

    /// A line of play as people write it; it ends before the first move that cannot be played.
    pub fn write_line(&self, moves: &[String], style: Style) -> Vec<String> {
        let mut position = self.clone();
        let each = moves.iter().map_while(|mv| {
            let text = position.write(mv, style);
            position.play(mv).ok().map(|()| text)
        });
        each.collect()
    }

    /// The position as a FEN, where the game has it.
    pub fn fen(&self) -> Option<String> {
        match self {
            Self::Chess(board, _) => Some(board.fen()),
            Self::Xiangqi(board) => Some(board.fen()),
            Self::Go(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_start(kind: GameKind) -> Position {
        Position::new(kind, &Rules::default(), &Opening::default()).unwrap()
    }

    #[test]
    fn every_game_reads_what_its_players_write() {
        for (kind, text, coordinates) in [
            (GameKind::CHESS, "e4", "e2e4"),
            (GameKind::CHESS, "e2e4", "e2e4"),
            (GameKind::CHESS, "Nf3", "g1f3"),
            (GameKind::XIANGQI, "炮二平五", "h2e2"),
            (GameKind::XIANGQI, "砲２平５", "h2e2"),
            (GameKind::XIANGQI, "馬八進七", "b0c2"),
            (GameKind::XIANGQI, "C2=5", "h2e2"),
            (GameKind::XIANGQI, "H2-E2", "h2e2"),
            (GameKind::GO, "d4", "D4"),
            (GameKind::GO, "PASS", "pass"),
        ] {
            assert_eq!(at_start(kind).read(text).as_deref(), Ok(coordinates), "{text}");
        }
        for (kind, text) in [(GameKind::CHESS, "e5"), (GameKind::XIANGQI, "炮二平二"), (GameKind::GO, "Z9")]
        {
            assert!(at_start(kind).read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lines_are_written_in_the_notation_asked_for() {
        let moves = ["h2e2", "h9g7"].map(str::to_owned);
        let start = at_start(GameKind::XIANGQI);
        assert_eq!(start.write_line(&moves, Style::Chinese), ["炮二平五", "马８进７"]);
        assert_eq!(start.write_line(&moves, Style::Wxf), ["C2=5", "H8+7"]);
        assert_eq!(start.write_line(&moves, Style::Iccs), ["H2-E2", "H9-G7"]);
        let moves = ["e2e4", "e7e5", "e4e5"].map(str::to_owned);
        assert_eq!(at_start(GameKind::CHESS).write_line(&moves, Style::Iccs), ["e4", "e5"]);
    }
}
