//! The commands of a UCI client.
//!
//! The simple verbs are read by vampirc-uci, whose message type is the model here too. `position`,
//! `go`, `setoption` and the extensions have a tokenizer of their own, because clients send what that
//! grammar rejects, cuts short or cannot hold: FENs with 4 fields or 9x10 squares, Shredder castling,
//! numbers beyond 8 bits, `ponder` together with a clock, names that contain "value". Where both can
//! read a line, a test holds them to the same answer.

use crate::protocol::conversation::Command;
use crate::protocol::extras::Extension;
use crate::protocol::go::{Argument, Arguments, Go, Number};
use crate::protocol::io::FastAction;
use crate::protocol::verbs::{self, Verb};
use crate::protocol::words::{PositionCommand, first_word};
use vampirc_uci::UciMessage;

/// The commands of UCI, then those beyond it that many engines understand.
pub(in crate::protocol) const VERBS: &[Verb] = &[
    Verb::new("uci", simple),
    Verb::new("debug", simple),
    Verb::new("isready", simple).with_fast_action(FastAction::Answer("readyok")),
    Verb::new("setoption", |_, after| parse_set_option(after)),
    Verb::new("register", simple),
    Verb::new("ucinewgame", simple),
    Verb::new("position", |_, after| Command::Position(PositionCommand::parse(after))),
    Verb::new("go", |_, after| Command::Go(Go::parse(after, GO))),
    Verb::new("stop", simple).with_fast_action(FastAction::Stop),
    Verb::new("ponderhit", simple),
    Verb::new("quit", simple).with_fast_action(FastAction::Quit),
    // uci-cyclone: some clients leave `position` out.
    Verb::new("fen", |line, _| Command::Position(PositionCommand::parse(line))).first_only(),
    Verb::new("startpos", |line, _| Command::Position(PositionCommand::parse(line))).first_only(),
    Verb::new("d", |_, _| Command::Extension(Extension::Diagram)).first_only(),
    Verb::new("eval", |_, _| Command::Extension(Extension::Eval)).first_only(),
    Verb::new("bench", |_, after| Command::Extension(Extension::Bench(first_word(after).0.parse().ok())))
        .first_only(),
    Verb::new("compiler", |_, _| Command::Extension(Extension::Compiler)).first_only(),
    Verb::new("help", |_, after| verbs::help(after)).first_only(),
];

/// Reads one line. As the protocol demands, unknown words before a command of its own are skipped.
pub fn parse(line: &str) -> Command {
    verbs::parse(VERBS, line, true)
}

/// The effect of a line on a running search at the moment it arrives.
pub fn fast_action(line: &str) -> FastAction {
    verbs::fast_action(VERBS, line, true)
}

/// Whether a line can begin with this word.
pub fn is_command(word: &str) -> bool {
    VERBS.iter().any(|verb| verb.word == word)
}

/// A simple command as vampirc-uci reads it.
fn simple(line: &str, _: &str) -> Command {
    // Only `debug` and `register` have arguments; it does not take what others have behind them.
    let (word, after) = first_word(line);
    let text = if matches!(word, "debug" | "register") { format!("{word} {after}") } else { word.to_owned() };
    match vampirc_uci::parse_one(&text) {
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
