use super::*;
use crate::go::{Point, Rules};

const PASS: (usize, usize) = (0, 0);

/// Moves at columns and rows; [`PASS`] is a pass.
fn position(width: usize, height: usize, moves: &[(usize, usize)]) -> Position {
    let mut pos = Position::new(width, height, Rules::CHINESE);
    pos.set_komi(6.5);
    for &(column, row) in moves {
        let mv = if (column, row) == PASS { Point::PASS } else { Point::new(column, row) };
        assert!(pos.check(pos.side_to_move(), mv).is_ok());
        pos.do_move(mv, &mut ());
    }
    pos
}

/// An atari, a ladder and a pass, on boards whose sides are equal or not.
fn games() -> Vec<(usize, usize, Vec<(usize, usize)>)> {
    let moves = vec![(2, 2), (3, 2), (3, 1), (4, 1), (3, 3), (1, 4), (4, 2), (2, 3), PASS, (5, 3)];
    vec![(7, 7, moves.clone()), (6, 8, moves)]
}

#[test]
fn a_turned_board_gets_the_same_answer_where_the_points_went() {
    let net = Arc::new(ConvNet::random(3, 3));
    let mut net_evaluator = NetEvaluator::new(net);
    for (width, height, moves) in games() {
        let pos = position(width, height, &moves);
        let mut seen = Vec::new();
        for symmetry in (0..Symmetry::COUNT).map(Symmetry) {
            let mut places = Vec::new();
            fill_places(symmetry, width, height, &mut places);
            let (turned_width, turned_height) = symmetry.size(width, height);
            let turn = |&(column, row): &(usize, usize)| {
                let place = usize::from(places[row * width + column]);
                (place % turned_width, place / turned_width)
            };
            let turned: Vec<_> = moves.iter().map(|mv| if *mv == PASS { PASS } else { turn(mv) }).collect();
            let straight = net_evaluator
                .ask_turned(&position(turned_width, turned_height, &turned), Symmetry(0))
                .clone();
            let turned = net_evaluator.ask_turned(&pos, symmetry);
            for (i, &place) in places.iter().enumerate() {
                let place = usize::from(place);
                assert_eq!(turned.moves[i], straight.moves[place], "{symmetry:?} {i}");
                assert_eq!(turned.owner[i], straight.owner[place], "{symmetry:?} {i}");
            }
            assert_eq!(
                (turned.value, turned.score, turned.pass),
                (straight.value, straight.score, straight.pass)
            );
            assert!(!seen.contains(&turned.moves), "all eight ways are different");
            seen.push(turned.moves.clone());
        }
    }
}

#[test]
fn positions_are_shown_in_all_eight_ways_and_always_in_the_same() {
    let mut seen = [0; 8];
    for row in 0..9 {
        for column in 0..9 {
            let pos = position(9, 9, &[(4, 4), (column, row)][usize::from((column, row) == (4, 4))..]);
            let symmetry = shown(&pos);
            seen[usize::from(symmetry.0)] += 1;
            assert_eq!(symmetry, shown(&pos.clone()));
        }
    }
    assert!(seen.iter().all(|&n| n >= 3), "{seen:?}");
}

#[test]
fn what_is_good_for_white_is_bad_for_black() {
    // The same stones and komi, colors exchanged and White to move: the net sees the same, First the
    // opposite.
    let mut net_evaluator = NetEvaluator::new(Arc::new(ConvNet::random(8, 2)));
    let mut black = position(9, 9, &[(2, 2), (6, 6)]);
    black.set_komi(5.5);
    let mut white = position(9, 9, &[PASS, (2, 2), (6, 6)]);
    white.set_komi(-5.5);
    // The pass at the start shows in no input any more after four more moves.
    for pos in [&mut black, &mut white] {
        for (column, row) in [(3, 6), (6, 3), (2, 5), (5, 2)] {
            pos.do_move(Point::new(column, row), &mut ());
        }
    }
    let for_black = net_evaluator.ask_turned(&black, Symmetry(0)).clone();
    let for_white = net_evaluator.ask_turned(&white, Symmetry(0));
    assert!((for_black.value + for_white.value - 1.0).abs() < 1e-6);
    assert_eq!(for_black.score, -for_white.score);
    assert_eq!(for_black.moves, for_white.moves);
    assert!(for_black.owner.iter().zip(&for_white.owner).all(|(a, b)| *a == -b));
}

#[test]
fn chances_sum_to_one() {
    let mut net_evaluator = NetEvaluator::new(Arc::new(ConvNet::random(5, 1)));
    let pos = position(9, 9, &[(2, 2), (6, 6)]);
    let output = net_evaluator.ask(&pos);
    let moves: Vec<Move> = pos.board().empties().chain([Point::PASS]).collect();
    let mut priors = vec![0.0; moves.len()];
    output.fill_priors(pos.board(), &moves, &mut priors);
    assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5 && priors.iter().all(|&p| p > 0.0));
    let (first, last) = (priors[0], priors[moves.len() - 1]);
    let logits = [output.moves[pos.board().compact(moves[0])], output.pass].map(|n| f32::from(n) / 256.0);
    assert!(((first / last).ln() - (logits[0] - logits[1])).abs() < 1e-3);
    assert!((expected_result([256, 256, 256]) - 0.5).abs() < 1e-6);
    assert!((expected_result([512, -5000, 0]) - 0.880_797).abs() < 1e-5);
}

#[test]
fn powers_and_tangents_are_exact_enough() {
    for steps in (0..20_000).chain([65_534, 131_072]) {
        let exact = (-f64::from(steps) / 256.0).exp();
        assert!((f64::from(decay(steps)) - exact).abs() <= 2e-7 * exact + 1e-34, "{steps}");
    }
    for number in [-32768, -700, -1, 0, 1, 90, 256, 1000, 32767] {
        assert!((f64::from(tanh(number)) - (f64::from(number) / 256.0).tanh()).abs() < 1e-6, "{number}");
    }
}
