//! `sanqi "genfens N seed S book FILE" quit`: starting positions for self-play, as OpenBench asks for them.
//! Source: <https://github.com/AndyGrant/OpenBench/wiki>.
//!
//! Words of our own may follow: `game xiangqi`, `plies N`, `even CENTIPAWNS`, `nodes N`.

use crate::app::console::{Outcome, say};
use crate::ensure;
use crate::eval::{Evaluation, GameEval};
use crate::message;
use crate::train::datagen::{MoveSearcher, NodeLimits, Searcher, random_moves};
use crate::util::message::Message;
use crate::util::rng::Rng;
use std::collections::HashSet;

/// Random moves played from the start or the book, or one more.
const PLIES: usize = 8;
/// A random move may lose this much in exchanges, in centipawns.
const SEE: i32 = -1000;
/// Nodes that decide whether a position is even enough.
const NODES: u64 = 5000;
/// The largest score of a position that is.
const EVEN: i32 = 400;
/// Positions refused in a row after which there are no more.
const PATIENCE: usize = 10_000;

pub fn run(command: &str) -> Outcome {
    let request = Request::parse(command)?;
    match request.game {
        "chess" => generate::<crate::chess::Board>(&request),
        "xiangqi" => generate::<crate::xiangqi::Board>(&request),
        other => Err(message!("genfens: no positions for {other}" | "genfens：没有 {other} 的局面", other)),
    }
}

fn generate<G: GameEval>(request: &Request) -> Outcome {
    let book: Vec<String> = match request.book {
        "None" | "none" => Vec::new(),
        file => {
            let text = crate::app::console::read(file.as_ref())?;
            let lines: Vec<_> =
                text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
            ensure!(!lines.is_empty(), "{file}: no position is in it" | "{file}：其中没有局面", file);
            lines
        }
    };
    let mut rng = Rng::new(request.seed);
    let mut searcher = Searcher::new(Evaluation::<G>::default())?;
    let mut found = HashSet::new();
    let mut refused = 0;
    while found.len() < request.count {
        ensure!(
            refused != PATIENCE,
            "genfens: {count} positions found, and no more" | "genfens：只找到 {count} 个局面",
            count = found.len()
        );
        refused += 1;
        let start = match book.len() {
            0 => G::start(),
            n => from_book(&book[rng.below(n)])?,
        };
        let plies = request.plies + rng.below(2);
        let Some((pos, _)) = random_moves(start, plies, SEE, &mut rng) else { continue };
        if pos.count_legal() == 0 {
            continue;
        }
        searcher.new_game();
        let score = searcher.search(&pos, NodeLimits { soft: request.nodes, hard: request.nodes }).score;
        if score.abs() <= request.even && found.insert(pos.key()) {
            say(format_args!("info string genfens {}", pos.fen()));
            refused = 0;
        }
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
struct Request<'a> {
    count: usize,
    seed: u64,
    book: &'a str,
    game: &'a str,
    plies: usize,
    even: i32,
    nodes: u64,
}

impl<'a> Request<'a> {
    /// Reads `genfens N seed S book FILE` and our own words; others are ignored.
    fn parse(command: &'a str) -> Result<Self, Message> {
        let words: Vec<&str> = command.split_whitespace().collect();
        let after =
            |key: &str| words.iter().position(|w| *w == key).and_then(|at| words.get(at + 1)).copied();
        let wrong = || {
            message!(
                "\"{command}\" is not genfens N seed S [book FILE]"
                    | "“{command}”不是 genfens N seed S [book FILE]",
                command
            )
        };
        let number = |key| after(key).map(|n| n.parse::<u32>().map_err(|_| wrong())).transpose();
        Ok(Self {
            count: number("genfens")?.ok_or_else(wrong)? as usize,
            seed: after("seed").and_then(|n| n.parse().ok()).ok_or_else(wrong)?,
            book: after("book").unwrap_or("None"),
            game: after("game").unwrap_or("chess"),
            plies: number("plies")?.map_or(PLIES, |n| n as usize),
            even: number("even")?.map_or(EVEN, |n| n.min(i32::MAX as u32) as i32),
            nodes: number("nodes")?.map_or(NODES, u64::from),
        })
    }
}

fn from_book<G: GameEval>(line: &str) -> Result<G, Message> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    G::from_fen(&fields.join(" "))
        .map_err(|e| message!("book: \"{line}\": {e}" | "开局库：“{line}”：{e}", line, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_read_as_openbench_writes_it() {
        let request = Request::parse("genfens 16 seed 42 book Books/x.epd extra").unwrap();
        let (plies, even, nodes) = (PLIES, EVEN, NODES);
        let wanted = Request { count: 16, seed: 42, book: "Books/x.epd", game: "chess", plies, even, nodes };
        assert_eq!(request, wanted);
        let request =
            Request::parse("genfens 9 seed 1 book None game xiangqi plies 6 even 50 nodes 20000").unwrap();
        assert_eq!((request.game, request.plies, request.even, request.nodes), ("xiangqi", 6, 50, 20_000));
        assert_eq!(Request::parse("genfens 1 seed 7 book None").unwrap().book, "None");
        for wrong in ["genfens x seed", "genfens 1", "genfens 1 seed 1 plies many"] {
            assert!(Request::parse(wrong).is_err(), "{wrong}");
        }
    }
}
