//! Where handicap stones go.
//!
//! Source: "Specification of the Go Text Protocol, version 2, draft 2", section 4.1: fixed placement.

use crate::go::{Board, Point};

/// Fixed placement: 2 to 9 stones on boards from 7x7, at most 4 on 7x7 and where a side is even. `None`: this
/// board has none.
pub fn fixed(board: &Board, stones: usize) -> Option<Vec<Point>> {
    let (width, height) = (board.width(), board.height());
    let has_middle = width % 2 == 1 && height % 2 == 1 && width.min(height) > 7;
    let max = if has_middle { 9 } else { 4 };
    if width.min(height) < 7 || !(2..=max).contains(&stones) {
        return None;
    }
    // The fourth line on large boards, the third on small ones.
    let edge = |side: usize| if side < 13 { 2 } else { 3 };
    let (left, bottom) = (edge(width), edge(height));
    let (right, top) = (width - 1 - left, height - 1 - bottom);
    let (center, middle) = (width / 2, height / 2);
    let corners = [(left, bottom), (right, top), (left, top), (right, bottom)];
    let sides = [(left, middle), (right, middle), (center, bottom), (center, top)];
    let (of_corners, of_sides) = match stones {
        2..=5 => (stones.min(4), 0),
        _ => (4, (stones - 4) & !1),
    };
    let tengen = (stones >= 5 && stones % 2 == 1).then_some((center, middle));
    let all = corners[..of_corners].iter().chain(&sides[..of_sides]).chain(&tengen);
    Some(all.map(|&(col, row)| Point::new(col, row)).collect())
}

/// Free placement: as many fixed stones as there are, then whatever point is farthest from all others and
/// from the edge, as long as it touches no other stone. May place fewer than asked, never less than two where
/// there is room. `None`: less than two were asked for, or no room is left for White.
pub fn free(board: &Board, stones: usize) -> Option<Vec<Point>> {
    if stones < 2 || stones >= board.area() {
        return None;
    }
    let mut placed = (2..=stones.min(9)).rev().find_map(|n| fixed(board, n)).unwrap_or_default();
    while placed.len() < stones {
        let room = |v: Point| placed.iter().map(|&other| distance(v, other)).min().unwrap_or(usize::MAX);
        let best =
            board.points().filter(|&v| room(v) >= 2).max_by_key(|&v| room(v).min(3 + height(board, v)));
        match best {
            Some(v) => placed.push(v),
            None => break,
        }
    }
    (placed.len() >= 2).then_some(placed)
}

/// Steps along lines between two points.
fn distance(a: Point, b: Point) -> usize {
    let ((ax, ay), (bx, by)) = (a.col_row(), b.col_row());
    ax.abs_diff(bx) + ay.abs_diff(by)
}

/// Lines from the nearest edge, 0 on it; the fourth line and everything above count alike.
fn height(board: &Board, v: Point) -> usize {
    let (x, y) = v.col_row();
    x.min(y).min(board.width() - 1 - x).min(board.height() - 1 - y).min(3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::coords::vertex;

    fn names(size: usize, stones: usize) -> Option<String> {
        let board = Board::new(size, size);
        let points = fixed(&board, stones)?;
        Some(points.into_iter().map(|v| vertex(&board, v)).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn fixed_stones_stand_where_the_protocol_puts_them() {
        let expected = [
            (19, 2, "D4 Q16"),
            (19, 3, "D4 Q16 D16"),
            (19, 4, "D4 Q16 D16 Q4"),
            (19, 5, "D4 Q16 D16 Q4 K10"),
            (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
            (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
            (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
            (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
            (9, 2, "C3 G7"),
            (13, 4, "D4 K10 D10 K4"),
            (8, 4, "C3 F6 C6 F3"),
        ];
        for (size, stones, points) in expected {
            assert_eq!(names(size, stones).as_deref(), Some(points), "{size} {stones}");
        }
    }

    #[test]
    fn small_and_even_boards_have_fewer_places() {
        for (size, stones) in [(19, 1), (19, 10), (19, 0), (8, 5), (7, 5), (6, 2), (2, 2)] {
            assert_eq!(names(size, stones), None, "{size} {stones}");
        }
    }

    #[test]
    fn free_stones_never_touch_and_never_fill_the_board() {
        for size in [2, 3, 5, 7, 8, 9, 19, 25] {
            let board = Board::new(size, size);
            for stones in [0, 1, 2, 3, 4, 8, 9, 12, 17, 40, size * size - 1, size * size] {
                let Some(points) = free(&board, stones) else {
                    assert!(stones < 2 || stones >= size * size, "{size} {stones}");
                    continue;
                };
                assert!((2..=stones).contains(&points.len()));
                for (i, &a) in points.iter().enumerate() {
                    assert!(points[..i].iter().all(|&b| distance(a, b) >= 2), "{size} {stones}");
                }
            }
        }
    }
}
