//! Who owns what when the game has ended: life and death from where the search's playouts end, whoever
//! moves first.

use super::options::Options;
use super::search::Searcher;
use super::{GameError, GameState, GoEngine};
use crate::clock::manager::{Budget, Timer};
use crate::engine::{Engine, Side, StopHandle};
use crate::eval::go::Mode;
use crate::go::score::{self, Count, Margin};
use crate::go::{Board, Color, Move, Point, PointSet, Position, life};
use crate::search::tree::{Params, Report};
use crate::util::sync::lock;
use std::sync::Arc;
use std::time::Duration;

/// A chain that is the opponent's in so large a share of playouts is dead: `(1 + 0.4) / 2` of them.
const DEAD_BELOW: f32 = -0.4;

/// Whose every stone and point is.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Stones that cannot avoid capture.
    pub dead: PointSet,
    /// Live stones in seki.
    pub seki: PointSet,
    /// How sure the least sure stone is: 0 to 1.
    pub certainty: f32,
    /// The count with the dead stones taken off.
    pub count: Count,
}

impl Verdict {
    /// Judges a board by the owner of every point (by padded index; 1 is Black's, -1 White's); no owners: no
    /// stone is dead.
    pub fn of(board: &Board, ownership: &[f32]) -> Self {
        let mut dead = PointSet::EMPTY;
        let mut certainty = 1.0_f32;
        // What lives without an answer needs no statistics; rules with suicide are the harder case. Without
        // statistics everything on the board is alive.
        let safe = if ownership.is_empty() { Default::default() } else { life::unconditional(board, true) };
        for head in chains(board) {
            let share = match safe.owner(head) {
                Some(owner) if board.color(head) == Color::of(owner) => 1.0,
                Some(_) => -1.0,
                None => safety(board, head, ownership),
            };
            certainty = certainty.min(share.abs());
            if share < DEAD_BELOW {
                for stone in board.chain(head) {
                    dead.insert(stone);
                }
            }
        }
        let count = score::count(board, &dead);
        let seki = score::seki(board, &dead, &count);
        Self { dead, seki, certainty, count }
    }
}

/// One stone of every chain.
pub(super) fn chains(board: &Board) -> impl Iterator<Item = Point> + '_ {
    board.points().filter(|&v| board.color(v).side().is_some() && board.root(v) == v)
}

/// Mean ownership of a chain's points from its own side: 1 is alive in every playout, -1 taken in every one.
fn safety(board: &Board, head: Point, ownership: &[f32]) -> f32 {
    let sign = if board.color(head) == Color::Black { 1.0 } else { -1.0 };
    let (sum, stones) = board.chain(head).fold((0.0, 0.0), |(sum, n), v| {
        (sum + sign * ownership.get(v.index()).copied().unwrap_or(sign), n + 1.0)
    });
    sum / stones
}

/// How much a verdict may cost.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Playouts of each search behind it.
    pub playouts: u64,
    /// Time of each search behind it.
    pub time: Duration,
}

/// For questions that no clock hurries.
const AT_LEISURE: Effort = Effort { playouts: 600, time: Duration::from_millis(400) };

impl Searcher {
    /// The verdict on a position from two short searches, one for each side to move first. `None`: they were stopped.
    pub(super) fn verdict(
        &mut self,
        position: &Position,
        options: &Options,
        stop: &StopHandle,
    ) -> Option<Verdict> {
        let key = position.board().stones_key();
        if let Some((_, verdict)) = self.verdict.as_ref().filter(|(known, _)| *known == key) {
            return Some(verdict.clone());
        }
        let [first, second] =
            [Side::First, Side::Second].map(|side| self.ownership(position, side, options, AT_LEISURE, stop));
        if stop.is_set() {
            return None;
        }
        let verdict = Verdict::of(position.board(), &mean(first, &second));
        self.verdict = Some((key, verdict.clone()));
        Some(verdict)
    }

    /// Hundredths of a point that the side to move is expected to be ahead, by as many playouts as half a verdict;
    /// 0 when nothing could be searched.
    pub(super) fn lead(&mut self, position: &Position, options: &Options) -> i32 {
        let timer = Arc::new(Timer::new(Some(Budget::fixed(AT_LEISURE.time, Duration::ZERO))));
        let params = Params { visits: Some(AT_LEISURE.playouts), stop_early: false, ..Params::default() };
        let report =
            self.search(&position.resumed(), params, options, (&StopHandle::default(), &timer), &mut |_| ());
        report.map_or(0, |report| (100.0 * report.score_lead) as i32)
    }

    /// Who owns what, from Black, if `side` moves first. Empty when nothing could be searched.
    pub fn ownership(
        &mut self,
        position: &Position,
        side: Side,
        options: &Options,
        effort: Effort,
        stop: &StopHandle,
    ) -> Vec<f32> {
        let mut root = position.resumed();
        root.set_side_to_move(side);
        let sign = if side == Side::First { 1.0 } else { -1.0 };
        // Whoever else evaluates, playouts do here: what is made of their ends has been measured with them.
        self.searched(Mode::Playouts, &root, options, effort, stop)
            .map(|report| report.ownership.into_iter().map(|owner| sign * owner).collect())
            .unwrap_or_default()
    }

    /// What the search expects after a pass, from the opponent, who moves then. `None` when nothing could be searched.
    pub(super) fn after_pass(
        &mut self,
        position: &Position,
        options: &Options,
        effort: Effort,
    ) -> Option<Report<Move>> {
        let mut root = position.resumed();
        root.set_side_to_move(position.board().side_to_move().other());
        self.searched(self.mode(options), &root, options, effort, &StopHandle::default())
    }

    /// A search of `root` with so much effort beyond what is remembered.
    fn searched(
        &mut self,
        mode: Mode,
        root: &Position,
        options: &Options,
        effort: Effort,
        stop: &StopHandle,
    ) -> Option<Report<Move>> {
        let timer = Arc::new(Timer::new(Some(Budget::fixed(effort.time, Duration::ZERO))));
        let mut search = |visits| {
            let params = Params { visits: Some(visits), stop_early: false, ..Params::default() };
            self.search_as(mode, root, params, options, (stop, &timer))
        };
        // Visits count what is remembered, ownership does not: so many more are needed.
        let known = search(0).map_or(0, |report| report.visits);
        search(known + effort.playouts).ok().filter(|report| !report.moves.is_empty())
    }
}

/// The mean of two ownerships; one alone when the other is unknown.
pub(super) fn mean(mut first: Vec<f32>, second: &[f32]) -> Vec<f32> {
    if first.is_empty() {
        return second.to_vec();
    }
    for (owner, other) in first.iter_mut().zip(second) {
        *owner = (*owner + other) / 2.0;
    }
    first
}

/// The status of every stone and point, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The result: `B+7.5`, `W+0.5`, `0`.
    pub score: String,
    /// Name of a status, and the groups that have it.
    parts: Vec<(&'static str, Vec<Vec<String>>)>,
}

impl Status {
    /// The groups of one status: `dead`, `alive`, `seki`, `black_territory`, `white_territory`, `dame`.
    /// `None`: there is no such status.
    pub fn groups(&self, status: &str) -> Option<&[Vec<String>]> {
        self.parts.iter().find(|(name, _)| *name == status).map(|(_, groups)| groups.as_slice())
    }

    /// The status of a point.
    pub fn of(&self, vertex: &str) -> Option<&'static str> {
        let holds = |groups: &Vec<Vec<String>>| groups.iter().flatten().any(|v| v == vertex);
        self.parts.iter().find(|(_, groups)| holds(groups)).map(|(name, _)| *name)
    }
}

impl GoEngine {
    /// The status of every stone and point on the board as it is. No stone is dead with the option `All Alive`, and at the
    /// end of a game by rules that know no agreement on dead stones. Blocks for as long as two short searches take.
    pub fn status(&mut self) -> Status {
        self.status_until(&StopHandle::default()).unwrap_or_default()
    }

    /// The same; `None`: it was stopped.
    pub fn status_until(&mut self, stop: &StopHandle) -> Option<Status> {
        self.wait();
        let position = &self.game.position;
        let is_counted = position.board().passes() >= 2 && !position.rules().friendly_pass_ok;
        let verdict = if self.options.all_alive || is_counted {
            Verdict::of(position.board(), &[])
        } else {
            lock(&self.searcher).verdict(position, &self.options, stop)?
        };
        let margin = score::margin(position, &verdict.dead);
        Some(describe(&self.game, margin, &verdict))
    }
}

fn describe(game: &GameState, margin: Margin, verdict: &Verdict) -> Status {
    let board = game.position.board();
    let Verdict { dead, seki, count, .. } = verdict;
    let names = |points: Vec<Point>| points.into_iter().map(|v| game.name(v)).collect::<Vec<_>>();
    let groups = |wanted: &dyn Fn(Point) -> bool| -> Vec<Vec<String>> {
        chains(board).filter(|&v| wanted(v)).map(|v| names(board.chain(v).collect())).collect()
    };
    let points = |wanted: &dyn Fn(Point) -> bool| -> Vec<Vec<String>> {
        let points = names(board.points().filter(|&v| board.is_empty(v) && wanted(v)).collect());
        if points.is_empty() { Vec::new() } else { vec![points] }
    };
    Status {
        score: margin.to_string(),
        parts: vec![
            ("dead", groups(&|v| dead.contains(v))),
            ("seki", groups(&|v| seki.contains(v))),
            ("alive", groups(&|v| !seki.contains(v) && !dead.contains(v))),
            ("black_territory", points(&|v| count.owned[0].contains(v))),
            ("white_territory", points(&|v| count.owned[1].contains(v))),
            ("dame", points(&|v| !count.owned.iter().any(|owned| owned.contains(v)))),
        ],
    }
}

impl GameState {
    /// The result when just the stones on these points are dead; everything else is alive.
    /// # Errors
    /// [`GameError::Coordinate`] for what is not a point of the board.
    pub fn score_without(&self, dead: &[&str]) -> Result<String, GameError> {
        let dead = dead.iter().map(|text| self.point(text)).collect::<Result<PointSet, _>>()?;
        Ok(score::margin(&self.position, &dead).to_string())
    }
}
