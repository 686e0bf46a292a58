//! Starting and stopping: searches without end, pondering, games in a row, and the end of the process.

use super::session::{Answer, Clock, Session, is_best_move};
use crate::check::exam::{Checked, Exam};
use crate::check::position::{Position, random_game};
use crate::check::{catalog, leave, positions};
use std::time::{Duration, Instant};

/// How long a search without a limit is watched.
const WATCH: Duration = Duration::from_millis(400);
const SLOW_STOP: Duration = Duration::from_millis(200);
/// How often something must be late to be a finding: once may be the machine's fault.
const TRIES: usize = 3;
/// What the engine does when it is to leave.
const IDLE: &str = "idle";
const SEARCHING: &str = "in a search";
/// Plies of the long game.
const LONG: usize = 400;

/// Stop, in every state.
pub fn stop(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    stop_when_idle(&mut session)?;
    let kind = session.exam.kind;
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

fn stop_when_idle(session: &mut Session) -> Checked {
    session.begin();
    session.engine.send("stop");
    let sent = session.engine.send("isready");
    let mut answer = None;
    let found = session.engine.wait_for(sent + session.exam.patience, |text| {
        if is_best_move(text) {
            answer = Some(text.to_owned());
        }
        text == "readyok"
    });
    if let Err(silence) = found {
        return Err(session.silent(silence, &catalog::NO_READYOK, "no readyok after a stop"));
    }
    // It may come from another thread.
    let late = session.engine.wait_for(Instant::now() + Duration::from_millis(50), is_best_move);
    if let Some(text) = answer.or(late.ok().map(|line| line.text)) {
        session.report(&catalog::IDLE_BESTMOVE, format!("\"{text}\" when nothing was searched"));
    }
    Ok(())
}

/// A search without a limit that is watched, and then stopped.
fn without_end(session: &mut Session, position: &Position) -> Checked {
    let sent = session.go(position, session.endless_words());
    if session.engine.peek_until(sent + WATCH, is_best_move).is_ok() {
        session.report(&catalog::INFINITE_ENDS, "a search without end ended by itself");
        session.answer(position, sent, Instant::now() + session.exam.patience, &catalog::NO_BESTMOVE)?;
        session.engine.send("stop");
    } else {
        end_by_stop(session, position)?;
    }
    session.ready().map(drop)
}

/// Stops the search; a slow end is tried again.
fn end_by_stop(session: &mut Session, position: &Position) -> Checked<Answer> {
    let mut shortest = Duration::MAX;
    for attempt in 0.. {
        let stopped = session.engine.send("stop");
        let deadline = stopped + session.exam.patience;
        let answer = session.answer(position, stopped, deadline, &catalog::STOP_IGNORED)?;
        shortest = shortest.min(answer.took);
        if shortest <= SLOW_STOP {
            return Ok(answer);
        }
        if attempt == 2 {
            let ms = shortest.as_secs_f64() * 1e3;
            session.report(&catalog::SLOW_STOP, format!("it took {ms:.0} ms or more, three times in a row"));
            return Ok(answer);
        }
        session.go(position, session.endless_words());
        std::thread::sleep(WATCH / 4);
    }
    unreachable!("the third attempt returns")
}

/// `go` and `stop` in one breath.
fn stop_at_once(session: &mut Session) -> Checked {
    let start = Position::start(session.exam.kind);
    for words in [session.endless_words().to_owned(), session.clock_words(start.side_to_move(), minute())] {
        for _ in 0..3 {
            session.go(&start, &words);
            let stopped = session.engine.send("stop");
            let deadline = stopped + session.exam.patience;
            session.answer(&start, stopped, deadline, &catalog::STOP_LOST)?;
            session.ready()?;
        }
    }
    Ok(())
}

fn minute() -> Clock {
    Clock { time: 60_000, ..Clock::default() }
}

fn stop_twice(session: &mut Session) -> Checked {
    let start = Position::start(session.exam.kind);
    session.go(&start, session.endless_words());
    std::thread::sleep(Duration::from_millis(50));
    session.engine.send("stop");
    let stopped = session.engine.send("stop");
    session.answer(&start, stopped, stopped + session.exam.patience, &catalog::STOP_IGNORED)?;
    session.ready().map(drop)
}

/// Thinking in the opponent's time.
pub fn ponder(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    if session.option("Ponder").is_none() {
        return Ok(());
    }
    session.set("Ponder", "true");
    session.new_game();
    session.ready()?;
    let kind = session.exam.kind;
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
fn ponder_words(session: &mut Session, position: &Position) -> Duration {
    let clock = Clock { time: 500, ..Clock::default() };
    let words = format!("ponder {}", session.clock_words(position.side_to_move(), clock));
    session.go(position, &words);
    Duration::from_millis(500)
}

fn hit_after(session: &mut Session, position: &Position, wait: Duration) -> Checked {
    let mut shortest = Duration::MAX;
    for _ in 0..TRIES {
        let limit = ponder_words(session, position);
        if session.engine.peek_until(Instant::now() + wait, is_best_move).is_ok() {
            session.report(&catalog::PONDER_ENDS, "a move before the expected one was played");
            let now = Instant::now();
            return session.answer(position, now, now, &catalog::NO_BESTMOVE).map(drop);
        }
        let sent = session.engine.send("ponderhit");
        let deadline = sent + session.exam.patience.max(2 * limit);
        let answer = session.answer(position, sent, deadline, &catalog::PONDERHIT_IGNORED)?;
        session.ready()?;
        shortest = shortest.min(answer.took);
        if shortest <= limit {
            return Ok(());
        }
    }
    let ms = shortest.as_millis();
    session.report(
        &catalog::PONDERHIT_IGNORED,
        format!("{ms} ms or more after ponderhit, {TRIES} times in a row"),
    );
    Ok(())
}

/// Games in a row, and a long one.
pub fn games(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    let kind = session.exam.kind;
    for seed in 0..2 {
        session.begin();
        session.new_game();
        let works = session.answers().and_then(|()| session.plays(&random_game(kind, 12, seed)));
        if let Err(how) = works {
            session.report(&catalog::NEW_GAME, how);
            return Ok(());
        }
    }
    session.begin();
    session.new_game();
    let works = session.answers().and_then(|()| session.plays(&random_game(kind, LONG, 7)));
    if let Err(how) = works {
        session.report(&catalog::LONG_GAME, how);
    }
    Ok(())
}

/// The end of the process, asked for and not, idle and in a search.
pub fn quit(exam: &mut Exam) -> Checked {
    for (is_asked, state) in [(true, IDLE), (true, SEARCHING), (false, IDLE), (false, SEARCHING)] {
        let mut session = Session::open(exam)?;
        if state == SEARCHING {
            let start = Position::start(session.exam.kind);
            session.go(&start, session.endless_words());
            std::thread::sleep(Duration::from_millis(100));
        }
        if is_asked && session.is_ucci() && state == IDLE {
            session.engine.send("quit");
            let bye = session.engine.wait_for(Instant::now() + WATCH, |text| text == "bye");
            if bye.is_err() {
                session.report(&catalog::NO_BYE, "no bye after quit");
            }
        }
        let end = if is_asked { leave::quits } else { leave::ends_without_input };
        end(session.exam, &mut session.engine, session.mark, state);
    }
    Ok(())
}
