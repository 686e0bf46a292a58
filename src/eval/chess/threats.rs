//! What a position threatens, for nets with inputs of their own for it: a net of one layer cannot work out
//! exchanges and checks, and most positions that a search asks about have a piece in danger.
//! <https://www.chessprogramming.org/Attack_and_Defend_Maps>
//!
//! Every piece is in one of eight states, and each side has some of the motifs in [`motifs`].

use super::motifs;
use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::position::Position;
use crate::chess::tactics::{Army, KingLines};
use crate::chess::types::{Color, Kind, Square};
use crate::eval::threats::{STATES, SquareSet};

/// What stands on the squares of chess.
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
/// | state | pawn | knight, bishop, rook, queen | king: attacked squares beside it |
/// |---|---|---|---|
/// | 0 | not attacked | not attacked | none |
/// | 1 | attacked and defended | attacked and defended | 1 or 2 |
/// | 2 | attacked, not defended | attacked, not defended | 3 or 4 |
/// | 3 | passed | attacked by a lesser piece | 5 or more |
/// | 4 | outnumbered | outnumbered, by no lesser piece | none, and a safe check |
/// | 5 | passed and defended | pinned, and as in 2 or 4 | 1 or 2, and a safe check |
/// | 6 | passed, and as in 2 | pinned, and as in 1 | 3 or 4, and a safe check |
/// | 7 | attacked by a pawn, not passed | pinned, and as in 3 | 5 or more, and a safe check |
///
/// The last one that fits counts. Outnumbered is what is attacked twice and defended once. Pins are those to
/// the king, and hinder no attack. [`motifs`] has the checks that are safe.
#[inline]
pub fn of(pos: &Position) -> Threats {
    // An array's `map` would not be inlined.
    let armies = [mobile_army(pos, Color::First), mobile_army(pos, Color::Second)];
    let mut threats = Threats::default();
    for (own, enemy) in [(0, 1), (1, 0)] {
        let ((own, _), (enemy, mobility)) = (&armies[own], &armies[enemy]);
        let lines = KingLines::new(own, enemy);
        let motifs = motifs::of(enemy, own, &lines, *mobility);
        threats.note_motifs(enemy.color, motifs);
        threats.note_states(states(own, enemy, lines.blockers, motifs::has_safe_check(motifs)));
    }
    threats
}

/// The army of `color`, and its mobility: squares without own pieces that officers attack and no enemy pawn
/// does, summed over the officers.
#[inline(always)]
fn mobile_army(pos: &Position, color: Color) -> (Army, u32) {
    let enemy_captures = attacks::pawns(color.other(), pos.pieces(color.other(), Kind::Pawn));
    let free = !(pos.color(color) | enemy_captures);
    let mut mobility = 0;
    let army = Army::new(pos, color, |_, attacked| mobility += (attacked & free).count());
    (army, mobility)
}

/// The pieces of `own` in the states 1 to 7.
#[inline(always)]
fn states(own: &Army, enemy: &Army, blockers: Bitboard, safe_check: bool) -> [Bitboard; STATES - 1] {
    let lesser = own.attacked_by_lesser(enemy);
    let attacked = (own.pawns | own.officers()) & enemy.attacks.all;
    let defended = own.attacks.all;
    let outnumbered = attacked & enemy.attacks.twice & defended & !own.attacks.twice;
    let levered = own.pawns & enemy.attacks.pawns & !own.passed;
    let pinned = blockers & own.officers();
    let plain = attacked & !own.passed & !levered & !lesser & !pinned & !outnumbered;
    let mut states = [
        plain & defended,
        plain & !defended,
        lesser & !pinned | own.passed & !defended & !attacked,
        outnumbered & !own.passed & !levered & !lesser & !pinned,
        pinned & !lesser & (outnumbered | !defended) | own.passed & defended,
        pinned & !lesser & defended & !outnumbered | own.passed & attacked & !defended,
        pinned & lesser | levered,
    ];
    let ring = match (own.attacks.king & enemy.attacks.all).count() {
        0 => 0,
        1..=2 => 1,
        3..=4 => 2,
        _ => 3,
    };
    if let Some(state) = states.get_mut((ring + 4 * usize::from(safe_check)).wrapping_sub(1)) {
        *state |= own.king;
    }
    states
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Board, Piece};
    use crate::game::Game;
    use crate::util::rng::Rng;

    fn threats(fen: &str) -> Threats {
        super::of(Board::from_fen(fen).unwrap().position())
    }

    /// `square:state` of all pieces in states other than 0.
    fn states(fen: &str) -> String {
        let threats = threats(fen);
        let states = Bitboard::ALL.into_iter().map(|square| (square, threats.state(square)));
        let words: Vec<_> = states
            .filter(|&(_, state)| state != 0)
            .map(|(square, state)| format!("{square}:{state}"))
            .collect();
        words.join(" ")
    }

    #[test]
    fn no_piece_is_in_danger_at_the_start() {
        assert_eq!(states("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "");
    }

    #[test]
    fn attacked_pieces_are_defended_hanging_outnumbered_or_worth_more() {
        // Knights attack rook and queen; d1 and c3 attack each other; d4 is passed; both kings have safe
        // checks to fear.
        assert_eq!(
            states("3r3k/8/1n6/3R4/q2P4/2N5/8/B2n2K1 w - - 0 1"),
            "a1:2 d1:1 g1:5 c3:1 a4:3 d4:5 d5:3 d8:2 h8:4"
        );
        // Two rooks against one defender.
        assert_eq!(states("3r3k/4p3/8/8/8/r2N4/4P3/7K b - - 0 1"), "h1:4 d3:4");
    }

    #[test]
    fn pinned_pieces_have_states_of_their_own() {
        // A rook pins a knight that a bishop or nothing defends.
        assert_eq!(states("4r2k/8/8/8/8/4N3/8/2B1K3 w - - 0 1"), "e3:6 h8:4");
        assert_eq!(states("4r2k/8/8/8/8/4N3/8/1B2K3 w - - 0 1"), "e1:4 e3:5 h8:1");
        // A bishop pins a rook.
        assert_eq!(states("7k/8/8/8/1b6/8/3R4/4K3 w - - 0 1"), "e1:1 d2:7 h8:4");
    }

    #[test]
    fn pawns_are_passed_or_attacked_by_pawns() {
        // a5 and b4 are passed, one of them defended; e4 and d5 attack each other; g6 and h4 guard each
        // other's ways.
        assert_eq!(states("8/8/6p1/P2p4/1P2P2P/8/2k5/7K w - - 0 1"), "b4:3 e4:7 a5:5 d5:7");
    }

    #[test]
    fn kings_have_states_by_the_squares_beside_them_and_safe_checks() {
        for (board, state) in [
            ("k7/8/8/8/8/8/8/4K3", 0),
            ("k7/8/8/8/8/3p4/8/4K3", 1),
            ("k7/8/8/8/8/3pp3/8/4K3", 2),
            ("k7/8/8/8/7r/8/8/4K3", 4),
            ("k7/8/8/8/8/8/8/r3K3", 5),
            ("k7/8/8/8/8/8/r7/r3K3", 6),
            ("k7/8/8/8/8/6n1/r7/r3K3", 7),
        ] {
            assert_eq!(threats(&format!("{board} w - - 0 1")).state(Square::new(4)), state, "{board}");
        }
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
            let pieces =
                Bitboard::ALL.into_iter().filter_map(|square| Some((board.piece_on(square)?, square)));
            let turned = Position::of_pieces(pieces.map(|(piece, square)| {
                (Piece::new(piece.color().other(), piece.kind()), square.relative(Color::Second))
            }));
            let (threats, other) = (super::of(board.position()), super::of(&turned));
            assert!(threats.motifs(Color::First).eq(other.motifs(Color::Second)));
            assert!(
                Bitboard::ALL
                    .into_iter()
                    .all(|square| threats.state(square) == other.state(square.relative(Color::Second)))
            );
            assert!(threats.motifs(Color::First).all(|motif| motif < motifs::MOTIFS));
        }
    }
}
