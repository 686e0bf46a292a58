//! The interface between the search and the evaluation of positions: priors, playouts, or a net.

use crate::game::{Side, TreeGame};
use crate::util::rng::Rng;

/// What the search asks about positions. Each thread owns one, so that it may keep scratch memory.
pub trait LeafEvaluator<G: TreeGame>: Clone + Send + 'static {
    /// Gives each of `moves` (the candidates of `pos`) a prior: any weight of at least 0, `priors` being all
    /// 0 before and normalized by the caller after; a move left at 0 is looked at only where no other may be
    /// played. An evaluator that also knows what the position is worth fills `result` and returns that: no
    /// playout is made then.
    fn evaluate(
        &mut self,
        pos: &G,
        moves: &[G::Move],
        priors: &mut [f32],
        result: &mut LeafOutcome,
    ) -> Evaluated;

    /// Plays `pos` to the end and fills `result`. A position that is over already is scored as it stands.
    fn playout(&mut self, pos: &mut G, rng: &mut Rng, result: &mut LeafOutcome);

    /// Gives `moves` new priors as [`evaluate`](Self::evaluate) does, and returns the value of `pos` from
    /// [`Side::First`], 0 to 1. Asked at [`Tuning::net_at`] visits, once a node.
    fn evaluate_by_net(&mut self, pos: &G, moves: &[G::Move], priors: &mut [f32]) -> f32 {
        let _ = (pos, moves, priors);
        0.5
    }

    /// How the search should treat these priors and outcomes in `pos`.
    fn tuning(&self, pos: &G) -> Tuning;

    /// Evaluators whose numbers differ share no nodes: their salts differ.
    fn salt(&self) -> u64 {
        0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluated {
    Priors,
    PriorsAndOutcome,
}

/// How one playout ended, or what a net expects. Everything is seen from [`Side::First`].
#[derive(Clone, Debug, Default)]
pub struct LeafOutcome {
    /// 0 (lost) to 1 (won).
    pub value: f32,
    /// Points First is ahead, komi included.
    pub score: f32,
    /// Per point: 1 First's, -1 Second's, 0 neither's (a net: anything between). Empty when unknown.
    pub ownership: Vec<f32>,
    /// Per packed move: who made it first: 0 neither, else 1 + the side's index.
    first_by: Vec<u8>,
}

impl LeafOutcome {
    /// Before a new playout of a game with `move_space` packed moves.
    pub fn reset(&mut self, move_space: usize) {
        (self.value, self.score) = (0.5, 0.0);
        self.ownership.clear();
        self.first_by.clear();
        self.first_by.resize(move_space, 0);
    }

    /// Notes a move of the playout, in the order they are made. Only the first on each point counts.
    #[inline(always)]
    pub fn played(&mut self, packed: u16, side: Side) {
        let first = &mut self.first_by[usize::from(packed)];
        if *first == 0 {
            *first = 1 + side as u8;
        }
    }

    /// Notes a move made before all others noted so far.
    #[inline(always)]
    pub(super) fn played_earlier(&mut self, packed: u16, side: Side) {
        self.first_by[usize::from(packed)] = 1 + side as u8;
    }

    /// Whether `side` was the first to make the move.
    #[inline(always)]
    pub(super) fn was_first(&self, packed: u16, side: Side) -> bool {
        self.first_by[usize::from(packed)] == 1 + side as u8
    }

    #[inline(always)]
    pub(super) fn value_for(&self, side: Side) -> f32 {
        match side {
            Side::First => self.value,
            Side::Second => 1.0 - self.value,
        }
    }
}

/// The numbers of the selection formula. See [`super::select`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Weight of the prior against the values (PUCT).
    pub puct: f32,
    /// Visits at which a move's own statistics and its AMAF statistics weigh about the same; 0: there is no
    /// AMAF.
    pub rave_equivalence: f32,
    /// Weight, in visits, of the prior guess of an AMAF value.
    pub amaf_prior_visits: f32,
    /// How much better than its parent the move of the best prior is assumed to be before any
    /// statistics; the worst as much worse.
    pub prior_value: f32,
    /// What an unvisited move without AMAF statistics is assumed to be worth less than its parent, once all
    /// others have been visited; before that times the root of the visited moves' share of the priors.
    pub fpu_reduction: f32,
    /// A move gets a node of its own at this many visits.
    pub expand_at: u32,
    /// Descents that pass through a node before the net is asked about it; [`NEVER`](Self::NEVER). The root's
    /// is asked at once.
    pub net_at: u32,
    /// Share of the net's value in an outcome, 0 to 1; the playout has the rest. Used only with `net_at`.
    pub value_mix: f32,
    /// A settled choice counts from this many playouts of the search itself.
    pub min_playouts: u64,
}

impl Tuning {
    /// The `net_at` of an evaluator that has no net, or one that it asks about every new node.
    pub const NEVER: u32 = u32::MAX;

    /// Whether moves have AMAF statistics. Else the squares of their outcomes are kept in that place.
    #[inline(always)]
    pub fn has_amaf(&self) -> bool {
        self.rave_equivalence > 0.0
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            puct: 0.6,
            rave_equivalence: 1500.0,
            amaf_prior_visits: 12.0,
            prior_value: 0.15,
            fpu_reduction: 0.0,
            expand_at: 4,
            net_at: Self::NEVER,
            value_mix: 0.0,
            min_playouts: 64,
        }
    }
}
