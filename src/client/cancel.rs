//! Ends the work with engines from outside, at once.

use crate::util::sync::lock;
use crossbeam::channel::{Receiver, Sender, bounded};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

/// Cancels a match. All copies are cancelled together, and stay so.
#[derive(Clone)]
pub struct CancelToken {
    sender: Arc<Mutex<Option<Sender<Infallible>>>>,
    receiver: Receiver<Infallible>,
}

impl Default for CancelToken {
    fn default() -> Self {
        let (sender, receiver) = bounded(0);
        Self { sender: Arc::new(Mutex::new(Some(sender))), receiver }
    }
}

impl CancelToken {
    pub fn cancel(&self) {
        lock(&self.sender).take();
    }

    pub fn is_cancelled(&self) -> bool {
        lock(&self.sender).is_none()
    }

    /// Never receives; disconnected when the match is cancelled.
    pub fn receiver(&self) -> &Receiver<Infallible> {
        &self.receiver
    }
}
