//! Locks that go on after a panic elsewhere.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes the lock. A release build ends at the first panic; a test may have a thread that panicked while it held the
/// lock. What is locked here is valid at any moment.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
