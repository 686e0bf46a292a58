//! What a score is worth: chances of a win, a draw and a loss, by the score and the material left.
//!
//! The chance to win is a logistic curve of the score, whose middle and width are parabolas of the material;
//! the chance to lose is the same curve of the other side. `sanqi data stat --wdl FILE…` fits the six numbers
//! to games and prints them. Source of the form:
//! <https://www.chessprogramming.org/Pawn_Advantage,_Win_Percentage,_and_Elo>.

use crate::game::AlphaBetaGame;

/// Six numbers that turn a score into chances.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// The score, in centipawns, that wins every other game: coefficients of 1, m, m², where m is 1 at the
    /// material of the start, 0 at half of it, and -1 without any.
    pub middle: [f64; 3],
    /// Centipawns that multiply the odds by e: coefficients of 1, m, m².
    pub width: [f64; 3],
}

/// A game of whose scores the worth is known.
pub trait Chances: AlphaBetaGame {
    /// Fitted to games of the engine against itself.
    const MODEL: WdlModel;
    /// Material of both sides at the start, in pawns or soldiers.
    const ALL_MATERIAL: u32;
    /// Material of both sides together, in pawns or soldiers.
    fn material(&self) -> u32;
}

/// The least width: where the parabola has left the material it was fitted to.
const MIN_WIDTH: f64 = 20.0;

impl WdlModel {
    /// Chances of a win and of a loss, 0 to 1, of a side with that score; `material` as a share of that of
    /// the start.
    pub fn chances(&self, score: f64, material: f64) -> [f64; 2] {
        let m = 2.0 * material - 1.0;
        let at = |c: [f64; 3]| c[0] + m * (c[1] + m * c[2]);
        let (middle, width) = (at(self.middle).max(0.0), at(self.width).max(MIN_WIDTH));
        [score, -score].map(|score| 1.0 / (1.0 + ((middle - score) / width).exp()))
    }
}

/// Chances of a win, a draw and a loss in permille, from the side that the score is of.
pub fn chances<G: Chances>(score: i32, pos: &G) -> [u32; 3] {
    let permille = |chance: f64| (chance * 1000.0).round() as u32;
    // The model knows no more than promotions give.
    let material = (f64::from(pos.material()) / f64::from(G::ALL_MATERIAL)).min(2.0);
    let [win, loss] = G::MODEL.chances(f64::from(score), material).map(permille);
    [win, 1000 - (win + loss).min(1000), loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Text;
    use crate::{chess, xiangqi};

    fn check<G: Chances + Text>(fens: &[&str]) {
        assert_eq!(G::start().material(), G::ALL_MATERIAL);
        for fen in fens.iter().copied().chain([G::start().fen().as_str()]) {
            let pos = G::from_fen(fen).unwrap();
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

    #[test]
    fn chances_add_up_and_follow_the_score() {
        check::<chess::Board>(&[
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
        ]);
        check::<xiangqi::Board>(&[
            "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
            "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1",
        ]);
    }
}
