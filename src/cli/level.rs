//! Levels: how well the engine plays against a person (docs/LEVELS.md).

use crate::engine::{self, Engine, Limits};

/// The strongest level below full strength.
pub const LEVELS: u8 = 12;
/// Visits of a move of Go at level 1. Each level above it has twice as many.
const LEAST_VISITS: u64 = 4;

/// Makes the next search of `engine` that of a player of `level`, from 1 to [`LEVELS`], or as good as it can be.
/// # Errors
/// When the engine refuses its own options.
pub fn set(engine: &mut dyn Engine, level: Option<u8>, limits: &mut Limits) -> Result<(), String> {
    let rung = level.map(|level| usize::from(level.clamp(1, LEVELS) - 1));
    let Some(ratings) = engine::ratings(engine.game()) else {
        if let Some(rung) = rung {
            limits.nodes = Some(LEAST_VISITS << rung);
        }
        return Ok(());
    };
    engine.set_option("UCI_LimitStrength", if rung.is_some() { "true" } else { "false" })?;
    match rung.and_then(|rung| ratings.get(rung)) {
        Some(rating) => engine.set_option("UCI_Elo", &rating.to_string()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::GameId;

    #[test]
    fn every_level_is_a_player_and_stronger_than_the_one_below() {
        for game in [GameId::Chess, GameId::Xiangqi] {
            let ratings = engine::ratings(game).unwrap();
            assert_eq!(ratings.len(), usize::from(LEVELS));
            assert!(ratings.is_sorted_by(|low, high| low < high), "{ratings:?}");
        }
        let page = include_str!("serve/page/panels.js");
        assert!(page.contains(&format!("Array.from({{ length: {LEVELS} }}")), "the page offers other levels");
    }
}
