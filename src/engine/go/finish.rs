//! The end of the game: whether to play on, pass or resign.
//!
//! Passing too early leaves points and dead stones to the opponent; playing on when nothing is left is a
//! nuisance. So the engine passes when every stone's fate is certain, whoever moves first, and no point is
//! left that both sides could take; and it does not stop before.

use super::options::Options;
use super::search::Searcher;
use super::status::{Effort, Verdict, chains, mean};
use crate::engine::StopHandle;
use crate::game::Side;
use crate::go::rules::Scoring;
use crate::go::{Board, Move, Point, PointSet, Position, life, score};
use crate::search::tree::{Report, RootMove};
use std::cmp::Ordering;

/// A game is given up when it has looked lost at so many own moves in a row.
const HOPELESS_MOVES: u32 = 3;
/// No game is given up on the word of fewer visits than the first number. Of a search that may not have so many, half of its
/// visits are enough, but never fewer than the second number.
const HOPELESS_VISITS: (u64, u64) = (200, 32);
/// The fate of a stone is certain when so large a share of the playouts agrees on it (0 is half of them, 1 all).
const CERTAIN: f32 = 0.7;
/// Playouts from which a search says by itself whose each point is, and evaluations by a net from which it says whether
/// that is worth asking.
const ENOUGH_PLAYOUTS: u64 = 200;
const ENOUGH_EVALUATIONS: u64 = 8;
/// What a pass may cost at most where the game is over, by the search itself: in winrate, and in points.
const PASS_COST: (f64, f64) = (0.05, 4.0);
/// Evaluations by a net that say what it costs.
const PASS_EVALUATIONS: u32 = 64;
/// A move on a shared point is worth it when the search finds it at most so much worse than the best.
const WORTH: f64 = 0.1;

/// What to do on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Play this move, which may be a pass.
    Play(Move),
    /// Give up.
    Resign,
}

/// What is to be decided: the position, what the search found, and on which terms.
pub struct Question<'a> {
    /// The position searched.
    pub position: &'a Position,
    /// What was found.
    pub report: &'a Report<Move>,
    /// The options.
    pub options: &'a Options,
    /// Whether dead stones have to be taken off first, for this move.
    pub capture_dead: bool,
    /// What the decision may cost.
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
    /// Decides.
    pub fn answer(&self, searcher: &mut Searcher) -> Choice {
        let Self { position, report, options, .. } = *self;
        let Some(best) = report.moves.first() else { return Choice::Play(Point::PASS) };
        if options.resign && self.is_hopeless(searcher) {
            return Choice::Resign;
        }
        let strict = options.all_alive || self.capture_dead || !position.rules().friendly_pass_ok;
        let mut verdict = None;
        if position.board().passes() > 0 && !self.capture_dead {
            if self.is_open(searcher) {
                return Choice::Play(stone_unless(best, report, true));
            }
            if self.ends_well(strict, searcher, &mut verdict) {
                return Choice::Play(Point::PASS);
            }
        }
        let enough = if searcher.plays_out(options) { ENOUGH_PLAYOUTS } else { ENOUGH_EVALUATIONS };
        if !may_be_over(position.board(), report, enough) {
            return Choice::Play(stone_unless(best, report, false));
        }
        let verdict = verdict.unwrap_or_else(|| self.verdict(searcher));
        if verdict.certainty < CERTAIN || !self.may_pass(searcher) {
            return Choice::Play(stone_unless(best, report, strict));
        }
        if strict && let Some(mv) = capture(position, report, &verdict) {
            return Choice::Play(mv);
        }
        Choice::Play(shared_point(position, report, &verdict).unwrap_or(Point::PASS))
    }

    /// Whose everything is, whoever moves first.
    fn verdict(&self, searcher: &mut Searcher) -> Verdict {
        Verdict::of(self.position.board(), &self.owners(searcher))
    }

    /// Whose each point is, from Black, whoever moves first: by the search of the move itself, and one where it
    /// passes.
    fn owners(&self, searcher: &mut Searcher) -> Vec<f32> {
        let (side, never) = (self.position.board().side_to_move(), StopHandle::default());
        let own = if self.report.playouts >= ENOUGH_PLAYOUTS && searcher.plays_out(self.options) {
            let sign = if side == Side::First { 1.0 } else { -1.0 };
            self.report.ownership.iter().map(|owner| sign * owner).collect()
        } else {
            searcher.ownership(self.position, side, self.options, self.effort, &never)
        };
        let passed = searcher.ownership(self.position, side.other(), self.options, self.effort, &never);
        mean(own, &passed)
    }

    /// Whether too little of the board has an owner for the game to end.
    fn is_open(&self, searcher: &mut Searcher) -> bool {
        let board = self.position.board();
        is_sparse(board) && !self.is_certain() && !is_settled(board, &self.owners(searcher))
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
    fn is_hopeless(&self, searcher: &mut Searcher) -> bool {
        let (most, least) = HOPELESS_VISITS;
        let enough = self.visits.map_or(most, |visits| (visits / 2).clamp(least, most));
        let lost = self.report.visits >= enough && self.report.moves[0].winrate < self.options.resign_below;
        let Hopeless { count, played } = &mut searcher.hopeless[self.position.board().side_to_move().index()];
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

    /// Whether a pass costs nothing. Playouts may all be wrong about the same fight, of which the search knows that it is one.
    fn may_pass(&self, searcher: &mut Searcher) -> bool {
        let best = &self.report.moves[0];
        if !best.mv.is_stone() {
            return true;
        }
        let playouts =
            if searcher.plays_out(self.options) { self.effort.playouts } else { PASS_EVALUATIONS.into() };
        let effort = Effort { playouts, ..self.effort };
        let passed = searcher.after_pass(self.position, self.options, effort);
        passed.is_none_or(|passed| {
            1.0 - passed.winrate >= best.winrate - PASS_COST.0
                && -passed.score_lead >= best.score_lead - PASS_COST.1
        })
    }

    /// Whether a second pass wins the game: by the stones as they stand and, where players agree on dead
    /// stones, also without those. The verdict that this needs is left in `known`.
    fn ends_well(&self, strict: bool, searcher: &mut Searcher, known: &mut Option<Verdict>) -> bool {
        let side = Some(self.position.board().side_to_move());
        if score::margin(self.position, &PointSet::EMPTY).winner() != side {
            return false;
        }
        if strict {
            return true;
        }
        let verdict = known.insert(self.verdict(searcher));
        score::margin(self.position, &verdict.dead).winner() == side
    }
}

/// The best move; when that is to pass although something may be left (`strict` or not settled), the best stone
/// that is about as good.
fn stone_unless(best: &RootMove<Move>, report: &Report<Move>, strict: bool) -> Move {
    if best.mv.is_stone() {
        return best.mv;
    }
    let other = report.moves.iter().find(|mv| mv.mv.is_stone() && mv.visits > 0);
    match other {
        Some(mv) if strict || mv.winrate >= best.winrate - WORTH => mv.mv,
        _ => best.mv,
    }
}

/// Whether it is worth asking if the game is over: most points have an owner already. With fewer playouts than are enough
/// the stones on the board have to do.
fn may_be_over(board: &Board, report: &Report<Move>, enough: u64) -> bool {
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
fn capture(position: &Position, report: &Report<Move>, verdict: &Verdict) -> Option<Move> {
    let board = position.board();
    let side = board.side_to_move();
    let enemy = |&v: &Point| board.color(v).side() == Some(side.other());
    let liberties: Vec<Point> =
        verdict.dead.iter().filter(enemy).flat_map(Point::neighbors).filter(|&n| board.is_empty(n)).collect();
    let safe = |v: Point| board.is_capture(v, side) || !board.is_self_atari(v, side);
    let candidates = report.moves.iter().filter(|mv| liberties.contains(&mv.mv));
    // What a move is worth that nobody looked at is a guess.
    let by_winrate = |a: &&RootMove<Move>, b: &&RootMove<Move>| {
        (a.visits > 0).cmp(&(b.visits > 0)).then(a.winrate.total_cmp(&b.winrate))
    };
    let taking = candidates.clone().filter(|mv| board.is_capture(mv.mv, side)).max_by(by_winrate);
    taking.or_else(|| candidates.filter(|mv| safe(mv.mv)).max_by(by_winrate)).map(|mv| mv.mv)
}

/// A point that both sides could take, when taking it costs nothing: each is a point where area is counted.
fn shared_point(position: &Position, report: &Report<Move>, verdict: &Verdict) -> Option<Move> {
    if position.rules().scoring == Scoring::Territory {
        return None;
    }
    let board = position.board();
    let side = board.side_to_move();
    let is_shared = |v: Point| v.is_stone() && !verdict.count.owned.iter().any(|owned| owned.contains(v));
    let in_seki = |v: Point| v.neighbors().iter().any(|&n| verdict.seki.contains(n));
    let most = report.moves[0].winrate;
    let fitting = |mv: &&RootMove<Move>| {
        is_shared(mv.mv) && !in_seki(mv.mv) && !board.is_self_atari(mv.mv, side) && mv.winrate >= most - WORTH
    };
    let mut moves = report.moves.iter().filter(fitting);
    let first = moves.clone().next();
    moves.find(|mv| mv.visits > 0).or(first).map(|mv| mv.mv)
}
