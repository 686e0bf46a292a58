//! `sanqi play GAME`: a game against the engine on a terminal.

use super::{Failure, Outcome, say};
use crate::arbiter::record::{GameKind, Opening};
use crate::arbiter::referee::{self, Rules};
use crate::engine::tree::GoEngine;
use crate::engine::{self, BestMove, Engine, Event, GameId, Limits, Notation, PositionSpec, Side};
use crossbeam::channel::unbounded;
use std::io::{BufRead, Write};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: GameId,
    /// The side that the person plays: who moves first in the game, or second
    #[arg(long, default_value = "first", value_parser = ["first", "second"])]
    side: String,
    /// Seconds that the engine takes for a move
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// The position to start from (chess, xiangqi)
    #[arg(long)]
    fen: Option<String>,
    /// Rows and columns of the board (Go)
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u8).range(2..=25))]
    size: u8,
}

const HELP: &str = "a move (e2e4, h2e2, D4, pass), or: hint, undo, board, quit";

/// Plays until the game is over, or the person has had enough.
pub fn run(args: &Args) -> Outcome {
    let time = Duration::try_from_secs_f64(args.seconds).map_err(|e| Failure(format!("--seconds: {e}")))?;
    let mut game = Game::new(args, time)?;
    let person = if args.side == "first" { Side::First } else { Side::Second };
    let mut input = std::io::stdin().lock();
    say(game.engine.diagram());
    loop {
        if let Some(ending) = game.ending()? {
            say(format_args!("{} ({ending})", game.result));
            return Ok(());
        }
        if game.engine.side_to_move() != person {
            let Some(mv) = game.think()?.mv else { return Ok(()) };
            say(format_args!("I play {mv}"));
            game.moves.push(mv);
            game.set_up()?;
            say(game.engine.diagram());
            continue;
        }
        // The prompt is for people; what is asked for it is on stdout.
        let _ = write!(std::io::stderr(), "your move> ");
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        match line.trim() {
            "" => (),
            "quit" | "exit" => return Ok(()),
            "help" | "?" => say(HELP),
            "board" => say(game.engine.diagram()),
            "hint" => match game.think()?.mv {
                Some(mv) => say(format_args!("{mv}")),
                None => say("there is no move"),
            },
            "undo" => {
                // The engine's answer goes with the person's move.
                game.moves.truncate(game.moves.len().saturating_sub(2));
                game.set_up()?;
                say(game.engine.diagram());
            }
            mv => match game.play(mv) {
                Ok(()) => say(game.engine.diagram()),
                Err(Failure(problem)) => say(format_args!("{problem}; {HELP}")),
            },
        }
    }
}

/// A game in progress: the engine plays, the referee says what is legal and when it is over.
struct Game {
    engine: Box<dyn Engine>,
    kind: GameKind,
    rules: Rules,
    fen: Option<String>,
    moves: Vec<String>,
    time: Duration,
    result: &'static str,
}

impl Game {
    fn new(args: &Args, time: Duration) -> Result<Self, Failure> {
        let mut rules = Rules::default();
        rules.go.size = usize::from(args.size);
        let engine: Box<dyn Engine> = match args.game {
            GameId::Go => {
                let (mut go, size) = (Box::<GoEngine>::default(), rules.go.size);
                go.table().set_size(size, size).map_err(|e| Failure(e.to_string()))?;
                go
            }
            game => engine::create(game),
        };
        let kind = match args.game {
            GameId::Chess => GameKind::Chess,
            GameId::Xiangqi => GameKind::Xiangqi,
            GameId::Go => GameKind::Go,
        };
        let fen = args.fen.clone();
        let mut game = Self { engine, kind, rules, fen, moves: Vec::new(), time, result: "*" };
        game.set_up()?;
        Ok(game)
    }

    /// Brings the engine to the position after all moves.
    fn set_up(&mut self) -> Result<(), Failure> {
        let spec =
            PositionSpec { fen: self.fen.clone(), moves: self.moves.clone(), notation: Notation::Coordinate };
        Ok(self.engine.set_position(&spec)?)
    }

    /// Why the game is over, if it is.
    fn ending(&mut self) -> Result<Option<String>, Failure> {
        let opening = Opening { fen: self.fen.clone(), ..Opening::default() };
        let mut referee = referee::create(self.kind, &self.rules, &opening)?;
        let mut ending = referee.ending();
        for mv in &self.moves {
            ending = referee.play(mv)?;
        }
        Ok(ending.map(|ending| {
            self.result = ending.result();
            ending.detail
        }))
    }

    /// Plays the person's move, or says why it cannot be played.
    fn play(&mut self, mv: &str) -> Outcome {
        self.moves.push(mv.to_owned());
        let played = self.set_up().and_then(|()| self.ending());
        if let Err(problem) = played {
            self.moves.pop();
            self.set_up()?;
            return Err(problem);
        }
        Ok(())
    }

    /// The engine's choice.
    fn think(&mut self) -> Result<BestMove, Failure> {
        let (sender, events) = unbounded();
        self.engine.go(Limits { movetime: Some(self.time), ..Limits::default() }, sender)?;
        let best = events.into_iter().find_map(|event| match event {
            Event::BestMove(best) => Some(best),
            _ => None,
        });
        self.engine.wait();
        best.ok_or_else(|| Failure("the search ended without a move".to_owned()))
    }
}
