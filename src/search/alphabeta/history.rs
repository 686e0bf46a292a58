//! What earlier nodes taught about moves and evaluations.
//!
//! All tables are flat boxes whose stride is the game's constant, because stable Rust has no
//! `[i16; G::SQUARES]`. Entries follow the "gravity" rule: the nearer to the limit, the less they move.
//! Sources: <https://www.chessprogramming.org/History_Heuristic>,
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>.

use crate::game::{AlphaBetaGame, Side};
use std::marker::PhantomData;

/// Limit of quiet, capture and continuation histories.
pub const HISTORY_MAX: i32 = 16_384;
/// Limit of correction histories; [`CORRECTION_UNIT`] says what an entry is worth.
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
pub struct Played(u32);

impl Played {
    /// Piece and target.
    #[inline(always)]
    pub fn piece_to<G: AlphaBetaGame>(self) -> PieceTo {
        PieceTo(self.0 % (G::PIECES * G::SQUARES) as u32)
    }

    /// The target square.
    #[inline(always)]
    pub fn target<G: AlphaBetaGame>(self) -> usize {
        self.0 as usize % G::SQUARES
    }
}

/// A quiet move by its squares and the threats to them: a cell of the history of quiet moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuietIndex(u32);

/// What a node at hand knows that orders its moves.
#[derive(Clone, Copy)]
pub struct Context {
    /// The last moves at 1, 2, 4 and 6 plies back, if any.
    pub previous: [Option<Played>; 4],
    /// Plies from the root.
    pub ply: usize,
    /// Squares attacked by lesser pieces.
    pub threats: [u64; 2],
    /// Row of the pawn history.
    pub pawn_row: u32,
    /// Order bonus of a quiet move that takes a piece out of danger, for each centipawn of the piece.
    pub escape: i32,
    /// Order bonus of a quiet move that gives check and loses no piece.
    pub check: i32,
    /// Weight of the history of moves near the root, at the root itself.
    pub low_ply: i32,
}

/// Centipawns that a check may lose in exchanges and still be ordered as one.
const CHECK_MAY_LOSE: i32 = 75;

/// Share of a bonus, in thirds, that the continuation of each of [`Context::previous`] learns: the further back the move,
/// the less the answer has to do with it.
const CONTINUATION_SHARE: [i32; 4] = [3, 3, 2, 2];
/// Moves 4 and 6 plies back count this many times less than those 1 and 2 plies back, where quiet moves are ordered.
const FAR_CONTINUATION_DIVISOR: i32 = 2;

/// Weights of the corrections by pawns, White's pieces, Black's pieces, material, in units of [`CORRECTION_UNIT`]. The same
/// material stands in the most different positions, so that it says the least.
const CORRECTION_WEIGHT: [i32; 4] = [5, 5, 5, 3];
/// Weight of the correction by the last two moves.
const CORRECTION_CONTINUATION_WEIGHT: i32 = 5;
/// Entries times weights that make a centipawn.
const CORRECTION_UNIT: i32 = 128;
/// Centipawns times depth that an entry learns as one.
const CORRECTION_DEPTH: i32 = 8;
/// Most that an entry learns at a time, as a share of its limit: one tactical surprise is no rule.
const CORRECTION_STEPS: i32 = 4;

/// The tables of one thread.
pub struct Histories<G> {
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
    game: PhantomData<G>,
}

impl<G: AlphaBetaGame> Default for Histories<G> {
    fn default() -> Self {
        let piece_to = G::PIECES * G::SQUARES;
        Self {
            quiet: zeros(2 * G::SQUARES * G::SQUARES * 4),
            low_ply: zeros(LOW_PLIES * G::SQUARES * G::SQUARES),
            capture: zeros(piece_to * G::PIECES / 2),
            pawn: zeros(PAWN_KEYS * piece_to),
            continuation: zeros(2 * piece_to * piece_to),
            no_continuation: zeros(piece_to),
            correction: std::array::from_fn(|_| zeros(2 * CORRECTION_KEYS)),
            correction_continuation: zeros(piece_to * piece_to),
            game: PhantomData,
        }
    }
}

fn on(words: [u64; 2], square: usize) -> usize {
    (words[square / 64] >> (square % 64) & 1) as usize
}

impl<G: AlphaBetaGame> Histories<G> {
    /// Bytes of all tables.
    pub fn bytes() -> usize {
        let piece_to = G::PIECES * G::SQUARES;
        let from_to = (2 * 4 + LOW_PLIES) * G::SQUARES * G::SQUARES;
        let small = from_to + piece_to * G::PIECES / 2 + 8 * CORRECTION_KEYS;
        size_of::<i16>() * (small + PAWN_KEYS * piece_to + 3 * piece_to * piece_to)
    }

    /// Forgets everything.
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

    /// The row of a move that is about to be made.
    #[inline(always)]
    pub fn played(pos: &G, mv: G::Move) -> Played {
        let PieceTo(index) = Self::piece_to(pos, mv);
        Played(index + u32::from(pos.is_capture(mv)) * (G::PIECES * G::SQUARES) as u32)
    }

    /// The index of a move's piece and target.
    #[inline(always)]
    pub fn piece_to(pos: &G, mv: G::Move) -> PieceTo {
        PieceTo((pos.moving_piece(mv) * G::SQUARES + pos.from_to(mv).1) as u32)
    }

    /// The row of the pawn history for `pos`.
    #[inline(always)]
    pub fn pawn_row(pos: &G) -> u32 {
        pos.pawn_key() as u32 % PAWN_KEYS as u32
    }

    /// The index of a quiet move in the history by squares.
    #[inline(always)]
    pub fn quiet_index(pos: &G, mv: G::Move, threats: [u64; 2]) -> QuietIndex {
        let (from, to) = pos.from_to(mv);
        let side = pos.side_to_move().index();
        let squares = (side * G::SQUARES + from) * G::SQUARES + to;
        QuietIndex((squares * 4 + on(threats, from) * 2 + on(threats, to)) as u32)
    }

    #[inline(always)]
    fn capture_index(pos: &G, mv: G::Move) -> usize {
        let PieceTo(row) = Self::piece_to(pos, mv);
        row as usize * (G::PIECES / 2) + pos.captured_kind(mv).unwrap_or(0)
    }

    #[inline(always)]
    fn continuation_index(previous: Played, current: PieceTo) -> usize {
        previous.0 as usize * (G::PIECES * G::SQUARES) + current.0 as usize
    }

    /// The cell of the correction by the last two moves.
    #[inline(always)]
    fn correction_index(before: Played, last: Played) -> usize {
        let (PieceTo(before), PieceTo(last)) = (before.piece_to::<G>(), last.piece_to::<G>());
        before as usize * (G::PIECES * G::SQUARES) + last as usize
    }

    /// Where the history near the root has the quiet moves of a ply, by squares; empty further down.
    #[inline(always)]
    fn low_ply_row(ply: usize) -> std::ops::Range<usize> {
        let width = G::SQUARES * G::SQUARES;
        ply.min(LOW_PLIES) * width..(ply + 1).min(LOW_PLIES) * width
    }

    #[inline(always)]
    fn squares_index(pos: &G, mv: G::Move) -> usize {
        let (from, to) = pos.from_to(mv);
        from * G::SQUARES + to
    }

    /// The worth of a node's quiet moves: higher is tried earlier.
    #[inline]
    pub fn quiet_scores<'a>(&'a self, pos: &'a G, context: &'a Context) -> impl Fn(G::Move) -> i32 + 'a {
        let width = G::PIECES * G::SQUARES;
        let threats = context.threats;
        let gives_check = pos.check_test();
        // Histories learn that a move saves a piece only after the piece was lost once, and late-move pruning may have cut
        // that move before: docs/lab/order-by-danger.md.
        let urgency = move |mv| {
            let (from, to) = pos.from_to(mv);
            let escapes = on(threats, from) > on(threats, to);
            let value = if escapes { G::piece_value(pos.moving_piece(mv) % (G::PIECES / 2)) } else { 0 };
            let checks = context.check > 0 && gives_check(mv) && pos.see_ge(mv, -CHECK_MAY_LOSE);
            context.escape * value + if checks { context.check } else { 0 }
        };
        let pawn = &self.pawn[context.pawn_row as usize * width..][..width];
        let [one, two, four, six] = context.previous.map(|previous| match previous {
            Some(Played(row)) => &self.continuation[row as usize * width..][..width],
            None => &self.no_continuation[..width],
        });
        let low_ply = &self.low_ply[Self::low_ply_row(context.ply)];
        let low_ply_weight = context.low_ply / (1 + context.ply as i32);
        move |mv| {
            let to = Self::piece_to(pos, mv).0 as usize;
            let quiet = i32::from(self.quiet[Self::quiet_index(pos, mv, threats).0 as usize]);
            let near = i32::from(one[to]) + i32::from(two[to]);
            let far = i32::from(four[to]) + i32::from(six[to]);
            let near_root = low_ply.get(Self::squares_index(pos, mv)).map_or(0, |&cell| i32::from(cell));
            quiet
                + i32::from(pawn[to])
                + near
                + far / FAR_CONTINUATION_DIVISOR
                + urgency(mv)
                + low_ply_weight * near_root
        }
    }

    /// What the first two continuation tables say of a move: the part that prunes.
    #[inline]
    pub fn continuation_score(&self, pos: &G, mv: G::Move, context: &Context) -> i32 {
        let current = Self::piece_to(pos, mv);
        let known = context.previous[..2].iter().flatten();
        known.map(|&p| i32::from(self.continuation[Self::continuation_index(p, current)])).sum()
    }

    /// Worth of a capture, victim not counted.
    #[inline]
    pub fn capture_score(&self, pos: &G, mv: G::Move) -> i32 {
        i32::from(self.capture[Self::capture_index(pos, mv)])
    }

    /// Rewards (or, when negative, punishes) a quiet move.
    pub fn update_quiet(&mut self, pos: &G, mv: G::Move, context: &Context, bonus: i32) {
        self.update_squares(Self::quiet_index(pos, mv, context.threats), bonus);
        if let Some(cell) = self.low_ply[Self::low_ply_row(context.ply)].get_mut(Self::squares_index(pos, mv))
        {
            gravitate(cell, bonus, HISTORY_MAX);
        }
        let current = Self::piece_to(pos, mv);
        let pawn = context.pawn_row as usize * G::PIECES * G::SQUARES + current.0 as usize;
        gravitate(&mut self.pawn[pawn], bonus, HISTORY_MAX);
        self.update_continuation(&context.previous, current, bonus);
    }

    /// Rewards a quiet move by its squares alone.
    pub fn update_squares(&mut self, QuietIndex(index): QuietIndex, bonus: i32) {
        gravitate(&mut self.quiet[index as usize], bonus, HISTORY_MAX);
    }

    /// Rewards a piece on a square as the answer to the moves before it: see [`Context::previous`].
    pub fn update_continuation(&mut self, previous: &[Option<Played>; 4], current: PieceTo, bonus: i32) {
        for (previous, thirds) in previous.iter().zip(CONTINUATION_SHARE) {
            if let Some(previous) = *previous {
                let cell = &mut self.continuation[Self::continuation_index(previous, current)];
                gravitate(cell, bonus * thirds / 3, HISTORY_MAX);
            }
        }
    }

    /// Rewards a capture.
    pub fn update_capture(&mut self, pos: &G, mv: G::Move, bonus: i32) {
        gravitate(&mut self.capture[Self::capture_index(pos, mv)], bonus, HISTORY_MAX);
    }

    #[inline(always)]
    fn correction_indices(pos: &G) -> [usize; 4] {
        let side = pos.side_to_move().index() * CORRECTION_KEYS;
        [pos.pawn_key(), pos.non_pawn_key(Side::First), pos.non_pawn_key(Side::Second), pos.material_key()]
            .map(|key| side + key as usize % CORRECTION_KEYS)
    }

    /// What to add to the static evaluation, in centipawns.
    #[inline]
    pub fn correction(&self, pos: &G, context: &Context) -> i32 {
        let mut sum = 0;
        let cells = self.correction.iter().zip(Self::correction_indices(pos));
        for ((table, index), weight) in cells.zip(CORRECTION_WEIGHT) {
            sum += weight * i32::from(table[index]);
        }
        if let [Some(last), Some(before), ..] = context.previous {
            let cell = self.correction_continuation[Self::correction_index(before, last)];
            sum += CORRECTION_CONTINUATION_WEIGHT * i32::from(cell);
        }
        sum / CORRECTION_UNIT
    }

    /// Learns that the search found `difference` centipawns more than the evaluation, at `depth`.
    pub fn update_correction(&mut self, pos: &G, context: &Context, difference: i32, depth: i32) {
        let limit = CORRECTION_MAX;
        let bonus = (difference * depth / CORRECTION_DEPTH)
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
