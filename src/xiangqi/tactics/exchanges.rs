//! What captures gain by short exchanges, for all pieces of a side at once.
//! <https://www.chessprogramming.org/Static_Exchange_Evaluation>

use super::army::Army;
use crate::xiangqi::bitboard::Bitboard;

/// The pieces of `them` whose capture by `us` gains 1, 2, 4, 5, 9 soldiers or more, with an advisor or
/// elephant at 2, a horse or cannon at 4.5 and a chariot at 9.5. Looked at are captures without an answer,
/// that one piece answers, and, where two attack what one defends, the second capture.
#[inline(always)]
pub fn gains(us: &Army, them: &Army) -> [Bitboard; 5] {
    let (by, guarded) = (&us.attacks, &them.attacks);
    let by_middle = by.horses | by.cannons;
    let by_small = by.soldiers | by.guards;
    let middle = them.horses | them.cannons;
    let attacked = them.subjects() & by.all;
    // A general does not defend what is attacked twice.
    let defended = guarded.all.without(guarded.general & by.twice.without(guarded.twice));
    let hanging = attacked.without(defended);

    let outnumbered = (attacked & by.twice & defended).without(guarded.twice);
    let by_more = outnumbered.without(guarded.soldiers);
    let by_officer = by_more.without(guarded.guards);
    let by_chariot = by_officer.without(guarded.horses | guarded.cannons);
    let equals = middle & by_middle | them.chariots & by.chariots | them.soldiers & by.soldiers;
    let lesser = them.chariots & (by_small | by_middle);

    let nine = hanging & them.chariots | by_chariot & equals;
    let five = nine | lesser | by_chariot & (them.soldiers | them.guards) & (by_small | by_middle);
    let four = five | hanging & middle | by_officer & equals | by_chariot & middle & by.chariots;
    let two = four
        | hanging & them.guards
        | middle & by_small
        | by_more & equals
        | by_officer & them.guards & by_middle
        | by_chariot & them.guards;
    let one = two
        | hanging
        | outnumbered & equals
        | them.guards & by.soldiers
        | by_officer & them.soldiers & by_middle
        | by_chariot & them.soldiers;
    [one, two, four, five, nine]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::xiangqi::Board;
    use crate::xiangqi::tactics::PiecePlacement;

    /// What Red's best capture gains.
    fn gained(board: &str) -> usize {
        let pieces = PiecePlacement::from(&Board::from_fen(&format!("{board} w")).unwrap());
        let [red, black] = [Side::First, Side::Second].map(|side| Army::new(&pieces, side));
        let gains = gains(&red, &black);
        assert!(gains.windows(2).all(|pair| pair[1].without(pair[0]).is_empty()), "{board}");
        gains.iter().rposition(|set| !set.is_empty()).map_or(0, |at| [1, 2, 4, 5, 9][at])
    }

    fn gains_are(cases: &[(&str, usize)]) {
        for &(board, gain) in cases {
            assert_eq!(gained(board), gain, "{board}");
        }
    }

    #[test]
    fn what_hangs_is_gained() {
        gains_are(&[
            ("5k3/9/9/9/3r5/9/9/9/9/3RK4", 9),
            ("5k3/9/9/9/3n5/9/9/9/9/3RK4", 4),
            ("5k3/9/9/9/2b6/9/9/9/9/2R1K4", 2),
            ("5k3/9/9/9/3p5/9/9/9/9/3RK4", 1),
            // Over a screen, and not without one.
            ("5k3/9/9/9/3r5/9/3P5/9/9/3CK4", 9),
            ("5k3/9/9/9/3r5/9/9/9/9/3CK4", 0),
            // The general defends what is attacked once.
            ("3k5/3n5/9/9/9/9/9/9/9/3RK4", 0),
            ("3k5/3n5/9/9/9/9/9/9/3R5/3RK4", 4),
        ]);
    }

    #[test]
    fn lesser_pieces_gain_the_difference() {
        gains_are(&[
            ("5k3/9/9/3p5/3r5/3P5/9/9/9/4K4", 5),
            ("5k3/9/9/3p5/3r5/9/2N6/9/9/4K4", 5),
            ("5k3/9/9/3p5/3n5/3P5/9/9/9/4K4", 2),
            ("5k3/9/9/3p5/3n5/9/9/9/9/3RK4", 0),
        ]);
    }

    #[test]
    fn two_attackers_gain_from_one_defender() {
        gains_are(&[
            // Two chariots from a chariot, an elephant.
            ("3r1k3/9/9/9/3n5/9/9/9/3R5/3RK4", 4),
            ("3r1k3/9/9/9/3p5/9/9/9/3R5/3RK4", 1),
            ("5k3/9/4b4/9/6n2/9/9/9/6R2/4K1R2", 0),
            // A horse and a chariot from a horse, a soldier.
            ("5k3/9/2n6/9/3n5/9/2N6/9/9/3RK4", 4),
            ("5k3/9/9/3p5/3n5/9/2N6/9/9/3RK4", 1),
        ]);
    }
}
