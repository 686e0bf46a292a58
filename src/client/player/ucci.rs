//! Asking UCCI engines.

use super::conversation::{
    Best, Pondering, Search, greet, in_seconds, moves_to_go, ready, ready_for_a_game, settled, time_left,
};
use super::{Choice, Dialog, EngineSpec, Fault, Reply, Request, Setup, Wire};
use crate::games::record::{Ending, GameKind};
use crate::games::time::Clock;
use std::collections::HashSet;
use std::fmt::Write;
use std::time::Duration;

/// The state of a UCCI conversation.
#[derive(Default)]
pub struct Ucci {
    options: HashSet<String>,
    pondering: Option<Pondering>,
}

impl Dialog for Ucci {
    fn hello(&mut self, wire: &mut Wire, spec: &EngineSpec, _: GameKind) -> Result<String, Fault> {
        let mut name = String::new();
        greet(wire, "ucci", "UCI: proto=uci", |text| {
            if let Some(own) = text.strip_prefix("id name ") {
                name = own.trim().to_owned();
            } else if let Some(option) = text.strip_prefix("option ") {
                self.options.extend(option.split_ascii_whitespace().next().map(str::to_owned));
            }
        })?;
        // Without this option an engine counts in seconds.
        if self.counts_milliseconds() {
            wire.send("setoption usemillisec true");
        }
        for (option, value) in &spec.options {
            if !self.options.contains(option) {
                wire.remark(&format!("it declares no option {option}"));
            }
            wire.send(format!("setoption {option} {value}").trim_end());
        }
        if spec.ponders() && self.options.contains("ponder") {
            wire.send("setoption ponder true");
        }
        for line in &spec.init {
            wire.send(line);
        }
        settled(wire)?;
        Ok(name)
    }

    fn new_game(&mut self, wire: &mut Wire, setup: &Setup) -> Result<(), Fault> {
        if !self.counts_milliseconds() {
            in_seconds(setup.control)?;
            let mut times = setup.control.periods().flat_map(|period| [period.main, period.increment]);
            if times.any(|time| time.subsec_nanos() > 0) {
                wire.remark("it counts in seconds and is not told fractions");
            }
        }
        if self.options.contains("newgame") {
            wire.send("setoption newgame");
        }
        ready_for_a_game(wire)
    }

    fn think(&mut self, wire: &mut Wire, request: &Request) -> Result<Reply, Fault> {
        let search = match self.pondering.take() {
            Some(pondering) if pondering.is_about(request) => {
                pondering.hit(wire, if request.draw_offered { "ponderhit draw" } else { "ponderhit" })?
            }
            other => {
                other.map_or(Ok(()), |pondering| pondering.stop(wire))?;
                wire.send(&position(request));
                ready(wire)?;
                let verb = if request.draw_offered { "go draw" } else { "go" };
                Search::start(wire, &self.go(verb, request))
            }
        };
        search.listen(wire, request, |text, _, _| Ok(best(text)))
    }

    fn ponder(&mut self, wire: &Wire, request: &Request) {
        wire.send(&position(request));
        self.pondering = Some(Pondering::start(wire, &self.go("go ponder", request), request));
    }

    fn rest(&mut self, wire: &mut Wire, _: &Ending) -> Result<(), Fault> {
        self.pondering.take().map_or(Ok(()), |pondering| pondering.stop(wire))
    }
}

fn position(request: &Request) -> String {
    let mut line = match request.setup.fen {
        Some(fen) => format!("position fen {fen}"),
        None => "position startpos".to_owned(),
    };
    if !request.moves.is_empty() {
        line.push_str(" moves ");
        line.push_str(&request.moves.join(" "));
    }
    line
}

/// `bestmove h2e2 [ponder h9g7] [draw|resign]`, `nobestmove`.
fn best(text: &str) -> Option<Best> {
    if text == "nobestmove" {
        return Some(Best { choice: Choice::NoMove, ponder: None, draw: false });
    }
    let mut words = text.strip_prefix("bestmove")?.split_ascii_whitespace();
    let mut choice = Choice::Move(words.next().unwrap_or("").to_owned());
    let (mut ponder, mut draw) = (None, false);
    while let Some(word) = words.next() {
        match word {
            "ponder" => ponder = words.next().map(str::to_owned),
            "draw" => draw = true,
            "resign" => choice = Choice::Resign,
            _ => {}
        }
    }
    Some(Best { choice, ponder, draw })
}

impl Ucci {
    fn counts_milliseconds(&self) -> bool {
        self.options.contains("usemillisec")
    }

    fn units(&self, time: Duration) -> u128 {
        if self.counts_milliseconds() { time.as_millis() } else { u128::from(time.as_secs()) }
    }

    /// `verb`, with the clocks or the limit of the request.
    fn go(&self, verb: &str, request: &Request) -> String {
        let mut line = verb.to_owned();
        let clock = request.clock();
        // Writing to a String cannot fail. UCCI has one mode a command.
        if let Some(nodes) = request.nodes {
            let _ = write!(line, " nodes {nodes}");
        } else if let Some(depth) = request.depth {
            let _ = write!(line, " depth {depth}");
        } else if let Some(per_move) = clock.control().per_move {
            let _ = write!(line, " time {} movestogo 1", self.units(per_move));
        } else {
            self.clock(&mut line, "", clock);
            let opponent = request.clock_of(request.side.other());
            if opponent.control().is_timed() && opponent.control().per_move.is_none() {
                self.clock(&mut line, "opp", opponent);
            }
        }
        line
    }

    fn clock(&self, line: &mut String, whose: &str, clock: &Clock) {
        let (time, increment) = time_left(clock);
        let _ = write!(line, " {whose}time {}", self.units(time));
        let _ = match moves_to_go(clock) {
            Some(moves) => write!(line, " {whose}movestogo {moves}"),
            None => write!(line, " {whose}increment {}", self.units(increment)),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_every_form() {
        let mv = |ponder: Option<&str>, draw| {
            let choice = Choice::Move("h2e2".to_owned());
            Some(Best { choice, ponder: ponder.map(str::to_owned), draw })
        };
        assert_eq!(best("bestmove h2e2"), mv(None, false));
        assert_eq!(best("bestmove h2e2 ponder h9g7"), mv(Some("h9g7"), false));
        assert_eq!(best("bestmove h2e2 draw"), mv(None, true));
        assert_eq!(best("bestmove h2e2 ponder h9g7 draw"), mv(Some("h9g7"), true));
        assert_eq!(best("bestmove h2e2 resign").map(|b| b.choice), Some(Choice::Resign));
        assert_eq!(best("nobestmove").map(|b| b.choice), Some(Choice::NoMove));
        assert_eq!(best("info depth 1"), None);
    }
}
