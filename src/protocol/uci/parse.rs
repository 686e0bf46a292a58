//! What a UCI client says.
//!
//! The simple verbs are read by vampirc-uci, whose message type is the model here too. `position`,
//! `go`, `setoption` and the extensions have a tokenizer of their own, because clients send what that
//! grammar rejects, cuts short or cannot hold: FENs with 4 fields or 9x10 squares, Shredder castling,
//! numbers beyond 8 bits, `ponder` together with a clock, names that contain "value". Where both can
//! read a line, a test holds them to the same answer.

use crate::protocol::conversation::Command;
use crate::protocol::extras::Extension;
use crate::protocol::go::{Argument, Arguments, Go, Number};
use crate::protocol::io::Reflex;
use crate::protocol::words::{Position, first_word};
use vampirc_uci::UciMessage;

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
        "go" => Command::Go(Go::parse(after, GO)),
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

/// The arguments of `go`.
const GO: Arguments = &[
    ("searchmoves", Argument::SearchMoves),
    ("ponder", Argument::Ponder),
    ("infinite", Argument::Infinite),
    ("wtime", Argument::Number(Number::Time(0))),
    ("btime", Argument::Number(Number::Time(1))),
    ("winc", Argument::Number(Number::Increment(0))),
    ("binc", Argument::Number(Number::Increment(1))),
    ("movestogo", Argument::Number(Number::MovesToGo(0))),
    ("depth", Argument::Number(Number::Depth)),
    ("nodes", Argument::Number(Number::Nodes)),
    ("mate", Argument::Number(Number::Mate)),
    ("movetime", Argument::Number(Number::MoveTime)),
    ("perft", Argument::Number(Number::Perft)),
];
