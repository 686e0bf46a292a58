//! The winning chance and the spread of the lead that a search of Go reports.
//!
//! A net that learned from even games is timid, and so are playouts: where their winrate is 80 %, nine games
//! in ten are won. `nnue/train/chances.py` plays games, lopsided ones too, and fits the winrate to how they
//! end; the lead adds nothing to it. Reports and resignation go by the fit. The search itself compares
//! winrates, whose order the fit keeps.

use crate::go::Position;

/// What the logit of a winrate is multiplied by.
const STEEPNESS: f64 = 1.88;
/// Size of the board, and the standard deviation of the lead in points: on a full board, and what an empty
/// one adds.
const STDEV: [(f64, f64, f64); 3] = [(9.0, 5.3, 18.0), (13.0, 9.1, 24.1), (19.0, 12.0, 42.4)];
/// A winrate beyond counts as this.
const MARGIN: f64 = 0.005;

/// The chance to win, 0 to 1, where a search has this winrate.
pub fn chance(winrate: f64) -> f64 {
    let winrate = winrate.clamp(MARGIN, 1.0 - MARGIN);
    1.0 / (1.0 + ((1.0 - winrate) / winrate).powf(STEEPNESS))
}

/// The standard deviation of the lead, in points.
pub fn stdev(position: &Position) -> f64 {
    let area = position.board().area() as f64;
    let size = area.sqrt().clamp(STDEV[0].0, STDEV[2].0);
    let [low, high] = if size <= STDEV[1].0 { [STDEV[0], STDEV[1]] } else { [STDEV[1], STDEV[2]] };
    let between = |low: f64, high: f64, share: f64| low + share * (high - low);
    let share = (size - low.0) / (high.0 - low.0);
    let open = (1.0 - f64::from(plies(position)) / area).max(0.0);
    between(low.1, high.1, share) + open * between(low.2, high.2, share)
}

/// Moves made; stones that were set up count as moves.
pub fn plies(position: &Position) -> u32 {
    let start = position.start_board();
    (position.moves().len() + start.area() - start.empty_count()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::go::{Move, Rules};

    #[test]
    fn chances_keep_the_order_of_winrates() {
        let chances: Vec<f64> = (1..100).map(|percent| chance(f64::from(percent) / 100.0)).collect();
        assert!(chances.is_sorted_by(|a, b| a < b));
        assert!(chances.iter().rev().zip(&chances).all(|(a, b)| (a + b - 1.0).abs() < 1e-9));
        assert!(chance(0.0) > 0.0 && chance(1.0) < 1.0 && chance(0.0875) < 0.02);
    }

    #[test]
    fn the_lead_is_less_certain_on_a_larger_and_emptier_board() {
        let of = |size| stdev(&Position::new(size, size, Rules::CHINESE));
        let all: Vec<f64> = [5, 9, 10, 13, 16, 19, 25].map(of).to_vec();
        assert!(all.is_sorted() && all[0] == all[1] && all[5] == all[6], "{all:?}");
        let mut position = Position::new(9, 9, Rules::CHINESE);
        let empty = stdev(&position);
        position.play(Side::First, Move::PASS).unwrap();
        assert!(stdev(&position) < empty);
    }
}
