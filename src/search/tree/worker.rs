//! One thread of the search: descend, expand, play out, back up.

use super::arena::{Child, Node, NodeId};
use super::evaluate::{Evaluated, LeafEvaluator, LeafOutcome, Tuning};
use super::graph::Graph;
use super::round::{End, Round};
use super::select::select;
use super::stat;
use crate::game::{Side, TreeGame};
use crate::util::rng::Rng;
use arrayvec::ArrayVec;

/// No descent goes deeper: a game of Go ends long before, and a path needs an end.
const MAX_DEPTH: usize = 1024;

/// Moves of one node that superko forbids on the present path. More than a few never happen.
type Illegal = ArrayVec<usize, 16>;

/// A move of the current descent.
struct Step {
    node: NodeId,
    edge: usize,
    side: Side,
}

/// A thread's own memory. It lives as long as its search.
pub(super) struct Worker<G: TreeGame, E> {
    pub(super) evaluator: E,
    rng: Rng,
    pos: G,
    path: Vec<Step>,
    outcome: LeafOutcome,
    /// The net's value of the last node of the path that has one, from [`Side::First`].
    net_value: Option<f32>,
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    packed: Vec<(u16, f32)>,
}

impl<G: TreeGame, E: LeafEvaluator<G>> Worker<G, E> {
    pub(super) fn new(evaluator: E) -> Self {
        Self {
            evaluator,
            rng: Rng::new(0),
            pos: G::start(),
            path: Vec::new(),
            outcome: LeafOutcome::default(),
            net_value: None,
            moves: Vec::new(),
            priors: Vec::new(),
            packed: Vec::new(),
        }
    }

    /// Starts the stream of random numbers that belongs to `seed`.
    pub(super) fn seed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    /// Makes the node of `pos`, or finds it. `None`: no room.
    ///
    /// One of its moves will be played. A node with an illegal one comes from a crafted file,
    /// and is not used.
    pub(super) fn expand_root(&mut self, graph: &Graph, pos: &G) -> Option<NodeId> {
        self.pos.clone_from(pos);
        let is_good = |&id: &NodeId| {
            let node = graph.node(id);
            (0..node.len()).all(|i| pos.is_legal(G::unpack(node.mv(i))))
        };
        let root = graph.find(self.key()).filter(is_good).or_else(|| self.expand(graph).0)?;
        if self.evaluator.tuning(pos).net_at != Tuning::NEVER {
            self.evaluate_by_net(graph.node(root));
        }
        Some(root)
    }

    /// Key of the present position in the graph.
    fn key(&self) -> u64 {
        self.pos.graph_key() ^ self.evaluator.salt()
    }

    /// One playout through the graph.
    pub(super) fn simulate(&mut self, round: &Round<G>) {
        self.pos.clone_from(&round.pos);
        self.path.clear();
        self.outcome.reset(round.pos.move_space());
        self.net_value = None;
        let known = self.descend(round);
        if known == Evaluated::Priors {
            // The result of a finished game is exact.
            let net_value = self.net_value.filter(|_| !self.pos.is_over());
            self.evaluator.playout(&mut self.pos, &mut self.rng, &mut self.outcome);
            if let Some(net_value) = net_value {
                self.outcome.value += round.tuning.value_mix * (net_value - self.outcome.value);
            }
        }
        match self.path.first() {
            Some(first) => round.tally.add(first.edge, self.path.len(), &self.outcome),
            // Restrictions leave nothing to look at.
            None => round.finish(End::Done),
        }
        self.back_up(round);
    }

    /// Goes down to a leaf, counting visits on the way, and makes at most one node.
    fn descend(&mut self, round: &Round<G>) -> Evaluated {
        let graph = &*round.graph;
        let mut id = round.root;
        while self.path.len() < MAX_DEPTH && !self.pos.is_over() {
            let node = graph.node(id);
            let side = self.pos.side_to_move();
            if round.tuning.net_at != Tuning::NEVER {
                if node.total().visits >= round.tuning.net_at {
                    self.evaluate_by_net(node);
                }
                self.net_value = node.net_value().or(self.net_value);
            }
            let Some(edge) = self.choose(round, node, side) else { break };
            if stat::is_full(node.own()) {
                break;
            }
            stat::add_visit(node.own());
            let earlier = stat::add_visit(&node.edges()[edge]);
            self.path.push(Step { node: id, edge, side });
            self.pos.do_move(G::unpack(node.mv(edge)), &mut ());
            match node.child(edge) {
                Child::Node(child) => id = child,
                Child::Claimed => break,
                Child::None => {
                    let ripe = earlier + 1 >= round.tuning.expand_at && !self.pos.is_over();
                    if !ripe || graph.is_full() || !node.claim(edge) {
                        break;
                    }
                    if let Some(child) = graph.find(self.key()) {
                        node.set_child(edge, Some(child));
                        id = child;
                        continue;
                    }
                    let (child, known) = self.expand(graph);
                    node.set_child(edge, child);
                    return known;
                }
            }
        }
        Evaluated::Priors
    }

    /// The move to take at a node of the path; moves that are illegal on this path are passed over.
    fn choose(&self, round: &Round<G>, node: Node<'_>, side: Side) -> Option<usize> {
        let depth = self.path.len();
        if depth == 0
            && let Some(edge) = round.plan.as_ref().and_then(|plan| plan.choose(node, &round.tally))
            && self.pos.is_legal(G::unpack(node.mv(edge)))
        {
            return Some(edge);
        }
        let restricted = !round.params.restrictions.is_empty();
        let mut illegal = Illegal::new();
        loop {
            let edge = select(node, &round.tuning, |i| {
                illegal.contains(&i) || restricted && round.is_barred(depth, side, G::unpack(node.mv(i)))
            })?;
            if self.pos.is_legal(G::unpack(node.mv(edge))) {
                return Some(edge);
            }
            illegal.try_push(edge).ok()?;
        }
    }

    /// Makes a node for the present position.
    fn expand(&mut self, graph: &Graph) -> (Option<NodeId>, Evaluated) {
        self.moves.clear();
        self.pos.candidate_moves(&mut self.moves);
        self.priors.clear();
        self.priors.resize(self.moves.len(), 0.0);
        let known = self.evaluator.evaluate(&self.pos, &self.moves, &mut self.priors, &mut self.outcome);
        normalize(&mut self.priors);
        self.packed.clear();
        self.packed.extend(self.moves.iter().map(|&mv| G::pack(mv)).zip(self.priors.iter().copied()));
        let id = graph.create(self.key(), &self.packed);
        if let Some(id) = id.filter(|_| known == Evaluated::PriorsAndOutcome) {
            graph.node(id).set_net_value(self.outcome.value);
        }
        (id, known)
    }

    /// Has the net evaluate the present position, which is that of `node`, unless it did before: the moves
    /// get new priors, and the node its value.
    fn evaluate_by_net(&mut self, node: Node<'_>) {
        if !node.claim_net() {
            return;
        }
        self.moves.clear();
        self.moves.extend((0..node.len()).map(|i| G::unpack(node.mv(i))));
        self.priors.clear();
        self.priors.resize(self.moves.len(), 0.0);
        let value = self.evaluator.evaluate_by_net(&self.pos, &self.moves, &mut self.priors);
        normalize(&mut self.priors);
        for (i, &prior) in self.priors.iter().enumerate() {
            node.set_prior(i, prior);
        }
        node.set_net_value(value);
    }

    /// Adds the outcome to every move and node of the path, and to the AMAF statistics of every move that
    /// the side to move made first below that node. Without AMAF adds the square of the outcome to the
    /// move's.
    fn back_up(&mut self, round: &Round<G>) {
        while let Some(Step { node, edge, side }) = self.path.pop() {
            let node = round.graph.node(node);
            let value = self.outcome.value_for(side);
            stat::add_outcome(&node.edges()[edge], value);
            stat::add_outcome(node.own(), value);
            if !round.tuning.has_amaf() {
                stat::add_lossy(&node.amaf()[edge], value * value);
                continue;
            }
            self.outcome.played_earlier(node.mv(edge), side);
            for (i, amaf) in node.amaf().iter().enumerate() {
                if self.outcome.was_first(node.mv(i), side) {
                    stat::add_lossy(amaf, value);
                }
            }
        }
    }
}

/// Makes the priors' sum 1; all alike if it is 0.
fn normalize(priors: &mut [f32]) {
    let sum: f32 = priors.iter().sum();
    let (scale, floor) = if sum > 0.0 { (1.0 / sum, 0.0) } else { (0.0, 1.0 / priors.len() as f32) };
    priors.iter_mut().for_each(|p| *p = *p * scale + floor);
}
