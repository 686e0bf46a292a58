//! Legal moves of positions from random and self-play games against pyffish, a generator of other authors.

use crate::support::{client_ran, client_skipped, program, python};
use sanqi::eval::Evaluation;
use sanqi::game::{AlphaBetaGame, Game, Text, Verdict};
use sanqi::train::datagen::{MoveSearcher, NodeLimits, Searcher};
use sanqi::util::rng::Rng;
use sanqi::xiangqi::Board;
use sanqi::xiangqi::notation::{Notation, coordinates, ranks_of, read_with};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// The script's way to say that pyffish is missing.
const NO_PYFFISH: i32 = 77;

/// Positions of random games, and as many of games that the search plays against itself.
fn positions(count: usize) -> Vec<Board> {
    let mut all = random_positions(count / 2);
    all.extend(self_play_positions(count - count / 2));
    all
}

/// Positions of games that begin with a few random moves and go on with searched ones.
fn self_play_positions(count: usize) -> Vec<Board> {
    let mut rng = Rng::new(2025);
    let mut player = Searcher::new(Evaluation::<Board>::default()).unwrap();
    let mut out = Vec::with_capacity(count);
    let mut board = Board::start();
    while out.len() < count {
        let moves = board.legal();
        if moves.is_empty() || board.verdict() != Verdict::Ongoing {
            board = Board::start();
            continue;
        }
        let mv = match board.plies_played() {
            0..6 => rng.pick(&moves),
            _ => player.search(&board, NodeLimits { soft: 50, hard: 400 }).mv,
        };
        board.do_move(mv, &mut ());
        out.push(board.without_history());
    }
    out
}

/// Positions of random games; captures are preferred now and then, so that endings come up too.
fn random_positions(count: usize) -> Vec<Board> {
    let mut rng = Rng::new(2024);
    let mut out = Vec::with_capacity(count);
    let mut board = Board::start();
    while out.len() < count {
        let moves = board.legal();
        if moves.is_empty() || board.plies_played() > 250 {
            board = Board::start();
            continue;
        }
        let captures: Vec<_> = moves.iter().copied().filter(|&mv| board.is_capture(mv)).collect();
        let greedy = !captures.is_empty() && rng.below(3) == 0;
        let mv = if greedy { rng.pick(&captures) } else { rng.pick(&moves) };
        board.do_move(mv, &mut ());
        out.push(board.without_history());
    }
    out
}

fn legal(board: &Board) -> String {
    let mut texts: Vec<String> =
        board.legal().iter().map(|&mv| board.move_text(mv, Notation::RanksFromOne)).collect();
    texts.sort();
    texts.join(" ")
}

/// What a script that asks pyffish answers to `input`. `None`: pyffish is not installed.
fn answered(script: &str, input: String) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts").join(script);
    let child = program(python()).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        client_skipped("pyffish", "python3 and its package pyffish");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    // A script that skips does not read what it is sent.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).is_ok());
    let output = child.wait_with_output().unwrap();
    let written = writer.join().unwrap();
    if output.status.code() == Some(NO_PYFFISH) {
        client_skipped("pyffish", "Python package pyffish");
        return None;
    }
    assert!(output.status.success() && written);
    client_ran("pyffish");
    Some(String::from_utf8(output.stdout).unwrap())
}

fn agree_on(count: usize) {
    let boards = positions(count);
    let Some(text) = answered("xiangqi_legal.py", boards.iter().map(|board| board.fen() + "\n").collect())
    else {
        return;
    };
    assert_eq!(text.lines().count(), boards.len());
    for (board, theirs) in boards.iter().zip(text.lines()) {
        assert_eq!(legal(board), theirs, "{}", board.fen());
    }
}

/// Games in the algebraic notation of pyffish, whose ranks count from 1, and the same with ranks from 0, as
/// XBoard has it.
#[test]
fn two_hundred_games_of_pyffish_are_read_back() {
    let Some(text) = answered("xiangqi_san.py", "200\n".to_owned()) else { return };
    let games: Vec<&str> = text.lines().collect();
    assert_eq!(games.len(), 200);
    for game in games {
        let [from_one, from_zero, moves] = game.split('\t').collect::<Vec<_>>()[..] else { panic!("{game}") };
        for (words, ranks) in [(from_one, Notation::RanksFromOne), (from_zero, Notation::Coordinate)] {
            let mut board = Board::start();
            assert_eq!(ranks_of(&board, words.split(' ')), ranks, "{words}");
            let read = words.split(' ').map(|word| {
                let mv = read_with(&board, word, ranks).unwrap_or_else(|why| panic!("{why} in {words}"));
                board.do_move(mv, &mut ());
                coordinates(mv, Notation::RanksFromOne)
            });
            assert_eq!(read.collect::<Vec<_>>().join(" "), moves, "{words}");
        }
    }
}

#[test]
fn pyffish_agrees_on_twenty_thousand_positions() {
    agree_on(20_000);
}

#[test]
#[ignore = "minutes"]
fn pyffish_agrees_on_a_hundred_thousand_positions() {
    agree_on(100_000);
}
