//! Which move a descent takes: values from own statistics and AMAF, mixed by how much each is to be
//! trusted, plus exploration by the prior.
//!
//! `value = (1 - β) Q + β R`, `β = r / (r + n + n r / k)` with `n` visits, `r` AMAF visits and `k` the
//! equivalence: AMAF knows much early and nothing more late. To it comes `c P √N / (1 + n)` (PUCT). Without
//! playouts there is no AMAF, and plain PUCT remains.
//! Sources: Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go"
//! (2011); the β of Silver's RAVE formula as David Silver posted it to computer-go; Rosin's PUCT (2011).

use super::arena::Node;
use super::evaluate::Tuning;
use super::stat;

/// The move to look at next, skipping those that `skip(i)` names; `None` when all are skipped. Moves of prior
/// 0 are looked at only when there are no others.
pub fn select(node: Node<'_>, tuning: &Tuning, skip: impl Fn(usize) -> bool) -> Option<usize> {
    best_of(node, tuning, |i| node.prior(i) == 0.0 || skip(i)).or_else(|| best_of(node, tuning, skip))
}

/// The move of the highest urgency.
fn best_of(node: Node<'_>, tuning: &Tuning, skip: impl Fn(usize) -> bool) -> Option<usize> {
    let total = node.total();
    let parent = total.mean_or(0.5);
    let exploration = tuning.puct * (total.visits.max(1) as f32).sqrt();
    let inverse_equivalence = 1.0 / tuning.rave_equivalence;
    let fpu = if tuning.fpu_reduction == 0.0 {
        parent
    } else {
        parent - tuning.fpu_reduction * visited_share(node).sqrt()
    };
    let best_prior = (0..node.len()).map(|i| node.prior(i)).fold(0.0, f32::max).max(f32::MIN_POSITIVE);
    let slope = 2.0 * tuning.prior_value / best_prior;
    let (edges, amaf) = (node.edges(), node.amaf());
    let mut best = None;
    let mut best_score = f32::NEG_INFINITY;
    for i in 0..node.len() {
        let (own, all) = (stat::load(&edges[i]), stat::load(&amaf[i]));
        let (n, prior) = (own.visits as f32, node.prior(i));
        let value = if !tuning.has_amaf() || all.visits == 0 && tuning.amaf_prior_visits == 0.0 {
            own.mean_or(fpu)
        } else {
            let guess = fpu - tuning.prior_value + slope * prior;
            let r = all.visits as f32 + tuning.amaf_prior_visits;
            let rave = (all.sum + tuning.amaf_prior_visits * guess) / r;
            let beta = r / (r + n + n * r * inverse_equivalence);
            beta * rave + (1.0 - beta) * own.mean_or(fpu)
        };
        let urgency = value + exploration * prior / (1.0 + n);
        if urgency > best_score && !skip(i) {
            (best, best_score) = (Some(i), urgency);
        }
    }
    best
}

/// Share of the priors that the visited moves have, 0 to 1.
fn visited_share(node: Node<'_>) -> f32 {
    let visited = |&i: &usize| stat::load(&node.edges()[i]).visits > 0;
    (0..node.len()).filter(visited).map(|i| node.prior(i)).sum::<f32>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::arena::Arena;
    use super::*;

    /// The urgency of moves without visits falls as the moves that were visited have more of the priors.
    #[test]
    fn first_play_urgency_falls_with_the_priors_that_were_visited() {
        let arena = Arena::new(100).unwrap();
        let moves = [(1, 0.36), (2, 0.34), (3, 0.30)];
        let node = arena.node(arena.create(7, &moves).unwrap());
        for word in [node.own(), &node.edges()[0]] {
            stat::add_visit(word);
            stat::add_outcome(word, 0.5);
        }
        let chosen = |fpu_reduction| {
            let tuning = Tuning { rave_equivalence: 0.0, puct: 0.5, fpu_reduction, ..Tuning::default() };
            select(node, &tuning, |_| false)
        };
        // The first: 0.5 + 0.5 · 0.36 / 2 = 0.59. The second: 0.5 - 0.6 f + 0.5 · 0.34 = 0.67 - 0.6 f.
        assert_eq!((chosen(0.0), chosen(0.1), chosen(0.2)), (Some(1), Some(1), Some(0)));
        assert!((visited_share(node) - 0.36).abs() < 0.01);
    }
}
