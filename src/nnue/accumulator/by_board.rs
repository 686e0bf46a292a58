//! Accumulators of nets with states of pieces: one move changes states all over the board, so instead of following
//! its changes the whole board is compared with the one before.

use super::{Evaluator, LONGEST_CHAIN, SIDES};
use crate::game::{AlphaBetaGame, Side, Snapshot};
use crate::nnue::features::{FeatureSet, View};
use crate::nnue::net::Net;
use crate::nnue::threats::States;
use crate::nnue::weights::Aligned;
use arrayvec::ArrayVec;

/// A board as the net sees it.
#[derive(Clone, Default)]
pub(super) struct Seen {
    pieces: Snapshot,
    states: States,
}

/// A board that a view saw, and its accumulator.
#[derive(Clone)]
pub(super) struct Remembered {
    seen: Seen,
    lanes: Aligned<i16>,
}

/// Rows to add to an accumulator and rows to take away from it.
struct Rows {
    added: ArrayVec<u32, 64>,
    removed: ArrayVec<u32, 64>,
}

impl Rows {
    /// Those by which `new` differs from `old` in a view of `side`.
    #[inline(always)]
    fn between<F: FeatureSet>(net: &Net<F>, old: &Seen, new: &Seen, side: Side, view: View) -> Self {
        let first = net.info().first_row::<F>(view);
        let row = |seen: &Seen, square: usize| {
            let piece = usize::from(seen.pieces.squares[square]);
            let input = F::input(side, view.mirrored, piece % (2 * F::KINDS), square);
            (first + seen.states.of(square) * F::INPUTS + input) as u32
        };
        let mut rows = Self { added: ArrayVec::new(), removed: ArrayVec::new() };
        let mut changed = old.pieces.differences(&new.pieces) | old.states.differences(new.states);
        while changed != 0 {
            let square = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            if old.pieces.squares[square] != Snapshot::EMPTY {
                rows.removed.push(row(old, square));
            }
            if new.pieces.squares[square] != Snapshot::EMPTY {
                rows.added.push(row(new, square));
            }
        }
        rows
    }
}

impl<F: FeatureSet> Evaluator<F> {
    /// Makes both accumulators of the last ply accurate.
    pub(super) fn update_by_board<G: AlphaBetaGame>(&mut self, pos: &G) {
        let top = self.top;
        if self.plies[top].accurate == [true; 2] {
            return;
        }
        let pieces = pos.snapshot();
        let states = F::states(&pieces.sets);
        if self.seen.len() <= top {
            self.seen.resize(top + 1, Seen::default());
        }
        self.seen[top] = Seen { pieces, states };
        let first = top.saturating_sub(LONGEST_CHAIN);
        let base = (first..top).rev().find(|&ply| self.plies[ply].accurate == [true; 2]);
        for side in SIDES {
            let view = self.plies[top].view::<F>(side);
            match base.filter(|&base| self.plies[base].view::<F>(side) == view) {
                Some(base) => self.follow(base, side, view),
                None => self.refresh_by_board(side, view),
            }
            self.plies[top].accurate[side.index()] = true;
        }
    }

    /// Computes the accumulator of the last ply from that of `base`.
    #[inline]
    fn follow(&mut self, base: usize, side: Side, view: View) {
        let hidden = self.net.info().hidden;
        let rows = Rows::between(&self.net, &self.seen[base], &self.seen[self.top], side, view);
        let (before, after) = self.lanes.split_at_mut(2 * self.top * hidden);
        let from = &before[(2 * base + side.index()) * hidden..][..hidden];
        let to = &mut after[side.index() * hidden..][..hidden];
        self.kernel.accumulate(to, from, &self.net.inputs, &rows.added, &rows.removed);
    }

    /// Computes the accumulator of the last ply from the board that its view saw last.
    #[cold]
    fn refresh_by_board(&mut self, side: Side, view: View) {
        let (net, seen) = (&self.net, &self.seen[self.top]);
        let info = net.info();
        let bucket = usize::from(info.king_map[usize::from(view.king)]);
        let slot = &mut self.seen_last[4 * bucket + 2 * usize::from(view.mirrored) + side.index()];
        let last = slot.get_or_insert_with(|| Remembered { seen: Seen::default(), lanes: net.bias.clone() });
        let rows = Rows::between(net, &last.seen, seen, side, view);
        last.seen.clone_from(seen);
        self.kernel.accumulate_in_place(&mut last.lanes, &net.inputs, &rows.added, &rows.removed);
        let at = (2 * self.top + side.index()) * info.hidden;
        self.lanes[at..at + info.hidden].copy_from_slice(&last.lanes);
    }
}
