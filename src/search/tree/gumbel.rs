//! Gumbel search with few visits at a root: moves drawn without replacement, then sequential halving.
//!
//! Adding Gumbel noise to logits and taking the best `k` draws `k` different moves by their chances.
//! Sequential halving gives all of them the same visits, drops the worse half, and so on; what the search
//! then thinks of the moves, values and chances together, is a better policy than the one it began with,
//! however few the visits were. That is what a net learns from. It holds for values without noise: those of a
//! net, not of playouts. Source: Danihelka et al., "Policy improvement by planning with Gumbel" (ICLR 2022),
//! and its authors' library mctx.

use super::arena::Node;
use super::stat;
use super::tally::Tally;
use crate::util::rng::Rng;

/// Visits that the weight of values begins with, before those of the most visited move are added.
const VALUE_VISITS: f32 = 50.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gumbel {
    pub considered: usize,
    pub seed: u64,
}

#[derive(Debug)]
pub(super) struct Plan {
    /// By move: logarithm of the prior, and the same with noise. Moves that are barred have none.
    logits: Vec<Option<(f32, f32)>>,
    /// By playout: the moves with this many visits are the ones to choose among.
    turns: Vec<u32>,
}

impl Plan {
    /// For `playouts` playouts from `node`, whose moves `is_barred` forbids some of.
    pub(super) fn new(
        gumbel: Gumbel,
        node: Node<'_>,
        playouts: u64,
        is_barred: impl Fn(usize) -> bool,
    ) -> Self {
        let mut rng = Rng::new(gumbel.seed);
        let logit = |i: usize| {
            // Drawn for barred moves too: what one move gets depends on no other.
            let noise = gumbel_noise(&mut rng);
            let prior = node.prior(i).max(f32::MIN_POSITIVE).ln();
            (!is_barred(i)).then_some((prior, prior + noise))
        };
        let logits: Vec<_> = (0..node.len()).map(logit).collect();
        let considered = gumbel.considered.min(logits.iter().flatten().count());
        Self { logits, turns: turns(considered, playouts) }
    }

    /// The move of the next playout. `None`: all are barred.
    pub(super) fn choose(&self, node: Node<'_>, tally: &Tally) -> Option<usize> {
        let turn = tally.playouts().min(self.turns.len().saturating_sub(1) as u64);
        let wanted = u64::from(*self.turns.get(turn as usize)?);
        // With several threads a count may be one behind.
        self.best(node, tally, |count| count == wanted).or_else(|| self.best(node, tally, |_| true))
    }

    /// The move that won: the best of those that were looked at most often.
    pub(super) fn winner(&self, node: Node<'_>, tally: &Tally) -> Option<usize> {
        let max = max_visits(node, tally);
        self.best(node, tally, |count| count == max)
    }

    fn best(&self, node: Node<'_>, tally: &Tally, fits: impl Fn(u64) -> bool) -> Option<usize> {
        let weight = value_weight(node, tally);
        let unseen = node.total().mean_or(0.5);
        let fitting = self.logits.iter().enumerate().filter(|(i, _)| fits(tally.score(*i).count));
        let score = |(i, logit): (usize, &Option<(f32, f32)>)| {
            let value = stat::load(&node.edges()[i]).mean_or(unseen);
            logit.map(|(_, noisy)| (i, noisy + weight * value))
        };
        fitting.filter_map(score).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(i, _)| i)
    }

    /// The improved policy, by move: chances whose sum is 1. `root_value` is the net's value of the root,
    /// from the side to move.
    pub(super) fn policy(&self, node: Node<'_>, tally: &Tally, root_value: f32) -> Vec<f32> {
        let weight = value_weight(node, tally);
        let own: Vec<_> = node.edges().iter().map(stat::load).collect();
        // A move that was not visited is taken to be worth what the net's value of the root and the visited
        // moves suggest.
        let (mut visits, mut chance, mut value) = (0.0, 0.0, 0.0);
        for (i, stat) in own.iter().enumerate().filter(|(_, stat)| stat.visits > 0) {
            visits += stat.visits as f32;
            chance += node.prior(i);
            value += node.prior(i) * stat.mean_or(0.0);
        }
        let seen = if chance > 0.0 { value / chance } else { root_value };
        let unseen = (root_value + visits * seen) / (1.0 + visits);
        let scores: Vec<f32> = self
            .logits
            .iter()
            .zip(&own)
            .map(|(logit, stat)| match logit {
                Some((logit, _)) => logit + weight * stat.mean_or(unseen),
                None => f32::NEG_INFINITY,
            })
            .collect();
        softmax(&scores)
    }
}

fn softmax(scores: &[f32]) -> Vec<f32> {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if max == f32::NEG_INFINITY {
        return vec![0.0; scores.len()];
    }
    let mut chances: Vec<f32> = scores.iter().map(|score| (score - max).exp()).collect();
    let sum: f32 = chances.iter().sum();
    chances.iter_mut().for_each(|chance| *chance /= sum);
    chances
}

fn max_visits(node: Node<'_>, tally: &Tally) -> u64 {
    (0..node.len()).map(|i| tally.score(i).count).max().unwrap_or(0)
}

/// What a value of 1 weighs, in logits.
fn value_weight(node: Node<'_>, tally: &Tally) -> f32 {
    VALUE_VISITS + max_visits(node, tally) as f32
}

/// A number of the standard Gumbel distribution.
fn gumbel_noise(rng: &mut Rng) -> f32 {
    // In (0, 1), so that both logarithms are finite.
    let uniform = ((rng.next_u64() >> 12) as f64 + 0.5) / (1u64 << 52) as f64;
    -(-uniform.ln()).ln() as f32
}

/// For each playout the visits of the moves among which it chooses, of `considered` moves at first.
fn turns(considered: usize, playouts: u64) -> Vec<u32> {
    let playouts = playouts as usize;
    if considered <= 1 {
        return (0..playouts as u32).collect();
    }
    let phases = considered.next_power_of_two().ilog2() as usize;
    let (mut turns, mut visits, mut left) = (Vec::with_capacity(playouts), 0, considered);
    while turns.len() < playouts {
        for _ in 0..(playouts / (phases * left)).max(1) {
            turns.extend(std::iter::repeat_n(visits, left));
            visits += 1;
        }
        left = (left / 2).max(2);
    }
    turns.truncate(playouts);
    turns
}

#[cfg(test)]
mod tests {
    use super::super::arena::Arena;
    use super::super::evaluate::LeafOutcome;
    use super::*;

    #[test]
    fn the_considered_moves_halve() {
        assert_eq!(turns(4, 16), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(turns(3, 7), [0, 0, 0, 1, 1, 2, 2]);
        assert_eq!(turns(1, 3), [0, 1, 2]);
        assert!(turns(16, 96).starts_with(&[0; 16]) && turns(16, 96).len() == 96);
        assert!(turns(5, 0).is_empty());
        assert_eq!(turns(0, 2), [0, 1]);
    }

    /// Spends `visits` on four moves whose values are known; the number of visits of each, the winner and the
    /// policy.
    fn spend(priors: [f32; 4], values: [f32; 4], visits: u64, seed: u64) -> (Vec<u64>, usize, Vec<f32>) {
        let arena = Arena::new(100).unwrap();
        let moves: Vec<_> = priors.iter().enumerate().map(|(i, &prior)| (i as u16, prior)).collect();
        let node = arena.node(arena.create(1, &moves).unwrap());
        let tally = Tally::new(4, 0, 0);
        let plan = Plan::new(Gumbel { considered: 4, seed }, node, visits, |_| false);
        for _ in 0..visits {
            let i = plan.choose(node, &tally).unwrap();
            for word in [node.own(), &node.edges()[i]] {
                stat::add_visit(word);
                stat::add_outcome(word, values[i]);
            }
            tally.add(i, 1, &LeafOutcome::default());
        }
        let counts = (0..4).map(|i| tally.score(i).count).collect();
        (counts, plan.winner(node, &tally).unwrap(), plan.policy(node, &tally, 0.5))
    }

    #[test]
    fn a_move_that_is_much_better_wins_whatever_the_noise() {
        for seed in 0..50 {
            let (counts, winner, policy) = spend([0.4, 0.3, 0.2, 0.1], [0.3, 0.3, 0.3, 0.8], 16, seed);
            assert_eq!((counts[3], winner), (6, 3), "{counts:?}");
            assert!(policy[3] > 0.99 && (policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn equal_values_leave_the_priors_and_draw_by_them() {
        let priors = [0.5, 0.25, 0.125, 0.125];
        let mut won = [0; 4];
        for seed in 0..2000 {
            let (_, winner, policy) = spend(priors, [0.5; 4], 16, seed);
            won[winner] += 1;
            assert!(policy.iter().zip(priors).all(|(a, b)| (a - b).abs() < 0.01), "{policy:?}");
        }
        for (won, prior) in won.into_iter().zip(priors) {
            assert!((f64::from(won) / 2000.0 - f64::from(prior)).abs() < 0.04, "{won} {prior}");
        }
    }

    #[test]
    fn barred_moves_are_not_chosen() {
        let arena = Arena::new(100).unwrap();
        let node = arena.node(arena.create(1, &[(0, 0.9), (1, 0.1)]).unwrap());
        let tally = Tally::new(2, 0, 0);
        let plan = |barred: fn(usize) -> bool| Plan::new(Gumbel { considered: 9, seed: 3 }, node, 8, barred);
        assert_eq!(plan(|i| i == 0).choose(node, &tally), Some(1));
        assert_eq!(plan(|i| i == 0).policy(node, &tally, 0.5), [0.0, 1.0]);
        let all = plan(|_| true);
        assert_eq!((all.choose(node, &tally), all.winner(node, &tally)), (None, None));
    }
}
