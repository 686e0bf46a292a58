//! Tests of the search for mates by checks.

use super::*;
use crate::game::testing::play_at_random;
use crate::util::rng::Rng;
use crate::{chess, xiangqi};

/// Plies of the shortest mate by checks within `depth`, by trying everything.
fn shortest<G: AlphaBetaGame>(pos: &mut G, depth: u32) -> Option<u32> {
    let checks: Vec<_> = pos.legal().into_iter().filter(|&mv| pos.gives_check(mv)).collect();
    let mut mates = Vec::new();
    for mv in checks {
        pos.do_move(mv, &mut ());
        mates.extend(longest_defence(pos, depth - 1));
        pos.undo_move();
    }
    mates.into_iter().min().map(|plies| plies + 1)
}

fn longest_defence<G: AlphaBetaGame>(pos: &mut G, depth: u32) -> Option<u32> {
    let moves = pos.legal();
    if moves.is_empty() || depth == 0 {
        return moves.is_empty().then_some(0);
    }
    let mut plies = 0;
    for mv in moves {
        pos.do_move(mv, &mut ());
        let mate = shortest(pos, depth - 1);
        pos.undo_move();
        plies = plies.max(mate? + 1);
    }
    Some(plies)
}

/// The line is legal, its odd moves are checks, and the last one mates.
fn assert_mates<G: AlphaBetaGame>(pos: &G, line: &[G::Move]) {
    let mut pos = pos.clone();
    for (ply, &mv) in line.iter().enumerate() {
        assert!(pos.legal().contains(&mv) && (ply % 2 == 1 || pos.gives_check(mv)), "{line:?}");
        pos.do_move(mv, &mut ());
    }
    assert!(pos.in_check() && pos.count_legal() == 0 && line.len() % 2 == 1, "{line:?}");
}

/// Random games: a mate within five plies is found, in one go or in many, and what is found is a mate.
fn random_games<G: AlphaBetaGame>(games: usize) -> usize {
    let (mut rng, mut found) = (Rng::new(7), 0);
    let (mut whole, mut parts) = (MateSearch::default(), MateSearch::default());
    for _ in 0..games {
        play_at_random(G::start(), 160, &mut rng, |pos, _| {
            whole.begin();
            let line = whole.search(pos, 20_000);
            if line.is_some() || shortest(pos, 5).is_some() {
                let line = line.expect("there is a mate");
                assert_mates(pos, &line);
                found += 1;
                parts.begin();
                let lines: Vec<_> = (1..200).filter_map(|part| parts.search(pos, part * 300)).collect();
                assert_eq!(lines.len(), 1, "a mate is reported once");
                assert_mates(pos, &lines[0]);
            }
        });
    }
    found
}

#[test]
fn mates_of_random_games_are_found() {
    let found = [random_games::<chess::Board>(40), random_games::<xiangqi::Board>(40)];
    assert!(found.iter().all(|&found| found > 20), "{found:?}");
}

#[test]
fn long_mates_are_found_and_perpetual_checks_are_none() {
    let mut search = MateSearch::default();
    // Philidor's legacy: the queen is given on g8, the knight mates on f7.
    let mut pos = chess::Board::from_fen("r6k/6pp/7N/8/2Q5/8/8/7K w - - 0 1").expect("legal");
    search.begin();
    assert_eq!(search.search(&mut pos, 1000).expect("a mate").len(), 3);
    // A lone queen checks for ever.
    let mut pos = chess::Board::from_fen("7k/8/8/8/3K4/8/8/1q6 b - - 0 1").expect("legal");
    search.begin();
    assert!(search.search(&mut pos, 100_000).is_none());
}
