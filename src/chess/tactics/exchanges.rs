//! What captures gain by short exchanges, for all pieces of a side at once.
//! <https://www.chessprogramming.org/Static_Exchange_Evaluation>

use super::army::Army;
use crate::chess::bitboard::Bitboard;

/// The pieces of `them` whose capture by `us` gains 1, 2, 3, 5, 9 pawns or more, with a minor piece at 3, a
/// rook at 5 and a queen at 9. Looked at are captures without an answer, that one piece answers, and, where
/// two attack what one defends, the second capture.
#[inline(always)]
pub fn gains(us: &Army, them: &Army) -> [Bitboard; 5] {
    let (by, guards) = (&us.attacks, &them.attacks);
    let (by_minor, by_lesser) = (by.knights | by.bishops, by.pawns | by.knights | by.bishops);
    let minors = them.knights | them.bishops;
    let attacked = (them.pawns | them.officers()) & by.all;
    // A king does not defend what is attacked twice.
    let hanging = attacked & !(guards.all & !(guards.king & by.twice & !guards.twice));

    let outnumbered = attacked & by.twice & !hanging & !guards.twice;
    let by_officer = outnumbered & !guards.pawns;
    let by_major = by_officer & !(guards.knights | guards.bishops);
    let equals = minors & by_minor | them.rooks & by.rooks | them.queens & by.queens;
    let one = outnumbered & (them.pawns & by.pawns | equals)
        | by_officer & (them.pawns & by_minor | minors & by.rooks)
        | by_major & them.pawns & by.rooks;
    let three = by_officer & equals | by_major & minors & by.rooks;
    let five = by_major & (them.rooks & by.rooks | them.queens & by.queens);

    let nine = hanging & them.queens;
    let five = nine | five | hanging & them.rooks | them.queens & by_lesser;
    let three = five | three | hanging & minors | them.queens & by.rooks | them.rooks & by.pawns;
    let two = three | them.rooks & by_lesser | minors & by.pawns;
    [two | one | hanging, two, three, five, nine]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::chess::types::Color;

    /// What White's best capture gains.
    fn gained(board: &str) -> usize {
        let pos = Board::from_fen(&format!("{board} w - - 0 1")).unwrap();
        let [white, black] =
            [Color::First, Color::Second].map(|color| Army::new(pos.position(), color, |_, _| ()));
        let gains = gains(&white, &black);
        assert!(gains.windows(2).all(|pair| (pair[1] & !pair[0]).is_empty()), "{board}");
        gains.iter().rposition(|set| set.any()).map_or(0, |at| [1, 2, 3, 5, 9][at])
    }

    fn gains_are(cases: &[(&str, usize)]) {
        for &(board, gain) in cases {
            assert_eq!(gained(board), gain, "{board}");
        }
    }

    #[test]
    fn what_hangs_is_gained() {
        gains_are(&[
            ("7k/8/8/3q4/8/8/8/3R3K", 9),
            ("7k/8/8/3r4/8/8/8/3R3K", 5),
            ("7k/8/8/3n4/8/8/8/3R3K", 3),
            ("7k/8/8/3p4/8/8/8/3R3K", 1),
            ("8/8/4k3/3p4/8/8/8/3R3K", 0),
            ("8/8/4k3/3p4/8/4N3/8/3R3K", 1),
        ]);
    }

    #[test]
    fn lesser_pieces_gain_the_difference() {
        gains_are(&[
            ("7k/8/4p3/3q4/4P3/8/8/7K", 5),
            ("7k/8/4p3/3q4/8/4N3/8/7K", 5),
            ("7k/8/4p3/3q4/8/8/8/3R3K", 3),
            ("7k/8/4p3/3r4/4P3/8/8/7K", 3),
            ("7k/8/4p3/3r4/8/4N3/8/7K", 2),
            ("7k/8/4p3/3n4/4P3/8/8/7K", 2),
            ("7k/8/4p3/3n4/8/4N3/8/7K", 0),
        ]);
    }

    #[test]
    fn two_attackers_gain_from_one_defender() {
        gains_are(&[
            // By knight and rook, or two rooks, from a pawn, a knight, a rook.
            ("7k/8/4p3/3n4/8/4N3/8/3R3K", 1),
            ("7k/8/5n2/3n4/8/4N3/8/3R3K", 3),
            ("3r3k/8/8/3n4/8/8/3R4/3R3K", 3),
            ("7k/8/5n2/3n4/8/8/3R4/3R3K", 1),
            ("7k/8/4p3/3n4/8/8/3R4/3R3K", 0),
            ("3r3k/8/8/3p4/8/8/3R4/3R3K", 1),
        ]);
    }
}
