//! The board against a naive one: lists of cells, flood fill, every earlier position kept whole.

use crate::fuzz::bodies::naive_go::{Naive, code, compare_all};
use sanqi::go::{BLACK, Board, Color, Point, Position, Rules, WHITE};
use sanqi::util::rng::Rng;

/// Plays one random game on both boards; returns its moves.
fn compare_game(width: usize, height: usize, rules: Rules, rng: &mut Rng) -> usize {
    let mut position = Position::new(width, height, rules);
    let mut naive = Naive::new(width, height);
    let length = 3 * width * height;
    for ply in 0..length {
        let side = position.board().side_to_move();
        let at = rng.below(width * height);
        let v = Point::new(at % width, at / width);
        let legal = naive.is_legal(at, code(side), &rules);
        assert_eq!(position.check(side, v).is_ok(), legal, "{position:?} {v:?}");
        // Filling every point soon leads to captures everywhere; a pass now and then changes who fills.
        let mv = if legal && rng.below(50) > 0 { Some(at) } else { None };
        position.play(side, if mv.is_some() { v } else { Point::PASS }).unwrap();
        naive.play(mv, code(side));
        if ply % (width * height).max(16) == 0 || ply + 1 == length {
            compare_all(position.board(), &naive, &position);
        } else {
            let same =
                |c: usize| position.board().color(Point::new(c % width, c / width)) as u8 == naive.cells[c];
            assert!((0..naive.cells.len()).all(same));
        }
    }
    length
}

fn compare_moves(total: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut played = 0;
    let mut size = 1;
    while played < total {
        // The small boards, where repetition is common, take as many moves as the big ones.
        size = if size == 25 { 1 } else { size + 1 };
        let games = (25 * 25 / (size * size)).clamp(1, 60);
        for game in 0..games {
            let rules = [Rules::CHINESE, Rules::TROMP_TAYLOR, Rules::AGA, Rules::NEW_ZEALAND][game % 4];
            let width = if game % 5 == 4 { 1 + rng.below(25) } else { size };
            played += compare_game(width, size, rules, &mut rng);
        }
    }
}

#[test]
fn a_hundred_thousand_random_moves_equal_the_naive_board() {
    compare_moves(100_000, 1);
}

#[test]
#[ignore = "minutes"]
fn ten_million_random_moves_equal_the_naive_board() {
    compare_moves(10_000_000, 2);
}

#[test]
fn taking_back_restores_every_earlier_position() {
    let mut rng = Rng::new(3);
    for (width, height) in [(2, 2), (3, 3), (5, 5), (7, 4), (9, 9)] {
        let mut position = Position::new(width, height, Rules::CHINESE);
        position.set_up([(BLACK, Point::new(0, 0)), (WHITE, Point::new(1, 1))], WHITE);
        let mut earlier = vec![];
        for _ in 0..3 * width * height {
            let side = position.board().side_to_move();
            let legal = position.legal_points(side);
            let mv = if legal.is_empty() { Point::PASS } else { rng.pick(&legal) };
            earlier.push(position.clone());
            position.play(side, mv).unwrap();
        }
        while let Some(before) = earlier.pop() {
            assert!(position.undo());
            assert_same(&position, &before);
        }
        assert!(!position.undo());
    }
}

fn assert_same(a: &Position, b: &Position) {
    use sanqi::game::{Game, TreeGame};
    assert_eq!((a.key(), a.graph_key(), a.moves()), (b.key(), b.graph_key(), b.moves()));
    let (x, y) = (a.board(), b.board());
    assert_eq!((x.ko(), x.passes(), x.last_move()), (y.ko(), y.passes(), y.last_move()));
    for v in x.points() {
        assert_eq!(x.color(v), y.color(v));
    }
    for side in [BLACK, WHITE] {
        assert_eq!(x.lost(side), y.lost(side));
        assert_eq!(a.legal_points(side), b.legal_points(side));
    }
}

#[test]
fn a_copy_equals_its_original_whatever_it_was_before() {
    let mut rng = Rng::new(4);
    let mut copy = Board::new(19, 19);
    for (width, height) in [(9, 9), (9, 9), (13, 13), (7, 9), (19, 19)] {
        let mut board = Board::new(width, height);
        sanqi::go::playout::random_playout(&mut board, &mut rng);
        copy.clone_from(&board);
        assert_eq!((copy.key(), copy.empty_count()), (board.key(), board.empty_count()));
        for v in board.points().filter(|&v| board.color(v) != Color::Empty) {
            assert_eq!((copy.color(v), copy.root(v)), (board.color(v), board.root(v)));
            assert_eq!(copy.pseudo_liberties(v), board.pseudo_liberties(v));
        }
    }
}
