//! The accumulator of nets whose inputs are pieces on squares: it follows the moves.
//!
//! Making a move only notes which pieces came and went. When an evaluation is wanted, the notes since the
//! last accurate accumulator are applied. A side whose view turned (its king crossed the middle or changed
//! bucket) starts from the refresh cache: the accumulator and the board of the last time this view was seen.

use super::{LONGEST_CHAIN, Output, SIDES};
use crate::game::{AlphaBetaGame, Observer, Side};
use crate::nnue::features::{FeatureSet, View};
use crate::nnue::net::{Net, NetInfo};
use crate::nnue::simd::Kernel;
use crate::util::aligned::Aligned;
use arrayvec::ArrayVec;
use std::marker::PhantomData;

/// Pieces that appear in a move, and that disappear: castling has two of each. More, which no move of the
/// games here has, mean starting from the board.
const MAX_CHANGES: usize = 4;
const EMPTY: u8 = u8::MAX;
/// Room for the squares of either game, in whole words.
const SQUARES: usize = 96;

/// Pieces and their squares.
type Changes = ArrayVec<(u8, u8), MAX_CHANGES>;

#[derive(Clone)]
struct Ply {
    added: Changes,
    removed: Changes,
    /// Whether more changed than the lists hold.
    overflow: bool,
    /// By side: whether its accumulator is up to date.
    accurate: [bool; 2],
    /// By side: square of its king.
    king: [u8; 2],
    /// By side: sum of [`FeatureSet::lateral`].
    balance: [i64; 2],
    pieces: u8,
}

impl Ply {
    const fn empty() -> Self {
        Self {
            added: ArrayVec::new_const(),
            removed: ArrayVec::new_const(),
            overflow: false,
            accurate: [false; 2],
            king: [0; 2],
            balance: [0; 2],
            pieces: 0,
        }
    }

    fn view<F: FeatureSet>(&self, side: Side) -> View {
        F::view(side, self.king[side.index()].into(), self.balance[side.index()])
    }

    #[inline(always)]
    fn follow<F: FeatureSet>(&mut self, piece: usize, square: usize, appears: bool) {
        self.pieces = if appears { self.pieces.wrapping_add(1) } else { self.pieces.wrapping_sub(1) };
        if F::HAS_LATERAL {
            for side in SIDES {
                let weight = F::lateral(side, piece, square);
                self.balance[side.index()] += if appears { weight } else { -weight };
            }
        }
    }
}

/// The board as one view saw it last, and its accumulator.
#[derive(Clone)]
struct Remembered {
    board: [u8; SQUARES],
    lanes: Aligned<i16>,
}

/// The accumulators of the plies since the root.
#[derive(Clone)]
pub(super) struct MoveAccumulator<F> {
    plies: Vec<Ply>,
    /// The last ply of `plies` in use.
    top: usize,
    /// `[ply][side][hidden]`.
    lanes: Aligned<i16>,
    /// By side, mirroring and king bucket.
    cache: Vec<Option<Remembered>>,
    features: PhantomData<F>,
}

impl<F: FeatureSet> MoveAccumulator<F> {
    pub fn new(info: &NetInfo) -> Self {
        Self {
            plies: vec![Ply::empty()],
            top: 0,
            lanes: Aligned::zeroed(2 * info.hidden),
            cache: vec![None; 4 * info.king_buckets()],
            features: PhantomData,
        }
    }

    /// Forgets the moves seen so far: `pos` is the new root.
    pub fn reset(&mut self, pos: &F::Game) {
        self.top = 0;
        let mut root = Ply::empty();
        pos.for_each_piece(|piece, square| {
            if piece % F::KINDS == F::KING {
                root.king[piece / F::KINDS] = square as u8;
            }
            root.follow::<F>(piece, square, true);
        });
        self.plies[0] = root;
    }

    /// A move is about to be made: its changes follow.
    #[inline]
    pub fn push(&mut self, hidden: usize) {
        self.top += 1;
        if self.top == self.plies.len() {
            self.plies.push(Ply::empty());
            self.lanes.resize((self.top + 1) * 2 * hidden);
        }
        let (before, after) = self.plies.split_at_mut(self.top);
        let (before, after) = (&before[self.top - 1], &mut after[0]);
        after.added.clear();
        after.removed.clear();
        after.overflow = false;
        after.accurate = [false; 2];
        (after.king, after.balance, after.pieces) = (before.king, before.balance, before.pieces);
    }

    #[inline]
    pub fn pop(&mut self) {
        self.top = self.top.saturating_sub(1);
    }

    /// Makes both accumulators of the last ply accurate.
    #[inline]
    pub fn update(&mut self, net: &Net<F>, kernel: Kernel, pos: &F::Game) -> Output<'_> {
        for side in SIDES {
            if self.plies[self.top].accurate[side.index()] {
                continue;
            }
            let view = self.plies[self.top].view::<F>(side);
            match self.last_accurate(side, view) {
                Some(base) => (base + 1..=self.top).for_each(|ply| self.apply(ply, side, view, net, kernel)),
                None => self.refresh(side, view, net, kernel, pos),
            }
        }
        let hidden = net.info().hidden;
        let (first, second) = self.lanes[2 * self.top * hidden..][..2 * hidden].split_at(hidden);
        Output { lanes: [first, second], pieces: self.plies[self.top].pieces.into() }
    }

    /// The last ply with an accurate accumulator from which changes lead here under the same view.
    fn last_accurate(&self, side: Side, view: View) -> Option<usize> {
        let first = self.top.saturating_sub(LONGEST_CHAIN);
        for ply in (first..self.top).rev() {
            if self.plies[ply + 1].overflow || self.plies[ply].view::<F>(side) != view {
                return None;
            }
            if self.plies[ply].accurate[side.index()] {
                return Some(ply);
            }
        }
        None
    }

    /// Computes the accumulator of `ply` from that of the ply before.
    fn apply(&mut self, ply: usize, side: Side, view: View, net: &Net<F>, kernel: Kernel) {
        let hidden = net.info().hidden;
        let first = net.info().first_row::<F>(view);
        let rows = |changes: &Changes| {
            let mut rows = ArrayVec::<u32, MAX_CHANGES>::new();
            for &(piece, square) in changes {
                rows.push((first + F::input(side, view.mirrored, piece.into(), square.into())) as u32);
            }
            rows
        };
        let changes = &mut self.plies[ply];
        changes.accurate[side.index()] = true;
        let (added, removed) = (rows(&changes.added), rows(&changes.removed));
        let (before, after) = self.lanes.split_at_mut(2 * ply * hidden);
        let from = &before[(2 * ply - 2 + side.index()) * hidden..][..hidden];
        let to = &mut after[side.index() * hidden..][..hidden];
        kernel.accumulate(to, from, &net.inputs, &added, &removed);
    }

    /// Computes the accumulator of the last ply from the cache of its view.
    #[cold]
    fn refresh(&mut self, side: Side, view: View, net: &Net<F>, kernel: Kernel, pos: &F::Game) {
        let hidden = net.info().hidden;
        let first = net.info().first_row::<F>(view);
        let slot = 2 * (first / F::INPUTS) + usize::from(view.mirrored);
        let cached = self.cache[2 * slot + side.index()]
            .get_or_insert_with(|| Remembered { board: [EMPTY; SQUARES], lanes: net.bias.clone() });
        let mut board = [EMPTY; SQUARES];
        pos.for_each_piece(|piece, square| board[square] = piece as u8);
        let (mut added, mut removed) = (ArrayVec::<u32, 128>::new(), ArrayVec::<u32, 128>::new());
        let words = cached.board.as_chunks::<8>().0.iter().zip(board.as_chunks::<8>().0).enumerate();
        for (word, (old, new)) in words.filter(|(_, (old, new))| old != new) {
            for (at, (&old, &new)) in old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new) {
                let square = 8 * word + at;
                let row = |piece: u8| (first + F::input(side, view.mirrored, piece.into(), square)) as u32;
                if old != EMPTY {
                    removed.push(row(old));
                }
                if new != EMPTY {
                    added.push(row(new));
                }
            }
        }
        cached.board = board;
        kernel.accumulate_in_place(&mut cached.lanes, &net.inputs, &added, &removed);
        let at = (2 * self.top + side.index()) * hidden;
        self.lanes[at..at + hidden].copy_from_slice(&cached.lanes);
        self.plies[self.top].accurate[side.index()] = true;
    }
}

impl<F: FeatureSet> Observer for MoveAccumulator<F> {
    #[inline(always)]
    fn added(&mut self, piece: usize, square: usize) {
        let ply = &mut self.plies[self.top];
        if piece % F::KINDS == F::KING {
            ply.king[piece / F::KINDS] = square as u8;
        }
        ply.follow::<F>(piece, square, true);
        ply.overflow |= ply.added.try_push((piece as u8, square as u8)).is_err();
    }

    #[inline(always)]
    fn removed(&mut self, piece: usize, square: usize) {
        let ply = &mut self.plies[self.top];
        ply.follow::<F>(piece, square, false);
        ply.overflow |= ply.removed.try_push((piece as u8, square as u8)).is_err();
    }
}
