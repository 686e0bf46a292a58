//! What alpha-beta keeps in the table. <https://www.chessprogramming.org/Transposition_Table>

use super::score::{EVAL_MAX, MATE, NONE, from_table, to_table};
use crate::game::AlphaBetaGame;
use crate::search::tt::Payload;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The node failed low: the score is an upper bound.
    Upper = 1,
    /// The node failed high: a lower bound.
    Lower = 2,
    /// Both.
    Exact = 3,
}

impl Bound {
    /// Whether a score under this bound proves something about `beta`: at least it, or less than it.
    #[inline(always)]
    pub const fn decides(self, score: i32, beta: i32) -> bool {
        if score >= beta { self as u8 & 2 != 0 } else { self as u8 & 1 != 0 }
    }
}

/// One position's entry: 16 bits of move, score and evaluation, 8 of depth, 8 of the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Best move, packed; 0 if none.
    pub mv: u16,
    /// Score relative to the node.
    pub score: i16,
    /// Static evaluation before correction, or [`NO_EVAL`].
    pub eval: i16,
    /// Depth searched; 0 is quiescence.
    pub depth: u8,
    /// Generation (5 bits), was a PV node (1), bound (2, 0 for none).
    meta: u8,
}

/// What a search found out about a node.
#[derive(Clone, Copy, Debug)]
pub struct NodeResult<M> {
    /// Its best move, if one is known.
    pub mv: Option<M>,
    /// Its score, relative to the root.
    pub score: i32,
    /// Its evaluation before correction, or [`NONE`].
    pub raw_eval: i32,
    /// How deeply it was searched; 0 is quiescence.
    pub depth: i32,
    pub bound: Bound,
    /// Whether it is, or ever was, in a principal variation.
    pub pv: bool,
}

/// [`Entry::eval`] when the node was in check.
pub const NO_EVAL: i16 = i16::MIN;

impl Entry {
    #[inline(always)]
    pub fn new<G: AlphaBetaGame>(finding: NodeResult<G::Move>, ply: usize, generation: u8) -> Self {
        Self {
            mv: finding.mv.map_or(0, G::pack),
            score: to_table(finding.score, ply),
            eval: if finding.raw_eval == NONE { NO_EVAL } else { finding.raw_eval as i16 },
            depth: finding.depth.clamp(0, 255) as u8,
            meta: generation << 3 | u8::from(finding.pv) << 2 | finding.bound as u8,
        }
    }

    /// The entry of a node that was not searched yet: only its evaluation.
    #[inline(always)]
    pub fn evaluated(raw_eval: i32, pv: bool, generation: u8) -> Self {
        // Without a bound the score means nothing. It is not 0, because no entry may be 0 in all.
        Self { mv: 0, score: 1, eval: raw_eval as i16, depth: 0, meta: generation << 3 | u8::from(pv) << 2 }
    }

    /// Its score relative to the root, if it has a [`bound`](Self::bound); see [`from_table`] for `reserve`.
    #[inline(always)]
    pub const fn score(self, ply: usize, reserve: i32) -> i32 {
        from_table(self.score, ply, reserve)
    }

    /// Its bound; none when only the evaluation is known.
    #[inline(always)]
    pub const fn bound(self) -> Option<Bound> {
        match self.meta & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        }
    }

    /// Whether the node ever was in a principal variation.
    #[inline(always)]
    pub const fn was_pv(self) -> bool {
        self.meta & 4 != 0
    }
}

impl Payload for Entry {
    #[inline(always)]
    fn pack(self) -> u64 {
        u64::from(self.mv)
            | u64::from(self.score as u16) << 16
            | u64::from(self.eval as u16) << 32
            | u64::from(self.depth) << 48
            | u64::from(self.meta) << 56
    }

    #[inline(always)]
    fn unpack(bits: u64) -> Self {
        Self {
            mv: bits as u16,
            score: (bits >> 16) as i16,
            eval: (bits >> 32) as i16,
            depth: (bits >> 48) as u8,
            meta: (bits >> 56) as u8,
        }
    }

    #[inline(always)]
    fn worth(self, generation: u8) -> i32 {
        let age = generation.wrapping_sub(self.generation()) & 31;
        i32::from(self.depth) - 8 * i32::from(age)
    }

    #[inline(always)]
    fn replaces(self, old: Self, generation: u8) -> bool {
        self.bound() == Some(Bound::Exact)
            || old.generation() != generation & 31
            || i32::from(self.depth) + 4 + 2 * i32::from(self.was_pv()) > i32::from(old.depth)
    }

    #[inline(always)]
    fn generation(self) -> u8 {
        self.meta >> 3
    }

    fn is_sound(self) -> bool {
        let within = |value: i16, max: i32| i32::from(value).abs() <= max;
        within(self.score, MATE) && (self.eval == NO_EVAL || within(self.eval, EVAL_MAX))
    }
}
