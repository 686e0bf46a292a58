//! Positions for measuring the search, from the empty board to the endgame, on three sizes.

use crate::game::Game;
use crate::go::{Position, Rules, coords};

/// Size, and the moves from the empty board.
const GAMES: &[(usize, &str)] = &[
    (9, ""),
    (9, "E5 C4 G4 E3 F3 E7 C6 D6 C5 D5 D4 C3 D7 E6 F7 B5 B6 A6"),
    (9, "D4 F6 D6 F4 E7 F7 E3 F3 E8 F8 F2 G2 E2 G3 D8 H7 E5 F5 E4 C3 C4 B3 B4 A3 D3 C2 D2 C1 E9 F9"),
    (13, "D4 K10 K4 D10 C8 F11 C11 C10 D11 E11 B10 B9 B11 E10 C6"),
    (19, "Q16 D4 Q3 D17 R5 C15 F3 C6 K4 O17 R14 Q10 C10 D12 L17"),
    (19, "R16 D16 Q4 D4 O3 F3 C10 C13 C7 P17 R17 O15 R13 K16 F17 F16 G16 E17 G17 E15 K3 J3 K4 H5 R9"),
];

/// The positions, with Chinese rules and a komi of 7.5.
pub fn positions() -> Vec<Position> {
    let play = |&(size, moves): &(usize, &str)| {
        let mut pos = Position::new(size, size, Rules::CHINESE);
        for text in moves.split_whitespace() {
            match coords::parse_vertex(pos.board(), text) {
                Some(v) if pos.check(pos.side_to_move(), v).is_ok() => pos.do_move(v, &mut ()),
                _ => unreachable!("a test plays all of them"),
            }
        }
        pos
    };
    GAMES.iter().map(play).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_moves_are_legal() {
        let lengths: Vec<_> = positions().iter().map(|p| p.moves().len()).collect();
        assert!(GAMES.iter().map(|(_, moves)| moves.split_whitespace().count()).eq(lengths));
    }
}
