//! The tree search and what it remembers from one move to the next.

mod saved;

use super::endgame::{self, AT_LEISURE, Effort, FinalStatus, Hopeless, Probe};
use super::memory::{MIB, Memory, Terms};
use super::options::Options;
use crate::clock::manager::{Budget, Timer};
use crate::convnet::ConvNet;
use crate::engine::{Side, StopHandle};
use crate::eval::go::speed::Speed;
use crate::eval::go::{Mixed, Mode};
use crate::go::{Move, Position};
use crate::search::tree::{SearchReport, TreeLimits};
use crate::util::memory;
use crate::util::message::Message;
use std::sync::Arc;
use std::time::Duration;

/// Bytes that measuring a net takes: its packed weights and an evaluation.
const MEASURE_BYTES: usize = 8 * MIB;

/// What to forget: each includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub enum Forget {
    Tree,
    /// Everything about earlier positions.
    Game,
    /// Everything that depends on the net and on who evaluates.
    Evaluations,
}

#[derive(Default)]
pub struct GoSearcher {
    pub memory: Memory,
    /// Who evaluates, once a game has been searched.
    mode: Option<Mode>,
    /// Who evaluated in a tree that was loaded. Where the speed of the net would decide, this does, so that
    /// the tree stays of use.
    loaded_mode: Option<Mode>,
    /// The net whose speed is known, and its speed.
    speed: Option<(Arc<ConvNet>, Speed)>,
    /// Moves in a row at which the game looked lost, by side.
    pub(super) hopeless: [Hopeless; 2],
    /// The last verdict on who owns what, and the key of its position.
    verdict: Option<(u64, FinalStatus)>,
}

impl GoSearcher {
    pub fn forget(&mut self, what: Forget) {
        self.memory.forget();
        if what >= Forget::Game {
            self.loaded_mode = None;
            self.hopeless = Default::default();
            self.verdict = None;
        }
        if what == Forget::Evaluations {
            self.mode = None;
        }
    }

    /// A game begins. A `repeatable` one is played as by a new process, unless a tree was loaded for it.
    /// Otherwise the tree stays: clients clear the board to show another position of the same game.
    pub fn begin_game(&mut self, repeatable: bool) {
        self.hopeless = Default::default();
        if repeatable && self.loaded_mode.is_none() {
            self.forget(Forget::Game);
        }
    }

    /// Chooses who evaluates in the searches that follow. A `repeatable` search does not depend on the
    /// machine.
    pub fn choose_evaluator(&mut self, options: &Options, repeatable: bool) {
        let loaded = self.loaded_mode.filter(|_| options.asks_for_speed());
        self.mode = loaded.or_else(|| {
            let speed = if repeatable { None } else { self.speed(options) };
            Some(options.mode(speed.as_ref()))
        });
    }

    /// Measures how fast the net is, if that matters and was not done before.
    pub fn speed(&mut self, options: &Options) -> Option<Speed> {
        let net = options.net.get().filter(|_| options.asks_for_speed())?;
        if let Some((known, speed)) = &self.speed
            && Arc::ptr_eq(known, net)
        {
            return Some(*speed);
        }
        // Without memory or a thread to measure by there will be no search either.
        let speed = memory::can_allocate(MEASURE_BYTES).then(|| Speed::measure(net).ok()).flatten()?;
        self.speed = Some((Arc::clone(net), speed));
        Some(speed)
    }

    pub fn mode(&self, options: &Options) -> Mode {
        self.mode.unwrap_or_else(|| options.mode(None))
    }

    /// Searches until `control` or `params` end it.
    pub fn search(
        &mut self,
        mode: Mode,
        position: &Position,
        params: TreeLimits<Move>,
        options: &Options,
        control: (&StopHandle, &Arc<Timer>),
        each: &mut dyn FnMut(&SearchReport<Move>),
    ) -> Result<SearchReport<Move>, Message> {
        let tree = self.memory.ready(options)?;
        let evaluator = tree.search.evaluator();
        if !options.net.is_same(evaluator.net()) || evaluator.mode() != mode {
            tree.search.set_evaluator(Mixed::new(options.net.get().cloned(), mode));
        }
        tree.search.set_seed(options.seed);
        let terms = Some(Terms::of(position, &params.restrictions));
        if tree.terms != terms {
            tree.search.clear();
            tree.terms = terms;
        }
        Ok(tree.search.search(position, params, control.0, control.1, each))
    }

    /// Short searches, until `stop`.
    pub fn probe<'a>(&'a mut self, options: &'a Options, stop: &'a StopHandle) -> impl Probe + use<'a> {
        ShortSearches { searcher: self, options, stop }
    }

    /// The verdict on a position from two short searches, one for each side to move first. `None`: they were
    /// stopped.
    pub fn verdict(
        &mut self,
        position: &Position,
        options: &Options,
        stop: &StopHandle,
    ) -> Option<FinalStatus> {
        let key = position.board().stones_key();
        if let Some((_, verdict)) = self.verdict.as_ref().filter(|(known, _)| *known == key) {
            return Some(verdict.clone());
        }
        let mut probe = self.probe(options, stop);
        let [first, second] =
            [Side::First, Side::Second].map(|side| probe.ownership(position, side, AT_LEISURE));
        drop(probe);
        if stop.is_set() {
            return None;
        }
        let verdict = FinalStatus::of(position.board(), &endgame::mean(first, &second));
        self.verdict = Some((key, verdict.clone()));
        Some(verdict)
    }

    /// Expected lead of the side to move in hundredths of a point, by as many playouts as half a verdict; 0
    /// when there can be no search.
    pub fn lead(&mut self, position: &Position, options: &Options) -> i32 {
        let timer = Arc::new(Timer::new(Some(Budget::fixed(AT_LEISURE.time, Duration::ZERO))));
        let params =
            TreeLimits { visits: Some(AT_LEISURE.playouts), stop_early: false, ..TreeLimits::default() };
        let control = (&StopHandle::default(), &timer);
        let mode = self.mode(options);
        let report = self.search(mode, &position.resumed(), params, options, control, &mut |_| ());
        report.map_or(0, |report| (100.0 * report.score_lead) as i32)
    }
}

struct ShortSearches<'a> {
    searcher: &'a mut GoSearcher,
    options: &'a Options,
    stop: &'a StopHandle,
}

impl ShortSearches<'_> {
    /// A search of `position`, with `side` to move, that spends `effort` beyond what is remembered.
    fn search(
        &mut self,
        mode: Mode,
        position: &Position,
        side: Side,
        effort: Effort,
    ) -> Option<SearchReport<Move>> {
        let mut root = position.resumed();
        root.set_side_to_move(side);
        let timer = Arc::new(Timer::new(Some(Budget::fixed(effort.time, Duration::ZERO))));
        let mut search = |visits| {
            let params = TreeLimits { visits: Some(visits), stop_early: false, ..TreeLimits::default() };
            self.searcher.search(mode, &root, params, self.options, (self.stop, &timer), &mut |_| ())
        };
        // Visits count what is remembered, ownership does not.
        let known = search(0).map_or(0, |report| report.visits);
        search(known + effort.playouts).ok().filter(|report| !report.moves.is_empty())
    }
}

impl Probe for ShortSearches<'_> {
    fn plays_out(&self) -> bool {
        self.searcher.mode(self.options) != Mode::Net
    }

    /// By playouts, also where the net evaluates: the thresholds of a verdict have been measured with them.
    fn ownership(&mut self, position: &Position, side: Side, effort: Effort) -> Vec<f32> {
        let sign = if side == Side::First { 1.0 } else { -1.0 };
        self.search(Mode::Playouts, position, side, effort)
            .map(|report| report.ownership.into_iter().map(|owner| sign * owner).collect())
            .unwrap_or_default()
    }

    fn after_pass(&mut self, position: &Position, effort: Effort) -> Option<SearchReport<Move>> {
        let opponent = position.board().side_to_move().other();
        self.search(self.searcher.mode(self.options), position, opponent, effort)
    }
}
