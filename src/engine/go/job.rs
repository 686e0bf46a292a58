//! A search on a thread of its own: limits in, events out.

use super::chances::{chance, plies, stdev};
use super::endgame::{self, Effort, Question};
use super::game_state::rows;
use super::options::Options;
use super::player::{self, PlayingStrength};
use super::searcher::{Forget, GoSearcher};
use crate::clock::lag::Lag;
use crate::clock::manager::{Budget, FLOOR, Horizon, Timer, spendable};
use crate::engine::{Analysis, BestMove, Event, Limits, MoveAnalysis, Side, StopHandle};
use crate::eval::go::Mode;
use crate::game::TreeGame;
use crate::go::{Move, Point, Position, coords, symmetry};
use crate::message;
use crate::search::tree::{MIN_FRESH, Restriction, RootChild, SearchReport, TreeLimits};
use crate::util::rng::Rng;
use crossbeam::channel::Sender;
use std::sync::Arc;
use std::time::Duration;

/// Reports that may wait for their reader.
const MAX_UNREAD: usize = 2;

/// Moves of one side that are forbidden near the root, or the only ones allowed there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ban {
    pub side: Side,
    pub moves: Vec<String>,
    /// The moves are the only ones allowed, rather than forbidden.
    pub allow: bool,
    /// Number of plies to which it applies (1: the root only).
    pub until_depth: u32,
}

/// What a search is to do beyond its limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchRequest {
    /// Whose move it is, if not that of the side to move.
    pub side: Option<Side>,
    /// How often to report; `None`: only at the end.
    pub interval: Option<Duration>,
    pub bans: Vec<Ban>,
    /// Report ownership after each move.
    pub moves_ownership: bool,
    /// Take dead stones off before passing, as if players did not agree on them.
    pub capture_dead: bool,
    /// Ask only the net, if there is one, and nothing that earlier searches found out.
    pub raw: bool,
    pub is_first: bool,
    /// Visits of earlier searches do not count: as many are made anew.
    pub is_fresh: bool,
}

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
        (stop, waits): (StopHandle, Lag),
        events: Sender<Event>,
    ) -> Self {
        let budget = budget(&limits, &options, &position, waits);
        let timer = Arc::new(if limits.ponder {
            Timer::pondering(budget)
        } else {
            Timer::since(limits.received, budget)
        });
        Self { position, limits, request, options, stop, events, timer }
    }

    pub fn timer(&self) -> Arc<Timer> {
        Arc::clone(&self.timer)
    }

    /// Searches, reports and ends with a move.
    pub fn run(self, searcher: &mut GoSearcher) {
        let position = if self.is_study() { self.position.resumed() } else { self.position.clone() };
        let mut params = self.params(&position);
        let asked = player::asked(self.options.rank, self.options.level, position.board().width());
        let player = asked.filter(|_| !self.is_study());
        if let Some(player) = player {
            params.visits = Some(params.visits.unwrap_or(u64::MAX).min(player.visits));
            params.stop_early = false;
            searcher.forget(Forget::Tree);
        }
        // What is pondered is for a move that may be limited by visits.
        let repeatable = params.visits.is_some() || (self.limits.ponder && self.options.max_visits > 0);
        if self.request.is_first {
            searcher.begin_game(repeatable);
        }
        searcher.choose_evaluator(&self.options, repeatable);
        let (visits, raw) = (params.visits, self.request.raw);
        let by_net = raw && self.options.net.get().is_some();
        let mode = if by_net { Mode::Net } else { searcher.mode(&self.options) };
        // A client that does not read gets no more reports: they would fill the memory.
        let mut each = |report: &SearchReport<Move>| {
            if !raw && self.events.len() < MAX_UNREAD {
                self.send(Event::Analysis(analysis(&position, report)));
            }
        };
        if raw {
            searcher.forget(Forget::Tree);
        }
        let control = (&self.stop, &self.timer);
        let report = searcher.search(mode, &position, params, &self.options, control, &mut each);
        self.timer.look();
        if raw {
            searcher.forget(Forget::Tree);
        }
        let best = match report {
            Ok(report) => {
                self.send(Event::Analysis(analysis(&position, &report)));
                self.choose(searcher, report, visits, player)
            }
            // No move at all: a pass for want of memory would lose the game.
            Err(error) => {
                self.send(Event::Message(error));
                BestMove::default()
            }
        };
        if let Some(notice) = searcher.memory.take_notice() {
            self.send(Event::Message(notice));
        }
        self.send(Event::BestMove(best));
    }

    /// Whether no move is wanted: a position that two passes have ended is analyzed too.
    fn is_study(&self) -> bool {
        self.limits.analysis || self.position.board().passes() >= 2
    }

    /// Whether time that a move does not use is lost, as in a period of byo-yomi: what is searched then is
    /// there for the next move.
    fn loses_saved_time(&self) -> bool {
        self.limits.clock.is_some() && self.timer.budget().is_some_and(|budget| !budget.carries_over)
    }

    fn params(&self, position: &Position) -> TreeLimits<Move> {
        let endless = self.limits.infinite || self.limits.ponder;
        let max = (self.options.max_visits > 0 && !endless).then_some(self.options.max_visits);
        let visits = [max, self.limits.nodes].into_iter().flatten().min();
        let mut restrictions = self.restrictions(position);
        let mut images = Vec::new();
        if restrictions.is_empty() && !self.is_study() && !self.request.raw {
            let mut moves = Vec::new();
            position.candidate_moves(&mut moves);
            images = symmetry::images(position, &moves);
            // A second pass that wins by the stones as they stand would have all visits. Whether the game is
            // over is decided after the search.
            let board = position.board();
            if board.passes() > 0 && endgame::is_sparse(board) {
                let (side, moves) = (board.side_to_move(), vec![Point::PASS]);
                restrictions.push(Restriction { side, moves, allow: false, until_depth: 1 });
            }
        }
        TreeLimits {
            visits,
            restrictions,
            images,
            report_every: self.request.interval,
            stop_early: !self.limits.analysis && !self.loses_saved_time(),
            moves_ownership: self.request.moves_ownership,
            fresh: visits.filter(|_| self.request.is_fresh).unwrap_or(MIN_FRESH),
            ..TreeLimits::default()
        }
    }

    /// Bans of the request, and listed or banned root moves of the limits. A text that is not a move is
    /// reported in a message, and so is an allowed move that is not legal. A restriction without moves is
    /// dropped.
    fn restrictions(&self, position: &Position) -> Vec<Restriction<Move>> {
        let side = position.board().side_to_move();
        let root = |moves: &[String], allow| Ban { side, moves: moves.to_vec(), allow, until_depth: 1 };
        let listed = [root(&self.limits.search_moves, true), root(&self.limits.ban_moves, false)];
        let read = |ban: &Ban, text: &String| {
            let mv = coords::parse_vertex(position.board(), text);
            let mv = mv.filter(|&mv| !ban.allow || ban.side != side || position.check(side, mv).is_ok());
            if mv.is_none() {
                self.send(Event::Message(message!("not a move: {text}" | "不是着法：{text}", text)));
            }
            mv
        };
        let bans = self.request.bans.iter().chain(&listed);
        let bans = bans.map(|ban| Restriction {
            side: ban.side,
            moves: ban.moves.iter().filter_map(|text| read(ban, text)).collect::<Vec<_>>(),
            allow: ban.allow,
            until_depth: ban.until_depth,
        });
        bans.filter(|restriction| !restriction.moves.is_empty()).collect()
    }

    /// The move to play after a search of at most `visits`, by `player` if strength is limited.
    fn choose(
        &self,
        searcher: &mut GoSearcher,
        mut report: SearchReport<Move>,
        visits: Option<u64>,
        player: Option<PlayingStrength>,
    ) -> BestMove {
        let name = |v: Point| Some(coords::vertex(self.position.board(), v));
        let best = |report: &SearchReport<Move>| {
            let mut pv = report.moves.first().map_or(&[][..], |best| &best.pv).iter().map(|step| step.mv);
            (pv.next(), pv.next().and_then(name))
        };
        let (mv, ponder) = best(&report);
        if self.limits.analysis {
            return BestMove { mv: mv.and_then(name), ponder, ..BestMove::default() };
        }
        let question = Question {
            position: &self.position,
            report: &report,
            options: &self.options,
            capture_dead: self.request.capture_dead,
            effort: self.effort_left(),
            visits,
        };
        let side = self.position.board().side_to_move();
        if self.options.resign && question.is_hopeless(&mut searcher.hopeless[side.index()]) {
            return BestMove { resign: true, ..BestMove::default() };
        }
        let never = StopHandle::default();
        let v = question.answer(&mut searcher.probe(&self.options, &never));
        let found = report.moves.first().map(|best| best.mv);
        match player {
            // Only the search's own move is chosen carelessly: not a pass, nor the capture of dead stones
            // before it.
            Some(player) if found == Some(v) => {
                player.choose(&mut report, &mut self.chance());
                let v = report.moves.first().map_or(v, |chosen| chosen.mv);
                BestMove { mv: name(v), ponder: best(&report).1, ..BestMove::default() }
            }
            _ => BestMove { mv: name(v), ponder, ..BestMove::default() },
        }
    }

    /// What may be spent on deciding whether the game is over: the share of the time that was kept back.
    fn effort_left(&self) -> Effort {
        let max = Duration::from_millis(300);
        let share = KEPT_BACK / (1.0 - KEPT_BACK) / MAX_PROBES;
        let kept = self.timer.budget().map_or(max, |budget| budget.hard.mul_f64(share));
        let time = if self.stop.is_set() { FLOOR } else { kept.min(max) };
        Effort { playouts: 400, time }
    }

    /// Seeded by the option and the position or, without a seed, by the clock.
    fn chance(&self) -> Rng {
        match self.options.seed {
            0 => Rng::of_the_moment(),
            seed => Rng::new(seed ^ self.position.moves().len() as u64),
        }
    }

    /// A send fails only when the receiver is gone.
    fn send(&self, event: Event) {
        drop(self.events.send(event));
    }
}

/// Visits of the root's value that are mixed into the values of each move. A move visited twice that won
/// twice is not a sure win, and programs that show the best value of all moves would show it as one.
const SHRINK: f64 = 200.0;

/// The reported value of a move: the one found by `visits`, drawn towards that of the root.
fn shrunk(value: f64, visits: u64, root: f64) -> f64 {
    let visits = visits as f64;
    (value * visits + root * SHRINK) / (visits + SHRINK)
}

/// Visits of all moves that are mixed into the ownership after a move.
const OWNER_SHRINK: f32 = 16.0;

/// The reported owner of a point after a move: the one found by `visits`, drawn towards that of all moves.
fn shrunk_owner(own: f32, visits: u64, all: f32) -> f32 {
    let visits = visits as f32;
    (own * visits + all * OWNER_SHRINK) / (visits + OWNER_SHRINK)
}

/// A report as text and plain numbers.
fn analysis(position: &Position, report: &SearchReport<Move>) -> Analysis {
    let (board, score_stdev) = (position.board(), stdev(position));
    let name = |v: Point| coords::vertex(board, v);
    let value = |mv: &RootChild<Move>| {
        let winrate = shrunk(mv.winrate, mv.visits, report.winrate);
        (winrate, shrunk(mv.score_lead, mv.score_count, report.score_lead))
    };
    let first = report.moves.first().map(|mv| (mv.visits, value(mv)));
    // A move that the search does not follow up is not believed to be better than its choice.
    let value = |mv: &RootChild<Move>| match (value(mv), first) {
        ((winrate, lead), Some((visits, (max, max_lead)))) if mv.visits * 4 < visits => {
            (winrate.min(max), lead.min(max_lead))
        }
        (own, _) => own,
    };
    let owners = |ownership: &[f32]| -> Vec<f32> {
        rows(board).map(|v| ownership.get(v.index()).copied().unwrap_or(0.0)).collect()
    };
    // Two playouts mean little: the ownership over all playouts is mixed in.
    let owners_after = |mv: &RootChild<Move>| match mv.ownership.is_empty() {
        true => Vec::new(),
        false => {
            let own = mv.ownership.iter().zip(&report.ownership);
            let mixed: Vec<f32> = own.map(|(&o, &all)| shrunk_owner(o, mv.score_count, all)).collect();
            owners(&mixed)
        }
    };
    let moves =
        report.moves.iter().map(|mv| (mv, value(mv))).map(|(mv, (winrate, score_lead))| MoveAnalysis {
            mv: name(mv.mv),
            visits: mv.visits,
            winrate: chance(winrate),
            // The winrate is mixed with that of the root.
            lcb: chance(mv.lcb.min(winrate)),
            prior: mv.prior,
            score_lead,
            score_stdev,
            ownership: owners_after(mv),
            pv: mv.pv.iter().map(|step| name(step.mv)).collect(),
            pv_visits: mv.pv.iter().map(|step| step.visits).collect(),
            pv_edge_visits: mv.pv.iter().map(|step| step.edge_visits).collect(),
        });
    Analysis {
        moves: moves.collect(),
        barred: report.barred.iter().map(|&(mv, prior)| (name(mv), prior)).collect(),
        visits: report.visits,
        winrate: chance(report.winrate),
        score_lead: report.score_lead,
        score_error: report.score_error,
        score_stdev,
        ownership: owners(&report.ownership),
        time: report.elapsed,
    }
}

/// How long games of Go are open. They last longer, but what comes then takes little time. On a small board
/// the first moves decide, on a large one the fights after the opening.
fn horizon(area: usize) -> Horizon {
    let area = area as u32;
    Horizon { plies: (area * 3 / 4).saturating_sub(25), floor: area / 13 + 2 }
}

/// The time for one move, where searches have waited so long for a processor. Without clock, fixed time,
/// visits or a client that sends stop, it is the `Max Time`.
fn budget(limits: &Limits, options: &Options, position: &Position, waits: Lag) -> Option<Budget> {
    let (area, ply) = (position.board().area(), plies(position));
    let clock = limits.clock.map(|clock| {
        let lag = limits.lag.saturating_add(waits.reserve(spendable(&clock)));
        Budget::plan(&clock, options.overhead.max(lag), ply, horizon(area))
    });
    let fixed = limits.movetime.map(|time| Budget::fixed(time, options.overhead));
    let budget = match (clock, fixed) {
        (Some(clock), Some(fixed)) => Some(clock.min(fixed)),
        (None, None) if !limits.infinite && limits.nodes.is_none() => {
            Some(Budget::fixed(options.max_time, Duration::ZERO))
        }
        (clock, fixed) => clock.or(fixed),
    };
    let late = position.board().empty_count() * 2 <= area;
    budget.map(|budget| if late { keep_back(budget) } else { budget })
}

/// Share of the time of a late move that is spent on whether the game is over.
const KEPT_BACK: f64 = 0.2;
/// Searches that may have to share it.
const MAX_PROBES: f64 = 3.0;

fn keep_back(budget: Budget) -> Budget {
    let less = |time: Duration| time.mul_f64(1.0 - KEPT_BACK).max(FLOOR);
    Budget { soft: less(budget.soft), hard: less(budget.hard), ..budget }
}
