//! A player's wire: silence becomes a fault, remarks go to the match's user, and round trips are measured.

use super::{Fault, FaultKind, Patience};
use crate::client::process::{OutputLine, Silence};
use crate::client::wire::Wire;
use crate::util::message::Message;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where remarks about an engine go.
pub type RemarkSink = Arc<dyn Fn(&Message) + Send + Sync>;

pub struct Link {
    pub wire: Wire,
    pub remarks: Option<RemarkSink>,
    pub patience: Patience,
    /// Round trips measured since they were last taken.
    pub latencies: Vec<Duration>,
}

impl Link {
    /// Passes on what the match's user should know about the engine.
    pub fn remark(&self, text: &Message) {
        if let Some(remarks) = &self.remarks {
            remarks(text);
        }
    }

    pub fn send(&self, line: &str) -> Instant {
        self.wire.send(line)
    }

    /// The next line before `deadline`. `Ok(None)`: none came.
    pub fn receive(&mut self, deadline: Instant) -> Result<Option<OutputLine>, Fault> {
        match self.wire.receive(deadline) {
            Ok(line) => Ok(Some(line)),
            Err(Silence::TimedOut) => Ok(None),
            Err(silence) => Err(self.fault(silence, "")),
        }
    }

    /// Reads lines until `answer` finds what it looks for in one; `what` names it in the fault.
    pub fn wait_for<T>(
        &mut self,
        what: &str,
        mut answer: impl FnMut(&OutputLine) -> Result<Option<T>, Fault>,
    ) -> Result<T, Fault> {
        let deadline = Patience::until(self.patience.ready);
        let found = self.wire.find(deadline, |line| answer(line).transpose());
        found.unwrap_or_else(|silence| Err(self.fault(silence, what)))
    }

    /// Why `what` did not come.
    pub fn fault(&mut self, silence: Silence, what: &str) -> Fault {
        match silence {
            Silence::TimedOut => FaultKind::Silent(what.to_owned(), self.patience.ready),
            Silence::Ended => {
                let how = self.wire.end_status();
                if self.wire.is_cancelled() { FaultKind::Interrupted } else { FaultKind::Gone(how) }
            }
            Silence::Cancelled | Silence::Called => FaultKind::Interrupted,
        }
        .into()
    }
}
