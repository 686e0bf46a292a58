//! One self-play game: a random opening, moves drawn by their visits, and an end that leaves nothing open.

use super::super::record::go::{Ending, GoGame, GoPly, ROW_MOVES, Row, number};
use super::end::{agreement, is_all_owned, settle};
use super::{Settings, unit};
use crate::clock::manager::Timer;
use crate::engine::StopHandle;
use crate::engine::tree::finish::{Choice, Question};
use crate::engine::tree::options::Options;
use crate::engine::tree::search::Searcher;
use crate::engine::tree::status::Effort;
use crate::eval::go::Playouts;
use crate::game::{Game, Side, TreeGame};
use crate::go::{Move, Point, Position, Rules};
use crate::search::tree::{Evaluator, Outcome, Params, Report};
use crate::util::rng::Rng;
use std::sync::Arc;
use std::time::Duration;

/// Enough for the tree of a few moves: what falls out of use is dropped.
const HASH_MIB: usize = 16;

/// Plies drawn without a search: at least so many, and as many as this together at most.
const LEAST_OPENING: usize = 2;
const OPENING_RANGE: usize = 7;
/// Openings whose winrate is farther from one half are drawn again, so many times: where one side has won already there
/// is little to learn. Komi alone may decide a game, so not forever.
const OPENING_WINRATE: f64 = 0.4;
const OPENINGS: usize = 4;

/// Komi in points: the mean, the deviation, and that of one game in [`WIDE_KOMI_GAMES`].
const KOMI: f64 = 7.5;
const KOMI_SPREAD: f64 = 2.5;
const WIDE_KOMI_SPREAD: f64 = 12.0;
const WIDE_KOMI_GAMES: usize = 16;
/// One game in so many may be drawn: its komi is a whole number.
const WHOLE_KOMI_GAMES: usize = 8;

/// The temperature of the draw among the visits after the opening; it halves with every so many plies as the side of
/// the board is long, down to the least.
const LEAST_TEMPERATURE: f64 = 0.15;
/// Moves with a smaller share of the most visited move's visits are not drawn.
const LEAST_SHARE: f64 = 0.02;

/// Winrates so far from one half, in so many searches in a row, decide a game. What follows is searched shortly and
/// without a row, but in one game of [`THOROUGH_GAMES`]: ends have to be learned too.
const DECIDED_WINRATE: f64 = 0.45;
const DECIDED_SEARCHES: u32 = 6;
const THOROUGH_GAMES: usize = 4;
/// Part of the visits that a short search has.
const SHORT: u32 = 4;

/// Playouts, beyond those of the search, that say whose each point is where a game may be over. Their time is longer than
/// that of any search: results must not depend on it.
const EFFORT: Effort = Effort { playouts: 100, time: Duration::from_secs(86_400) };

/// The longest game, in points of the board: superko ends all games, but long ones may be all ko fights.
const LONGEST: usize = 3;

/// One search thread with its memory.
pub struct Player {
    searcher: Searcher,
    options: Options,
    evaluator: Playouts,
    stop: StopHandle,
    /// Visits of all searches since the game began.
    visits: u64,
}

impl Player {
    /// A player without a net.
    /// # Errors
    /// When there is no memory or no thread for its search.
    pub fn new() -> Result<Self, String> {
        let options = Options { hash_mib: HASH_MIB, resign: false, all_alive: true, ..Options::default() };
        let mut searcher = Searcher::default();
        searcher.ready(&options)?;
        Ok(Self { searcher, options, evaluator: Playouts::default(), stop: StopHandle::default(), visits: 0 })
    }

    fn new_game(&mut self, seed: u64) {
        self.searcher.forget();
        self.options.seed = seed;
        self.visits = 0;
    }

    fn search(&mut self, position: &Position, visits: u32) -> Report<Move> {
        let params = Params { visits: Some(visits.into()), stop_early: false, ..Params::default() };
        let timer = Arc::new(Timer::new(None));
        let report = self.searcher.search(position, params, &self.options, (&self.stop, &timer), &mut |_| ());
        // Memory and threads are there already, so there is nothing that could fail.
        let report = report.unwrap_or_else(|_| unreachable!("the search is ready"));
        self.visits += report.playouts;
        report
    }

    /// The move to play when the first of the report is wanted: another one where that would leave dead stones or open
    /// points, a pass where nothing is left.
    fn finish(&mut self, position: &Position, report: &Report<Move>) -> Move {
        let options = &self.options;
        let question = Question { position, report, options, capture_dead: true, effort: EFFORT };
        match question.answer(&mut self.searcher) {
            Choice::Play(mv) => mv,
            Choice::Resign => Point::PASS,
        }
    }

    /// Whose each point of a finished game is by playouts that begin there, from Black.
    fn ownership(&mut self, position: &Position) -> Vec<f32> {
        self.searcher.ownership(position, position.side_to_move(), &self.options, EFFORT)
    }
}

/// Plays game `index` of the run. Depends on nothing but the arguments: the player starts afresh. Also returns the
/// visits of all searches.
pub fn play(player: &mut Player, settings: &Settings, index: u32) -> (GoGame, u64) {
    let mut rng = settings.game_rng(index);
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
    };
    let ending = loop {
        game.note(&position, &report);
        let row = game.is_full().then(|| row(&position, &report));
        let wanted = draw(&mut report, temperature(size, position.moves().len()), &mut rng);
        let mv = if wanted.is_some() { player.finish(&position, &report) } else { Point::PASS };
        game.plies.push(GoPly { mv: number(position.board(), mv), row });
        position.do_move(mv, &mut ());
        if let Some(ending) = ending(&position) {
            break ending;
        }
        let visits = if game.is_full() { visits } else { (visits / SHORT).max(1) };
        report = player.search(&position, visits);
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

/// What is known of a game that is being played.
struct Playing {
    opening: usize,
    plies: Vec<GoPly>,
    /// Whether the moves after the decision are searched as those before.
    thorough: bool,
    /// Searches in a row that found the game won by one side: positive for Black, negative for White.
    decided: i32,
}

impl Playing {
    /// Whether searches have their full length.
    fn is_full(&self) -> bool {
        self.thorough || self.decided.unsigned_abs() < DECIDED_SEARCHES
    }

    fn note(&mut self, position: &Position, report: &Report<Move>) {
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

/// A position after some moves that nobody thought about, and its first search.
fn opening(player: &mut Player, size: u8, komi: f32, visits: u32, rng: &mut Rng) -> (Position, Report<Move>) {
    let mut last = None;
    for _ in 0..OPENINGS {
        let mut position = Position::new(size.into(), size.into(), Rules::CHINESE);
        position.set_komi(komi);
        for _ in 0..LEAST_OPENING + rng.below(OPENING_RANGE) {
            let mv = opening_move(&position, &mut player.evaluator, rng);
            position.do_move(mv, &mut ());
        }
        let report = player.search(&position, visits);
        let even = (report.winrate - 0.5).abs() <= OPENING_WINRATE;
        last = Some((position, report));
        if even {
            break;
        }
    }
    last.unwrap_or_else(|| unreachable!("one opening at least is drawn"))
}

/// As often as not a move as it looks likely, else any that is not on the edge.
fn opening_move(position: &Position, evaluator: &mut Playouts, rng: &mut Rng) -> Move {
    let board = position.board();
    let mut moves = Vec::new();
    position.candidate_moves(&mut moves);
    moves.retain(|mv| mv.is_stone() && !board.is_self_atari(*mv, position.side_to_move()));
    if rng.below(2) == 0 {
        let inner = |&&mv: &&Move| mv.neighbors().iter().all(|&n| board.contains(n));
        let inner: Vec<Move> = moves.iter().filter(inner).copied().collect();
        return rng.pick(&inner);
    }
    let mut priors = vec![0.0; moves.len()];
    evaluator.evaluate(position, &moves, &mut priors, &mut Outcome::default());
    let weights = priors.into_iter().map(f64::from);
    moves[weighted(weights, rng).unwrap_or(0)]
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

/// The temperature at a ply.
fn temperature(size: u8, ply: usize) -> f64 {
    let late = ply.saturating_sub(size.into()) as f64;
    0.5f64.powf(late / f64::from(size)).max(LEAST_TEMPERATURE)
}

/// Puts a move first, drawn by the visits, and returns it. `None`: there is no move.
fn draw(report: &mut Report<Move>, temperature: f64, rng: &mut Rng) -> Option<Move> {
    let most = report.moves.iter().map(|mv| mv.visits).max()?;
    let weight = |visits: u64| {
        let share = visits as f64 / most.max(1) as f64;
        if share < LEAST_SHARE { 0.0 } else { share.powf(temperature.recip()) }
    };
    let drawn = weighted(report.moves.iter().map(|mv| weight(mv.visits)), rng)?;
    report.moves[..=drawn].rotate_right(1);
    report.moves.first().map(|mv| mv.mv)
}

/// What a search said, as it is stored.
fn row(position: &Position, report: &Report<Move>) -> Row {
    let mut moves: Vec<_> = report.moves.iter().filter(|mv| mv.visits > 0).collect();
    moves.sort_by_key(|mv| (std::cmp::Reverse(mv.visits), mv.mv));
    moves.truncate(ROW_MOVES);
    let all: u64 = report.moves.iter().map(|mv| mv.visits).sum();
    let share = |visits: u64| ((255 * visits + all / 2) / all.max(1)).max(1) as u8;
    Row {
        value: (255.0 * report.winrate).round() as u8,
        score: report.score_lead.round() as i8,
        visits: moves.iter().map(|mv| (number(position.board(), mv.mv), share(mv.visits))).collect(),
    }
}

/// Whether the game is over.
fn ending(position: &Position) -> Option<Ending> {
    let area = position.board().area();
    if position.is_over() {
        Some(Ending::Passes)
    } else if 2 * position.board().empty_count() <= area && is_all_owned(position) {
        Some(Ending::Owned)
    } else {
        (position.moves().len() >= LONGEST * area).then_some(Ending::Length)
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
        assert_eq!(temperature(9, 80), LEAST_TEMPERATURE);
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
