//! Coordinates: ICCS (`h2e2`, `H2-E2`, ranks 0 to 9) and ranks from one (`h3e3`, `b10c8`).

use super::MoveError;
use super::Notation;
use super::find::find;
use crate::xiangqi::Board;
use crate::xiangqi::types::{Move, Square};

/// The move in coordinates; ranks are counted as in the [`Notation`].
pub fn coordinates(mv: Move, notation: Notation) -> String {
    match (notation, mv.ends()) {
        (Notation::RanksFromOne, Some((from, to))) => format!("{}{}", from_one(from), from_one(to)),
        _ => mv.to_string(),
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "a point of the board")]
fn from_one(sq: Square) -> String {
    format!("{}{}", (b'a' + sq.file() as u8) as char, sq.rank() + 1)
}

/// Finds the legal move that `text` names by its coordinates.
/// # Errors
/// [`MoveError`] is the reason that there is none.
pub fn read(board: &Board, text: &str, notation: Notation) -> Result<Move, MoveError> {
    let mv = parse(text, notation).ok_or_else(|| MoveError::Malformed(text.to_owned()))?;
    if board.is_pseudo_legal(mv) && board.is_legal(mv) {
        Ok(mv)
    } else {
        find(board, text, None, |other| other == mv)
    }
}

fn parse(text: &str, notation: Notation) -> Option<Move> {
    // "E9i7" is an elephant's move in algebraic notation.
    if text.contains(|c: char| c.is_ascii_uppercase()) && text.contains(|c: char| c.is_ascii_lowercase()) {
        return None;
    }
    let (from, rest) = point(text, notation)?;
    let (to, rest) = point(rest.strip_prefix('-').unwrap_or(rest), notation)?;
    rest.is_empty().then(|| Move::new(from, to))
}

/// Reads a point at the start of `text`, and returns what follows it.
pub(super) fn point(text: &str, notation: Notation) -> Option<(Square, &str)> {
    let (letter, digits) = text.split_at_checked(1)?;
    let letter = letter.bytes().next()?.to_ascii_lowercase();
    let file = (b'a'..=b'i').position(|file| file == letter)?;
    let (rank, rest) = rank(digits, notation)?;
    Some((Square::at(file, rank)?, rest))
}

/// Reads a rank at the start of `text`, and returns what follows it.
pub(super) fn rank(text: &str, notation: Notation) -> Option<(usize, &str)> {
    let length = match notation {
        Notation::RanksFromOne if text.starts_with("10") => 2,
        _ => 1,
    };
    let (digits, rest) = text.split_at_checked(length)?;
    let rank: usize = digits.parse().ok()?;
    Some((if notation == Notation::RanksFromOne { rank.checked_sub(1)? } else { rank }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn coordinates_read_back() {
        let board = Board::start();
        for mv in board.legal() {
            for notation in [Notation::Coordinate, Notation::RanksFromOne] {
                let text = coordinates(mv, notation);
                assert_eq!(read(&board, &text, notation), Ok(mv), "{text}");
            }
        }
    }

    #[test]
    fn both_ways_to_count_ranks() {
        let mut board = Board::start();
        let cannon = read(&board, "h2e2", Notation::Coordinate).unwrap();
        assert_eq!(read(&board, "H2-E2", Notation::Coordinate), Ok(cannon));
        assert_eq!(read(&board, "h3e3", Notation::RanksFromOne), Ok(cannon));
        board.do_move(cannon, &mut ());
        let horse = read(&board, "b10c8", Notation::RanksFromOne).unwrap();
        assert_eq!(coordinates(horse, Notation::RanksFromOne), "b10c8");
        assert_eq!(coordinates(horse, Notation::Coordinate), "b9c7");
    }

    #[test]
    fn bad_text_is_refused_by_name() {
        let board = Board::start();
        for text in ["", "h", "h2", "h2e", "h2e2q", "j2e2", "h2-", "äöü", "h2é2", "0000", "h2e10"] {
            assert_eq!(
                read(&board, text, Notation::Coordinate),
                Err(MoveError::Malformed(text.into())),
                "{text}"
            );
        }
        assert!(read(&board, "h2h9", Notation::Coordinate).is_ok());
        assert!(matches!(read(&board, "h2h8", Notation::Coordinate), Err(MoveError::Impossible(..))));
        assert!(matches!(read(&board, "h10h9", Notation::RanksFromOne), Err(MoveError::Impossible(..))));
        let pinned = Board::from_fen("4k4/4r4/9/9/9/9/9/4N4/9/4K4 w").unwrap();
        assert!(matches!(read(&pinned, "e2c3", Notation::Coordinate), Err(MoveError::Exposes(_))));
    }
}
