//! What state the pieces of a chess position are in, for nets that have inputs of their own for each state: a net
//! cannot work out exchanges, and most positions that a search asks about have a piece in danger.
//! <https://www.chessprogramming.org/Attack_and_Defend_Maps>

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::magic;
use crate::chess::types::Color;
use crate::game::PieceSets;

/// Number of states; 0 is that of a piece nobody attacks.
pub const STATES: usize = 4;

/// Squares of the pieces in the states 1, 2 and 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct States([u64; STATES - 1]);

impl States {
    /// The state of the piece on `square`.
    #[inline(always)]
    pub fn of(&self, square: usize) -> usize {
        let bit = |set: u64| (set >> square & 1) as usize;
        bit(self.0[0]) + 2 * bit(self.0[1]) + 3 * bit(self.0[2])
    }

    /// The squares on which states are not the same.
    #[inline(always)]
    pub fn differences(&self, other: Self) -> u64 {
        self.0.into_iter().zip(other.0).fold(0, |all, (a, b)| all | (a ^ b))
    }

    /// Those of a position of chess:
    ///
    /// | | 1 | 2 | 3 |
    /// |---|---|---|---|
    /// | pawn | attacked and defended | attacked, not defended | passed |
    /// | knight, bishop, rook, queen | attacked and defended | attacked, not defended | attacked by a lesser piece |
    /// | king: attacked squares beside it | 1 or 2 | 3 or 4 | 5 and more |
    ///
    /// A passed pawn is in state 3 whether it is attacked or not. Pins do not hinder attacks.
    #[inline]
    pub fn of_chess(pieces: &PieceSets) -> Self {
        let occupied = Bitboard(pieces.iter().fold(0, |all, set| all | set));
        let attacks =
            [Attacks::new(Color::First, pieces, occupied), Attacks::new(Color::Second, pieces, occupied)];
        let mut states = Self::default();
        for side in [Color::First, Color::Second] {
            let (own, enemy) = (&attacks[side.index()], &attacks[side.other().index()]);
            let [pawns, knights, bishops, rooks, queens, king] = of_side(side, pieces);
            let [enemy_pawns, ..] = of_side(side.other(), pieces);
            // Where enemy pawns go, or could take what passes them.
            let guarded = (enemy_pawns | enemy.pawns).front_fill(side.other()) | enemy.pawns;
            let passed = pawns & !guarded;
            let minors = knights | bishops;
            let lesser = minors & enemy.pawns
                | rooks & (enemy.pawns | enemy.minors)
                | queens & (enemy.pawns | enemy.minors | enemy.rooks);
            let attacked = (pawns | minors | rooks | queens) & enemy.all & !lesser & !passed;
            states.0[0] |= (attacked & own.all).0;
            states.0[1] |= (attacked & !own.all).0;
            states.0[2] |= (lesser | passed).0;
            match (own.king & enemy.all).count() {
                0 => (),
                1..=2 => states.0[0] |= king.0,
                3..=4 => states.0[1] |= king.0,
                _ => states.0[2] |= king.0,
            }
        }
        states
    }
}

#[inline(always)]
fn of_side(side: Color, pieces: &PieceSets) -> [Bitboard; 6] {
    let mut sets = [Bitboard::default(); 6];
    for (kind, set) in sets.iter_mut().enumerate() {
        *set = Bitboard(pieces[side.index() * 6 + kind]);
    }
    sets
}

/// Squares that one side attacks.
struct Attacks {
    pawns: Bitboard,
    minors: Bitboard,
    rooks: Bitboard,
    king: Bitboard,
    all: Bitboard,
}

impl Attacks {
    #[inline(always)]
    fn new(side: Color, pieces: &PieceSets, occupied: Bitboard) -> Self {
        let [pawns, knights, bishops, rooks, queens, king] = of_side(side, pieces);
        let nothing = Bitboard::default();
        let pawns = attacks::pawns(side, pawns);
        let minors = bishops
            .into_iter()
            .fold(attacks::knights(knights), |all, square| all | magic::bishop(square, occupied));
        let rooks = rooks.into_iter().fold(nothing, |all, square| all | magic::rook(square, occupied));
        let queens = queens.into_iter().fold(nothing, |all, square| all | magic::queen(square, occupied));
        let king = king.into_iter().fold(nothing, |all, square| all | attacks::king(square));
        Self { pawns, minors, rooks, king, all: pawns | minors | rooks | queens | king }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::game::AlphaBetaGame;

    /// Squares of the pieces in states 1, 2 and 3, in words.
    fn states(fen: &str) -> [String; 3] {
        let states = States::of_chess(&Board::from_fen(fen).unwrap().snapshot().sets);
        states.0.map(|set| {
            let names = Bitboard(set).into_iter().map(|square| square.to_string());
            names.collect::<Vec<_>>().join(" ")
        })
    }

    #[test]
    fn nobody_is_in_danger_at_the_start() {
        assert_eq!(States::of_chess(&Board::start().snapshot().sets), States::default());
    }

    #[test]
    fn attacked_pieces_are_defended_hanging_or_worth_more() {
        // Knights attack rook and queen; d1 and c3 attack each other, a1 and d8 have no defender. f2 is beside the king.
        let [defended, hanging, lesser] = states("3r3k/8/1n6/3R4/q2P4/2N5/8/B2n2K1 w - - 0 1");
        assert_eq!((defended.as_str(), hanging.as_str(), lesser.as_str()), ("d1 g1 c3", "a1 d8", "a4 d4 d5"));
    }

    #[test]
    fn passed_pawns_and_kings_have_states_of_their_own() {
        // a5 is passed; e4 and d5 attack each other; g6 guards the way of h4, and h4 that of g6.
        let [king, hanging, passed] = states("7k/8/6p1/P2p4/4P2P/8/r7/7K w - - 0 1");
        assert_eq!((king.as_str(), hanging.as_str(), passed.as_str()), ("h1", "e4 d5", "a5"));
        let kings = ["k7/8/8/8/8/8/8/r3K3", "k7/8/8/8/8/8/r7/r3K3", "k4r2/8/8/8/8/8/r7/r3K3"];
        for (state, board) in kings.into_iter().enumerate() {
            assert_eq!(states(&format!("{board} w - - 0 1"))[state], "e1");
        }
    }
}
