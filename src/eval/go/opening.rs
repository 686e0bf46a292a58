//! Where to play while a large board is empty: corners, then sides, on the third and fourth lines.
//!
//! The learned [strengths](super::strengths) know little of it: playouts hardly distinguish opening moves,
//! so the engine's own games do not teach it. The net has learned from the same games and starts a fight in
//! the first corner; [`guide`] corrects its priors. Sources: <https://senseis.xmp.net/?CornerSideCenter>,
//! <https://senseis.xmp.net/?ThirdLine>.

use super::features::{is_touched, stones_near};
use crate::go::{Board, Color, Move, Point};
use std::ops::RangeInclusive;

/// On boards of fewer lines the learned strengths are left as they are.
const MIN_LINES: usize = 16;

/// On boards of fewer lines the priors of the net are left as they are.
const MIN_LINES_NET: usize = 13;

/// Factors by the line of a point, from the first line. `OPEN` is for points without a stone within two
/// columns and two rows, `LOOSE` for points with a stone there, but none on the eight points around.
const OPEN: [f32; 6] = [0.04, 0.2, 8.0, 8.0, 2.0, 0.5];
const LOOSE: [f32; 6] = [0.04, 0.2, 6.0, 6.0, 1.0, 0.5];

/// While fewer than one in this many points has a stone, moves that touch no stone are on these lines,
/// counted from 0; moves near a stone may be one line higher. Playouts overrate the center so much that no
/// factor would keep moves out of it: docs/lab/go-openings.md.
const POINTS_A_STONE: usize = 10;
const FIRST_LINES: RangeInclusive<usize> = 2..=3;
const FIRST_LINES_NEAR: RangeInclusive<usize> = 2..=4;

/// An empty corner is a square of this many lines; by the higher line of a point on the third or fourth: 3-3;
/// 3-4 and 4-4; 3-5 and 4-5.
const CORNER: usize = 6;
const IN_CORNER: [(usize, f32); 3] = [(2, 3.0), (3, 10.0), (4, 2.0)];

/// Share of the priors that the points of empty corners get while there is a fight elsewhere.
const TENUKI: f32 = 0.25;

/// Added to the net's prior of a corner point: none of them is left out.
const MIN_PRIOR: f32 = 1e-3;

/// What the strength of `v` is multiplied by.
pub fn strength(board: &Board, v: Point) -> f32 {
    if board.width().min(board.height()) < MIN_LINES || is_touched(board, v) {
        return 1.0;
    }
    if !is_on_first_lines(board, v) && is_opening(board) {
        return 0.0;
    }
    let class = lines(board, v).0.min(OPEN.len() - 1);
    let (col, row) = v.col_row();
    if stones_near(board, col, row) { LOOSE[class] } else { OPEN[class] * corner(board, v).unwrap_or(1.0) }
}

/// Corrects `priors`, the net's chances of `moves`, while few stones are on a large board.
///
/// Until stones of different colors have met, moves take empty corners; when there are none, they keep to the
/// third and fourth lines and touch nothing. From then on the net decides, and empty corners keep a share of
/// the priors: docs/lab/go-openings.md.
pub fn guide(board: &Board, moves: &[Move], priors: &mut [f32]) {
    if board.width().min(board.height()) < MIN_LINES_NET || !is_opening(board) {
        return;
    }
    let have_met = have_met(board);
    let in_corner = |(&v, &prior): (&Move, &f32)| {
        let factor = if v.is_stone() { corner(board, v) } else { None };
        factor.map_or(0.0, |factor| factor * (prior + MIN_PRIOR).sqrt())
    };
    let corners: Vec<f32> = moves.iter().zip(priors.iter()).map(in_corner).collect();
    let sum: f32 = corners.iter().sum();
    if sum > 0.0 {
        let share = if have_met { TENUKI } else { 1.0 };
        for (prior, corner) in priors.iter_mut().zip(&corners) {
            *prior += share * (corner / sum - *prior);
        }
    } else if !have_met {
        let fits = |v: Move| v.is_stone() && !is_touched(board, v) && is_on_first_lines(board, v);
        if moves.iter().zip(priors.iter()).any(|(&v, &prior)| prior > 0.0 && fits(v)) {
            priors.iter_mut().zip(moves).filter(|(_, v)| !fits(**v)).for_each(|(prior, _)| *prior = 0.0);
        }
    }
}

/// Whether the first moves are being played.
fn is_opening(board: &Board) -> bool {
    board.area() - board.empty_count() < board.area() / POINTS_A_STONE
}

/// Whether a stone stands within two columns and two rows of one of the other color.
fn have_met(board: &Board) -> bool {
    let (width, height) = (board.width(), board.height());
    let meets = |v: Point| {
        let enemy = board.color(v).side().map(|side| Color::of(side.other()));
        let (col, row) = v.col_row();
        let columns = col.saturating_sub(2)..=(col + 2).min(width - 1);
        (row.saturating_sub(2)..=(row + 2).min(height - 1))
            .any(|r| columns.clone().any(|c| Some(board.color(Point::new(c, r))) == enemy))
    };
    board.points().any(meets)
}

/// Lines from the nearest edge, and from the nearest one across it, counted from 0.
fn lines(board: &Board, v: Point) -> (usize, usize) {
    let (col, row) = v.col_row();
    let (x, y) = (col.min(board.width() - 1 - col), row.min(board.height() - 1 - row));
    (x.min(y), x.max(y))
}

fn is_on_first_lines(board: &Board, v: Point) -> bool {
    let (col, row) = v.col_row();
    let first = if stones_near(board, col, row) { FIRST_LINES_NEAR } else { FIRST_LINES };
    first.contains(&lines(board, v).0)
}

/// The factor of a point that takes an empty corner.
fn corner(board: &Board, v: Point) -> Option<f32> {
    let (line, higher) = lines(board, v);
    let (_, factor) = IN_CORNER.iter().find(|(at, _)| *at == higher && FIRST_LINES.contains(&line))?;
    let (col, row) = v.col_row();
    is_corner_empty(board, col, row).then_some(*factor)
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
