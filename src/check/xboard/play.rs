//! Moves and clocks.

use super::session::{FAST, FAST_TIME, XboardAnswer, XboardSession, is_move};
use crate::check::position::random_game;
use crate::check::run::{CheckRun, Checked};
use crate::check::session::{self, report, wrong_sign};
use crate::check::{catalog, positions};
use std::time::{Duration, Instant};

/// Tolerance for transport and a busy machine.
const TRAVEL: Duration = Duration::from_millis(30);
/// Fixed times count whole seconds; engines of that age poll their clocks rarely.
const OVERRUN: Duration = Duration::from_millis(100);
const IGNORED: Duration = Duration::from_millis(500);
const SLOW_STOP: Duration = Duration::from_millis(300);
const SECOND: Duration = Duration::from_secs(1);

pub fn clocks(run: &mut CheckRun) -> Checked {
    let mut session = XboardSession::open(run)?;
    let position = random_game(session.run.kind, 20, 3);
    let limit = SECOND + OVERRUN;
    let finding = |took| {
        if took > SECOND + IGNORED { &catalog::MOVETIME_IGNORED } else { &catalog::MOVETIME_OVERRUN }
    };
    session.expect_within(limit, "st 1", finding, |session| {
        Ok(session.search(&position, &["st 1"], limit)?.took)
    })?;
    // Managers do not mix fixed times and clocks: an engine may keep the one when it gets the other.
    let XboardSession { run, .. } = session;
    let mut session = XboardSession::open(run)?;
    // The control, hundredths of a second left, and what is late.
    let mut clocks = vec![
        ("level 0 0:02 0", 200, &catalog::FLAG),
        ("level 40 0:30 0", 100, &catalog::FLAG),
        ("level 0 0:10 1", 200, &catalog::FLAG),
        ("level 0 0:10 0", 8, &catalog::SHORT_FLAG),
    ];
    if session.run.quick {
        clocks.remove(0);
    }
    for (level, left, finding) in clocks {
        let (time, otim) = (format!("time {left}"), format!("otim {left}"));
        let limit = Duration::from_millis(10 * left) + TRAVEL;
        session.expect_within(
            limit,
            &format!("{level}, {time}"),
            |_| finding,
            |session| Ok(session.search(&position, &[level, &time, &otim], limit)?.took),
        )?;
    }
    Ok(())
}

pub fn limits(run: &mut CheckRun) -> Checked {
    let mut session = XboardSession::open(run)?;
    let position = random_game(session.run.kind, 16, 4);
    let answer = session.search(&position, &["st 5", "sd 3"], 5 * SECOND)?;
    let deepest = answer.reports.iter().map(|post| post.depth).max();
    if let Some(depth) = deepest.filter(|&depth| depth > 3) {
        report!(session => DEPTH_IGNORED,
            "\"sd 3\" went to depth {depth}" | "“sd 3”搜索到深度 {depth}", depth);
    }
    Ok(())
}

pub fn stop(run: &mut CheckRun) -> Checked {
    let mut session = XboardSession::open(run)?;
    let position = random_game(session.run.kind, 16, 5);
    session.set_up(&position);
    session.engine.send("?");
    session.ready_or(&catalog::IDLE_BESTMOVE)?;
    if session.engine.peek_until(Instant::now() + Duration::from_millis(50), is_move).is_ok() {
        report!(session => IDLE_BESTMOVE,
            "a move after \"?\" in force mode" | "force 状态下收到“?”却走了棋");
        return Ok(());
    }
    session.expect_within(
        SLOW_STOP,
        "?",
        |_| &catalog::SLOW_STOP,
        |session| {
            session.set_up(&position);
            for line in ["level 0 60:00 0", "time 360000", "otim 360000"] {
                session.engine.send(line);
            }
            session.ready()?;
            let sent = session.engine.send("go");
            if session.engine.peek_until(sent + Duration::from_millis(200), is_move).is_ok() {
                // It moves by itself at once: there is nothing to stop.
                return Ok(Duration::ZERO);
            }
            let stopped = session.engine.send("?");
            let deadline = stopped + session.run.patience;
            let answer = session.answer(&position, stopped, deadline, &catalog::MOVE_NOW)?;
            session.engine.send("force");
            session.ready()?;
            Ok(answer.took)
        },
    )
}

pub fn games(run: &mut CheckRun) -> Checked {
    session::games(&mut XboardSession::open(run)?, |session, position| {
        session.plays(position)?;
        session.engine.send("result 1/2-1/2 {Draw by agreement}");
        Ok(())
    })
}

pub fn moves(run: &mut CheckRun) -> Checked {
    session::moves(&mut XboardSession::open(run)?, 35, |session, position| {
        let can = session.can_set_up(position);
        can.then(|| session.search(position, &FAST, FAST_TIME)).transpose()
    })
}

pub fn info(run: &mut CheckRun) -> Checked {
    let mut session = XboardSession::open(run)?;
    let position = random_game(session.run.kind, 12, 6);
    let answer = session.search(&position, &["st 1"], SECOND)?;
    if answer.reports.is_empty() {
        report!(session => NO_SCORE, "no line of thinking in \"st 1\"" | "“st 1”之中没有思考的输出");
    }
    Ok(())
}

pub fn scores(run: &mut CheckRun) -> Checked {
    let mut session = XboardSession::open(run)?;
    let kind = session.run.kind;
    for (position, is_ahead) in positions::lopsided(kind) {
        if !session.can_set_up(&position) {
            continue;
        }
        let answer = session.search(&position, &["level 0 0:10 0", "time 300", "otim 300"], 3 * SECOND)?;
        sign(&mut session, &answer, is_ahead);
    }
    Ok(())
}

fn sign(session: &mut XboardSession, answer: &XboardAnswer, is_ahead: bool) {
    let last = answer.reports.last().filter(|post| post.raw_score != 0 && (post.raw_score > 0) != is_ahead);
    if let Some(post) = last {
        session.report(&catalog::WRONG_SIGN, wrong_sign(post.raw_score, is_ahead));
    }
}
