//! What a UCI client says.
//!
//! The simple verbs are read by vampirc-uci, whose message type is the model here too. `position`,
//! `go`, `setoption` and the extensions have a tokenizer of their own, because clients send what that
//! grammar rejects, cuts short or cannot hold: FENs with 4 fields or 9x10 squares, Shredder castling,
//! numbers beyond 8 bits, `ponder` together with a clock, names that contain "value". Where both can
//! read a line, a test holds them to the same answer.

use crate::clock::TimeControl;
use crate::engine::Limits;
use crate::protocol::conversation::{self, Asked, Instead};
use crate::protocol::extras::Extension;
use crate::protocol::io::Reflex;
use crate::protocol::words::{Position, at_least_one, first_word, guess, milliseconds, number};
use vampirc_uci::UciMessage;

/// One line of input.
pub type Command = conversation::Command<Go>;

/// `go ..`, as sent: nothing has been concluded from it yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// `searchmoves`.
    pub search_moves: Vec<String>,
    /// `ponder`.
    pub ponder: bool,
    /// `infinite`.
    pub infinite: bool,
    /// `wtime`, `btime`: milliseconds; may be negative.
    pub time: [Option<i64>; 2],
    /// `winc`, `binc`: milliseconds.
    pub increment: [Option<i64>; 2],
    /// `movestogo`.
    pub moves_to_go: Option<i64>,
    /// `depth`.
    pub depth: Option<i64>,
    /// `nodes`.
    pub nodes: Option<i64>,
    /// `mate`.
    pub mate: Option<i64>,
    /// `movetime`: milliseconds.
    pub movetime: Option<i64>,
    /// `perft` (an extension).
    pub perft: Option<i64>,
    /// What could not be read, in words for people. The rest holds.
    pub problems: Vec<String>,
}

/// Reads one line.
pub fn parse(line: &str) -> Command {
    if line.trim_ascii().is_empty() {
        return Command::Empty;
    }
    let (word, after) = command(line);
    match word {
        "setoption" => parse_set_option(after),
        "position" => Command::Position(Position::parse(after)),
        // uci-cyclone: some clients leave `position` out.
        "fen" | "startpos" => Command::Position(Position::parse(line)),
        "go" => Command::Go(parse_go(after)),
        "uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" => simple(word),
        "debug" | "register" => simple(&format!("{word} {after}")),
        "d" => Command::Extension(Extension::Diagram),
        "eval" => Command::Extension(Extension::Eval),
        "bench" => Command::Extension(Extension::Bench(first_word(after).0.parse().ok())),
        "compiler" => Command::Extension(Extension::Compiler),
        "help" => Command::Extension(Extension::Help),
        _ => Command::Unknown,
    }
}

/// What a line does to a running search the moment it arrives.
pub fn reflex(line: &str) -> Reflex {
    match command(line).0 {
        "stop" => Reflex::Stop,
        "quit" => Reflex::Quit,
        "isready" => Reflex::Answer("readyok"),
        _ => Reflex::None,
    }
}

/// The command word of a line, and what follows it; two empty strings when there is none. As the
/// protocol demands, unknown words before a command of its own are skipped.
fn command(line: &str) -> (&str, &str) {
    let (mut word, mut after) = first_word(line);
    if is_extension(word) {
        return (word, after);
    }
    while !word.is_empty() && !is_verb(word) {
        (word, after) = first_word(after);
    }
    (word, after)
}

/// Whether a line can begin with this word.
pub fn is_command(word: &str) -> bool {
    is_verb(word) || is_extension(word)
}

/// Whether this is a command of many engines that UCI does not have.
fn is_extension(word: &str) -> bool {
    matches!(word, "fen" | "startpos" | "d" | "eval" | "bench" | "compiler" | "help")
}

/// Whether UCI has this command.
fn is_verb(word: &str) -> bool {
    matches!(
        word,
        "uci"
            | "debug"
            | "isready"
            | "setoption"
            | "register"
            | "ucinewgame"
            | "position"
            | "go"
            | "stop"
            | "ponderhit"
            | "quit"
    )
}

/// What vampirc-uci makes of a simple command.
fn simple(text: &str) -> Command {
    match vampirc_uci::parse_one(text) {
        UciMessage::Uci => Command::Identify,
        UciMessage::IsReady => Command::IsReady,
        UciMessage::Debug(on) => Command::Debug(on),
        UciMessage::UciNewGame => Command::NewGame,
        UciMessage::Stop => Command::Stop,
        UciMessage::PonderHit => Command::PonderHit { draw: false },
        UciMessage::Quit => Command::Quit,
        UciMessage::Unknown(..) => Command::Unknown,
        // Nothing needs a registration.
        _ => Command::Ignored,
    }
}

/// `name <words> [value <words>]`. Blanks inside a name count as one; a value is kept as it is.
fn parse_set_option(text: &str) -> Command {
    let (keyword, mut rest) = first_word(text);
    if keyword != "name" {
        // `setoption Hash 64`, or nothing: the name that this is will be refused by name.
        return Command::SetOption { name: text.trim_ascii_end().to_owned(), value: String::new() };
    }
    let mut name: Vec<&str> = Vec::new();
    while !rest.is_empty() {
        let (word, after) = first_word(rest);
        rest = after;
        if word == "value" {
            break;
        }
        name.push(word);
    }
    Command::SetOption { name: name.join(" "), value: rest.trim_ascii_end().to_owned() }
}

/// The arguments of `go`, in any order and mixture; of what is there twice, the last counts.
fn parse_go(text: &str) -> Go {
    let mut go = Go::default();
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|w| !is_go_word(w)) {
                    go.search_moves.push(mv.to_owned());
                }
                if go.search_moves.is_empty() {
                    go.problems.push("go: searchmoves without a move is ignored".to_owned());
                }
            }
            _ if !is_go_word(word) => go.problems.push(format!("go: '{word}' is ignored")),
            _ => match words.next_if(|w| !is_go_word(w)) {
                None => go.problems.push(format!("go: {word} without a number is ignored")),
                Some(text) => match number(text) {
                    None => go.problems.push(format!("go: {word} '{text}' is no number, and is ignored")),
                    found => *go.slot(word) = found,
                },
            },
        }
    }
    go
}

fn is_go_word(word: &str) -> bool {
    matches!(
        word,
        "searchmoves"
            | "ponder"
            | "infinite"
            | "wtime"
            | "btime"
            | "winc"
            | "binc"
            | "movestogo"
            | "depth"
            | "nodes"
            | "mate"
            | "movetime"
            | "perft"
    )
}

impl Asked for Go {
    fn instead(&self) -> Option<Instead> {
        self.perft.map(|depth| Instead::Perft(u32::try_from(depth).unwrap_or(0)))
    }

    fn problems(&self) -> &[String] {
        &self.problems
    }

    fn has_movetime(&self) -> bool {
        self.movetime.is_some()
    }
}

impl Go {
    /// The argument that `word` names; `perft` for any other word.
    fn slot(&mut self, word: &str) -> &mut Option<i64> {
        match word {
            "wtime" => &mut self.time[0],
            "btime" => &mut self.time[1],
            "winc" => &mut self.increment[0],
            "binc" => &mut self.increment[1],
            "movestogo" => &mut self.moves_to_go,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "movetime" => &mut self.movetime,
            _ => &mut self.perft,
        }
    }

    /// What this means for the side to move (0 the first, 1 the second). Limits below one count as one,
    /// times below zero as zero. A client that tells one clock only means that one. Without any limit
    /// the search goes on until it is stopped.
    pub fn limits(&self, side: usize) -> Limits {
        let own = self.time[side].or(self.time[1 - side]);
        let has_clock = own.is_some() || self.increment.iter().any(Option::is_some);
        let clock = has_clock.then(|| TimeControl {
            remaining: milliseconds(own.unwrap_or(0)),
            increment: milliseconds(self.increment[side].unwrap_or(0)),
            moves_to_go: self.moves_to_go.filter(|&n| n > 0).map(at_least_one),
            overtime: None,
            opponent: self.time[1 - side].map(milliseconds),
        });
        let numbers = [self.depth, self.nodes, self.mate, self.movetime];
        let limited = clock.is_some() || numbers.iter().any(Option::is_some);
        let guessed = guess(limited || self.infinite || self.ponder, &self.problems);
        Limits {
            depth: self.depth.map(at_least_one),
            nodes: self.nodes.map(|n| n.max(1).unsigned_abs()),
            mate: self.mate.map(at_least_one),
            movetime: self.movetime.map(milliseconds).or(guessed),
            clock,
            infinite: self.infinite || !(limited || self.ponder || guessed.is_some()),
            ponder: self.ponder,
            search_moves: self.search_moves.clone(),
            ..Limits::default()
        }
    }
}
