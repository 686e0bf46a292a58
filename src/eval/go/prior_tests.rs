use super::super::features::tests::CAPTURE;
use super::super::policy::tests::board;
use super::super::strengths::embedded;
use super::*;
use crate::go::{BLACK, Point, WHITE, coords};

/// Moves by prior, the best first.
fn ranked(board: &Board) -> Vec<(String, f32)> {
    let moves: Vec<_> =
        board.empties().filter(|&v| board.is_legal(v, board.side_to_move())).chain([Point::PASS]).collect();
    let mut priors = vec![0.0; moves.len()];
    fill(board, &moves, &mut priors, embedded(), &mut Scratch::default());
    let mut out: Vec<_> = moves.iter().map(|&v| coords::vertex(board, v)).zip(priors).collect();
    out.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    out
}

fn best(board: &Board) -> String {
    ranked(board)[0].0.clone()
}

fn prior(board: &Board, vertex: &str) -> f32 {
    ranked(board).into_iter().find(|(name, _)| name == vertex).unwrap().1
}

#[test]
fn taking_and_saving_come_first() {
    assert_eq!(best(&board(&CAPTURE, BLACK)), "D4");
    // Running is in vain where a ladder works, and comes first where a stone breaks it.
    let mut broken = CAPTURE;
    broken[4] = ". . X . . O .";
    let share = |b: &Board| prior(b, "D4") / ranked(b).iter().map(|(_, prior)| prior).sum::<f32>();
    assert!(share(&board(&CAPTURE, WHITE)) < share(&board(&broken, WHITE)) / 2.0);
    assert_eq!(best(&board(&broken, WHITE)), "D4");
}

#[test]
fn self_atari_and_the_open_first_line_come_last() {
    let rows = [
        ". . . . . . .",
        ". . X . . . .",
        ". X . X . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
    ];
    let b = board(&rows, WHITE);
    assert!(prior(&b, "C5") < prior(&b, "E4") / 3.0);
    assert!(prior(&b, "G1") < prior(&b, "E3") / 10.0);
    assert!(prior(&b, "pass") < prior(&b, "E3"));
}

#[test]
fn moves_near_the_last_one_are_looked_at_first() {
    let mut b = Board::new(13, 13);
    let last = Point::new(9, 3);
    b.play(last, &mut ());
    assert!(prior(&b, "K6") > prior(&b, "D10") * 1.2);
}

#[test]
fn an_early_pass_has_less_than_its_share() {
    let moves = ranked(&Board::new(19, 19));
    let mean = moves.iter().map(|(_, prior)| prior).sum::<f32>() / moves.len() as f32;
    assert!(prior(&Board::new(19, 19), "pass") < mean);
}

#[test]
fn the_pass_is_looked_at_after_a_pass() {
    let mut b = board(&CAPTURE, BLACK);
    let before = prior(&b, "pass");
    b.play(Point::PASS, &mut ());
    assert!(prior(&b, "pass") > before * 5.0);
}
