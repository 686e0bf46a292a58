//! The commands of a UCCI client.

use crate::protocol::conversation::Command;
use crate::protocol::go::{Argument, Arguments, Go, Number};
use crate::protocol::io::FastAction;
use crate::protocol::verbs::{self, Verb};
use crate::protocol::words::{PositionCommand, first_word};

pub(in crate::protocol) const VERBS: &[Verb] = &[
    Verb::new("ucci", |_, _| Command::Identify),
    Verb::new("isready", |_, _| Command::IsReady).with_fast_action(FastAction::Answer("readyok")),
    Verb::new("setoption", |_, after| set_option(after)),
    Verb::new("position", |_, after| Command::Position(PositionCommand::parse(after))),
    Verb::new("banmoves", |_, after| {
        Command::BanMoves(after.split_ascii_whitespace().map(str::to_owned).collect())
    }),
    Verb::new("go", |_, after| Command::Go(Go::parse(after, GO))),
    Verb::new("ponderhit", |_, after| Command::PonderHit { draw: first_word(after).0 == "draw" }),
    Verb::new("stop", |_, _| Command::Stop).with_fast_action(FastAction::Stop),
    Verb::new("probe", |_, after| Command::Probe(PositionCommand::parse(after))),
    Verb::new("quit", |_, _| Command::Quit).with_fast_action(FastAction::Quit),
    // Not of the protocol.
    Verb::new("help", |_, after| verbs::help(after)),
];

pub fn parse(line: &str) -> Command {
    verbs::parse(VERBS, line, false)
}

/// The effect of a line on a running search at the moment it arrives.
pub fn fast_action(line: &str) -> FastAction {
    verbs::fast_action(VERBS, line, false)
}

/// The same where input is left unread while thinking.
pub fn fast_action_in_batch(line: &str) -> FastAction {
    match fast_action(line) {
        FastAction::Quit => FastAction::Quit,
        _ => FastAction::None,
    }
}

/// `<option> [<value>]`, or as in UCI.
fn set_option(text: &str) -> Command {
    let (name, value) = named_option(text).unwrap_or_else(|| {
        let (name, value) = first_word(text);
        (name.to_owned(), value)
    });
    Command::SetOption { name, value: value.trim_ascii_end().to_owned() }
}

/// `name <words> [value <words>]`, as clients write it that speak UCI too. `None`: it is not of that form.
fn named_option(text: &str) -> Option<(String, &str)> {
    let (keyword, rest) = first_word(text);
    if keyword != "name" || rest.is_empty() {
        return None;
    }
    let ends_word = |after: &str| after.is_empty() || after.starts_with(|c: char| c.is_ascii_whitespace());
    let (name, value) = match rest.split_once(" value") {
        Some((name, value)) if ends_word(value) => (name, value.trim_ascii_start()),
        _ => (rest, ""),
    };
    Some((name.split_ascii_whitespace().collect::<Vec<_>>().join(" "), value))
}

/// The arguments of `go`: those of the text, and of UCI those that clients send all the same.
const GO: Arguments = &[
    ("ponder", Argument::Ponder),
    ("draw", Argument::Draw),
    ("infinite", Argument::Infinite),
    ("depth", Argument::Number(Number::Depth)),
    ("nodes", Argument::Number(Number::Nodes)),
    ("time", Argument::Number(Number::Time(0))),
    ("opptime", Argument::Number(Number::Time(1))),
    ("increment", Argument::Number(Number::Increment(0))),
    ("oppincrement", Argument::Number(Number::Increment(1))),
    ("movestogo", Argument::Number(Number::MovesToGo(0))),
    ("oppmovestogo", Argument::Number(Number::MovesToGo(1))),
    ("movetime", Argument::Number(Number::MoveTime)),
    ("mate", Argument::Number(Number::Mate)),
    ("searchmoves", Argument::SearchMoves),
];
