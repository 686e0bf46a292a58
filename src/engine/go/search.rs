//! A search on a thread of its own: limits in, events out.
//!
//! A circle with `finish` and `status`: a search ends with the decision to play, pass or resign; the decision may need
//! to know which stones are dead; that is found by short searches.

mod kept;

use super::finish::{self, Choice, Hopeless, Question};
use super::game_state::rows;
use super::options::Options;
use super::rank::{self, Player};
use super::status::{Effort, Verdict};
use crate::clock::manager::{Budget, FLOOR, Horizon, Timer};
use crate::convnet::Net;
use crate::engine::{Analysis, BestMove, Event, Limits, MoveAnalysis, Side, StopHandle};
use crate::eval::go::speed::Speed;
use crate::eval::go::{Mixed, Mode};
use crate::game::TreeGame;
use crate::go::{Move, Point, Position, Rules, coords, symmetry};
use crate::search::tree::{LEAST_FRESH, Params, Report, Restriction, RootMove, SetupError, TreeSearch};
use crate::util::memory;
use crate::util::rng::Rng;
use crossbeam::channel::Sender;
use std::sync::Arc;
use std::time::Duration;

const MIB: usize = 1 << 20;
/// Memory that measuring a net takes: its weights as the kernels want them, and an evaluation.
const MEASURE_BYTES: usize = 8 * MIB;
/// Reports that may wait for their reader.
const MAX_UNREAD: usize = 2;

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
    /// Tell whose each point is after each move.
    pub moves_ownership: bool,
    /// Take dead stones off before passing, as if nobody agreed on them.
    pub capture_dead: bool,
    /// Ask the net alone, if there is one, and nothing that earlier searches found out.
    pub raw: bool,
    /// It is the first of a game.
    pub is_first: bool,
    /// Visits of earlier searches do not count: as many are made anew.
    pub is_fresh: bool,
}

/// What decides the worth of a position besides the stones: what was learned under other rules, or where moves were left
/// out, is void.
#[derive(Clone, PartialEq, Debug)]
struct Terms {
    rules: Rules,
    white_bonus: f32,
    size: (usize, usize),
    restrictions: Vec<Restriction<Move>>,
}

impl Terms {
    fn of(position: &Position, restrictions: &[Restriction<Move>]) -> Self {
        let board = position.board();
        let size = (board.width(), board.height());
        let (rules, white_bonus) = (*position.rules(), position.white_bonus());
        Self { rules, white_bonus, size, restrictions: restrictions.to_vec() }
    }
}

/// The tree search, made when it is first needed, and what it remembers.
#[derive(Default)]
pub struct Searcher {
    search: Option<TreeSearch<Position, Mixed>>,
    /// The memory that was asked for.
    asked_mib: usize,
    /// The memory that the search has: less than was asked for when there was not that much at the start.
    pub(super) hash_mib: usize,
    /// What has to be told with the next search.
    notice: Option<String>,
    terms: Option<Terms>,
    /// Who evaluates, once a game has been searched.
    mode: Option<Mode>,
    /// Who evaluated in a tree that was loaded. Where the speed of the net would decide, this does, so that the tree is
    /// gone on from.
    kept_mode: Option<Mode>,
    /// The net whose speed is known, and its speed.
    speed: Option<(Arc<Net>, Speed)>,
    /// Moves in a row at which the game looked lost, by side.
    pub(super) hopeless: [Hopeless; 2],
    /// The last verdict on who owns what, and the key of the position it is about.
    pub(super) verdict: Option<(u64, Verdict)>,
}

impl Searcher {
    /// Forgets everything about earlier positions.
    pub fn forget(&mut self) {
        self.terms = None;
        self.kept_mode = None;
        self.hopeless = Default::default();
        self.verdict = None;
    }

    /// Forgets what was found out in earlier games, but for a tree that was loaded.
    fn forget_game(&mut self) {
        if self.kept_mode.is_none() {
            self.forget();
        }
    }

    /// Forgets what earlier searches found out.
    pub fn forget_tree(&mut self) {
        self.terms = None;
    }

    /// Forgets everything that depends on the net and on who evaluates.
    pub fn forget_evaluations(&mut self) {
        self.forget();
        self.mode = None;
    }

    /// Chooses who evaluates in the searches that follow. A search that is to be `repeatable` does not depend on the
    /// machine.
    pub fn choose_evaluator(&mut self, options: &Options, repeatable: bool) {
        let kept = self.kept_mode.filter(|_| options.asks_for_speed());
        self.mode = kept.or_else(|| {
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
        // Where there is no memory or no thread to measure by there will be no search either.
        let speed = memory::can_allocate(MEASURE_BYTES).then(|| Speed::measure(net).ok()).flatten()?;
        self.speed = Some((Arc::clone(net), speed));
        Some(speed)
    }

    /// Who evaluates.
    pub(super) fn mode(&self, options: &Options) -> Mode {
        self.mode.unwrap_or_else(|| options.mode(None))
    }

    /// Whether searches play games to their end, so that what they say of points is counted and no guess.
    pub(super) fn plays_out(&self, options: &Options) -> bool {
        self.mode(options) != Mode::Net
    }

    /// Takes memory and threads as `options` say, now, so that a value that cannot be had is refused when it is
    /// set and not when the first move is due.
    /// # Errors
    /// No such memory, no such threads; the search is as it was, but may have forgotten what it knew.
    pub fn adapt(&mut self, options: &Options, before: &Options) -> Result<(), String> {
        if options.hash_mib != before.hash_mib {
            let mib = |bytes: usize| bytes / MIB;
            memory::check(options.hash_mib.saturating_mul(MIB), self.hash_mib * MIB).map_err(
                |available| {
                    format!(
                        "no memory for a table of {} MiB: {} MiB are available",
                        options.hash_mib,
                        mib(available)
                    )
                },
            )?;
        }
        match &mut self.search {
            // Whoever asked for no memory has what there is.
            None if options.hash_mib == before.hash_mib => self.ready(options).map(drop),
            None => {
                let search = TreeSearch::new(Mixed::default(), options.threads, options.hash_mib);
                self.search = Some(search.map_err(|error| error.to_string())?);
                (self.asked_mib, self.hash_mib) = (options.hash_mib, options.hash_mib);
                Ok(())
            }
            Some(_) => self.ready(options).map(drop).inspect_err(|_| drop(self.ready(before).map(drop))),
        }
    }

    /// The search itself, with the memory and the threads that the options say. When it is made without having
    /// been asked for, and there is less memory, it takes what there is and says so with the next search.
    /// # Errors
    /// No memory or no threads for it.
    pub fn ready(&mut self, options: &Options) -> Result<&mut TreeSearch<Position, Mixed>, String> {
        let text = |error: SetupError| error.to_string();
        let Options { threads, hash_mib, .. } = *options;
        let search = match &mut self.search {
            Some(search) => search,
            none => {
                let (search, found) = make(threads, hash_mib).map_err(text)?;
                (self.asked_mib, self.hash_mib) = (hash_mib, found);
                self.notice = (found < hash_mib)
                    .then(|| format!("no memory for a table of {hash_mib} MiB: it has {found} MiB"));
                none.insert(search)
            }
        };
        if search.threads() != threads {
            search.set_threads(threads).map_err(text)?;
        }
        if self.asked_mib != hash_mib {
            self.terms = None;
            // Until it is there, the search has next to nothing.
            (self.asked_mib, self.hash_mib) = (0, 0);
            search.set_hash(hash_mib).map_err(text)?;
            (self.asked_mib, self.hash_mib) = (hash_mib, hash_mib);
        }
        Ok(search)
    }

    /// What the user has to know of the memory, once.
    pub fn take_notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    /// Searches until `stop`, `timer` or `params` say so.
    /// # Errors
    /// No memory or no threads for the search.
    pub fn search(
        &mut self,
        position: &Position,
        params: Params<Move>,
        options: &Options,
        control: (&StopHandle, &Arc<Timer>),
        each: &mut dyn FnMut(&Report<Move>),
    ) -> Result<Report<Move>, String> {
        self.adopt(self.mode(options), options)?;
        self.search_on(position, params, options, control, each)
    }

    /// As [`search`](Self::search), with another evaluator and without reports.
    pub(super) fn search_as(
        &mut self,
        mode: Mode,
        position: &Position,
        params: Params<Move>,
        options: &Options,
        control: (&StopHandle, &Arc<Timer>),
    ) -> Result<Report<Move>, String> {
        self.adopt(mode, options)?;
        self.search_on(position, params, options, control, &mut |_| ())
    }

    /// Asks the net alone, if there is one, and nothing that earlier searches found out.
    fn evaluate(
        &mut self,
        position: &Position,
        params: Params<Move>,
        options: &Options,
        control: (&StopHandle, &Arc<Timer>),
    ) -> Result<Report<Move>, String> {
        let mode = if options.net.get().is_some() { Mode::Net } else { self.mode(options) };
        self.forget_tree();
        let report = self.search_as(mode, position, params, options, control);
        self.forget_tree();
        report
    }

    /// Has the search evaluate as `mode` says.
    fn adopt(&mut self, mode: Mode, options: &Options) -> Result<(), String> {
        let search = self.ready(options)?;
        let evaluator = search.evaluator();
        if !options.net.is_same(evaluator.net()) || evaluator.mode() != mode {
            search.set_evaluator(Mixed::new(options.net.get().cloned(), mode));
        }
        Ok(())
    }

    fn search_on(
        &mut self,
        position: &Position,
        params: Params<Move>,
        options: &Options,
        control: (&StopHandle, &Arc<Timer>),
        each: &mut dyn FnMut(&Report<Move>),
    ) -> Result<Report<Move>, String> {
        let terms = Terms::of(position, &params.restrictions);
        self.ready(options)?;
        let is_known = self.terms.as_ref() == Some(&terms);
        self.terms = Some(terms);
        let search = self.ready(options)?;
        search.set_seed(options.seed);
        if !is_known {
            search.clear();
        }
        Ok(search.search(position, params, control.0, control.1, each))
    }
}

/// A search with the memory asked for or, where the system or a container has less, with half of what it gives: the rest of
/// the program needs memory too. Also returns how many MiB it has.
/// # Errors
/// There is no memory at all, or there are no threads.
fn make(threads: usize, mib: usize) -> Result<(TreeSearch<Position, Mixed>, usize), SetupError> {
    let new = |mib| TreeSearch::new(Mixed::default(), threads, mib);
    let mut given = mib;
    while given > 0 && memory::check(given.saturating_mul(MIB), 0).is_err() {
        given /= 2;
    }
    let mut made = new(given);
    while made.is_err() && given > 0 {
        given /= 2;
        made = new(given);
    }
    if given == mib {
        return Ok((made?, mib));
    }
    drop(made?);
    Ok((new(given / 2)?, given / 2))
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
        let timer = Arc::new(if limits.ponder {
            Timer::pondering(budget)
        } else {
            Timer::since(limits.received, budget)
        });
        Self { position, limits, request, options, stop, events, timer }
    }

    /// Holds the search to its time.
    pub fn timer(&self) -> Arc<Timer> {
        Arc::clone(&self.timer)
    }

    /// Searches, reports and ends with a move.
    pub fn run(self, searcher: &mut Searcher) {
        let position = if self.is_study() { self.position.resumed() } else { self.position.clone() };
        let mut params = self.params(&position);
        let asked = rank::asked(self.options.rank, self.options.level, position.board().width());
        let player = asked.filter(|_| !self.is_study());
        if let Some(player) = player {
            params.visits = Some(params.visits.unwrap_or(u64::MAX).min(player.visits));
            params.stop_early = false;
            searcher.forget_tree();
        }
        // What is pondered is for a move that may be limited by visits.
        let repeatable = params.visits.is_some() || (self.limits.ponder && self.options.max_visits > 0);
        if self.request.is_first {
            searcher.hopeless = Default::default();
            // By visits a game is the one of a new process. By the clock, or without a limit, what is known stays: clients
            // clear the board to show another position of the same game.
            if repeatable {
                searcher.forget_game();
            }
        }
        searcher.choose_evaluator(&self.options, repeatable);
        let visits = params.visits;
        let control = (&self.stop, &self.timer);
        // A client that does not read gets no more reports: they would fill the memory.
        let mut each = |report: &Report<Move>| {
            if self.events.len() < MAX_UNREAD {
                self.send(Event::Analysis(analysis(&position, report)));
            }
        };
        let report = if self.request.raw {
            searcher.evaluate(&position, params, &self.options, control)
        } else {
            searcher.search(&position, params, &self.options, control, &mut each)
        };
        let best = match report {
            Ok(report) => {
                self.send(Event::Analysis(analysis(&position, &report)));
                self.choose(searcher, report, visits, player)
            }
            // A move that nobody searched is none: a pass for want of memory loses the game.
            Err(error) => {
                self.send(Event::Message(error.into()));
                BestMove::default()
            }
        };
        if let Some(notice) = searcher.take_notice() {
            self.send(Event::Message(notice.into()));
        }
        self.send(Event::BestMove(best));
    }

    /// Whether nobody wants a move of this search: a position that two passes have ended is looked at too.
    fn is_study(&self) -> bool {
        self.limits.analysis || self.position.board().passes() >= 2
    }

    fn params(&self, position: &Position) -> Params<Move> {
        let endless = self.limits.infinite || self.limits.ponder;
        let max = (self.options.max_visits > 0 && !endless).then_some(self.options.max_visits);
        let visits = [max, self.limits.nodes].into_iter().flatten().min();
        let mut restrictions = self.restrictions(position);
        let mut images = Vec::new();
        if restrictions.is_empty() && !self.is_study() && !self.request.raw {
            let mut moves = Vec::new();
            position.candidate_moves(&mut moves);
            images = symmetry::images(position, &moves);
            // A second pass that wins by the stones as they stand would have all visits. Whether the game is over
            // is decided after the search.
            let board = position.board();
            if board.passes() > 0 && finish::is_sparse(board) {
                let (side, moves) = (board.side_to_move(), vec![Point::PASS]);
                restrictions.push(Restriction { side, moves, allow: false, until_depth: 1 });
            }
        }
        Params {
            visits,
            restrictions,
            images,
            report_every: self.request.interval,
            stop_early: !self.limits.analysis,
            moves_ownership: self.request.moves_ownership,
            fresh: visits.filter(|_| self.request.is_fresh).unwrap_or(LEAST_FRESH),
            ..Params::default()
        }
    }

    /// Bans of the request, and listed or banned root moves of the limits. Texts that are no moves are named
    /// in a message, and so are allowed ones that are not legal: where none is left, all are looked at.
    fn restrictions(&self, position: &Position) -> Vec<Restriction<Move>> {
        let side = position.board().side_to_move();
        let root = |moves: &[String], allow| Ban { side, moves: moves.to_vec(), allow, until_depth: 1 };
        let listed = [root(&self.limits.search_moves, true), root(&self.limits.ban_moves, false)];
        let read = |ban: &Ban, text: &String| {
            let mv = coords::parse_vertex(position.board(), text);
            let mv = mv.filter(|&mv| !ban.allow || ban.side != side || position.check(side, mv).is_ok());
            if mv.is_none() {
                self.send(Event::Message(format!("not a move: {text}").into()));
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

    /// The move to play after a search of so many visits at most, for a player below full strength if there is one.
    fn choose(
        &self,
        searcher: &mut Searcher,
        mut report: Report<Move>,
        visits: Option<u64>,
        player: Option<Player>,
    ) -> BestMove {
        let name = |v: Point| Some(coords::vertex(self.position.board(), v));
        let best = |report: &Report<Move>| {
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
        let choice = question.answer(searcher);
        let found = report.moves.first().map(|best| best.mv);
        match (choice, player) {
            (Choice::Resign, _) => BestMove { resign: true, ..BestMove::default() },
            // The search's own move alone is chosen carelessly: not when the game is over, nor what is taken off then.
            (Choice::Play(v), Some(player)) if found == Some(v) => {
                player.choose(&mut report, &mut self.chance());
                let v = report.moves.first().map_or(v, |chosen| chosen.mv);
                BestMove { mv: name(v), ponder: best(&report).1, ..BestMove::default() }
            }
            (Choice::Play(v), _) => BestMove { mv: name(v), ponder, ..BestMove::default() },
        }
    }

    /// What may be spent on deciding whether the game is over: the share of the time that was kept back.
    fn effort_left(&self) -> Effort {
        let most = Duration::from_millis(300);
        let share = KEPT_BACK / (1.0 - KEPT_BACK) / MOST_QUESTIONS;
        let kept = self.timer.budget().map_or(most, |budget| budget.hard.mul_f64(share));
        let time = if self.stop.is_set() { FLOOR } else { kept.min(most) };
        Effort { playouts: 400, time }
    }

    /// Chance that depends on the seed and the position, or, without a seed, on the moment.
    fn chance(&self) -> Rng {
        match self.options.seed {
            0 => Rng::of_the_moment(),
            seed => Rng::new(seed ^ self.position.moves().len() as u64),
        }
    }

    /// A send fails only when nobody listens any more.
    fn send(&self, event: Event) {
        drop(self.events.send(event));
    }
}

/// Visits of the root's value that are mixed into the values of each move. A move visited twice that won twice is
/// no sure win, and programs that show the best value of all moves would show it as one.
const SHRINK: f64 = 200.0;

/// What is told of a value that so many visits found, where the root has `root`.
fn shrunk(value: f64, visits: u64, root: f64) -> f64 {
    let visits = visits as f64;
    (value * visits + root * SHRINK) / (visits + SHRINK)
}

/// Visits of all moves that are mixed into whose each point is after a move.
const OWNER_SHRINK: f32 = 16.0;

/// What is told of a point after a move of so many visits, where all moves together say `all`.
fn mixed_owner(own: f32, visits: u64, all: f32) -> f32 {
    let visits = visits as f32;
    (own * visits + all * OWNER_SHRINK) / (visits + OWNER_SHRINK)
}

/// A report as text and plain numbers.
fn analysis(position: &Position, report: &Report<Move>) -> Analysis {
    let board = position.board();
    let name = |v: Point| coords::vertex(board, v);
    let told = |mv: &RootMove<Move>| {
        let winrate = shrunk(mv.winrate, mv.visits, report.winrate);
        (winrate, shrunk(mv.score_lead, mv.score_count, report.score_lead))
    };
    let first = report.moves.first().map(|mv| (mv.visits, told(mv)));
    // What the search does not follow up it does not believe to be better than its choice.
    let told = |mv: &RootMove<Move>| match (told(mv), first) {
        ((winrate, lead), Some((visits, (most, most_lead)))) if mv.visits * 4 < visits => {
            (winrate.min(most), lead.min(most_lead))
        }
        (own, _) => own,
    };
    let owners = |ownership: &[f32]| -> Vec<f32> {
        rows(board).map(|v| ownership.get(v.index()).copied().unwrap_or(0.0)).collect()
    };
    // What two playouts said of each point says little: what all said has its share in it.
    let owners_after = |mv: &RootMove<Move>| match mv.ownership.is_empty() {
        true => Vec::new(),
        false => {
            let own = mv.ownership.iter().zip(&report.ownership);
            let mixed: Vec<f32> = own.map(|(&o, &all)| mixed_owner(o, mv.score_count, all)).collect();
            owners(&mixed)
        }
    };
    let moves =
        report.moves.iter().map(|mv| (mv, told(mv))).map(|(mv, (winrate, score_lead))| MoveAnalysis {
            mv: name(mv.mv),
            visits: mv.visits,
            winrate,
            // The winrate is mixed with that of the root.
            lcb: mv.lcb.min(winrate),
            prior: mv.prior,
            score_lead,
            score_stdev: mv.score_stdev,
            ownership: owners_after(mv),
            pv: mv.pv.iter().map(|step| name(step.mv)).collect(),
            pv_visits: mv.pv.iter().map(|step| step.visits).collect(),
            pv_edge_visits: mv.pv.iter().map(|step| step.edge_visits).collect(),
        });
    Analysis {
        moves: moves.collect(),
        barred: report.barred.iter().map(|&(mv, prior)| (name(mv), prior)).collect(),
        visits: report.visits,
        winrate: report.winrate,
        score_lead: report.score_lead,
        score_stdev: report.score_stdev,
        ownership: owners(&report.ownership),
        time: report.elapsed,
    }
}

/// How long games of Go are open. They last longer, but what comes then takes little time. On a small board the first
/// moves decide, on a large one the fights after the opening.
fn horizon(area: usize) -> Horizon {
    let area = area as u32;
    Horizon { plies: (area * 3 / 4).saturating_sub(25), floor: area / 13 + 2 }
}

/// The time for one move. Without clock, fixed time, visits or a client that says stop, it is the `Max Time`.
fn budget(limits: &Limits, options: &Options, position: &Position) -> Option<Budget> {
    let area = position.board().area();
    // Stones that were set up count as moves.
    let start = position.start_board();
    let ply = (position.moves().len() + start.area() - start.empty_count()) as u32;
    let clock = limits.clock.map(|clock| Budget::plan(&clock, options.overhead, ply, horizon(area)));
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
const MOST_QUESTIONS: f64 = 3.0;

fn keep_back(budget: Budget) -> Budget {
    let less = |time: Duration| time.mul_f64(1.0 - KEPT_BACK).max(FLOOR);
    Budget { soft: less(budget.soft), hard: less(budget.hard), ..budget }
}
