//! The engine that is checked: its process, and every line to and from it with its time.

use crate::client::process::CommandLine;
use crate::client::wire::{Tap, Wire};
use crate::util::message::Message;
use crate::util::sync::lock;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::process::ExitStatus;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Maximum number of the engine's lines that are kept.
const MAX_LINES: usize = 50_000;
/// Lines of the engine at the beginning and at the end of an excerpt.
const HEAD: usize = 4;
const TAIL: usize = 12;
/// Lines of an excerpt about searches.
const THOUGHTS: usize = 4;
/// Characters that an excerpt shows of a line that is neither sent nor accused.
const WIDTH: usize = 240;
/// Characters that it shows of any line: a game of 1,600 plies.
const LONGEST: usize = 8192;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Way {
    #[serde(rename = ">")]
    Sent,
    #[serde(rename = "<")]
    Received,
    /// Neither: an event, or lines left out.
    #[serde(rename = "=")]
    Remark,
}

#[derive(Clone, Debug, Serialize)]
pub struct TrafficLine {
    /// Milliseconds since the process was started.
    pub ms: f64,
    pub way: Way,
    /// The line without its end.
    pub text: String,
}

impl TrafficLine {
    /// Whether it is about a search in progress.
    fn is_thought(&self) -> bool {
        let begins = |c: char| c.is_ascii_digit();
        self.way == Way::Received
            && (self.text.starts_with("info ") || self.text.trim_start().starts_with(begins))
    }

    /// Whether an excerpt must have it: it was sent, it is a remark, or `accusation` quotes it.
    fn is_evidence(&self, accusation: &str) -> bool {
        self.way != Way::Received || !self.text.trim().is_empty() && accusation.contains(self.text.trim())
    }

    /// A copy with at most `width` characters.
    fn shortened(&self, width: usize) -> Self {
        let mut text: String = self.text.chars().take(width).collect();
        if text.len() < self.text.len() {
            text.push('…');
        }
        Self { text, ..self.clone() }
    }
}

/// Every line to and from an engine.
struct Traffic {
    began: Instant,
    entries: Mutex<Vec<TrafficLine>>,
    commands: Commands,
}

/// How often each command was sent, by its first word.
pub(super) type Commands = Arc<Mutex<BTreeMap<String, usize>>>;

/// Characters of a word that is taken for a command.
const COMMAND: usize = 24;

impl Tap for Traffic {
    fn line(&self, sent: bool, at: Instant, text: &str) {
        self.note(at, if sent { Way::Sent } else { Way::Received }, text);
    }
}

impl Traffic {
    fn note(&self, at: Instant, way: Way, text: &str) {
        if way == Way::Sent {
            let word = text.split_whitespace().next().filter(|word| word.len() <= COMMAND && word.is_ascii());
            *lock(&self.commands).entry(word.unwrap_or("…").to_owned()).or_default() += 1;
        }
        let mut entries = lock(&self.entries);
        if way != Way::Received || entries.len() < MAX_LINES {
            let ms = at.saturating_duration_since(self.began).as_secs_f64() * 1e3;
            entries.push(TrafficLine { ms: (ms * 10.0).round() / 10.0, way, text: text.to_owned() });
        }
    }
}

pub(super) struct Engine {
    wire: Wire,
    traffic: Arc<Traffic>,
}

impl Deref for Engine {
    type Target = Wire;
    fn deref(&self) -> &Wire {
        &self.wire
    }
}

impl DerefMut for Engine {
    fn deref_mut(&mut self) -> &mut Wire {
        &mut self.wire
    }
}

impl Engine {
    pub fn start(command: &CommandLine, commands: Commands) -> Result<Self, Message> {
        let traffic = Arc::new(Traffic { began: Instant::now(), entries: Mutex::default(), commands });
        Ok(Self { wire: Wire::start(command, Some(traffic.clone()))?, traffic })
    }

    fn remark(&self, text: &str) {
        self.traffic.note(Instant::now(), Way::Remark, text);
    }

    pub fn close_input(&mut self) {
        self.remark("its input is closed");
        self.wire.close_input();
    }

    /// How the process ended, once its output has.
    pub fn end_status(&mut self) -> Message {
        let status = self.wire.end_status();
        self.remark(&format!("the process is gone: {status}"));
        status
    }

    /// Waits `patience` for the process to end. `None`: it runs on.
    pub fn await_end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let status = self.wire.await_end(patience);
        match &status {
            Some(status) => self.remark(&format!("the process has ended: {status}")),
            None => self.remark(&format!("after {} s the process still runs", patience.as_secs_f64())),
        }
        status
    }

    /// How many lines there are so far.
    pub fn mark(&self) -> usize {
        lock(&self.traffic.entries).len()
    }

    pub fn excerpt(&self, mark: usize, accusation: &str) -> Vec<TrafficLine> {
        excerpt(lock(&self.traffic.entries).get(mark..).unwrap_or_default(), accusation)
    }
}

/// What was sent, what `accusation` quotes, and some of the rest: of a long output most lines about searches
/// are left out, and others in the middle.
fn excerpt(lines: &[TrafficLine], accusation: &str) -> Vec<TrafficLine> {
    let count = |wanted: fn(&TrafficLine) -> bool| lines.iter().filter(|entry| wanted(entry)).count();
    let thoughts = count(TrafficLine::is_thought);
    let others = count(|entry| entry.way == Way::Received && !entry.is_thought());
    let (mut thought, mut other, mut left_out) = (0, 0, 0);
    let mut excerpt = Vec::new();
    for entry in lines {
        let is_evidence = entry.is_evidence(accusation);
        let is_shown = if entry.is_thought() {
            thought += 1;
            lines.len() <= HEAD + TAIL || thought + THOUGHTS > thoughts
        } else {
            other += usize::from(entry.way == Way::Received);
            other <= HEAD || other + TAIL > others
        };
        if is_evidence || is_shown {
            excerpt.extend(gap(&mut left_out, entry.ms));
            excerpt.push(entry.shortened(if is_evidence { LONGEST } else { WIDTH }));
        } else {
            left_out += 1;
        }
    }
    excerpt.extend(gap(&mut left_out, lines.last().map_or(0.0, |entry| entry.ms)));
    excerpt
}

/// The remark that lines are left out here, if some are. They are counted anew after it.
fn gap(left_out: &mut usize, ms: f64) -> Option<TrafficLine> {
    let text = match std::mem::take(left_out) {
        0 => return None,
        1 => "1 line is left out".to_owned(),
        many => format!("{many} lines are left out"),
    };
    Some(TrafficLine { ms, way: Way::Remark, text })
}

/// Asks the engine to quit, and kills it soon after.
impl Drop for Engine {
    fn drop(&mut self) {
        self.wire.quit(Duration::from_millis(300));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_has_what_was_sent_and_what_is_accused() {
        let entry = |way, text: &str| TrafficLine { ms: 0.0, way, text: text.to_owned() };
        let position = format!("position startpos moves {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(100));
        let mut lines = vec![entry(Way::Sent, &position), entry(Way::Sent, "go depth 9")];
        lines.extend((0..1000).map(|n| entry(Way::Received, &format!("info depth 1 nodes {n}."))));
        lines.extend([entry(Way::Sent, "stop"), entry(Way::Received, "bestmove e2e5")]);
        let shown = excerpt(&lines, "\"info depth 1 nodes 7.\": a number is missing");
        let texts: Vec<&str> = shown.iter().map(|entry| entry.text.as_str()).collect();
        let expected = [
            &position,
            "go depth 9",
            "7 lines are left out",
            "info depth 1 nodes 7.",
            "988 lines are left out",
            "info depth 1 nodes 996.",
            "info depth 1 nodes 997.",
            "info depth 1 nodes 998.",
            "info depth 1 nodes 999.",
            "stop",
            "bestmove e2e5",
        ];
        assert_eq!(texts, expected);
        let short = excerpt(&lines[..4], "");
        assert_eq!(short.len(), 4);
    }
}
