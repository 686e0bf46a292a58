//! The cost of the net on this machine: one evaluation against one visit of the search by playouts.
//!
//! A net that takes as long as two playouts is worth asking everywhere, one that takes as long as twenty only
//! where the search passes often, and the whole-number arithmetic without vectors not at all.

use super::net::NetEvaluator;
use super::{Playouts, bench};
use crate::convnet::ConvNet;
use crate::go::Position;
use crate::search::tree::{SetupError, TreeSearch, bench as search_bench};
use crate::util::system::cpu_time;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The position that both are measured on, of those of the benchmark: a middle game on 13×13.
const POSITION: usize = 3;
/// Measurements of each; the shortest counts, as other programs only make them longer.
const ROUNDS: u32 = 4;
/// Visits of the best move in one measurement, which has some five times as many in all; evaluations.
const BEST_VISITS: u64 = 8;
const EVALUATIONS: u32 = 3;
/// No measurement is repeated after this time.
const LONGEST: Duration = Duration::from_millis(40);

/// How long one evaluation by the net and one visit by playouts take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed {
    pub evaluation: Duration,
    pub visit: Duration,
}

/// An evaluation that costs no more visits than this is worth more than those: the net plays best without
/// playouts then.
const ALONE: f64 = 8.0;

/// Evaluations in visits: up to this many, and then at which descent through a node the net is asked. Above
/// the last the net is not asked.
const NET_AT: [(f64, u32); 5] = [(2.0, 1), (8.0, 2), (16.0, 4), (32.0, 16), (64.0, 64)];

pub const MAX_NET_AT: u32 = NET_AT[NET_AT.len() - 1].1;

/// What is used where nothing may depend on the speed of the machine.
pub const NOMINAL_NET_AT: u32 = 2;

/// Share of the net's value in an outcome. Less and more are worse: docs/lab/go-net-in-search.md.
pub const SHARE: f32 = 0.6;

impl Speed {
    /// Measures both, in about 20 ms where the net is fast, and 60 ms at most where it is not.
    pub fn measure(net: &Arc<ConvNet>) -> Result<Self, SetupError> {
        let position = bench::positions().swap_remove(POSITION);
        let mut net_evaluator = NetEvaluator::new(Arc::clone(net));
        let mut search = TreeSearch::new(Playouts::default(), 1, 1)?;
        let (start, mut found) = (Instant::now(), Self { evaluation: Duration::MAX, visit: Duration::MAX });
        // The first ones warm the caches.
        net_evaluator.ask(&position);
        visit(&mut search, &position);
        for _ in 0..ROUNDS {
            let watch = Watch::start();
            for _ in 0..EVALUATIONS {
                std::hint::black_box(net_evaluator.ask(&position));
            }
            found.evaluation = found.evaluation.min(watch.read() / EVALUATIONS);
            found.visit = found.visit.min(visit(&mut search, &position));
            if start.elapsed() > LONGEST {
                break;
            }
        }
        Ok(found)
    }

    pub fn ratio(&self) -> f64 {
        self.evaluation.as_secs_f64() / self.visit.as_secs_f64().max(1e-9)
    }

    /// Whether the net plays better without playouts.
    pub fn is_enough(&self) -> bool {
        self.ratio() <= ALONE
    }

    /// At which descent through a node the net is to be asked; `None`: it is too slow to be of use.
    pub fn net_at(&self) -> Option<u32> {
        NET_AT.iter().find(|(max, _)| self.ratio() <= *max).map(|&(_, net_at)| net_at)
    }
}

fn visit(search: &mut TreeSearch<Position, Playouts>, position: &Position) -> Duration {
    let watch = Watch::start();
    let visits = search_bench::visits(search, position, BEST_VISITS);
    watch.read().div_f64(visits.max(1) as f64)
}

/// Measures the processor time of this process, so that other programs do not count.
struct Watch {
    begun: Instant,
    worked: Option<Duration>,
}

impl Watch {
    fn start() -> Self {
        Self { begun: Instant::now(), worked: cpu_time() }
    }

    /// Time since the start: processor time where the system counts it finely, else the time of day.
    fn read(&self) -> Duration {
        let worked = cpu_time().zip(self.worked).map(|(now, then)| now.saturating_sub(then));
        let passed = self.begun.elapsed();
        worked.filter(|time| !time.is_zero()).map_or(passed, |time| time.min(passed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed(evaluation: u64, visit: u64) -> Speed {
        Speed { evaluation: Duration::from_micros(evaluation), visit: Duration::from_micros(visit) }
    }

    #[test]
    fn the_dearer_the_net_the_more_rarely_it_is_asked() {
        let at = |evaluation| speed(evaluation, 100).net_at();
        assert_eq!(
            [at(100), at(390), at(810), at(3100), at(6000)],
            [Some(1), Some(2), Some(4), Some(16), Some(64)]
        );
        assert_eq!(speed(7000, 100).net_at(), None);
    }

    #[test]
    fn both_take_some_time() {
        let found = Speed::measure(&Arc::new(ConvNet::random(1, 1))).unwrap();
        assert!(found.evaluation > Duration::from_micros(1) && found.visit > Duration::from_micros(1));
        assert!(found.evaluation < Duration::from_secs(1) && found.visit < Duration::from_secs(1));
    }
}
