//! Where to play while a large board is empty: corners, then sides, on the third and fourth lines.
//!
//! The learned [strengths](super::strengths) know little of it: playouts hardly tell one opening move from another,
//! so the engine's own games do not teach it.
//! Sources: <https://senseis.xmp.net/?CornerSideCenter>, <https://senseis.xmp.net/?ThirdLine>.

use super::features::{is_touched, stones_near};
use crate::go::{Board, Point};
use std::ops::RangeInclusive;

/// On boards of fewer lines the learned strengths are left as they are.
const LEAST_LINES: usize = 16;

/// Factors by the line of a point, from the first line. `OPEN` is for points without a stone within two columns and
/// two rows, `LOOSE` for points with a stone there, but none on the eight points around.
const OPEN: [f32; 6] = [0.04, 0.2, 8.0, 8.0, 2.0, 0.5];
const LOOSE: [f32; 6] = [0.04, 0.2, 6.0, 6.0, 1.0, 0.5];

/// While fewer than one in so many points has a stone, moves that touch no stone are on these lines, counted from 0; moves
/// near a stone may be one line higher. Playouts overrate the center so much that no factor would keep moves out of it:
/// docs/lab/go-openings.md.
const POINTS_A_STONE: usize = 10;
const FIRST_LINES: RangeInclusive<usize> = 2..=3;
const FIRST_LINES_NEAR: RangeInclusive<usize> = 2..=4;

/// An empty corner is a square of so many lines; by the higher line of a point on the third or fourth: 3-3; 3-4 and
/// 4-4; 3-5 and 4-5.
const CORNER: usize = 6;
const IN_CORNER: [(usize, f32); 3] = [(2, 3.0), (3, 10.0), (4, 2.0)];

/// What the strength of `v` is multiplied by.
pub fn strength(board: &Board, v: Point) -> f32 {
    let (width, height) = (board.width(), board.height());
    if width.min(height) < LEAST_LINES || is_touched(board, v) {
        return 1.0;
    }
    let (col, row) = v.col_row();
    let (x, y) = (col.min(width - 1 - col), row.min(height - 1 - row));
    let (line, higher) = (x.min(y), x.max(y));
    let is_near = stones_near(board, col, row);
    let lines = if is_near { FIRST_LINES_NEAR } else { FIRST_LINES };
    if !lines.contains(&line) && board.area() - board.empty_count() < board.area() / POINTS_A_STONE {
        return 0.0;
    }
    let class = line.min(OPEN.len() - 1);
    if is_near {
        return LOOSE[class];
    }
    let place = IN_CORNER.iter().find(|(at, _)| *at == higher && FIRST_LINES.contains(&line));
    match place {
        Some((_, corner)) if is_corner_empty(board, col, row) => OPEN[class] * corner,
        _ => OPEN[class],
    }
}

/// Whether no stone is in the corner nearest to a point.
fn is_corner_empty(board: &Board, col: usize, row: usize) -> bool {
    let nearest = |at: usize, lines: usize| if 2 * at < lines { 0..CORNER } else { lines - CORNER..lines };
    let columns = nearest(col, board.width());
    nearest(row, board.height()).all(|r| columns.clone().all(|c| board.is_empty(Point::new(c, r))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::BLACK;

    fn at(board: &Board, col: usize, row: usize) -> f32 {
        strength(board, Point::new(col, row))
    }

    #[test]
    fn corners_come_before_sides_and_sides_before_the_center() {
        let board = Board::new(19, 19);
        let order = [at(&board, 3, 15), at(&board, 2, 2), at(&board, 9, 2), at(&board, 9, 9)];
        assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
        assert_eq!(at(&board, 2, 3), at(&board, 16, 15), "all corners are alike");
    }

    #[test]
    fn only_the_first_moves_keep_to_the_third_and_fourth_lines() {
        let mut board = Board::new(19, 19);
        let open = |board: &Board| [0, 1, 4, 9].map(|row| at(board, 9, row) > 0.0);
        assert_eq!(open(&board), [false; 4]);
        board.set_up(Point::new(9, 2), BLACK);
        assert_eq!(
            open(&board),
            [false, true, true, false],
            "a touching move, and one near on the fifth line"
        );
        (0..36).for_each(|i| board.set_up(Point::new(i % 4, i / 4), BLACK));
        assert_eq!(open(&board), [true; 4]);
        let lines = [9, 0, 1].map(|row| at(&board, 12, row));
        assert!(lines[1] < lines[2] && lines[2] < lines[0], "{lines:?}");
    }

    #[test]
    fn a_corner_once_taken_is_one_no_more() {
        let mut board = Board::new(19, 19);
        let open = at(&board, 3, 3);
        board.play(Point::new(5, 0), &mut ());
        assert!(at(&board, 3, 3) < open, "a stone in the corner, none near");
        assert_eq!(at(&board, 4, 1), 1.0, "next to a stone the learned strengths are left alone");
        assert_eq!(at(&board, 15, 3), open);
    }

    #[test]
    fn small_boards_are_left_alone() {
        let board = Board::new(13, 13);
        assert!(board.points().all(|v| strength(&board, v) == 1.0));
    }
}
