//! A line to an engine's process: lines sent, lines waited for, and a tap that gets them all.

use super::cancel::CancelToken;
use super::process::{CommandLine, OutputLine, Process, Silence, describe_exit};
use crate::message;
use crate::util::message::Message;
use crossbeam::channel::{self, Receiver};
use std::collections::VecDeque;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub trait Tap: Send + Sync {
    /// A line was sent to the engine, or received from it, at that time.
    fn line(&self, sent: bool, at: Instant, text: &str);
}

pub struct Wire {
    process: Process,
    tap: Option<Arc<dyn Tap>>,
    peeked: VecDeque<OutputLine>,
}

impl Wire {
    pub fn start(command: &CommandLine, tap: Option<Arc<dyn Tap>>) -> Result<Self, Message> {
        Ok(Self { process: Process::start(command)?, tap, peeked: VecDeque::new() })
    }

    /// Cancels waiting for an answer, from now on.
    pub fn set_cancel(&mut self, cancel: CancelToken) {
        self.process.set_cancel(cancel);
    }

    pub fn set_tap(&mut self, tap: Option<Arc<dyn Tap>>) {
        self.tap = tap;
    }

    fn note(&self, sent: bool, at: Instant, text: &str) {
        if let Some(tap) = &self.tap {
            tap.line(sent, at, text);
        }
    }

    /// Sends a line. Returns the time just before.
    pub fn send(&self, line: &str) -> Instant {
        let now = Instant::now();
        self.note(true, now, line);
        self.process.send(line);
        now
    }

    /// Sends bytes as they are; the tap gets them escaped.
    pub fn send_bytes(&self, bytes: &[u8]) {
        self.note(true, Instant::now(), &bytes.escape_ascii().to_string());
        self.process.send_bytes(bytes.to_vec());
    }

    pub fn close_input(&mut self) {
        self.process.close_input();
    }

    pub fn receive(&mut self, deadline: Instant) -> Result<OutputLine, Silence> {
        self.receive_unless(deadline, &channel::never())
    }

    /// The next line before `deadline`, unless `bell` rings first.
    pub fn receive_unless(&mut self, deadline: Instant, bell: &Receiver<()>) -> Result<OutputLine, Silence> {
        match self.peeked.pop_front() {
            Some(line) => Ok(line),
            None => self.receive_new(deadline, bell),
        }
    }

    fn receive_new(&mut self, deadline: Instant, bell: &Receiver<()>) -> Result<OutputLine, Silence> {
        let line = self.process.receive_unless(Some(deadline), bell)?;
        self.note(false, line.at, &line.text);
        Ok(line)
    }

    /// Reads lines until `find` finds what it looks for in one.
    pub fn find<T>(
        &mut self,
        deadline: Instant,
        mut find: impl FnMut(&OutputLine) -> Option<T>,
    ) -> Result<T, Silence> {
        loop {
            let line = self.receive(deadline)?;
            if let Some(found) = find(&line) {
                return Ok(found);
            }
            // An engine that never stops printing must not hold up the deadline.
            if Instant::now() > deadline && self.peeked.is_empty() {
                return Err(Silence::TimedOut);
            }
        }
    }

    /// The first line before `deadline` that `accept` takes. It may look at those before.
    pub fn wait_for(
        &mut self,
        deadline: Instant,
        mut accept: impl FnMut(&str) -> bool,
    ) -> Result<OutputLine, Silence> {
        self.find(deadline, |line| accept(line.text.trim()).then(|| line.clone()))
    }

    /// Listens until `deadline` for a line that `accept` takes. All lines can still be received afterwards.
    pub fn peek_until(&mut self, deadline: Instant, accept: impl Fn(&str) -> bool) -> Result<(), Silence> {
        self.peek_unless(deadline, &channel::never(), accept)
    }

    /// The same, unless `bell` rings first.
    pub fn peek_unless(
        &mut self,
        deadline: Instant,
        bell: &Receiver<()>,
        accept: impl Fn(&str) -> bool,
    ) -> Result<(), Silence> {
        if self.peeked.iter().any(|line| accept(line.text.trim())) {
            return Ok(());
        }
        loop {
            let line = self.receive_new(deadline, bell)?;
            let is_wanted = accept(line.text.trim());
            self.peeked.push_back(line);
            if is_wanted {
                return Ok(());
            }
            if Instant::now() > deadline {
                return Err(Silence::TimedOut);
            }
        }
    }

    /// How the process ended, once its output has.
    pub fn end_status(&mut self) -> Message {
        let closed = || message!("it closed its output" | "它关闭了输出");
        self.process.exit_status().map_or_else(closed, describe_exit)
    }

    pub fn is_cancelled(&self) -> bool {
        self.process.is_cancelled()
    }

    /// Waits `patience` for the process to end by itself. `None`: it runs on.
    pub fn await_end(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.process.await_end(later(Instant::now(), patience))
    }

    /// Sends `quit`, waits, kills.
    pub fn quit(&mut self, patience: Duration) {
        self.send("quit");
        self.process.end(later(Instant::now(), patience));
    }
}

/// A hundred years from now, for times that the system's clock cannot represent.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 86_400);

pub fn later(start: Instant, wait: Duration) -> Instant {
    start.checked_add(wait.min(FOREVER)).unwrap_or(start)
}
