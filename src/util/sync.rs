//! Locks that ignore poisoning, and work on as many threads as the system provides.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes the lock. A release build ends at the first panic; a test may have a thread that panicked while it
/// held the lock. What is locked here is valid at any moment.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does `work` on a number of threads at once, including this one; on fewer if the system provides no more.
pub fn on_threads(count: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..count {
            if std::thread::Builder::new().spawn_scoped(scope, &work).is_err() {
                break;
            }
        }
        work();
    });
}

/// What `job` makes of each item, in their order; see [`on_threads`].
pub fn in_parallel<T: Send, R: Send>(
    threads: usize,
    items: impl ExactSizeIterator<Item = T> + Send,
    job: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let made: Vec<_> = std::iter::repeat_with(|| Mutex::new(None)).take(items.len()).collect();
    let left = Mutex::new(items.zip(&made));
    on_threads(threads.min(made.len()), || {
        loop {
            let next = lock(&left).next();
            let Some((item, place)) = next else { return };
            let result = job(item);
            *lock(place) = Some(result);
        }
    });
    made.into_iter().filter_map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_in_parallel_is_in_order() {
        for threads in [0, 1, 3, 50] {
            assert_eq!(in_parallel(threads, 0..20, |n| n * n), (0..20).map(|n| n * n).collect::<Vec<_>>());
        }
    }
}
