//! The state that handlers work on: the host, and what GTP itself keeps between commands.

use super::args::Refusal;
use super::command::{Answer, Reply};
use super::report::ReportOptions;
use super::time::Clocks;
use crate::engine::go::{GameState, GoEngine, SearchRequest};
use crate::engine::{Analysis, Limits, Side};
use crate::ensure;
use crate::protocol::Host;
use std::time::{Duration, Instant};

/// State between commands; the board and the rules are the engine's.
#[derive(Debug, Default)]
pub struct GtpState {
    pub clocks: Clocks,
    /// The search that has not been answered yet.
    pub running: Option<PendingSearch>,
    /// The last report of the last search: for commands that ask about it afterwards.
    pub last_analysis: Option<Analysis>,
    /// The last report of the running search.
    pub last_message: Option<String>,
    /// Whether GoGui's live graphics go to standard error while a search runs.
    pub live_graphics: bool,
    /// Whether the engine searches on the opponent's time.
    pub ponder: bool,
    /// When an analysis pauses without a limit in its command.
    pub bounds: Bounds,
    /// An analysis pauses: it has reached its limit, and the next line of input ends its answer.
    pub resting: bool,
}

/// When an analysis stops searching, if it has limits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Visits of the root; 0: no limit.
    pub visits: u64,
    /// Seconds; 0: no limit.
    pub seconds: f64,
}

impl Bounds {
    /// The same as limits of a search.
    pub fn limits(self) -> Limits {
        let nodes = (self.visits > 0).then_some(self.visits);
        let movetime = (self.seconds > 0.0).then(|| Duration::from_secs_f64(self.seconds));
        let infinite = nodes.is_none() && movetime.is_none();
        Limits { nodes, movetime, infinite, analysis: true, ..Limits::default() }
    }
}

/// A running search, and the answer that it owes.
#[derive(Debug)]
pub struct PendingSearch {
    pub id: String,
    pub purpose: Purpose,
    pub side: Side,
    /// When the request was taken up.
    pub started: Instant,
    /// The form of reports, when the client asked for them.
    pub report: Option<ReportOptions>,
}

/// Makes a text of a report for a side, on a board of these columns and rows.
pub type Picture = fn(&Analysis, Side, (usize, usize)) -> String;

/// Why a search was started.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// The move is played and answered.
    Play,
    /// The move is answered, the board stays.
    Propose,
    /// The same, unless a line of input comes before.
    ProposeUnlessCancelled,
    /// Reports go on until the next line of input.
    Analyze,
    /// The answer is made by this function from the last report.
    Show(Picture),
    /// On the opponent's time: nothing is answered.
    Ponder,
}

impl Purpose {
    /// Whether the next line of input ends the search.
    pub fn yields_to_input(self) -> bool {
        matches!(self, Self::Analyze | Self::Ponder | Self::ProposeUnlessCancelled)
    }

    /// Whether GoGui's live graphics follow the search.
    pub fn is_shown_live(self) -> bool {
        !matches!(self, Self::Show(_) | Self::Ponder)
    }
}

/// The host and the state, together for one command.
pub struct Session<'a> {
    pub host: &'a mut dyn Host,
    pub state: &'a mut GtpState,
    pub id: &'a str,
}

impl Session<'_> {
    pub fn engine(&mut self) -> &mut GoEngine {
        self.host.go_engine()
    }

    pub fn game_state(&mut self) -> &mut GameState {
        self.engine().game_state()
    }

    /// Starts a search for `side` (by default the side to move), to be answered when it ends.
    pub fn search(
        &mut self,
        side: Option<Side>,
        purpose: Purpose,
        request: SearchRequest,
        limits: Limits,
        report: Option<ReportOptions>,
    ) -> Reply {
        ensure!(!self.host.is_ending(), Refusal::ENDING);
        let side = side.unwrap_or(self.game_state().side_to_move());
        let request = SearchRequest { side: Some(side), ..request };
        let started = Instant::now();
        self.state.last_message = None;
        if matches!(purpose, Purpose::Show(_)) {
            // A report of an earlier search does not answer this question.
            self.state.last_analysis = None;
        }
        self.host.go_search(request, limits)?;
        let id = self.id.to_owned();
        self.state.running = Some(PendingSearch { id, purpose, side, started, report });
        Ok(Answer::Later)
    }
}
