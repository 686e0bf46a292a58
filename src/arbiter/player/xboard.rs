//! Asking engines that speak the Chess Engine Communication Protocol of XBoard and WinBoard, versions 1 and 2.
//! <https://www.gnu.org/software/xboard/engine-intf.html>
//!
//! Between its own moves the engine stands in force mode: it is told moves and never thinks about the wrong side.

use super::conversation::{Best, Search, adopt, moves_to_go, time_left};
use super::info::Collector;
use super::{Choice, Dialog, EngineSpec, Fault, Patience, Reply, Request, Setup, Wire};
use crate::arbiter::record::{GameKind, Reason};
use crate::arbiter::time::Clock;
use std::collections::{HashMap, HashSet};
use std::time::Instant;

/// Seconds that an engine is given to announce something, which may be of version 1 and never do. XBoard gives it
/// two, which is too short for some on a busy machine.
const FEATURES: f64 = 5.0;

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
}

impl Dialog for Xboard {
    fn hello(&mut self, wire: &mut Wire, spec: &EngineSpec, kind: GameKind) -> Result<String, Fault> {
        wire.send("xboard");
        wire.send("protover 2");
        // Version 1 knows no variants.
        let wait = if kind == GameKind::Xiangqi { wire.patience.ready } else { FEATURES };
        self.collect_features(wire, wait)?;
        if kind == GameKind::Xiangqi && !self.feature("variants").split(',').any(|v| v == "xiangqi") {
            return Err(Fault::new(Reason::Crash, "the engine does not announce the variant xiangqi"));
        }
        for (option, value) in &spec.options {
            let line = match option.to_lowercase().as_str() {
                "hash" if self.has("memory") => format!("memory {value}"),
                "threads" if self.has("smp") => format!("cores {value}"),
                _ if value.is_empty() => format!("option {option}"),
                _ => format!("option {option}={value}"),
            };
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
        (self.played, self.answered, self.offered) = (Vec::new(), false, false);
        wire.send("new");
        if setup.kind == GameKind::Xiangqi {
            wire.send("variant xiangqi");
        }
        wire.send("force");
        wire.send("easy");
        wire.send("post");
        if let Some(fen) = setup.fen {
            if !self.has("setboard") {
                return Err(Fault::new(Reason::Crash, "the engine cannot be given a position, only moves"));
            }
            wire.send(&format!("setboard {fen}"));
        }
        self.ready(wire)
    }

    fn think(&mut self, wire: &mut Wire, request: &Request) -> Result<Reply, Fault> {
        adopt(&mut self.played, &mut self.answered, request.moves);
        self.limit(wire, request);
        self.catch_up(wire, request);
        if request.draw_offered {
            wire.send("draw");
        }
        self.ready(wire)?;
        let reply = Search::start(wire, "go").listen(wire, request, read)?;
        wire.send("force");
        self.answered = matches!(reply.choice, Choice::Move(_) | Choice::Algebraic(_));
        let offered = std::mem::take(&mut self.offered);
        let reply = Reply { draw: reply.draw || offered, ..reply };
        Ok(reply)
    }
}

impl Xboard {
    fn collect_features(&mut self, wire: &mut Wire, wait: f64) -> Result<(), Fault> {
        let mut deadline = Patience::until(wait);
        while let Some(line) = wire.receive(deadline)? {
            let Some(text) = line.text.trim().strip_prefix("feature ") else { continue };
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
        Ok(())
    }

    fn feature(&self, name: &str) -> &str {
        self.features.get(name).map_or("", String::as_str)
    }

    fn has(&self, feature: &str) -> bool {
        self.feature(feature) == "1"
    }

    /// Waits until all commands are done, if the engine can say so, and measures the round trip.
    fn ready(&mut self, wire: &mut Wire) -> Result<(), Fault> {
        if !self.has("ping") {
            return Ok(());
        }
        self.pings = self.pings.wrapping_add(1);
        let pong = format!("pong {}", self.pings);
        let offered = &mut self.offered;
        let sent = Instant::now();
        wire.send(&format!("ping {}", self.pings));
        let at = wire.wait_for("pong", |line| match line.text.trim() {
            text if text == pong => Ok(Some(line.at)),
            text if is_refusal(text) => Err(refused(text)),
            "offer draw" => {
                *offered = true;
                Ok(None)
            }
            text if text.starts_with("move ") => {
                Err(Fault::new(Reason::PrematureMove, format!("{text:?} when no move was asked for")))
            }
            _ => Ok(None),
        })?;
        wire.latencies.push(at.saturating_duration_since(sent));
        Ok(())
    }

    /// Tells it the clocks, or the limit of a move.
    fn limit(&self, wire: &Wire, request: &Request) {
        let control = request.clock().control();
        if let Some(per_move) = control.per_move {
            // In whole seconds: what is less than one cannot be said.
            wire.send(&format!("st {}", per_move.as_secs().max(1)));
        } else if control.is_timed() {
            if request.moves.len() < 2 || self.played.is_empty() {
                wire.send(&level(request.clock()));
            }
            for (word, clock) in [("time", request.clock()), ("otim", request.clock_of(request.side.other()))]
            {
                if clock.control().is_timed() && clock.control().per_move.is_none() {
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

/// `level MOVES BASE INCREMENT`: minutes and seconds, and seconds with a fraction where there is one.
fn level(clock: &Clock) -> String {
    let (time, increment) = time_left(clock);
    let moves = moves_to_go(clock).unwrap_or(0);
    let seconds = time.as_secs();
    format!("level {moves} {}:{:02} {}", seconds / 60, seconds % 60, increment.as_secs_f64())
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

fn is_refusal(text: &str) -> bool {
    text.starts_with("Illegal move") || text.starts_with("tellusererror")
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

/// `move e2e4`, `resign`, `offer draw`, a claim like `0-1 {White resigns}`, or a line of thinking.
fn read(text: &str, collector: &mut Collector) -> Result<Option<Best>, Fault> {
    let best = |choice| Ok(Some(Best { choice, ponder: None, draw: collector.offers_draw() }));
    if let Some(mv) = text.strip_prefix("move ") {
        // Coordinates are written in any case; in algebraic notation the case tells a bishop from a pawn.
        let small = mv.trim().to_lowercase();
        return best(match is_coordinates(&small) {
            true => Choice::Move(small),
            false => Choice::Algebraic(mv.trim().to_owned()),
        });
    }
    if text == "resign" || text.ends_with("resigns}") {
        return best(Choice::Resign);
    }
    if is_refusal(text) {
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
    use crate::arbiter::record::Score;

    fn choice(text: &str) -> Option<Choice> {
        read(text, &mut Collector::default()).unwrap().map(|best| best.choice)
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
        assert_eq!(choice("1/2-1/2 {Draw by repetition}"), None);
        assert_eq!(choice("# a remark"), None);
        assert!(read("Illegal move: e2e5", &mut Collector::default()).is_err());
        let mut collector = Collector::default();
        assert_eq!(read("offer draw", &mut collector), Ok(None));
        assert!(read("move e2e4", &mut collector).unwrap().unwrap().draw);
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
