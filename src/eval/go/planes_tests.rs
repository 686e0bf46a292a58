use super::*;
use crate::game::Game;
use crate::go::{BLACK, Rules, ladder};
use crate::util::rng::Rng;

fn inputs(pos: &Position) -> Inputs {
    let mut inputs = Inputs::default();
    read(pos, DeadStones::AllAlive, &mut inputs, &mut LadderReader::default());
    inputs
}

/// A game of random moves without filling eyes, `turned` by exchanging columns and rows.
fn game(seed: u64, size: usize, plies: usize, turned: bool) -> Position {
    let mut rng = Rng::new(seed);
    let mut pos = Position::new(size, size, Rules::CHINESE);
    for _ in 0..plies {
        let side = pos.side_to_move();
        let mut moves = Vec::new();
        // In the order of the board that is not turned.
        for a in 0..size {
            for b in 0..size {
                let v = if turned { Point::new(a, b) } else { Point::new(b, a) };
                if pos.check(side, v).is_ok() && !pos.board().is_eye_like(v, side) {
                    moves.push(v);
                }
            }
        }
        let mv = if moves.is_empty() || rng.below(40) == 0 { Point::PASS } else { rng.pick(&moves) };
        pos.do_move(mv, &mut ());
    }
    pos
}

#[test]
fn a_turned_board_gives_turned_planes() {
    for seed in 0..24 {
        let (size, plies) = ([5, 9, 13][seed as usize % 3], 12 * seed as usize);
        let (plain, turned) =
            (inputs(&game(seed, size, plies, false)), inputs(&game(seed, size, plies, true)));
        assert_eq!(plain.globals, turned.globals);
        for row in 0..size {
            for col in 0..size {
                let at = |r: usize, c: usize| (r * size + c) * PLANES;
                let (a, b) = (at(row, col), at(col, row));
                assert_eq!(plain.planes[a..a + PLANES], turned.planes[b..b + PLANES], "{seed} {row} {col}");
            }
        }
    }
}

#[test]
fn planes_are_what_they_are_defined_to_be() {
    let mut seen = [0; PLANES];
    for seed in 0..300 {
        let pos = game(100 + seed, 9, 4 * (seed as usize % 40), false);
        let (board, side) = (pos.board(), pos.side_to_move());
        let alive = life::unconditional(board, false).alive;
        let found = inputs(&pos);
        for v in board.points() {
            let bits = &found.planes[board.compact(v) * PLANES..][..PLANES];
            let stone = board.color(v).side();
            let liberties = if stone.is_some() { board.liberty_count(v, 9) } else { 0 };
            let caught = match (stone, liberties) {
                (Some(_), 1) => ladder::escape(board, v).is_none(),
                (Some(_), 2) => ladder::capture(board, v).is_some(),
                _ => false,
            };
            let last = |i: usize| pos.moves().len() > i && pos.moves()[pos.moves().len() - 1 - i].1 == v;
            let banned = |error| stone.is_none() && pos.check(side, v) == Err(error);
            let expected = [
                true,
                stone == Some(side),
                stone == Some(side.other()),
                liberties == 1,
                liberties == 2,
                liberties == 3,
                banned(IllegalMove::Ko),
                banned(IllegalMove::Superko),
                last(0),
                last(1),
                last(2),
                last(3),
                last(4),
                caught,
            ];
            for (plane, &on) in expected.iter().enumerate() {
                assert_eq!(bits[plane] != 0, on, "plane {plane} at {v:?} of game {seed}");
            }
            // An own region holds no own stones: these are marked when they live.
            if let Some(owner) = stone {
                let plane = PASS_ALIVE + usize::from(owner != side);
                assert_eq!(
                    bits[plane] != 0,
                    alive[owner.index()].contains(v),
                    "life at {v:?} of game {seed}"
                );
            }
            bits.iter().zip(&mut seen).for_each(|(&bit, seen)| *seen += usize::from(bit));
        }
    }
    for plane in (0..17).filter(|plane| *plane != SUPERKO) {
        assert!(seen[plane] > 0, "no game has plane {plane}");
    }
    assert_eq!(seen[17..].iter().sum::<usize>(), 0);
}

#[test]
fn globals_are_seen_from_the_side_to_move() {
    let mut pos = Position::new(9, 9, Rules::CHINESE);
    pos.set_komi(7.0);
    assert_eq!(inputs(&pos).globals, [-112, 0, 0, 0, -128, 0, 256, 0]);
    pos.set_komi(6.5);
    pos.play(BLACK, Point::PASS).unwrap();
    // Komi 6.5 on an odd board: White wins by half a point what would else be a loss by half of one.
    assert_eq!(inputs(&pos).globals, [104, -128, 256, 0, -128, 0, 256, 0]);
    pos.set_handicap(&[Point::new(2, 2), Point::new(6, 6)]);
    assert_eq!(inputs(&pos).globals[5], 32);
}
