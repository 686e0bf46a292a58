//! Worker threads that live as long as their pool. <https://www.chessprogramming.org/Lazy_SMP>
//!
//! A job is moved to its thread and its result moved back: threads share data by `Arc` only, and no lifetime
//! has to be proven by hand.

use crossbeam::channel::{Receiver, Sender, unbounded};
use std::sync::Arc;
use std::thread::JoinHandle;

type Job = Box<dyn FnOnce() + Send>;

/// The stack of each thread. Deep searches recurse some 250 times with a move list in each frame.
pub const STACK_BYTES: usize = 32 << 20;

/// A fixed number of threads waiting for work.
pub struct Pool {
    workers: Vec<(Sender<Job>, Option<JoinHandle<()>>)>,
}

/// Jobs under way: [`join`](Pending::join) waits for them.
pub struct Pending<T> {
    results: Receiver<(usize, T)>,
    count: usize,
}

impl Pool {
    /// Starts `threads` threads (at least one).
    pub fn new(threads: usize) -> std::io::Result<Self> {
        let workers = (0..threads.max(1))
            .map(|i| {
                let (sender, jobs) = unbounded::<Job>();
                let handle = std::thread::Builder::new()
                    .name(format!("worker {i}"))
                    .stack_size(STACK_BYTES)
                    .spawn(move || jobs.into_iter().for_each(|job| job()))?;
                Ok((sender, Some(handle)))
            })
            .collect::<std::io::Result<_>>()?;
        Ok(Self { workers })
    }

    pub fn len(&self) -> usize {
        self.workers.len()
    }

    /// Starts `job(i)` on every thread `i` and returns at once.
    pub fn launch<T: Send + 'static>(&self, job: impl Fn(usize) -> T + Send + Sync + 'static) -> Pending<T> {
        let job = Arc::new(job);
        let (sender, results) = unbounded();
        for (i, (worker, _)) in self.workers.iter().enumerate() {
            let (job, sender) = (Arc::clone(&job), sender.clone());
            // A send fails only when the thread is gone; its result is then missing in `join`.
            let _ = worker.send(Box::new(move || {
                let _ = sender.send((i, job(i)));
            }));
        }
        Pending { results, count: self.workers.len() }
    }

    /// Runs `job(i)` on every thread and returns the results in order of `i`.
    pub fn run<T: Send + 'static>(&self, job: impl Fn(usize) -> T + Send + Sync + 'static) -> Vec<T> {
        self.launch(job).join()
    }
}

impl<T> Pending<T> {
    /// Whether [`join`](Self::join) would return at once.
    pub fn is_done(&self) -> bool {
        self.results.len() >= self.count
    }

    /// Waits for all jobs; their results in order of the threads.
    pub fn join(self) -> Vec<T> {
        let mut results: Vec<_> = self.results.into_iter().take(self.count).collect();
        results.sort_by_key(|&(i, _)| i);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for (sender, handle) in &mut self.workers {
            drop(std::mem::replace(sender, unbounded().0));
            if let Some(handle) = handle.take() {
                let _ = handle.join();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_runs_the_job_and_results_come_in_order() {
        let pool = Pool::new(3).unwrap();
        for round in 0..100 {
            assert_eq!(pool.run(move |i| i * 10 + round), vec![round, 10 + round, 20 + round]);
        }
    }

    #[test]
    fn a_launched_job_can_be_joined_later() {
        let pool = Pool::new(2).unwrap();
        let first = pool.launch(|i| i);
        let second = pool.launch(|i| i + 2);
        assert_eq!(second.join(), vec![2, 3]);
        assert_eq!(first.join(), vec![0, 1]);
    }
}
