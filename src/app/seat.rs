//! Brings an engine to a position of a game, whichever game it is.

use crate::chess::chess960;
use crate::engine::go::{GameError, GoEngine};
use crate::engine::{self, Engine, Event, GameId, Limits, Notation, PositionSpec, Side};
use crate::games::record::{GameKind, Opening};
use crate::games::referee::{Rules, fixed_handicap};
use crate::util::message::Message;
use crate::util::rng::Rng;
use crossbeam::channel::unbounded;
use std::time::{Duration, Instant};

/// An engine that keeps what is known of its game: Go's can have stones set up.
pub enum Player {
    /// The engine of chess or xiangqi.
    Board(Box<dyn Engine>),
    /// The engine of Go.
    Go(Box<GoEngine>),
}

impl Player {
    /// An engine for games of this kind.
    pub fn new(kind: GameKind) -> Self {
        match kind.game() {
            GameId::Go => Self::Go(Box::default()),
            game => Self::Board(engine::create(game)),
        }
    }

    /// What all engines can do.
    pub fn engine(&mut self) -> &mut dyn Engine {
        match self {
            Self::Board(engine) => engine.as_mut(),
            Self::Go(engine) => engine.as_mut(),
        }
    }

    /// What only Go's engine can do.
    pub fn go(&mut self) -> Option<&mut GoEngine> {
        match self {
            Self::Board(_) => None,
            Self::Go(engine) => Some(engine),
        }
    }
}

/// The number of a start of Chess960, by chance.
pub fn any_chess960() -> usize {
    Rng::of_the_moment().below(chess960::COUNT)
}

/// Sets up where the game starts, and plays `moves`, given in coordinates.
/// # Errors
/// What is wrong with the rules, the start or a move.
pub fn set_up(
    player: &mut Player,
    kind: GameKind,
    rules: &Rules,
    opening: &Opening,
    moves: &[String],
) -> Result<(), Message> {
    let Some(go) = player.go() else {
        let engine = player.engine();
        let notation = if kind == GameKind::CHESS960 { Notation::Chess960 } else { Notation::Coordinate };
        let spec = PositionSpec { fen: opening.fen.clone(), moves: moves.to_vec(), notation };
        if kind == GameKind::XIANGQI {
            engine.set_option("Repetition Rule", &rules.repetition.rules)?;
        }
        return Ok(engine.set_position(&spec)?);
    };
    let bad = |e: GameError| Message::from(e.to_string());
    let (game, setup) = (go.game_state(), &rules.go);
    if game.size() != (setup.size, setup.size) {
        game.set_size(setup.size, setup.size).map_err(bad)?;
    }
    game.clear();
    game.set_rules(&setup.rules).map_err(bad)?;
    game.set_komi(f64::from(setup.komi)).map_err(bad)?;
    let vertices = || setup.stones.iter().map(|(_, vertex)| vertex.as_str()).collect::<Vec<_>>();
    if setup.handicap > 1
        && setup.stones.len() > 1
        && setup.stones.iter().all(|(side, _)| *side == Side::First)
    {
        game.set_handicap(&vertices()).map_err(bad)?;
    } else if !setup.stones.is_empty() {
        let stones: Vec<_> = setup.stones.iter().map(|(side, vertex)| (*side, vertex.as_str())).collect();
        game.set_up(&stones).map_err(bad)?;
        game.set_side_to_move(if setup.handicap > 1 { Side::Second } else { Side::First });
    } else if setup.handicap > 1 && fixed_handicap(setup.size, setup.handicap).is_some() {
        game.fixed_handicap(setup.handicap).map_err(bad)?;
    }
    if let Some(first) = setup.first {
        game.set_side_to_move(first);
    }
    for mv in moves {
        let side = game.side_to_move();
        game.play_recorded(side, mv).map_err(bad)?;
    }
    Ok(())
}

/// Searches for about `time`, after a first search that allocates what it needs; nodes (visits in Go) and time as the
/// engine counts them.
/// # Errors
/// When the position cannot be set up or searched.
pub fn time_search(
    engine: &mut dyn Engine,
    spec: &PositionSpec,
    time: Duration,
) -> Result<(u64, Duration), Message> {
    engine.set_position(spec)?;
    // The first search by the clock makes the table, and measures the net of Go.
    engine.go(Limits { movetime: Some(Duration::from_millis(1)), ..Limits::default() }, unbounded().0)?;
    engine.wait();
    engine.new_game();
    engine.set_position(spec)?;
    let (sender, events) = unbounded();
    let start = Instant::now();
    engine.go(Limits { movetime: Some(time), ..Limits::default() }, sender)?;
    let (mut nodes, mut reported) = (0, Duration::ZERO);
    for event in events {
        match event {
            Event::Info(info) => (nodes, reported) = (info.nodes, info.time),
            Event::Analysis(analysis) => (nodes, reported) = (analysis.visits, analysis.time),
            Event::BestMove(_) => break,
            _ => {}
        }
    }
    engine.wait();
    // A search without a report took all of the time.
    Ok((nodes, if reported.is_zero() { start.elapsed() } else { reported }))
}
