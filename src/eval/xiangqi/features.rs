//! What the net of xiangqi sees: each piece on the squares that it can reach.

use super::motifs::MAX_MOTIFS;
use super::threats::{self, Threats};
use crate::eval::threats::STATES;
use crate::game::Side;
use crate::nnue::features::{BoardFeatures, FeatureSet, KING_SQUARES, KingMap, View};
use crate::util::rng::Rng;
use crate::xiangqi::tactics::PiecePlacement;
use crate::xiangqi::{Bitboard, Board, Kind, Piece, Square};

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

/// [`FeatureSet::input`] by side, mirroring, piece and square.
static SEEN_INPUT: [[[[u16; XQ_SQUARES]; 14]; 2]; 2] = {
    let mut table = [[[[0; XQ_SQUARES]; 14]; 2]; 2];
    let mut at = 0;
    while at < 4 * 14 * XQ_SQUARES {
        let (square, piece, mirrored, side) =
            (at % XQ_SQUARES, at / XQ_SQUARES % 14, at / XQ_SQUARES / 14 % 2, at / XQ_SQUARES / 28);
        let (file, rank) = (square % XQ_FILES, square / XQ_FILES);
        let file = if mirrored == 1 { XQ_FILES - 1 - file } else { file };
        let rank = if side == 1 { 9 - rank } else { rank };
        table[side][mirrored][piece][square] = XQ_INPUT[(piece + 7 * side) % 14][rank * XQ_FILES + file];
        at += 1;
    }
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
    type Board = Seen;
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
        SEEN_INPUT[side.index()][usize::from(mirrored)][piece][square].into()
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

/// A board as nets with states and motifs see it.
#[derive(Clone, Default)]
pub struct Seen {
    pieces: PiecePlacement,
    threats: Threats,
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// Rows of motifs in a block, behind those of pieces: six for each side.
const MOTIF_ROWS: usize = 6;

impl Seen {
    #[inline(always)]
    fn new(pieces: PiecePlacement) -> Self {
        Self { threats: threats::of(&pieces), pieces }
    }

    /// Inputs of the piece on `square` as both sides see it, `None` where there is none.
    #[inline(always)]
    fn inputs(&self, square: Square, views: [View; 2]) -> Option<[usize; 2]> {
        let piece = self.pieces.on(square);
        let block = self.threats.state(square) * <Self as BoardFeatures<Xiangqi689>>::INPUTS;
        piece.is_some().then(|| {
            SIDES.map(|side| {
                let mirrored = views[side.index()].mirrored;
                block + Xiangqi689::input(side, mirrored, piece.index(), square.index())
            })
        })
    }
}

/// Input of a motif of `by` as `side` sees it: [`MOTIF_ROWS`] of each side in each state.
#[inline(always)]
fn motif_input(side: Side, by: Side, motif: usize) -> usize {
    let row = Xiangqi689::INPUTS + if side == by { 0 } else { MOTIF_ROWS };
    motif / MOTIF_ROWS * <Seen as BoardFeatures<Xiangqi689>>::INPUTS + row + motif % MOTIF_ROWS
}

impl BoardFeatures<Xiangqi689> for Seen {
    const ID: u16 = 6;
    const NAME: &'static str = "8 states, 42 motifs";
    const STATES: usize = STATES;
    const INPUTS: usize = Xiangqi689::INPUTS + 2 * MOTIF_ROWS;
    const MAX_ACTIVE: usize = 32 + 2 * MAX_MOTIFS;

    #[inline(always)]
    fn of_position(pos: &Board) -> Self {
        Self::new(PiecePlacement::from(pos))
    }

    fn of_pieces(pieces: impl Iterator<Item = (usize, usize)>) -> Self {
        let known = |(piece, square)| {
            let (side, kind) = (SIDES[piece / Kind::ALL.len()], Kind::ALL[piece % Kind::ALL.len()]);
            Some((Piece::new(side, kind), Square::new(square)?))
        };
        Self::new(PiecePlacement::of(pieces.filter_map(known)))
    }

    #[inline(always)]
    fn views(&self, balance: [i64; 2]) -> [View; 2] {
        SIDES.map(|side| {
            let general = self.pieces.of_kind(side, Kind::General).first().map_or(0, Square::index);
            Xiangqi689::view(side, general, balance[side.index()])
        })
    }

    #[inline(always)]
    fn piece_count(&self) -> usize {
        self.pieces.occupancy().all.count() as usize
    }

    #[inline(always)]
    fn compare(&self, old: &Self, views: [View; 2], mut change: impl FnMut(bool, [usize; 2])) {
        let differences: Bitboard =
            self.pieces.differences(&old.pieces) | self.threats.differences(&old.threats);
        for square in differences {
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
        (Xiangqi689::INPUTS..<Self as BoardFeatures<Xiangqi689>>::INPUTS).collect()
    }
}
