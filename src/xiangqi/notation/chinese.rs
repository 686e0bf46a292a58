//! Chinese notation: `炮二平五`, `马８进７`, `前车退一`, `一兵平四`. Of soldiers on two files `前兵三平二` and `前三平二` are read
//! besides, as boards of DhtmlXQ write them.

use super::MoveError;
use super::find::piece_name;
use super::relative::{Relative, Way, Which};
use crate::game::{Game, Side};
use crate::xiangqi::Board;
use crate::xiangqi::types::{Kind, Move};

const RED_NUMBERS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const BLACK_NUMBERS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// The kind that a character names, simplified or not.
pub fn kind_of(name: char) -> Option<Kind> {
    Some(match name {
        '帅' | '帥' | '将' | '將' => Kind::General,
        '仕' | '士' => Kind::Advisor,
        '相' | '象' => Kind::Elephant,
        '马' | '馬' | '傌' => Kind::Horse,
        '车' | '車' | '俥' => Kind::Chariot,
        '炮' | '砲' | '包' => Kind::Cannon,
        '兵' | '卒' => Kind::Soldier,
        _ => return None,
    })
}

fn number_of(digit: char) -> Option<u8> {
    let at = |digits: &[char; 9]| digits.iter().position(|&other| other == digit);
    let index = at(&RED_NUMBERS).or_else(|| at(&BLACK_NUMBERS));
    index
        .map(|index| (index as u8).saturating_add(1))
        .or_else(|| digit.to_digit(10).filter(|&n| n > 0).map(|n| n as u8))
}

/// A legal move in Chinese notation, Red's numbers in characters, Black's in full-width digits.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "files and places are from 1 to 9"
)]
pub fn chinese(board: &Board, mv: Move) -> String {
    let relative = Relative::of(board, mv);
    let side = board.side_to_move();
    let number = |n: u8| match side {
        Side::First => RED_NUMBERS[usize::from(n) - 1],
        Side::Second => BLACK_NUMBERS[usize::from(n) - 1],
    };
    let piece = piece_name(side, relative.kind);
    let (first, second) = match relative.which {
        Which::File(file) => (piece, number(file)),
        Which::Front => ('前', piece),
        Which::Middle => ('中', piece),
        Which::Back => ('后', piece),
        Which::Ordinal(place) => (RED_NUMBERS[usize::from(place) - 1], piece),
    };
    let way = match relative.way {
        Way::Forward => '进',
        Way::Back => '退',
        Way::Sideways => '平',
    };
    [first, second, way, number(relative.number)].iter().collect()
}

/// Finds the legal move that `text` names; old and new characters, and digits of any width.
/// # Errors
/// [`MoveError`] is the reason that there is none.
pub fn read_chinese(board: &Board, text: &str) -> Result<Move, MoveError> {
    let relative = parse(text).ok_or_else(|| MoveError::Malformed(text.to_owned()))?;
    relative.find(board, text)
}

fn parse(text: &str) -> Option<Relative> {
    let chars: Vec<char> = text.chars().collect();
    let (kind, which, file, way, last) = match chars[..] {
        [first, second, way, last] => match (kind_of(first), kind_of(second)) {
            (Some(kind), _) => (kind, Which::File(number_of(second)?), None, way, last),
            (None, Some(kind)) => (kind, place(first)?, None, way, last),
            (None, None) => (Kind::Soldier, place(first)?, Some(number_of(second)?), way, last),
        },
        [first, second, file, way, last] => {
            (kind_of(second)?, place(first)?, Some(number_of(file)?), way, last)
        }
        _ => return None,
    };
    let way = match way {
        '进' | '進' => Way::Forward,
        '退' => Way::Back,
        '平' => Way::Sideways,
        _ => return None,
    };
    Some(Relative { kind, which, file, way, number: number_of(last)? })
}

fn place(word: char) -> Option<Which> {
    Some(match word {
        '前' => Which::Front,
        '中' => Which::Middle,
        '后' | '後' => Which::Back,
        other => Which::Ordinal(number_of(other)?),
    })
}
