//! `sanqi "genfens N seed S book FILE" quit`: starting positions for self-play, as OpenBench asks for them.
//! Source: <https://github.com/AndyGrant/OpenBench/wiki>.

use super::{Failure, Outcome, say};
use crate::chess::Board;
use crate::eval::Evaluation;
use crate::game::{AlphaBetaGame, Game, MoveList};
use crate::train::datagen::{NodeLimits, Player, Searcher};
use crate::util::rng::Rng;

/// Random moves played from the start or the book.
const PLIES: usize = 8;
/// A random move may lose this much in exchanges, in centipawns.
const SEE: i32 = -1000;
/// Nodes that decide whether a position is even enough.
const NODES: u64 = 5000;
/// The largest score of a position that is.
const EVEN: i32 = 400;

/// Runs the command given as one argument.
pub fn run(command: &str) -> Outcome {
    let request = Request::parse(command)?;
    let book = match request.book {
        "None" | "none" => Vec::new(),
        file => super::read(file.as_ref())?.lines().map(str::to_owned).collect(),
    };
    let mut rng = Rng::new(request.seed);
    let mut searcher = Searcher::new(Evaluation::<Board>::default()).map_err(|e| Failure(e.to_string()))?;
    let mut left = request.count;
    while left > 0 {
        let start = match book.len() {
            0 => Board::start(),
            n => from_book(&book[rng.below(n)])?,
        };
        let Some(pos) = random_moves(start, &mut rng) else { continue };
        searcher.new_game();
        let found = searcher.search(&pos, NodeLimits { soft: NODES, hard: NODES });
        if found.score.abs() <= EVEN {
            say(format_args!("info string genfens {}", pos.fen()));
            left -= 1;
        }
    }
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
struct Request<'a> {
    count: usize,
    seed: u64,
    book: &'a str,
}

impl<'a> Request<'a> {
    /// Reads `genfens N seed S book FILE`; whatever follows is ignored.
    fn parse(command: &'a str) -> Result<Self, Failure> {
        let words: Vec<&str> = command.split_whitespace().collect();
        let after =
            |key: &str| words.iter().position(|w| *w == key).and_then(|at| words.get(at + 1)).copied();
        let number = |key| after(key).and_then(|n| n.parse().ok());
        match (number("genfens"), number("seed")) {
            (Some(count), Some(seed)) => {
                Ok(Self { count: count as usize, seed, book: after("book").unwrap_or("None") })
            }
            _ => Err(Failure(format!("\"{command}\" is not genfens N seed S [book FILE]"))),
        }
    }
}

fn from_book(line: &str) -> Result<Board, Failure> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    AlphaBetaGame::from_fen(&fields.join(" ")).map_err(|e: String| Failure(format!("book: \"{line}\": {e}")))
}

/// `None`: the game ended on the way.
fn random_moves(mut pos: Board, rng: &mut Rng) -> Option<Board> {
    for _ in 0..PLIES + rng.below(2) {
        let mut moves = MoveList::new();
        AlphaBetaGame::legal_moves(&pos, &mut moves);
        moves.retain(|mv| AlphaBetaGame::see_ge(&pos, *mv, SEE));
        if moves.is_empty() {
            return None;
        }
        let mv = moves[rng.below(moves.len())];
        Game::do_move(&mut pos, mv, &mut ());
    }
    pos.has_legal_move().then_some(pos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_read_as_openbench_writes_it() {
        let request = Request::parse("genfens 16 seed 42 book Books/x.epd extra").unwrap();
        assert_eq!(request, Request { count: 16, seed: 42, book: "Books/x.epd" });
        assert_eq!(Request::parse("genfens 1 seed 7 book None").unwrap().book, "None");
        assert!(Request::parse("genfens x seed").is_err());
    }
}
