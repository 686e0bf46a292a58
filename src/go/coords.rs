//! Points as text: GTP vertices and SGF coordinates.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::board::Board;
use super::types::{MAX_SIZE, Point};

/// Column letters of GTP: I is left out.
const COLUMNS: &[u8; MAX_SIZE] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

#[allow(clippy::indexing_slicing, reason = "a board has at most as many columns as there are letters")]
pub fn column(col: usize) -> char {
    char::from(COLUMNS[col])
}

/// A point as a GTP vertex, `D4`; `pass` for anything that is not on the board.
#[allow(clippy::arithmetic_side_effects, reason = "a row of the board")]
pub fn vertex(board: &Board, v: Point) -> String {
    if !board.contains(v) {
        return "pass".to_owned();
    }
    let (col, row) = v.col_row();
    format!("{}{}", column(col), row + 1)
}

/// Reads a GTP vertex, in either case; `pass` is [`Point::PASS`]. `None`: not a vertex of this board.
pub fn parse_vertex(board: &Board, text: &str) -> Option<Point> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(Point::PASS);
    }
    let (letter, digits) = text.split_at_checked(1)?;
    let letter = letter.bytes().next()?.to_ascii_uppercase();
    let col = COLUMNS.iter().position(|&c| c == letter)?;
    if digits.len() > 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let row = digits.parse::<usize>().ok()?.checked_sub(1)?;
    (col < board.width() && row < board.height()).then(|| Point::new(col, row))
}

/// A point as SGF coordinates: column, then row from the top, `dd`; nothing for a pass.
#[allow(clippy::arithmetic_side_effects, reason = "a point of the board, which has at most 25 rows")]
pub fn sgf(board: &Board, v: Point) -> String {
    if !board.contains(v) {
        return String::new();
    }
    let (col, row) = v.col_row();
    let letter = |i: usize| char::from(b'a' + i as u8);
    [letter(col), letter(board.height() - 1 - row)].iter().collect()
}

/// The point in column `x` and row `y` counted from the top, as SGF counts. `None`: off the board.
#[allow(clippy::arithmetic_side_effects, reason = "a row of the board")]
pub fn from_sgf(board: &Board, x: u8, y: u8) -> Option<Point> {
    let (x, y) = (usize::from(x), usize::from(y));
    (x < board.width() && y < board.height()).then(|| Point::new(x, board.height() - 1 - y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_leave_the_letter_i_out() {
        let board = Board::new(19, 19);
        assert_eq!(parse_vertex(&board, "j9"), Some(Point::new(8, 8)));
        assert_eq!(vertex(&board, Point::new(18, 18)), "T19");
        assert_eq!(parse_vertex(&board, "PASS"), Some(Point::PASS));
        for bad in ["", "I5", "U1", "A0", "A20", "A", "5A", "A1x", "A+1", "AA1", "é1", "A１", "A001"] {
            assert_eq!(parse_vertex(&board, bad), None, "{bad}");
        }
        let wide = Board::new(25, 3);
        assert_eq!(vertex(&wide, Point::new(24, 2)), "Z3");
    }

    #[test]
    fn every_point_survives_both_texts() {
        for (width, height) in [(1, 1), (2, 2), (19, 19), (25, 25), (5, 13)] {
            let board = Board::new(width, height);
            for v in board.points() {
                assert_eq!(parse_vertex(&board, &vertex(&board, v)), Some(v));
                let text = sgf(&board, v);
                let [x, y] = text.as_bytes() else { panic!("{text}") };
                assert_eq!(from_sgf(&board, x - b'a', y - b'a'), Some(v));
            }
        }
    }
}
