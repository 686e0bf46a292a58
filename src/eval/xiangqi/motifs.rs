//! What one side has against the other: at most 64 motifs, each of which a net gives an input.

use crate::eval::motifs::{Found, families};
use crate::game::Side;
use crate::xiangqi::Bitboard;
use crate::xiangqi::tactics::{Army, GeneralLines, gains};

// The order decides which input of a net a motif has: the shipped net knows this one.
families! {
    /// A safe check by a chariot, cannon, horse, soldier. Safe is a point that the enemy does not guard, or
    /// with his general one against two.
    SAFE_CHECK[4];
    /// Any check by them, safe or not, even from points of own pieces.
    CHECK[4];
    /// 2, 4 or more points of safe checks.
    SAFE_CHECK_POINTS[2];
    /// A general that cannot move, and a safe check besides.
    STUCK[2];
    /// 1, 2, 3 or more points beside the general are attacked and defended by nothing else.
    HOLES[3];
    /// A soldier, horse, chariot, cannon, the general attacks points beside the general.
    RING[5];
    /// 1, 2, 3 or more enemy pieces are attacked by lesser ones, or not defended.
    ENDANGERED[3];
    /// A cannon faces the general with nothing between (a hollow cannon), with two pieces between, stands on
    /// the general's line with another cannon, on the enemy's home rank.
    CANNON[4];
    /// A chariot on the general's file or rank; an own piece stands between an own chariot, horse or general
    /// and the general, or is one of two screens, or may step before a hollow cannon: a check by discovery.
    LINE[2];
    /// The best capture gains 1, 2, 4, 5, 9 soldiers or more, [by short exchanges](gains).
    GAIN[5];
    /// The gain of the second-best capture, of another piece.
    GAIN_TWICE[5];
    /// A chariot attacks a chariot; a horse or cannon attacks a horse or cannon.
    TRADE[2];
    /// Any capture by an officer gives check.
    CHECKING_CAPTURE[1];
}

/// Maximum number of motifs of a side: of each kind of gain, one.
pub const MAX_MOTIFS: usize = MOTIFS - 2 * 4;

#[inline(always)]
pub(super) const fn has_safe_check(motifs: u64) -> bool {
    motifs >> SAFE_CHECK.first & 15 != 0
}

#[inline(always)]
pub(super) fn of(us: &Army, them: &Army, lines: &GeneralLines) -> u64 {
    let mut found = Found::default();
    let alone = them.attacks.general & us.attacks.twice.without(them.attacks.twice);
    let safe = !(us.all | them.attacks.all.without(alone));
    against_general(us, them, lines, safe, &mut found);
    against_pieces(us, them, &mut found);
    found.0
}

#[inline(always)]
fn against_general(us: &Army, them: &Army, lines: &GeneralLines, safe: Bitboard, found: &mut Found) {
    let by = &us.attacks;
    let cannon_reach = by.cannon_moves | by.cannons & them.all;
    let checks = [
        lines.chariot & by.chariots,
        lines.cannon & cannon_reach,
        lines.horse & by.horses,
        lines.soldier & by.soldiers,
    ];
    let any = |squares: Bitboard| !squares.is_empty();
    found.note(CHECK, checks.map(any));
    found.note(CHECKING_CAPTURE, [checks[..3].iter().any(|squares| squares.meets(them.all))]);
    let safe_checks = checks.map(|squares| squares & safe);
    found.note(SAFE_CHECK, safe_checks.map(any));
    let safe_points = safe_checks.into_iter().fold(Bitboard::EMPTY, |all, squares| all | squares);
    found.note(SAFE_CHECK_POINTS, [2, 4].map(|count| safe_points.count() >= count));

    let ring = them.attacks.general;
    let stuck = ring.without(them.all | by.all | lines.gaze).is_empty();
    found.note(STUCK, [stuck, stuck && any(safe_points)]);
    let holes = (ring & (by.all | lines.gaze)).without(them.attacks.twice);
    found.note_count(HOLES, holes.count());
    let sets = [by.soldiers, by.horses, by.chariots, by.cannons, lines.gaze];
    found.note(RING, sets.map(|set| set.meets(ring)));

    let home_rank = match us.side {
        Side::First => Bitboard(0x1FF << 81),
        Side::Second => Bitboard(0x1FF),
    };
    found.note(
        CANNON,
        [any(lines.hollow), any(lines.screens), lines.cannons.is_several(), us.cannons.meets(home_rank)],
    );
    let stepping_in = lines.hollow & (by.soldiers | by.guards | by.horses | by.chariots);
    let discovery = (lines.blockers | lines.screens).meets(us.all) || any(stepping_in);
    found.note(LINE, [lines.chariots, discovery]);
}

#[inline(always)]
fn against_pieces(us: &Army, them: &Army, found: &mut Found) {
    let by = &us.attacks;
    let hanging = (them.subjects() & by.all).without(them.attacks.all);
    found.note_count(ENDANGERED, (them.attacked_by_lesser(us) | hanging).count());

    let gains = gains(us, them);
    found.note_last(GAIN, gains.map(|set| !set.is_empty()));
    found.note_last(GAIN_TWICE, gains.map(Bitboard::is_several));
    let middle = them.horses | them.cannons;
    found.note(TRADE, [by.chariots.meets(them.chariots), (by.horses | by.cannons).meets(middle)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::xiangqi::threats;
    use crate::xiangqi::Board;
    use crate::xiangqi::tactics::PiecePlacement;

    fn motifs(board: &str) -> Vec<usize> {
        let board = Board::from_fen(&format!("{board} w")).unwrap();
        threats::of(&PiecePlacement::from(&board)).motifs(Side::First).collect()
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
            (8, "SAFE_CHECK_POINTS"),
            (10, "STUCK"),
            (12, "HOLES"),
            (15, "RING"),
            (20, "ENDANGERED"),
            (23, "CANNON"),
            (27, "LINE"),
            (29, "GAIN"),
            (34, "GAIN_TWICE"),
            (39, "TRADE"),
            (41, "CHECKING_CAPTURE"),
        ];
        assert_eq!(numbered.collect::<Vec<_>>(), expected);
        assert_eq!(MOTIFS, 42);
    }

    #[test]
    fn checks_are_safe_on_unguarded_points() {
        assert_eq!(motifs("4k4/9/9/9/9/9/9/9/9/R2K5"), [0, 4, 12, 19]);
        assert_eq!(motifs("4k4/4a4/9/9/9/9/9/9/9/R2K5"), [0, 4, 19]);
        assert_eq!(motifs("4k4/4a4/9/5N3/9/9/9/9/9/3K5"), [2, 6, 12, 16, 19]);
    }

    #[test]
    fn cannons_threaten_along_the_lines_of_the_general() {
        assert_eq!(motifs("4k4/9/9/9/9/4C4/9/9/9/3K5"), [12, 19, 23]);
        assert_eq!(motifs("4k4/4a4/4b4/9/9/4C4/9/9/9/3K5"), [12, 18, 19, 24]);
        assert_eq!(motifs("C3k4/9/9/9/9/9/9/9/9/3K5"), [12, 13, 18, 19, 23, 26]);
    }

    #[test]
    fn captures_gain_trade_and_check() {
        assert_eq!(motifs("4k4/9/9/3r5/9/9/9/9/9/3R1K3"), [0, 4, 12, 19, 20, 33, 39]);
        assert_eq!(motifs("4kr3/9/9/9/9/9/9/9/5R3/3K5"), [0, 4, 12, 13, 17, 19, 39, 41]);
    }
}
