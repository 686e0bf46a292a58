//! Game records of Go: what is written can be read again, and what others write is understood.

use proptest::prelude::*;
use sanqi::game::Game;
use sanqi::games::formats;
use sanqi::games::formats::sgf::{self, GameInfo, SgfError};
use sanqi::go::{BLACK, Color, Move, Point, Position, Rules, WHITE, coords};

fn loaded(text: &str, before: Option<usize>) -> Result<Position, SgfError> {
    sgf::load(text, before, Rules::CHINESE).map(|(position, _)| position)
}

fn load(text: &str) -> Position {
    loaded(text, None).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn at(position: &Position, vertex: &str) -> Color {
    position.board().color(coords::parse_vertex(position.board(), vertex).unwrap())
}

#[test]
fn the_main_line_is_read_with_size_komi_rules_and_moves() {
    let p = load("(;FF[4]GM[1]SZ[9]KM[6.5]RU[Japanese];B[ee];W[cc](;B[gc];W[tt])(;B[cg];W[gg]))");
    assert_eq!((p.board().width(), p.komi(), *p.rules()), (9, 6.5, Rules::JAPANESE));
    assert_eq!(p.moves().len(), 4);
    assert_eq!(at(&p, "E5"), Color::Black);
    assert_eq!(at(&p, "G7"), Color::Black);
    assert_eq!(at(&p, "C3"), Color::Empty, "a variation");
    assert_eq!(p.moves()[3], (WHITE, Point::PASS));
}

#[test]
fn reading_stops_before_the_move_asked_for() {
    let text = "(;GM[1]SZ[9];B[ee];W[cc];B[gc])";
    for (before, moves, side) in [(1, 0, BLACK), (2, 1, WHITE), (3, 2, BLACK), (9, 3, WHITE)] {
        let p = loaded(text, Some(before)).unwrap();
        assert_eq!((p.moves().len(), p.side_to_move()), (moves, side));
    }
}

#[test]
fn handicap_stones_are_set_up_and_white_moves_first() {
    let p = load("(;GM[1]SZ[19]HA[2]KM[0.5]AB[pd][dp])");
    assert_eq!((p.handicap(), p.side_to_move()), (2, WHITE));
    assert_eq!((at(&p, "Q16"), at(&p, "D4")), (Color::Black, Color::Black));
    assert_eq!(p.white_bonus(), 2.5);
}

#[test]
fn set_up_in_the_middle_of_a_game_adds_and_takes_away() {
    let p = load("(;GM[1]SZ[5];B[aa];AE[aa]AW[bb][cc:dd]PL[W])");
    assert_eq!(at(&p, "A5"), Color::Empty);
    assert_eq!((at(&p, "B4"), at(&p, "D2")), (Color::White, Color::White));
    assert_eq!((p.side_to_move(), p.board().stones(WHITE)), (WHITE, 5));
}

#[test]
fn rectangles_and_old_files_are_read() {
    let p = load("(;GM[1]SZ[7:3];B[ga])");
    assert_eq!((p.board().width(), p.board().height()), (7, 3));
    assert_eq!(at(&p, "G3"), Color::Black);
    load("\u{feff}From: nobody\n\n(;GaMe[1]SiZe[9];Black[ee];White[])");
    load("(;B[aa]C[a \\] in a comment; and (parentheses)])");
}

/// As the files of GNU Go's regression tests and of the No Name Go Server have it.
#[test]
fn names_in_lower_case_doubled_properties_and_what_stands_behind_are_read() {
    let p =
        load("(;\nGM[1]CoPyright[a \\] (b;]SZ[9]GM[1] KoMi [6.5];B[ee]Comment[x];W[cc];)\n\n---\nthe end");
    assert_eq!((p.board().width(), p.komi(), p.moves().len()), (9, 6.5, 2));
    for (player, side) in [("1", BLACK), ("black", BLACK), ("2", WHITE), ("W", WHITE)] {
        assert_eq!(load(&format!("(;SZ[9];B[ee];PL[{player}])")).side_to_move(), side, "{player}");
    }
    assert_eq!(loaded("(;SZ[9]PL[3])", None).unwrap_err(), SgfError::Property("PL".to_owned()));
}

#[test]
fn komi_in_stones_or_hundredths_is_turned_into_points() {
    for (number, points) in
        [(7.5, 7.5), (3.75, 7.5), (2.75, 5.5), (375.0, 7.5), (0.0, 0.0), (-5.5, -5.5), (650.0, 6.5)]
    {
        assert_eq!(sgf::komi_points(number), Some(points));
    }
    assert_eq!(sgf::komi_points(f64::NAN), None);
    // What is written here is points, and more than any board has is none.
    for (number, komi) in [("200", 200.0), ("3.75", 3.75), ("-1000", -1000.0), ("1e9", 7.5)] {
        for program in ["sanqi", "Sanqi:0.1.0"] {
            assert_eq!(load(&format!("(;AP[{program}]SZ[9]KM[{number}])")).komi(), komi, "{number}");
        }
    }
    for (number, komi) in [("200", 2.0), ("100000", 1000.0), ("1e9", 7.5), (" 6,5 ", 6.5), ("six", 7.5)] {
        assert_eq!(load(&format!("(;SZ[9]KM[{number}])")).komi(), komi, "{number}");
    }
}

#[test]
fn brackets_before_and_between_the_games_are_none() {
    let text = "From: (me)\n\n(;GM[1]SZ[9];B[ee];W[cc])\n(one more) ( ;SZ[9];B[aa])\n";
    let games = formats::read(text.as_bytes(), None);
    let moves = games.iter().map(|game| game.as_ref().map(|game| game.opening.moves.len()));
    assert_eq!(moves.collect::<Vec<_>>(), [Ok(2), Ok(1)]);
    assert_eq!(load("From: (me)\n\n(;GM[1]SZ[9];B[ee];W[cc])").moves().len(), 2);
}

#[test]
fn bad_records_are_named_errors() {
    let fails = |text: &str| loaded(text, None).expect_err(text);
    for text in ["", "hello", "(", "()", ")(", "(B[aa])"] {
        assert!(matches!(fails(text), SgfError::Syntax(_)), "{text}");
    }
    assert_eq!(fails("(;GM[2];B[aa])"), SgfError::OtherGame);
    assert_eq!(fails("(;GM[1]SZ[26])"), SgfError::Size(26, 26));
    assert_eq!(fails("(;GM[1]SZ[x])"), SgfError::Property("SZ".into()));
    assert_eq!(fails("(;GM[1]SZ[9];B[a1])"), SgfError::Property("B".into()));
    assert_eq!(fails("(;GM[1]SZ[9]AB[zz])"), SgfError::SetUp("zz".into()));
    assert_eq!(fails("(;GM[1]SZ[9];B[jj])").to_string(), "move 1 at 'jj': not on the board");
}

/// Moves of the main line as SGF has them, board size, komi and stones that were set up.
fn read(text: &str) -> (String, usize, f32, usize) {
    let p = load(text);
    let moves: Vec<String> = p.moves().iter().map(|&(_, mv)| sanqi::go::coords::sgf(p.board(), mv)).collect();
    let (start, area) = (p.start_board(), p.board().area());
    (moves.join(" "), p.board().width(), p.komi(), area - start.empty_count())
}

#[test]
fn names_without_a_value_and_blanks_take_nothing_with_them() {
    for (text, expected) in [
        ("(;GM[1]SZ[9]C;B[ee];W[cc])", ("ee cc", 9, 7.5, 0)),
        ("(;SZ[9]AB;B[ee];W[cc])", ("ee cc", 9, 7.5, 0)),
        ("(;SZ[9]DT KM[0.5];B[ee])", ("ee", 9, 0.5, 0)),
        ("(;SZ[9];B[ee];W[cc]KO;B[gg])", ("ee cc gg", 9, 7.5, 0)),
        ("(;SZ[9]PB\nKM[5.5]PW;B[ee])", ("ee", 9, 5.5, 0)),
        ("(;SZ[9];B[ee]C(;W[cc])(;W[gg]))", ("ee cc", 9, 7.5, 0)),
        ("(;SZ[9];B[ee]C)", ("ee", 9, 7.5, 0)),
        ("(;C SZ[9]AB AW[cc];B[ee])", ("ee", 9, 7.5, 1)),
        ("(;SZ [9] AB [aa] [bb] ; B [ee])", ("ee", 9, 7.5, 2)),
        ("(;SZ[9]TE KO DT B[ee];W[cc])", ("ee cc", 9, 7.5, 0)),
        ("(;GM[1]GM;SZ[9];B[ee])", ("ee", 19, 7.5, 0)),
        ("(;SZ[9]PL[];B[ee])", ("ee", 9, 7.5, 0)),
        ("(;SZ[9]AB[]AW[]AE[];B[ee])", ("ee", 9, 7.5, 0)),
        ("(;SZ[9]AB[][cc];W[ee])", ("ee", 9, 7.5, 1)),
        ("(;GM[ 1 ]SZ[9];B[ee])", ("ee", 9, 7.5, 0)),
        ("(;SZ[19 ];B[ee])", ("ee", 19, 7.5, 0)),
        ("(;SZ[9]KM[ 0.5 ];B[ ee ];W[ ];B[cc\n])", ("ee  cc", 9, 0.5, 0)),
        ("(;GM[]KM[]HA[];B[ee])", ("ee", 19, 7.5, 0)),
    ] {
        let found = read(text);
        assert_eq!((found.0.as_str(), found.1, found.2, found.3), expected, "{text}");
    }
    // The line of a fault is found behind names without a value.
    let fault = formats::read(b"(;SZ[9]\nDT B[ee]\n;W[zz])", None).remove(0).unwrap_err().to_string();
    assert!(fault.starts_with("line 3: game 1: move 2 "), "{fault}");
}

#[test]
fn a_record_without_its_last_bracket_is_read_and_named() {
    for (text, moves) in [
        ("(;SZ[9];B[aa];W[bb]", "aa bb"),
        ("(;SZ[9];B[aa];W[bb]C[cut in a val", "aa bb"),
        ("(;SZ[9];B[aa];W[b", "aa"),
        ("(;SZ[9];B[aa];W", "aa"),
        ("(;SZ[9];B[aa];W[bb];B[cc](;W[dd];B[ee])(;W[ff];B[g", "aa bb cc dd ee"),
        ("(;SZ[9];B[aa](;W[bb];B[cc]", "aa bb cc"),
        ("(;SZ[9];B[aa];W[bb]\n\n", "aa bb"),
        ("(;SZ[9];B[aa];W[bb]LB[cc:1][d", "aa bb"),
        ("(;SZ[9];B[aa];", "aa"),
    ] {
        assert_eq!(read(text).0, moves, "{text}");
        let mut games = formats::read(text.as_bytes(), None);
        let broken = games.remove(0).unwrap_err();
        assert!(broken.to_string().ends_with("game 1: not SGF: the last bracket is missing"), "{broken}");
        let before = broken.before.unwrap();
        assert_eq!(before.opening.moves.len(), moves.split(' ').count(), "{text}");
    }
    // So is a game in which another begins.
    let joined = formats::read(b"(;SZ[9];B[aa]\n(;GM[1]SZ[9];B[bb])", None);
    let broken = joined[0].as_ref().unwrap_err();
    assert!(broken.to_string().ends_with("the last bracket is missing"), "{broken}");
    assert_eq!(joined[1].as_ref().unwrap().opening.moves, ["B8"]);
    // A fault of the second game is none of the first.
    assert_eq!(read("(;SZ[9];B[aa])(;SZ[9];B[b").0, "aa");
    assert_eq!(read("(;B[aa]))(").0, "aa");
    for text in ["(;SZ[9];B[aa]))", "(;SZ[9];B[aa];W[bb])(;B[cc]))"] {
        let games = formats::read(text.as_bytes(), None);
        assert!(games.iter().any(|game| game.is_err()), "{text}");
    }
    assert!(sgf::load_all("(;SZ[9];B[aa])(;SZ[9];B[bb]", Rules::CHINESE).unwrap()[1].is_err());
}

#[test]
fn the_moves_before_a_fault_are_kept() {
    for (text, moves) in [
        ("(;SZ[9];B[ee];W[cc];B[zz];W[gg])", 2),
        ("(;SZ[9];B[ee];W[cc](;B[zz])(;B[gg]))", 2),
        ("(;SZ[9];B[ee];W[zz])", 1),
        ("(;SZ[9];B[ee];W[cc];Bgg];W[aa])", 2),
        ("(;SZ[9];B[ee];W[cc];B[gg;W[aa])", 2),
        ("(;SZ[9];B[ee];W[cc];[gg];W[aa])", 2),
        ("(;SZ[9];B[ee];W[cc];AB[dd]ff];W[aa])", 2),
        ("(;SZ[9];B[ee];W[cc];B[gg]AB[zz];W[aa])", 2),
    ] {
        let broken = formats::read(text.as_bytes(), None).remove(0).expect_err(text);
        assert_eq!(broken.before.map(|game| game.opening.moves.len()), Some(moves), "{text}");
    }
    let broken = formats::read(b"(;SZ[9];B[zz])", None).remove(0).unwrap_err();
    assert_eq!(broken.before, None);
}

/// Handicap by plain moves, a pass left out, stones set up after moves, and a move on a stone (FF[4] plays
/// it).
#[test]
fn games_go_on_behind_moves_out_of_turn_and_set_up_stones() {
    for (text, moves, restarts) in [
        ("(;SZ[19]HA[3];B[pd];B[dp];B[pp];W[dd])", 4, vec![1, 2]),
        ("(;SZ[19]HA[0];B[pd];B[dp];B[pp];B[dd];W[cc])", 5, vec![1, 2, 3]),
        ("(;SZ[9];B[ee];W[cc];B[gc];B[cg];W[gg])", 5, vec![3]),
        ("(;SZ[9];B[ee];W[cc];W[gg])", 3, vec![2]),
        ("(;SZ[9];B[ee];W[cc];AB[gg];B[dd])", 3, vec![2]),
        ("(;SZ[9];B[ee];W[cc];AE[ee])", 2, vec![2]),
        ("(;SZ[9];B[];W[];AE[ee];B[dd])", 3, vec![2]),
        ("(;SZ[9];B[ee];W[cc];PL[W];W[gg])", 3, vec![2]),
        ("(;SZ[9];B[ee];W[cc];B[cc];W[gg])", 3, vec![2]),
        ("(;SZ[9];B[ee];W[ee];B[gg])", 2, vec![1]),
    ] {
        let game = formats::read(text.as_bytes(), None).remove(0).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(game.opening.moves.len(), moves, "{text}");
        assert_eq!(game.restarts.iter().map(|(ply, _)| *ply).collect::<Vec<_>>(), restarts, "{text}");
        load(text);
    }
    assert_eq!(at(&load("(;SZ[9];B[ee];W[ee];B[gg])"), "E5"), Color::White);
}

/// What is read and written is the same tree, and its text the same when it is written again.
#[test]
fn trees_are_written_as_they_were_read() {
    for text in [
        "(;GM[1]SZ[9]KM[3.75]AP[CGoban:3]PB[a \\] b]XX[1][2];B[ee]C[a]C[b]LB[aa:1][bb:x\\:y];W[];B[tt]\
         (;W[cc]BM[2]N[x](;B[gg])(;B[gc]TE[1]IT[]DO[]))(;W[gg]TR[aa:cc]BL[3.5]OB[2]))",
        "(;SZ[13]AB[aa:bb]AW[cc]PL[W];AE[aa];W[ee]W[dd];B[zz];B[ff])",
        "(;SZ[19]HA[2]C[one\ntwo]RE[B+R]CA[GB2312]FF[3];B[dd](;)(;C[empty];W[pp]))",
    ] {
        let tree = |text: &str| match formats::read(text.as_bytes(), None).remove(0) {
            Ok(game) => game.tree,
            Err(broken) => broken.before.unwrap().tree,
        };
        let first = tree(text);
        let size = [9, 13, 19].into_iter().find(|size| text.contains(&format!("SZ[{size}]"))).unwrap();
        let board = sanqi::go::Board::new(size, size);
        let written = sgf::write_tree(&first, &board);
        assert!(first == tree(&written), "{text}: {written}");
        assert_eq!(sgf::write_tree(&tree(&written), &board), written);
    }
}

/// As Fox writes komi: hundredths of a 子.
#[test]
fn komi_of_fox_is_in_hundredths() {
    for (properties, komi) in [
        ("AP[foxwq]KM[50]HA[2]", 0.5),
        ("KM[25]AP[foxwq]", 0.5),
        ("AP[foxwq]KM[-50]", -0.5),
        ("KM[50]AP[GNU Go:3.8]AP[foxwq]", 0.5),
        ("AP[FoxWQ:1]KM[75]", 1.5),
        ("AP[foxwq]KM[375]", 7.5),
        ("AP[foxwq]KM[650]", 6.5),
        ("AP[foxwq]KM[0]", 0.0),
        ("AP[foxwq]KM[7.5]", 7.5),
        ("AP[foxwq]KM[6]", 6.0),
        ("AP[CGoban:3]KM[50]", 50.0),
        ("KM[375]", 7.5),
    ] {
        assert_eq!(load(&format!("(;SZ[9]{properties})")).komi(), komi, "{properties}");
    }
}

#[test]
fn endless_lines_are_refused_not_followed() {
    let text = format!("(;GM[1]SZ[9]{})", ";B[]".repeat(50_000));
    let long = loaded(&text, None).unwrap_err();
    assert!(matches!(long, SgfError::TooLong(_)), "{long}");
    let nested = format!("{}{}", "(;".repeat(100_000), ")".repeat(100_000));
    let deep = loaded(&nested, None).unwrap_err();
    assert!(matches!(deep, SgfError::TooLong(_)), "{deep}");
    let empty = format!("(;SZ[9]{}{}", "(".repeat(20_000), ")".repeat(20_000));
    assert_eq!(loaded(&empty, None).unwrap_err().to_string(), "too many trees inside each other");
}

#[test]
fn a_handicap_placed_by_moves_is_written_as_stones() {
    let mut placed = Position::new(9, 9, Rules::CHINESE);
    for (side, vertex) in [(BLACK, "C3"), (WHITE, "pass"), (BLACK, "G7"), (WHITE, "G3"), (BLACK, "C7")] {
        let mv = coords::parse_vertex(placed.board(), vertex).unwrap();
        placed.play(side, mv).unwrap();
    }
    let plain = sgf::save(&placed, &GameInfo::default());
    assert!(plain.ends_with(";B[cg];W[];B[gc];W[gg];B[cc])"), "{plain}");
    placed.set_handicap_count(2);
    let text = sgf::save(&placed, &GameInfo::default());
    assert!(text.ends_with("HA[2]AB[cg][gc]PL[W]\n;W[gg];B[cc])"), "{text}");
    let read = load(&text);
    assert_eq!((read.handicap(), read.key()), (2, placed.key()));
}

#[test]
fn texts_are_escaped() {
    let info = GameInfo { black: r"a]b\c".into(), result: "B+7.5".into(), ..GameInfo::default() };
    let text = sgf::save(&Position::new(9, 9, Rules::CHINESE), &info);
    assert!(text.contains(r"PB[a\]b\\c]RE[B+7.5]"), "{text}");
    load(&text);
}

fn game() -> impl Strategy<Value = Position> {
    let moves = prop::collection::vec((any::<prop::sample::Index>(), 0..20u8), 0..120);
    let set_up = prop::collection::vec(any::<prop::sample::Index>(), 0..6);
    (2..=25usize, 2..=25usize, -50..50i32, set_up, moves).prop_map(|(width, height, komi, set_up, moves)| {
        let mut position = Position::new(width, height, Rules::CHINESE);
        position.set_komi(komi as f32 / 2.0);
        let points: Vec<Point> = position.board().points().collect();
        if set_up.len() > 1 {
            let mut stones: Vec<_> = set_up.iter().map(|i| *i.get(&points)).collect();
            stones.sort();
            stones.dedup();
            if stones.len() > 1 && stones.len() * 2 < points.len() {
                position.set_handicap(&stones);
            }
        }
        for (index, kind) in moves {
            let side = position.side_to_move();
            let legal = position.legal_points(side);
            let mv = if kind == 0 || legal.is_empty() { Point::PASS } else { *index.get(&legal) };
            position.play(side, mv).unwrap();
        }
        position
    })
}

fn facts(p: &Position) -> (Vec<(sanqi::game::Side, Move)>, u64, f32, u32, Rules) {
    (p.moves().to_vec(), p.key(), p.komi(), p.handicap(), *p.rules())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_again(position in game()) {
        let text = sgf::save(&position, &GameInfo::default());
        prop_assert_eq!(facts(&load(&text)), facts(&position));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in r"[(;)\[\]\\ABWSZ:a-c0-9]{0,60}") {
        let _ = loaded(&text, None);
    }
}

#[test]
fn a_record_that_costs_more_to_read_than_any_game_is_refused() {
    let refused = |text: String| loaded(&text, None).unwrap_err().to_string();
    assert_eq!(refused(format!("(;SZ[25]AB{})", "[aa:bb]".repeat(3000))), "too many rectangles");
    assert_eq!(refused(format!("(;SZ[25]AB{})", "[aa:yy]".repeat(200))), "too many points in rectangles");
    // So it is for programs that read whole files: in each game, and in all of them together.
    let error_of = |text: String| formats::read(text.as_bytes(), None).remove(0).unwrap_err().why.to_string();
    assert_eq!(error_of("(;SZ[9]TB[aa:ZZ])".repeat(1000)), "too many points in rectangles");
    assert!(
        formats::read("(;SZ[19]TB[aa:ss];B[aa])".repeat(1000).as_bytes(), None).iter().all(Result::is_ok)
    );
    assert_eq!(refused(format!("(;SZ[5]{})", "(;B[aa])".repeat(100_001))), "too many nodes");
    let text = "(;SZ[9]C[a:b\\]:c]AB[aa:bb](;B[cc])(;B[dd]))";
    assert_eq!(loaded(text, None).map(|p| p.moves().len()), Ok(1));
}
