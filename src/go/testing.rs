//! Boards as pictures, for tests.

use super::coords::parse_vertex;
use super::{BLACK, Board, Point, Position, WHITE};
use crate::game::Game;

/// The position after these moves on an empty board.
pub fn played(mut position: Position, moves: &str) -> Position {
    for text in moves.split_whitespace() {
        let mv = parse_vertex(position.board(), text).unwrap();
        position.do_move(mv, &mut ());
    }
    position
}

/// A board from its rows, the top first: `X` Black, `O` White, anything else empty; blanks do not count.
pub fn board(rows: &[&str]) -> Board {
    let rows: Vec<String> = rows.iter().map(|row| row.replace(' ', "")).collect();
    let mut board = Board::new(rows[0].len(), rows.len());
    for (row, line) in rows.iter().rev().enumerate() {
        for (col, cell) in line.bytes().enumerate() {
            match cell {
                b'X' => board.set_up(Point::new(col, row), BLACK),
                b'O' => board.set_up(Point::new(col, row), WHITE),
                _ => (),
            }
        }
    }
    board
}
