//! Before the first move: who it is, what can be set, and whether it is ready.

use super::session::Session;
use crate::check::catalog;
use crate::check::exam::{Checked, Exam};
use crate::check::position::Position;
use crate::client::player::median;
use std::collections::HashSet;
use std::time::{Duration, Instant};

const SLOW_HANDSHAKE: Duration = Duration::from_secs(5);
const SLOW_READYOK: Duration = Duration::from_millis(50);
/// How long an answer in a search may take.
const IN_SEARCH: Duration = Duration::from_secs(1);
/// Questions whose median is taken.
const QUESTIONS: usize = 21;

/// Greeting, name and author.
pub fn handshake(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    let tells = |what: &str| session.greeting.iter().any(|line| line.starts_with(what));
    let (has_name, has_author) = (tells("id name "), tells("id author "));
    if !has_name {
        session.report(&catalog::NO_NAME, "no \"id name\" before the end of the greeting");
    }
    if !has_author {
        session.report(&catalog::NO_AUTHOR, "no \"id author\" before the end of the greeting");
    }
    let took = session.greeted;
    if took > SLOW_HANDSHAKE {
        session.report(&catalog::SLOW_HANDSHAKE, format!("it took {:.1} s", took.as_secs_f64()));
    }
    session.exam.facts.push(("greeting", format!("{:.0} ms", took.as_secs_f64() * 1e3)));
    Ok(())
}

/// What is declared, and whether it can be set.
pub fn options(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    let mut names = HashSet::new();
    for option in session.options.clone() {
        for (finding, what) in option.problems() {
            session.report(finding, format!("option \"{}\": {what}", option.name));
        }
        if !names.insert(option.name.to_lowercase()) {
            session.report(&catalog::DUPLICATE_OPTION, format!("option \"{}\"", option.name));
        }
    }
    let needed: &[(&str, &str)] = if session.is_ucci() {
        &[("hashsize", "hashsize")]
    } else {
        &[("Hash", "Hash"), ("Threads", "Cores")]
    };
    for (name, other) in needed {
        if session.option(name).is_none() && session.option(other).is_none() {
            session.report(&catalog::MISSING_OPTION, format!("no option {name}"));
        }
    }
    set_each(&mut session)
}

/// Sets every option to what should do no harm, and has the engine play after sizes, and after all.
fn set_each(session: &mut Session) -> Checked {
    let start = Position::start(session.exam.kind);
    for option in session.options.clone() {
        for value in option.harmless_values() {
            session.begin();
            session.set(&option.name, &value);
            let works = session.answers().and_then(|()| match option.is_size() {
                true => session.plays(&start),
                false => Ok(()),
            });
            if let Err(how) = works {
                session.report(&catalog::OPTION_BREAKS, format!("{} = {value}: {how}", option.name));
                return Ok(());
            }
        }
    }
    session.begin();
    if let Err(how) = session.plays(&start) {
        session.report(&catalog::OPTION_BREAKS, format!("all options at their defaults: {how}"));
    }
    Ok(())
}

/// How fast it answers, idle and in a search.
pub fn ready(exam: &mut Exam) -> Checked {
    let mut session = Session::open(exam)?;
    session.begin();
    let mut times = Vec::new();
    for _ in 0..QUESTIONS {
        times.push(session.ready()?);
    }
    let middle = median(&mut times);
    session.exam.facts.push(("isready", format!("{:.2} ms", middle.as_secs_f64() * 1e3)));
    if middle > SLOW_READYOK {
        session.report(&catalog::SLOW_READYOK, format!("median {:.0} ms", middle.as_secs_f64() * 1e3));
    }
    first_moves(&mut session)?;
    in_search(&mut session)
}

/// How long the shortest search takes.
fn first_moves(session: &mut Session) -> Checked {
    let start = Position::start(session.exam.kind);
    let words = if session.is_ucci() { "depth 1" } else { "movetime 1" };
    let mut times = Vec::new();
    for _ in 0..5 {
        times.push(session.search(&start, words, Duration::ZERO)?.took);
    }
    let middle = median(&mut times);
    session.exam.facts.push(("shortest search", format!("{:.2} ms", middle.as_secs_f64() * 1e3)));
    Ok(())
}

fn in_search(session: &mut Session) -> Checked {
    let start = Position::start(session.exam.kind);
    session.go(&start, session.endless_words());
    let sent = session.engine.send("isready");
    let mut ended = false;
    let found = session.engine.wait_for(sent + IN_SEARCH, |text| {
        ended |= super::session::is_best_move(text);
        text == "readyok"
    });
    if found.is_err() {
        session.report(&catalog::READYOK_IN_SEARCH, "no readyok within a second, in a search without end");
    }
    let stopped = session.engine.send("stop");
    if !ended {
        let deadline = Instant::now() + session.exam.patience;
        session.answer(&start, stopped, deadline, &catalog::STOP_IGNORED)?;
    }
    Ok(())
}
