//! The openings that come with the engine, and books that other programs make.

use crate::support::{client_ran, client_skipped, engine, program, run, run_program, stdout};
use sanqi::chess;
use sanqi::game::{Game, Text};
use sanqi::games::formats;
use sanqi::games::game::Game as Played;
use sanqi::games::opening_names::opening_name;
use sanqi::games::record::GameKind;
use sanqi::xiangqi::Board;
use sanqi::xiangqi::book::Book;
use std::collections::HashSet;
use std::path::Path;
use tempfile::tempdir;

/// The positions of a file are legal, all different, and leave more than one move.
fn are_openings<G: Game + Text>(file: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    let boards: Vec<G> = text.lines().map(|line| G::from_fen(line).unwrap()).collect();
    assert!(boards.len() >= 1000);
    assert_eq!(boards.iter().map(Game::key).collect::<HashSet<_>>().len(), boards.len());
    for board in boards {
        assert!(board.legal().as_ref().len() > 1, "{}", board.fen());
    }
}

#[test]
fn openings_of_chess_and_xiangqi_are_legal_and_all_different() {
    are_openings::<chess::Board>("books/chess.epd");
    are_openings::<Board>("books/xiangqi.epd");
}

/// Lines of a file have names, lead to positions that are all different, and the game goes on there.
fn are_known(file: &str, kind: GameKind, least: usize) {
    let bytes = std::fs::read(file).unwrap();
    let openings = formats::openings(&bytes, kind, usize::MAX);
    assert!(openings.len() >= least, "{file}: {}", openings.len());
    let mut seen = HashSet::new();
    for opening in openings {
        let moves = opening.unwrap().moves;
        let game = Played::after(kind.into(), &moves).unwrap();
        assert!((8..=16).contains(&moves.len()) && game.ending().is_none(), "{moves:?}");
        assert!(opening_name(&game).is_some(), "{moves:?}");
        let position = game.fen().unwrap();
        assert!(seen.insert(position.split(' ').take(3).collect::<Vec<_>>().join(" ")), "{moves:?}");
    }
}

#[test]
fn lines_of_chess_and_xiangqi_are_those_that_people_know() {
    are_known("books/chess.pgn", GameKind::CHESS, 1000);
    are_known("books/xiangqi.pgn", GameKind::XIANGQI, 500);
}

#[test]
fn openings_of_go_are_games_that_go_on_and_say_what_to_expect() {
    for komi in [6.5, 7.0, 7.5] {
        let text = std::fs::read_to_string(format!("books/go9-{komi}.sgf")).unwrap();
        let games: Vec<_> = sanqi::games::formats::sgf::load_all(&text, sanqi::go::Rules::default()).unwrap();
        assert!(games.len() >= 500);
        assert_eq!(text.lines().collect::<HashSet<_>>().len(), games.len());
        for game in games {
            let end = game.unwrap().end;
            assert!((end.moves().len(), end.board().passes(), end.komi()) == (4, 0, komi));
        }
        for opening in formats::sgf::openings(&text, 9, usize::MAX) {
            let name = opening.unwrap().name;
            let black: u32 =
                name.strip_prefix("B ").and_then(|n| n.strip_suffix('%')).unwrap().parse().unwrap();
            assert!((44..=56).contains(&black), "{name}");
        }
    }
}

/// The embedded book of chess is played from when it is switched on, and in a game against a person.
#[test]
fn the_book_of_chess_is_played_from() {
    let lines = "uci\nsetoption name OwnBook value true\nposition startpos\ngo depth 1\nquit\n";
    let said = stdout(&run_program(engine(), &[], lines));
    assert!(said.contains("info string a move from the book"), "{said}");
    let firsts: HashSet<String> = (0..12)
        .map(|_| stdout(&run_program(engine(), &["play", "chess", "--side", "black"], "quit\n")))
        .filter_map(|said| said.lines().find(|line| line.starts_with("White: ")).map(str::to_owned))
        .collect();
    assert!(firsts.len() > 1, "{firsts:?}");
}

#[test]
fn the_book_of_xiangqi_knows_the_start_and_its_replies() {
    let book = Book::open(Path::new("books/xiangqi.dat")).unwrap();
    let start = Board::start();
    let moves = book.moves(&start);
    assert!(moves.len() > 2);
    let mut after = start.clone();
    after.do_move(moves[0].mv, &mut ());
    assert!(!book.moves(&after).is_empty());
    for setting in ["bookfiles books/xiangqi.dat", "usebook true"] {
        let lines = format!("ucci\nsetoption {setting}\nposition startpos\ngo depth 1\nquit\n");
        let said = stdout(&run_program(engine(), &[], &lines));
        assert!(said.contains("info message a move from the book"), "{said}");
    }
}

/// Two games are seldom alike, and a game against a person begins with the book.
#[test]
fn games_of_xiangqi_differ() {
    let game = || {
        let mut moves = String::new();
        for _ in 0..8 {
            let lines = format!(
                "ucci\nsetoption usebook true\nposition startpos moves {moves}\ngo nodes 500\nquit\n"
            );
            let said = stdout(&run_program(engine(), &[], &lines));
            let mv = said.lines().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
            moves += &mv[..5.min(mv.len())].replace(' ', "");
            moves.push(' ');
        }
        moves
    };
    let games: HashSet<String> = (0..4).map(|_| game()).collect();
    assert!(games.len() > 1, "{games:?}");
    let answers: HashSet<String> = (0..12)
        .map(|_| stdout(&run_program(engine(), &["play", "xiangqi", "--side", "black"], "quit\n")))
        .filter_map(|said| said.lines().find(|line| line.starts_with("Red: ")).map(str::to_owned))
        .collect();
    assert!(answers.len() > 1, "{answers:?}");
}

fn after(moves: &str) -> chess::Board {
    let mut board = chess::Board::start();
    for text in moves.split_whitespace() {
        let mv = board.parse_move(text, Default::default()).unwrap();
        board.do_move(mv, &mut ());
    }
    board
}

/// A book made by Debian's polyglot.
#[test]
fn books_of_polyglot_are_read() {
    let path = ["/usr/games/polyglot", "/usr/bin/polyglot"].into_iter().find(|p| Path::new(p).exists());
    let Some(path) = path else { return client_skipped("polyglot", "Debian package polyglot") };
    let folder = tempdir().unwrap();
    let game = |result: &str, moves: &str| format!("[Result \"{result}\"]\n\n{moves} {result}\n\n");
    let pgn = [
        game("1-0", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nf6"),
        game("1-0", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6"),
        game("1/2-1/2", "1. d4 d5 2. c4 e6"),
    ];
    std::fs::write(folder.path().join("games.pgn"), pgn.concat()).unwrap();
    let made = program(path)
        .args(["make-book", "-pgn", "games.pgn", "-bin", "book.bin", "-min-game", "1"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    let book = chess::polyglot::Book::open(&folder.path().join("book.bin")).unwrap();
    let moves = |board: &chess::Board| -> Vec<String> {
        book.moves(board).iter().map(|m| board.move_text(m.mv, Default::default())).collect()
    };
    assert_eq!(moves(&after("")), ["e2e4", "d2d4"]);
    assert_eq!(book.moves(&after(""))[0].weight, 4);
    assert_eq!(moves(&after("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6")), ["e1g1"]);
    assert_eq!(moves(&after("d2d4 d7d5")), ["c2c4"]);
    // Made by us it has the same entries; the format leaves the order of those of a position open.
    let [games, own] = ["games.pgn", "own.bin"].map(|name| folder.path().join(name));
    let (games, own) = (games.to_str().unwrap(), own.to_str().unwrap());
    assert!(run(&["book", "make", games, "--out", own, "--min-games", "1"]).status.success());
    let entries = |name: &str| {
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        let mut entries: Vec<Vec<u8>> = bytes.chunks(16).map(<[u8]>::to_vec).collect();
        entries.sort();
        entries
    };
    assert_eq!(entries("own.bin"), entries("book.bin"));
    client_ran("polyglot");
}
