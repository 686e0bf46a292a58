//! Brings an engine to a position of a game, whichever game it is.

use super::Failure;
use crate::arbiter::record::{GameKind, Opening};
use crate::arbiter::referee::{Rules, fixed_handicap};
use crate::engine::tree::TableError;
use crate::engine::{self, Engine, GameId, Notation, PositionSpec};

/// An engine for games of this kind.
pub fn engine_of(kind: GameKind) -> Box<dyn Engine> {
    engine::create(match kind {
        GameKind::Chess | GameKind::Chess960 => GameId::Chess,
        GameKind::Xiangqi => GameId::Xiangqi,
        GameKind::Go => GameId::Go,
    })
}

/// Sets up where the game starts, and plays `moves`, given in coordinates.
/// # Errors
/// What is wrong with the rules, the start or a move.
pub fn set_up(
    engine: &mut dyn Engine,
    kind: GameKind,
    rules: &Rules,
    opening: &Opening,
    moves: &[String],
) -> Result<(), Failure> {
    let Some(go) = engine.as_go() else {
        let notation = if kind == GameKind::Chess960 { Notation::Chess960 } else { Notation::Coordinate };
        let spec = PositionSpec { fen: opening.fen.clone(), moves: moves.to_vec(), notation };
        if kind == GameKind::Xiangqi {
            engine.set_option("Repetition Rule", &rules.repetition.rules)?;
        }
        return Ok(engine.set_position(&spec)?);
    };
    let bad = |e: TableError| Failure(e.to_string());
    let (table, setup) = (go.table(), &rules.go);
    if table.size() != (setup.size, setup.size) {
        table.set_size(setup.size, setup.size).map_err(bad)?;
    }
    table.clear();
    table.set_rules(&setup.rules).map_err(bad)?;
    table.set_komi(f64::from(setup.komi)).map_err(bad)?;
    if setup.handicap > 1 && fixed_handicap(setup.size, setup.handicap).is_some() {
        table.fixed_handicap(setup.handicap).map_err(bad)?;
    }
    for mv in moves {
        let side = table.side_to_move();
        table.play(side, mv).map_err(bad)?;
    }
    Ok(())
}
