//! What a position threatens, for nets with inputs of their own for it: the states of pieces, and the motifs
//! in [`motifs`].

use super::motifs;
use crate::eval::threats::{STATES, SquareSet};
use crate::game::Side;
use crate::xiangqi::tactics::{Army, GeneralLines, PiecePlacement};
use crate::xiangqi::{Bitboard, Square};

/// What stands on the points of xiangqi.
pub(super) type Threats = crate::eval::threats::Threats<Bitboard>;

impl SquareSet for Bitboard {
    type Point = Square;
    #[inline(always)]
    fn contains(self, square: Square) -> bool {
        self.has(square)
    }
}

/// The threats of a position:
///
/// | state | soldier | advisor, elephant | horse, chariot, cannon | general: attacked points beside it |
/// |---|---|---|---|---|
/// | 0 | not attacked | not attacked | not attacked | none |
/// | 1 | attacked and defended | attacked and defended | attacked and defended | 1 |
/// | 2 | attacked, not defended | attacked, not defended | attacked, not defended | 2 |
/// | 3 | defended, not attacked | defended, not attacked | attacked by a lesser piece | 3 or 4 |
/// | 4 | outnumbered | outnumbered | outnumbered, by no lesser piece | none, and a safe check |
/// | 5 | pinned | pinned, and as in 2 or 4 | pinned, and as in 2 or 4 | 1, and a safe check |
/// | 6 | attacked by a soldier | pinned, as 0, 1 or 3 | pinned, as 0 or 1 | 2, and a safe check |
/// | 7 | – | attacked by a soldier | pinned, and as in 3 | 3 or 4, and a safe check |
///
/// The last one that fits counts. Outnumbered is what is attacked twice and defended once. Pinned is what
/// stands by itself between the general and a chariot or the other general, on the leg of a horse that would
/// give check, and each of two screens of a cannon.
#[inline]
pub fn of(pieces: &PiecePlacement) -> Threats {
    // An array's `map` would not be inlined.
    let armies = [Army::new(pieces, Side::First), Army::new(pieces, Side::Second)];
    let mut threats = Threats::default();
    for (own, enemy) in [(0, 1), (1, 0)] {
        let (own, enemy) = (&armies[own], &armies[enemy]);
        let lines = GeneralLines::new(enemy, own, pieces.occupancy());
        let motifs = motifs::of(enemy, own, &lines);
        threats.note_motifs(enemy.side, motifs);
        threats.note_states(states(own, enemy, &lines, motifs::has_safe_check(motifs)));
    }
    threats
}

/// The pieces of `own` in the states 1 to 7; `lines` lead from `enemy` to its general.
#[inline(always)]
fn states(own: &Army, enemy: &Army, lines: &GeneralLines, safe_check: bool) -> [Bitboard; STATES - 1] {
    let officers = own.officers();
    let small = own.guards | own.soldiers;
    let attacked = own.subjects() & enemy.attacks.all;
    let defended = own.attacks.all;
    let outnumbered = (attacked & enemy.attacks.twice & defended).without(own.attacks.twice);
    let pinned = (lines.blockers | lines.screens) & own.subjects();
    let by_soldier = small & enemy.attacks.soldiers;
    let lesser = own.attacked_by_lesser(enemy) | by_soldier;

    let plain = attacked.without(outnumbered | pinned | lesser);
    let weak = outnumbered | attacked.without(defended);
    let pinned_officer = pinned & officers;
    let pinned_guard = (pinned & own.guards).without(lesser);
    let mut states = [
        plain & defended,
        plain.without(defended),
        (lesser & officers).without(pinned) | (small & defended).without(attacked | pinned),
        outnumbered.without(pinned | lesser),
        (pinned_officer & weak).without(lesser)
            | pinned_guard & weak
            | (pinned & own.soldiers).without(lesser),
        pinned_officer.without(weak | lesser) | pinned_guard.without(weak) | by_soldier & own.soldiers,
        pinned_officer & lesser | by_soldier & own.guards,
    ];
    let ring = match (own.attacks.general & (enemy.attacks.all | lines.gaze)).count() {
        count @ 0..=2 => count as usize,
        _ => 3,
    };
    if let Some(state) = states.get_mut((ring + 4 * usize::from(safe_check)).wrapping_sub(1)) {
        *state |= own.general;
    }
    states
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::util::rng::Rng;
    use crate::xiangqi::{Board, Piece};

    /// `square:state` of all pieces in states other than 0.
    fn states(board: &str) -> String {
        let threats = super::of(&PiecePlacement::from(&Board::from_fen(&format!("{board} w")).unwrap()));
        let states = Bitboard::ALL.map(|square| (square, threats.state(square)));
        let words: Vec<_> = states
            .filter(|&(_, state)| state != 0)
            .map(|(square, state)| format!("{square}:{state}"))
            .collect();
        words.join(" ")
    }

    #[test]
    fn pieces_are_attacked_defended_or_worth_more() {
        assert_eq!(states("5k3/9/9/9/3r5/9/9/9/9/3RK4"), "d0:1 e0:6 d5:2 f9:1");
        assert_eq!(states("5k3/9/9/3p5/3r5/9/2N6/9/9/4K4"), "e0:6 d5:3 d6:3 f9:1");
        assert_eq!(states("5k3/9/9/9/2pp5/3P5/9/9/9/4K4"), "e0:1 d4:6 d5:6 f9:1");
    }

    #[test]
    fn pinned_pieces_have_states_of_their_own() {
        assert_eq!(states("4k4/4a4/9/9/9/9/9/9/4R4/3K5"), "e8:6 e9:2");
        assert_eq!(states("4k4/4n4/9/9/9/9/9/9/4R4/3K5"), "e8:6 e9:2");
        assert_eq!(states("4k4/4n4/9/4p4/9/9/9/9/4C4/3K5"), "e6:5 e8:6 e9:2");
    }

    #[test]
    fn threats_are_the_same_for_both_sides() {
        let (mut rng, mut board) = (Rng::new(1), Board::start());
        for _ in 0..3000 {
            let moves = board.legal();
            if moves.is_empty() {
                board = Board::start();
                continue;
            }
            board.do_move(rng.pick(&moves), &mut ());
            let pieces = Bitboard::ALL.filter_map(|square| Some((board.piece_at(square).get()?, square)));
            let turned =
                pieces.map(|((side, kind), square)| (Piece::new(side.other(), kind), square.flipped()));
            let (threats, other) =
                (super::of(&PiecePlacement::from(&board)), super::of(&PiecePlacement::of(turned)));
            assert!(threats.motifs(Side::First).eq(other.motifs(Side::Second)));
            assert!({ Bitboard::ALL }.all(|square| threats.state(square) == other.state(square.flipped())));
            assert!(threats.motifs(Side::First).all(|motif| motif < motifs::MOTIFS));
        }
    }
}
