//! Accumulators of nets with threats: one move changes states of pieces all over the board, so instead of following
//! its changes the whole board is compared with the one before.

use super::{Evaluator, LONGEST_CHAIN, SIDES};
use crate::game::{AlphaBetaGame, Side, Snapshot};
use crate::nnue::features::{FeatureSet, View};
use crate::nnue::net::Info;
use crate::nnue::threats::{MOTIFS, Threats, bits};
use crate::nnue::weights::Aligned;
use arrayvec::ArrayVec;

/// A board as the net sees it.
#[derive(Clone, Default)]
pub(super) struct Seen {
    pieces: Snapshot,
    threats: Threats,
}

/// A board that a view saw, and its accumulator.
#[derive(Clone)]
pub(super) struct Remembered {
    seen: Seen,
    lanes: Aligned<i16>,
}

/// One for each square and for each motif of both sides.
const MOST_ROWS: usize = 64 + 2 * MOTIFS;

type Rows = ArrayVec<u32, MOST_ROWS>;

/// What two boards differ by, in the views of both sides: rows to add to their accumulators, and rows to take away.
#[derive(Default)]
struct Difference {
    added: [Rows; 2],
    removed: [Rows; 2],
}

impl Difference {
    /// Notes what `new` has and `old` has not, and the other way round.
    #[inline(always)]
    fn note<F: FeatureSet>(&mut self, info: &Info, views: [View; 2], old: &Seen, new: &Seen) {
        let first = views.map(|view| info.first_row::<F>(view));
        let push = |rows: &mut [Rows; 2], of_side: [usize; 2]| {
            for side in [0, 1] {
                rows[side].push((first[side] + of_side[side]) as u32);
            }
        };
        let rows_of = |seen: &Seen, square: usize| {
            let piece = usize::from(seen.pieces.squares[square]) % (2 * F::KINDS);
            let block = seen.threats.state(square) * F::INPUTS;
            SIDES.map(|side| block + F::input(side, views[side.index()].mirrored, piece, square))
        };
        for square in bits(old.pieces.differences(&new.pieces) | old.threats.differences(&new.threats)) {
            if old.pieces.squares[square] != Snapshot::EMPTY {
                push(&mut self.removed, rows_of(old, square));
            }
            if new.pieces.squares[square] != Snapshot::EMPTY {
                push(&mut self.added, rows_of(new, square));
            }
        }
        for by in SIDES {
            let (before, after) = (old.threats.motifs(by), new.threats.motifs(by));
            for motif in bits(before ^ after) {
                let rows = if after >> motif & 1 != 0 { &mut self.added } else { &mut self.removed };
                push(rows, SIDES.map(|side| F::motif_row(side, by, motif)));
            }
        }
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
        let threats = F::threats(&pieces.sets);
        if self.seen.len() <= top {
            self.seen.resize(top + 1, Seen::default());
        }
        self.seen[top] = Seen { pieces, threats };
        let first = top.saturating_sub(LONGEST_CHAIN);
        let base = (first..top).rev().find(|&ply| self.plies[ply].accurate == [true; 2]);
        let views = SIDES.map(|side| self.plies[top].view::<F>(side));
        let same_view = |base: usize, side: Side| self.plies[base].view::<F>(side) == views[side.index()];
        let followed = SIDES.map(|side| base.is_some_and(|base| same_view(base, side)));
        if let Some(base) = base.filter(|_| followed != [false; 2]) {
            self.follow(base, views, followed);
        }
        for side in SIDES.into_iter().filter(|side| !followed[side.index()]) {
            self.refresh_by_board(side, views);
        }
        self.plies[top].accurate = [true; 2];
    }

    /// Computes those accumulators of the last ply that `wanted` names from the ones of `base`.
    #[inline]
    fn follow(&mut self, base: usize, views: [View; 2], wanted: [bool; 2]) {
        let info = self.net.info();
        let mut rows = Difference::default();
        rows.note::<F>(info, views, &self.seen[base], &self.seen[self.top]);
        let (before, after) = self.lanes.split_at_mut(2 * self.top * info.hidden);
        for side in SIDES.map(Side::index).into_iter().filter(|&side| wanted[side]) {
            let from = &before[(2 * base + side) * info.hidden..][..info.hidden];
            let to = &mut after[side * info.hidden..][..info.hidden];
            self.kernel.accumulate(to, from, &self.net.inputs, &rows.added[side], &rows.removed[side]);
        }
    }

    /// Computes the accumulator of the last ply from the board that its view saw last.
    #[cold]
    fn refresh_by_board(&mut self, side: Side, views: [View; 2]) {
        let (net, seen, view) = (&self.net, &self.seen[self.top], views[side.index()]);
        let (info, side) = (net.info(), side.index());
        let bucket = usize::from(info.king_map[usize::from(view.king)]);
        let slot = &mut self.seen_last[4 * bucket + 2 * usize::from(view.mirrored) + side];
        let last = slot.get_or_insert_with(|| Remembered { seen: Seen::default(), lanes: net.bias.clone() });
        let mut rows = Difference::default();
        rows.note::<F>(info, views, &last.seen, seen);
        last.seen.clone_from(seen);
        self.kernel.accumulate_in_place(&mut last.lanes, &net.inputs, &rows.added[side], &rows.removed[side]);
        let at = (2 * self.top + side) * info.hidden;
        self.lanes[at..at + info.hidden].copy_from_slice(&last.lanes);
    }
}
