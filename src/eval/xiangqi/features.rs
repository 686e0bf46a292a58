//! What the net of xiangqi sees: each piece on the squares that it can reach.

use crate::game::Side;
use crate::nnue::features::{FeatureSet, KING_SQUARES, KingMap};
use crate::util::rng::Rng;
use crate::xiangqi::Board;

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
    type Game = Board;
    type Board = ();
    const GAME: &'static str = "xiangqi";
    const EMBEDDED: &'static [u8] = include_bytes!(env!("SANQI_XIANGQI_NET"));
    const NAME: &'static str = "689 mirrored";
    const ID: u16 = 2;
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

    /// 1; 6: each point of the palace that is not right of the middle.
    fn king_map(buckets: usize) -> Option<KingMap> {
        let bucket = |square: usize| match (square % XQ_FILES, square / XQ_FILES) {
            (file @ 3..=4, rank @ 0..=2) => (2 * rank + file - 3) as u8,
            _ => 0,
        };
        match buckets {
            1 => Some([0; KING_SQUARES]),
            6 => Some(std::array::from_fn(|square| if square < XQ_SQUARES { bucket(square) } else { 0 })),
            _ => None,
        }
    }
}
