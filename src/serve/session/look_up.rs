//! Answers that need no engine: positions, counts, files, typed moves, the arbiter's desk.

use super::{Command, Request};
use crate::app::desk::{self, Case, DeskFinding, Inquiry};
use crate::app::language::usual_style;
use crate::app::seat::any_chess960;
use crate::chess::Board;
use crate::serve::position::{Line, count, described};
use crate::serve::step;
use crate::util::lang::Language;
use crate::util::message::Message;
use serde_json::{Value, json};

/// What the arbiter's desk finds, a text for each finding.
fn judged(line: &Line, inquiry: &Inquiry, language: Language) -> Result<Value, Message> {
    inquiry.check()?;
    // A game that breaks off at an illegal move is judged up to it; one with set-ups from the last of them on.
    let anew = if line.moves.iter().any(|mv| step::is_step(mv)) { Some(line.game()?) } else { None };
    let (start, moves) = match &anew {
        Some(game) => (game.start().clone(), game.moves()),
        None => (line.start(), line.moves.as_slice()),
    };
    let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
    let case = Case::of_moves(start, &texts, usual_style(language))?;
    let found = desk::answer(&case, inquiry)?;
    let finding = |finding: &DeskFinding| {
        let mv = case.mv(finding.spot.plies());
        json!({"text": finding.text(mv.as_deref(), language), "clause": finding.clause, "ply": finding.spot.plies()})
    };
    Ok(found.iter().map(finding).collect())
}

/// Does what needs no engine; `None` where one is needed.
pub(super) fn look_up(command: Command, language: Language) -> Option<Result<Value, Message>> {
    Some(match command {
        Command::Position { line } => line.game().map(described),
        Command::Pictures { line } => line.pictures(),
        Command::Count { line, dead: Some(dead) } => line.game().and_then(|game| count(&game, &dead)),
        Command::Save { tree } => tree.save().map(Value::from),
        Command::Judge { line, inquiry } => judged(&line, &inquiry, language),
        Command::Typed { line, text } => {
            line.game().and_then(|game| Ok(game.position().read_typed(&text)?.into()))
        }
        Command::Shuffle => Ok(Board::chess960(any_chess960()).fen().into()),
        _ => return None,
    })
}

/// The answer to a message of the page, or why there is none; `None` where an engine is needed. For tests
/// with all kinds of input.
pub fn without_engine(text: &str) -> Option<Result<Value, Message>> {
    match serde_json::from_str::<Request>(text) {
        Ok(request) => look_up(request.command, Language::English),
        Err(why) => Some(Err(why.to_string().into())),
    }
}
