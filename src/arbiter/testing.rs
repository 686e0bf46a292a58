//! Games for tests.

use super::config::MatchConfig;
use super::fixture::Fixture;
use super::play::{Pairing, forfeit};
use crate::games::record::{GameRecord, Opening};

/// A game to which one side, or neither, has come.
pub fn unplayed(config: &MatchConfig, fixture: &Fixture, absent: [bool; 2]) -> GameRecord {
    let Fixture { number, round, pair, seats, deciding } = *fixture;
    let pairing = Pairing { number, round, pair, opening: &Opening::default(), deciding };
    let why = "gone".into();
    let players = seats.map(|i| (i, &config.engines[i]));
    forfeit(&config.conditions(), pairing, players, absent.map(|is_absent| is_absent.then_some(&why)))
}
