//! How many moves without a capture or a pawn move a draw may be claimed after (CH-9): fifty, unless the
//! organizer has announced more before the event, for all endings or for some.

use super::draws::RULE_PLIES;
use super::position::Position;
use super::types::{Color, Kind};
use crate::errors;
use std::str::FromStr;

/// Written `100` for all positions, or `100:KRBKR,KNNKP` for endings with these pieces, whichever side has
/// which, and fifty for all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FiftyMoves {
    moves: u16,
    /// The pieces of each ending, each way round; 0: no more endings.
    endings: [u32; 2 * MAX_ENDINGS],
}

const MAX_ENDINGS: usize = 8;
const MAX_MOVES: u16 = 10_000;
/// Without the kings, in the order of their bits.
const KINDS: [(char, Kind); 5] =
    [('P', Kind::Pawn), ('N', Kind::Knight), ('B', Kind::Bishop), ('R', Kind::Rook), ('Q', Kind::Queen)];
/// A count of pieces, of which no side has more than seven in an ending.
const BITS: u32 = 3;
const SIDE_BITS: u32 = BITS * KINDS.len() as u32;

errors! {
    /// Why a text is no such rule.
    pub enum FiftyMovesError {
        NoNumber = "the moves are a number from 50 to 10000, as in 75 or 100:KRBKR,KNNKP" | "步数应为 50 至 10000，例如 75 或 100:KRBKR,KNNKP",
        NoEnding(text: String) = "{text:?} is no ending: its pieces are written as in KRBKR" | "“{text}”不是残局：棋子写法如 KRBKR",
        TooMany = "at most 8 endings can be named" | "最多可写 8 种残局",
    }
}

impl Default for FiftyMoves {
    fn default() -> Self {
        Self { moves: RULE_PLIES / 2, endings: [0; 2 * MAX_ENDINGS] }
    }
}

impl FiftyMoves {
    /// The plies after which the draw may be claimed here.
    pub fn plies(&self, pos: &Position) -> u16 {
        let is_announced =
            self.endings[0] == 0 || pieces_of(pos).is_some_and(|pieces| self.endings.contains(&pieces));
        if is_announced { 2 * self.moves } else { RULE_PLIES }
    }
}

/// The pieces of a position. `None`: bare kings, or more of a kind than an ending has.
fn pieces_of(pos: &Position) -> Option<u32> {
    let count = |color: Color| {
        KINDS.iter().rev().try_fold(0, |sum, &(_, kind)| {
            let count = pos.pieces(color, kind).count();
            (count < 1 << BITS).then_some(sum << BITS | count)
        })
    };
    let pieces = count(Color::First)? << SIDE_BITS | count(Color::Second)?;
    (pieces > 0).then_some(pieces)
}

impl FromStr for FiftyMoves {
    type Err = FiftyMovesError;

    fn from_str(text: &str) -> Result<Self, FiftyMovesError> {
        let (moves, endings) = text.split_once(':').unwrap_or((text, ""));
        let moves: u16 = moves.trim().parse().map_err(|_| FiftyMovesError::NoNumber)?;
        if !(RULE_PLIES / 2..=MAX_MOVES).contains(&moves) {
            return Err(FiftyMovesError::NoNumber);
        }
        let mut found = Self { moves, ..Self::default() };
        let names = endings.split(',').map(str::trim).filter(|name| !name.is_empty());
        for (number, name) in names.enumerate() {
            let [first, second] = ending(name).ok_or_else(|| FiftyMovesError::NoEnding(name.to_owned()))?;
            let slots = found.endings.get_mut(2 * number..).and_then(|rest| rest.first_chunk_mut());
            *slots.ok_or(FiftyMovesError::TooMany)? =
                [first << SIDE_BITS | second, second << SIDE_BITS | first];
        }
        Ok(found)
    }
}

/// The pieces of both sides of an ending such as `KRBKR`.
fn ending(name: &str) -> Option<[u32; 2]> {
    let name = name.to_ascii_uppercase();
    let (first, second) = name.strip_prefix('K')?.split_once('K')?;
    let side = |letters: &str| {
        letters.chars().try_fold(0, |sum: u32, letter| {
            let at = BITS * KINDS.iter().position(|(known, _)| *known == letter)? as u32;
            ((sum >> at) & ((1 << BITS) - 1) < (1 << BITS) - 1).then_some(sum + (1 << at))
        })
    };
    let sides = [side(first)?, side(second)?];
    (sides != [0, 0]).then_some(sides)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;

    fn plies(rule: &str, fen: &str) -> u16 {
        rule.parse::<FiftyMoves>().unwrap().plies(Board::from_fen(fen).unwrap().position())
    }

    #[test]
    fn more_moves_can_be_announced_for_some_endings() {
        let (rook, rook_and_bishop) = ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "3rk3/8/8/8/8/8/8/R3KB2 w - - 0 1");
        assert_eq!(plies("50", rook), 100);
        assert_eq!((plies("75", rook), plies("75", rook_and_bishop)), (150, 150));
        let some = "100:KNNKP, krbkr";
        assert_eq!((plies(some, rook), plies(some, rook_and_bishop)), (100, 200));
        // Either side may have more.
        assert_eq!(plies(some, "3rk1b1/8/8/8/8/8/8/R3K3 w - - 0 1"), 200);
        assert_eq!(plies(some, "3rk1b1/8/8/8/8/8/P7/R3K3 w - - 0 1"), 100);
        assert_eq!(plies(some, crate::chess::START_FEN), 100);
    }

    #[test]
    fn what_is_no_such_rule_is_refused() {
        for (text, why) in [
            ("", "number"),
            ("49", "number"),
            ("10001", "number"),
            ("x:KRK", "number"),
            ("100:KRBR", "KRBR"),
            ("100:KK", "KK"),
            ("100:KRXKR", "KRXKR"),
            ("100:KPPPPPPPPK", "KPPPPPPPPK"),
            ("100:KRK,KRK,KRK,KRK,KRK,KRK,KRK,KRK,KRK", "8"),
        ] {
            assert!(text.parse::<FiftyMoves>().unwrap_err().to_string().contains(why), "{text}");
        }
    }
}
