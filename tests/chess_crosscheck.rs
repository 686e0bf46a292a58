//! Our chess against python-chess: legal moves, FENs, algebraic notation, checks and ends of games on
//! random positions of standard chess, Chess960 and endings. Needs Python with the module `chess`;
//! `make test` says so when it is missing.

use crate::support::{client_ran, client_skipped, program, python};
use sanqi::chess::notation::Notation;
use sanqi::chess::{Board, Color, helpmate, rules};
use sanqi::game::{AlphaBetaGame, Game, Text};
use std::collections::BTreeSet;

const POSITIONS: usize = 20_000;

fn positions() -> Option<String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts/chess_positions.py");
    let importable = program(python()).args(["-c", "import chess"]).output();
    if !importable.is_ok_and(|output| output.status.success()) {
        client_skipped("python-chess", "Python package chess");
        return None;
    }
    let output = program(python()).args([script, &POSITIONS.to_string(), "2"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn twenty_thousand_positions_agree_with_python_chess() {
    let Some(text) = positions() else { return };
    let mut board = Board::start();
    let mut compared = 0;
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[origin, variant, fen, check, end, moves, sans] = fields.as_slice() else { panic!("{line}") };
        let parsed = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        if origin == "new" {
            board = parsed.clone();
        } else {
            let mv = board.move_from_text(origin).unwrap_or_else(|error| panic!("{fen}: {error}"));
            board.do_move(mv, &mut ());
        }
        assert_eq!(board, parsed, "played and parsed");
        check_position(&board, variant, fen, check, end);
        check_moves(&board, variant, moves, sans);
        compared += 1;
    }
    assert_eq!(compared, POSITIONS);
    client_ran("python-chess");
}

fn check_position(board: &Board, variant: &str, fen: &str, check: &str, end: &str) {
    let written = if variant == "960" { board.shredder_fen() } else { board.fen() };
    assert_eq!(written, fen);
    assert_eq!(board.in_check(), check == "1", "{fen}");
    let winner = board.side().other();
    let expected = match end {
        "checkmate" => Some(rules::End::Checkmate { winner }),
        "stalemate" => Some(rules::End::Stalemate),
        "dead" => Some(rules::End::DeadPosition),
        _ => None,
    };
    match rules::end(board) {
        // We also see closed positions.
        Some(rules::End::DeadPosition) if expected.is_none() => {
            assert!(
                [Color::First, Color::Second]
                    .iter()
                    .any(|&side| helpmate::has_mating_material(board.position(), side))
            );
        }
        found => assert_eq!(found, expected, "{fen}"),
    }
}

fn check_moves(board: &Board, variant: &str, moves: &str, sans: &str) {
    let notation = if variant == "960" { Notation::Chess960 } else { Notation::Coordinate };
    let ours: BTreeSet<String> = board.legal().iter().map(|&mv| board.move_text(mv, notation)).collect();
    let theirs: BTreeSet<String> = moves.split_whitespace().map(str::to_owned).collect();
    assert_eq!(ours, theirs, "{board:?}");
    for (text, san) in moves.split_whitespace().zip(sans.split_whitespace()) {
        let mv = board.move_from_text(text).unwrap();
        assert_eq!(board.san(mv), san, "{board:?} {text}");
        assert_eq!(board.parse_san(san), Ok(mv), "{board:?}");
    }
}
