//! Starting and stopping: searches without end, pondering, games in a row, and the end of the process.

use super::session::{TestClock, UciSession};
use crate::check::position::TestPosition;
use crate::check::run::{CheckRun, Checked};
use crate::check::session::{self, report};
use crate::check::{catalog, positions};
use crate::client::grammar::uci::is_best_move;
use crate::client::request::EngineProtocol;
use crate::message;
use std::time::{Duration, Instant};

/// How long a search without a limit is watched.
const WATCH: Duration = Duration::from_millis(400);
const SLOW_STOP: Duration = Duration::from_millis(200);

pub fn stop(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    stop_when_idle(&mut session)?;
    let kind = session.run.kind;
    let mut watched = positions::middlegames(kind);
    watched.truncate(1);
    watched.extend(positions::mates_in_one(kind).into_iter().take(1));
    watched.extend(positions::only_moves(kind).into_iter().take(1));
    for position in watched {
        without_end(&mut session, &position)?;
    }
    stop_at_once(&mut session)?;
    stop_twice(&mut session)?;
    stop_when_idle(&mut session)
}

fn stop_when_idle(session: &mut UciSession) -> Checked {
    session.begin();
    session.engine.send("stop");
    let (found, answer) = session.ready_ok();
    found.map_err(|silence| {
        let what = message!("no readyok after a stop" | "stop 之后没有 readyok");
        session.silent(silence, &catalog::NO_READYOK, what)
    })?;
    // A bestmove may come late, from another thread of the engine.
    let late = session.engine.wait_for(Instant::now() + Duration::from_millis(50), is_best_move);
    if let Some(text) = answer.or(late.ok().map(|line| line.text)) {
        report!(session => IDLE_BESTMOVE,
            "\"{text}\" when nothing was searched" | "没有搜索，却有“{text}”", text);
    }
    Ok(())
}

/// A search without a limit that is watched, and then stopped.
fn without_end(session: &mut UciSession, position: &TestPosition) -> Checked {
    let sent = session.go(position, session.endless_words());
    if session.engine.peek_until(sent + WATCH, is_best_move).is_ok() {
        report!(session => INFINITE_ENDS, "a search without end ended by itself" | "不限时的搜索自行结束了");
        session.answer(position, sent, Instant::now() + session.run.patience, &catalog::NO_BESTMOVE)?;
        session.engine.send("stop");
    } else {
        end_by_stop(session, position)?;
    }
    session.ready().map(drop)
}

/// Stops the search; a slow end is tried again.
fn end_by_stop(session: &mut UciSession, position: &TestPosition) -> Checked {
    let mut is_running = true;
    session.expect_within(
        SLOW_STOP,
        "stop",
        |_| &catalog::SLOW_STOP,
        |session| {
            if !std::mem::take(&mut is_running) {
                session.go(position, session.endless_words());
                std::thread::sleep(WATCH / 4);
            }
            let stopped = session.engine.send("stop");
            let deadline = stopped + session.run.patience;
            Ok(session.answer(position, stopped, deadline, &catalog::STOP_IGNORED)?.took)
        },
    )
}

fn stop_at_once(session: &mut UciSession) -> Checked {
    let start = TestPosition::start(session.run.kind);
    for words in [session.endless_words().to_owned(), session.clock_words(start.side_to_move(), minute())] {
        for _ in 0..3 {
            session.go(&start, &words);
            let stopped = session.engine.send("stop");
            let deadline = stopped + session.run.patience;
            session.answer(&start, stopped, deadline, &catalog::STOP_LOST)?;
            session.ready()?;
        }
    }
    Ok(())
}

fn minute() -> TestClock {
    TestClock { time: 60_000, ..TestClock::default() }
}

fn stop_twice(session: &mut UciSession) -> Checked {
    let start = TestPosition::start(session.run.kind);
    session.go(&start, session.endless_words());
    std::thread::sleep(Duration::from_millis(50));
    session.engine.send("stop");
    let stopped = session.engine.send("stop");
    session.answer(&start, stopped, stopped + session.run.patience, &catalog::STOP_IGNORED)?;
    session.ready().map(drop)
}

/// Thinking in the opponent's time.
pub fn ponder(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    if session.option("Ponder").is_none() {
        return Ok(());
    }
    session.set("Ponder", "true");
    session.new_game();
    session.ready()?;
    let kind = session.run.kind;
    let mut watched = positions::middlegames(kind);
    watched.truncate(1);
    watched.extend(positions::only_moves(kind).into_iter().take(1));
    for position in &watched {
        hit_after(&mut session, position, 2 * WATCH)?;
    }
    if let Some(position) = watched.first() {
        hit_after(&mut session, position, Duration::ZERO)?;
        ponder_words(&mut session, position);
        session.engine.peek_until(Instant::now() + WATCH / 4, |_| false).ok();
        end_by_stop(&mut session, position)?;
    }
    session.ready().map(drop)
}

/// The clock of a search in the opponent's time: shorter than that search is watched.
const PONDER_CLOCK: Duration = Duration::from_millis(500);

fn ponder_words(session: &mut UciSession, position: &TestPosition) {
    let clock = TestClock { time: 500, ..TestClock::default() };
    let words = format!("ponder {}", session.clock_words(position.side_to_move(), clock));
    session.go(position, &words);
}

fn hit_after(session: &mut UciSession, position: &TestPosition, wait: Duration) -> Checked {
    let limit = PONDER_CLOCK;
    session.expect_within(
        limit,
        "ponderhit",
        |_| &catalog::PONDERHIT_IGNORED,
        |session| {
            ponder_words(session, position);
            if session.engine.peek_until(Instant::now() + wait, is_best_move).is_ok() {
                report!(session => PONDER_ENDS,
                "a move before the expected one was played" | "预料的着法还没有走，就走了棋");
                let now = Instant::now();
                session.answer(position, now, now, &catalog::NO_BESTMOVE)?;
                return Ok(Duration::ZERO);
            }
            let sent = session.engine.send("ponderhit");
            let deadline = sent + session.run.patience.max(2 * limit);
            let answer = session.answer(position, sent, deadline, &catalog::PONDERHIT_IGNORED)?;
            session.ready()?;
            Ok(answer.took)
        },
    )
}

pub fn games(run: &mut CheckRun) -> Checked {
    session::games(&mut UciSession::open(run)?, |session, position| {
        session.new_game();
        session.answers().and_then(|()| session.plays(position))
    })
}

/// The end of the process, asked for and not, idle and in a search.
pub fn quit(run: &mut CheckRun) -> Checked {
    if run.protocol == EngineProtocol::Ucci {
        let mut session = UciSession::open(run)?;
        session.engine.send("quit");
        if session.engine.wait_for(Instant::now() + WATCH, |text| text == "bye").is_err() {
            report!(session => NO_BYE, "no bye after quit" | "quit 之后没有 bye");
        }
    }
    session::quit(run, |session: &mut UciSession| {
        session.go(&TestPosition::start(session.run.kind), session.endless_words());
    })
}
