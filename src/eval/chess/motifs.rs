//! What one side has against the other: at most 64 motifs, each of which a net gives an input.
//! <https://www.chessprogramming.org/Tactics>

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::magic;
use crate::chess::tactics::{Army, KingLines, gains};
use crate::chess::types::Color;
use crate::eval::motifs::{Found, families};

// The order decides which input of a net a motif has: the shipped net knows this one.
families! {
    /// A safe check by a queen, rook, bishop, knight. Safe is a square that the enemy does not guard, or with
    /// his king one against two.
    SAFE_CHECK[4];
    /// Any check by them, safe or not, even from squares of own pieces.
    CHECK[4];
    /// 2, 4 or more squares of safe checks.
    SAFE_CHECK_SQUARES[2];
    /// A queen's safe move to a square beside the king that another piece guards; a safe check of a king that
    /// cannot move.
    MATE_NET[2];
    /// 1, 2, 3, 4, 5 or more squares beside the king are attacked and defended by nothing else.
    HOLES[5];
    /// A pawn, knight, bishop, rook, queen attacks squares beside the king.
    RING[5];
    /// 1, 2, 3 or more enemy pieces are attacked by lesser ones, or not defended.
    ENDANGERED[3];
    /// A knight, a slider with support, can safely go where it attacks the queen.
    QUEEN_HUNT[2];
    /// A knight can safely go where it attacks two of king, queen and rooks.
    FORK[1];
    /// A pawn's move safely attacks 1, 2 or more officers.
    PUSH[2];
    /// A pawn can promote safely, can promote, and will be able to in two moves if the enemy waits.
    PROMOTION[3];
    /// Officers attack 6, 12, …, 42 or more squares that hold no own piece and no enemy pawn attacks, each
    /// counted.
    MOBILITY[7];
    /// About passed pawns: a rook or queen stands on their files; the enemy king stands before one, guards
    /// the square before one; the own king does; an enemy rook stands behind one; nothing stops any of them,
    /// now that all stay.
    PASSED[6];
    /// A piece stands between an own slider and the enemy king.
    DISCOVERY[1];
    /// The best capture gains 1, 2, 3 or 4, 5 to 8, 9 pawns or more, [by short exchanges](gains).
    GAIN[5];
    /// The gain of the second-best capture, of another piece.
    GAIN_TWICE[5];
    /// A queen attacks a queen, a rook a rook, a minor piece a minor piece.
    TRADE[3];
    /// A pawn can promote by a capture.
    PROMOTING_CAPTURE[1];
    /// An own piece stands between an own slider and the queen.
    QUEEN_DISCOVERY[1];
    /// Any capture by an officer gives check.
    CHECKING_CAPTURE[1];
}

/// Maximum number of motifs of a side: of each kind of gain, one.
pub const MAX_MOTIFS: usize = MOTIFS - 2 * 4;

#[inline(always)]
pub(super) const fn has_safe_check(motifs: u64) -> bool {
    motifs >> SAFE_CHECK.first & 15 != 0
}

/// The motifs of `us`, whose officers attack `mobility` squares in all; `lines` lead to the king of `them`.
#[inline(always)]
pub(super) fn of(us: &Army, them: &Army, lines: &KingLines, mobility: u32) -> u64 {
    let occupied = us.all | them.all;
    let mut found = Found::default();
    let guarded = them.attacks.all & !(them.attacks.king & us.attacks.twice & !them.attacks.twice);
    let safe = !us.all & !guarded;
    against_king(us, them, lines, safe, &mut found);
    against_pieces(us, them, safe, occupied, &mut found);
    passed_pawns(us, them, occupied, &mut found);
    found.note_count(MOBILITY, mobility / 6);
    found.0
}

#[inline(always)]
fn against_king(us: &Army, them: &Army, lines: &KingLines, safe: Bitboard, found: &mut Found) {
    let checks = [
        (lines.rook | lines.bishop) & us.attacks.queens,
        lines.rook & us.attacks.rooks,
        lines.bishop & us.attacks.bishops,
        attacks::knights(them.king) & us.attacks.knights,
    ];
    found.note(CHECK, checks.map(Bitboard::any));
    found.note(CHECKING_CAPTURE, [checks.into_iter().any(|squares| squares.meets(them.all))]);
    let safe_checks = checks.map(|squares| squares & safe);
    found.note(SAFE_CHECK, safe_checks.map(Bitboard::any));
    let safe_squares = safe_checks.into_iter().fold(Bitboard::default(), |all, squares| all | squares);
    found.note(SAFE_CHECK_SQUARES, [2, 4].map(|count| safe_squares.count() >= count));

    let ring = them.attacks.king;
    let holes = ring & us.attacks.all & !them.attacks.twice;
    let contact = holes & us.attacks.queens & us.attacks.twice & !us.all;
    let stuck = (ring & !them.all & !us.attacks.all).is_empty();
    found.note(MATE_NET, [contact.any(), stuck && safe_squares.any()]);
    found.note_count(HOLES, holes.count());
    let by = &us.attacks;
    found.note(RING, [by.pawns, by.knights, by.bishops, by.rooks, by.queens].map(|set| set.meets(ring)));
    found.note(DISCOVERY, [lines.blockers.meets(us.all)]);
}

#[inline(always)]
fn against_pieces(us: &Army, them: &Army, safe: Bitboard, occupied: Bitboard, found: &mut Found) {
    let officers = them.officers();
    let hanging = (officers | them.pawns) & us.attacks.all & !them.attacks.all;
    found.note_count(ENDANGERED, (them.attacked_by_lesser(us) | hanging).count());

    let gains = gains(us, them);
    found.note_last(GAIN, gains.map(Bitboard::any));
    found.note_last(GAIN_TWICE, gains.map(Bitboard::many));
    let (by, minors) = (&us.attacks, them.knights | them.bishops);
    let trades = [by.queens & them.queens, by.rooks & them.rooks, (by.knights | by.bishops) & minors];
    found.note(TRADE, trades.map(Bitboard::any));

    let leaps = us.attacks.knights & safe;
    let slides = us.attacks.twice & !us.all & !(them.attacks.all & !them.attacks.queens);
    for queen in them.queens {
        let (rook, bishop) = (magic::rook(queen, occupied), magic::bishop(queen, occupied));
        let supported = rook & us.attacks.rooks | bishop & us.attacks.bishops;
        found.note(QUEEN_HUNT, [attacks::knight(queen).meets(leaps), supported.meets(slides)]);
        let screens = attacks::screens(queen, us.rooks & !rook, us.bishops & !bishop, occupied);
        found.note(QUEEN_DISCOVERY, [screens.meets(us.all)]);
    }
    let (mut once, mut twice) = (Bitboard::default(), Bitboard::default());
    for square in them.king | them.queens | them.rooks {
        twice |= once & attacks::knight(square);
        once |= attacks::knight(square);
    }
    found.note(FORK, [leaps.meets(twice)]);

    let step = us.pawns.forward(us.color) & !occupied;
    let steps = step | (step & Bitboard::relative_rank(us.color, 2)).forward(us.color) & !occupied;
    let steps = steps & !them.attacks.pawns & (us.attacks.all | !them.attacks.all);
    let hit = attacks::pawns(us.color, steps) & officers;
    found.note(PUSH, [hit.any(), hit.many()]);
}

#[inline(always)]
fn passed_pawns(us: &Army, them: &Army, occupied: Bitboard, found: &mut Found) {
    let color: Color = us.color;
    let last_but_one = us.pawns & Bitboard::relative_rank(color, 6);
    found.note(PROMOTING_CAPTURE, [attacks::pawns(color, last_but_one).meets(them.officers())]);
    let seventh = last_but_one.forward(color) & !occupied;
    let sixth = (us.pawns & Bitboard::relative_rank(color, 5)).forward(color) & !occupied & !them.attacks.all;
    found.note(
        PROMOTION,
        [(seventh & !them.attacks.all).any(), seventh.any(), (sixth.forward(color) & !occupied).any()],
    );

    let (stops, ways) = (us.passed.forward(color), us.passed.front_fill(color));
    let behind = us.passed.front_fill(color.other());
    found.note(
        PASSED,
        [
            ways.meets(us.rooks | us.queens) || behind.meets(us.rooks),
            stops.meets(them.king),
            stops.meets(them.attacks.king),
            stops.meets(us.attacks.king),
            behind.meets(them.rooks),
            ways.any() && !ways.meets(them.attacks.all | occupied),
        ],
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::eval::chess::threats;
    use crate::game::Side;

    /// White's motifs but the mobility.
    fn motifs(board: &str) -> Vec<usize> {
        let pos = Board::from_fen(&format!("{board} w - - 0 1")).unwrap();
        let threats = threats::of(pos.position());
        threats.motifs(Side::First).filter(|&motif| family(motif).0 != "MOBILITY").collect()
    }

    fn family(motif: usize) -> (&'static str, usize) {
        let mut place = motif;
        for &(name, size) in FAMILIES {
            if place < size {
                return (name, place);
            }
            place -= size;
        }
        panic!("no motif {motif}");
    }

    #[test]
    fn families_have_the_numbers_that_the_shipped_net_knows() {
        let mut first = 0;
        let numbered = FAMILIES.iter().map(|&(name, size)| {
            first += size;
            (first - size, name)
        });
        let expected = [
            (0, "SAFE_CHECK"),
            (4, "CHECK"),
            (8, "SAFE_CHECK_SQUARES"),
            (10, "MATE_NET"),
            (12, "HOLES"),
            (17, "RING"),
            (22, "ENDANGERED"),
            (25, "QUEEN_HUNT"),
            (27, "FORK"),
            (28, "PUSH"),
            (30, "PROMOTION"),
            (33, "MOBILITY"),
            (40, "PASSED"),
            (46, "DISCOVERY"),
            (47, "GAIN"),
            (52, "GAIN_TWICE"),
            (57, "TRADE"),
            (60, "PROMOTING_CAPTURE"),
            (61, "QUEEN_DISCOVERY"),
            (62, "CHECKING_CAPTURE"),
        ];
        assert_eq!(numbered.collect::<Vec<_>>(), expected);
        assert_eq!(MOTIFS, 63);
        assert_eq!(family(PASSED.first + 5), ("PASSED", 5));
    }

    #[test]
    fn checks_are_safe_on_unguarded_points() {
        assert_eq!(
            motifs("4k3/8/8/8/8/8/8/R5K1"),
            [SAFE_CHECK.first + 1, CHECK.first + 1, SAFE_CHECK_SQUARES.first]
        );
        assert_eq!(motifs("4k3/1b2q3/8/8/8/8/8/R5K1"), [CHECK.first + 1]);
        assert_eq!(
            motifs("4k3/8/8/1N6/8/8/8/6K1"),
            [SAFE_CHECK.first + 3, CHECK.first + 3, SAFE_CHECK_SQUARES.first]
        );
    }

    #[test]
    fn supported_queens_beside_a_stuck_king_make_a_mate_net() {
        let found = motifs("6k1/5p1p/6pQ/8/8/8/1B6/6K1");
        assert!(found.contains(&MATE_NET.first) && found.contains(&HOLES.first), "{found:?}");
        let found = motifs("6rk/6pp/8/4N3/8/8/8/6K1");
        assert_eq!(found, [SAFE_CHECK.first + 3, CHECK.first + 3, MATE_NET.first + 1]);
    }

    #[test]
    fn forks_and_hunts_are_seen_a_move_ahead() {
        let found = motifs("r3k3/8/8/3N4/8/8/8/6K1");
        assert!(found.contains(&FORK.first), "{found:?}");
        let found = motifs("4k3/8/8/8/8/1q6/8/3N2K1");
        assert!(!found.contains(&FORK.first), "{found:?}");
        let found = motifs("4k3/8/8/8/q7/8/4N3/6K1");
        assert!(found.contains(&QUEEN_HUNT.first), "{found:?}");
        assert_eq!(motifs("4k3/8/2n1n3/8/3P4/8/8/6K1"), [PUSH.first, PUSH.first + 1]);
    }

    #[test]
    fn pawns_promote_or_wait_for_it() {
        assert_eq!(motifs("8/P7/8/8/4k3/8/8/6K1"), [PROMOTION.first, PROMOTION.first + 1, PASSED.first + 5]);
        assert_eq!(
            motifs("8/Pk6/8/8/8/8/8/6K1"),
            [HOLES.first, RING.first, PROMOTION.first + 1, PASSED.first + 2]
        );
        assert_eq!(motifs("8/8/P7/8/4k3/8/8/6K1"), [PROMOTION.first + 2, PASSED.first + 5]);
        assert_eq!(motifs("8/1k6/8/8/P7/8/8/R5K1"), [SAFE_CHECK.first + 1, CHECK.first + 1, PASSED.first]);
        assert_eq!(
            motifs("8/8/k7/8/PK6/8/8/r7"),
            [HOLES.first, HOLES.first + 1, RING.first, PASSED.first + 2, PASSED.first + 3, PASSED.first + 4]
        );
        assert_eq!(motifs("8/8/8/k7/P7/8/2K5/8"), [HOLES.first, RING.first, PASSED.first + 1]);
    }

    #[test]
    fn captures_gain_trade_promote_and_check() {
        // The rook hangs, and defends the knight.
        let found = motifs("4k3/8/8/3r1n2/4P3/8/8/6K1");
        assert!(found.contains(&(GAIN.first + 3)) && found.contains(&(GAIN_TWICE.first + 1)), "{found:?}");
        assert!(!found.contains(&(GAIN.first + 4)) && !found.contains(&(GAIN_TWICE.first + 2)), "{found:?}");
        for (board, motif) in [
            ("1n2k3/P7/8/8/8/8/8/6K1", PROMOTING_CAPTURE.first),
            ("3qk3/8/8/3N4/8/8/8/3R2K1", QUEEN_DISCOVERY.first),
            ("r3k3/8/8/8/8/8/8/R5K1", CHECKING_CAPTURE.first),
            ("q3k3/1p6/8/8/8/8/8/Q5K1", TRADE.first),
        ] {
            assert!(motifs(board).contains(&motif), "{board}");
        }
    }

    #[test]
    fn pieces_in_danger_are_counted() {
        assert_eq!(
            motifs("3nk3/8/8/3r4/8/8/8/3R2K1"),
            [SAFE_CHECK.first + 1, CHECK.first + 1, ENDANGERED.first, GAIN.first + 3, TRADE.first + 1]
        );
        assert_eq!(motifs("4k3/8/8/8/8/4N3/8/4R1K1"), [CHECK.first + 1, DISCOVERY.first]);
    }
}
