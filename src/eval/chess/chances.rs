//! What a score is worth: chances of a win, a draw and a loss, by the score and the material left.
//!
//! The chance to win is a logistic curve of the score, whose middle and width are parabolas of the material;
//! the chance to lose is the same curve of the other side. `sanqi datastat --wdl FILE…` fits the six numbers to
//! games and prints them.
//! Source of the form: <https://www.chessprogramming.org/Pawn_Advantage,_Win_Percentage,_and_Elo>.

use crate::chess::{Board, Kind};

/// Six numbers that turn a score into chances.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The score, in centipawns, that wins every other game: coefficients of 1, m, m², where m is 0 at
    /// [`MIDDLE`] and 1 twice as far from bare kings.
    pub middle: [f64; 3],
    /// Centipawns that multiply the odds by e: coefficients of 1, m, m².
    pub width: [f64; 3],
}

/// Material, in pawns of both sides together, around which the parabolas are written.
const MIDDLE: f64 = 39.0;

/// The least width: where the parabola has left the material it was fitted to.
const LEAST_WIDTH: f64 = 20.0;

/// Fitted to 384,105 positions of games of `sanqi datagen chess --nodes 500` by the hand-made evaluation. Log likelihood
/// a position: -0.678.
const FITTED: Model = Model { middle: [95.7, -161.1, 177.0], width: [138.3, 44.3, 132.7] };

impl Model {
    /// Chances of a win and of a loss, 0 to 1, of a side with that score and that material on the board.
    pub fn chances(&self, score: f64, material: f64) -> [f64; 2] {
        let m = material / MIDDLE - 1.0;
        let at = |c: [f64; 3]| c[0] + m * (c[1] + m * c[2]);
        let (middle, width) = (at(self.middle).max(0.0), at(self.width).max(LEAST_WIDTH));
        [score, -score].map(|score| 1.0 / (1.0 + ((middle - score) / width).exp()))
    }
}

/// Material of both sides together: a pawn is 1, minor pieces 3, a rook 5, a queen 9.
pub fn material(pos: &Board) -> u32 {
    let of = |kind: Kind| pos.position().kind(kind).count();
    of(Kind::Pawn) + 3 * (of(Kind::Knight) + of(Kind::Bishop)) + 5 * of(Kind::Rook) + 9 * of(Kind::Queen)
}

/// Chances of a win, a draw and a loss in permille, from the side that the score is of.
pub fn chances(score: i32, pos: &Board) -> [u32; 3] {
    let permille = |chance: f64| (chance * 1000.0).round() as u32;
    let [win, loss] = FITTED.chances(f64::from(score), f64::from(material(pos))).map(permille);
    [win, 1000 - (win + loss).min(1000), loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::START_FEN;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        for fen in [START_FEN, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1"] {
            let pos = Board::from_fen(fen).unwrap();
            let mut last = [0, 0, 1000];
            for score in (-6000..=6000).step_by(50) {
                let now @ [win, draw, loss] = chances(score, &pos);
                assert_eq!(win + draw + loss, 1000, "{fen} {score}");
                assert!(win >= last[0] && loss <= last[2], "{fen} {score}");
                let [other_win, _, other_loss] = chances(-score, &pos);
                assert_eq!([win, loss], [other_loss, other_win]);
                last = now;
            }
            assert!(last[0] > 980, "{fen}: {last:?}");
        }
    }
}
