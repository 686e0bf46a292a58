//! Players below full strength: what even a beginner sees, and what the strongest of them never overlook.

use crate::support::{engine_at, search};
use sanqi::chess::{self, Kind};
use sanqi::engine::{self, GameId, Limits};
use sanqi::game::{AlphaBetaGame, Game, Text};
use sanqi::xiangqi;

/// Positions of chess in which the side to move mates in one: by a queen, a rook, a knight, a promoted pawn.
const CHESS: [&str; 6] = [
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "6rk/6pp/8/6N1/8/8/8/7K w - - 0 1",
    "7k/1P4pp/8/8/8/8/8/K7 w - - 0 1",
    "7k/5K2/8/8/8/8/8/6R1 w - - 0 1",
];

/// The same of xiangqi: by chariots of either side, cannons, soldiers.
const XIANGQI: [&str; 4] = [
    "3k5/R8/9/9/9/9/9/9/8R/4K4 w - - 0 1",
    "3ak4/9/9/9/9/9/9/4C4/C8/5K3 w - - 0 1",
    "3k5/2P1P4/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "4k4/4a4/3a5/9/9/9/9/8r/r8/4K4 b - - 0 1",
];

/// Positions of chess in which the queen of the side to move is attacked, and need not be lost.
const ATTACKED_QUEENS: [&str; 6] = [
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 1",
    "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3",
    "rnbqk2r/pppp1ppp/5n2/4p3/1b2P1Q1/2N5/PPPP1PPP/R1B1KBNR w KQkq - 0 1",
    "4k3/8/8/2p5/3Q4/8/8/4K3 w - - 0 1",
    "6k1/5ppp/8/3n4/8/4Q3/5PPP/6K1 w - - 0 1",
    "r3k2r/ppp2ppp/2nq4/8/5B2/8/PPP2PPP/R3K2R b KQkq - 0 1",
];

/// What the player of a rating plays in a position.
fn played(game: GameId, fen: &str, rating: i32) -> String {
    let mut engine = engine_at(game, fen, &[]);
    engine.set_option("UCI_LimitStrength", "true").unwrap();
    engine.set_option("UCI_Elo", &rating.to_string()).unwrap();
    let (_, mv) = search(&mut *engine, Limits { nodes: Some(100_000), ..Limits::default() });
    mv.unwrap()
}

/// The position after a move.
fn after<G: Text>(fen: &str, mv: &str) -> G {
    let mut board = G::from_fen(fen).unwrap_or_else(|_| panic!("{fen}"));
    let mv = board.parse_move(mv, Default::default()).unwrap();
    board.do_move(mv, &mut ());
    board
}

#[test]
fn a_mate_in_one_is_played_at_every_level() {
    for rating in engine::ratings(GameId::Chess).unwrap() {
        for fen in CHESS {
            let mv = played(GameId::Chess, fen, rating);
            let board: chess::Board = after(fen, &mv);
            assert!(board.in_check() && board.count_legal() == 0, "{rating}: {mv} in {fen}");
        }
    }
    for rating in engine::ratings(GameId::Xiangqi).unwrap() {
        for fen in XIANGQI {
            let mv = played(GameId::Xiangqi, fen, rating);
            let board: xiangqi::Board = after(fen, &mv);
            assert_eq!(board.count_legal(), 0, "{rating}: {mv} in {fen}");
        }
    }
}

/// Whether the side to move can capture a queen and gains more than a pawn by the exchange.
fn wins_a_queen(board: &chess::Board) -> bool {
    let moves = board.legal();
    let gains = |mv: &chess::Move| {
        board.captured_kind(*mv) == Some(Kind::Queen as usize) && board.see_ge(*mv, 2 * chess::SEE_VALUES[0])
    };
    moves.as_ref().iter().any(gains)
}

#[test]
fn the_strongest_levels_do_not_lose_a_queen_for_nothing() {
    let ratings = engine::ratings(GameId::Chess).unwrap();
    for &rating in &ratings[ratings.len() - 3..] {
        for fen in ATTACKED_QUEENS {
            let mv = played(GameId::Chess, fen, rating);
            assert!(!wins_a_queen(&after(fen, &mv)), "{rating}: {mv} in {fen}");
        }
    }
}
