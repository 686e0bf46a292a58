use super::super::policy::tests::board;
use super::*;
use crate::go::{BLACK, WHITE, coords};

fn of(board: &Board, vertex: &str) -> Vec<usize> {
    let wanted = coords::parse_vertex(board, vertex).unwrap();
    let moves: Vec<_> = board.empties().collect();
    let mut found = Vec::new();
    read(board, &moves, &mut FeatureScratch::default(), |v, feature| {
        if v == wanted {
            found.push(feature);
        }
    });
    found
}

fn does(board: &Board, vertex: &str, tactic: Tactic, stones: u32) -> bool {
    of(board, vertex).contains(&tactical(tactic, stones))
}

/// Two white stones in atari, which a ladder catches when they run.
pub const CAPTURE: [&str; 7] = [
    ". . . . . . .",
    ". . X . . . .",
    ". X O X . . .",
    ". X O . . . .",
    ". . X . . . .",
    ". . . . . . .",
    ". . . . . . .",
];

#[test]
fn a_chain_in_atari_is_taken_or_runs() {
    assert!(does(&board(&CAPTURE, BLACK), "D4", Tactic::CaptureCaught, 2));
    assert!(does(&board(&CAPTURE, WHITE), "D4", Tactic::EscapeInVain, 2));
    let mut broken = CAPTURE;
    broken[4] = ". . X . . O .";
    assert!(does(&board(&broken, BLACK), "D4", Tactic::Capture, 2));
    assert!(does(&board(&broken, WHITE), "D4", Tactic::Escape, 2));
    let mut hanging = CAPTURE;
    hanging[1] = ". . X O . . .";
    hanging[2] = ". X O X O . .";
    assert!(does(&board(&hanging, BLACK), "D4", Tactic::CaptureToSave, 2));
}

#[test]
fn chains_of_two_and_three_liberties_are_attacked_and_defended() {
    let rows = [
        ". . . . . . .",
        ". . X . . . .",
        ". X O . . . .",
        ". X . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
    ];
    let (black, white) = (board(&rows, BLACK), board(&rows, WHITE));
    // One of the two liberties begins the ladder, and the prey defends on either.
    let with = |tactic| ["D5", "C4"].map(|v| does(&black, v, tactic, 1));
    assert_eq!(with(Tactic::Ladder).map(|ladder| !ladder), with(Tactic::Atari));
    assert!(with(Tactic::Ladder).contains(&true));
    assert!(["D5", "C4"].iter().all(|v| does(&white, v, Tactic::LadderDefence, 1)));
    let edge = ["O O . .", "X . . .", ". . . .", ". . . ."];
    assert!(does(&board(&edge, BLACK), "C4", Tactic::Atari, 2));
    let three = [". . .", "O . .", ". . ."];
    assert!(does(&board(&three, BLACK), "A3", Tactic::Press, 1));
    assert!(does(&board(&three, WHITE), "B2", Tactic::Relax, 1));
}

#[test]
fn self_atari_and_throw_ins_are_distinguished() {
    let rows = [". . . . .", ". . X . .", ". X . X .", ". . . . .", ". . . . ."];
    assert!(of(&board(&rows, WHITE), "C3").contains(&THROW_IN));
    let mut together = rows;
    together[3] = ". X O X .";
    together[4] = ". . X . .";
    assert!(of(&board(&together, WHITE), "C3").contains(&SELF_ATARI));
    assert!(!of(&board(&rows, BLACK), "C3").contains(&THROW_IN));
}

#[test]
fn lines_and_distances_have_one_feature_each() {
    let mut b = Board::new(19, 19);
    b.play(Point::new(15, 3), &mut ());
    b.play(Point::new(3, 15), &mut ());
    for v in b.empties() {
        let found = of(&b, &coords::vertex(&b, v));
        let count = |range: std::ops::Range<usize>| found.iter().filter(|f| range.contains(f)).count();
        assert_eq!([count(LINES..LAST), count(LAST..SECOND_LAST), count(SECOND_LAST..FEATURES)], [1; 3]);
    }
    // Next to the last move, far from the one before it.
    let found = of(&b, "D15");
    assert!(found.contains(&LAST) && found.contains(&(FEATURES - 1)), "{found:?}");
    assert!(of(&Board::new(9, 9), "E5").iter().all(|&f| (LINES..LAST).contains(&f)));
}

#[test]
fn chains_are_classed_by_their_stones() {
    let class = |stones| tactical(Tactic::Capture, stones) - tactical(Tactic::Capture, 1);
    assert_eq!([1, 2, 3, 5, 6, 300].map(class), [0, 1, 2, 2, 3, 3]);
}
