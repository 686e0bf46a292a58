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
    let ratings = engine::ratings(engine.game());
    let rung = level.map(|level| usize::from(level.clamp(1, LEVELS) - 1));
    if ratings.is_empty() {
        if let Some(rung) = rung {
            limits.nodes = Some(LEAST_VISITS << rung);
        }
        return Ok(());
    }
    engine.set_option("UCI_LimitStrength", if rung.is_some() { "true" } else { "false" })?;
    if let Some(rating) = rung.and_then(|rung| ratings.get(rung)) {
        engine.set_option("UCI_Elo", &rating.to_string())?;
    }
    Ok(())
}
