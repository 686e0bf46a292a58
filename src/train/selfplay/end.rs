//! The owners of the points when a game is over.

use crate::game::Side;
use crate::go::life::unconditional;
use crate::go::{Color, Point, PointSet, Position, score};

/// A finished game, counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// By the number of the point: 0 neither's, 1 Black's, 2 White's.
    pub owners: Vec<u8>,
    /// Black's lead after komi, in half points.
    pub margin: i16,
}

/// Counts the area of each side. Stones are dead only where they cannot live even if their opponent passes
/// forever: a game is to be played on until no others are.
pub fn settle(position: &Position) -> Settled {
    let board = position.board();
    let sure = unconditional(board, position.rules().suicide);
    let is_dead = |&v: &Point| {
        let owner = sure.owner(v);
        board.color(v).side().is_some_and(|side| owner == Some(side.other()))
    };
    let dead: PointSet = board.points().filter(is_dead).collect();
    let count = score::count(board, &dead);
    let owner = |v: Point| {
        let sides = [Side::First, Side::Second].into_iter();
        // Stones of the opponent in it, and room that he may be in, do not make sure territory shared.
        let owner = sure.owner(v).or(sides.clone().find(|side| count.owned[side.index()].contains(v)));
        owner.map_or(0, |side| Color::of(side) as u8)
    };
    let owners: Vec<u8> = board.points().map(owner).collect();
    let points = |color: Color| owners.iter().filter(|&&owner| owner == color as u8).count() as f32;
    let lead = points(Color::Black) - points(Color::White) - position.white_bonus();
    Settled { owners, margin: (2.0 * lead) as i16 }
}

/// Whether every point has an owner that it cannot lose.
pub(super) fn is_all_owned(position: &Position) -> bool {
    let board = position.board();
    let sure = unconditional(board, position.rules().suicide);
    board.points().all(|v| sure.owner(v).is_some())
}

/// Share of the owned points that `ownership` (by padded index; 1 is Black's, -1 White's) gives to their
/// owners, in 255ths, rounded down.
pub(super) fn agreement(position: &Position, owners: &[u8], ownership: &[f32]) -> u8 {
    let (mut owned, mut agreed) = (0, 0);
    for (v, &owner) in position.board().points().zip(owners).filter(|(_, owner)| **owner != 0) {
        owned += 1;
        let black = ownership.get(v.index()).copied().unwrap_or(0.0);
        agreed += usize::from(if owner == Color::Black as u8 { black > 0.0 } else { black < 0.0 });
    }
    (255 * agreed).checked_div(owned).unwrap_or(255) as u8
}
