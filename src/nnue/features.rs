//! What a net sees of a position: for each side, one input for each piece on each square, seen from that
//! side and mirrored so that its own king stands on the left. <https://www.chessprogramming.org/NNUE#HalfKA>
//!
//! Mirroring halves what has to be learned. A xiangqi general on the middle file leaves the side open; then
//! the distribution of the pieces decides ([`FeatureSet::lateral`]), so that a position and its mirror image
//! always get the same inputs.

use super::threats::Threats;
use crate::game::{PieceSets, Side};
use crate::util::rng::Rng;

/// How one side looks at the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// Whether left and right are exchanged.
    pub mirrored: bool,
    /// The own king's square, after mirroring and from the own side: it selects the king bucket.
    pub king: u8,
}

/// The inputs of one game. Pieces are `side * KINDS + kind`, squares `rank * FILES + file` from the first
/// side's home, as observers see them.
pub trait FeatureSet: Copy + Clone + Send + Sync + 'static {
    /// The game's name.
    const GAME: &'static str;
    /// The name of these inputs, for people.
    const NAME: &'static str;
    /// Number of these inputs in net files. A change of any index needs a new one.
    const ID: u16;
    /// The same of these inputs times the states of [`threats`](super::threats); `None`: there are no threats.
    const THREATS_ID: Option<u16>;
    /// Files of the board.
    const FILES: usize;
    /// Squares of the board.
    const SQUARES: usize;
    /// Kinds of piece, sides not counted.
    const KINDS: usize;
    /// The kind that is the king.
    const KING: usize;
    /// Inputs for each king bucket.
    const INPUTS: usize;
    /// Whether [`lateral`](Self::lateral) is ever other than zero.
    const HAS_LATERAL: bool;

    /// Input of a piece on a square as `side` sees it, without the king bucket: `0..INPUTS`.
    fn input(side: Side, mirrored: bool, piece: usize, square: usize) -> usize;

    /// What a piece on a square adds to the left-right balance of `side`. Mirroring the square changes the
    /// sign; a negative sum mirrors the view when the king is on the middle file.
    fn lateral(side: Side, piece: usize, square: usize) -> i64;

    /// The threats of a position; called for games with a [`THREATS_ID`](Self::THREATS_ID) alone.
    fn threats(pieces: &PieceSets) -> Threats;

    /// Row of a motif of `by` as `side` sees it, counted from the first one of the king bucket.
    fn motif_row(side: Side, by: Side, motif: usize) -> usize;

    /// A king map ([`Info::king_map`](super::net::Info::king_map)) with `buckets` buckets, if there is one.
    fn king_map(buckets: usize) -> Option<[u8; 92]>;

    /// How `side` looks at the board when its king is on `king` and the sum over all pieces of
    /// [`lateral`](Self::lateral) is `balance`.
    #[inline(always)]
    fn view(side: Side, king: usize, balance: i64) -> View {
        let file = king % Self::FILES;
        // Twice the distance from the middle: negative on the left.
        let off_middle = (2 * file + 1) as i32 - Self::FILES as i32;
        let mirrored = if off_middle == 0 { balance < 0 } else { off_middle > 0 };
        View { mirrored, king: Self::turned(side, mirrored, king) as u8 }
    }

    /// `square` as `side` sees it.
    #[inline(always)]
    fn turned(side: Side, mirrored: bool, square: usize) -> usize {
        let (mut file, mut rank) = (square % Self::FILES, square / Self::FILES);
        if mirrored {
            file = Self::FILES - 1 - file;
        }
        if side == Side::Second {
            rank = Self::SQUARES / Self::FILES - 1 - rank;
        }
        rank * Self::FILES + file
    }

    /// `piece` as `side` sees it: its own kinds come first.
    #[inline(always)]
    fn relative(side: Side, piece: usize) -> usize {
        if side == Side::First {
            piece
        } else if piece >= Self::KINDS {
            piece - Self::KINDS
        } else {
            piece + Self::KINDS
        }
    }
}

/// Chess: 12 kinds of piece on 64 squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chess768;

impl FeatureSet for Chess768 {
    const GAME: &'static str = "chess";
    const NAME: &'static str = "768 mirrored";
    const ID: u16 = 1;
    const THREATS_ID: Option<u16> = Some(5);
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

    #[inline(always)]
    fn threats(pieces: &PieceSets) -> Threats {
        Threats::of_chess(pieces)
    }

    /// Motifs have the inputs of pawns where no pawn can be: 16 squares in each state.
    #[inline(always)]
    fn motif_row(side: Side, by: Side, motif: usize) -> usize {
        let pawn = if side == by { 0 } else { 6 };
        let square = motif % 8 + 56 * (motif / 8 % 2);
        motif / 16 * Self::INPUTS + pawn * 64 + square
    }

    /// 1; 4: wing or middle of the first rank, second rank, the rest.
    fn king_map(buckets: usize) -> Option<[u8; 92]> {
        let bucket = |square: usize| match (square % 8, square / 8) {
            (0..=1, 0) => 0,
            (_, 0) => 1,
            (_, 1) => 2,
            _ => 3,
        };
        match buckets {
            1 => Some([0; 92]),
            4 => Some(std::array::from_fn(|square| if square < 64 { bucket(square) } else { 0 })),
            _ => None,
        }
    }
}

/// Xiangqi: 14 kinds of piece, each on the squares it can reach: 343 inputs for the own side, whose general
/// is never right of the middle, 346 for the other, and one more that stands for every impossible square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Xiangqi689;

const XQ_SQUARES: usize = 90;
const XQ_FILES: usize = 9;
const NOWHERE: u16 = 689;

/// Whether a piece of the side at the bottom can stand there: the general left of or on the middle file.
const fn can_stand(own: bool, kind: usize, square: usize) -> bool {
    let (file, mut rank) = (square % XQ_FILES, square / XQ_FILES);
    if !own {
        rank = 9 - rank;
    }
    match kind {
        0 => rank <= 2 && file >= 3 && file <= if own { 4 } else { 5 },
        1 => rank <= 2 && file >= 3 && file <= 5 && (file + rank) % 2 == 1,
        2 => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        6 => rank >= 5 || (rank >= 3 && file % 2 == 0),
        _ => true,
    }
}

/// Inputs by relative piece and turned square.
const XQ_INPUT: [[u16; XQ_SQUARES]; 14] = {
    let mut table = [[NOWHERE; XQ_SQUARES]; 14];
    let (mut next, mut piece) = (0, 0);
    while piece < 14 {
        let mut square = 0;
        while square < XQ_SQUARES {
            if can_stand(piece < 7, piece % 7, square) {
                table[piece][square] = next;
                next += 1;
            }
            square += 1;
        }
        piece += 1;
    }
    assert!(next == NOWHERE);
    table
};

/// [`FeatureSet::lateral`] by relative piece and square from the own side. Slow pieces outweigh fast ones,
/// so that the view seldom turns; what is left undecided is decided by a number of its own for each piece
/// and square.
const XQ_LATERAL: [[i64; XQ_SQUARES]; 14] = {
    let mut table = [[0; XQ_SQUARES]; 14];
    let mut rng = Rng::new(0x1A7E_8A15_1DE5);
    let mut piece = 0;
    while piece < 14 {
        // Six levels, a factor of 64 apart: no sum of a lower level (at most 24) reaches a higher one.
        let level = match piece % 7 {
            0 => -1,
            1 | 2 => 5,
            6 => 3,
            _ => 1,
        } - (piece >= 7 && piece % 7 != 0) as i64;
        let mut square = 0;
        while square < XQ_SQUARES {
            let file = square % XQ_FILES;
            if file < 4 {
                let tie = (rng.next_u64() >> 48) as i64 + 1;
                let main = if level < 0 { 0 } else { 1i64 << (24 + 6 * level) };
                let mirror = square + XQ_FILES - 1 - 2 * file;
                let value = (4 - file as i64) * main + tie;
                table[piece][square] = value;
                table[piece][mirror] = -value;
            }
            square += 1;
        }
        piece += 1;
    }
    table
};

impl FeatureSet for Xiangqi689 {
    const GAME: &'static str = "xiangqi";
    const NAME: &'static str = "689 mirrored";
    const ID: u16 = 2;
    const THREATS_ID: Option<u16> = None;
    const FILES: usize = XQ_FILES;
    const SQUARES: usize = XQ_SQUARES;
    const KINDS: usize = 7;
    const KING: usize = 0;
    const INPUTS: usize = 690;
    const HAS_LATERAL: bool = true;

    #[inline(always)]
    fn input(side: Side, mirrored: bool, piece: usize, square: usize) -> usize {
        XQ_INPUT[Self::relative(side, piece)][Self::turned(side, mirrored, square)].into()
    }

    #[inline(always)]
    fn lateral(side: Side, piece: usize, square: usize) -> i64 {
        XQ_LATERAL[Self::relative(side, piece)][Self::turned(side, false, square)]
    }

    fn threats(_: &PieceSets) -> Threats {
        Threats::default()
    }

    fn motif_row(_: Side, _: Side, _: usize) -> usize {
        Self::INPUTS - 1
    }

    /// 1; 6: each point of the palace that is not right of the middle.
    fn king_map(buckets: usize) -> Option<[u8; 92]> {
        let bucket = |square: usize| match (square % XQ_FILES, square / XQ_FILES) {
            (file @ 3..=4, rank @ 0..=2) => (2 * rank + file - 3) as u8,
            _ => 0,
        };
        match buckets {
            1 => Some([0; 92]),
            6 => Some(std::array::from_fn(|square| if square < XQ_SQUARES { bucket(square) } else { 0 })),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn mirror<F: FeatureSet>(square: usize) -> usize {
        F::turned(Side::First, true, square)
    }

    /// Every input is used by each side, and by the same relative piece and square of both.
    fn inputs_cover<F: FeatureSet>(expected: usize) {
        for side in [Side::First, Side::Second] {
            let mut seen = HashSet::new();
            for piece in 0..2 * F::KINDS {
                for square in 0..F::SQUARES {
                    let input = F::input(side, false, piece, square);
                    assert!(input < F::INPUTS);
                    seen.insert(input);
                    assert_eq!(input, F::input(side, true, piece, mirror::<F>(square)));
                    let flipped = F::turned(Side::Second, false, square);
                    let swapped = F::relative(Side::Second, piece);
                    assert_eq!(input, F::input(side.other(), false, swapped, flipped));
                    assert_eq!(
                        F::lateral(side, piece, square),
                        -F::lateral(side, piece, mirror::<F>(square))
                    );
                    assert_eq!(F::lateral(side, piece, square), F::lateral(side.other(), swapped, flipped));
                }
            }
            assert_eq!(seen.len(), expected);
        }
    }

    #[test]
    fn all_inputs_are_used_and_symmetric() {
        inputs_cover::<Chess768>(768);
        inputs_cover::<Xiangqi689>(690);
    }

    #[test]
    fn king_maps_have_as_many_buckets_as_asked_for() {
        let count = |map: [u8; 92]| map.into_iter().collect::<HashSet<_>>().len();
        for n in [1, 4] {
            assert_eq!(Chess768::king_map(n).map(count), Some(n));
        }
        for n in [1, 6] {
            assert_eq!(Xiangqi689::king_map(n).map(count), Some(n));
        }
        assert_eq!(Chess768::king_map(2), None);
    }

    #[test]
    fn kings_end_up_on_the_left() {
        for king in 0..64 {
            let view = Chess768::view(Side::First, king, 0);
            assert!(view.king % 8 < 4);
            assert_eq!(view.mirrored, king % 8 > 3);
        }
        assert!(Xiangqi689::view(Side::Second, 85, -1).mirrored);
        assert!(!Xiangqi689::view(Side::Second, 85, 0).mirrored);
        assert!(Xiangqi689::view(Side::Second, 86, 5).mirrored);
        assert_eq!(Xiangqi689::view(Side::Second, 86, 5).king, 3);
    }

    #[test]
    fn slow_pieces_decide_the_view_before_fast_ones() {
        // An own elephant on the right outweighs all that can stand on the left.
        let right = Xiangqi689::lateral(Side::First, 2, 8 + 18);
        let left = Xiangqi689::lateral(Side::First, 7 + 2, 63 + 18 - 18);
        assert!(right < 0 && left > 0 && right + left < 0);
        let fast = 2 * Xiangqi689::lateral(Side::First, 4, 0) + 2 * Xiangqi689::lateral(Side::First, 3, 9);
        assert!(fast > 0 && right + fast < 0);
    }
}
