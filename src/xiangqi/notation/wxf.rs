//! WXF notation: `C2=5`, `H8+7`, `R+-1` (the front chariot retreats), `Pa+1` (the first of many soldiers).
//! `13=2`, the first soldier on file 3 as Fairy-Stockfish writes it, is read besides.

use super::MoveError;
use super::relative::{Relative, Way, Which};
use crate::xiangqi::Board;
use crate::xiangqi::types::{Kind, Move};

const fn letter(kind: Kind) -> char {
    match kind {
        Kind::Elephant => 'E',
        Kind::Horse => 'H',
        _ => kind.letter(),
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "files and places are from 1 to 9")]
pub fn wxf(board: &Board, mv: Move) -> String {
    let relative = Relative::of(board, mv);
    let which = match relative.which {
        Which::File(file) => (b'0' + file) as char,
        Which::Front => '+',
        Which::Middle => '.',
        Which::Back => '-',
        Which::Ordinal(place) => (b'a' + place - 1) as char,
    };
    let way = match relative.way {
        Way::Forward => '+',
        Way::Back => '-',
        Way::Sideways => '=',
    };
    [letter(relative.kind), which, way, (b'0' + relative.number) as char].iter().collect()
}

/// Finds the legal move that `text` names; either case, `.` or `=` for sideways, the sign before the letter
/// or behind it (`+C=5`).
/// # Errors
/// [`MoveError`] is the reason that there is none.
pub fn read_wxf(board: &Board, text: &str) -> Result<Move, MoveError> {
    let relative = parse(text).ok_or_else(|| MoveError::Malformed(text.to_owned()))?;
    relative.find(board, text)
}

fn parse(text: &str) -> Option<Relative> {
    let chars: Vec<char> = text.chars().collect();
    let [first, second, way, last] = chars[..] else { return None };
    let (kind, which, file) = match (Kind::from_letter(first), Kind::from_letter(second)) {
        (Some(kind), _) => (kind, place(second)?, None),
        (None, Some(kind)) => (kind, place(first)?, None),
        (None, None) => (Kind::Soldier, Which::Ordinal(digit(first)?), Some(digit(second)?)),
    };
    let way = match way {
        '+' => Way::Forward,
        '-' => Way::Back,
        '=' | '.' => Way::Sideways,
        _ => return None,
    };
    Some(Relative { kind, which, file, way, number: digit(last)? })
}

#[allow(clippy::arithmetic_side_effects, reason = "a letter from a to e")]
fn place(word: char) -> Option<Which> {
    Some(match word {
        '+' => Which::Front,
        '.' | '=' => Which::Middle,
        '-' => Which::Back,
        'a'..='e' => Which::Ordinal(word as u8 - b'a' + 1),
        other => Which::File(digit(other)?),
    })
}

fn digit(word: char) -> Option<u8> {
    word.to_digit(10).filter(|&n| n > 0).map(|n| n as u8)
}
