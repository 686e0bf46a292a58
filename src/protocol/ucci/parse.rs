//! What a UCCI client says.

use crate::clock::TimeControl;
use crate::engine::Limits;
use crate::protocol::conversation::{self, Asked, Instead};
use crate::protocol::io::Reflex;
use crate::protocol::words::{Position, at_least_one, first_word, guess, milliseconds, number};

/// One line of input.
pub type Command = conversation::Command<Go>;

/// `go ..`, as sent. Times are in whatever unit the client uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Think on the opponent's time.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// `infinite`, `depth infinite`.
    pub infinite: bool,
    /// `depth`; 0 asks for the static evaluation.
    pub depth: Option<i64>,
    /// `nodes`.
    pub nodes: Option<i64>,
    /// `movetime`: milliseconds, whatever the unit of the clock.
    pub movetime: Option<i64>,
    /// `searchmoves`.
    pub search_moves: Vec<String>,
    /// `time`, and `opptime`.
    pub time: [Option<i64>; 2],
    /// `increment`, and `oppincrement`.
    pub increment: [Option<i64>; 2],
    /// `movestogo`, and `oppmovestogo`.
    pub moves_to_go: [Option<i64>; 2],
    /// What could not be read, in words for people. The rest holds.
    pub problems: Vec<String>,
}

/// Reads one line.
pub fn parse(line: &str) -> Command {
    let (word, after) = first_word(line);
    match word {
        "" => Command::Empty,
        "ucci" => Command::Identify,
        "isready" => Command::IsReady,
        "setoption" => {
            let (name, value) = named_option(after).unwrap_or_else(|| {
                let (name, value) = first_word(after);
                (name.to_owned(), value)
            });
            Command::SetOption { name, value: value.trim_ascii_end().to_owned() }
        }
        "position" => Command::Position(Position::parse(after)),
        "banmoves" => Command::BanMoves(after.split_ascii_whitespace().map(str::to_owned).collect()),
        "go" => Command::Go(parse_go(after)),
        "ponderhit" => Command::PonderHit { draw: first_word(after).0 == "draw" },
        "stop" => Command::Stop,
        "probe" => Command::Probe(Position::parse(after)),
        "quit" => Command::Quit,
        _ => Command::Unknown,
    }
}

/// `name <words> [value <words>]`, as clients write it that speak UCI too. `None`: it is not of that form.
fn named_option(text: &str) -> Option<(String, &str)> {
    let (keyword, rest) = first_word(text);
    if keyword != "name" || rest.is_empty() {
        return None;
    }
    let padded = rest.find(" value").filter(|&at| {
        let after = &rest[at + " value".len()..];
        after.is_empty() || after.starts_with(|c: char| c.is_ascii_whitespace())
    });
    let (name, value) =
        padded.map_or((rest, ""), |at| (&rest[..at], rest[at + " value".len()..].trim_ascii_start()));
    Some((name.split_ascii_whitespace().collect::<Vec<_>>().join(" "), value))
}

/// What a line does to a running search the moment it arrives.
pub fn reflex(line: &str) -> Reflex {
    match first_word(line).0 {
        "stop" => Reflex::Stop,
        "quit" => Reflex::Quit,
        "isready" => Reflex::Answer("readyok"),
        _ => Reflex::None,
    }
}

/// The same where input is left unread while thinking.
pub fn reflex_in_batch(line: &str) -> Reflex {
    if first_word(line).0 == "quit" { Reflex::Quit } else { Reflex::None }
}

/// The arguments of `go`, in any order; of what is there twice, the last counts.
fn parse_go(text: &str) -> Go {
    let mut go = Go::default();
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "draw" => go.draw = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| is_move(word)) {
                    go.search_moves.push(mv.to_owned());
                }
            }
            "depth" if words.next_if_eq(&"infinite").is_some() => go.infinite = true,
            _ => match (go.slot(word).is_some(), words.peek().copied().and_then(number)) {
                (false, _) => go.problems.push(format!("go: '{word}' is ignored")),
                (true, None) => go.problems.push(format!("go: {word} without a number is ignored")),
                (true, found) => {
                    words.next();
                    if let Some(slot) = go.slot(word) {
                        *slot = found;
                    }
                }
            },
        }
    }
    go
}

/// Whether this is a move: a file and a rank, twice.
fn is_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() == 4 && bytes.chunks(2).all(|at| (b'a'..=b'i').contains(&at[0]) && at[1].is_ascii_digit())
}

impl Asked for Go {
    fn instead(&self) -> Option<Instead> {
        let is_static = self.depth.is_some_and(|depth| depth <= 0) && !self.infinite;
        is_static.then_some(Instead::StaticEvaluation)
    }

    fn problems(&self) -> &[String] {
        &self.problems
    }

    fn has_movetime(&self) -> bool {
        self.movetime.is_some()
    }
}

impl Go {
    /// The number that `word` names.
    fn slot(&mut self, word: &str) -> Option<&mut Option<i64>> {
        Some(match word {
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "movetime" => &mut self.movetime,
            "time" => &mut self.time[0],
            "opptime" => &mut self.time[1],
            "increment" => &mut self.increment[0],
            "oppincrement" => &mut self.increment[1],
            "movestogo" => &mut self.moves_to_go[0],
            "oppmovestogo" => &mut self.moves_to_go[1],
            _ => return None,
        })
    }

    /// What this means with a clock that counts units of `unit` milliseconds. Without any limit the
    /// search goes on until it is stopped.
    pub fn limits(&self, unit: i64) -> Limits {
        let duration = |n: i64| milliseconds(n.saturating_mul(unit));
        let clock = self.time[0].or(self.time[1]).map(|own| TimeControl {
            remaining: duration(own),
            increment: duration(self.increment[0].unwrap_or(0)),
            moves_to_go: self.moves_to_go[0].filter(|&n| n > 0).map(at_least_one),
            overtime: None,
            opponent: self.time[1].map(duration),
        });
        let limited = clock.is_some() || [self.depth, self.nodes, self.movetime].iter().any(Option::is_some);
        let guessed = guess(limited || self.infinite || self.ponder, &self.problems);
        Limits {
            depth: self.depth.map(at_least_one),
            nodes: self.nodes.map(|n| n.max(1).unsigned_abs()),
            movetime: self.movetime.map(milliseconds).or(guessed),
            clock,
            search_moves: self.search_moves.clone(),
            infinite: self.infinite || !(limited || self.ponder || guessed.is_some()),
            ponder: self.ponder,
            draw_offered: self.draw,
            ..Limits::default()
        }
    }
}
