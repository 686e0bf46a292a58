//! Ends a match from outside, at once: whoever waits for an engine's answer waits for this as well.

use crate::util::sync::lock;
use crossbeam::channel::{Receiver, Sender, bounded};
use std::convert::Infallible;
use std::sync::Mutex;

/// Receives nothing; it is disconnected when the match is halted.
pub type Bell = Receiver<Infallible>;

/// The switch. Once thrown it stays so.
pub struct Halt {
    sender: Mutex<Option<Sender<Infallible>>>,
    bell: Bell,
}

impl Default for Halt {
    fn default() -> Self {
        let (sender, bell) = bounded(0);
        Self { sender: Mutex::new(Some(sender)), bell }
    }
}

impl Halt {
    /// Throws the switch.
    pub fn now(&self) {
        lock(&self.sender).take();
    }

    /// Whether it was thrown.
    pub fn is_set(&self) -> bool {
        lock(&self.sender).is_none()
    }

    /// What a waiting thread watches.
    pub fn bell(&self) -> Bell {
        self.bell.clone()
    }
}
