//! The openings that come with the engine.

use crate::support::{engine, run_program, stdout};
use sanqi::game::{AlphaBetaGame, Game, MoveList, Text};
use sanqi::xiangqi::Board;
use sanqi::xiangqi::book::Book;
use std::collections::HashSet;
use std::path::Path;

#[test]
fn openings_of_xiangqi_are_legal_quiet_and_all_different() {
    let text = std::fs::read_to_string("books/xiangqi.epd").unwrap();
    let boards: Vec<Board> = text.lines().map(|line| Board::from_fen(line).unwrap()).collect();
    assert_eq!(boards.len(), 500);
    assert_eq!(boards.iter().map(Game::key).collect::<HashSet<_>>().len(), 500);
    for board in boards {
        let mut moves = MoveList::new();
        board.legal_moves(&mut moves);
        assert!(moves.len() > 1, "{}", board.fen());
    }
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
    let lines = "ucci\nsetoption bookfiles books/xiangqi.dat\nposition startpos\ngo depth 1\nquit\n";
    let said = stdout(&run_program(engine(), &[], lines));
    assert!(said.contains("info message a move from the book"), "{said}");
}
