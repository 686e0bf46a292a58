//! Moves: legal in every kind of position, mates in one, positions in which the game is over, and Chess960.

use super::session::UciSession;
use crate::check::position::TestPosition;
use crate::check::run::{CheckRun, Checked};
use crate::check::session::{self, quote, report};
use crate::check::{catalog, positions};
use crate::client::grammar::uci::is_best_move;
use crate::games::record::{GameKind, ReportedScore};
use crate::message;
use std::time::Duration;

pub fn moves(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    let step = if session.run.quick { 40 } else { 15 };
    session::moves(&mut session, step, |session, position| {
        // A random game begins with its first ten plies.
        if position.moves.len() == 10 {
            session.new_game();
        }
        session.short_search(position).map(Some)
    })?;
    ended(&mut session);
    Ok(())
}

/// Positions in which the game is over, up to the first failure.
fn ended(session: &mut UciSession) {
    for position in positions::ended(session.run.kind) {
        session.go(&position, session.short_words());
        let deadline = std::time::Instant::now() + session.run.patience;
        let how = match session.engine.wait_for(deadline, is_best_move) {
            Ok(line) => {
                let mv = line.text.split_ascii_whitespace().nth(1).unwrap_or("");
                let has_rank = mv.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
                let looks_like_a_move = mv.len() >= 4 && mv != "0000" && has_rank;
                looks_like_a_move.then(|| quote(&line.text))
            }
            Err(_) => Some(message!("no answer" | "没有应答")),
        };
        if let Some(how) = how {
            session.report(&catalog::ENDED_POSITION, how);
            return;
        }
    }
}

/// A move that is forbidden is not played.
pub fn banmoves(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    let start = TestPosition::start(session.run.kind);
    let Some(usual) = session.short_search(&start)?.mv else { return Ok(()) };
    session.begin();
    let line = session.position_line(&start);
    session.engine.send(&line);
    session.engine.send(&format!("banmoves {usual}"));
    let words = session.short_words();
    let sent = session.engine.send(&format!("go {words}"));
    let deadline = sent + session.run.patience;
    let answer = session.answer(&start, sent, deadline, &catalog::NO_BESTMOVE)?;
    if answer.mv.as_ref() == Some(&usual) {
        session.report(&catalog::BANMOVES_IGNORED, quote(&answer.text));
    }
    Ok(())
}

/// Castling as king takes rook.
pub fn chess960(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    if session.run.kind == GameKind::XIANGQI || session.option("UCI_Chess960").is_none() {
        return Ok(());
    }
    session.set("UCI_Chess960", "true");
    session.new_game();
    session.ready()?;
    for position in positions::castled() {
        session.begin();
        if let Err(how) = session.plays(&position) {
            session.report(&catalog::CHESS960_POSITION, how);
            return Ok(());
        }
    }
    // The only mate is by castling, and the king could make the same step without.
    let position = positions::mate_by_castling();
    let answer = session.search(&position, "movetime 300", Duration::from_millis(300))?;
    let mv = answer.mv.as_deref().unwrap_or("");
    if mv == "b1c1" && answer.score().is_some_and(|score| matches!(score, ReportedScore::Mate(1))) {
        report!(session => CHESS960_CASTLING,
            "\"{mv}\" with a mate in one reported" | "已报一步杀，却走“{mv}”", mv = answer.text);
    } else if !position.is_won_by(mv) {
        session.report(&catalog::MISSES_MATE, quote(&answer.text));
    }
    Ok(())
}
