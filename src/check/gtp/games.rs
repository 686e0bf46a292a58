//! Games of Go: moves, clocks, taking back, and the board as the engine keeps it.

use super::session::{GtpSession, RuleBoard};
use crate::check::catalog;
use crate::check::run::{CheckRun, Checked};
use crate::check::session::{quote, report};
use crate::client::grammar::gtp::color;
use crate::game::Side;
use std::time::Duration;

/// Tolerance for transport and a busy machine.
const TRAVEL: Duration = Duration::from_millis(100);

/// Clocks: sudden death, and overtime.
pub fn clocks(run: &mut CheckRun) -> Checked {
    let mut session = GtpSession::open(run)?;
    if !session.has("time_settings") || !session.has("time_left") {
        session.mark = 0;
        report!(session => NO_CLOCK, "no time_settings or no time_left" | "没有 time_settings 或 time_left");
        return Ok(());
    }
    // Main time, overtime and its stones; the same as it stands for the side to move; and what a move may
    // take.
    let clocks = [("2 0 0", "2 0", 2000), ("0 1 1", "1 1", 1000), ("60 5 5", "2 2", 2000)];
    for (settings, left, limit) in clocks {
        on_clock(&mut session, settings, left, Duration::from_millis(limit))?;
    }
    Ok(())
}

fn on_clock(session: &mut GtpSession, settings: &str, left: &str, limit: Duration) -> Checked {
    let what = format!("time_left b {left}");
    session.expect_within(
        limit + TRAVEL,
        &what,
        |_| &catalog::FLAG,
        |session| {
            let mut board = session.new_game()?;
            session.ask(&format!("time_settings {settings}"))?;
            session.ask(&what)?;
            Ok(session.genmove_on_clock(&mut board, Side::First)?.0.took)
        },
    )
}

/// Games against itself, and after moves of its opponent.
pub fn moves(run: &mut CheckRun) -> Checked {
    let mut session = GtpSession::open(run)?;
    let plies = if session.run.quick { 24 } else { 120 };
    play_out(&mut session, plies)?;
    // One side twice in a row, and after a pass.
    let mut board = session.new_game()?;
    for side in [Side::First, Side::First, Side::Second] {
        session.genmove(&mut board, side)?;
    }
    play(&mut session, &mut board, Side::First, "pass")?;
    session.genmove(&mut board, Side::Second)?;
    let mut board = session.new_game()?;
    for side in [Side::First, Side::Second] {
        play(&mut session, &mut board, side, "pass")?;
    }
    let after_end = session.ask("genmove b")?;
    if !after_end.is_success {
        report!(session => ENDED_POSITION,
            "genmove after two passes: \"? {text}\""
            | "双方停着之后 genmove：“? {text}”", text = after_end.text);
    }
    Ok(())
}

fn play_out(session: &mut GtpSession, plies: usize) -> Checked {
    let mut board = session.new_game()?;
    let (mut side, mut passes) = (Side::First, 0);
    for _ in 0..plies {
        let (_, mv) = session.genmove(&mut board, side)?;
        let Some(mv) = mv else { return Ok(()) };
        passes = if mv == "pass" { passes + 1 } else { 0 };
        if passes == 2 {
            return Ok(());
        }
        side = side.other();
    }
    Ok(())
}

/// Has the engine play a legal move.
fn play(session: &mut GtpSession, board: &mut RuleBoard, side: Side, mv: &str) -> Checked {
    // These moves are legal by all rules.
    let _ = board.play(side, mv);
    session.must(&format!("play {} {mv}", color(side)), &catalog::LEGAL_REFUSED).map(drop)
}

/// Games in a row, on boards of all sizes.
pub fn games(run: &mut CheckRun) -> Checked {
    let mut session = GtpSession::open(run)?;
    for size in [9_u8, 13, 19] {
        session.begin();
        for line in [&format!("boardsize {size}"), "clear_board", "komi 6.5", "komi -0.5"] {
            session.must(line, &catalog::NEW_GAME)?;
        }
        // The last column; there is no I.
        session.must(&format!("play b {}{size}", char::from(b'a' + size)), &catalog::NEW_GAME)?;
    }
    session.begin();
    if session.ask("boardsize 1000")?.is_success {
        report!(session => BAD_SIZE, "boardsize 1000 is accepted" | "接受了 boardsize 1000");
    }
    Ok(())
}

/// Black has a wall across the board, and White nothing.
pub fn scores(run: &mut CheckRun) -> Checked {
    let mut session = GtpSession::open(run)?;
    if !session.has("final_score") {
        return Ok(());
    }
    let mut board = session.new_game()?;
    for row in 1..=9 {
        play(&mut session, &mut board, Side::First, &format!("e{row}"))?;
    }
    for side in [Side::First, Side::Second] {
        play(&mut session, &mut board, side, "pass")?;
    }
    let answer = session.ask("final_score")?;
    let text = answer.text.to_uppercase();
    let margin = text.strip_prefix("B+").or_else(|| text.strip_prefix("W+"));
    let is_well_formed = text == "0" || margin.is_some_and(|margin| margin.parse::<f64>().is_ok());
    if !answer.is_success || !is_well_formed {
        session.report(&catalog::FINAL_SCORE, quote(&answer.text));
    } else if !text.starts_with("B+") {
        report!(session => WRONG_SIGN,
            "\"{text}\" when all is Black's" | "全盘都属黑方，却答“{text}”", text);
    }
    Ok(())
}

/// Whether it knows what is on the board: legal moves, illegal ones, ko, and moves taken back.
pub fn board(run: &mut CheckRun) -> Checked {
    let mut session = GtpSession::open(run)?;
    session.new_game()?;
    for line in ["play b d4", "play white E4", "play BLACK e5", "play w pass", "play b PASS", "play w j9"] {
        session.must(line, &catalog::LEGAL_REFUSED)?;
    }
    for line in ["play b d4", "play w e5", "play b k10", "play b i5"] {
        if session.ask(line)?.is_success {
            report!(session => ILLEGAL_ACCEPTED, "\"{line}\" is accepted" | "接受了“{line}”", line);
        }
    }
    ko(&mut session)?;
    if session.has("undo") {
        undo(&mut session)?;
    }
    Ok(())
}

fn ko(session: &mut GtpSession) -> Checked {
    let mut board = session.new_game()?;
    for [black, white] in [["c5", "d5"], ["b4", "e4"], ["c3", "d3"], ["d4", "c4"]] {
        play(session, &mut board, Side::First, black)?;
        play(session, &mut board, Side::Second, white)?;
    }
    if session.ask("play b d4")?.is_success {
        report!(session => KO_ACCEPTED, "\"play b d4\" takes back a ko at once" | "“play b d4”立即提回劫");
    }
    Ok(())
}

fn undo(session: &mut GtpSession) -> Checked {
    let mut board = session.new_game()?;
    play(session, &mut board, Side::First, "d4")?;
    session.must("play w e5", &catalog::LEGAL_REFUSED)?;
    session.must("undo", &catalog::UNDO)?;
    session.must("play w e5", &catalog::UNDO)?;
    // An engine may remember no more than its last move.
    if session.ask("undo")?.is_success && session.ask("undo")?.is_success {
        session.must("play w d4", &catalog::UNDO)?;
    }
    Ok(())
}
