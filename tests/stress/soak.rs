//! Hours of games against itself, with the options changed between them: `make soak HOURS=n`.
//!
//! A process plays both sides of a game from random openings, on a clock: one of each kind of game, and more
//! of them where there are many processors. Only as many games are played at a time as there are pairs of
//! processors. After every move the arbiter's rules are asked: a move that is not legal, a flag, an end of
//! the process, a claim that the rules do not bear out (no move where there is one, a mate that does not
//! come, a result that differs from the count) are faults. Now and then all options are set back, and the
//! memory in use is compared with what it was early on.

use crate::session::Session;
use crossbeam::channel::{Receiver, Sender, bounded};
use sanqi::game::Side;
use sanqi::games::game::{Game, Start};
use sanqi::games::record::{Ending, GameKind, GoSetup, Opening, Reason};
use sanqi::games::referee::{Repetition, Rules};
use sanqi::go::PointSet;
use sanqi::util::rng::Rng;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The clock of the games with changing options.
const FAST: Control = Control::Increment(Duration::from_secs(1), Duration::from_millis(10));
/// The clocks of the games with too many threads.
const CHESS_CLOCK: Control = Control::Increment(Duration::from_secs(8), Duration::from_millis(80));
const GO_CLOCK: Control = Control::Periods(Duration::from_secs(5), Duration::from_secs(1), 5);
/// What a clock forgives a move, as the arbiter's does.
const MARGIN: Duration = Duration::from_millis(50);
/// No game goes on for this long.
const LONGEST: usize = 400;
/// Between two looks at the memory.
const GAMES_A_LOOK: usize = 10;

/// How long a side may think.
#[derive(Clone, Copy)]
enum Control {
    /// So long for the game, and more for each move.
    Increment(Duration, Duration),
    /// Time for the game, then this many periods of this length: one that a move does not use up comes
    /// again.
    Periods(Duration, Duration, u32),
}

/// What is left of it.
#[derive(Clone, Copy)]
struct Clock {
    control: Control,
    left: Duration,
    periods: u32,
}

impl Clock {
    fn new(control: Control) -> Self {
        let (left, periods) = match control {
            Control::Increment(main, _) => (main, 0),
            Control::Periods(main, _, periods) => (main, periods),
        };
        Self { control, left, periods }
    }

    /// Takes off what a move took.
    /// # Errors
    /// The flag has fallen: by how much it was too late.
    fn spend(&mut self, took: Duration) -> Result<(), Duration> {
        let over = took.saturating_sub(self.left);
        self.left = self.left.saturating_sub(took);
        match self.control {
            Control::Increment(_, increment) => {
                self.left += increment;
                if over > MARGIN { Err(over) } else { Ok(()) }
            }
            Control::Periods(_, period, _) => {
                let used = (over.saturating_sub(MARGIN).as_secs_f64() / period.as_secs_f64()) as u32;
                self.periods = self.periods.saturating_sub(used);
                if self.periods == 0 { Err(over - period) } else { Ok(()) }
            }
        }
    }
}

/// What is played, and how.
#[derive(Clone, Copy)]
struct Plan {
    kind: GameKind,
    control: Control,
    /// The threads of every search; `None`: all options change from game to game.
    threads: Option<usize>,
}

/// What went on in the games of one kind.
#[derive(Default)]
struct Tally {
    games: usize,
    plies: usize,
    flags: usize,
    /// The longest that a move took beyond the clock.
    latest: Duration,
    faults: Vec<String>,
    /// Resident memory in KiB, options all at their defaults.
    memory: Vec<u64>,
}

/// An engine, and how it is spoken to.
struct Player {
    kind: GameKind,
    plan: Plan,
    session: Session,
    random: Rng,
    /// The rules of the next game, which were sent to the engine.
    rules: Rules,
    /// Whether it plays below full strength, so that it may miss the mate that it has announced.
    is_weak: bool,
}

/// The answer of an engine to a position.
struct Answer {
    /// `None`: it has no move.
    mv: Option<String>,
    /// Moves to the mate that it has announced, by itself or (below 0) by the other side.
    mate: Option<i32>,
    took: Duration,
}

/// As many threads as there are processors, at most: `too_many_threads_lose_no_game_on_time` has more.
const THREADS: [&str; 3] = ["1", "2", "3"];
/// Options with their values, the default first.
type Choices = &'static [(&'static str, &'static [&'static str])];
const COMMON: Choices = &[
    ("Hash", &["16", "1", "4", "33"]),
    ("MultiPV", &["1", "2", "5"]),
    ("Pruning", &["large", "none", "small", "medium"]),
    ("Contempt", &["0", "-50", "30"]),
    ("Ponder", &["false", "true"]),
    ("EvalFile", &["<embedded>", "<hand-made>"]),
    ("Move Overhead", &["10", "20", "30"]),
    ("Idle", &["0", "10"]),
    ("OwnBook", &["false", "true"]),
    ("UCI_ShowWDL", &["false", "true"]),
    (SKILL, &["20", "20", "20", "10"]),
];
const SKILL: &str = "Skill Level";
const OF_XIANGQI: Choices = &[(REPETITION, &["chinese", "asian", "computer", "none"])];
const REPETITION: &str = "Repetition Rule";
/// Parameters of `kata-set-param`.
const OF_GO: Choices = &[
    ("hashMiB", &["256", "8", "64"]),
    ("evaluator", &["auto", "playouts", "hybrid", "net"]),
    ("lagBuffer", &["0.05", "0.1"]),
    ("allowResignation", &["false", "true"]),
    ("resignThreshold", &["-0.90", "-0.80"]),
    ("cleanupBeforePass", &["false", "true"]),
    ("level", &["0", "0", "0", "9"]),
    ("ponderingEnabled", &["false", "true"]),
];
const GO_RULES: &[&str] = &["chinese", "tromp-taylor", "japanese", "aga", "new-zealand"];
const KOMI: &[&str] = &["7.5", "6.5", "7", "0.5"];

impl Player {
    fn start(plan: Plan, seed: u64) -> Self {
        let kind = plan.kind;
        let arguments: &[&str] = match kind {
            GameKind::GO => &["gtp"],
            _ => &["uci"],
        };
        let mut player = Self {
            kind,
            plan,
            session: Session::start(arguments),
            random: Rng::new(seed),
            rules: Rules::default(),
            is_weak: false,
        };
        match kind {
            GameKind::CHESS960 => player.session.send("setoption name UCI_Chess960 value true"),
            GameKind::XIANGQI => player.session.send("setoption name UCI_Variant value xiangqi"),
            GameKind::GO => drop(player.ask("boardsize 9")),
            _ => {}
        }
        player
    }

    /// The text of a response of GTP.
    fn ask(&mut self, command: &str) -> Result<String, String> {
        self.session.send(command);
        let mut text = String::new();
        loop {
            match self.session.try_next()? {
                None => return Err(format!("the engine ended after {command}")),
                Some((_, line)) if line.is_empty() => return Ok(text),
                Some((_, line)) => writeln!(text, "{line}").expect("a string"),
            }
        }
    }

    /// Sets every option anew: at random, or to its default.
    fn set_options(&mut self, defaults: bool) -> Result<(), String> {
        let defaults = defaults || self.plan.threads.is_some();
        let mut pick = |values: &[&'static str]| if defaults { values[0] } else { self.random.pick(values) };
        let threads = pick(&THREADS[..processors().min(THREADS.len())]).to_owned();
        let threads = self.plan.threads.map_or(threads, |n| n.to_string());
        if self.kind == GameKind::GO {
            let (rules, komi) = (pick(GO_RULES), pick(KOMI));
            let mut commands: Vec<String> = OF_GO
                .iter()
                .map(|(name, values)| format!("kata-set-param {name} {}", pick(values)))
                .collect();
            commands.extend([
                format!("kata-set-param numSearchThreads {threads}"),
                format!("kata-set-rules {rules}"),
                format!("komi {komi}"),
                "clear_board".to_owned(),
                match self.plan.control {
                    Control::Increment(main, more) => {
                        format!("kata-time_settings fischer {} {}", main.as_secs_f64(), more.as_secs_f64())
                    }
                    Control::Periods(main, period, periods) => {
                        format!("kgs-time_settings byoyomi {} {} {periods}", main.as_secs(), period.as_secs())
                    }
                },
            ]);
            let komi = komi.parse().expect("a number");
            self.rules.go = GoSetup { size: 9, rules: rules.to_owned(), komi, ..GoSetup::default() };
            for command in commands {
                let answer = self.ask(&command)?;
                if !answer.starts_with('=') {
                    return Err(format!("{command}: {answer}"));
                }
            }
            return Ok(());
        }
        let own = if self.kind == GameKind::XIANGQI { OF_XIANGQI } else { &[] };
        let chosen: Vec<_> = COMMON.iter().chain(own).map(|(name, values)| (*name, pick(values))).collect();
        let value_of = |wanted| chosen.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
        self.is_weak = value_of(SKILL) != Some("20");
        if let Some(rule) = value_of(REPETITION) {
            self.rules.repetition = Repetition { rules: rule.to_owned(), ..Repetition::default() };
        }
        let settings = chosen.iter().map(|(name, value)| format!("setoption name {name} value {value}"));
        let mut lines: Vec<String> = settings.collect();
        lines.push(format!("setoption name Threads value {threads}"));
        self.session.send(&format!("{}\nucinewgame\nisready", lines.join("\n")));
        let said = self.until("readyok")?;
        match said.iter().find(|line| line.starts_with("info string")) {
            Some(problem) => Err(problem.clone()),
            None => Ok(()),
        }
    }

    fn until(&mut self, start: &str) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        loop {
            match self.session.try_next()? {
                None => return Err("the engine ended".to_owned()),
                Some((_, line)) => lines.push(line),
            }
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return Ok(lines);
            }
        }
    }

    fn think(&mut self, opening: &Opening, moves: &[String], clocks: [Clock; 2]) -> Result<Answer, String> {
        let side = moves.len() % 2;
        if self.kind == GameKind::GO {
            let (color, clock) = (["b", "w"][side], clocks[side]);
            // As a server sends it: what is left, and of how many periods.
            let (left, periods) = match clock.control {
                Control::Increment(..) => (clock.left.as_secs_f64(), 0),
                Control::Periods(_, period, _) if clock.left.is_zero() => {
                    (period.as_secs_f64().ceil(), clock.periods)
                }
                Control::Periods(..) => (clock.left.as_secs_f64().ceil(), 0),
            };
            self.ask(&format!("time_left {color} {left} {periods}"))?;
            let began = Instant::now();
            let answer = self.ask(&format!("genmove {color}"))?;
            let mv = answer.strip_prefix("= ").ok_or_else(|| format!("genmove: {answer}"))?.trim().to_owned();
            return Ok(Answer { mv: Some(mv), mate: None, took: began.elapsed() });
        }
        let start = opening.fen.as_ref().map_or("startpos".to_owned(), |fen| format!("fen {fen}"));
        let list = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let Control::Increment(_, increment) = clocks[side].control else {
            return Err("no clock of this protocol".to_owned());
        };
        let [first, second] = clocks.map(|clock| clock.left.as_millis());
        let increment = increment.as_millis();
        let began = Instant::now();
        self.session.send(&format!(
            "position {start}{list}\ngo wtime {first} btime {second} winc {increment} binc {increment}"
        ));
        let lines = self.until("bestmove")?;
        let took = began.elapsed();
        let is_first = |line: &&String| !line.contains(" multipv ") || line.contains(" multipv 1 ");
        let score = lines.iter().rev().filter(is_first).find(|line| line.contains(" score "));
        let word_after = |line: &String, word: &str| {
            line.split_once(word).and_then(|(_, rest)| rest.split(' ').next().map(str::to_owned))
        };
        let mate = score
            .filter(|line| !line.contains("bound"))
            .and_then(|line| word_after(line, " score mate ")?.parse().ok());
        let mv = lines.last().and_then(|line| line.split(' ').nth(1)).filter(|mv| *mv != "(none)");
        Ok(Answer { mv: mv.map(str::to_owned), mate, took })
    }

    /// KiB of memory in use; `None` where the system does not report it.
    fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.session.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse().ok()
    }
}

/// Some random moves from the start.
fn opening(kind: GameKind, random: &mut Rng) -> Opening {
    use sanqi::game::{AlphaBetaGame, Game, Text};
    fn moves<G: AlphaBetaGame + Text>(mut board: G, notation: G::Notation, random: &mut Rng) -> Vec<String> {
        let mut moves = Vec::new();
        for _ in 0..2 + random.below(7) {
            let legal = board.legal();
            if legal.is_empty() {
                break;
            }
            let mv = random.pick(&legal);
            moves.push(board.move_text(mv, notation));
            board.do_move(mv, &mut ());
        }
        moves
    }
    match kind {
        GameKind::CHESS => {
            let moves = moves(sanqi::chess::Board::start(), Default::default(), random);
            Opening { moves, ..Opening::default() }
        }
        GameKind::CHESS960 => {
            let board = sanqi::chess::Board::chess960(random.below(960));
            let fen = Some(board.shredder_fen());
            Opening {
                fen,
                moves: moves(board, sanqi::chess::notation::Notation::Chess960, random),
                ..Opening::default()
            }
        }
        GameKind::XIANGQI => {
            let board = sanqi::xiangqi::Board::start();
            let moves = moves(board, sanqi::xiangqi::notation::Notation::RanksFromOne, random);
            Opening { moves, ..Opening::default() }
        }
        _ => Opening::default(),
    }
}

/// A move as the arbiter writes it: ranks of xiangqi are counted from 0 there.
fn arbiters(kind: GameKind, mv: &str) -> String {
    if kind != GameKind::XIANGQI {
        return mv.to_owned();
    }
    let letters: Vec<usize> =
        mv.char_indices().filter(|(_, c)| c.is_ascii_lowercase()).map(|(at, _)| at).collect();
    let [from, to] = letters[..] else { return mv.to_owned() };
    let less = |square: &str| -> Option<String> {
        let (file, rank) = square.split_at(1);
        Some(format!("{file}{}", rank.parse::<u8>().ok()?.checked_sub(1)?))
    };
    match (less(&mv[from..to]), less(&mv[to..])) {
        (Some(from), Some(to)) => from + &to,
        _ => mv.to_owned(),
    }
}

/// Plays a game; `None` when the flag fell, or the game would not end.
fn play(player: &mut Player, tally: &mut Tally) -> Result<Option<Ending>, String> {
    let kind = player.kind;
    let opening = opening(kind, &mut player.random);
    let start = Start { kind, rules: player.rules.clone(), fen: opening.fen.clone() };
    let mut game =
        Game::after(start, &opening.moves.iter().map(|mv| arbiters(kind, mv)).collect::<Vec<_>>())?;
    let mut ending = game.ending();
    let mut moves = opening.moves.clone();
    let start = Opening { moves: Vec::new(), ..opening.clone() };
    let (mut clocks, mut passes) = ([Clock::new(player.plan.control); 2], 0);
    // Who is to mate, as the last search that saw a mate said.
    let mut mates = None;
    while ending.is_none() {
        if moves.len() >= LONGEST {
            return Ok(None);
        }
        let side = game.side_to_move();
        let answer = player.think(&start, &moves, clocks)?;
        tally.plies += 1;
        if let Err(late) = clocks[side.index()].spend(answer.took) {
            tally.flags += 1;
            tally.latest = tally.latest.max(late);
            return Ok(None);
        }
        let Some(mv) = answer.mv else { return Err(format!("no move, after {}", moves.join(" "))) };
        if kind == GameKind::GO && mv == "resign" {
            return Ok(Some(Ending::won(side.other(), Reason::Resignation, "")));
        }
        game.play(&arbiters(kind, &mv)).map_err(|e| format!("{mv}: {e}, after {}", moves.join(" ")))?;
        ending = game.ending();
        moves.push(mv.clone());
        passes = if mv.eq_ignore_ascii_case("pass") { passes + 1 } else { 0 };
        if passes == 2 {
            return counted(player, &game).map(Some);
        }
        let mates_now = ending.as_ref().is_some_and(|e| e.winner == Some(side));
        if answer.mate == Some(1) && !mates_now {
            return Err(format!("a mate in one that is none, after {}", moves.join(" ")));
        }
        mates = answer.mate.map(|n| if n > 0 { side } else { side.other() }).or(mates);
    }
    if mates.is_some() && !player.is_weak && ending.as_ref().is_some_and(|ending| ending.winner != mates) {
        return Err(format!("{mates:?} was to mate: {ending:?}, after {}", moves.join(" ")));
    }
    // Where the rules leave no move, the engine has none.
    if ending.as_ref().is_some_and(|e| matches!(e.reason, Reason::Checkmate | Reason::Stalemate)) {
        let answer = player.think(&start, &moves, [Clock::new(player.plan.control); 2])?;
        if answer.mv.is_some() {
            return Err(format!("{:?} after the end, after {}", answer.mv, moves.join(" ")));
        }
    }
    Ok(ending)
}

/// The result that the engine counts must be the one that the arbiter counts with the stones that the engine
/// calls dead.
fn counted(player: &mut Player, game: &Game) -> Result<Ending, String> {
    let dead: Vec<String> =
        player.ask("final_status_list dead")?.split_whitespace().skip(1).map(str::to_owned).collect();
    let score = player.ask("final_score")?;
    let score = score.strip_prefix("= ").map(str::trim).ok_or_else(|| format!("final_score: {score}"))?;
    let stones = game.stones().ok_or("no stones")?;
    let dead: PointSet = stones.dead_stones(&dead);
    let ending = stones.count(&dead);
    let winner = match ending.winner {
        Some(Side::First) => "B+",
        Some(Side::Second) => "W+",
        None => "0",
    };
    if !score.starts_with(winner) || !ending.detail.to_string().starts_with(score) {
        return Err(format!("{score} is claimed, {} is counted", ending.detail));
    }
    Ok(ending)
}

/// Sets how many games are played at a time.
struct Turns(Sender<()>, Receiver<()>);

impl Turns {
    fn new(at_once: usize) -> Self {
        let (give, take) = bounded(at_once);
        (0..at_once).for_each(|_| give.send(()).expect("room"));
        Self(give, take)
    }

    /// Calls `game` once it may begin.
    fn take<T>(&self, game: impl FnOnce() -> T) -> T {
        self.1.recv().expect("a sender");
        let result = game();
        self.0.send(()).expect("room");
        result
    }
}

fn soak(plan: Plan, until: Instant, seed: u64, turns: &Turns) -> Tally {
    let mut tally = Tally::default();
    let mut player = Player::start(plan, seed);
    while Instant::now() < until {
        let looks = tally.games % GAMES_A_LOOK == 0;
        let played = turns.take(|| player.set_options(looks).and_then(|()| play(&mut player, &mut tally)));
        tally.games += 1;
        match played {
            Ok(_) if looks => tally.memory.extend(player.memory()),
            Ok(_) => {}
            Err(fault) => {
                tally.faults.push(fault);
                player = Player::start(plan, seed + tally.games as u64);
                tally.memory.clear();
            }
        }
    }
    tally
}

/// By how many percent the memory has grown from the middle third of the looks to the last: the least of
/// each, because a leak raises the least, and a game that happened to need more does not.
fn growth(memory: &[u64]) -> Option<f64> {
    let third = memory.len() / 3;
    let (early, late) = (memory[third..2 * third].iter().min()?, memory[2 * third..].iter().min()?);
    (third >= 2).then(|| (*late as f64 / *early as f64 - 1.0) * 100.0)
}

fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0)
}

/// Whether a flag is a fault: there is a processor for each of `threads` threads, two for each process on the
/// whole, and other programs leave them alone before it begins.
fn judges_flags(threads: usize, processors: usize, before: f64) -> bool {
    threads <= processors && before < processors as f64 / 2.0
}

#[test]
fn flags_are_judged_where_there_are_processors() {
    assert!(judges_flags(2 * 8, 16, 0.5) && judges_flags(0, 2, 0.5));
    assert!(!judges_flags(2 * 8, 16, 9.0) && !judges_flags(2 * 4, 2, 0.0) && !judges_flags(0, 2, 1.5));
}

fn minutes() -> f64 {
    std::env::var("SANQI_SOAK_MINUTES").ok().and_then(|m| m.parse::<f64>().ok()).unwrap_or(1.0)
}

fn after(minutes: f64) -> Instant {
    Instant::now() + Duration::from_secs_f64(60.0 * minutes)
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Games at a time: a processor for each side, for a search may have a thread for each.
fn at_once() -> usize {
    (processors() / 2).max(1)
}

/// The kinds of game, one for each process: most of them for chess.
/// `SANQI_SOAK_KINDS` names others, such as `chess chess xiangqi`.
fn players() -> Vec<GameKind> {
    if let Ok(kinds) = std::env::var("SANQI_SOAK_KINDS") {
        let named = |name| GameKind::ALL.into_iter().find(|kind| kind.name() == name);
        return kinds.split_whitespace().map(|name| named(name).expect("a kind of game")).collect();
    }
    let shares = [(GameKind::CHESS, 10), (GameKind::CHESS960, 1), (GameKind::XIANGQI, 3), (GameKind::GO, 1)];
    let of = |(kind, share): (GameKind, usize)| std::iter::repeat_n(kind, (processors() * share / 30).max(1));
    shares.into_iter().flat_map(of).collect()
}

/// `SANQI_SOAK_SEED`: another number, other games.
fn seed() -> u64 {
    std::env::var("SANQI_SOAK_SEED").ok().and_then(|seed| seed.parse::<u32>().ok()).map_or(1, u64::from)
}

impl Tally {
    fn report(&self, what: &str) {
        let grown = growth(&self.memory).map_or("?".to_owned(), |percent| format!("{percent:+.2} %"));
        println!(
            "{what}: {} games, {} plies, {} flags (latest {:?}), memory {grown}, {} faults",
            self.games,
            self.plies,
            self.flags,
            self.latest,
            self.faults.len()
        );
        self.faults.iter().for_each(|fault| println!("  {fault}"));
    }
}

/// Minutes come from `SANQI_SOAK_MINUTES`, openings and options from `SANQI_SOAK_SEED`. Flags are faults only
/// on a machine that has processors to spare.
#[test]
#[ignore = "minutes"]
fn games_of_every_kind() {
    let until = after(minutes());
    let (processors, before) = (processors(), load());
    let (kinds, turns) = (players(), Turns::new(at_once()));
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let plan = |kind| Plan { kind, control: FAST, threads: None };
        let threads: Vec<_> = (seed() << 32..)
            .zip(&kinds)
            .map(|(seed, kind)| {
                let turns = &turns;
                scope.spawn(move || soak(plan(*kind), until, seed, turns))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("a tally")).collect()
    });
    let judged = judges_flags(2 * at_once().min(kinds.len()), processors, before);
    let flags = if judged { "no flag is allowed" } else { "flags are not judged" };
    println!("{} minutes, load {before:.1} to {:.1} on {processors} processors: {flags}", minutes(), load());
    kinds.iter().zip(&tallies).for_each(|(kind, tally)| tally.report(kind.name()));
    assert!(tallies.iter().all(|tally| tally.faults.is_empty()));
    // One process may need more for its last games: a leak shows in the mean of all that play the same.
    for of in &kinds {
        let alike = kinds.iter().zip(&tallies).filter(|(kind, _)| *kind == of);
        let grown: Vec<f64> = alike.filter_map(|(_, tally)| growth(&tally.memory)).collect();
        let sum: f64 = grown.iter().sum();
        assert!(grown.is_empty() || sum / (grown.len() as f64) < 1.0, "{of}: {grown:?}");
        if grown.is_empty() {
            println!("{of}: too few games to judge the memory by");
        }
    }
    assert!(!judged || tallies.iter().all(|tally| tally.flags == 0));
}

/// No game is lost on time where four threads search for each processor. Minutes come from
/// `SANQI_SOAK_MINUTES`. Where other programs have taken the processors before, flags are reported and are no
/// faults.
#[test]
#[ignore = "minutes"]
fn too_many_threads_lose_no_game_on_time() {
    let (threads, before) = (Some(4 * processors()), load());
    for (kind, control) in [(GameKind::CHESS, CHESS_CLOCK), (GameKind::GO, GO_CLOCK)] {
        let tally = soak(Plan { kind, control, threads }, after(minutes() / 2.0), seed(), &Turns::new(1));
        tally.report(kind.name());
        println!("{} threads, load {before:.1} to {:.1}", 4 * processors(), load());
        let judged = judges_flags(0, processors(), before);
        assert!(tally.faults.is_empty() && (tally.flags == 0 || !judged));
    }
}

/// A game costs no memory once it is over.
#[cfg(target_os = "linux")]
#[test]
fn new_games_leave_no_memory_behind() {
    const GAMES: usize = 60;
    for kind in [GameKind::CHESS, GameKind::XIANGQI, GameKind::GO] {
        let mut player = Player::start(Plan { kind, control: FAST, threads: Some(1) }, 1);
        // Small tables, which are all in use after the first games.
        match kind {
            GameKind::GO => {
                for command in ["boardsize 5", "kata-set-param Hash 1", "kata-set-param maxVisits 20"] {
                    player.ask(command).unwrap();
                }
            }
            _ => player.session.send("setoption name Hash value 1"),
        }
        let mut play = |games| {
            for _ in 0..games {
                match kind {
                    GameKind::GO => {
                        player.ask("clear_board").unwrap();
                        player.ask("genmove b").unwrap();
                    }
                    _ => {
                        player.session.send("ucinewgame\nposition startpos\ngo nodes 2000");
                        player.until("bestmove").unwrap();
                    }
                }
            }
            player.memory().expect("the system reports it")
        };
        let (early, late) = (play(GAMES / 2), play(GAMES));
        assert!(late < early + early / 100 + 2048, "{kind}: {early} KiB, {GAMES} games later {late} KiB");
    }
}
