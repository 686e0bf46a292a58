//! The search on positions of Go whose truth is known.

use super::policy::tests::board;
use super::*;
use crate::clock::manager::Timer;
use crate::game::Game;
use crate::go::{Point, Rules, coords};
use crate::search::tree::{SearchReport, TreeLimits, TreeSearch};
use std::sync::Arc;

type Search = TreeSearch<Position, Playouts>;

fn searcher(threads: usize, hash_mib: usize) -> Search {
    TreeSearch::new(Playouts::default(), threads, hash_mib).unwrap()
}

fn search(search: &mut Search, pos: &Position, visits: u64) -> SearchReport<Move> {
    let params = TreeLimits { visits: Some(visits), ..TreeLimits::default() };
    search.search(pos, params, &Arc::default(), &Arc::new(Timer::new(None)), &mut |_| ())
}

fn position(rows: &[&str], to_move: Side) -> Position {
    Position::from_board(board(rows, to_move), Rules::CHINESE)
}

fn best(pos: &Position, visits: u64) -> String {
    let report = search(&mut searcher(1, 16), pos, visits);
    coords::vertex(pos.board(), report.moves[0].mv)
}

/// White has three points in a row in the corner: the side that plays in their middle decides, for the komi
/// is 40.
fn three_in_a_row(to_move: Side) -> Position {
    let rows = [
        ". . . O X . .",
        "O O O O X . .",
        "X X X X X . .",
        ". . . . . . .",
        ". . X . X . .",
        ". . . . . . .",
        ". . . . . . .",
    ];
    let mut pos = position(&rows, to_move);
    pos.set_komi(40.0);
    pos
}

#[test]
fn the_vital_point_kills_and_saves() {
    assert_eq!(best(&three_in_a_row(BLACK), 1500), "B7");
    assert_eq!(best(&three_in_a_row(WHITE), 1500), "B7");
}

#[test]
fn a_ladder_is_played_where_it_works() {
    let rows = [
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . X X . . . . .",
        ". X O O . . . . .",
        ". X O . . . . . .",
        ". . X . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
    ];
    let pos = position(&rows, BLACK);
    assert!(["E5", "D4"].contains(&best(&pos, 1500).as_str()));
}

#[test]
fn no_side_passes_while_points_are_left() {
    for size in [5, 9, 13, 19] {
        let pos = Position::new(size, size, Rules::CHINESE);
        let report = search(&mut searcher(1, 16), &pos, 300);
        assert_ne!(report.moves[0].mv, Point::PASS, "{size}");
    }
    // One neutral point and one open border: D3 is worth two points and the game.
    let rows = [
        ". X . X O . O",
        "X X X X O O .",
        ". X . X O . O",
        "X . X X O O .",
        ". X X . . O O",
        "X X X X O O .",
        ". X . X O . O",
    ];
    let mut pos = position(&rows, WHITE);
    pos.set_komi(-3.0);
    let report = search(&mut searcher(1, 16), &pos, 800);
    assert_ne!(report.moves[0].mv, Point::PASS);
}

#[test]
fn a_won_game_is_ended_by_passing_after_a_pass() {
    let rows = [
        ". X . X O . O",
        "X X X X O O .",
        ". X . X O . O",
        "X . X X O O .",
        ". X X X O O O",
        "X X X X O O .",
        ". X . X O . O",
    ];
    let mut pos = position(&rows, WHITE);
    pos.set_komi(0.5);
    pos.do_move(Point::PASS, &mut ());
    let report = search(&mut searcher(1, 16), &pos, 500);
    assert_eq!(report.moves[0].mv, Point::PASS);
    assert!(report.moves[0].winrate > 0.95 && report.score_lead > 3.0);
}

#[test]
fn one_thread_and_one_seed_repeat_exactly() {
    let pos = bench::positions().remove(3);
    let run = |seed| {
        let mut s = searcher(1, 4);
        s.set_seed(seed);
        let report = search(&mut s, &pos, 700);
        report.moves.iter().map(|m| (m.mv, m.visits, m.winrate.to_bits())).collect::<Vec<_>>()
    };
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}

#[test]
fn one_mebibyte_is_enough_for_the_largest_board() {
    for threads in [1, 2] {
        let pos = Position::new(25, 25, Rules::CHINESE);
        let report = search(&mut searcher(threads, 1), &pos, 1500);
        assert_eq!((report.visits, report.moves.len()), (1500, 626));
        assert!(report.permille_full <= 1000);
    }
}

/// Small boards are full of kos: every line that the graph holds must be a legal game.
#[test]
fn no_line_of_the_graph_breaks_superko() {
    for (size, seed) in [(2, 1), (3, 2), (4, 3)] {
        let mut s = searcher(2, 2);
        s.set_seed(seed);
        let mut pos = Position::new(size, size, Rules::CHINESE);
        while !pos.is_over() && pos.moves().len() < 60 {
            let report = search(&mut s, &pos, 1500);
            for line in report.moves.iter().map(|m| &m.pv) {
                let mut game = pos.clone();
                for (i, mv) in line.iter().map(|step| step.mv).enumerate() {
                    let legal = game.check(game.side_to_move(), mv);
                    // Below the root nodes are shared between histories; the first move is of this one.
                    assert!(legal.is_ok() || i > 0, "{size}x{size}, {line:?}: {legal:?}\n{game:?}");
                    if legal.is_err() {
                        break;
                    }
                    game.do_move(mv, &mut ());
                }
            }
            pos.do_move(report.moves[0].mv, &mut ());
        }
        assert!(pos.is_over(), "{pos:?}");
    }
}

#[test]
fn two_threads_find_what_one_finds() {
    let pos = three_in_a_row(BLACK);
    let report = search(&mut searcher(2, 16), &pos, 3000);
    assert_eq!(coords::vertex(pos.board(), report.moves[0].mv), "B7");
    assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), report.visits);
    let corner = (0..3).map(|col| report.ownership[Point::new(col, 6).index()]);
    assert!(corner.clone().all(|owner| owner > 0.3), "{:?}", corner.collect::<Vec<_>>());
}

#[test]
fn the_benchmark_repeats() {
    let run = || crate::search::tree::bench::run(Playouts::default(), &bench::positions()[..4], 100, 1, 8);
    assert_eq!(run().unwrap().0, run().unwrap().0);
}
