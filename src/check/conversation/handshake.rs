//! Before the first move: who it is, what can be set, and whether it is ready.

use super::session::UciSession;
use crate::check::catalog::{self, Finding};
use crate::check::position::TestPosition;
use crate::check::run::{CheckRun, Checked};
use crate::check::session::report;
use crate::client::grammar::uci::{DeclaredOption, Flaw, is_best_move};
use crate::client::player::median;
use crate::message;
use crate::util::lang::Bilingual;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// How long an answer in a search may take.
const IN_SEARCH: Duration = Duration::from_secs(1);

pub fn handshake(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    let has_line = |what: &str| session.peer.greeting.iter().any(|line| line.starts_with(what));
    let (has_name, has_author) = (has_line("id name "), has_line("id author "));
    let missing = |what| {
        message!("no \"id {what}\" before the end of the greeting" | "问候结束之前没有“id {what}”", what)
    };
    if !has_name {
        session.report(&catalog::NO_NAME, missing("name"));
    }
    if !has_author {
        session.report(&catalog::NO_AUTHOR, missing("author"));
    }
    session.report_greeting(Bilingual("greeting", "问候"), session.peer.greeted);
    Ok(())
}

/// What is declared, and whether it can be set.
pub fn options(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    let mut names = HashSet::new();
    for (option, flaws) in session.peer.options.clone() {
        let name = option.name;
        for why in flaws {
            let detail = message!("option \"{name}\": {why}" | "选项“{name}”：{why}", name, why);
            session.report(finding_of(&why), detail);
        }
        if !names.insert(name.to_lowercase()) {
            report!(session => DUPLICATE_OPTION, "option \"{name}\"" | "选项“{name}”", name);
        }
    }
    let needed: &[(&str, &str)] = if session.is_ucci() {
        &[("hashsize", "hashsize")]
    } else {
        &[("Hash", "Hash"), ("Threads", "Cores")]
    };
    for (name, other) in needed {
        if session.option(name).is_none() && session.option(other).is_none() {
            report!(session => MISSING_OPTION, "no option {name}" | "没有选项 {name}", name);
        }
    }
    set_each(&mut session)
}

fn finding_of(flaw: &Flaw) -> &'static Finding {
    match flaw {
        Flaw::OutOfRange(..) | Flaw::NotAChoice(_) => &catalog::BAD_DEFAULT,
        Flaw::WideRange => &catalog::WIDE_OPTION,
        Flaw::BlankInChoice => &catalog::COMBO_BLANK,
        _ => &catalog::MALFORMED_OPTION,
    }
}

/// Whether it is the size of a hash table, or a number of threads.
fn is_size(option: &DeclaredOption) -> bool {
    matches!(option.name.to_lowercase().as_str(), "hash" | "hashsize" | "threads" | "cores")
}

/// Values that the declaration allows, and that should do no harm: the default, and for `Hash` and `Threads`
/// the minimum, and more than the default.
fn harmless_values(option: &DeclaredOption) -> Vec<String> {
    let mut values = Vec::new();
    // An engine that is sent the variant may answer in its other coordinates.
    if option.name.eq_ignore_ascii_case("UCI_Variant") {
        return values;
    }
    let more = match option.name.to_lowercase().as_str() {
        "hash" | "hashsize" => Some(64),
        "threads" | "cores" => Some(2),
        _ => None,
    };
    if let (Some(more), Some((min, max))) = (more, option.range()) {
        values.extend([min.to_string(), more.clamp(min, max.max(min)).to_string()]);
    }
    // Some take the word for an empty text as a text of its own.
    let is_plain = |text: &String| !matches!(text.as_str(), "" | "<empty>");
    values.extend(match option.kind.as_str() {
        "check" | "spin" | "combo" => option.default.clone(),
        "string" => option.default.clone().filter(is_plain),
        _ => None,
    });
    values
}

/// Sets every option to what should do no harm, and has the engine play after sizes, and after all.
fn set_each(session: &mut UciSession) -> Checked {
    let start = TestPosition::start(session.run.kind);
    for (option, _) in session.peer.options.clone() {
        for value in harmless_values(&option) {
            session.begin();
            session.set(&option.name, &value);
            let works = session.answers().and_then(|()| match is_size(&option) {
                true => session.plays(&start),
                false => Ok(()),
            });
            if let Err(how) = works {
                report!(session => OPTION_BREAKS,
                    "{name} = {value}: {how}" | "{name} = {value}：{how}", name = option.name, value, how);
                return Ok(());
            }
        }
    }
    session.begin();
    if let Err(how) = session.plays(&start) {
        report!(session => OPTION_BREAKS,
            "all options at their defaults: {how}" | "所有选项都取默认值：{how}", how);
    }
    Ok(())
}

/// How fast it answers, idle and in a search.
pub fn ready(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    session.round_trips("isready", UciSession::ready)?;
    first_moves(&mut session)?;
    in_search(&mut session)
}

/// How long the shortest search takes.
fn first_moves(session: &mut UciSession) -> Checked {
    let start = TestPosition::start(session.run.kind);
    let words = if session.is_ucci() { "depth 1" } else { "movetime 1" };
    let mut times = Vec::new();
    for _ in 0..5 {
        times.push(session.search(&start, words, Duration::ZERO)?.took);
    }
    let middle = median(&mut times);
    session
        .run
        .facts
        .push((Bilingual("shortest search", "最短的搜索"), format!("{:.2} ms", middle.as_secs_f64() * 1e3)));
    Ok(())
}

fn in_search(session: &mut UciSession) -> Checked {
    let start = TestPosition::start(session.run.kind);
    session.go(&start, session.endless_words());
    let sent = session.engine.send("isready");
    let mut ended = false;
    let found = session.engine.wait_for(sent + IN_SEARCH, |text| {
        ended |= is_best_move(text);
        text == "readyok"
    });
    if found.is_err() {
        report!(session => READYOK_IN_SEARCH,
            "no readyok within a second, in a search without end" | "不限时搜索之中，一秒内没有 readyok");
    }
    let stopped = session.engine.send("stop");
    if !ended {
        let deadline = Instant::now() + session.run.patience;
        session.answer(&start, stopped, deadline, &catalog::STOP_IGNORED)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::grammar::uci;
    use crate::client::request::EngineProtocol;

    #[test]
    fn harmless_values_are_declared_and_plain() {
        let values = |text: &str| harmless_values(&uci::option(text, EngineProtocol::Uci).unwrap().0);
        assert_eq!(values("option name Motto type string default any type var max"), ["any type var max"]);
        assert_eq!(values("option name Book type string default <empty>"), [""; 0]);
        assert_eq!(values("option name Hash type spin default 16 min 1 max 1024"), ["1", "64", "16"]);
    }
}
