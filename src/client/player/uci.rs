//! Asking UCI engines, for chess and for both dialects of xiangqi.

use super::conversation::{
    Best, Pondering, Search, greet, moves_to_go, ready, ready_for_a_game, settled, time_left,
};
use super::{Choice, Dialog, EngineSpec, Fault, Reply, Request, Setup, Wire};
use crate::games::record::{Ending, GameKind};
use crate::games::referee::Repetition;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The state of a UCI conversation.
#[derive(Default)]
pub struct Uci {
    /// Declared options, by their names in lower case.
    options: HashMap<String, Declared>,
    /// Those that the match's user has set.
    set_by_user: HashSet<String>,
    /// Xiangqi with ranks 1 to 10, as variant engines write them.
    ranks_from_one: bool,
    pondering: Option<Pondering>,
}

/// An option as an engine declares it.
struct Declared {
    name: String,
    /// What it may be, if it is one of several words.
    choices: Vec<String>,
}

impl Declared {
    /// Reads what follows `option name `.
    fn read(text: &str) -> Self {
        let (name, kind) = text.split_once(" type ").unwrap_or((text, ""));
        let choices = kind.split(" var ").skip(1).map(|choice| choice.trim().to_owned()).collect();
        Self { name: name.trim().to_owned(), choices }
    }
}

impl Dialog for Uci {
    fn hello(&mut self, wire: &mut Wire, spec: &EngineSpec, kind: GameKind) -> Result<String, Fault> {
        let mut name = String::new();
        let mut plays_xiangqi = false;
        let other =
            if kind == GameKind::XIANGQI { "UCCI: proto=ucci" } else { "XBoard's protocol: proto=xboard" };
        greet(wire, "uci", other, |text| {
            if let Some(own) = text.strip_prefix("id name ") {
                name = own.trim().to_owned();
            } else if let Some(option) = text.strip_prefix("option name ") {
                let declared = Declared::read(option);
                plays_xiangqi |= declared.name == "UCI_Variant" && option.contains(" default xiangqi");
                self.options.insert(declared.name.to_lowercase(), declared);
            }
        })?;
        // First the game: other options, a net's file say, may depend on it.
        match kind {
            GameKind::CHESS960 => self.set_if_declared(wire, "UCI_Chess960", "true"),
            // An engine that was started for xiangqi keeps to the ranks it was started with, 0 to 9.
            GameKind::XIANGQI if plays_xiangqi => {}
            GameKind::XIANGQI => {
                self.ranks_from_one = self.options.contains_key("uci_variant");
                self.set_if_declared(wire, "UCI_Variant", "xiangqi");
            }
            _ => {}
        }
        for (option, value) in &spec.options {
            if !self.options.contains_key(&option.to_lowercase()) {
                wire.remark(&format!("it declares no option {option}"));
            }
            self.set(wire, option, value);
            self.set_by_user.insert(option.to_lowercase());
        }
        if spec.ponders() {
            self.set_if_declared(wire, "Ponder", "true");
        }
        for line in &spec.init {
            wire.send(line);
        }
        settled(wire)?;
        Ok(name)
    }

    fn new_game(&mut self, wire: &mut Wire, setup: &Setup) -> Result<(), Fault> {
        if setup.kind == GameKind::XIANGQI {
            self.tell_rules(wire, &setup.rules.repetition);
        }
        wire.send("ucinewgame");
        ready_for_a_game(wire)
    }

    fn think(&mut self, wire: &mut Wire, request: &Request) -> Result<Reply, Fault> {
        let search = match self.pondering.take() {
            Some(pondering) if pondering.is_about(request) => pondering.hit(wire, "ponderhit")?,
            other => {
                other.map_or(Ok(()), |pondering| pondering.stop(wire))?;
                wire.send(&self.position(request));
                ready(wire)?;
                Search::start(wire, &go("go", request))
            }
        };
        let mut reply = search.listen(wire, request, |text, _, _| Ok(self.best(text)))?;
        if self.ranks_from_one {
            reply.line = reply.line.iter().map(|mv| self.read(mv)).collect();
        }
        Ok(reply)
    }

    fn ponder(&mut self, wire: &Wire, request: &Request) {
        wire.send(&self.position(request));
        self.pondering = Some(Pondering::start(wire, &go("go ponder", request), request));
    }

    fn rest(&mut self, wire: &mut Wire, _: &Ending) -> Result<(), Fault> {
        self.pondering.take().map_or(Ok(()), |pondering| pondering.stop(wire))
    }
}

impl Uci {
    fn set(&self, wire: &Wire, option: &str, value: &str) {
        let name = self.options.get(&option.to_lowercase()).map_or(option, |declared| declared.name.as_str());
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

    /// Sets the rules of repetition and the limit without captures to the match's, where the engine has options for them
    /// that the user has left alone. An engine that plays by other rules takes a lost cycle for a won one.
    fn tell_rules(&self, wire: &Wire, rules: &Repetition) {
        let left_alone = |name: &str| self.options.get(name).filter(|_| !self.set_by_user.contains(name));
        if let Some(option) = left_alone("repetition rule")
            && let Some(choice) = option.choices.iter().find(|choice| names_rules(choice, &rules.rules))
        {
            self.set(wire, &option.name, choice);
        }
        // The option counts full moves.
        if let Some(option) = left_alone("no progress limit")
            && rules.no_progress.is_multiple_of(2)
        {
            self.set(wire, &option.name, &(rules.no_progress / 2).to_string());
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

    /// `bestmove e2e4 [ponder e7e5] [draw]`.
    fn best(&self, text: &str) -> Option<Best> {
        let mut words = text.strip_prefix("bestmove")?.split_ascii_whitespace();
        let choice = match words.next().unwrap_or("") {
            "resign" => Choice::Resign,
            "" | "(none)" | "0000" | "NULL" => Choice::NoMove,
            mv => Choice::Move(self.read(mv)),
        };
        let (mut ponder, mut draw) = (None, false);
        while let Some(word) = words.next() {
            match word {
                "ponder" => ponder = words.next().map(|mv| self.read(mv)),
                "draw" => draw = true,
                _ => {}
            }
        }
        Some(Best { choice, ponder, draw })
    }

    fn read(&self, mv: &str) -> String {
        if self.ranks_from_one { shift_ranks(mv, -1) } else { mv.to_owned() }
    }
}

/// `verb`, with the clocks and limits of the request.
fn go(verb: &str, request: &Request) -> String {
    let mut line = verb.to_owned();
    // Writing to a String cannot fail.
    if let Some(per_move) = request.clock().control().per_move {
        let _ = write!(line, " movetime {}", per_move.as_millis());
    } else if request.clock().control().is_timed() {
        for (name, clock) in ["w", "b"].into_iter().zip(request.clocks) {
            if clock.control().is_timed() && clock.control().per_move.is_none() {
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

/// Whether an engine's word for rules of repetition, such as `AsianRule`, means those of the match, such as `asian`.
fn names_rules(word: &str, rules: &str) -> bool {
    let word = word.to_lowercase();
    word.strip_suffix("rule").unwrap_or(&word) == rules
}

/// Adds `by` to both ranks of a xiangqi move: `h2e2` and `h3e3`, `b9c7` and `b10c8`. A text that is not a
/// move stays as it is.
pub fn shift_ranks(mv: &str, by: i32) -> String {
    let shifted = || {
        let second = mv.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic())?.0;
        let (from, to) = mv.split_at(second);
        let square = |s: &str| {
            let rank: i32 = s.get(1..)?.parse().ok()?;
            Some(format!("{}{}", s.get(..1)?, rank.checked_add(by)?))
        };
        Some(square(from)? + &square(to)?)
    };
    shifted().unwrap_or_else(|| mv.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_every_form() {
        let best = |text: &str| Uci::default().best(text);
        let mv = |mv: &str, ponder: Option<&str>, draw| {
            Some(Best { choice: Choice::Move(mv.to_owned()), ponder: ponder.map(str::to_owned), draw })
        };
        assert_eq!(best("bestmove e2e4"), mv("e2e4", None, false));
        assert_eq!(best("bestmove e2e4 ponder e7e5"), mv("e2e4", Some("e7e5"), false));
        assert_eq!(best("bestmove h2e2 ponder h9g7 draw"), mv("h2e2", Some("h9g7"), true));
        assert_eq!(best("bestmove (none)").map(|b| b.choice), Some(Choice::NoMove));
        assert_eq!(best("readyok"), None);
        let variant = Uci { ranks_from_one: true, ..Uci::default() };
        assert_eq!(variant.best("bestmove b10c8 ponder h3e3"), mv("b9c7", Some("h2e2"), false));
    }

    #[test]
    fn rules_are_found_among_the_words_of_an_engine() {
        let choices = |text: &str| Declared::read(text).choices;
        let ours = choices("Repetition Rule type combo default chinese var chinese var asian var none");
        assert_eq!(ours, ["chinese", "asian", "none"]);
        assert!(choices("Hash type spin default 16 min 1 max 33").is_empty());
        assert!(names_rules("AsianRule", "asian") && names_rules("asian", "asian"));
        assert!(!names_rules("SkyRule", "asian") && !names_rules("ChineseRule", "asian"));
    }

    #[test]
    fn ranks_shift_between_dialects() {
        for (zero, one) in [("h2e2", "h3e3"), ("b9c7", "b10c8"), ("a8a9", "a9a10")] {
            assert_eq!(shift_ranks(zero, 1), one);
            assert_eq!(shift_ranks(one, -1), zero);
        }
        for odd in ["", "h", "hh", "h2", "é9é8", "0000", "(none)", "a2147483647a0"] {
            assert_eq!(shift_ranks(odd, 1), odd);
        }
    }
}
