//! Moves as people and records write them.
//!
//! Chess is read as standard algebraic notation or coordinates, xiangqi as ICCS, Chinese notation or WXF, Go
//! as vertices; all are written back in the notation asked for.

pub use super::record::Style;

use crate::chess;
use crate::chess::notation::Notation;
use crate::game::Text;
use crate::util::message::Message;
use crate::xiangqi::{self, notation};

pub fn chess_move(board: &chess::Board, text: &str, notation: Notation) -> Result<chess::Move, Message> {
    // Coordinates have small letters: "b2c3" is not a bishop's move.
    let is_pair = matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..]);
    match is_pair.then(|| board.parse_move(text, notation)) {
        Some(Ok(mv)) => Ok(mv),
        _ => Ok(board.parse_san(text)?),
    }
}

pub fn xiangqi_move(board: &xiangqi::Board, text: &str) -> Result<xiangqi::Move, Message> {
    Ok(notation::read_any(board, text)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::Position;
    use crate::games::record::GameKind;

    fn at_start(kind: GameKind) -> Position {
        Position::at(&kind.into()).unwrap()
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
            assert_eq!(at_start(kind).read(text).unwrap(), coordinates, "{text}");
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
