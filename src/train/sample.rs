//! A training position in 32 bytes, so that a hundred million of them fit in memory and can be drawn at
//! random: a perfect shuffle without a tool.

use super::record::GameResult;
use crate::game::{AlphaBetaGame, Side};
use crate::nnue::net::NetInfo;
use crate::nnue::{BoardFeatures, FeatureSet};

/// The result of a position whose game went on with a random move later: the result does not count for it.
pub const NO_RESULT: u8 = 3;

/// Maximum pieces of a sample; no game here has more at the start.
pub const MAX_PIECES: usize = 32;

/// Maximum rows that a position activates for one side: a piece each, and the motifs of both sides.
pub const MAX_ACTIVE: usize = MAX_PIECES + 2 * 64;

/// A position seen from the side to move: its pieces come first and its home is at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct Sample {
    /// Squares that hold a piece, one bit each.
    occupied: [u32; 3],
    /// The piece on each occupied square, in order, four bits each.
    pieces: [u8; MAX_PIECES / 2],
    /// The score of the search, in centipawns.
    pub score: i16,
    /// How the game ended for the side to move: 0 lost, 1 drawn, 2 won, or [`NO_RESULT`].
    pub result: u8,
    pub count: u8,
}

const _: () = assert!(size_of::<Sample>() == 32);

/// The inputs of a net's first layer from one sample.
#[derive(Clone)]
pub struct Active {
    /// Rows of the side to move.
    pub own: [u16; MAX_ACTIVE],
    pub other: [u16; MAX_ACTIVE],
    pub count: usize,
}

impl Default for Active {
    fn default() -> Self {
        Self { own: [0; MAX_ACTIVE], other: [0; MAX_ACTIVE], count: 0 }
    }
}

impl Active {
    #[inline(always)]
    fn push(&mut self, [own, other]: [usize; 2]) {
        let at = self.count % MAX_ACTIVE;
        (self.own[at], self.other[at]) = (own as u16, other as u16);
        self.count += 1;
    }
}

impl Sample {
    /// Packs a position. `None`: it has more pieces than fit.
    pub fn new<F: FeatureSet, G: AlphaBetaGame>(pos: &G, score: i16, result: GameResult) -> Option<Self> {
        let us = pos.side_to_move();
        let mut board = [u8::MAX; 96];
        pos.for_each_piece(|piece, square| {
            board[F::turned(us, false, square)] = F::relative(us, piece) as u8;
        });
        let mut sample = Self { score, result: result_for(us, result), ..Self::default() };
        for (square, &piece) in board.iter().enumerate().filter(|(_, p)| **p != u8::MAX) {
            let at = usize::from(sample.count);
            *sample.pieces.get_mut(at / 2)? |= piece << (4 * (at % 2));
            sample.occupied[square / 32] |= 1 << (square % 32);
            sample.count += 1;
        }
        Some(sample)
    }

    /// The same position with [`NO_RESULT`].
    pub fn without_result(self) -> Self {
        Self { result: NO_RESULT, ..self }
    }

    /// The result in `0..=1`, if there was one.
    pub fn outcome(&self) -> Option<f32> {
        (self.result != NO_RESULT).then(|| f32::from(self.result) / 2.0)
    }

    /// Calls `each(piece, square)` for every piece, as the side to move sees them.
    #[inline(always)]
    pub fn for_each_piece(&self, mut each: impl FnMut(usize, usize)) {
        let mut at = 0;
        for (word, &bits) in self.occupied.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let piece = self.pieces[at / 2 % (MAX_PIECES / 2)] >> (4 * (at % 2)) & 15;
                each(piece.into(), 32 * word + bits.trailing_zeros() as usize);
                bits &= bits - 1;
                at += 1;
            }
        }
    }

    /// The rows of the first layer of a net as `info` describes it that the position switches on.
    pub fn active<F: FeatureSet>(&self, info: &NetInfo, out: &mut Active) {
        out.count = 0;
        let (mut kings, mut balance) = ([0; 2], [0; 2]);
        self.for_each_piece(|piece, square| {
            if piece % F::KINDS == F::KING {
                kings[usize::from(piece >= F::KINDS)] = square;
            }
            if F::HAS_LATERAL {
                balance[0] += F::lateral(Side::First, piece, square);
                balance[1] += F::lateral(Side::Second, piece, square);
            }
        });
        if info.threats {
            let mut pieces = arrayvec::ArrayVec::<_, MAX_PIECES>::new();
            self.for_each_piece(|piece, square| pieces.push((piece, square)));
            let board = F::Board::of_pieces(pieces.into_iter());
            let views = board.views(balance);
            let first = views.map(|view| info.first_row::<F>(view));
            board.compare(&F::Board::default(), views, |_, inputs| {
                out.push([first[0] + inputs[0], first[1] + inputs[1]]);
            });
            return;
        }
        let views = [Side::First, Side::Second].map(|s| F::view(s, kings[s.index()], balance[s.index()]));
        let first = views.map(|view| info.first_row::<F>(view));
        self.for_each_piece(|piece, square| {
            let row = |side: Side| {
                first[side.index()] + F::input(side, views[side.index()].mirrored, piece, square)
            };
            out.push([row(Side::First), row(Side::Second)]);
        });
    }
}

/// 0 lost, 1 drawn, 2 won for `side`.
const fn result_for(side: Side, result: GameResult) -> u8 {
    match side {
        Side::First => result as u8,
        Side::Second => 2 - result as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Chess768, Xiangqi689};
    use crate::game::Game;

    fn pieces_of(sample: &Sample) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        sample.for_each_piece(|p, s| found.push((p, s)));
        found
    }

    #[test]
    fn samples_are_seen_from_the_side_to_move() {
        let white = crate::chess::Board::from_fen("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1").unwrap();
        let black = crate::chess::Board::from_fen("4k3/pp6/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let sample = Sample::new::<Chess768, _>(&white, 150, GameResult::FirstWins).unwrap();
        assert_eq!(sample, Sample::new::<Chess768, _>(&black, 150, GameResult::SecondWins).unwrap());
        assert_eq!(pieces_of(&sample), [(5, 4), (0, 8), (0, 9), (11, 60)]);
        assert_eq!((sample.result, sample.count, sample.score), (2, 4, 150));
    }

    #[test]
    fn the_start_fits() {
        let sample =
            Sample::new::<Xiangqi689, _>(&crate::xiangqi::Board::start(), 0, GameResult::Draw).unwrap();
        assert_eq!(pieces_of(&sample).len(), 32);
        let mut active = Active::default();
        sample.active::<Xiangqi689>(&NetInfo::new(32, 1), &mut active);
        assert_eq!(active.count, 32);
        let sorted = |mut rows: [u16; MAX_ACTIVE]| {
            rows.sort_unstable();
            rows
        };
        // Both sides see the same in a symmetric position.
        assert_eq!(sorted(active.own), sorted(active.other));
        assert!(active.own.iter().all(|&row| row < 689));
    }
}
