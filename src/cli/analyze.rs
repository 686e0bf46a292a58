//! `sanqi analyze FILE…`: what the engine thinks of each move of recorded games.

use super::{Failure, Outcome, read, say};
use crate::arbiter::pgn_reader;
use crate::arbiter::record::GameKind;
use crate::engine::{self, Engine, Event, GameId, Info, Limits, Notation, PositionSpec, Score, Side};
use crossbeam::channel::unbounded;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Game records of chess or xiangqi, in PGN
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game
    #[arg(long, default_value = "chess", value_parser = ["chess", "chess960", "xiangqi"])]
    game: String,
    /// Nodes for each position
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// MiB of table
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
}

/// Centipawns that a move loses, and the sign it gets, as annotators use them.
const SIGNS: [(i32, &str); 3] = [(300, "??"), (150, "?"), (70, "?!")];
/// Scores beyond this are won either way: what is lost there is not a mistake.
const DECIDED: i32 = 1000;
/// A move loses no more than this: mates and centipawns are not of one scale.
const WORST: i32 = 3000;

/// Prints, for each game, a line for each move: number, move, score after it, what it lost, the better move.
pub fn run(args: &Args) -> Outcome {
    let kind = GameKind::ALL.into_iter().find(|kind| kind.name() == args.game).unwrap_or_default();
    let game = if kind == GameKind::Xiangqi { GameId::Xiangqi } else { GameId::Chess };
    let mut engine = engine::create(game);
    engine.set_option("Threads", &args.threads.to_string())?;
    engine.set_option("Hash", &args.hash.to_string())?;
    for file in &args.files {
        let games = pgn_reader::openings(&read(file)?, kind, usize::MAX)
            .map_err(|e| Failure(format!("{}: {e}", file.display())))?;
        for game in games {
            say(format_args!("{} game {}", file.display(), game.number));
            engine.new_game();
            let notation = if kind == GameKind::Chess960 { Notation::Chess960 } else { Notation::Coordinate };
            analyze(&mut *engine, game.fen, &game.moves, notation, args.nodes)?;
        }
    }
    Ok(())
}

/// What a search says of a position.
struct Opinion {
    side: Side,
    /// From the side to move.
    score: Score,
    best: Option<String>,
}

fn analyze(
    engine: &mut dyn Engine,
    fen: Option<String>,
    moves: &[String],
    notation: Notation,
    nodes: u64,
) -> Outcome {
    let mut before: Option<Opinion> = None;
    let mut lost = [(0, 0); 2];
    for ply in 0..=moves.len() {
        let spec = PositionSpec { fen: fen.clone(), moves: moves[..ply].to_vec(), notation };
        engine.set_position(&spec)?;
        let now = search(engine, nodes)?;
        if let Some(before) = before {
            let loss = loss(before.score, now.score);
            let (sum, count) = &mut lost[before.side.index()];
            (*sum, *count) = (*sum + loss, *count + 1);
            say(line(ply, &moves[ply - 1], &before, now.score, loss));
        }
        before = Some(now);
    }
    for (side, (sum, count)) in [("first", lost[0]), ("second", lost[1])] {
        if count > 0 {
            say(format_args!("{side} side: {} centipawns lost a move on average", sum / count));
        }
    }
    Ok(())
}

/// One move: its number, sign and score (from the side that moved first in the game), and what was better.
fn line(ply: usize, mv: &str, before: &Opinion, after: Score, loss: i32) -> String {
    let sign = SIGNS.iter().find(|(least, _)| loss >= *least).map_or("", |(_, sign)| sign);
    let score = match before.side {
        Side::First => reversed(after),
        Side::Second => after,
    };
    let better = before.best.as_deref().filter(|best| *best != mv && loss >= SIGNS[2].0);
    let better = better.map_or(String::new(), |best| format!("  better: {best}"));
    format!("{ply:>4} {:<8} {:>8}{better}", format!("{mv}{sign}"), text(score))
}

/// Centipawns that a move lost, from the scores before it and (of the other side) after it.
fn loss(before: Score, after: Score) -> i32 {
    let (before, after) = (centipawns(before), -centipawns(after));
    let decided = before.abs() >= DECIDED && after.abs() >= DECIDED && before.signum() == after.signum();
    if decided { 0 } else { (before - after).clamp(0, WORST) }
}

fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(cp) => cp.clamp(-WORST, WORST),
        // Mated on the board is 0.
        Score::Mate(n) => {
            if n > 0 {
                WORST
            } else {
                -WORST
            }
        }
    }
}

fn reversed(score: Score) -> Score {
    match score {
        Score::Centipawns(cp) => Score::Centipawns(-cp),
        Score::Mate(n) => Score::Mate(-n),
    }
}

fn text(score: Score) -> String {
    match score {
        Score::Centipawns(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(0) => "mate".to_owned(),
        Score::Mate(n) => format!("#{n}"),
    }
}

fn search(engine: &mut dyn Engine, nodes: u64) -> Result<Opinion, Failure> {
    let (sender, events) = unbounded();
    let side = engine.side_to_move();
    engine.go(Limits { nodes: Some(nodes), ..Limits::default() }, sender)?;
    let mut last: Option<Info> = None;
    let mut best = None;
    for event in events {
        match event {
            Event::Info(info) => last = Some(info),
            Event::BestMove(found) => {
                best = found.mv;
                break;
            }
            _ => (),
        }
    }
    engine.wait();
    Ok(Opinion { side, score: last.map_or(Score::Centipawns(0), |info| info.score), best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_counted_until_the_game_is_decided() {
        let cp = Score::Centipawns;
        assert_eq!(loss(cp(40), cp(-30)), 10);
        assert_eq!(loss(cp(40), cp(120)), 160);
        assert_eq!(loss(cp(0), cp(-50)), 0);
        // From a mate to a winning score, or from lost to mated: nothing changes.
        assert_eq!(loss(Score::Mate(3), cp(-1500)), 0);
        assert_eq!(loss(cp(-1500), Score::Mate(2)), 0);
        // A win thrown away, and mating.
        assert_eq!(loss(Score::Mate(3), cp(0)), WORST);
        assert_eq!(loss(Score::Mate(1), Score::Mate(0)), 0);
    }
}
