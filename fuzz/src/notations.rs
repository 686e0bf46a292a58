//! Positions and moves as people and programs write them: what was read is written so that it reads the same.

use sanqi::chess;
use sanqi::game::{AlphaBetaGame, Game, MoveList, Text};
use sanqi::games::game::Position;
use sanqi::games::notation::Style;
use sanqi::games::record::GameKind;
use sanqi::xiangqi::{self, notation};

/// A FEN of chess, and moves in SAN or coordinates on the lines after it.
pub fn chess(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Some((mut board, moves)) = position::<chess::Board>(&text) else { return };
    for word in moves.split_whitespace().take(60) {
        for mv in legal(&board) {
            assert_eq!(board.parse_san(&board.san(mv)), Ok(mv), "{} {}", board.fen(), board.san(mv));
        }
        let read = board.parse_san(word).ok().or_else(|| board.move_from_text(word).ok());
        let Some(mv) = read else { continue };
        assert!(legal(&board).contains(&mv), "{word} was read as {mv:?} in {}", board.fen());
        board.do_move(mv, &mut ());
    }
}

/// A FEN of xiangqi, and moves in any notation on the lines after it.
pub fn xiangqi(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Some((mut board, moves)) = position::<xiangqi::Board>(&text) else { return };
    for word in moves.split_whitespace().take(60) {
        for mv in legal(&board) {
            for written in [notation::chinese(&board, mv), notation::wxf(&board, mv)] {
                let read = notation::read_any(&board, &written);
                assert_eq!(read, Ok(mv), "{} {written}", board.fen());
            }
        }
        let Ok(mv) = notation::read_any(&board, word) else { continue };
        assert!(legal(&board).contains(&mv), "{word} was read as {mv} in {}", board.fen());
        board.do_move(mv, &mut ());
    }
}

/// Moves of Go, one a word.
pub fn go(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(mut position) = Position::at(&GameKind::GO.into()) else { return };
    for word in text.split_whitespace().take(200) {
        let Ok(mv) = position.read(word) else { continue };
        assert_eq!(position.read(&mv).as_ref(), Ok(&mv), "{word}");
        position.write(&mv, Style::default());
        position.play(&mv).expect("a move that was read is legal");
    }
}

fn legal<G: AlphaBetaGame>(board: &G) -> MoveList<G::Move> {
    board.legal()
}

/// The position of the first line, and the other lines. What is derived from the FEN of every position after
/// a move equals what the move led to.
fn position<G: AlphaBetaGame + Text>(text: &str) -> Option<(G, &str)> {
    let (fen, moves) = text.split_once('\n').unwrap_or((text, ""));
    let mut board = G::from_fen(fen).ok()?;
    let written = board.fen();
    let again = G::from_fen(&written).unwrap_or_else(|e| panic!("{fen:?} was read, {written:?} is not: {e}"));
    assert_eq!((again.fen(), again.key()), (written.clone(), board.key()), "{fen:?}");
    for mv in legal(&board) {
        let text = board.move_text(mv, G::Notation::default());
        assert_eq!(board.parse_move(&text, G::Notation::default()), Ok(mv), "{written} {text}");
        board.do_move(mv, &mut ());
        let after = board.fen();
        let fresh = G::from_fen(&after).unwrap_or_else(|e| panic!("{written} {text} leads to {after}: {e}"));
        assert_eq!(fresh.key(), board.key(), "{written} {text}");
        board.undo_move();
        assert_eq!((board.fen(), board.key()), (written.clone(), again.key()), "{text}");
    }
    board.diagram();
    Some((board, moves))
}
