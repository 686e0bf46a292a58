//! Time, and the other limits of a search.

use super::session::{TestClock, UciAnswer, UciSession};
use crate::check::catalog::{self, Finding};
use crate::check::position::TestPosition;
use crate::check::positions;
use crate::check::run::{CheckRun, Checked};
use crate::check::session::report;
use crate::client::grammar::uci::is_best_move;
use crate::message;
use crate::util::message::Message;
use std::time::{Duration, Instant};

/// Tolerance for transport and a busy machine.
const TRAVEL: Duration = Duration::from_millis(20);
const OVERRUN: Duration = Duration::from_millis(50);
const IGNORED: Duration = Duration::from_millis(500);

pub fn clocks(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    session.new_game();
    session.ready()?;
    if !session.is_ucci() {
        fixed_times(&mut session)?;
    }
    for position in positions::middlegames(session.run.kind) {
        by_clock(&mut session, &position)?;
    }
    negative_clock(&mut session)
}

fn in_time(
    session: &mut UciSession,
    position: &TestPosition,
    words: &str,
    limit: Duration,
    finding: impl FnOnce(Duration) -> &'static Finding,
) -> Checked {
    session.expect_within(limit, &format!("go {words}"), finding, |session| {
        Ok(session.search(position, words, limit)?.took)
    })
}

fn fixed_times(session: &mut UciSession) -> Checked {
    let times: &[u64] = if session.run.quick { &[100] } else { &[20, 100, 500] };
    for position in positions::middlegames(session.run.kind) {
        for &ms in times {
            let limit = Duration::from_millis(ms);
            in_time(session, &position, &format!("movetime {ms}"), limit + OVERRUN, |took| {
                if took > limit + IGNORED { &catalog::MOVETIME_IGNORED } else { &catalog::MOVETIME_OVERRUN }
            })?;
        }
    }
    Ok(())
}

fn by_clock(session: &mut UciSession, position: &TestPosition) -> Checked {
    let clock = |time, increment, moves| TestClock { time, increment, moves };
    let side = position.side_to_move();
    // Without this option times are whole seconds.
    if session.is_ucci() && session.option("usemillisec").is_none() {
        let words = session.clock_words(side, clock(2, 0, None));
        return in_time(session, position, &words, Duration::from_secs(2) + TRAVEL, |_| &catalog::FLAG);
    }
    let mut clocks = vec![
        (clock(300, 0, None), &catalog::FLAG),
        // No clock is ever below its increment; what comes after the move cannot be spent.
        (clock(600, 600, None), &catalog::FLAG),
        (clock(200, 0, Some(1)), &catalog::FLAG),
        (clock(60, 0, None), &catalog::SHORT_FLAG),
    ];
    if !session.run.quick {
        clocks.push((clock(1000, 0, None), &catalog::FLAG));
        clocks.push((clock(1000, 10, None), &catalog::FLAG));
        clocks.push((clock(500, 0, Some(5)), &catalog::FLAG));
        clocks.push((clock(25, 0, None), &catalog::SHORT_FLAG));
    }
    for (clock, finding) in clocks {
        let words = session.clock_words(side, clock);
        let limit = Duration::from_millis(clock.time.unsigned_abs()) + TRAVEL;
        in_time(session, position, &words, limit, |_| finding)?;
    }
    let words = session.clock_words(side, clock(1200, 0, Some(40)));
    in_time(session, position, &words, Duration::from_millis(600), |_| &catalog::SPENDTHRIFT)
}

fn negative_clock(session: &mut UciSession) -> Checked {
    let Some(position) = positions::middlegames(session.run.kind).into_iter().next() else { return Ok(()) };
    let words = session.clock_words(position.side_to_move(), TestClock { time: -40, ..TestClock::default() });
    let sent = session.go(&position, &words);
    let wait = Duration::from_secs(2).min(session.run.patience);
    session.answer(&position, sent, sent + wait, &catalog::NEGATIVE_CLOCK).map(drop)
}

/// Depth, nodes, moves, mates, and whether a search can be reproduced.
pub fn limits(run: &mut CheckRun) -> Checked {
    let mut session = UciSession::open(run)?;
    session.new_game();
    session.ready()?;
    let start = TestPosition::start(session.run.kind);
    let is_deep = depth(&mut session, &start)?;
    nodes(&mut session, &start)?;
    if !session.is_ucci() {
        search_moves(&mut session, &start)?;
        mate(&mut session)?;
    }
    if is_deep { twice(&mut session) } else { Ok(()) }
}

/// A search with a limit that the engine may not know: where it does not end, `finding` is noted, and it is
/// stopped.
fn limited(
    session: &mut UciSession,
    position: &TestPosition,
    words: &str,
    finding: &'static Finding,
) -> Checked<Option<UciAnswer>> {
    let sent = session.go(position, words);
    let mut end = sent + session.run.patience;
    let found = session.engine.peek_until(end, is_best_move);
    let is_ended = found.is_ok();
    if !is_ended {
        session.report(finding, message!("\"go {words}\" does not end" | "“go {words}”不会结束", words));
        session.engine.send("stop");
        end = Instant::now() + session.run.patience;
    }
    let answer = session.answer(position, sent, end, &catalog::STOP_IGNORED)?;
    Ok(is_ended.then_some(answer))
}

fn depth(session: &mut UciSession, start: &TestPosition) -> Checked<bool> {
    let Some(answer) = limited(session, start, "depth 4", &catalog::DEPTH_IGNORED)? else { return Ok(false) };
    let deepest = answer.reports.iter().filter_map(|info| info.depth).max();
    if let Some(depth) = deepest.filter(|&depth| depth > 4) {
        report!(session => DEPTH_IGNORED,
            "\"go depth 4\" went to depth {depth}" | "“go depth 4”搜索到深度 {depth}", depth);
    }
    Ok(true)
}

fn nodes(session: &mut UciSession, start: &TestPosition) -> Checked {
    const LIMIT: u64 = 20_000;
    let words = format!("nodes {LIMIT}");
    if let Some(answer) = limited(session, start, &words, &catalog::NODES_IGNORED)? {
        let largest = answer.reports.iter().filter_map(|info| info.nodes).max();
        if let Some(nodes) = largest.filter(|&nodes| nodes > LIMIT + LIMIT / 2 + 20_000) {
            report!(session => NODES_IGNORED,
                "\"go {words}\" went to {nodes} nodes" | "“go {words}”搜索了 {nodes} 个结点", words, nodes);
        }
    }
    Ok(())
}

fn search_moves(session: &mut UciSession, start: &TestPosition) -> Checked {
    let only = positions::poor_move(session.run.kind);
    let words = format!("depth 3 searchmoves {}", session.written(only));
    if let Some(answer) = limited(session, start, &words, &catalog::SEARCHMOVES_IGNORED)?
        && answer.mv.as_deref() != Some(only)
    {
        report!(session => SEARCHMOVES_IGNORED,
            "\"{mv}\" after \"go {words}\"" | "“go {words}”之后是“{mv}”", mv = answer.text, words);
    }
    Ok(())
}

fn mate(session: &mut UciSession) -> Checked {
    for position in positions::mates_in_one(session.run.kind) {
        limited(session, &position, "mate 1", &catalog::MATE_IGNORED)?;
    }
    Ok(())
}

fn twice(session: &mut UciSession) -> Checked {
    if session.option("Threads").is_some() {
        session.set("Threads", "1");
    }
    let Some(position) = positions::middlegames(session.run.kind).into_iter().next() else { return Ok(()) };
    let mut results = Vec::new();
    for _ in 0..2 {
        session.new_game();
        session.ready()?;
        let sent = session.go(&position, "depth 5");
        let deadline = sent + session.run.patience;
        let answer = session.answer(&position, sent, deadline, &catalog::DEPTH_IGNORED)?;
        let nodes = answer.reports.iter().rev().find_map(|info| info.nodes);
        results.push((answer.text, nodes));
    }
    if let [(first, nodes), (second, others)] = results.as_slice()
        && (first, nodes) != (second, others)
    {
        let count = |nodes: &Option<u64>| {
            nodes.map_or_else(Message::default, |n| message!(", {n} nodes" | "，{n} 个结点", n))
        };
        let (nodes, others) = (count(nodes), count(others));
        report!(session => NONDETERMINISTIC,
            "\"{first}\"{nodes}; then \"{second}\"{others}"
            | "“{first}”{nodes}；然后“{second}”{others}", first, nodes, second, others);
    }
    Ok(())
}
