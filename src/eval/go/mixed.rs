//! The net and the playouts together: what each contributes to the search, and how much.

use super::net::{self, NetEvaluator, NetOutput};
use super::{Playouts, opening, value_of};
use crate::convnet::{ConvNet, Kernel};
use crate::game::TreeGame;
use crate::go::{Move, Position};
use crate::search::tree::{Evaluated, LeafEvaluator, LeafOutcome, Tuning};
use crate::util::rng::Rng;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Mode {
    #[default]
    Playouts,
    /// Playouts, and the net where the search passes often.
    Hybrid {
        /// Descents that pass through a node before the net is asked about it.
        net_at: u32,
        /// Share of the net's value in an outcome, 0 to 1.
        share: f32,
    },
    /// Only the net, at every new node.
    Net,
}

impl fmt::Display for Mode {
    /// For people: in English, and in Chinese in the alternate form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Playouts => write!(f, "playouts"),
            Self::Hybrid { net_at, share } => {
                let percent = 100.0 * share;
                if f.alternate() {
                    return write!(f, "混合：经过 {net_at} 次后询问网络，占结果的 {percent:.0}%");
                }
                write!(f, "hybrid: net after {net_at} visits, {percent:.0}% of the value")
            }
            Self::Net => write!(f, "net"),
        }
    }
}

impl Mode {
    /// A number for each mode; 0 for playouts.
    fn salt(self) -> u64 {
        match self {
            Self::Playouts => 0,
            Self::Hybrid { net_at, share } => {
                Rng::new(u64::from(net_at) << 32 | u64::from(share.to_bits())).next_u64()
            }
            Self::Net => Rng::new(u64::MAX).next_u64(),
        }
    }
}

/// With a net beside the playouts: its priors are better than AMAF, so AMAF has less weight. Found by
/// matches: docs/lab/go-net-in-search.md. `net_at` and `value_mix` are the mode's.
const HYBRID_TUNING: Tuning = Tuning {
    puct: 0.4,
    rave_equivalence: 300.0,
    amaf_prior_visits: 5.0,
    prior_value: 0.15,
    fpu_reduction: 0.1,
    expand_at: 4,
    net_at: Tuning::NEVER,
    value_mix: 0.0,
    min_playouts: 64,
};

/// With a net and no playouts.
const NET_TUNING: Tuning = Tuning {
    puct: 0.55,
    rave_equivalence: 0.0,
    amaf_prior_visits: 0.0,
    prior_value: 0.0,
    fpu_reduction: 0.1,
    expand_at: 1,
    net_at: Tuning::NEVER,
    value_mix: 0.0,
    min_playouts: 16,
};

/// Evaluates by playouts, by the net, or by both. Boards that the net cannot look at are left to the
/// playouts.
pub struct Mixed {
    playouts: Playouts,
    net: Option<Arc<ConvNet>>,
    mode: Mode,
    kernel: Kernel,
    /// Made at the first evaluation: not every evaluator belongs to a search.
    net_evaluator: Option<Box<NetEvaluator>>,
}

impl Clone for Mixed {
    fn clone(&self) -> Self {
        let (playouts, net) = (self.playouts.clone(), self.net.clone());
        Self { playouts, net, mode: self.mode, kernel: self.kernel, net_evaluator: None }
    }
}

impl Default for Mixed {
    fn default() -> Self {
        Self::new(None, Mode::Playouts)
    }
}

impl Mixed {
    /// Evaluates by `mode`; without a net by playouts.
    pub fn new(net: Option<Arc<ConvNet>>, mode: Mode) -> Self {
        let mode = if net.is_some() { mode } else { Mode::Playouts };
        Self { playouts: Playouts::default(), net, mode, kernel: Kernel::best(), net_evaluator: None }
    }

    /// This evaluator with another kernel for the net.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel, net_evaluator: None, ..self }
    }

    /// Who evaluates, on boards that the net can look at.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The net, whether or not it is asked.
    pub fn net(&self) -> Option<&Arc<ConvNet>> {
        self.net.as_ref()
    }

    /// Expected result of [`Side::First`](crate::game::Side::First) by the net, 0 to 1, with the margin's
    /// share. `None`: there is no net for this board.
    pub fn net_value(&mut self, pos: &Position) -> Option<f32> {
        if !net::fits(pos.board()) {
            return None;
        }
        self.output(pos).map(|output| blended(output, pos))
    }

    /// Who evaluates positions on this board.
    fn mode_on(&self, pos: &Position) -> Mode {
        if net::fits(pos.board()) { self.mode } else { Mode::Playouts }
    }

    /// The net's output. `None`: there is no net.
    fn output(&mut self, pos: &Position) -> Option<&NetOutput> {
        if self.net_evaluator.is_none() {
            self.net_evaluator =
                self.net.clone().map(|net| Box::new(NetEvaluator::with_kernel(net, self.kernel)));
        }
        self.net_evaluator.as_mut().map(|net_evaluator| net_evaluator.ask(pos))
    }
}

impl LeafEvaluator<Position> for Mixed {
    fn evaluate(
        &mut self,
        pos: &Position,
        moves: &[Move],
        priors: &mut [f32],
        result: &mut LeafOutcome,
    ) -> Evaluated {
        if self.mode_on(pos) != Mode::Net {
            return self.playouts.evaluate(pos, moves, priors, result);
        }
        match self.output(pos) {
            Some(output) => {
                output.fill_priors(pos.board(), moves, priors);
                opening::guide(pos.board(), moves, priors);
                expect(output, pos, result);
                Evaluated::PriorsAndOutcome
            }
            None => self.playouts.evaluate(pos, moves, priors, result),
        }
    }

    fn playout(&mut self, pos: &mut Position, rng: &mut Rng, result: &mut LeafOutcome) {
        // A leaf without a node: the memory is full, or another thread is making the node.
        if !pos.is_over()
            && self.mode_on(pos) == Mode::Net
            && let Some(output) = self.output(pos)
        {
            return expect(output, pos, result);
        }
        self.playouts.playout(pos, rng, result);
    }

    fn evaluate_by_net(&mut self, pos: &Position, moves: &[Move], priors: &mut [f32]) -> f32 {
        let Some(output) = self.output(pos) else { return 0.5 };
        output.fill_priors(pos.board(), moves, priors);
        opening::guide(pos.board(), moves, priors);
        blended(output, pos)
    }

    fn tuning(&self, pos: &Position) -> Tuning {
        match self.mode_on(pos) {
            Mode::Playouts => self.playouts.tuning(pos),
            Mode::Hybrid { net_at, share } => Tuning { net_at, value_mix: share, ..HYBRID_TUNING },
            Mode::Net => NET_TUNING,
        }
    }

    fn salt(&self) -> u64 {
        self.mode.salt()
    }
}

fn expect(output: &NetOutput, pos: &Position, result: &mut LeafOutcome) {
    let board = pos.board();
    result.value = blended(output, pos);
    result.score = output.score;
    result.ownership.resize(board.cells(), 0.0);
    for (v, &owner) in board.points().zip(&output.owner) {
        result.ownership[v.index()] = owner;
    }
}

/// Value from First with the margin's share, as an outcome of a playout has it.
fn blended(output: &NetOutput, pos: &Position) -> f32 {
    value_of(output.value, output.score, pos.board().area())
}
