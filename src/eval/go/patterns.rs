//! Patterns of the 8, 12 and 20 cells around a move, each as one number that does not change when the board
//! is turned or mirrored, or the colors are exchanged with the side to move.
//!
//! The number is the least of eight hashes, one for each orientation.
//! Source: Stern, Herbrich, Graepel, "Bayesian pattern ranking for move prediction in the game of Go" (2006).

use crate::go::{Board, Color, MAX_SIZE, Point};
use crate::util::rng::Rng;
use once_cell::sync::Lazy;

/// Cells of the patterns; a larger one contains the smaller ones.
pub const CELLS: [usize; 3] = [8, 12, 20];
const MAX: usize = CELLS[CELLS.len() - 1];

/// Column and row from the move, the nearest first: a ring a line.
#[rustfmt::skip]
const OFFSETS: [(isize, isize); MAX] = [
    (0, 1), (1, 0), (-1, 0), (0, -1),
    (1, 1), (-1, 1), (1, -1), (-1, -1),
    (0, 2), (2, 0), (-2, 0), (0, -2),
    (1, 2), (-1, 2), (2, 1), (-2, 1), (2, -1), (-2, -1), (1, -2), (-1, -2),
];

const ORIENTATIONS: usize = 8;

/// Random numbers by cell, what is on it (empty, own, enemy, border) and orientation.
pub struct Hashes([[[u32; ORIENTATIONS]; 4]; MAX]);

pub fn hashes() -> &'static Hashes {
    &HASHES
}

static HASHES: Lazy<Hashes> = Lazy::new(|| {
    let mut rng = Rng::new(0x5A4E_9111);
    let random: [[u32; 4]; MAX] = std::array::from_fn(|_| std::array::from_fn(|_| rng.next_u64() as u32));
    let mut hashes = [[[0; ORIENTATIONS]; 4]; MAX];
    for (i, &offset) in OFFSETS.iter().enumerate() {
        for orientation in 0..ORIENTATIONS {
            let turned = turn(offset, orientation);
            let there = OFFSETS.iter().position(|&o| o == turned).unwrap_or(i);
            for content in 0..4 {
                hashes[i][content][orientation] = random[there][content];
            }
        }
    }
    Hashes(hashes)
});

/// The offset mirrored and transposed by the bits of `orientation`.
const fn turn((mut x, mut y): (isize, isize), orientation: usize) -> (isize, isize) {
    if orientation & 1 != 0 {
        x = -x;
    }
    if orientation & 2 != 0 {
        y = -y;
    }
    if orientation & 4 != 0 { (y, x) } else { (x, y) }
}

/// Row length of [`Surroundings`]: the largest board with a border as wide as patterns reach.
const STRIDE: usize = MAX_SIZE + 2 * REACH;
const REACH: usize = 2;

/// A board as the side to move sees it.
pub struct Surroundings {
    /// Empty, own, enemy, border: 0 to 3.
    contents: [u8; STRIDE * STRIDE],
}

impl Surroundings {
    pub fn of(board: &Board) -> Self {
        let mut contents = [3; STRIDE * STRIDE];
        let own = Color::of(board.side_to_move());
        for v in board.points() {
            contents[place(v)] = match board.color(v) {
                Color::Empty | Color::Border => 0,
                color if color == own => 1,
                _ => 2,
            };
        }
        Self { contents }
    }

    /// The numbers of the patterns around the empty point `v`, in the order of [`CELLS`].
    #[inline]
    pub fn keys(&self, hashes: &Hashes, v: Point) -> [u32; CELLS.len()] {
        let center = place(v);
        let mut all = [0; ORIENTATIONS];
        let mut keys = [0; CELLS.len()];
        let mut at = 0;
        for (key, cells) in keys.iter_mut().zip(CELLS) {
            while at < cells {
                let (dx, dy) = OFFSETS[at];
                let cell = center.wrapping_add_signed(dy * STRIDE as isize + dx);
                let hash = &hashes.0[at][usize::from(self.contents[cell] & 3)];
                for i in 0..ORIENTATIONS {
                    all[i] ^= hash[i];
                }
                at += 1;
            }
            *key = all.into_iter().fold(u32::MAX, u32::min);
        }
        keys
    }
}

const fn place(v: Point) -> usize {
    let (col, row) = v.col_row();
    (row + REACH) * STRIDE + col + REACH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{BLACK, WHITE};

    /// The keys around the middle of a 9x9 board with these stones, each turned by `orientation`.
    fn turned(stones: &[(isize, isize, bool)], orientation: usize, exchanged: bool) -> [u32; 3] {
        let mut board = Board::new(9, 9);
        for &(x, y, black) in stones {
            let (x, y) = turn((x, y), orientation);
            let side = if black == exchanged { WHITE } else { BLACK };
            board.set_up(Point::new((4 + x) as usize, (4 + y) as usize), side);
        }
        board.set_side_to_move(if exchanged { WHITE } else { BLACK });
        Surroundings::of(&board).keys(hashes(), Point::new(4, 4))
    }

    #[test]
    fn orientation_and_color_do_not_matter() {
        let stones = [(0, 1, true), (1, 1, false), (2, 0, true), (-1, 2, false), (1, -2, true)];
        let first = turned(&stones, 0, false);
        for orientation in 0..ORIENTATIONS {
            assert_eq!(turned(&stones, orientation, false), first, "{orientation}");
            assert_eq!(turned(&stones, orientation, true), first, "{orientation}");
        }
    }

    #[test]
    fn larger_patterns_tell_more_apart() {
        let one = turned(&[(0, 1, true), (1, 2, false)], 0, false);
        let other = turned(&[(0, 1, true), (-2, 1, false)], 0, false);
        assert_eq!(one[..2], other[..2]);
        assert_ne!(one[2], other[2]);
        let far = turned(&[(0, 1, true), (0, 2, false)], 0, false);
        assert_eq!(one[0], far[0]);
        assert_ne!(one[1], far[1]);
        assert_ne!(turned(&[], 0, false)[0], turned(&[(1, 0, true)], 0, false)[0]);
    }

    #[test]
    fn the_edge_is_seen() {
        let board = Board::new(9, 9);
        let at = |col, row| Surroundings::of(&board).keys(hashes(), Point::new(col, row));
        assert_eq!(at(0, 4), at(4, 8));
        assert_ne!(at(0, 4)[0], at(1, 4)[0]);
        assert_eq!(at(1, 4)[0], at(4, 4)[0]);
        assert_ne!(at(1, 4)[1], at(4, 4)[1]);
    }
}
