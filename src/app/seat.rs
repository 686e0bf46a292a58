//! An engine at a game, whichever game it is.

use crate::chess::chess960;
use crate::engine::go::GoEngine;
use crate::engine::{AnyEngine, Engine, Event, Limits, Notation, PositionSpec};
use crate::games::game::{Game, Position};
use crate::games::record::GameKind;
use crate::message;
use crate::util::message::Message;
use crate::util::rng::Rng;
use crossbeam::channel::{Receiver, unbounded};
use std::time::{Duration, Instant};

/// How an engine is made ready.
#[derive(Clone, Debug, Default)]
pub struct SeatOptions {
    pub threads: usize,
    /// MiB of table.
    pub hash: u32,
    /// Open from the embedded book (chess, xiangqi), so that not every game is the same.
    pub book: bool,
    /// Report the chances of a win where the game has a model of them.
    pub chances: bool,
    /// Chess: folders of Syzygy tables.
    pub syzygy: Option<String>,
}

/// An engine for games of one kind. Go's can do more than the others: it names dead stones.
pub struct Seat {
    kind: GameKind,
    player: AnyEngine,
    threads: usize,
    hash: u32,
}

impl Seat {
    pub fn sit(kind: GameKind, options: &SeatOptions) -> Result<Self, Message> {
        let SeatOptions { threads, hash, .. } = *options;
        let mut seat = Self { kind, player: AnyEngine::new(kind.game()), threads, hash };
        let engine = seat.engine();
        engine.set_option("Threads", &options.threads.to_string())?;
        engine.set_option("Hash", &options.hash.to_string())?;
        let wanted = [
            ("OwnBook", options.book.then_some("true")),
            ("UCI_ShowWDL", options.chances.then_some("true")),
            ("SyzygyPath", options.syzygy.as_deref()),
        ];
        for (name, value) in wanted {
            if let Some(value) = value.filter(|_| engine.options().iter().any(|spec| spec.name == name)) {
                engine.set_option(name, value)?;
            }
        }
        Ok(seat)
    }

    /// The seat for games of this kind: the last one, if it is for these games, or a new one in its place.
    pub fn keep<'s>(
        last: &'s mut Option<Self>,
        kind: GameKind,
        options: &SeatOptions,
    ) -> Result<&'s mut Self, Message> {
        let seat = match last.take() {
            Some(seat) if seat.kind == kind => seat,
            _ => Self::sit(kind, options)?,
        };
        Ok(last.insert(seat))
    }

    /// Changes the engine's number of threads and MiB, where they differ. No search may be running.
    pub fn resize(&mut self, threads: usize, hash: u32) -> Result<(), Message> {
        if self.threads != threads {
            self.engine().set_option("Threads", &threads.to_string())?;
        }
        if self.hash != hash {
            self.engine().set_option("Hash", &hash.to_string())?;
        }
        (self.threads, self.hash) = (threads, hash);
        Ok(())
    }

    pub fn engine(&mut self) -> &mut dyn Engine {
        self.player.engine()
    }

    /// What only Go's engine can do.
    pub fn go(&mut self) -> Option<&mut GoEngine> {
        self.player.go()
    }

    /// Brings the engine to the position of a game.
    pub fn set_up(&mut self, game: &Game) -> Result<(), Message> {
        let start = game.start();
        match (&mut self.player, game.position()) {
            (AnyEngine::Go(engine), Position::Go(stones)) => {
                engine.game_state().replace(stones.position().clone());
            }
            (AnyEngine::Board(engine), _) => {
                if start.kind == GameKind::XIANGQI {
                    engine.set_option("Repetition Rule", &start.rules.repetition.rules)?;
                }
                let is_chess960 = start.kind == GameKind::CHESS960;
                let notation = if is_chess960 { Notation::Chess960 } else { Notation::Coordinate };
                let (fen, moves) = (start.fen.clone(), game.moves().to_vec());
                engine.set_position(&PositionSpec { fen, moves, notation })?;
            }
            (AnyEngine::Go(_), _) => return Err(message!("not a game of Go" | "不是围棋对局")),
        }
        Ok(())
    }

    /// Starts a search of the position. Its events end with one best move; [`Engine::wait`] for the engine's
    /// own end.
    pub fn search(&mut self, limits: Limits) -> Result<Receiver<Event>, Message> {
        let (sender, events) = unbounded();
        self.engine().go(limits, sender)?;
        Ok(events)
    }

    /// Ends the search, if one runs.
    pub fn stop(&mut self) {
        let engine = self.engine();
        engine.stop_handle().set();
        engine.wait();
    }
}

/// The number of a random start of Chess960.
pub fn any_chess960() -> usize {
    Rng::of_the_moment().below(chess960::COUNT)
}

/// Searches for about `time`, after a first search that allocates what it needs; nodes (visits in Go) and
/// time as the engine counts them.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_of_chess_is_told_where_its_tables_are() {
        let options =
            SeatOptions { threads: 1, hash: 1, syzygy: Some("/no/tables".into()), ..SeatOptions::default() };
        // It finds none there.
        assert!(Seat::sit(GameKind::CHESS, &options).is_err());
        assert!(Seat::sit(GameKind::XIANGQI, &options).is_ok());
        assert!(Seat::sit(GameKind::GO, &options).is_ok());
    }
}
