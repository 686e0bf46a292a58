//! The accumulator of nets with inputs that one move changes all over the board ([`BoardFeatures`]): instead
//! of following moves it compares the board with that of an earlier ply, or with the last one of the same
//! view.

use super::{LONGEST_CHAIN, Output, SIDES};
use crate::game::{AlphaBetaGame, Side};
use crate::nnue::features::{BoardFeatures, FeatureSet, View};
use crate::nnue::net::{Net, NetInfo};
use crate::nnue::simd::Kernel;
use crate::util::aligned::Aligned;
use arrayvec::ArrayVec;

#[derive(Clone)]
struct Ply<F: FeatureSet> {
    /// Whether the rest, and the accumulators of both sides, are up to date.
    accurate: bool,
    board: F::Board,
    views: [View; 2],
    /// By side: sum of [`FeatureSet::lateral`]; always up to date.
    balance: [i64; 2],
}

impl<F: FeatureSet> Default for Ply<F> {
    fn default() -> Self {
        Self { accurate: false, board: F::Board::default(), views: [View::default(); 2], balance: [0; 2] }
    }
}

/// A board that a view saw, and its accumulator.
#[derive(Clone)]
struct Remembered<F: FeatureSet> {
    board: F::Board,
    lanes: Aligned<i16>,
}

/// The accumulators of the plies since the root.
#[derive(Clone)]
pub(super) struct BoardAccumulator<F: FeatureSet> {
    plies: Vec<Ply<F>>,
    /// The last ply of `plies` in use.
    top: usize,
    /// `[ply][side][hidden]`.
    lanes: Aligned<i16>,
    /// By side, mirroring and king bucket.
    cache: Vec<Option<Remembered<F>>>,
}

/// Maximum number of rows by which two boards differ in one direction.
const MAX_ROWS: usize = 192;

type Rows = ArrayVec<u32, MAX_ROWS>;

/// The difference of two boards in the views of both sides: rows to add to their accumulators, and rows to
/// take away.
#[derive(Default)]
struct RowChanges {
    added: [Rows; 2],
    removed: [Rows; 2],
}

impl RowChanges {
    /// Adds the differences between `old` and `new`.
    #[inline(always)]
    fn note<F: FeatureSet>(&mut self, info: &NetInfo, views: [View; 2], old: &F::Board, new: &F::Board) {
        const { assert!(F::Board::MAX_ACTIVE <= MAX_ROWS) };
        let first = views.map(|view| info.first_row::<F>(view));
        new.compare(old, views, |appears, inputs| {
            let rows = if appears { &mut self.added } else { &mut self.removed };
            for side in [0, 1] {
                rows[side].push((first[side] + inputs[side]) as u32);
            }
        });
    }
}

impl<F: FeatureSet> BoardAccumulator<F> {
    pub fn new(info: &NetInfo) -> Self {
        Self {
            plies: vec![Ply::default()],
            top: 0,
            lanes: Aligned::zeroed(2 * info.hidden),
            cache: vec![None; 4 * info.king_buckets()],
        }
    }

    /// Forgets the moves seen so far: `pos` is the new root.
    pub fn reset(&mut self, pos: &F::Game) {
        self.top = 0;
        (self.plies[0].accurate, self.plies[0].balance) = (false, [0; 2]);
        if F::HAS_LATERAL {
            pos.for_each_piece(|piece, square| self.shift::<1>(piece, square));
        }
    }

    /// A piece appears (`SIGN` 1) or disappears (-1).
    #[inline(always)]
    pub fn shift<const SIGN: i64>(&mut self, piece: usize, square: usize) {
        if F::HAS_LATERAL {
            let ply = &mut self.plies[self.top];
            SIDES.into_iter().for_each(|side| {
                ply.balance[side.index()] += SIGN * F::lateral(side, piece, square);
            });
        }
    }

    /// A move is about to be made.
    #[inline]
    pub fn push(&mut self, hidden: usize) {
        self.top += 1;
        if self.top == self.plies.len() {
            self.plies.push(Ply::default());
            self.lanes.resize((self.top + 1) * 2 * hidden);
        }
        let balance = self.plies[self.top - 1].balance;
        (self.plies[self.top].accurate, self.plies[self.top].balance) = (false, balance);
    }

    #[inline]
    pub fn pop(&mut self) {
        self.top = self.top.saturating_sub(1);
    }

    /// Makes both accumulators of the last ply accurate.
    #[inline]
    pub fn update(&mut self, net: &Net<F>, kernel: Kernel, pos: &F::Game) -> Output<'_> {
        let top = self.top;
        if !self.plies[top].accurate {
            let board = F::Board::of_position(pos);
            let balance = self.plies[top].balance;
            let views = board.views(balance);
            self.plies[top] = Ply { accurate: true, board, views, balance };
            let first = top.saturating_sub(LONGEST_CHAIN);
            let base = (first..top).rev().find(|&ply| self.plies[ply].accurate);
            let same_view = |base: usize, side: usize| self.plies[base].views[side] == views[side];
            let followed = SIDES.map(|side| base.is_some_and(|base| same_view(base, side.index())));
            if let Some(base) = base.filter(|_| followed != [false; 2]) {
                self.follow(base, followed, net, kernel);
            }
            for side in SIDES.into_iter().filter(|side| !followed[side.index()]) {
                self.refresh(side, net, kernel);
            }
        }
        let hidden = net.info().hidden;
        let (first, second) = self.lanes[2 * top * hidden..][..2 * hidden].split_at(hidden);
        Output { lanes: [first, second], pieces: self.plies[top].board.piece_count() }
    }

    /// Computes those accumulators of the last ply that `wanted` names from the ones of `base`.
    #[inline]
    fn follow(&mut self, base: usize, wanted: [bool; 2], net: &Net<F>, kernel: Kernel) {
        let (info, top) = (net.info(), &self.plies[self.top]);
        let mut rows = RowChanges::default();
        rows.note::<F>(info, top.views, &self.plies[base].board, &top.board);
        let (before, after) = self.lanes.split_at_mut(2 * self.top * info.hidden);
        for side in SIDES.map(Side::index).into_iter().filter(|&side| wanted[side]) {
            let from = &before[(2 * base + side) * info.hidden..][..info.hidden];
            let to = &mut after[side * info.hidden..][..info.hidden];
            kernel.accumulate(to, from, &net.inputs, &rows.added[side], &rows.removed[side]);
        }
    }

    /// Computes the accumulator of the last ply from the board that its view saw last.
    #[cold]
    fn refresh(&mut self, side: Side, net: &Net<F>, kernel: Kernel) {
        let (info, side, top) = (net.info(), side.index(), &self.plies[self.top]);
        let view = top.views[side];
        let bucket = usize::from(info.king_map[usize::from(view.king)]);
        let slot = &mut self.cache[4 * bucket + 2 * usize::from(view.mirrored) + side];
        let last =
            slot.get_or_insert_with(|| Remembered { board: F::Board::default(), lanes: net.bias.clone() });
        let mut rows = RowChanges::default();
        rows.note::<F>(info, top.views, &last.board, &top.board);
        last.board.clone_from(&top.board);
        kernel.accumulate_in_place(&mut last.lanes, &net.inputs, &rows.added[side], &rows.removed[side]);
        let at = (2 * self.top + side) * info.hidden;
        self.lanes[at..at + info.hidden].copy_from_slice(&last.lanes);
    }
}
