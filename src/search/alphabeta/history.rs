//! History tables: move ordering and corrections of the evaluation, learned from earlier nodes.
//!
//! All tables are flat boxes whose stride is a constant of the game, because stable Rust has no
//! `[i16; G::SQUARES]`. Updates have history gravity: the closer to the limit, the smaller the change.
//! Sources: <https://www.chessprogramming.org/History_Heuristic>,
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>.

use super::{Evaluator, Move};
use crate::game::{AlphaBetaGame, Game, Side};
use crate::tune::ONE;
use std::marker::PhantomData;

/// Limit of quiet, capture and continuation histories.
pub const HISTORY_MAX: i32 = 16_384;
/// Limit of correction histories: 1.0 of a weighted entry is a centipawn.
const CORRECTION_MAX: i32 = 1_024;
/// Entries of each keyed table and side; powers of two.
const CORRECTION_KEYS: usize = 1 << 14;
const PAWN_KEYS: usize = 512;
/// Plies from the root on whose moves have a history of their own.
const LOW_PLIES: usize = 4;

fn zeros(len: usize) -> Box<[i16]> {
    vec![0; len].into()
}

/// Moves `cell` towards `bonus`, never beyond `limit`.
#[inline(always)]
fn gravitate(cell: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    *cell += (bonus - i32::from(*cell) * bonus.abs() / limit) as i16;
}

/// A piece on its target square as one index: the column of a continuation history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u32);

/// A move that was made, by its piece, its target and whether it captured: the row of a continuation history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContHistRow(u32);

impl ContHistRow {
    #[inline(always)]
    pub fn piece_to<G: AlphaBetaGame>(self) -> PieceTo {
        PieceTo(self.0 % (G::PIECES * G::SQUARES) as u32)
    }

    #[inline(always)]
    pub fn target<G: AlphaBetaGame>(self) -> usize {
        self.0 as usize % G::SQUARES
    }
}

/// A quiet move by its squares and the threats to them: a cell of the history of quiet moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ButterflyIndex(u32);

/// The context of a node that orders its moves.
#[derive(Clone, Copy)]
pub struct Context {
    /// The last moves at 1, 2, 4 and 6 plies back, if any.
    pub previous: [Option<ContHistRow>; 4],
    /// Plies from the root.
    pub ply: usize,
    /// Squares attacked by lesser pieces.
    pub threats: [u64; 2],
    pub pawn_row: u32,
}

/// Centipawns that a check may lose in exchanges and still be ordered as one.
const CHECK_MAY_LOSE: i32 = 75;

/// The first ones of [`Context::previous`] that are near: 1 and 2 plies back.
const NEAR: usize = 2;
/// Share of a bonus, in thirds, that the continuation of a near move learns.
const NEAR_SHARE: i32 = 3;
/// Maximum update of an entry, as a share of its limit: one tactical surprise is no rule.
const CORRECTION_STEPS: i32 = 4;

/// The tables of one thread, for the game and by the numbers of `E`.
pub struct Histories<E> {
    quiet: Box<[i16]>,
    /// Quiet moves by ply and squares, for one search.
    low_ply: Box<[i16]>,
    capture: Box<[i16]>,
    pawn: Box<[i16]>,
    continuation: Box<[i16]>,
    /// The row of a continuation that does not exist.
    no_continuation: Box<[i16]>,
    correction: [Box<[i16]>; 4],
    correction_continuation: Box<[i16]>,
    evaluator: PhantomData<fn() -> E>,
}

impl<E: Evaluator> Default for Histories<E> {
    fn default() -> Self {
        let piece_to = Self::PIECE_TO;
        Self {
            quiet: zeros(2 * E::Game::SQUARES * E::Game::SQUARES * 4),
            low_ply: zeros(LOW_PLIES * E::Game::SQUARES * E::Game::SQUARES),
            capture: zeros(piece_to * E::Game::PIECES / 2),
            pawn: zeros(PAWN_KEYS * piece_to),
            continuation: zeros(2 * piece_to * piece_to),
            no_continuation: zeros(piece_to),
            correction: std::array::from_fn(|_| zeros(2 * CORRECTION_KEYS)),
            correction_continuation: zeros(piece_to * piece_to),
            evaluator: PhantomData,
        }
    }
}

fn on(words: [u64; 2], square: usize) -> usize {
    (words[square / 64] >> (square % 64) & 1) as usize
}

impl<E: Evaluator> Histories<E> {
    /// Pieces times squares: the width of a continuation history.
    const PIECE_TO: usize = E::Game::PIECES * E::Game::SQUARES;

    pub fn bytes() -> usize {
        let piece_to = Self::PIECE_TO;
        let from_to = (2 * 4 + LOW_PLIES) * E::Game::SQUARES * E::Game::SQUARES;
        let small = from_to + piece_to * E::Game::PIECES / 2 + 8 * CORRECTION_KEYS;
        size_of::<i16>() * (small + PAWN_KEYS * piece_to + 3 * piece_to * piece_to)
    }

    pub fn clear(&mut self) {
        self.begin();
        let tables = [&mut self.quiet, &mut self.capture, &mut self.pawn, &mut self.continuation];
        tables.into_iter().for_each(|t| t.fill(0));
        self.correction.iter_mut().for_each(|t| t.fill(0));
        self.correction_continuation.fill(0);
    }

    /// Forgets what belongs to one search.
    pub fn begin(&mut self) {
        self.low_ply.fill(0);
    }

    #[inline(always)]
    pub fn played(pos: &E::Game, mv: Move<E>) -> ContHistRow {
        let PieceTo(index) = Self::piece_to(pos, mv);
        ContHistRow(index + u32::from(pos.is_capture(mv)) * Self::PIECE_TO as u32)
    }

    /// The index of a move's piece and target.
    #[inline(always)]
    pub fn piece_to(pos: &E::Game, mv: Move<E>) -> PieceTo {
        PieceTo((pos.moving_piece(mv) * E::Game::SQUARES + pos.from_to(mv).1) as u32)
    }

    #[inline(always)]
    pub fn pawn_row(pos: &E::Game) -> u32 {
        pos.pawn_key() as u32 % PAWN_KEYS as u32
    }

    #[inline(always)]
    pub fn quiet_index(pos: &E::Game, mv: Move<E>, threats: [u64; 2]) -> ButterflyIndex {
        let (from, to) = pos.from_to(mv);
        let side = pos.side_to_move().index();
        let squares = (side * E::Game::SQUARES + from) * E::Game::SQUARES + to;
        ButterflyIndex((squares * 4 + on(threats, from) * 2 + on(threats, to)) as u32)
    }

    #[inline(always)]
    fn capture_index(pos: &E::Game, mv: Move<E>) -> usize {
        let PieceTo(row) = Self::piece_to(pos, mv);
        row as usize * (E::Game::PIECES / 2) + pos.captured_kind(mv).unwrap_or(0)
    }

    #[inline(always)]
    fn continuation_index(previous: ContHistRow, current: PieceTo) -> usize {
        previous.0 as usize * Self::PIECE_TO + current.0 as usize
    }

    /// The cell of the correction by the last two moves.
    #[inline(always)]
    fn correction_index(before: ContHistRow, last: ContHistRow) -> usize {
        let (PieceTo(before), PieceTo(last)) = (before.piece_to::<E::Game>(), last.piece_to::<E::Game>());
        before as usize * Self::PIECE_TO + last as usize
    }

    /// Where the history near the root has the quiet moves of a ply, by squares; empty further down.
    #[inline(always)]
    fn low_ply_row(ply: usize) -> std::ops::Range<usize> {
        let width = E::Game::SQUARES * E::Game::SQUARES;
        ply.min(LOW_PLIES) * width..(ply + 1).min(LOW_PLIES) * width
    }

    #[inline(always)]
    fn squares_index(pos: &E::Game, mv: Move<E>) -> usize {
        let (from, to) = pos.from_to(mv);
        from * E::Game::SQUARES + to
    }

    /// The worth of a node's quiet moves: higher is tried earlier.
    #[inline]
    pub fn quiet_scores<'a>(
        &'a self,
        pos: &'a E::Game,
        context: &'a Context,
    ) -> impl Fn(Move<E>) -> i32 + 'a {
        let (width, p) = (Self::PIECE_TO, E::PARAMS);
        let (escape, check) = (p.escape.get(), p.order_check.get());
        let threats = context.threats;
        let gives_check = pos.check_test();
        // Histories learn that a move saves a piece only after the piece was lost once, and late-move pruning
        // may have cut that move before: docs/lab/order-by-danger.md.
        let urgency = move |mv| {
            let (from, to) = pos.from_to(mv);
            let escapes = on(threats, from) > on(threats, to);
            let value =
                if escapes { E::Game::piece_value(pos.moving_piece(mv) % (E::Game::PIECES / 2)) } else { 0 };
            let checks = check > 0 && gives_check(mv) && pos.see_ge(mv, -CHECK_MAY_LOSE);
            escape * value + if checks { check } else { 0 }
        };
        let pawn = &self.pawn[context.pawn_row as usize * width..][..width];
        let [one, two, four, six] = context.previous.map(|previous| match previous {
            Some(ContHistRow(row)) => &self.continuation[row as usize * width..][..width],
            None => &self.no_continuation[..width],
        });
        let low_ply = &self.low_ply[Self::low_ply_row(context.ply)];
        let low_ply_weight = p.low_ply.get() / (1 + context.ply as i32);
        move |mv| {
            let to = Self::piece_to(pos, mv).0 as usize;
            let quiet = i32::from(self.quiet[Self::quiet_index(pos, mv, threats).0 as usize]);
            let near = i32::from(one[to]) + i32::from(two[to]);
            let far = i32::from(four[to]) + i32::from(six[to]);
            let near_root = low_ply.get(Self::squares_index(pos, mv)).map_or(0, |&cell| i32::from(cell));
            (quiet * p.order_squares.get()
                + i32::from(pawn[to]) * p.order_pawns.get()
                + near * p.order_near.get())
                / ONE
                + p.order_far.of(far)
                + urgency(mv)
                + low_ply_weight * near_root
        }
    }

    /// The first two continuation histories of a move: the part that prunes.
    #[inline]
    pub fn continuation_score(&self, pos: &E::Game, mv: Move<E>, context: &Context) -> i32 {
        let current = Self::piece_to(pos, mv);
        let known = context.previous[..NEAR].iter().flatten();
        known.map(|&p| i32::from(self.continuation[Self::continuation_index(p, current)])).sum()
    }

    /// Worth of a capture, victim not counted.
    #[inline]
    pub fn capture_score(&self, pos: &E::Game, mv: Move<E>) -> i32 {
        i32::from(self.capture[Self::capture_index(pos, mv)])
    }

    /// Rewards (or, when negative, punishes) a quiet move.
    pub fn update_quiet(&mut self, pos: &E::Game, mv: Move<E>, context: &Context, bonus: i32) {
        self.update_squares(Self::quiet_index(pos, mv, context.threats), bonus);
        if let Some(cell) = self.low_ply[Self::low_ply_row(context.ply)].get_mut(Self::squares_index(pos, mv))
        {
            gravitate(cell, bonus, HISTORY_MAX);
        }
        let current = Self::piece_to(pos, mv);
        let pawn = context.pawn_row as usize * Self::PIECE_TO + current.0 as usize;
        gravitate(&mut self.pawn[pawn], bonus, HISTORY_MAX);
        self.update_continuation(&context.previous, current, bonus);
    }

    /// Rewards a quiet move by its squares only.
    pub fn update_squares(&mut self, ButterflyIndex(index): ButterflyIndex, bonus: i32) {
        gravitate(&mut self.quiet[index as usize], bonus, HISTORY_MAX);
    }

    /// Rewards a piece on a square as the answer to the moves before it: see [`Context::previous`].
    pub fn update_continuation(&mut self, previous: &[Option<ContHistRow>; 4], current: PieceTo, bonus: i32) {
        for (back, previous) in previous.iter().enumerate() {
            if let Some(previous) = *previous {
                let thirds = if back < NEAR { NEAR_SHARE } else { E::PARAMS.far_share.get() };
                let cell = &mut self.continuation[Self::continuation_index(previous, current)];
                gravitate(cell, bonus * thirds / 3, HISTORY_MAX);
            }
        }
    }

    pub fn update_capture(&mut self, pos: &E::Game, mv: Move<E>, bonus: i32) {
        gravitate(&mut self.capture[Self::capture_index(pos, mv)], bonus, HISTORY_MAX);
    }

    #[inline(always)]
    fn correction_indices(pos: &E::Game) -> [usize; 4] {
        let side = pos.side_to_move().index() * CORRECTION_KEYS;
        [pos.pawn_key(), pos.non_pawn_key(Side::First), pos.non_pawn_key(Side::Second), pos.material_key()]
            .map(|key| side + key as usize % CORRECTION_KEYS)
    }

    /// What to add to the static evaluation, in centipawns.
    #[inline]
    pub fn correction(&self, pos: &E::Game, context: &Context) -> i32 {
        let p = E::PARAMS;
        let pieces = p.correction_pieces.get();
        let weights = [p.correction_pawns.get(), pieces, pieces, p.correction_material.get()];
        let mut sum = 0;
        let cells = self.correction.iter().zip(Self::correction_indices(pos));
        for ((table, index), weight) in cells.zip(weights) {
            sum += weight * i32::from(table[index]);
        }
        if let [Some(last), Some(before), ..] = context.previous {
            let cell = self.correction_continuation[Self::correction_index(before, last)];
            sum += p.correction_moves.get() * i32::from(cell);
        }
        sum / ONE
    }

    /// Learns that the search found `difference` centipawns more than the evaluation, at `depth`.
    pub fn update_correction(&mut self, pos: &E::Game, context: &Context, difference: i32, depth: i32) {
        let limit = CORRECTION_MAX;
        let bonus = (difference * depth / E::PARAMS.correction_depth.get())
            .clamp(-limit / CORRECTION_STEPS, limit / CORRECTION_STEPS);
        for (table, index) in self.correction.iter_mut().zip(Self::correction_indices(pos)) {
            gravitate(&mut table[index], bonus, limit);
        }
        if let [Some(last), Some(before), ..] = context.previous {
            gravitate(&mut self.correction_continuation[Self::correction_index(before, last)], bonus, limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_never_passes_the_limit() {
        let mut cell = 0i16;
        for _ in 0..1000 {
            gravitate(&mut cell, 5000, HISTORY_MAX);
        }
        assert!(i32::from(cell) <= HISTORY_MAX && cell > 15_000);
        for _ in 0..1000 {
            gravitate(&mut cell, -30_000, HISTORY_MAX);
        }
        assert!(i32::from(cell) >= -HISTORY_MAX && cell < -15_000);
    }
}
