//! The end of the game: whether to play on, pass or resign, and which stones are dead.
//!
//! Passing too early leaves points and dead stones to the opponent; playing on when nothing is left is a
//! nuisance. So the engine passes when the fate of every stone is certain, with either side to move, and no
//! point is left that both sides could take; and it does not stop before. Life and death are read from where
//! playouts end.

use super::chances::chance;
use super::game_state::{GameError, GameState};
use super::options::Options;
use crate::game::Side;
use crate::go::rules::Scoring;
use crate::go::score::{self, Count};
use crate::go::{Board, Color, Move, Point, PointSet, Position, life};
use crate::search::tree::{RootChild, SearchReport};
use std::cmp::Ordering;
use std::time::Duration;

/// A game is resigned after this many own moves in a row at which it looked lost.
const HOPELESS_MOVES: u32 = 3;
/// Visits that a resignation needs. Where the limit of a search is lower, half of that limit, and never fewer
/// than the second number.
const HOPELESS_VISITS: (u64, u64) = (200, 32);
/// The fate of a stone is certain when this share of the playouts agrees on it (0 is half of them, 1 all).
const CERTAIN: f32 = 0.7;
/// Playouts from which the ownership of a search counts, and net evaluations from which it shows whether to
/// probe.
const ENOUGH_PLAYOUTS: u64 = 200;
const ENOUGH_EVALUATIONS: u64 = 8;
/// What a pass may cost at most where the game is over, by the search itself: in winrate, and in points.
const PASS_COST: (f64, f64) = (0.05, 4.0);
/// Net evaluations of the position after the pass.
const PASS_EVALUATIONS: u32 = 64;
/// A move on a shared point is worth it when its winrate is at most this much below the best.
const WORTH: f64 = 0.1;

/// A chain that the opponent owns in `(1 + 0.4) / 2` of the playouts is dead.
const DEAD_BELOW: f32 = -0.4;

/// Who owns every stone and point.
#[derive(Clone, Debug, PartialEq)]
pub struct FinalStatus {
    /// Stones that cannot avoid capture.
    pub dead: PointSet,
    pub seki: PointSet,
    /// How sure the least sure stone is: 0 to 1.
    pub certainty: f32,
    /// The count with the dead stones taken off.
    pub count: Count,
}

impl FinalStatus {
    /// Judges a board by the owner of every point (by padded index; 1 for Black, -1 for White); no owners: no
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
fn chains(board: &Board) -> impl Iterator<Item = Point> + '_ {
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

/// What a probe may cost.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub playouts: u64,
    pub time: Duration,
}

/// For questions without a clock.
pub(super) const AT_LEISURE: Effort = Effort { playouts: 600, time: Duration::from_millis(400) };

/// Short searches, which ask who owns what.
pub trait Probe {
    /// Whether searches play games to their end, so that scores are counted rather than estimated.
    fn plays_out(&self) -> bool;
    /// Who owns what, from Black, if `side` moves first. Empty when there can be no search.
    fn ownership(&mut self, position: &Position, side: Side, effort: Effort) -> Vec<f32>;
    /// What is expected after a pass, from the opponent, who moves then. `None` when there can be no search.
    fn after_pass(&mut self, position: &Position, effort: Effort) -> Option<SearchReport<Move>>;
}

/// The mean of two ownerships; one of them when the other is unknown.
pub(super) fn mean(mut first: Vec<f32>, second: &[f32]) -> Vec<f32> {
    if first.is_empty() {
        return second.to_vec();
    }
    for (owner, other) in first.iter_mut().zip(second) {
        *owner = (*owner + other) / 2.0;
    }
    first
}

/// What is to be decided: the position, what the search found, and on which terms.
pub struct Question<'a> {
    pub position: &'a Position,
    pub report: &'a SearchReport<Move>,
    pub options: &'a Options,
    /// Whether dead stones have to be taken off first, for this move.
    pub capture_dead: bool,
    pub effort: Effort,
    /// Visits that the search was limited to.
    pub visits: Option<u64>,
}

/// At how many moves in a row a game looked lost, and how many had been played at the last of them.
#[derive(Clone, Copy, Default)]
pub struct Hopeless {
    count: u32,
    played: usize,
}

impl Question<'_> {
    /// The move to play, which may be a pass.
    pub fn answer(&self, probe: &mut impl Probe) -> Move {
        let Self { position, report, options, .. } = *self;
        let Some(best) = report.moves.first() else { return Point::PASS };
        let strict = options.all_alive || self.capture_dead || !position.rules().friendly_pass_ok;
        let mut verdict = None;
        if position.board().passes() > 0 && !self.capture_dead {
            if self.is_open(probe) {
                return stone_unless(best, report, true);
            }
            if self.ends_well(strict, probe, &mut verdict) {
                return Point::PASS;
            }
        }
        let enough = if probe.plays_out() { ENOUGH_PLAYOUTS } else { ENOUGH_EVALUATIONS };
        if !may_be_over(position.board(), report, enough) {
            return stone_unless(best, report, false);
        }
        let verdict = verdict.unwrap_or_else(|| self.verdict(probe));
        if verdict.certainty < CERTAIN || !self.may_pass(probe) {
            return stone_unless(best, report, strict);
        }
        if strict && let Some(mv) = capture(position, report, &verdict) {
            return mv;
        }
        shared_point(position, report, &verdict).unwrap_or(Point::PASS)
    }

    /// Who owns what, with either side to move.
    fn verdict(&self, probe: &mut impl Probe) -> FinalStatus {
        FinalStatus::of(self.position.board(), &self.owners(probe))
    }

    /// Ownership from Black, the mean over both sides to move: by the search of the move itself, and one
    /// after a pass.
    fn owners(&self, probe: &mut impl Probe) -> Vec<f32> {
        let side = self.position.board().side_to_move();
        let own = if self.report.playouts >= ENOUGH_PLAYOUTS && probe.plays_out() {
            let sign = if side == Side::First { 1.0 } else { -1.0 };
            self.report.ownership.iter().map(|owner| sign * owner).collect()
        } else {
            probe.ownership(self.position, side, self.effort)
        };
        let passed = probe.ownership(self.position, side.other(), self.effort);
        mean(own, &passed)
    }

    /// Whether too little of the board has an owner for the game to end.
    fn is_open(&self, probe: &mut impl Probe) -> bool {
        let board = self.position.board();
        is_sparse(board) && !self.is_certain() && !is_settled(board, &self.owners(probe))
    }

    /// Whether the side to move wins by what is unconditionally its own, if all else is the opponent's.
    fn is_certain(&self) -> bool {
        let (board, side) = (self.position.board(), self.position.board().side_to_move());
        let safe = life::unconditional(board, self.position.rules().suicide);
        let own = board.points().filter(|&v| safe.owner(v) == Some(side)).count() as f32;
        let bonus = self.position.area_bonus();
        2.0 * own - board.area() as f32 > if side == Side::First { bonus } else { -bonus }
    }

    /// Whether the game looked lost at this move and at those of the same side before it.
    pub fn is_hopeless(&self, Hopeless { count, played }: &mut Hopeless) -> bool {
        let Some(best) = self.report.moves.first() else { return false };
        let (max, min) = HOPELESS_VISITS;
        let enough = self.visits.map_or(max, |visits| (visits / 2).clamp(min, max));
        let lost = self.report.visits >= enough && chance(best.winrate) < self.options.resign_below;
        let now = self.position.moves().len();
        // A move may be asked for without being played, and taken back.
        *count = match now.cmp(played) {
            _ if !lost => 0,
            Ordering::Greater => *count + 1,
            Ordering::Equal => (*count).max(1),
            Ordering::Less => 1,
        };
        *played = now;
        *count >= HOPELESS_MOVES
    }

    /// Whether a pass costs nothing. Playouts may all be wrong about the same fight, of which the search
    /// knows that it is one.
    fn may_pass(&self, probe: &mut impl Probe) -> bool {
        let best = &self.report.moves[0];
        if !best.mv.is_stone() {
            return true;
        }
        let playouts = if probe.plays_out() { self.effort.playouts } else { PASS_EVALUATIONS.into() };
        let effort = Effort { playouts, ..self.effort };
        let passed = probe.after_pass(self.position, effort);
        passed.is_none_or(|passed| {
            1.0 - passed.winrate >= best.winrate - PASS_COST.0
                && -passed.score_lead >= best.score_lead - PASS_COST.1
        })
    }

    /// Whether a second pass wins the game: by the stones as they stand and, where players agree on dead
    /// stones, also without those. The verdict that this needs is left in `known`.
    fn ends_well(&self, strict: bool, probe: &mut impl Probe, known: &mut Option<FinalStatus>) -> bool {
        let side = Some(self.position.board().side_to_move());
        if score::margin(self.position, &PointSet::EMPTY).winner() != side {
            return false;
        }
        if strict {
            return true;
        }
        let verdict = known.insert(self.verdict(probe));
        score::margin(self.position, &verdict.dead).winner() == side
    }
}

/// The best move; when that is to pass although something may be left (`strict` or not settled), the best
/// stone that is about as good.
fn stone_unless(best: &RootChild<Move>, report: &SearchReport<Move>, strict: bool) -> Move {
    if best.mv.is_stone() {
        return best.mv;
    }
    let other = report.moves.iter().find(|mv| mv.mv.is_stone() && mv.visits > 0);
    match other {
        Some(mv) if strict || mv.winrate >= best.winrate - WORTH => mv.mv,
        _ => best.mv,
    }
}

/// Whether it is worth asking if the game is over: most points have an owner already. With fewer playouts
/// than are enough the stones on the board have to do.
fn may_be_over(board: &Board, report: &SearchReport<Move>, enough: u64) -> bool {
    if report.playouts < enough { !is_sparse(board) } else { is_settled(board, &report.ownership) }
}

/// Whether more than half of the board is empty.
pub(super) fn is_sparse(board: &Board) -> bool {
    board.empty_count() * 2 > board.area()
}

/// Whether most points have an owner, and every chain is clearly alive or clearly dead.
fn is_settled(board: &Board, owners: &[f32]) -> bool {
    let owner = |v: Point| owners.get(v.index()).copied().unwrap_or(0.0);
    let open = board.points().filter(|&v| owner(v).abs() < 0.5).count();
    let unsure = chains(board).any(|v| owner(v).abs() < 0.4);
    !unsure && open * 12 <= board.area()
}

/// A move that takes dead stones of the opponent off, or comes closer to it.
fn capture(position: &Position, report: &SearchReport<Move>, verdict: &FinalStatus) -> Option<Move> {
    let board = position.board();
    let side = board.side_to_move();
    let enemy = |&v: &Point| board.color(v).side() == Some(side.other());
    let liberties: Vec<Point> =
        verdict.dead.iter().filter(enemy).flat_map(Point::neighbors).filter(|&n| board.is_empty(n)).collect();
    let safe = |v: Point| board.is_capture(v, side) || !board.is_self_atari(v, side);
    let candidates = report.moves.iter().filter(|mv| liberties.contains(&mv.mv));
    // The value of a move without visits is a guess.
    let by_winrate = |a: &&RootChild<Move>, b: &&RootChild<Move>| {
        (a.visits > 0).cmp(&(b.visits > 0)).then(a.winrate.total_cmp(&b.winrate))
    };
    let taking = candidates.clone().filter(|mv| board.is_capture(mv.mv, side)).max_by(by_winrate);
    taking.or_else(|| candidates.filter(|mv| safe(mv.mv)).max_by(by_winrate)).map(|mv| mv.mv)
}

/// A point that both sides could take, when taking it costs nothing: each is a point where area is counted.
fn shared_point(position: &Position, report: &SearchReport<Move>, verdict: &FinalStatus) -> Option<Move> {
    if position.rules().scoring == Scoring::Territory {
        return None;
    }
    let board = position.board();
    let side = board.side_to_move();
    let is_shared = |v: Point| v.is_stone() && !verdict.count.owned.iter().any(|owned| owned.contains(v));
    let in_seki = |v: Point| v.neighbors().iter().any(|&n| verdict.seki.contains(n));
    let max = report.moves[0].winrate;
    let fitting = |mv: &&RootChild<Move>| {
        is_shared(mv.mv) && !in_seki(mv.mv) && !board.is_self_atari(mv.mv, side) && mv.winrate >= max - WORTH
    };
    let mut moves = report.moves.iter().filter(fitting);
    let first = moves.clone().next();
    moves.find(|mv| mv.visits > 0).or(first).map(|mv| mv.mv)
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
    /// `None`: an unknown status.
    pub fn groups(&self, status: &str) -> Option<&[Vec<String>]> {
        self.parts.iter().find(|(name, _)| *name == status).map(|(_, groups)| groups.as_slice())
    }

    pub fn of(&self, vertex: &str) -> Option<&'static str> {
        let holds = |groups: &Vec<Vec<String>>| groups.iter().flatten().any(|v| v == vertex);
        self.parts.iter().find(|(_, groups)| holds(groups)).map(|(name, _)| *name)
    }
}

impl GameState {
    /// The status of every stone and point by a verdict.
    pub fn status(&self, verdict: &FinalStatus) -> Status {
        let board = self.position.board();
        let FinalStatus { dead, seki, count, .. } = verdict;
        let names = |points: Vec<Point>| points.into_iter().map(|v| self.name(v)).collect::<Vec<_>>();
        let groups = |wanted: &dyn Fn(Point) -> bool| -> Vec<Vec<String>> {
            chains(board).filter(|&v| wanted(v)).map(|v| names(board.chain(v).collect())).collect()
        };
        let points = |wanted: &dyn Fn(Point) -> bool| -> Vec<Vec<String>> {
            let points = names(board.points().filter(|&v| board.is_empty(v) && wanted(v)).collect());
            if points.is_empty() { Vec::new() } else { vec![points] }
        };
        Status {
            score: score::margin(&self.position, dead).to_string(),
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

    /// The result when the stones on these points are dead, and no others.
    /// # Errors
    /// [`GameError::Coordinate`] for a text that is not a point of the board.
    pub fn score_without(&self, dead: &[&str]) -> Result<String, GameError> {
        let dead = dead.iter().map(|text| self.point(text)).collect::<Result<PointSet, _>>()?;
        Ok(score::margin(&self.position, &dead).to_string())
    }
}
