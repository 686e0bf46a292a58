//! Asking UCI engines, for chess and for both dialects of xiangqi.

use super::info::Collector;
use super::{Choice, Dialog, EngineSpec, Fault, Patience, Reply, Request, Setup, Wire};
use crate::arbiter::process::Line;
use crate::arbiter::record::{GameKind, Reason};
use crate::arbiter::time::Clock;
use crate::clock::Overtime;
use std::collections::HashMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// How long after the flag an answer is still waited for, so that its lateness can be told.
const GRACE: Duration = Duration::from_millis(500);

/// The state of a UCI conversation.
#[derive(Default)]
pub struct Uci {
    /// Declared options: lower-case name to the name as declared.
    options: HashMap<String, String>,
    /// Xiangqi with ranks 1 to 10, as variant engines write them.
    ranks_from_one: bool,
}

impl Dialog for Uci {
    fn hello(&mut self, wire: &mut Wire, spec: &EngineSpec, kind: GameKind) -> Result<String, Fault> {
        wire.send("uci");
        let mut name = String::new();
        wire.wait_for("uciok", |line| {
            let text = line.text.trim();
            if let Some(own) = text.strip_prefix("id name ") {
                name = own.trim().to_owned();
            } else if let Some(option) = text.strip_prefix("option name ") {
                let declared = option.split(" type ").next().unwrap_or(option).trim();
                self.options.insert(declared.to_lowercase(), declared.to_owned());
            }
            Ok((text == "uciok").then_some(()))
        })?;
        for (option, value) in &spec.options {
            self.set(wire, option, value);
        }
        match kind {
            GameKind::Chess960 => self.set_if_declared(wire, "UCI_Chess960", "true"),
            GameKind::Xiangqi => {
                self.ranks_from_one = self.options.contains_key("uci_variant");
                self.set_if_declared(wire, "UCI_Variant", "xiangqi");
            }
            _ => {}
        }
        for line in &spec.init {
            wire.send(line);
        }
        ready(wire)?;
        Ok(name)
    }

    fn new_game(&mut self, wire: &mut Wire, _: &Setup) -> Result<(), Fault> {
        wire.send("ucinewgame");
        ready(wire)
    }

    fn think(&mut self, wire: &mut Wire, request: &Request) -> Result<Reply, Fault> {
        wire.send(&self.position(request));
        ready(wire)?;
        wire.send(&go(request));
        let reply = listen(wire, request, |text, _| {
            let mut words = text.strip_prefix("bestmove")?.split_ascii_whitespace();
            let mv = words.next().unwrap_or("");
            Some(match mv {
                "resign" => (Choice::Resign, false),
                "" | "(none)" | "0000" | "NULL" => (Choice::NoMove, false),
                mv => (Choice::Move(self.read(mv)), words.any(|w| w == "draw")),
            })
        })?;
        Ok(reply)
    }
}

impl Uci {
    fn set(&self, wire: &Wire, option: &str, value: &str) {
        let name = self.options.get(&option.to_lowercase()).map_or(option, String::as_str);
        match value {
            "" => wire.send(&format!("setoption name {name}")),
            _ => wire.send(&format!("setoption name {name} value {value}")),
        }
    }

    fn set_if_declared(&self, wire: &Wire, option: &str, value: &str) {
        if self.options.contains_key(&option.to_lowercase()) {
            self.set(wire, option, value);
        }
    }

    fn position(&self, request: &Request) -> String {
        let mut line = match request.setup.fen {
            Some(fen) => format!("position fen {fen}"),
            None => "position startpos".to_owned(),
        };
        if !request.moves.is_empty() {
            line.push_str(" moves");
        }
        for mv in request.moves {
            line.push(' ');
            line.push_str(&if self.ranks_from_one { shift_ranks(mv, 1) } else { mv.clone() });
        }
        line
    }

    fn read(&self, mv: &str) -> String {
        if self.ranks_from_one { shift_ranks(mv, -1) } else { mv.to_owned() }
    }
}

/// Sends `isready` and measures the round trip. A move that comes meanwhile was not asked for.
pub fn ready(wire: &mut Wire) -> Result<(), Fault> {
    wire.send("isready");
    let sent = Instant::now();
    let at = wire.wait_for("readyok", |line| match line.text.trim() {
        "readyok" => Ok(Some(line.at)),
        text if text.starts_with("bestmove") => {
            Err(Fault::new(Reason::PrematureMove, format!("{text:?} when no move was asked for")))
        }
        _ => Ok(None),
    })?;
    wire.latencies.push(at.saturating_duration_since(sent));
    Ok(())
}

/// Waits for the line that `answer` understands, while the clock runs.
pub fn listen(
    wire: &mut Wire,
    request: &Request,
    answer: impl Fn(&str, &Line) -> Option<(Choice, bool)>,
) -> Result<Reply, Fault> {
    let sent = Instant::now();
    let budget = request.clock().budget();
    let deadline = match budget {
        Some(budget) => sent + budget + GRACE,
        None => Patience::until(wire.patience.stall),
    };
    let mut collector = Collector::default();
    loop {
        let line = match wire.receive(deadline)? {
            Some(line) if line.at <= deadline => line,
            _ => return Err(too_late(budget, wire.patience)),
        };
        let text = line.text.trim();
        if let Some(info) = text.strip_prefix("info ") {
            collector.line(info);
        } else if let Some((choice, draw)) = answer(text, &line) {
            let time = line.at.saturating_duration_since(sent);
            return Ok(Reply { choice, draw, time, thought: collector.finish() });
        }
    }
}

fn too_late(budget: Option<Duration>, patience: Patience) -> Fault {
    match budget {
        Some(budget) => {
            Fault::new(Reason::Time, format!("no move within {:.3} s", (budget + GRACE).as_secs_f64()))
        }
        None => Fault::new(Reason::Stall, format!("no move within {} s", patience.stall)),
    }
}

fn go(request: &Request) -> String {
    let mut line = "go".to_owned();
    // Writing to a String cannot fail.
    if let Some(per_move) = request.clock().control().per_move {
        let _ = write!(line, " movetime {}", per_move.as_millis());
    } else if request.clock().control().is_timed() {
        for (name, clock) in ["w", "b"].into_iter().zip(request.clocks) {
            if clock.control().is_timed() {
                let (time, increment) = time_left(clock);
                let _ = write!(line, " {name}time {} {name}inc {}", time.as_millis(), increment.as_millis());
            }
        }
        if let Some(moves) = moves_to_go(request.clock()) {
            let _ = write!(line, " movestogo {moves}");
        }
    }
    if let Some(nodes) = request.nodes {
        let _ = write!(line, " nodes {nodes}");
    }
    if let Some(depth) = request.depth {
        let _ = write!(line, " depth {depth}");
    }
    line
}

/// Time left and increment, in the terms of protocols without overtime: what a player may use now.
pub fn time_left(clock: &Clock) -> (Duration, Duration) {
    let state = clock.state();
    let left = match state.overtime {
        Some(Overtime::ByoYomi { length, periods }) if !state.remaining.is_zero() => {
            state.remaining + length * periods
        }
        Some(Overtime::ByoYomi { length, .. } | Overtime::Canadian { length, .. }) => {
            state.remaining + length
        }
        None => state.remaining,
    };
    (left, state.increment)
}

/// Moves until the next time control, likewise.
pub fn moves_to_go(clock: &Clock) -> Option<u32> {
    let state = clock.state();
    match state.overtime {
        Some(Overtime::ByoYomi { .. }) if state.remaining.is_zero() => Some(1),
        Some(Overtime::Canadian { stones, .. }) if state.remaining.is_zero() => Some(stones),
        _ => state.moves_to_go,
    }
}

/// Adds `by` to both ranks of a xiangqi move: `h2e2` and `h3e3`, `b9c7` and `b10c8`. A text that is not a
/// move stays as it is.
fn shift_ranks(mv: &str, by: i32) -> String {
    let shifted = || {
        let second = mv.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic())?.0;
        let (from, to) = mv.split_at(second);
        let square = |s: &str| Some(format!("{}{}", s.get(..1)?, s.get(1..)?.parse::<i32>().ok()? + by));
        Some(square(from)? + &square(to)?)
    };
    shifted().unwrap_or_else(|| mv.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_shift_between_dialects() {
        for (zero, one) in [("h2e2", "h3e3"), ("b9c7", "b10c8"), ("a8a9", "a9a10")] {
            assert_eq!(shift_ranks(zero, 1), one);
            assert_eq!(shift_ranks(one, -1), zero);
        }
        for odd in ["", "h", "hh", "h2", "é9é8", "0000", "(none)"] {
            assert_eq!(shift_ranks(odd, 1), odd);
        }
    }
}
