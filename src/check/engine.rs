//! An engine under examination: its process, and every line to and from it with its time.

use crate::client::process::{CommandLine, Line, Process, Silence};
use serde::Serialize;
use std::collections::VecDeque;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Lines of the engine that are kept; a flood is not.
const MOST_LINES: usize = 50_000;
/// Lines of the engine in an excerpt: so many of its beginning, and so many of its end.
const HEAD: usize = 4;
const TAIL: usize = 12;
/// Lines of an excerpt that tell of searches.
const THOUGHTS: usize = 4;
/// Characters that an excerpt shows of a line that is neither sent nor accused.
const WIDTH: usize = 240;
/// Characters that it shows of any line: a game of 1,600 plies.
const LONGEST: usize = 8192;

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Way {
    /// To the engine.
    #[serde(rename = ">")]
    Sent,
    /// From it.
    #[serde(rename = "<")]
    Received,
    /// Neither: a remark about what happened, or what was left out.
    #[serde(rename = "=")]
    Remark,
}

/// A line of the traffic.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Milliseconds since the process was started.
    pub ms: f64,
    /// Which way it went.
    pub way: Way,
    /// The line without its end.
    pub text: String,
}

impl Entry {
    /// Whether it tells of a search in progress.
    fn is_thought(&self) -> bool {
        let begins = |c: char| c.is_ascii_digit();
        self.way == Way::Received
            && (self.text.starts_with("info ") || self.text.trim_start().starts_with(begins))
    }

    /// Whether an excerpt must have it: it was sent, it is a remark, or `accusation` quotes it.
    fn is_evidence(&self, accusation: &str) -> bool {
        self.way != Way::Received || !self.text.trim().is_empty() && accusation.contains(self.text.trim())
    }

    /// A copy with `width` characters at the most.
    fn shortened(&self, width: usize) -> Self {
        let mut text: String = self.text.chars().take(width).collect();
        if text.len() < self.text.len() {
            text.push('…');
        }
        Self { text, ..self.clone() }
    }
}

/// The process and its traffic.
pub struct Engine {
    process: Process,
    began: Instant,
    traffic: Vec<Entry>,
    /// Lines that were peeked at.
    heard: VecDeque<Line>,
}

impl Engine {
    /// Starts the command.
    /// # Errors
    /// Why it cannot be started.
    pub fn start(command: &CommandLine) -> Result<Self, String> {
        let began = Instant::now();
        Ok(Self { process: Process::start(command)?, began, traffic: Vec::new(), heard: VecDeque::new() })
    }

    fn note(&mut self, at: Instant, way: Way, text: String) {
        if way != Way::Received || self.traffic.len() < MOST_LINES {
            let ms = at.saturating_duration_since(self.began).as_secs_f64() * 1e3;
            self.traffic.push(Entry { ms: (ms * 10.0).round() / 10.0, way, text });
        }
    }

    /// Sends a line. The time just before.
    pub fn send(&mut self, line: &str) -> Instant {
        let now = Instant::now();
        self.note(now, Way::Sent, line.to_owned());
        self.process.send(line);
        now
    }

    /// Sends bytes as they are; the traffic shows them escaped.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.note(Instant::now(), Way::Sent, bytes.escape_ascii().to_string());
        self.process.send_bytes(bytes.to_vec());
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.remark("its input is closed");
        self.process.close_input();
    }

    /// Notes what happened that is no line.
    pub fn remark(&mut self, text: &str) {
        self.note(Instant::now(), Way::Remark, text.to_owned());
    }

    /// The next line before `deadline`.
    fn receive(&mut self, deadline: Instant) -> Result<Line, Silence> {
        if let Some(line) = self.heard.pop_front() {
            return Ok(line);
        }
        let line = self.process.receive(Some(deadline))?;
        self.note(line.at, Way::Received, line.text.clone());
        Ok(line)
    }

    /// Listens until `deadline` for a line that `accept` takes. All that is heard can be received afterwards.
    /// # Errors
    /// [`Silence`] says why there is none.
    pub fn peek_until(&mut self, deadline: Instant, accept: impl Fn(&str) -> bool) -> Result<(), Silence> {
        if self.heard.iter().any(|line| accept(line.text.trim())) {
            return Ok(());
        }
        let mut heard = std::mem::take(&mut self.heard);
        let found = loop {
            match self.receive(deadline) {
                Ok(line) => {
                    let is_wanted = accept(line.text.trim());
                    heard.push_back(line);
                    if is_wanted {
                        break Ok(());
                    }
                    if Instant::now() > deadline {
                        break Err(Silence::TimedOut);
                    }
                }
                Err(silence) => break Err(silence),
            }
        };
        self.heard = heard;
        found
    }

    /// The first line before `deadline` that `accept` takes. It may look at those before.
    /// # Errors
    /// [`Silence`] says why there is none.
    pub fn wait_for(
        &mut self,
        deadline: Instant,
        mut accept: impl FnMut(&str) -> bool,
    ) -> Result<Line, Silence> {
        self.wait_for_line(deadline, |line| accept(line.text.trim()))
    }

    /// The same, where its time counts.
    /// # Errors
    /// [`Silence`] says why there is none.
    pub fn wait_for_line(
        &mut self,
        deadline: Instant,
        mut accept: impl FnMut(&Line) -> bool,
    ) -> Result<Line, Silence> {
        loop {
            let line = self.receive(deadline)?;
            if accept(&line) {
                return Ok(line);
            }
            // An engine that never stops talking must not be waited for without end.
            if Instant::now() > deadline && self.heard.is_empty() {
                return Err(Silence::TimedOut);
            }
        }
    }

    /// How the process ended, once its output has.
    pub fn end_status(&mut self) -> String {
        let status = self.process.exit_status().unwrap_or_else(|| "it closed its output".to_owned());
        self.remark(&format!("the process is gone: {status}"));
        status
    }

    /// Waits `patience` for the process to end. `None`: it runs on.
    pub fn await_end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let status = self.process.await_end(Instant::now() + patience);
        match &status {
            Some(status) => self.remark(&format!("the process has ended: {status}")),
            None => self.remark(&format!("after {} s the process still runs", patience.as_secs_f64())),
        }
        status
    }

    /// How many lines there are so far.
    pub fn mark(&self) -> usize {
        self.traffic.len()
    }

    /// The traffic since a mark, as an [`excerpt`].
    pub fn excerpt(&self, mark: usize, accusation: &str) -> Vec<Entry> {
        excerpt(self.traffic.get(mark..).unwrap_or_default(), accusation)
    }
}

/// What was sent, what `accusation` quotes, and some of the rest: where the engine said much, most lines about searches
/// are left out, and others in the middle.
fn excerpt(lines: &[Entry], accusation: &str) -> Vec<Entry> {
    let count = |wanted: fn(&Entry) -> bool| lines.iter().filter(|entry| wanted(entry)).count();
    let thoughts = count(Entry::is_thought);
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
fn gap(left_out: &mut usize, ms: f64) -> Option<Entry> {
    let text = match std::mem::take(left_out) {
        0 => return None,
        1 => "1 line is left out".to_owned(),
        many => format!("{many} lines are left out"),
    };
    Some(Entry { ms, way: Way::Remark, text })
}

/// Ends an engine that nobody needs any more: it is asked to quit, and killed soon after.
impl Drop for Engine {
    fn drop(&mut self) {
        self.process.send("quit");
        self.process.end(Instant::now() + Duration::from_millis(300));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_has_what_was_sent_and_what_is_accused() {
        let entry = |way, text: &str| Entry { ms: 0.0, way, text: text.to_owned() };
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
