//! An engine under examination: its process, and every line to and from it with its time.

use crate::arbiter::process::{CommandLine, Line, Process, Silence};
use serde::Serialize;
use std::collections::VecDeque;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Lines that are kept; a flood is not.
const MOST_LINES: usize = 50_000;
/// Lines of an excerpt: so many of its beginning, and so many of its end.
const HEAD: usize = 4;
const TAIL: usize = 12;
/// Lines of an excerpt that tell of searches.
const THOUGHTS: usize = 4;
/// Characters of a line that an excerpt shows.
const WIDTH: usize = 240;

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

    /// A copy with as much of the text as people read.
    fn shortened(&self) -> Self {
        let mut text: String = self.text.chars().take(WIDTH).collect();
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
        if self.traffic.len() < MOST_LINES {
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
        loop {
            let line = self.receive(deadline)?;
            if accept(line.text.trim()) {
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

    /// The traffic since a mark. Where it is long, most lines about searches and the middle are left out.
    pub fn excerpt(&self, mark: usize) -> Vec<Entry> {
        let lines = self.traffic.get(mark..).unwrap_or_default();
        let mut kept: Vec<&Entry> = lines.iter().collect();
        if kept.len() > HEAD + TAIL {
            let thoughts = kept.iter().filter(|entry| entry.is_thought()).count();
            let mut seen = 0;
            kept.retain(|entry| {
                seen += usize::from(entry.is_thought());
                !entry.is_thought() || seen + THOUGHTS > thoughts
            });
        }
        if kept.len() > HEAD + TAIL {
            kept.drain(HEAD..kept.len() - TAIL);
        }
        let left_out = lines.len() - kept.len();
        let mut excerpt: Vec<Entry> = kept.into_iter().map(Entry::shortened).collect();
        if left_out > 0 {
            let text = format!("{left_out} lines are left out");
            let ms = excerpt.last().map_or(0.0, |entry| entry.ms);
            excerpt.push(Entry { ms, way: Way::Remark, text });
        }
        excerpt
    }
}

/// Ends an engine that nobody needs any more: it is asked to quit, and killed soon after.
impl Drop for Engine {
    fn drop(&mut self) {
        self.process.send("quit");
        self.process.end(Instant::now() + Duration::from_millis(300));
    }
}
