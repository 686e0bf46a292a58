//! Asking engines that speak the Chess Engine Communication Protocol of XBoard and WinBoard, versions 1 and 2.
//! <https://www.gnu.org/software/xboard/engine-intf.html>
//!
//! Between its own moves the engine stands in force mode: it is told moves and never thinks about the wrong side.

use super::conversation::{Best, Search, adopt, moves_to_go, time_left};
use super::info::Collector;
use super::{Choice, Dialog, EngineSpec, Fault, Patience, Reply, Request, Setup, Wire, later};
use crate::game::Side;
use crate::games::record::{Ending, GameKind, Reason};
use crate::games::time::Clock;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// Seconds that an engine is given to announce something, which may be of version 1 and never do. XBoard gives it
/// two, which is too short for some on a busy machine.
const FEATURES: f64 = 5.0;
/// After so long a silent engine is sent another line, and one more each time [`NUDGE_AGAIN`] has passed: GNU Chess answers
/// `protover` only when another line follows it, and not always then.
pub const NUDGE: Duration = Duration::from_secs(2);
/// See [`NUDGE`].
pub const NUDGE_AGAIN: Duration = Duration::from_millis(500);
/// How long the last words about a game are waited for where nothing tells their end.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// The state of a conversation.
#[derive(Default)]
pub struct Xboard {
    /// What the engine announced, unquoted.
    features: HashMap<String, String>,
    /// Its own options among them.
    options: HashSet<String>,
    /// Moves it knows of.
    played: Vec<String>,
    /// Whether its last answer was a move, which is not among them yet.
    answered: bool,
    pings: u32,
    /// It offered a draw, or accepted one, before it was asked for its move.
    offered: bool,
    /// It resigned before it was asked for its move.
    resigned: bool,
    /// It has just been given a position, and may refuse it.
    setting_up: bool,
    /// The period whose `level` it was sent.
    period: usize,
}

impl Dialog for Xboard {
    fn hello(&mut self, wire: &mut Wire, spec: &EngineSpec, kind: GameKind) -> Result<String, Fault> {
        wire.send("xboard");
        wire.send("protover 2");
        // Version 1 knows no variants.
        let wait = if kind == GameKind::XIANGQI { wire.patience.ready } else { FEATURES };
        self.collect_features(wire, wait)?;
        if kind == GameKind::XIANGQI && !self.feature("variants").split(',').any(|v| v == "xiangqi") {
            return Err(Fault::new(Reason::Crash, "the engine does not announce the variant xiangqi"));
        }
        for (option, value) in &spec.options {
            let line = option_line(&self.features, option, value);
            if line.starts_with("option") && !self.options.contains(option) {
                wire.remark(&format!("it announces no option {option}"));
            }
            wire.send(&line);
        }
        for line in &spec.init {
            wire.send(line);
        }
        Ok(self.feature("myname").to_owned())
    }

    fn new_game(&mut self, wire: &mut Wire, setup: &Setup) -> Result<(), Fault> {
        (self.played, self.answered, self.offered, self.resigned) = (Vec::new(), false, false, false);
        wire.send("new");
        if setup.kind == GameKind::XIANGQI {
            wire.send("variant xiangqi");
        }
        wire.send("force");
        wire.send("easy");
        wire.send("post");
        if let Some(fen) = setup.fen {
            if !self.has("setboard") {
                let why =
                    "the engine cannot be given a position, only moves; --openings none, or openings of PGN";
                return Err(Fault::new(Reason::Crash, why));
            }
            wire.send(&format!("setboard {}", xboard_fen(setup.kind, fen)));
            self.setting_up = true;
        }
        let is_ready = self.ready(wire, true).and_then(|()| self.pass_over(wire));
        self.setting_up = false;
        is_ready
    }

    fn is_for_one_game(&self) -> bool {
        self.feature("reuse") == "0"
    }

    fn think(&mut self, wire: &mut Wire, request: &Request) -> Result<Reply, Fault> {
        adopt(&mut self.played, &mut self.answered, request.moves);
        self.limit(wire, request);
        self.catch_up(wire, request);
        if request.draw_offered && self.feature("draw") != "0" {
            wire.send("draw");
        }
        self.ready(wire, false)?;
        if std::mem::take(&mut self.resigned) {
            let (time, thought) = Default::default();
            let line = Vec::new();
            return Ok(Reply { choice: Choice::Resign, ponder: None, draw: false, time, line, thought });
        }
        let (known, side) = (&self.played, request.side);
        // Without a clock nothing else would end its search.
        let needs_depth = request.depth.is_some() && !request.clock().control().is_timed();
        let wrong_claim = RefCell::new(None);
        let reply = Search::start(wire, "go").listen(wire, request, |text, is_early, c| match text {
            _ if needs_depth && refuses_depth(text) => Err(refused(text)),
            // A comment on its own last move: the referee decides.
            _ if is_early && claim(text).is_some() => Ok(None),
            _ if claim(text) == Some(None) => match request.referee.claim() {
                Some(ending) => Ok(Some(Best { choice: Choice::Draw(ending), ponder: None, draw: false })),
                // The game goes on, and the claim is an offer (CH-15; FIDE 9.1.2.3).
                None => {
                    c.offer_draw();
                    wrong_claim.replace(Some(format!("it claims {:?} wrongly", shown(text))));
                    Ok(None)
                }
            },
            _ => read(text, side, known, c),
        });
        if let Some(text) = wrong_claim.take() {
            wire.remark(&text);
        }
        let reply = reply?;
        wire.send("force");
        self.answered = matches!(reply.choice, Choice::Move(_) | Choice::Algebraic(_));
        let offered = std::mem::take(&mut self.offered);
        let reply = Reply { draw: reply.draw || offered, ..reply };
        Ok(reply)
    }

    fn rest(&mut self, wire: &mut Wire, ending: &Ending) -> Result<(), Fault> {
        let reason =
            ending.detail.to_string().replace(|c: char| c.is_control() || matches!(c, '{' | '}'), " ");
        wire.send(&format!("result {} {{{reason}}}", ending.result()));
        Ok(())
    }
}

impl Xboard {
    fn collect_features(&mut self, wire: &mut Wire, wait: f64) -> Result<(), Fault> {
        let mut deadline = Patience::until(wait);
        let mut nudge = Some(later(Instant::now(), NUDGE));
        loop {
            let until = nudge.map_or(deadline, |at| at.min(deadline));
            let Some(line) = wire.receive(until)? else {
                if until == deadline {
                    return Ok(());
                }
                wire.send("easy");
                nudge = Some(later(until, NUDGE_AGAIN));
                continue;
            };
            let Some(text) = line.text.trim().strip_prefix("feature ") else { continue };
            nudge = None;
            for (name, value) in features(text) {
                // Coordinates are what this side writes.
                wire.send(&if name == "san" && value == "1" {
                    "rejected san".to_owned()
                } else {
                    format!("accepted {name}")
                });
                match (name.as_str(), value.as_str()) {
                    ("done", "1") => return Ok(()),
                    ("option", text) => {
                        self.options.extend(text.split(" -").next().map(str::to_owned));
                    }
                    ("done", _) => deadline = Patience::until(wire.patience.ready),
                    _ => drop(self.features.insert(name, value)),
                }
            }
        }
    }

    fn feature(&self, name: &str) -> &str {
        self.features.get(name).map_or("", String::as_str)
    }

    fn has(&self, feature: &str) -> bool {
        self.feature(feature) == "1"
    }

    /// Waits until all commands are done, if the engine can say so, and measures the round trip. A move that comes
    /// before a game is of the game before, and no fault of this one.
    fn ready(&mut self, wire: &mut Wire, is_before_a_game: bool) -> Result<(), Fault> {
        if !self.has("ping") {
            return Ok(());
        }
        self.pings = self.pings.wrapping_add(1);
        let pong = format!("pong {}", self.pings);
        let (offered, resigned) = (&mut self.offered, &mut self.resigned);
        let (known, setting_up) = (&self.played, self.setting_up);
        let sent = Instant::now();
        wire.send(&format!("ping {}", self.pings));
        let at = wire.wait_for("pong", |line| match line.text.trim() {
            text if text == pong => Ok(Some(line.at)),
            text if is_refusal(text, known) || setting_up && is_complaint(text) => Err(refused(text)),
            "offer draw" => {
                *offered = true;
                Ok(None)
            }
            "resign" => {
                *resigned = true;
                Ok(None)
            }
            text if move_in(text).is_some() && !is_before_a_game => {
                Err(Fault::new(Reason::PrematureMove, format!("{text:?} when no move was asked for")))
            }
            _ => Ok(None),
        })?;
        wire.latencies.push(at.saturating_duration_since(sent));
        Ok(())
    }

    /// Before a game, without `ping`: gives what an engine still says of the game before the time to come, and passes over it.
    fn pass_over(&self, wire: &mut Wire) -> Result<(), Fault> {
        if self.has("ping") {
            return Ok(());
        }
        let deadline = later(Instant::now(), LAST_WORDS);
        while let Some(line) = wire.receive(deadline)? {
            if self.setting_up && is_complaint(line.text.trim()) {
                return Err(refused(line.text.trim()));
            }
            if line.at > deadline {
                break;
            }
        }
        Ok(())
    }

    /// Tells it the clocks, or the limit of a move.
    fn limit(&mut self, wire: &Wire, request: &Request) {
        let control = request.clock().control();
        if let Some(per_move) = control.per_move {
            // In whole seconds: what is less than one cannot be said.
            wire.send(&format!("st {}", per_move.as_secs().max(1)));
        } else if control.is_timed() {
            // `level` has one period: the next one is sent when it begins.
            let period = request.clock().period();
            if request.moves.len() < 2 || self.played.is_empty() || period != self.period {
                self.period = period;
                wire.send(&level(request.clock()));
            }
            for (word, clock) in [("time", request.clock()), ("otim", request.clock_of(request.side.other()))]
            {
                if self.feature("time") != "0"
                    && clock.control().is_timed()
                    && clock.control().per_move.is_none()
                {
                    wire.send(&format!("{word} {}", time_left(clock).0.as_millis() / 10));
                }
            }
        }
        if let Some(depth) = request.depth {
            wire.send(&format!("sd {depth}"));
        }
    }

    /// Plays what the engine has not seen; takes back what was not played after all.
    fn catch_up(&mut self, wire: &Wire, request: &Request) {
        let common =
            self.played.iter().zip(request.moves).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        for _ in common..self.played.len() {
            wire.send("undo");
        }
        self.played.truncate(common);
        for mv in request.moves.iter().skip(common) {
            wire.send(&if self.has("usermove") { format!("usermove {mv}") } else { mv.clone() });
            self.played.push(mv.clone());
        }
    }
}

/// How an engine with these features is told an option, unquoted: those of the protocol have words of their own.
pub fn option_line(features: &HashMap<String, String>, option: &str, value: &str) -> String {
    let has = |feature| features.get(feature).is_some_and(|value| value == "1");
    match option.to_lowercase().as_str() {
        "hash" if has("memory") => format!("memory {value}"),
        "threads" if has("smp") => format!("cores {value}"),
        _ if value.is_empty() => format!("option {option}"),
        _ => format!("option {option}={value}"),
    }
}

/// `level MOVES BASE INCREMENT`: minutes and seconds, and seconds with a fraction where there is one.
fn level(clock: &Clock) -> String {
    let (time, increment) = time_left(clock);
    let moves = moves_to_go(clock).unwrap_or(0);
    let seconds = time.as_secs();
    format!("level {moves} {}:{:02} {}", seconds / 60, seconds % 60, increment.as_secs_f64())
}

/// A FEN as XBoard writes it: in xiangqi it calls horses H and elephants E, and leaves out the fields of castling and of
/// en passant.
pub fn xboard_fen(kind: GameKind, fen: &str) -> String {
    let mut fields = fen.split_whitespace();
    match (kind, fields.next()) {
        (GameKind::XIANGQI, Some(board)) => {
            let letter = |c: char| match c {
                'N' => 'H',
                'n' => 'h',
                'B' => 'E',
                'b' => 'e',
                other => other,
            };
            let side = fields.next().filter(|side| *side == "b").unwrap_or("w");
            let counts: Vec<&str> = fields.skip(2).collect();
            let counts = if counts.is_empty() { "0 1".to_owned() } else { counts.join(" ") };
            format!("{} {side} {counts}", board.chars().map(letter).collect::<String>())
        }
        _ => fen.to_owned(),
    }
}

/// `name=value` pairs; values may be quoted and then hold blanks.
pub fn features(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, end) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        pairs.push((name.trim().to_owned(), value.to_owned()));
        rest = end.trim_start();
    }
    pairs
}

/// Whether a line refuses a move that the engine was told. Some call other commands illegal moves.
fn is_refusal(text: &str, known: &[String]) -> bool {
    let Some(what) = text.strip_prefix("Illegal move") else { return false };
    let what = what.rsplit(':').next().unwrap_or_default().trim();
    let what = what.strip_prefix("usermove ").unwrap_or(what);
    what.is_empty() || known.iter().any(|mv| mv.eq_ignore_ascii_case(what))
}

/// Whether a line refuses the depth of its searches: `Error (unknown command): sd 5`. Some call that an illegal move.
fn refuses_depth(text: &str) -> bool {
    let refusal = text.strip_prefix("Error (").or_else(|| text.strip_prefix("Illegal move"));
    refusal.and_then(|rest| rest.rsplit(':').next()).is_some_and(|what| what.trim().starts_with("sd"))
}

/// Whether a line complains of the position that was set up.
fn is_complaint(text: &str) -> bool {
    text.starts_with("Illegal position") || text.starts_with("tellusererror")
}

/// The move in an answer: `move e2e4`, or as version 1 has it, `12. ... e2e4`.
pub fn move_in(text: &str) -> Option<&str> {
    let old = || {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = rest.len() < text.len();
        let rest = rest.strip_prefix('.').unwrap_or(rest).trim_start();
        rest.strip_prefix("...").filter(|_| is_numbered)
    };
    let mv = text.strip_prefix("move ").or_else(old)?.trim();
    (!mv.is_empty() && !mv.contains(' ')).then_some(mv)
}

/// Who wins by a result that an engine claims: `0-1 {White resigns}`. The inner `None`: nobody.
fn claim(text: &str) -> Option<Option<Side>> {
    match text.split_ascii_whitespace().next()? {
        "1-0" => Some(Some(Side::First)),
        "0-1" => Some(Some(Side::Second)),
        "1/2-1/2" => Some(None),
        _ => None,
    }
}

/// What is quoted of a line.
fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

fn refused(text: &str) -> Fault {
    Fault::new(Reason::Stall, format!("the engine refused what it was told: {text:?}"))
}

/// Whether a text has the form of a move from one square to another, ranks of xiangqi among them.
fn is_coordinates(text: &str) -> bool {
    let signs = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let squares: Vec<&str> =
        signs.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    let is_file = |part: &&str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    squares.len() == 2 && squares.iter().all(is_file) && text.ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// `move e2e4`, `resign`, `offer draw`, a claim like `0-1 {White resigns}`, or a line of thinking of the engine that plays
/// `side` and knows of these moves.
fn read(text: &str, side: Side, known: &[String], collector: &mut Collector) -> Result<Option<Best>, Fault> {
    let best = |choice| Ok(Some(Best { choice, ponder: None, draw: collector.offers_draw() }));
    if let Some(mv) = move_in(text) {
        // Coordinates are written in any case; in algebraic notation the case tells a bishop from a pawn.
        let small = mv.to_lowercase();
        return best(match is_coordinates(&small) {
            true => Choice::Move(small),
            false => Choice::Algebraic(mv.to_owned()),
        });
    }
    match claim(text).flatten() {
        Some(winner) if winner != side => return best(Choice::Resign),
        // The rules would have ended a game that is over, and the engine thinks no more.
        Some(_) => {
            return Err(Fault::new(Reason::Stall, format!("it claims {:?} in place of a move", shown(text))));
        }
        None if text == "resign" => return best(Choice::Resign),
        None => {}
    }
    if is_refusal(text, known) {
        return Err(refused(text));
    }
    if text == "offer draw" {
        collector.offer_draw();
    }
    collector.post(text);
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::record::Score;

    fn heard(text: &str, collector: &mut Collector) -> Result<Option<Best>, Fault> {
        read(text, Side::First, &["e2e4".to_owned()], collector)
    }

    fn choice(text: &str) -> Option<Choice> {
        heard(text, &mut Collector::default()).unwrap().map(|best| best.choice)
    }

    #[test]
    fn answers_are_read_in_every_form() {
        assert_eq!(choice("move e2e4"), Some(Choice::Move("e2e4".to_owned())));
        assert_eq!(choice("move E7E8Q"), Some(Choice::Move("e7e8q".to_owned())));
        assert_eq!(choice("move b10c8"), Some(Choice::Move("b10c8".to_owned())));
        for algebraic in ["O-O", "Nf3", "e8=Q", "bxc3", "e4"] {
            let read = choice(&format!("move {algebraic}"));
            assert_eq!(read, Some(Choice::Algebraic(algebraic.to_owned())));
        }
        assert_eq!(choice("resign"), Some(Choice::Resign));
        assert_eq!(choice("0-1 {White resigns}"), Some(Choice::Resign));
        assert_eq!(choice("1. ... d7d5"), Some(Choice::Move("d7d5".to_owned())));
        assert_eq!(choice("12 ... Nf6"), Some(Choice::Algebraic("Nf6".to_owned())));
        for claimed in ["1-0 {Black resigns}", "1-0 {White mates}"] {
            let fault = heard(claimed, &mut Collector::default()).unwrap_err();
            assert!(fault.detail.contains(claimed), "{fault:?}");
        }
        for other in [
            "# a remark",
            "Illegal move: sd 3",
            "Illegal move (unknown): e2e5",
            "tellusererror x",
            "1 2 3 ... 4",
        ] {
            assert_eq!(choice(other), None, "{other}");
        }
        for text in ["Error (unknown command): sd 3", "Illegal move: sd 3", "Illegal move (unknown): sd"] {
            assert!(refuses_depth(text), "{text}");
        }
        for other in ["Error (unknown command): st 3", "Illegal move: e2e4", "9 30 1 1 sd"] {
            assert!(!refuses_depth(other), "{other}");
        }
        for refusal in ["Illegal move: e2e4", "Illegal move (castling): E2E4", "Illegal move"] {
            assert!(heard(refusal, &mut Collector::default()).is_err(), "{refusal}");
        }
        let mut collector = Collector::default();
        assert_eq!(heard("offer draw", &mut collector), Ok(None));
        assert!(heard("move e2e4", &mut collector).unwrap().unwrap().draw);
    }

    #[test]
    fn the_last_line_of_thinking_counts() {
        let mut collector = Collector::default();
        for line in ["8 156 1084 48000 Nf3 Nc6", "9 -31 2000 90000 e4", "hint: e4", "10 e4"] {
            collector.post(line);
        }
        let thought = collector.finish();
        assert_eq!((thought.depth, thought.nodes), (Some(9), Some(90_000)));
        assert_eq!(thought.score, Some(Score::Cp(-31)));
        let mut collector = Collector::default();
        collector.post("9 -100003 2000 90000 e4");
        assert_eq!(collector.finish().score, Some(Score::Mate(-3)));
    }

    #[test]
    fn positions_are_written_as_xboard_writes_them() {
        let chess = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(xboard_fen(GameKind::CHESS, chess), chess);
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        let theirs = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR";
        for (ours, expected) in
            [("w - - 0 1", "w 0 1"), ("b - - 3 7", "b 3 7"), ("r", "w 0 1"), ("", "w 0 1")]
        {
            let written = xboard_fen(GameKind::XIANGQI, &format!("{start} {ours}"));
            assert_eq!(written, format!("{theirs} {expected}"));
        }
    }

    #[test]
    fn features_may_hold_blanks() {
        let found = features("myname=\"Some Engine 1.0\" ping=1 variants=\"normal,xiangqi\" done=1");
        let pairs: Vec<_> = found.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let expected =
            [("myname", "Some Engine 1.0"), ("ping", "1"), ("variants", "normal,xiangqi"), ("done", "1")];
        assert_eq!(pairs, expected);
        assert_eq!(features("odd"), []);
        assert_eq!(features("open=\"x"), [("open".to_owned(), "x".to_owned())]);
    }
}
