//! Answers that need no engine: positions, counts, files, typed moves, the arbiter's desk.

use super::request::{Command, Request};
use crate::app::desk::{self, Case, DeskFinding, Inquiry};
use crate::app::language::usual_style;
use crate::app::seat::any_chess960;
use crate::chess::Board;
use crate::serve::position::{Line, MAX_MOVES, count, described, picture, written_step};
use crate::serve::step;
use crate::util::lang::Language;
use crate::util::message::Message;
use serde_json::{Value, json};

/// What the arbiter's desk finds, a text for each finding.
fn judged(line: &Line, inquiry: &Inquiry, language: Language) -> Result<Value, Message> {
    inquiry.check()?;
    // Behind a set-up or a null move the game begins anew.
    let anew =
        line.moves.iter().rposition(|name| !step::is_move(name)).map_or(0, |last| last.saturating_add(1));
    let game = line.first(anew).game()?;
    let before = anew.saturating_sub(game.moves().len());
    // A game that breaks off at an illegal move is judged up to it.
    let texts: Vec<&str> =
        game.moves().iter().chain(line.moves.iter().skip(anew)).map(String::as_str).collect();
    let case = Case::of_moves(game.start().clone(), &texts, usual_style(language))?;
    let found = desk::answer(&case, inquiry)?;
    let finding = |finding: &DeskFinding| {
        let mv = case.mv(finding.spot.plies());
        let ply = finding.spot.plies().saturating_add(before);
        json!({"text": finding.text(mv.as_deref(), language), "clause": finding.clause, "ply": ply})
    };
    Ok(found.iter().map(finding).collect())
}

/// Does what needs no engine; `None` where one is needed.
pub(super) fn look_up(command: Command, language: Language) -> Option<Result<Value, Message>> {
    let pictures = |line: Line| {
        let mut game = line.first(0).game()?;
        let mut pictures = vec![picture(&game, Value::Null)];
        for name in line.moves.iter().take(MAX_MOVES) {
            let text = written_step(&game, name);
            step::take(&mut game, name)?;
            pictures.push(picture(&game, text));
        }
        Ok(pictures.into())
    };
    Some(match command {
        Command::Position { line } => line.game().map(described),
        Command::Pictures { line } => pictures(line),
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
