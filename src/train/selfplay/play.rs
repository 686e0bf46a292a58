//! One self-play game: a random opening, moves drawn by their visits, and an end that leaves nothing open.

use super::super::generate::game_rng;
use super::super::record::go::{GoEnding, GoGame, GoPly, ROW_MOVES, SearchedPosition, number};
use super::end::{agreement, is_all_owned, settle};
use super::{By, SelfplaySettings, unit};
use crate::clock::manager::Timer;
use crate::convnet::ConvNet;
use crate::engine::StopHandle;
use crate::engine::go::endgame::{Effort, Probe, Question};
use crate::engine::go::options::{EvaluatorKind, NetFile, Options};
use crate::engine::go::searcher::{Forget, GoSearcher};
use crate::eval::go::Mixed;
use crate::game::{Game, Side, TreeGame};
use crate::go::{Move, Point, Position, Rules};
use crate::message;
use crate::search::tree::gumbel::Gumbel;
use crate::search::tree::{LeafEvaluator, LeafOutcome, RootChild, SearchReport, TreeLimits};
use crate::util::message::Message;
use crate::util::rng::Rng;
use std::sync::Arc;
use std::time::Duration;

/// Enough for the tree of a few moves: unused parts are dropped.
const HASH_MIB: usize = 16;

/// Plies drawn without a search: minimum and maximum.
const MIN_OPENING: usize = 2;
const OPENING_RANGE: usize = 7;
/// Openings whose winrate is farther from one half are drawn again, this many times: where one side has won
/// already there is little to learn. Komi by itself may decide a game, so not forever.
const OPENING_WINRATE: f64 = 0.4;
const OPENINGS: usize = 4;

/// Komi in points: the mean, the deviation, and that of one game in [`WIDE_KOMI_GAMES`].
const KOMI: f64 = 7.5;
const KOMI_SPREAD: f64 = 2.5;
const WIDE_KOMI_SPREAD: f64 = 12.0;
const WIDE_KOMI_GAMES: usize = 16;
/// One game in this many may be drawn: its komi is a whole number.
const WHOLE_KOMI_GAMES: usize = 8;

/// The temperature of the draw among the visits after the opening; it halves with every number of plies equal
/// to the side of the board is long, down to the least.
const MIN_TEMPERATURE: f64 = 0.15;
/// Moves with a smaller share of the most visited move's visits are not drawn.
const MIN_SHARE: f64 = 0.02;

/// Winrates this far from one half, in this many searches in a row, decide a game. What follows is searched
/// shortly and without a row, but in one game of [`THOROUGH_GAMES`]: ends have to be learned too.
const DECIDED_WINRATE: f64 = 0.45;
const DECIDED_SEARCHES: u32 = 6;
const THOROUGH_GAMES: usize = 4;
/// Part of the visits that a short search has, by playouts and where a net plays.
const SHORT: u32 = 4;
const NET_SHORT: u32 = 6;

/// Where a net plays, one search in this many is a full one before the game is decided.
const FULL_SEARCHES: usize = 4;
/// Moves that a full search of a net looks at.
const CONSIDERED: usize = 16;

/// Where a net plays, one game in this many leaves the way of the search once, by the best of some random
/// moves, in the first part of the game, given as a share of the number of points. The moves before that have
/// no rows: they did not lead to the result.
const FORKED_GAMES: usize = 25;
const FORK_MOVES: usize = 3;
const FORK_PART: usize = 8;

/// Playouts, beyond those of the search, that decide the ownership where a game may be over. Their time is
/// longer than that of any search: results must not depend on it.
const EFFORT: Effort = Effort { playouts: 100, time: Duration::from_secs(86_400) };
/// Fewer of them where only a net plays: a hundred would cost more than its search.
const NET_EFFORT: Effort = Effort { playouts: 40, ..EFFORT };

/// The longest game, in points of the board: superko ends all games, but long ones may be all ko fights.
const LONGEST: usize = 3;

/// One search thread with its memory.
pub struct SelfplayPlayer {
    searcher: GoSearcher,
    options: Options,
    evaluator: Mixed,
    by: By,
    stop: StopHandle,
    /// Visits of all searches since the game began.
    visits: u64,
}

impl SelfplayPlayer {
    /// A player that evaluates by `by`; `net` is for those who ask one.
    pub fn new(by: By, net: Option<Arc<ConvNet>>) -> Result<Self, Message> {
        let needed = || message!("no net to play by" | "没有可用来下棋的网络");
        let (net, evaluator) = match by {
            By::Playouts => (None, EvaluatorKind::Playouts),
            By::Net => (Some(net.ok_or_else(needed)?), EvaluatorKind::Net),
            By::Hybrid => (Some(net.ok_or_else(needed)?), EvaluatorKind::Hybrid),
        };
        let options = Options {
            hash_mib: HASH_MIB,
            resign: false,
            all_alive: true,
            net: NetFile::given(net.clone()),
            evaluator,
            ..Options::default()
        };
        let mut searcher = GoSearcher::default();
        searcher.memory.ready(&options)?;
        let evaluator = Mixed::new(net, options.mode(None));
        Ok(Self { searcher, options, evaluator, by, stop: StopHandle::default(), visits: 0 })
    }

    fn new_game(&mut self, seed: u64) {
        self.searcher.forget(Forget::Game);
        self.options.seed = seed;
        self.visits = 0;
    }

    fn search(&mut self, position: &Position, visits: u32, look: Look) -> SearchReport<Move> {
        let until = |visits| TreeLimits { visits: Some(visits), stop_early: false, ..TreeLimits::default() };
        let short = if self.by == By::Playouts { SHORT } else { NET_SHORT };
        match look {
            Look::Short => self.run(position, until((visits / short).max(1).into())),
            Look::Full if self.by != By::Net => self.run(position, until(visits.into())),
            Look::Full => {
                // Each of the moves that are looked at gets its visits, whatever is known of them already.
                let known = self.run(position, until(0)).visits;
                let seed = Rng::new(self.options.seed ^ position.graph_key()).next_u64();
                let gumbel = Some(Gumbel { considered: CONSIDERED, seed });
                self.run(position, TreeLimits { gumbel, ..until(known + u64::from(visits)) })
            }
        }
    }

    fn run(&mut self, position: &Position, params: TreeLimits<Move>) -> SearchReport<Move> {
        let timer = Arc::new(Timer::new(None));
        let (mode, control) = (self.searcher.mode(&self.options), (&self.stop, &timer));
        let report = self.searcher.search(mode, position, params, &self.options, control, &mut |_| ());
        // Memory and threads exist already, so nothing can fail.
        let report = report.unwrap_or_else(|_| unreachable!("the search is ready"));
        self.visits += report.playouts;
        report
    }

    /// The cost of deciding the ownership.
    fn effort(&self) -> Effort {
        if self.by == By::Net { NET_EFFORT } else { EFFORT }
    }

    /// The move to play when the first of the report is wanted: another one where that would leave dead
    /// stones or open points, a pass where nothing is left.
    fn finish(&mut self, position: &Position, report: &SearchReport<Move>) -> Move {
        let (options, effort) = (&self.options, self.effort());
        let question = Question { position, report, options, capture_dead: true, effort, visits: None };
        question.answer(&mut self.searcher.probe(options, &self.stop))
    }

    /// The owner of each point of a finished game by playouts from its end, from Black's side.
    fn ownership(&mut self, position: &Position) -> Vec<f32> {
        let effort = self.effort();
        self.searcher.probe(&self.options, &self.stop).ownership(position, position.side_to_move(), effort)
    }
}

/// Plays game `index` of the run. Depends on nothing but the arguments: the player starts afresh. Also
/// returns the visits of all searches.
pub fn play(player: &mut SelfplayPlayer, settings: &SelfplaySettings, index: u32) -> (GoGame, u64) {
    let mut rng = game_rng(settings.seed, settings.shard, index);
    player.new_game(rng.next_u64());
    let size = settings.draw_size(&mut rng);
    let visits = settings.visits_on(size);
    let komi = draw_komi(&mut rng);
    let (mut position, mut report) = opening(player, size, f32::from(komi) / 2.0, visits, &mut rng);
    let opening: Vec<GoPly> = moves_of(&position).collect();
    let mut game = Playing {
        opening: opening.len(),
        plies: opening,
        thorough: rng.below(THOROUGH_GAMES) == 0,
        decided: 0,
        fork: None,
        by: player.by,
    };
    game.draw_fork(position.board().area(), &mut rng);
    let mut look = Look::Full;
    let ending = loop {
        game.note(&position, &report);
        let row = (look == Look::Full && game.is_open()).then(|| row(&position, &report));
        let forked =
            if game.fork == Some(game.plies.len()) { fork(player, &position, &mut rng) } else { None };
        if let Some(mv) = forked {
            game.plies.iter_mut().for_each(|ply| ply.row = None);
            game.plies.push(GoPly { mv: number(position.board(), mv), row: None });
            position.do_move(mv, &mut ());
        } else {
            let wanted = draw(&mut report, temperature(size, position.moves().len()), &mut rng);
            let mv = if wanted.is_some() { player.finish(&position, &report) } else { Point::PASS };
            game.plies.push(GoPly { mv: number(position.board(), mv), row });
            position.do_move(mv, &mut ());
        }
        if let Some(ending) = ending(&position) {
            break ending;
        }
        look = game.next_look(&mut rng);
        report = player.search(&position, visits, look);
    };
    let settled = settle(&position);
    let record = GoGame {
        index,
        size,
        komi,
        opening: game.opening as u8,
        plies: game.plies,
        ending,
        margin: settled.margin,
        agreement: agreement(&position, &settled.owners, &player.ownership(&position)),
        owners: settled.owners,
    };
    (record, player.visits)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Look {
    /// With all visits, for a row.
    Full,
    /// With a part of them, only for a move.
    Short,
}

/// The state of a game that is being played.
struct Playing {
    opening: usize,
    plies: Vec<GoPly>,
    by: By,
    /// The ply at which the game leaves the way of the search.
    fork: Option<usize>,
    /// Whether the moves after the decision are searched as those before.
    thorough: bool,
    /// Searches in a row that found the game won by one side: positive for Black, negative for White.
    decided: i32,
}

impl Playing {
    /// Whether there is something left to learn from the game.
    fn is_open(&self) -> bool {
        self.thorough || self.decided.unsigned_abs() < DECIDED_SEARCHES
    }

    fn next_look(&self, rng: &mut Rng) -> Look {
        let full = match self.by {
            By::Playouts => self.is_open(),
            By::Net | By::Hybrid => rng.below(FULL_SEARCHES) == 0 && self.is_open(),
        };
        if full { Look::Full } else { Look::Short }
    }

    fn draw_fork(&mut self, area: usize, rng: &mut Rng) {
        if self.by != By::Playouts && rng.below(FORKED_GAMES) == 0 {
            self.fork = Some(self.opening + rng.below(area / FORK_PART + 1));
        }
    }

    fn note(&mut self, position: &Position, report: &SearchReport<Move>) {
        let sign = if position.side_to_move() == Side::First { 1.0 } else { -1.0 };
        let lead = sign * (report.winrate - 0.5);
        self.decided = if lead >= DECIDED_WINRATE {
            self.decided.max(0) + 1
        } else if lead <= -DECIDED_WINRATE {
            self.decided.min(0) - 1
        } else {
            0
        };
    }
}

fn moves_of(position: &Position) -> impl Iterator<Item = GoPly> + '_ {
    position.moves().iter().map(|&(_, mv)| GoPly { mv: number(position.board(), mv), row: None })
}

/// Points given to White, in halves.
fn draw_komi(rng: &mut Rng) -> i16 {
    let spread = if rng.below(WIDE_KOMI_GAMES) == 0 { WIDE_KOMI_SPREAD } else { KOMI_SPREAD };
    let whole = rng.below(WHOLE_KOMI_GAMES) == 0;
    // Of four uniform numbers the sum is nearly normal, with a variance of a third.
    let normal = (unit(rng) + unit(rng) + unit(rng) + unit(rng) - 2.0) * 3f64.sqrt();
    let points = (KOMI + spread * normal).floor() as i16;
    2 * points + i16::from(!whole)
}

/// A position after some random moves, and its first search.
fn opening(
    player: &mut SelfplayPlayer,
    size: u8,
    komi: f32,
    visits: u32,
    rng: &mut Rng,
) -> (Position, SearchReport<Move>) {
    let mut last = None;
    for _ in 0..OPENINGS {
        let mut position = Position::new(size.into(), size.into(), Rules::CHINESE);
        position.set_komi(komi);
        for _ in 0..MIN_OPENING + rng.below(OPENING_RANGE) {
            let Some(mv) = opening_move(&position, &mut player.evaluator, rng) else { break };
            position.do_move(mv, &mut ());
        }
        let report = player.search(&position, visits, Look::Full);
        let even = (report.winrate - 0.5).abs() <= OPENING_WINRATE;
        last = Some((position, report));
        if even {
            break;
        }
    }
    last.unwrap_or_else(|| unreachable!("one opening at least is drawn"))
}

/// As often as not a move as it looks likely, else any that is not on the edge. `None`: no move is sensible.
fn opening_move(position: &Position, evaluator: &mut Mixed, rng: &mut Rng) -> Option<Move> {
    let board = position.board();
    let moves = sensible_moves(position);
    if rng.below(2) == 0 {
        let inner = |&&mv: &&Move| mv.neighbors().iter().all(|&n| board.contains(n));
        let inner: Vec<Move> = moves.iter().filter(inner).copied().collect();
        if !inner.is_empty() {
            return Some(rng.pick(&inner));
        }
    }
    let mut priors = vec![0.0; moves.len()];
    evaluator.evaluate(position, &moves, &mut priors, &mut LeafOutcome::default());
    let weights = priors.into_iter().map(f64::from);
    moves.get(weighted(weights, rng).unwrap_or(0)).copied()
}

/// Moves that neither fill an eye nor throw stones away.
fn sensible_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.candidate_moves(&mut moves);
    moves.retain(|mv| mv.is_stone() && !position.board().is_self_atari(*mv, position.side_to_move()));
    moves
}

/// Of some random moves the one that the net likes best. `None`: there is none.
fn fork(player: &mut SelfplayPlayer, position: &Position, rng: &mut Rng) -> Option<Move> {
    let moves = sensible_moves(position);
    let sign = if position.side_to_move() == Side::First { 1.0 } else { -1.0 };
    let mut best = None;
    for _ in 0..FORK_MOVES.min(moves.len()) {
        let mv = rng.pick(&moves);
        let mut after = position.clone();
        after.do_move(mv, &mut ());
        let value = sign * player.evaluator.net_value(&after).unwrap_or(0.5);
        if best.is_none_or(|(max, _)| value > max) {
            best = Some((value, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// The index of one of the weights, each with a chance in proportion to it. `None`: all are 0.
fn weighted(weights: impl Iterator<Item = f64> + Clone, rng: &mut Rng) -> Option<usize> {
    let mut left = unit(rng) * weights.clone().sum::<f64>();
    let mut last = None;
    for (i, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
        last = Some(i);
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    last
}

fn temperature(size: u8, ply: usize) -> f64 {
    let late = ply.saturating_sub(size.into()) as f64;
    0.5f64.powf(late / f64::from(size)).max(MIN_TEMPERATURE)
}

/// Puts a move first, drawn by the visits or the improved policy, and returns it. `None`: there is no move.
fn draw(report: &mut SearchReport<Move>, temperature: f64, rng: &mut Rng) -> Option<Move> {
    let liking = |mv: &RootChild<Move>| match mv.policy {
        // A move that was not searched may be a blunder.
        Some(policy) => {
            if mv.visits > 0 {
                policy
            } else {
                0.0
            }
        }
        None => mv.visits as f64,
    };
    let max = report.moves.iter().map(liking).max_by(f64::total_cmp)?;
    let weight = |liking: f64| {
        let share = if max > 0.0 { liking / max } else { 0.0 };
        if share < MIN_SHARE { 0.0 } else { share.powf(temperature.recip()) }
    };
    let drawn = weighted(report.moves.iter().map(|mv| weight(liking(mv))), rng)?;
    report.moves[..=drawn].rotate_right(1);
    report.moves.first().map(|mv| mv.mv)
}

fn row(position: &Position, report: &SearchReport<Move>) -> SearchedPosition {
    let all: u64 = report.moves.iter().map(|mv| mv.visits).sum();
    let share = |mv: &RootChild<Move>| match mv.policy {
        Some(policy) => (255.0 * policy).round() as u8,
        None if mv.visits > 0 => ((255 * mv.visits + all / 2) / all.max(1)).max(1) as u8,
        None => 0,
    };
    let mut moves: Vec<_> =
        report.moves.iter().map(|mv| (mv, share(mv))).filter(|(_, share)| *share > 0).collect();
    moves.sort_by_key(|(mv, share)| (std::cmp::Reverse((*share, mv.visits)), mv.mv));
    moves.truncate(ROW_MOVES);
    SearchedPosition {
        value: (255.0 * report.winrate).round() as u8,
        score: report.score_lead.round() as i8,
        visits: moves.iter().map(|(mv, share)| (number(position.board(), mv.mv), *share)).collect(),
    }
}

fn ending(position: &Position) -> Option<GoEnding> {
    let area = position.board().area();
    if position.is_over() {
        Some(GoEnding::Passes)
    } else if 2 * position.board().empty_count() <= area && is_all_owned(position) {
        Some(GoEnding::Owned)
    } else {
        (position.moves().len() >= LONGEST * area).then_some(GoEnding::Length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_has_its_mean_and_its_spread() {
        let mut rng = Rng::new(5);
        let drawn: Vec<f64> = (0..4000).map(|_| f64::from(draw_komi(&mut rng)) / 2.0).collect();
        let mean = drawn.iter().sum::<f64>() / 4000.0;
        let deviation = (drawn.iter().map(|komi| (komi - mean).powi(2)).sum::<f64>() / 4000.0).sqrt();
        assert!((mean - 7.5).abs() < 0.3, "{mean}");
        // The root of 15/16 of 2.5 squared and 1/16 of 12 squared.
        assert!((deviation - 3.86).abs() < 0.3, "{deviation}");
        let whole = drawn.iter().filter(|komi| komi.fract() == 0.0).count();
        assert!((350..650).contains(&whole), "{whole}");
    }

    #[test]
    fn the_temperature_falls_to_its_floor() {
        assert_eq!(temperature(9, 0), 1.0);
        assert_eq!(temperature(9, 9), 1.0);
        assert_eq!(temperature(9, 18), 0.5);
        assert_eq!(temperature(9, 80), MIN_TEMPERATURE);
    }

    #[test]
    fn an_opening_on_a_small_board_ends_where_no_move_is_sensible() {
        let mut evaluator = Mixed::default();
        for seed in 0..300 {
            let (mut rng, mut position) = (Rng::new(seed), Position::new(5, 5, Rules::CHINESE));
            for _ in 0..40 {
                let Some(mv) = opening_move(&position, &mut evaluator, &mut rng) else { break };
                position.do_move(mv, &mut ());
            }
        }
    }

    #[test]
    fn moves_are_drawn_by_their_weights() {
        let mut rng = Rng::new(1);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[weighted([1.0, 0.0, 3.0, 0.0].into_iter(), &mut rng).unwrap()] += 1;
        }
        assert!(counts[1] == 0 && counts[3] == 0 && (850..1150).contains(&counts[0]), "{counts:?}");
        assert_eq!(weighted([0.0, 0.0].into_iter(), &mut rng), None);
    }
}
