//! The ways to turn and mirror a board, and those that leave a position as it is.

use super::board::Board;
use super::position::Position;
use super::types::{BLACK, Move, Point, PointSet, WHITE};

/// A way to turn or mirror a board: bit 0 exchanges left and right, bit 1 top and bottom, bit 2 then columns
/// and rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry(pub u8);

impl Symmetry {
    pub const COUNT: u8 = 8;

    pub const fn size(self, width: usize, height: usize) -> (usize, usize) {
        if self.0 & 4 == 0 { (width, height) } else { (height, width) }
    }

    pub const fn turn(self, column: usize, row: usize, width: usize, height: usize) -> (usize, usize) {
        let x = if self.0 & 1 == 0 { column } else { width - 1 - column };
        let y = if self.0 & 2 == 0 { row } else { height - 1 - row };
        if self.0 & 4 == 0 { (x, y) } else { (y, x) }
    }

    /// Where a point goes on a board of the same size.
    fn image(self, board: &Board, v: Point) -> Point {
        let (column, row) = v.col_row();
        let (x, y) = self.turn(column, row, board.width(), board.height());
        Point::new(x, y)
    }

    /// Whether the stones stay as they are.
    fn preserves(self, board: &Board) -> bool {
        self.size(board.width(), board.height()) == (board.width(), board.height())
            && board.points().all(|v| board.color(self.image(board, v)) == board.color(v))
    }
}

/// The moves that have an image among `moves` under a symmetry of the position which is farther to the upper
/// right, where people put the first stone; each with the farthest one. None once stones were captured, since
/// ko may forbid a move and not its image.
pub fn images(position: &Position, moves: &[Move]) -> Vec<(Move, Move)> {
    let board = position.board();
    if board.lost(BLACK) + board.lost(WHITE) > 0 {
        return Vec::new();
    }
    let symmetries: Vec<_> =
        (1..Symmetry::COUNT).map(Symmetry).filter(|symmetry| symmetry.preserves(board)).collect();
    let stones = moves.iter().copied().filter(|v| v.is_stone());
    let known: PointSet = stones.clone().collect();
    let rank = |v: Point| {
        let (column, row) = v.col_row();
        (column + row, column)
    };
    let image_of = |v: Point| {
        let others = symmetries.iter().map(|symmetry| symmetry.image(board, v));
        let first = others.filter(|&v| known.contains(v)).max_by_key(|&v| rank(v))?;
        (rank(first) > rank(v)).then_some((v, first))
    };
    stones.filter_map(image_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::TreeGame;
    use crate::go::Rules;
    use crate::go::coords::{parse_vertex, vertex};
    use crate::go::testing::played;

    fn position(width: usize, height: usize, moves: &str) -> Position {
        played(Position::new(width, height, Rules::CHINESE), moves)
    }

    /// Number of moves without those that are images, and the image of `mv`.
    fn searched(position: &Position, mv: &str) -> (usize, String) {
        let mut moves = Vec::new();
        position.candidate_moves(&mut moves);
        let images = images(position, &moves);
        let mv = parse_vertex(position.board(), mv).unwrap();
        let kept = images.iter().find(|(image, _)| *image == mv).map_or(mv, |(_, kept)| *kept);
        (moves.len() - images.len(), vertex(position.board(), kept))
    }

    #[test]
    fn symmetric_moves_have_one_image_in_the_upper_right() {
        // Size, moves, moves that remain with the pass, a move, and the one searched in its place.
        let rows = [
            (19, 19, "", 56, "D3", "R16"),
            (19, 19, "", 56, "Q17", "R16"),
            (19, 19, "", 56, "K10", "K10"),
            (19, 19, "K10", 55, "C4", "R16"),
            (19, 19, "Q16", 190, "D16", "Q4"),
            (19, 19, "Q16 D4", 189, "D16", "Q4"),
            (19, 19, "R16", 361, "D4", "D4"),
            (19, 19, "Q16 D16", 190, "Q4", "Q4"),
            (19, 19, "pass", 56, "C3", "R17"),
            (9, 9, "", 16, "C3", "G7"),
            (13, 9, "", 36, "C3", "L7"),
        ];
        for (width, height, moves, count, mv, image) in rows {
            let mut position = position(width, height, moves);
            if moves == "Q16 D16" {
                // A black and a white stone, mirrored, are not the same.
                assert_eq!(searched(&position, mv).0, 360);
                position.set_up([(BLACK, Point::new(15, 15)), (BLACK, Point::new(3, 15))], WHITE);
            }
            assert_eq!(searched(&position, mv), (count, image.to_owned()), "{width}x{height} {moves} {mv}");
        }
    }

    #[test]
    fn nothing_is_symmetric_once_stones_were_captured() {
        let game = "A1 A2 pass B1";
        assert_eq!(searched(&position(5, 5, &game[..5]), "A3").0, 24);
        assert_eq!(
            searched(&position(5, 5, game), "A3").0,
            position(5, 5, game).legal_points(BLACK).len() + 1
        );
    }
}
