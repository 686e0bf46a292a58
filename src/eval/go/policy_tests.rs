use super::*;

pub fn board(rows: &[&str], to_move: Side) -> Board {
    let mut board = crate::go::testing::board(rows);
    board.set_side_to_move(to_move);
    board
}

fn names(board: &Board, moves: &[Point]) -> Vec<String> {
    let mut out: Vec<_> = moves.iter().map(|&v| crate::go::coords::vertex(board, v)).collect();
    out.sort();
    out
}

#[test]
fn a_stone_in_atari_is_taken_or_saved() {
    let mut b = board(&[". . . . .", ". . X . .", ". X O . .", ". . X . .", ". . . . ."], WHITE);
    let far = Point::new(0, 0);
    b.play(far, &mut ());
    let mut found = Candidates::new();
    atari_moves(&b, Point::new(2, 2), BLACK, &mut found);
    assert_eq!(names(&b, &found), ["D3"]);
    found.clear();
    b.set_side_to_move(WHITE);
    atari_moves(&b, Point::new(1, 2), WHITE, &mut found);
    assert_eq!(names(&b, &found), ["D3"]);
}

#[test]
fn a_chain_is_saved_by_taking_the_stones_that_attack_it() {
    // White's C3 and D3 are in atari; taking B3, itself in atari, saves them.
    let rows = ["......", "..XX..", "OXOOX.", "O.X...", ".O....", "......"];
    let b = board(&rows, WHITE);
    let mut found = Candidates::new();
    counter_captures(&b, Point::new(2, 3), WHITE, &mut found);
    assert_eq!(names(&b, &found), Vec::<String>::new(), "B4 has two liberties");
    let b = board(&["......", ".OXX..", "OXOOX.", "O.X...", ".O....", "......"], WHITE);
    counter_captures(&b, Point::new(2, 3), WHITE, &mut found);
    assert_eq!(names(&b, &found), ["B3"]);
}

#[test]
fn eye_spaces_have_their_vital_points() {
    let rows: [(&[&str], Option<&str>); 7] = [
        (&["OOOOO", "O...O", "OOOOO", ".....", "....."], Some("C4")),
        (&["OOOOO", "OO.OO", "O...O", "OOOOO", "....."], Some("C3")),
        (&["OOOOO", "O..OO", "O..OO", "OOOOO", "....."], None),
        (&["OOOOOO", "O....O", "OOOOOO", "......", "......", "......"], None),
        (&["OOOOO", "O..OO", "O...O", "OOOOO", "....."], Some("C3")),
        (&["OOOOO", "O..OO", "OOOOO", ".....", "....."], None),
        (&["OOOOO", "O...O", "OOXOO", ".....", "....."], None),
    ];
    for (picture, vital) in rows {
        let b = board(picture, BLACK);
        // The highest empty point lies in the eye space.
        let inside = b.points().filter(|&v| b.is_empty(v)).max_by_key(|v| v.index()).unwrap();
        let found = vital_point(&b, inside, WHITE).map(|v| crate::go::coords::vertex(&b, v));
        assert_eq!(found.as_deref(), vital, "{picture:?}");
    }
}

#[test]
fn playouts_end_with_every_point_decided() {
    for (size, limit) in [(2, 100), (5, 200), (9, 300), (19, 900), (25, 1600)] {
        let mut rng = Rng::new(size as u64);
        let mut record = AmafRecord::default();
        for _ in 0..20 {
            let mut b = Board::new(size, size);
            record.clear();
            play_out(&mut b, &Policy::default(), &mut rng, &mut record);
            assert!(b.passes() >= 2 || b.area() < 30, "{size}: stopped by the limit");
            let moves = b.stones(BLACK) + b.stones(WHITE) + b.lost(BLACK) + b.lost(WHITE);
            assert!(moves <= limit, "{size}: {moves} moves");
        }
    }
}

#[test]
fn sekis_survive_playouts() {
    // Black's B7-F7 and White's sixth row share A7 and G7: who plays there first loses all.
    let rows = [".XXXXX.", "OOOOOOO", "XXXXXXX", ".......", "XXXXXXX", ".X.X.X.", "X.X.X.X"];
    let start = board(&rows, BLACK);
    let mut rng = Rng::new(7);
    let mut alive = 0;
    for _ in 0..200 {
        let mut b = start.clone();
        play_out(&mut b, &Policy::default(), &mut rng, &mut AmafRecord::default());
        alive +=
            u32::from(b.color(Point::new(0, 5)) == Color::White && b.color(Point::new(1, 6)) == Color::Black);
    }
    assert!(alive >= 190, "{alive} of 200 left the seki alone");
}
