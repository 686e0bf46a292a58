//! What the engine reports about its searches: counts, lines, scores, mates.
// An engine may report any number.
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

use super::session::{UciAnswer, UciSession};
use crate::check::position::TestPosition;
use crate::check::run::{CheckRun, Checked};
use crate::check::session::{quote, quoted, report, wrong_sign};
use crate::check::{catalog, positions};
use crate::client::grammar::uci::InfoLine;
use crate::games::record::ReportedScore;
use crate::message;
use std::time::Duration;

/// By how much the reported time may exceed the time that passed, in milliseconds.
const SLACK: u64 = 30;
/// Speeds are compared in searches of at least this time, in milliseconds.
const MEASURABLE: u64 = 100;
/// The largest score of a move that draws, in centipawns.
const DRAWISH: i32 = 120;

pub fn info(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    let kind = session.run.kind;
    let words = if session.is_ucci() { "depth 6" } else { "movetime 330" };
    for position in positions::middlegames(kind).into_iter().chain([TestPosition::start(kind)]) {
        session.new_game();
        session.ready()?;
        let answer = session.search(&position, words, Duration::from_millis(330))?;
        if answer.reports.iter().all(|info| info.score.is_none()) {
            session.report(&catalog::NO_SCORE, quote(&format!("go {words}")));
        }
        counts(&mut session, &answer);
        first_move(&mut session, &answer);
    }
    Ok(())
}

fn counts(session: &mut UciSession, answer: &UciAnswer) {
    let falls = |count: fn(&InfoLine) -> Option<u64>| {
        let counts: Vec<u64> = answer.reports.iter().filter_map(count).collect();
        let mut pairs = counts.iter().zip(counts.iter().skip(1));
        pairs.find(|(before, after)| after < before).map(|(before, after)| (*before, *after))
    };
    let counts: [(&str, fn(&InfoLine) -> Option<u64>); 2] =
        [("nodes", |info| info.nodes), ("time", |info| info.time)];
    for (name, count) in counts {
        if let Some((before, after)) = falls(count) {
            report!(session => FALLING_COUNT,
                "{name} {after} after {before}" | "{name} {before} 之后是 {after}", name, after, before);
        }
    }
    let passed = answer.took.as_millis() as u64;
    if let Some(time) =
        answer.reports.iter().filter_map(|info| info.time).max().filter(|t| *t > passed.saturating_add(SLACK))
    {
        report!(session => WRONG_TIME,
            "{time} ms reported, {passed} ms passed"
            | "报 {time} 毫秒，实际过了 {passed} 毫秒", time, passed);
    }
    for info in &answer.reports {
        let (Some(nodes), Some(time), Some(nps)) = (info.nodes, info.time, info.nps) else { continue };
        if time >= MEASURABLE && !agree(nodes, time, nps) {
            report!(session => WRONG_NPS,
                "nps {nps} of {nodes} nodes in {time} ms"
                | "{nodes} 个结点、{time} 毫秒，却报每秒 {nps} 个", nps, nodes, time);
            return;
        }
    }
}

/// Whether `nodes` in `time` milliseconds are about `nps` nodes a second, within a factor of two.
#[allow(clippy::arithmetic_side_effects, reason = "numbers of 64 bits in 128, and a divisor of one at least")]
fn agree(nodes: u64, time: u64, nps: u64) -> bool {
    let expected = u128::from(nodes) * 1000 / u128::from(time.max(1));
    (expected / 2..=2 * expected).contains(&u128::from(nps))
}

/// The last line reported, or the last that is not a bound, begins with the move.
fn first_move(session: &mut UciSession, answer: &UciAnswer) {
    let lines = || answer.reports.iter().rev().filter(|info| info.is_first() && !info.pv.is_empty());
    let (last, last_exact) = (lines().next(), lines().find(|info| !info.is_bound));
    let begins = |info: &InfoLine| info.pv.first() == answer.mv.as_ref();
    if let (Some(last), Some(mv)) = (last, &answer.mv)
        && !begins(last)
        && !last_exact.is_some_and(begins)
    {
        report!(session => PV_MISMATCH,
            "{mv} played, \"{pv}\" reported" | "走的是 {mv}，报的是“{pv}”", mv, pv = last.pv.join(" "));
    }
}

/// Signs, mates and repetitions.
pub fn scores(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    session.new_game();
    session.ready()?;
    let kind = session.run.kind;
    for (position, is_ahead) in positions::lopsided(kind) {
        let answer = search(&mut session, &position, 200)?;
        if let Some(score) =
            answer.score().filter(|s| s.centipawns() != 0 && (s.centipawns() > 0) != is_ahead)
        {
            session.report(&catalog::WRONG_SIGN, wrong_sign(score, is_ahead));
        }
    }
    for (position, distance) in positions::mates(kind) {
        let ms = if session.run.quick { 400 } else { 1000 };
        let answer = search(&mut session, &position, ms)?;
        mate(&mut session, &answer, distance);
    }
    for position in positions::forced_repetitions(kind) {
        let answer = search(&mut session, &position, 300)?;
        if let Some(score) = answer.score().filter(|&score| !is_level(score)) {
            report!(session => REPETITION_UNSEEN,
                "{score} reported, and {mv} draws" | "报 {score}，而 {mv} 成和", score, mv = answer.text);
        }
    }
    for position in positions::forbidden_repetitions(kind) {
        let answer = search(&mut session, &position, 300)?;
        let ending = answer.mv.as_deref().and_then(|mv| position.ending_by(mv));
        if let Some(ending) = ending.filter(|ending| ending.winner == Some(position.side_to_move().other())) {
            session.report(&catalog::REPETITION_LOSES, quoted(&answer.text, &ending.detail));
        }
    }
    Ok(())
}

/// Whether a score is that of a draw, or near it.
fn is_level(score: ReportedScore) -> bool {
    score.centipawns().saturating_abs() <= DRAWISH
}

/// Whether a mate was reported in fewer moves than it takes.
const fn is_nearer(moves: i32, distance: i32) -> bool {
    moves.unsigned_abs() < distance.unsigned_abs()
}

fn search(session: &mut UciSession, position: &TestPosition, ms: u64) -> Checked<UciAnswer> {
    let words = if session.is_ucci() { "depth 6".to_owned() } else { format!("movetime {ms}") };
    session.search(position, &words, Duration::from_millis(ms))
}

/// Compares the score with the distance of the mate: moves to it, negative when the side to move is mated.
fn mate(session: &mut UciSession, answer: &UciAnswer, distance: i32) {
    let (finding, found) = match answer.score() {
        Some(ReportedScore::Mate(moves)) => {
            let found = message!("mate {moves} reported" | "报 {moves} 步杀", moves);
            if moves.signum() != distance.signum() {
                (&catalog::WRONG_SIGN, found)
            } else if is_nearer(moves, distance) {
                (&catalog::FALSE_MATE, found)
            } else {
                return;
            }
        }
        Some(ReportedScore::Cp(cp)) => {
            let found = message!("{cp} centipawns reported" | "报 {cp} 厘兵", cp);
            if cp != 0 && cp.signum() != distance.signum() {
                (&catalog::WRONG_SIGN, found)
            } else if session.is_ucci() {
                // UCCI has no other scores.
                return;
            } else {
                (&catalog::MATE_UNSEEN, found)
            }
        }
        None => (&catalog::MATE_UNSEEN, message!("no score reported" | "没有报分")),
    };
    session.report(
        finding,
        message!("{found}, it is mate {distance}" | "{found}，实为 {distance} 步杀", found, distance),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_may_report_numbers_of_any_size() {
        assert!(agree(1_000_000, 1000, 1_100_000));
        assert!(!agree(1_000_000, 1000, 2_100_000) && !agree(1_000_000, 1000, 400_000));
        assert!(!agree(u64::MAX, 1, u64::MAX) && agree(u64::MAX, 1000, u64::MAX));
        assert!(agree(0, 0, 0));
        assert!(
            is_level(ReportedScore::Cp(0))
                && !is_level(ReportedScore::Cp(i32::MIN))
                && !is_level(ReportedScore::Mate(i32::MIN))
        );
        assert!(is_nearer(-1, -2) && !is_nearer(i32::MIN, -2));
    }
}
