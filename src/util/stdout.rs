//! Standard output, and the end of a program whose output is not read.
//!
//! A write to a full pipe blocks until the other end reads. A program that is to end does not wait for that
//! forever: once no write has made progress for some time, it exits.

use super::system::{self, remark};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Writes that were begun, and those that were completed.
static BEGUN: AtomicU64 = AtomicU64::new(0);
static DONE: AtomicU64 = AtomicU64::new(0);

/// Bytes written at once: a page of a pipe. More would hide that a slow reader reads.
const PIECE: usize = 4096;

/// Standard output, with its writes counted.
pub struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        counted(|| io::stdout().write(bytes.get(..PIECE).unwrap_or(bytes)))
    }

    fn flush(&mut self) -> io::Result<()> {
        counted(|| io::stdout().flush())
    }
}

fn counted<T>(write: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    BEGUN.fetch_add(1, Relaxed);
    let result = write();
    DONE.fetch_add(1, Relaxed);
    result
}

/// Writes a text as a whole, whatever other threads write, and flushes it.
pub fn write(text: &[u8]) -> io::Result<()> {
    let _held = io::stdout().lock();
    Stdout.write_all(text).and_then(|()| Stdout.flush())
}

/// Ends the program, with exit code 1 and a line on stderr, once a write has been waiting for the reader for
/// this long. Not where the input is a file: then it was not a client that ended it, and the reader may be
/// a pager.
pub fn exit_when_unread(patience: Duration) {
    if system::stdin_is_file() {
        return;
    }
    wait_until_unread(patience);
    // Standard error may be full, too.
    let _ = std::thread::Builder::new().spawn(|| remark!("sanqi: cannot write to stdout: it is not read"));
    std::thread::sleep(Duration::from_millis(100));
    std::process::exit(1);
}

/// Waits until a write has been waiting for the reader for so long.
pub fn wait_until_unread(patience: Duration) {
    const STEP: Duration = Duration::from_millis(100);
    let (mut last, mut waited) = ((0, 0), Duration::ZERO);
    // Steps are counted and not the clock read: a stopped process waits for nothing.
    while waited < patience {
        std::thread::sleep(STEP);
        let now = (BEGUN.load(Relaxed), DONE.load(Relaxed));
        waited = if now == last && now.0 != now.1 { waited.saturating_add(STEP) } else { Duration::ZERO };
        last = now;
    }
}
