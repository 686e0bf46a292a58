//! Moves: legal in every kind of position, mates in one, positions in which the game is over, and Chess960.

use super::session::Session;
use crate::check::exam::{Checked, Exam};
use crate::check::position::{Position, random_game};
use crate::check::{catalog, positions};
use crate::games::record::{GameKind, Score};
use std::time::Duration;

/// Legal moves everywhere.
pub fn moves(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    let kind = session.exam.kind;
    for position in positions::corner_cases(kind).into_iter().chain(positions::only_moves(kind)) {
        session.short_search(&position)?;
    }
    let (games, step) = if session.exam.quick { (2, 40) } else { (6, 15) };
    for seed in 0..games {
        session.new_game();
        session.ready()?;
        let game = random_game(kind, 120, seed);
        for plies in (10..=120).step_by(step) {
            let moves = game.moves.iter().take(plies).cloned().collect();
            session.short_search(&Position { moves, ..game.clone() })?;
        }
    }
    for position in positions::mates_in_one(kind) {
        let answer = session.short_search(&position)?;
        if answer.mv.as_deref().is_some_and(|mv| !position.is_won_by(mv)) {
            session.report(&catalog::MISSES_MATE, format!("\"{}\"", answer.text));
        }
    }
    ended(&mut session);
    Ok(())
}

/// Positions in which the game is over. Each in a process of its own would be dear; the first failure ends it.
fn ended(session: &mut Session) {
    for position in positions::ended(session.exam.kind) {
        session.go(&position, session.short_words());
        let deadline = std::time::Instant::now() + session.exam.patience;
        let how = match session.engine.wait_for(deadline, super::session::is_best_move) {
            Ok(line) => {
                let mv = line.text.split_ascii_whitespace().nth(1).unwrap_or("");
                let has_rank = mv.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
                let looks_like_a_move = mv.len() >= 4 && mv != "0000" && has_rank;
                looks_like_a_move.then(|| format!("\"{}\"", line.text))
            }
            Err(_) => Some("no answer".to_owned()),
        };
        if let Some(how) = how {
            session.report(&catalog::ENDED_POSITION, how);
            return;
        }
    }
}

/// A move that is forbidden is not played.
pub fn banmoves(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    let start = Position::start(session.exam.kind);
    let Some(usual) = session.short_search(&start)?.mv else { return Ok(()) };
    session.begin();
    let line = session.position_line(&start);
    session.engine.send(&line);
    session.engine.send(&format!("banmoves {usual}"));
    let words = session.short_words();
    let sent = session.engine.send(&format!("go {words}"));
    let deadline = sent + session.exam.patience;
    let answer = session.answer(&start, sent, deadline, &catalog::NO_BESTMOVE)?;
    if answer.mv.as_ref() == Some(&usual) {
        session.report(&catalog::BANMOVES_IGNORED, format!("\"{}\"", answer.text));
    }
    Ok(())
}

/// Castling as king takes rook.
pub fn chess960(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    if session.exam.kind == GameKind::XIANGQI || session.option("UCI_Chess960").is_none() {
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
    if mv == "b1c1" && answer.score().is_some_and(|score| matches!(score, Score::Mate(1))) {
        session.report(&catalog::CHESS960_CASTLING, format!("\"{}\" with a mate in one told", answer.text));
    } else if !position.is_won_by(mv) {
        session.report(&catalog::MISSES_MATE, format!("\"{}\"", answer.text));
    }
    Ok(())
}
