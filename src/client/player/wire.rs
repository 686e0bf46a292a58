//! A conversation with an engine's process: questions with deadlines, answers, faults.

use super::{Fault, Patience};
use crate::client::halt::Bell;
use crate::client::process::{CommandLine, Line, Process, Silence};
use crate::games::record::Reason;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Somebody who listens to the traffic.
pub trait Tap: Send + Sync {
    /// A line was sent to the engine, or received from it, at that time.
    fn line(&self, sent: bool, at: Instant, text: &str);
}

/// Where remarks about an engine go.
pub type Remarks = Arc<dyn Fn(&str) + Send + Sync>;

/// The conversation.
pub struct Wire {
    process: Process,
    tap: Option<Arc<dyn Tap>>,
    remarks: Option<Remarks>,
    /// How long to wait.
    pub patience: Patience,
    /// Round trips measured since they were last taken.
    pub latencies: Vec<Duration>,
}

impl Wire {
    /// Starts the process.
    /// # Errors
    /// Why it cannot be started.
    pub fn start(command: &CommandLine, patience: Patience) -> Result<Self, String> {
        let process = Process::start(command)?;
        Ok(Self { process, tap: None, remarks: None, patience, latencies: Vec::new() })
    }

    /// What ends the waiting for an answer, from now on.
    pub fn set_bell(&mut self, bell: Bell) {
        self.process.set_bell(bell);
    }

    /// Who is told of remarks from now on.
    pub fn set_remarks(&mut self, remarks: Option<Remarks>) {
        self.remarks = remarks;
    }

    /// Passes on what the match's user should know about the engine.
    pub fn remark(&self, text: &str) {
        if let Some(remarks) = &self.remarks {
            remarks(&text.chars().take(200).collect::<String>());
        }
    }

    /// Who listens from now on.
    pub fn set_tap(&mut self, tap: Option<Arc<dyn Tap>>) {
        self.tap = tap;
    }

    /// Sends a line.
    pub fn send(&self, line: &str) {
        if let Some(tap) = &self.tap {
            tap.line(true, Instant::now(), line);
        }
        self.process.send(line);
    }

    /// The next line before `deadline`. `Ok(None)`: none came.
    /// # Errors
    /// When the process has ended.
    pub fn receive(&mut self, deadline: Instant) -> Result<Option<Line>, Fault> {
        match self.process.receive(Some(deadline)) {
            Ok(line) => {
                if let Some(tap) = &self.tap {
                    tap.line(false, line.at, &line.text);
                }
                Ok(Some(line))
            }
            Err(Silence::TimedOut) => Ok(None),
            Err(Silence::Ended) => Err(self.ended()),
            Err(Silence::Halted) => Err(interrupted()),
        }
    }

    /// Reads lines until `answer` finds what it looks for in one; `what` names it in the fault.
    /// # Errors
    /// A crash, or a stall when it does not come within the patience for such things.
    pub fn wait_for<T>(
        &mut self,
        what: &str,
        mut answer: impl FnMut(&Line) -> Result<Option<T>, Fault>,
    ) -> Result<T, Fault> {
        let deadline = Patience::until(self.patience.ready);
        loop {
            // An engine that never stops talking must not be waited for without end.
            if Instant::now() > deadline {
                return Err(self.stalled(what));
            }
            match self.receive(deadline)? {
                Some(line) => {
                    if let Some(found) = answer(&line)? {
                        return Ok(found);
                    }
                }
                None => return Err(self.stalled(what)),
            }
        }
    }

    fn stalled(&self, what: &str) -> Fault {
        Fault::new(Reason::Stall, format!("no {what} within {} s", self.patience.ready))
    }

    fn ended(&mut self) -> Fault {
        let how = self.process.exit_status().unwrap_or_else(|| "it closed its output".to_owned());
        if self.process.is_halted() {
            return interrupted();
        }
        Fault::new(Reason::Crash, format!("the engine is gone: {how}"))
    }

    /// Says `quit`, waits, kills.
    pub fn quit(&mut self) {
        self.send("quit");
        self.process.end(Patience::until(self.patience.quit));
    }
}

fn interrupted() -> Fault {
    Fault::new(Reason::Interrupted, "the match was interrupted")
}
