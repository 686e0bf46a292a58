//! What the engine tells about its searches: counts, lines, scores, mates.

use super::super::catalog;
use super::super::exam::{Checked, Exam};
use super::super::info::Info;
use super::super::position::Position;
use super::super::positions;
use super::session::{Answer, Session};
use crate::arbiter::record::Score;
use std::time::Duration;

/// What the time told may be longer than the time that passed, in milliseconds.
const SLACK: u64 = 30;
/// Speeds are compared in searches that took so many milliseconds.
const MEASURABLE: u64 = 100;
/// What a move that draws may be told to be, in centipawns.
const DRAWISH: i32 = 120;

/// Counts and lines.
pub fn info(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    let kind = session.exam.kind;
    let words = if session.is_ucci() { "depth 6" } else { "movetime 330" };
    for position in positions::middlegames(kind).into_iter().chain([Position::start(kind)]) {
        session.new_game();
        session.ready()?;
        let answer = session.search(&position, words, Duration::from_millis(330))?;
        if answer.infos.iter().all(|info| info.score.is_none()) {
            session.report(&catalog::NO_SCORE, format!("\"go {words}\""));
        }
        counts(&mut session, &answer);
        first_move(&mut session, &answer);
    }
    Ok(())
}

fn counts(session: &mut Session, answer: &Answer) {
    let falls = |count: fn(&Info) -> Option<u64>| {
        let counts: Vec<u64> = answer.infos.iter().filter_map(count).collect();
        counts.windows(2).find(|pair| pair[1] < pair[0]).map(|pair| format!("{} after {}", pair[1], pair[0]))
    };
    let told: [(&str, fn(&Info) -> Option<u64>); 2] =
        [("nodes", |info| info.nodes), ("time", |info| info.time)];
    for (name, count) in told {
        if let Some(how) = falls(count) {
            session.report(&catalog::FALLING_COUNT, format!("{name} {how}"));
        }
    }
    let passed = answer.took.as_millis() as u64;
    if let Some(time) = answer.infos.iter().filter_map(|info| info.time).max().filter(|t| *t > passed + SLACK)
    {
        session.report(&catalog::WRONG_TIME, format!("{time} ms told, {passed} ms passed"));
    }
    for info in &answer.infos {
        let (Some(nodes), Some(time), Some(nps)) = (info.nodes, info.time, info.nps) else { continue };
        let expected = nodes * 1000 / time.max(1);
        if time >= MEASURABLE && (nps > 2 * expected || nps < expected / 2) {
            session.report(&catalog::WRONG_NPS, format!("nps {nps} of {nodes} nodes in {time} ms"));
            return;
        }
    }
}

/// The last line told, or the last that is no bound, begins with the move.
fn first_move(session: &mut Session, answer: &Answer) {
    let lines = || answer.infos.iter().rev().filter(|info| info.is_first() && !info.pv.is_empty());
    let (last, last_exact) = (lines().next(), lines().find(|info| !info.is_bound));
    let begins = |info: &Info| info.pv.first() == answer.mv.as_ref();
    if let (Some(last), Some(mv)) = (last, &answer.mv)
        && !begins(last)
        && !last_exact.is_some_and(begins)
    {
        session.report(&catalog::PV_MISMATCH, format!("{mv} played, \"{}\" told", last.pv.join(" ")));
    }
}

/// Signs, mates and repetitions.
pub fn scores(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    session.new_game();
    session.ready()?;
    let kind = session.exam.kind;
    for (position, is_ahead) in positions::lopsided(kind) {
        let answer = search(&mut session, &position, 200)?;
        if let Some(score) =
            answer.score().filter(|s| s.centipawns() != 0 && (s.centipawns() > 0) != is_ahead)
        {
            let place = super::super::catalog::far(is_ahead);
            session.report(&catalog::WRONG_SIGN, format!("{score}{place}"));
        }
    }
    for (position, distance) in positions::mates(kind) {
        let ms = if session.exam.quick { 400 } else { 1000 };
        let answer = search(&mut session, &position, ms)?;
        mate(&mut session, &answer, distance);
    }
    for position in positions::forced_repetitions(kind) {
        let answer = search(&mut session, &position, 300)?;
        if let Some(score) = answer.score().filter(|score| score.centipawns().abs() > DRAWISH) {
            session.report(&catalog::REPETITION_UNSEEN, format!("{score} told, and {} draws", answer.text));
        }
    }
    for position in positions::forbidden_repetitions(kind) {
        let answer = search(&mut session, &position, 300)?;
        let ending = answer.mv.as_deref().and_then(|mv| position.ending_by(mv));
        if let Some(ending) = ending.filter(|ending| ending.winner == Some(position.side_to_move().other())) {
            session.report(&catalog::REPETITION_LOSES, format!("\"{}\": {}", answer.text, ending.detail));
        }
    }
    Ok(())
}

fn search(session: &mut Session, position: &Position, ms: u64) -> Checked<Answer> {
    let words = if session.is_ucci() { "depth 6".to_owned() } else { format!("movetime {ms}") };
    session.search(position, &words, Duration::from_millis(ms))
}

/// Compares what was told with the distance of the mate: moves to it, negative when the side to move is mated.
fn mate(session: &mut Session, answer: &Answer, distance: i32) {
    match answer.score() {
        Some(Score::Mate(told)) if told.signum() != distance.signum() => {
            session.report(&catalog::WRONG_SIGN, format!("mate {told} told, it is mate {distance}"));
        }
        Some(Score::Mate(told)) if told.abs() < distance.abs() => {
            session.report(&catalog::FALSE_MATE, format!("mate {told} told, it is mate {distance}"));
        }
        Some(Score::Mate(_)) => {}
        Some(Score::Cp(cp)) if cp != 0 && cp.signum() != distance.signum() => {
            session.report(&catalog::WRONG_SIGN, format!("{cp} centipawns told, it is mate {distance}"));
        }
        // UCCI has no other scores.
        Some(Score::Cp(_)) if session.is_ucci() => {}
        Some(Score::Cp(cp)) => {
            session.report(&catalog::MATE_UNSEEN, format!("{cp} centipawns told, it is mate {distance}"));
        }
        None => session.report(&catalog::MATE_UNSEEN, format!("no score told, it is mate {distance}")),
    }
}
