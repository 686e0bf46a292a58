//! What the net of chess sees: pieces on squares, each in one of the states of [`threats`](super::threats),
//! and [`motifs`](super::motifs).

use super::motifs::{MAX_MOTIFS, MOTIFS};
use super::threats::{self, Threats};
use crate::chess::board::NO_PIECE;
use crate::chess::position::Position;
use crate::chess::{Board, Kind, Piece, Square, bitboard::Bitboard};
use crate::eval::threats::STATES;
use crate::game::Side;
use crate::nnue::features::{BoardFeatures, FeatureSet, KING_SQUARES, KingMap, View};

/// Chess: 12 kinds of piece on 64 squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chess768;

impl FeatureSet for Chess768 {
    type Game = Board;
    type Board = Seen;
    const GAME: &'static str = "chess";
    const EMBEDDED: &'static [u8] = include_bytes!(env!("SANQI_CHESS_NET"));
    const NAME: &'static str = "768 mirrored";
    const ID: u16 = 1;
    const FILES: usize = 8;
    const SQUARES: usize = 64;
    const KINDS: usize = 6;
    const KING: usize = 5;
    const INPUTS: usize = 768;
    const HAS_LATERAL: bool = false;

    #[inline(always)]
    fn input(side: Side, mirrored: bool, piece: usize, square: usize) -> usize {
        Self::relative(side, piece) * 64 + (square ^ (7 * usize::from(mirrored)) ^ (56 * side.index()))
    }

    #[inline(always)]
    fn lateral(_: Side, _: usize, _: usize) -> i64 {
        0
    }

    /// 1; 4: wing or middle of the first rank, second rank, the rest.
    fn king_map(buckets: usize) -> Option<KingMap> {
        let bucket = |square: usize| match (square % 8, square / 8) {
            (0..=1, 0) => 0,
            (_, 0) => 1,
            (_, 1) => 2,
            _ => 3,
        };
        match buckets {
            1 => Some([0; KING_SQUARES]),
            4 => Some(std::array::from_fn(|square| if square < 64 { bucket(square) } else { 0 })),
            _ => None,
        }
    }
}

/// A board as nets with states and motifs see it.
#[derive(Clone)]
pub struct Seen {
    /// By square: [`Piece::index`], or [`NO_PIECE`].
    squares: [u8; 64],
    /// By kind and, at the end, by color: the squares of the pieces.
    sets: [Bitboard; 8],
    threats: Threats,
}

impl Default for Seen {
    fn default() -> Self {
        Self { squares: [NO_PIECE; 64], sets: [Bitboard::EMPTY; 8], threats: Threats::default() }
    }
}

impl Seen {
    #[inline(always)]
    fn new(pos: &Position, squares: [u8; 64]) -> Self {
        let [pawns, knights, bishops, rooks, queens, kings] = Kind::ALL.map(|kind| pos.kind(kind));
        let [white, black] = SIDES.map(|color| pos.color(color));
        let sets = [pawns, knights, bishops, rooks, queens, kings, white, black];
        Self { squares, sets, threats: threats::of(pos) }
    }

    /// The squares on which pieces or their states are not the same.
    #[inline(always)]
    fn differences(&self, other: &Self) -> Bitboard {
        let states = self.threats.differences(&other.threats);
        self.sets.iter().zip(other.sets).fold(states, |all, (&a, b)| all | (a ^ b))
    }

    #[inline(always)]
    fn king(&self, side: Side) -> usize {
        (self.sets[Kind::King.index()] & self.sets[Kind::ALL.len() + side.index()]).first().index()
    }

    /// Inputs of the piece on `square` as both sides see it, `None` where there is none.
    #[inline(always)]
    fn inputs(&self, square: Square, views: [View; 2]) -> Option<[usize; 2]> {
        let piece = self.squares[square.index()];
        let block = self.threats.state(square) * Chess768::INPUTS;
        let input = |side: Side| {
            let mirrored = views[side.index()].mirrored;
            block + Chess768::input(side, mirrored, usize::from(piece % NO_PIECE), square.index())
        };
        (piece != NO_PIECE).then(|| SIDES.map(input))
    }
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// Input of a motif of `by` as `side` sees it. Motifs have the inputs of pawns where no pawn can be, on the
/// first and the last rank: 16 squares in each state.
#[inline(always)]
fn motif_input(side: Side, by: Side, motif: usize) -> usize {
    let pawn = if side == by { 0 } else { 6 };
    let square = motif % 8 + 56 * (motif / 8 % 2);
    motif / 16 * Chess768::INPUTS + pawn * 64 + square
}

impl BoardFeatures<Chess768> for Seen {
    const ID: u16 = 5;
    const NAME: &'static str = "8 states, 63 motifs";
    const STATES: usize = STATES;
    const INPUTS: usize = Chess768::INPUTS;
    const MAX_ACTIVE: usize = 32 + 2 * MAX_MOTIFS;

    #[inline(always)]
    fn of_position(pos: &Board) -> Self {
        Self::new(pos.position(), *pos.squares())
    }

    fn of_pieces(pieces: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut squares = [NO_PIECE; 64];
        pieces.for_each(|(piece, square)| squares[square] = piece as u8);
        let piece = |code: u8| Piece::new(SIDES[usize::from(code / 6)], Kind::ALL[usize::from(code % 6)]);
        let taken = Bitboard::ALL.into_iter().filter(|square| squares[square.index()] != NO_PIECE);
        let pos = Position::of_pieces(taken.map(|square| (piece(squares[square.index()]), square)));
        Self::new(&pos, squares)
    }

    #[inline(always)]
    fn views(&self, _: [i64; 2]) -> [View; 2] {
        SIDES.map(|side| Chess768::view(side, self.king(side), 0))
    }

    #[inline(always)]
    fn piece_count(&self) -> usize {
        let [.., white, black] = self.sets;
        (white | black).count() as usize
    }

    #[inline(always)]
    fn compare(&self, old: &Self, views: [View; 2], mut change: impl FnMut(bool, [usize; 2])) {
        for square in self.differences(old) {
            if let Some(inputs) = old.inputs(square, views) {
                change(false, inputs);
            }
            if let Some(inputs) = self.inputs(square, views) {
                change(true, inputs);
            }
        }
        for by in SIDES {
            for (motif, appears) in self.threats.motif_differences(&old.threats, by) {
                change(appears, SIDES.map(|side| motif_input(side, by, motif)));
            }
        }
    }

    fn borrowed_inputs() -> Vec<usize> {
        let of = |by| (0..MOTIFS).map(move |motif| motif_input(Side::First, by, motif) % Chess768::INPUTS);
        SIDES.into_iter().flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shipped net has learned these numbers: another one needs another [`BoardFeatures::ID`].
    #[test]
    fn motifs_have_the_inputs_that_the_shipped_net_knows() {
        let inputs =
            |by| (0..MOTIFS).map(move |motif| motif_input(Side::First, by, motif)).collect::<Vec<_>>();
        let expected = |pawn: usize| {
            let ranks = (0..4).flat_map(move |state| [0, 56].map(|rank| 768 * state + 64 * pawn + rank));
            ranks.flat_map(|first| first..first + 8).take(63).collect::<Vec<_>>()
        };
        assert_eq!(inputs(Side::First), expected(0));
        assert_eq!(inputs(Side::Second), expected(6));
        assert_eq!(Seen::NAME, format!("{STATES} states, {MOTIFS} motifs"));
    }
}
