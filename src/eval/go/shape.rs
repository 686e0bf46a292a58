//! Local shapes worth a look: 3x3 patterns around an empty point.
//!
//! The shapes are those of MoGo: hane, cuts and moves on the edge, in every orientation and for both colors.
//! Source: Gelly, Wang, Munos, Teytaud, "Modification of UCT with patterns in Monte-Carlo Go" (2006), fig.
//! 2-4.

use crate::go::pattern::Pattern;
use once_cell::sync::Lazy;

/// What kind of shape a move makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
enum Shape {
    /// None of the list.
    #[default]
    Plain = 0,
    /// Bends around or in front of enemy stones.
    Hane = 1,
    /// Cuts two enemy stones apart, or keeps one's own together.
    Cut = 2,
    /// A contact move on the first line.
    Edge = 3,
}

/// Whether a move on an empty point with this surrounding makes any shape of the list.
#[inline(always)]
pub fn is_any(pattern: Pattern) -> bool {
    ANY[usize::from(pattern.0) / 64] >> (pattern.0 % 64) & 1 != 0
}

/// Rows from the top; the move is in the middle. `X` and `O`: stones of different colors; `.`: empty; `#`:
/// off the board; `x`, `o`: anything on the board but that stone; `?`: anything.
const TEMPLATES: &[(Shape, [&str; 3])] = &[
    (Shape::Hane, ["XOX", ".*.", "???"]),
    (Shape::Hane, ["XO.", ".*.", "?.?"]),
    (Shape::Hane, ["XO?", "X*.", "x.?"]),
    (Shape::Hane, [".O.", "X*.", "..."]),
    (Shape::Cut, ["XO?", "O*o", "?o?"]),
    (Shape::Cut, ["XO?", "O*X", "???"]),
    (Shape::Cut, ["?X?", "O*O", "ooo"]),
    (Shape::Cut, ["OX?", "o*O", "???"]),
    (Shape::Edge, ["X.?", "O*?", "###"]),
    (Shape::Edge, ["OX?", "X*O", "###"]),
    (Shape::Edge, ["?X?", "x*O", "###"]),
    (Shape::Edge, ["?XO", "x*x", "###"]),
    (Shape::Edge, ["?OX", "X*O", "###"]),
];

/// Places of a [`Pattern`]'s cells in a picture: up, right, left, down, and the diagonals in their order.
const CELLS: [(usize, usize); 8] = [(0, 1), (1, 2), (1, 0), (2, 1), (0, 2), (0, 0), (2, 2), (2, 0)];

/// A bit for every pattern: whether it has a shape. The table stays in the nearest cache.
static ANY: Lazy<Box<[u64; 1024]>> = Lazy::new(|| {
    let mut any = Box::new([0; 1024]);
    for (code, _) in shapes().iter().enumerate().filter(|&(_, &shape)| shape != Shape::Plain) {
        any[code / 64] |= 1 << (code % 64);
    }
    any
});

fn shapes() -> Vec<Shape> {
    let mut shapes = vec![Shape::Plain; 1 << 16];
    for (shape, rows) in TEMPLATES {
        for symmetry in 0..16 {
            fill(&mut shapes, *shape, &oriented(rows, symmetry), 0, 0);
        }
    }
    shapes
}

/// The eight cells of a template, mirrored, transposed, recolored by the bits of `symmetry`.
fn oriented(rows: &[&str; 3], symmetry: usize) -> [u8; 8] {
    CELLS.map(|(mut row, mut col)| {
        if symmetry & 1 != 0 {
            row = 2 - row;
        }
        if symmetry & 2 != 0 {
            col = 2 - col;
        }
        if symmetry & 4 != 0 {
            (row, col) = (col, row);
        }
        let cell = rows[row].as_bytes()[col];
        match cell {
            b'X' if symmetry & 8 != 0 => b'O',
            b'O' if symmetry & 8 != 0 => b'X',
            b'x' if symmetry & 8 != 0 => b'o',
            b'o' if symmetry & 8 != 0 => b'x',
            _ => cell,
        }
    })
}

/// Enters the shape for every pattern that fits the cells from `at` on.
fn fill(table: &mut [Shape], shape: Shape, cells: &[u8; 8], at: usize, code: usize) {
    if at == cells.len() {
        table[code] = shape;
        return;
    }
    let fitting: &[usize] = match cells[at] {
        b'.' => &[0],
        b'X' => &[1],
        b'O' => &[2],
        b'#' => &[3],
        b'x' => &[0, 2],
        b'o' => &[0, 1],
        _ => &[0, 1, 2, 3],
    };
    for color in fitting {
        fill(table, shape, cells, at + 1, code | color << (2 * at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Point;
    use crate::go::{BLACK, Board, WHITE};

    /// The shape of a move in the middle of a 5x5 board, or in the middle of its lowest row.
    fn shape_at<const N: usize>(rows: [&str; N], row: usize) -> Shape {
        let mut board = Board::new(5, 5);
        for (dy, line) in rows.iter().enumerate() {
            for (dx, c) in line.bytes().enumerate().filter(|&(_, c)| c == b'X' || c == b'O') {
                let side = if c == b'X' { BLACK } else { WHITE };
                board.set_up(Point::new(1 + dx, row + 1 - dy), side);
            }
        }
        shapes()[usize::from(board.pattern(Point::new(2, row)).0)]
    }

    #[test]
    fn shapes_are_known_in_every_orientation_and_color() {
        assert_eq!(shape_at(["XO.", "...", "..."], 2), Shape::Hane);
        assert_eq!(shape_at([".OX", "...", "..."], 2), Shape::Hane);
        assert_eq!(shape_at(["...", "...", ".XO"], 2), Shape::Hane);
        assert_eq!(shape_at(["XO.", "O..", "..."], 2), Shape::Cut);
        assert_eq!(shape_at(["...", "..X", ".XO"], 2), Shape::Cut);
        assert_eq!(shape_at([".X.", "O.O", "..."], 2), Shape::Cut);
        assert_eq!(shape_at(["X..", "O.."], 0), Shape::Edge);
        assert_eq!(shape_at(["...", "...", "..."], 2), Shape::Plain);
        assert_eq!(shape_at(["X..", "...", "..."], 2), Shape::Plain);
        assert_eq!(shape_at(["..."], 0), Shape::Plain);
    }
}
