//! What UCI and UCCI have in common: `isready`, the search that ends with `bestmove`, and pondering.
//!
//! Pondering costs the engine nothing until the move it expects has been played; from that moment, not from
//! `go ponder`, its clock runs.

use super::thought::Collector;
use super::{Fault, FaultKind, Link, MoveRequest, Patience, Reply};
use crate::client::grammar::BestMoveLine;
use crate::client::grammar::uci::is_best_move;
use crate::client::process::{OutputLine, Silence};
use crate::client::wire::later;
use crate::clock::Overtime;
use crate::games::record::Reason;
use crate::games::time::Control;
use crate::message;
use crate::util::message::Message;
use std::time::{Duration, Instant};

/// How long after the flag an answer is still waited for, to measure how late it is.
pub const GRACE: Duration = Duration::from_millis(500);

/// Lines about an engine's options that are passed on.
const MAX_REMARKS: usize = 10;

/// Sends `uci` or `ucci` and reads the answer up to `uciok` or `ucciok`. `other`: the protocol, and its
/// setting, that an engine without an answer may speak.
pub fn greet(
    link: &mut Link,
    greeting: &str,
    other: (&'static str, &'static str),
    mut hear: impl FnMut(&str),
) -> Result<(), Fault> {
    link.send(greeting);
    let end = format!("{greeting}ok");
    let mut last = String::new();
    let answer = link.wait_for(&end, |line| {
        let text = line.text.trim();
        hear(text);
        if !text.is_empty() {
            last = text.chars().take(80).collect();
        }
        Ok((text == end).then_some(()))
    });
    answer.map_err(|fault| match fault.reason {
        Reason::Stall => {
            let last = match last.is_empty() {
                true => Message::default(),
                false => message!("; its last line is {last:?}" | "；它最后输出的是 {last:?}", last),
            };
            FaultKind::NoGreeting(fault.detail, last, other.0, other.1).into()
        }
        _ => fault,
    })
}

/// Sends `isready` and measures the round trip. A move that comes meanwhile was not asked for.
pub fn ready(link: &mut Link) -> Result<(), Fault> {
    ready_hearing(link, |line| if is_best_move(&line.text) { Err(premature(line)) } else { Ok(()) })
}

/// [`ready`] before a game: a move that comes meanwhile belongs to the previous game, and is not a fault of
/// this one.
pub fn ready_for_a_game(link: &mut Link) -> Result<(), Fault> {
    let mut stray = None;
    ready_hearing(link, |line| {
        if is_best_move(&line.text) {
            stray.get_or_insert_with(|| premature(line).detail);
        }
        Ok(())
    })?;
    if let Some(text) = stray {
        link.remark(&text);
    }
    Ok(())
}

/// [`ready`] once the options have been set: lines before `readyok` are about them.
pub fn settled(link: &mut Link) -> Result<(), Fault> {
    let mut remarks = Vec::new();
    ready_hearing(link, |line| {
        let text = line.text.trim();
        if is_best_move(&line.text) {
            return Err(premature(line));
        }
        if remarks.len() < MAX_REMARKS && !text.is_empty() {
            remarks.push(text.chars().take(200).collect::<String>());
        }
        Ok(())
    })?;
    for text in remarks {
        link.remark(&text.strip_prefix("info string ").unwrap_or(&text).into());
    }
    Ok(())
}

fn ready_hearing(
    link: &mut Link,
    mut hear: impl FnMut(&OutputLine) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let sent = link.send("isready");
    let at = link.wait_for("readyok", |line| match line.text.trim() {
        "readyok" => Ok(Some(line.at)),
        _ => hear(line).map(|()| None),
    })?;
    link.latencies.push(at.saturating_duration_since(sent));
    Ok(())
}

fn premature(line: &OutputLine) -> Fault {
    FaultKind::Premature(line.text.trim().chars().take(40).collect()).into()
}

/// A search on the player's own time, about to be answered.
pub struct AwaitedMove {
    /// Just before it was asked for: an answer stamped earlier was not one.
    asked: Instant,
    /// When the clock was started.
    sent: Instant,
    collector: Collector,
}

/// What comes of waiting for a move.
pub enum Awaited {
    Reply(Reply),
    /// The bell rang.
    Called(AwaitedMove),
}

impl Awaited {
    /// The reply; a search that goes on is kept in `search`.
    pub fn or_keep(self, search: &mut Option<AwaitedMove>) -> Option<Reply> {
        match self {
            Self::Reply(reply) => Some(reply),
            Self::Called(goes_on) => {
                *search = Some(goes_on);
                None
            }
        }
    }
}

impl AwaitedMove {
    pub fn start(link: &Link, go: &str) -> Self {
        Self::ask(link, go, Collector::default())
    }

    fn ask(link: &Link, line: &str, collector: Collector) -> Self {
        let asked = Instant::now();
        link.send(line);
        Self { asked, sent: Instant::now(), collector }
    }

    /// Waits for the line that `read` understands, while the clock runs, or for the bell. The second argument
    /// of `read`: whether the line came before the question.
    pub fn listen(
        mut self,
        link: &mut Link,
        request: &MoveRequest,
        read: impl Fn(&str, bool, &mut Collector) -> Result<Option<BestMoveLine>, Fault>,
    ) -> Result<Awaited, Fault> {
        let budget = request.clock().budget();
        let deadline = match budget {
            Some(budget) => later(self.sent, budget.saturating_add(GRACE).saturating_add(request.stopped)),
            None => Patience::until(link.patience.stall),
        };
        loop {
            let line = match link.wire.receive_unless(deadline, request.bell) {
                Ok(line) if line.at <= deadline => line,
                Err(Silence::Called) => return Ok(Awaited::Called(self)),
                Err(silence @ (Silence::Ended | Silence::Cancelled)) => return Err(link.fault(silence, "")),
                Ok(_) | Err(Silence::TimedOut) => {
                    return Err(match budget {
                        Some(budget) => FaultKind::Late(budget.saturating_add(GRACE).as_secs_f64()).into(),
                        None => FaultKind::NoMove(link.patience.stall).into(),
                    });
                }
            };
            let text = line.text.trim();
            if let Some(info) = text.strip_prefix("info ") {
                self.collector.line(info);
                continue;
            }
            let is_early = line.at < self.asked;
            if let Some(BestMoveLine { choice, ponder, draw }) = read(text, is_early, &mut self.collector)? {
                if is_early {
                    return Err(premature(&line));
                }
                let time = line.at.saturating_duration_since(self.sent);
                let (line, wrong_claim) = (self.collector.take_pv(), self.collector.take_wrong_claim());
                let thought = self.collector.finish();
                return Ok(Awaited::Reply(Reply { choice, ponder, draw, wrong_claim, time, line, thought }));
            }
        }
    }
}

/// A search on the opponent's time.
pub struct Pondering {
    /// The game as it will be if the opponent plays what is expected.
    moves: Vec<String>,
}

impl Pondering {
    /// Sends the `go ponder` line; the last of the request's moves is the one expected.
    pub fn start(link: &Link, go: &str, request: &MoveRequest) -> Self {
        link.send(go);
        Self { moves: request.moves.to_vec() }
    }

    /// Whether the opponent has played what was expected.
    pub fn is_about(&self, request: &MoveRequest) -> bool {
        let same = |(a, b): (&String, &String)| a.eq_ignore_ascii_case(b);
        self.moves.len() == request.moves.len() && self.moves.iter().zip(request.moves).all(same)
    }

    /// Makes it a search on the player's own time by the line `word`.
    pub fn hit(self, link: &mut Link, word: &str) -> Result<AwaitedMove, Fault> {
        let mut collector = Collector::default();
        let now = Instant::now();
        // Remarks made in the opponent's time; the rest of a flood is read later.
        while let Some(line) = link.receive(now)? {
            if is_best_move(&line.text) {
                return Err(premature(&line));
            }
            if let Some(info) = line.text.trim().strip_prefix("info ") {
                collector.line(info);
            }
            if line.at > now {
                break;
            }
        }
        Ok(AwaitedMove::ask(link, word, collector))
    }

    /// Ends it; its answer is of no use any more.
    pub fn stop(self, link: &mut Link) -> Result<(), Fault> {
        stop(link)
    }
}

/// Ends a search whose answer is of no use any more.
pub fn stop(link: &mut Link) -> Result<(), Fault> {
    link.send("stop");
    link.wait_for("bestmove after stop", |line| Ok(is_best_move(&line.text).then_some(())))
}

/// Puts an engine's own last move, if it has `answered` with one, among the moves that it knows of: as the
/// game has it, which may be in another spelling than the engine's.
pub fn adopt(known: &mut Vec<String>, answered: &mut bool, moves: &[String]) {
    if std::mem::take(answered) {
        known.push(moves.get(known.len()).cloned().unwrap_or_default());
    }
}

/// Refuses a time per move, or a period, that an engine which counts in seconds cannot represent.
pub fn in_seconds(control: &Control) -> Result<(), Fault> {
    let period = control.overtime.map(|overtime| match overtime {
        Overtime::ByoYomi { length, .. } | Overtime::Canadian { length, .. } => length,
    });
    match control.per_move.or(period) {
        Some(time) if time < Duration::from_secs(1) => Err(FaultKind::WholeSeconds.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_knows_its_own_move_in_the_spelling_of_the_game() {
        let moves = ["e2e4", "e7e5", "e1g1"].map(str::to_owned);
        let (mut known, mut answered) = (moves[..2].to_vec(), true);
        adopt(&mut known, &mut answered, &moves);
        assert_eq!((&known[..], answered), (&moves[..], false));
        adopt(&mut known, &mut answered, &moves);
        assert_eq!(known, moves);
        // A move that is not in the game has to be taken back.
        answered = true;
        adopt(&mut known, &mut answered, &moves);
        assert_eq!(known[3], "");
    }
}
