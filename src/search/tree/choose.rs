//! Which root move to play, the report on each, and when more search cannot change the choice.

use super::arena::{Node, NodeId};
use super::evaluate::Tuning;
use super::graph::Graph;
use super::round::Round;
use super::stat::{self, Stat};
use super::tally::ScoreStats;
use crate::game::{Side, TreeGame};
use std::time::Duration;

/// How a lower confidence bound is made, and who is chosen by it.
struct Lcb {
    /// Moves with fewer visits than this share of the most visited one's are not played, whatever their
    /// bound.
    min_share: f64,
    /// Standard errors below the mean.
    z: f64,
}

/// For playouts, of which each is won or lost: one side of a 97.5 % interval.
const PLAYOUTS_LCB: Lcb = Lcb { min_share: 0.25, z: 1.96 };
/// For a net, whose values spread less than they are wrong by.
const NET_LCB: Lcb = Lcb { min_share: 0.15, z: 5.0 };

impl Lcb {
    fn of(tuning: &Tuning) -> &'static Self {
        if tuning.has_amaf() { &PLAYOUTS_LCB } else { &NET_LCB }
    }
}

/// A principal variation ends at a node of fewer visits.
const PV_MIN_VISITS: u32 = 4;

const PV_LENGTH: usize = 24;

/// What a search found out about its root.
#[derive(Clone, Debug)]
pub struct SearchReport<M> {
    /// Moves, the one to play first, then by visits. Without those that are barred.
    pub moves: Vec<RootChild<M>>,
    /// Moves that a restriction forbids or whose image was searched, with their priors.
    pub barred: Vec<(M, f64)>,
    /// Visits of the root, those of earlier searches included.
    pub visits: u64,
    /// Playouts (or evaluations) of this search only.
    pub playouts: u64,
    /// Deepest ply of this search.
    pub depth: u64,
    /// Expected result of the side to move, 0 to 1.
    pub winrate: f64,
    /// Points the side to move is expected to be ahead. From this search only, like the next two.
    pub score_lead: f64,
    /// Standard error of the lead, in points.
    pub score_error: f64,
    /// Per point, in the game's order: 1 is the side to move's, -1 the opponent's. Empty when unknown.
    pub ownership: Vec<f32>,
    /// Time since the start.
    pub elapsed: Duration,
    /// Permille of the memory in use.
    pub permille_full: u32,
}

/// What a search found out about one move.
#[derive(Clone, Debug)]
pub struct RootChild<M> {
    pub mv: M,
    pub visits: u64,
    /// Expected result of the side to move, 0 to 1; a guess from AMAF when there are no visits.
    pub winrate: f64,
    /// Lower confidence bound of the winrate.
    pub lcb: f64,
    pub prior: f64,
    /// Probability in the improved policy, 0 to 1, of a search by [`gumbel`](super::gumbel).
    pub policy: Option<f64>,
    /// Points the side to move is expected to be ahead after it; those of the root where this search did not
    /// play it.
    pub score_lead: f64,
    /// How many outcomes of this search that rests on.
    pub score_count: u64,
    /// As [`SearchReport::ownership`], after this move. Empty unless asked for, and for a move that this
    /// search did not play.
    pub ownership: Vec<f32>,
    /// Expected continuation, this move first.
    pub pv: Vec<Step<M>>,
}

/// A move of an expected continuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<M> {
    pub mv: M,
    /// Visits of the move, from the position before it.
    pub edge_visits: u64,
    /// Visits of the position after it, which other moves may lead to as well.
    pub visits: u64,
}

impl<M> SearchReport<M> {
    /// Of a position where no move can be made.
    pub fn empty() -> Self {
        Self {
            moves: Vec::new(),
            barred: Vec::new(),
            visits: 0,
            playouts: 0,
            depth: 0,
            winrate: 0.5,
            score_lead: 0.0,
            score_error: 0.0,
            ownership: Vec::new(),
            elapsed: Duration::ZERO,
            permille_full: 0,
        }
    }
}

/// Lower bound of the winrate of a move with visits; `all` are its AMAF statistics, or the squares of its
/// outcomes.
fn lower_bound(tuning: &Tuning, own: Stat, all: Stat) -> f64 {
    let (n, sum) = (f64::from(own.visits), f64::from(own.sum));
    // As if one more had been won and one more lost: three playouts prove nothing.
    let p = (sum + 1.0) / (n + 2.0);
    let variance = if tuning.has_amaf() {
        // The net's share of an outcome hardly varies.
        let share = 1.0 - f64::from(tuning.value_mix);
        share * share * p * (1.0 - p)
    } else {
        ((f64::from(all.sum) + 1.0) / (f64::from(all.visits) + 2.0) - p * p).max(0.0)
    };
    sum / n - Lcb::of(tuning).z * (variance / n).sqrt()
}

/// Describes the root as it is now.
pub(super) fn report<G: TreeGame>(round: &Round<G>) -> SearchReport<G::Move> {
    let node = round.graph.node(round.root);
    let side = round.pos.side_to_move();
    let sign = if side == Side::First { 1.0 } else { -1.0 };
    let mut moves: Vec<_> = (0..node.len())
        .filter(|&i| !round.is_barred(0, side, G::unpack(node.mv(i))))
        .map(|i| root_move(round, node, i, sign))
        .collect();
    if let Some(plan) = &round.plan {
        let root_value =
            node.net_value().map_or(0.5, |value| if side == Side::First { value } else { 1.0 - value });
        let policy = plan.policy(node, &round.tally, root_value);
        let allowed = (0..node.len()).filter(|&i| !round.is_barred(0, side, G::unpack(node.mv(i))));
        for (mv, i) in moves.iter_mut().zip(allowed) {
            mv.policy = Some(f64::from(policy[i]));
        }
    }
    sort(&mut moves, Lcb::of(&round.tuning).min_share);
    let winner = round.plan.as_ref().and_then(|plan| plan.winner(node, &round.tally));
    if let Some(at) = winner.and_then(|i| moves.iter().position(|mv| mv.mv == G::unpack(node.mv(i)))) {
        moves[..=at].rotate_right(1);
    }
    let (total, score) = (node.total(), round.tally.total_score());
    let is_barred = |&i: &usize| round.is_barred(0, side, G::unpack(node.mv(i)));
    let barred = (0..node.len()).filter(is_barred).map(|i| (G::unpack(node.mv(i)), f64::from(node.prior(i))));
    SearchReport {
        moves,
        barred: barred.collect(),
        visits: u64::from(total.visits),
        playouts: round.tally.playouts(),
        depth: round.tally.deepest(),
        winrate: f64::from(total.mean_or(0.5)),
        score_lead: sign * score.mean,
        score_error: score.error,
        ownership: round.tally.ownership().into_iter().map(|o| o * sign as f32).collect(),
        elapsed: round.timer.elapsed(),
        permille_full: round.graph.permille_full(),
    }
}

fn root_move<G: TreeGame>(round: &Round<G>, node: Node<'_>, i: usize, sign: f64) -> RootChild<G::Move> {
    let (own, all) = (stat::load(&node.edges()[i]), stat::load(&node.amaf()[i]));
    let visits = u64::from(own.visits);
    let guess = if round.tuning.has_amaf() { all } else { Stat::default() };
    let winrate = f64::from(own.mean_or(guess.mean_or(node.total().mean_or(0.5))));
    let score = Some(round.tally.score(i)).filter(|score| score.count > 0);
    let score = score.unwrap_or_else(|| ScoreStats { count: 0, ..round.tally.total_score() });
    RootChild {
        mv: G::unpack(node.mv(i)),
        visits,
        winrate,
        lcb: if visits == 0 { -1.0 } else { lower_bound(&round.tuning, own, all) },
        prior: f64::from(node.prior(i)),
        policy: None,
        score_lead: sign * score.mean,
        score_count: score.count,
        ownership: round.tally.ownership_after(i).into_iter().map(|o| o * sign as f32).collect(),
        pv: pv::<G>(&round.graph, node, i),
    }
}

/// The best lower bound among those of `min_share` of the most visits first, the others by visits.
fn sort<M>(moves: &mut [RootChild<M>], min_share: f64) {
    moves.sort_by(|a, b| {
        b.visits.cmp(&a.visits).then(b.winrate.total_cmp(&a.winrate)).then(b.prior.total_cmp(&a.prior))
    });
    let max = moves.first().map_or(0, |m| m.visits) as f64;
    let eligible = moves.iter().take_while(|m| m.visits as f64 >= max * min_share);
    let best = eligible.enumerate().max_by(|(i, a), (j, b)| a.lcb.total_cmp(&b.lcb).then(j.cmp(i)));
    if let Some((best, _)) = best {
        moves[..=best].rotate_right(1);
    }
}

/// Move `i` and the most visited moves after it.
fn pv<G: TreeGame>(graph: &Graph, node: Node<'_>, i: usize) -> Vec<Step<G::Move>> {
    let mut line = vec![step::<G>(graph, node, i)];
    let mut next = graph.child(node, i);
    while let Some(id) = next.filter(|_| line.len() < PV_LENGTH) {
        let node = graph.node(id);
        let Some(i) = most_visited(node).filter(|&i| visits(node, i) >= PV_MIN_VISITS) else { break };
        line.push(step::<G>(graph, node, i));
        next = graph.child(node, i);
    }
    line
}

/// Move `i` with its visits. The first visits of a move may be older than the position after it in the graph;
/// they count for the position, too.
fn step<G: TreeGame>(graph: &Graph, node: Node<'_>, i: usize) -> Step<G::Move> {
    let edge_visits = u64::from(visits(node, i));
    let after = graph.child(node, i).map_or(0, |id| u64::from(graph.node(id).total().visits));
    Step { mv: G::unpack(node.mv(i)), edge_visits, visits: after.max(edge_visits) }
}

fn visits(node: Node<'_>, i: usize) -> u32 {
    stat::load(&node.edges()[i]).visits
}

fn most_visited(node: Node<'_>) -> Option<usize> {
    (0..node.len()).max_by(|&i, &j| visits(node, i).cmp(&visits(node, j)).then(j.cmp(&i)))
}

/// Visits of the root's most visited move.
pub(super) fn max_visits<G: TreeGame>(round: &Round<G>) -> u64 {
    let node = round.graph.node(round.root);
    (0..node.len()).map(|i| u64::from(visits(node, i))).max().unwrap_or(0)
}

/// How settled the choice at the root is.
pub(super) struct Lead {
    /// Visits by which the most visited move is ahead of the next.
    pub(super) visits: u64,
    /// Whether the most visited move has also the best winrate among the well visited.
    pub(super) agreed: bool,
}

/// Compares the root's first two moves, of those that are allowed. An only move leads by infinitely many.
pub(super) fn lead<G: TreeGame>(round: &Round<G>, root: NodeId) -> Lead {
    let node = round.graph.node(root);
    let side = round.pos.side_to_move();
    let (mut first, mut second) = (Stat::default(), 0);
    let allowed =
        |&i: &usize| round.params.bars_nothing() || !round.is_barred(0, side, G::unpack(node.mv(i)));
    for i in (0..node.len()).filter(allowed) {
        let own = stat::load(&node.edges()[i]);
        if own.visits > first.visits {
            (first, second) = (own, first.visits);
        } else {
            second = second.max(own.visits);
        }
    }
    let rival = |&i: &usize| visits(node, i) >= first.visits / 4;
    let best = (0..node.len()).filter(allowed).filter(rival).map(|i| stat::load(&node.edges()[i]));
    let agreed = best.map(|s| s.mean_or(0.0)).fold(0.0, f32::max) <= first.mean_or(0.0);
    let only = (0..node.len()).filter(allowed).nth(1).is_none();
    Lead { visits: if only { u64::MAX } else { u64::from(first.visits - second) }, agreed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_wide_for_playouts_and_follow_the_spread_of_a_net() {
        let playouts = Tuning::default();
        let net = Tuning { rave_equivalence: 0.0, ..playouts };
        let own = Stat { visits: 400, sum: 240.0 };
        let narrow = Stat { visits: 400, sum: 400.0 * (0.36 + 0.01) };
        let wide = Stat { visits: 400, sum: 400.0 * (0.36 + 0.04) };
        // 1.96 √(0.6 · 0.4 / 400); 5 · 0.1 / √400; 5 · 0.2 / √400.
        assert!((lower_bound(&playouts, own, wide) - 0.552).abs() < 0.001);
        assert!((lower_bound(&net, own, narrow) - 0.575).abs() < 0.002);
        assert!((lower_bound(&net, own, wide) - 0.550).abs() < 0.002);
        let mixed = Tuning { net_at: 8, value_mix: 0.5, ..playouts };
        assert!((lower_bound(&mixed, own, wide) - 0.576).abs() < 0.001);
        // Equal outcomes of few visits are no certainty.
        let (once, square) = (Stat { visits: 1, sum: 0.9 }, Stat { visits: 1, sum: 0.81 });
        assert!(lower_bound(&net, once, square) < 0.0);
    }
}
