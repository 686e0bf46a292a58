//! One game of a match, before it is played.

use crate::games::record::GameRecord;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Number in the match, from 0.
    pub number: usize,
    pub round: usize,
    /// Which pair of games it belongs to: the two play the same opening.
    pub pair: usize,
    /// Who moves first in the starting position, and the other.
    pub seats: [usize; 2],
    /// Whether a draw counts as a loss for the side that moves first.
    pub deciding: bool,
}

impl Fixture {
    /// The fixture a game was played for. A draw of a deciding game stands in the record as the win that it
    /// made.
    pub const fn of(record: &GameRecord) -> Self {
        let GameRecord { number, round, pair, seats, .. } = *record;
        Self { number, round, pair, seats, deciding: false }
    }
}
