//! Endings with little material: won by tables where there are any, and without them.
//!
//! The tables of three and four pieces are not part of the project: tests that read them are ignored, and
//! need `SYZYGY_PATH`.

use crate::support::{engine_at, search};
use sanqi::chess::syzygy::{Tables, Wdl};
use sanqi::chess::{Board, Color, rules};
use sanqi::engine::{self, Engine, GameId, Info, Limits, Notation, PositionSpec, Score};
use sanqi::game::{Game, Text};
use sanqi::util::rng::Rng;
use std::time::Duration;

/// The tables of three and four pieces, in the folder that `SYZYGY_PATH` names.
fn tables() -> (String, Tables) {
    let folder = std::env::var("SYZYGY_PATH").expect("SYZYGY_PATH names a folder of Syzygy tables");
    let tables = Tables::open(&folder);
    assert!(tables.max_pieces() >= 4, "{folder}");
    (folder, tables)
}

/// A random position of three or four pieces with a legal move, and who wins it.
fn random_position(rng: &mut Rng, tables: &Tables) -> (Board, Wdl) {
    loop {
        let mut squares = [' '; 64];
        let mut put = |piece: char, rng: &mut Rng| loop {
            let at = rng.below(64);
            if squares[at] == ' ' && !(piece.eq_ignore_ascii_case(&'p') && !(8..56).contains(&at)) {
                squares[at] = piece;
                break;
            }
        };
        put('K', rng);
        put('k', rng);
        for _ in 0..1 + rng.below(2) {
            put(['P', 'N', 'B', 'R', 'Q', 'p', 'n', 'b', 'r', 'q'][rng.below(10)], rng);
        }
        let rank = |r: usize| {
            let mut text = String::new();
            for &piece in &squares[8 * r..8 * r + 8] {
                match (piece, text.pop()) {
                    (' ', Some(last)) if last.is_ascii_digit() => text.push((last as u8 + 1) as char),
                    (' ', last) => text.extend(last.into_iter().chain(['1'])),
                    (piece, last) => text.extend(last.into_iter().chain([piece])),
                }
            }
            text
        };
        let placement: Vec<String> = (0..8).map(rank).collect();
        let fen = format!("{} {} - - 0 1", placement.join("/"), ["w", "b"][rng.below(2)]);
        if let Ok(board) = Board::from_fen(&fen)
            && rules::end(&board).is_none()
            && let Some(wdl) = tables.probe_wdl(board.position())
        {
            return (board, wdl);
        }
    }
}

fn set_up(engine: &mut dyn Engine, start: &str, moves: &[String]) {
    let spec =
        PositionSpec { fen: Some(start.to_owned()), moves: moves.to_vec(), notation: Notation::Coordinate };
    engine.set_position(&spec).unwrap();
}

/// How the engine, to move in `board`, fares against the tables' best play, or against itself without tables:
/// the winner, and the number of moves made.
fn play(
    engine: &mut dyn Engine,
    tables: Option<&Tables>,
    mut board: Board,
    limits: &Limits,
) -> (Option<Color>, usize) {
    let (start, us) = (board.fen(), board.side());
    let mut moves = Vec::new();
    engine.new_game();
    loop {
        match rules::end(&board) {
            Some(rules::End::Checkmate { winner }) => return (Some(winner), moves.len()),
            Some(_) => return (None, moves.len()),
            None if rules::claim(&board).is_some() => return (None, moves.len()),
            None => (),
        }
        let text = match tables {
            Some(tables) if board.side() != us => {
                let best = tables.best_move(&board).unwrap();
                board.move_text(best.mv, Default::default())
            }
            _ => {
                set_up(engine, &start, &moves);
                search(engine, limits.clone()).1.unwrap()
            }
        };
        let mv = board.parse_move(&text, Default::default()).unwrap();
        board.do_move(mv, &mut ());
        moves.push(text);
    }
}

/// Every won position is won against the best defence, and no drawn one is lost.
fn known_endings(positions: usize) {
    let (folder, tables) = tables();
    let mut engine = engine_at(GameId::Chess, sanqi::chess::START_FEN, &[]);
    engine.set_option("SyzygyPath", &folder).unwrap();
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let (mut rng, mut won, mut drawn) = (Rng::new(11), 0, 0);
    while won + drawn < positions {
        let (board, wdl) = random_position(&mut rng, &tables);
        let fen = board.fen();
        let us = board.side();
        match wdl {
            Wdl::Win => {
                won += 1;
                let (winner, _) = play(&mut *engine, Some(&tables), board, &limits);
                assert_eq!(winner, Some(us), "{fen} is won");
            }
            Wdl::Draw | Wdl::BlessedLoss | Wdl::CursedWin => {
                drawn += 1;
                let (winner, _) = play(&mut *engine, Some(&tables), board, &limits);
                assert_ne!(winner, Some(us.other()), "{fen} is a draw");
            }
            Wdl::Loss => (),
        }
    }
    assert!(won > positions / 3 && drawn > positions / 10, "{won} won, {drawn} drawn");
}

#[test]
#[ignore = "needs Syzygy tables: make test SYZYGY_PATH=FOLDER"]
fn known_endings_have_the_known_result() {
    known_endings(40);
}

#[test]
#[ignore = "minutes, and needs Syzygy tables: make test-long SYZYGY_PATH=FOLDER"]
fn five_hundred_known_endings_keep_their_result() {
    known_endings(500);
}

fn last_info(engine: &mut dyn Engine, limits: Limits) -> Info {
    search(engine, limits).0.pop().unwrap()
}

#[test]
#[ignore = "needs Syzygy tables: make test SYZYGY_PATH=FOLDER"]
fn a_known_win_is_reported_with_its_line_to_the_mate() {
    let (folder, _) = tables();
    for fen in [
        "8/8/8/3k4/8/8/8/KBN5 w - - 0 1",
        "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
        "8/8/3k4/8/3K4/3P4/8/8 b - - 0 1",
    ] {
        let mut engine = engine_at(GameId::Chess, fen, &[]);
        engine.set_option("SyzygyPath", &folder).unwrap();
        let info = last_info(&mut *engine, Limits { depth: Some(2), ..Limits::default() });
        assert!(info.tbhits > 0, "{fen}: no hits");
        let Score::Centipawns(score) = info.score else { panic!("{fen}: no mate is near") };
        assert!(score.abs() > 19_000, "{fen}: {score}");
        let mut board = Board::from_fen(fen).unwrap();
        for text in &info.pv {
            let mv = board.parse_move(text, Default::default()).unwrap();
            board.do_move(mv, &mut ());
        }
        assert!(matches!(rules::end(&board), Some(rules::End::Checkmate { .. })), "{fen}: {:?}", info.pv);
    }
}

#[test]
#[ignore = "needs Syzygy tables: make test SYZYGY_PATH=FOLDER"]
fn tables_are_asked_inside_the_search() {
    let (folder, _) = tables();
    // Five pieces; whether the exchange of rooks wins, only the tables know at once.
    let mut engine = engine_at(GameId::Chess, "8/8/4k3/8/r7/4K3/R3P3/8 w - - 0 1", &[]);
    let limits = Limits { depth: Some(8), ..Limits::default() };
    assert_eq!(last_info(&mut *engine, limits.clone()).tbhits, 0);
    engine.set_option("SyzygyPath", &folder).unwrap();
    assert!(last_info(&mut *engine, limits.clone()).tbhits > 0);
    engine.set_option("SyzygyProbeLimit", "3").unwrap();
    let few = last_info(&mut *engine, limits.clone()).tbhits;
    engine.set_option("SyzygyProbeLimit", "0").unwrap();
    assert_eq!(last_info(&mut *engine, limits.clone()).tbhits, 0);
    engine.set_option("SyzygyProbeLimit", "7").unwrap();
    let many = last_info(&mut *engine, limits.clone()).tbhits;
    assert!(few < many, "{few} {many}");
    engine.set_option("SyzygyPath", "").unwrap();
    assert_eq!(last_info(&mut *engine, limits).tbhits, 0);
}

#[test]
#[ignore = "needs Syzygy tables: make test SYZYGY_PATH=FOLDER"]
fn all_lines_are_shown_of_a_known_ending_best_first() {
    let (folder, _) = tables();
    // Promotion wins, a rook or a queen alike; giving the pawn away draws.
    let mut engine = engine_at(GameId::Chess, "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", &[]);
    engine.set_option("SyzygyPath", &folder).unwrap();
    engine.set_option("MultiPV", "9").unwrap();
    let (infos, _) = search(&mut *engine, Limits { depth: Some(6), ..Limits::default() });
    let last = &infos[infos.len() - 9..];
    let value = |score: Score| match score {
        Score::Centipawns(cp) => cp,
        Score::Mate(n) if n > 0 => 30_000 - n,
        Score::Mate(n) => -30_000 - n,
    };
    assert!(last.iter().enumerate().all(|(i, info)| info.multipv == i as u32 + 1));
    assert!(value(last[0].score) > 19_000 && value(last[8].score) == 0, "{last:#?}");
}

#[test]
fn missing_tables_are_reported_and_change_nothing() {
    let mut engine = engine_at(GameId::Chess, sanqi::chess::START_FEN, &[]);
    let error = engine.set_option("SyzygyPath", "no such folder").unwrap_err();
    assert!(error.to_string().starts_with("no Syzygy tables in 'no such folder'"), "{error}");
    assert!(search(&mut *engine, Limits { depth: Some(3), ..Limits::default() }).1.is_some());
}

/// An engine without tables mates a bare king by `limits` a move within fifty moves, against the defence of
/// `tables`, or against its own. Without tables every start must be won for the side to move.
fn mates_bare_king(
    engine: &mut dyn Engine,
    pieces: [&str; 2],
    starts: usize,
    limits: &Limits,
    tables: Option<&Tables>,
) {
    let mut rng = Rng::new(17);
    let (mut played, mut longest) = (0, 0);
    while played < starts {
        let mut empty: Vec<usize> = (0..64).collect();
        let mut board = [' '; 64];
        for piece in "Kk".chars().chain(pieces.concat().chars()) {
            board[empty.remove(rng.below(empty.len()))] = piece;
        }
        let placement: Vec<String> = board
            .chunks(8)
            .map(|rank| rank.iter().map(|&c| if c == ' ' { "1".to_owned() } else { c.to_string() }).collect())
            .map(|rank: String| {
                (2..=8).rev().fold(rank, |rank, n| rank.replace(&"1".repeat(n), &n.to_string()))
            })
            .collect();
        let Ok(board) = Board::from_fen(&format!("{} w - - 0 1", placement.join("/"))) else { continue };
        let is_won = tables.is_none_or(|tables| tables.probe_wdl(board.position()) == Some(Wdl::Win));
        if rules::end(&board).is_some() || !is_won {
            continue;
        }
        let fen = board.fen();
        let (winner, plies) = play(engine, tables, board, limits);
        assert_eq!(winner, Some(Color::First), "{fen} is won");
        assert!(plies < 100, "{fen}: {plies} plies");
        (played, longest) = (played + 1, longest.max(plies));
    }
    eprintln!("{pieces:?}: {starts} won, the longest in {longest} plies");
}

#[test]
fn a_bare_king_is_mated_without_tables() {
    // The side to move wins from every square: its piece can leave an attack, and a lone king pins nothing.
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let mut engine = engine_at(GameId::Chess, sanqi::chess::START_FEN, &[]);
    mates_bare_king(&mut *engine, ["Q", ""], 3, &limits, None);
    mates_bare_king(&mut *engine, ["R", ""], 2, &limits, None);
}

#[test]
fn a_beginner_mates_a_bare_king() {
    let mut engine = engine_at(GameId::Chess, sanqi::chess::START_FEN, &[]);
    engine.set_option("Skill Level", "0").unwrap();
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    mates_bare_king(&mut *engine, ["Q", ""], 3, &limits, None);
    mates_bare_king(&mut *engine, ["R", ""], 2, &limits, None);
}

/// Players of every level mate a bare king; from `starts` positions with a queen and as many with a rook.
fn every_level_mates_a_bare_king(starts: usize) {
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    for rating in engine::ratings(GameId::Chess).unwrap() {
        let mut engine = engine_at(GameId::Chess, sanqi::chess::START_FEN, &[]);
        engine.set_option("UCI_LimitStrength", "true").unwrap();
        engine.set_option("UCI_Elo", &rating.to_string()).unwrap();
        mates_bare_king(&mut *engine, ["Q", ""], starts, &limits, None);
        mates_bare_king(&mut *engine, ["R", ""], starts, &limits, None);
    }
}

#[test]
fn players_of_every_level_mate_a_bare_king() {
    every_level_mates_a_bare_king(1);
}

#[test]
#[ignore = "minutes"]
fn players_of_every_level_mate_a_bare_king_from_many_squares() {
    every_level_mates_a_bare_king(12);
}

#[test]
#[ignore = "minutes, and needs Syzygy tables: make test-long SYZYGY_PATH=FOLDER"]
fn every_basic_mate_is_given_at_a_tenth_of_a_second_a_move() {
    let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::default() };
    let (_, tables) = tables();
    let mut engine = engine_at(GameId::Chess, sanqi::chess::START_FEN, &[]);
    for pieces in [["Q", ""], ["R", ""], ["B", "B"], ["B", "N"]] {
        mates_bare_king(&mut *engine, pieces, 5, &limits, Some(&tables));
    }
}
