//! Standard input and standard output: one thread that reads, one handle that writes.
//!
//! The reader frames lines of any length and any bytes, stamps them, and hands them to the controller
//! through a channel. A line that stops the running search does so while it is being queued, so that
//! the search ends even while the controller is busy with something else.

use crate::engine::StopHandle;
use crossbeam::channel::{self, Receiver, Sender};
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What exceeds this many bytes of a line is dropped, lest one line fill the memory.
const MAX_LINE: usize = 16 << 20;

/// One line of input, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The text; bytes that are not UTF-8 have become U+FFFD.
    pub text: String,
    /// When it was complete.
    pub arrived: Instant,
}

/// The input, as the controller sees it.
pub struct Input {
    /// The lines in order; disconnected after the last one was taken.
    pub lines: Receiver<Line>,
    /// Carries nothing; disconnected as soon as the input has ended, lines left to be taken or not.
    pub ended: Receiver<Infallible>,
}

/// Starts the reader thread on `source`.
pub fn read(source: impl Read + Send + 'static, switch: StopSwitch, journal: Journal) -> Input {
    let (line_sender, lines) = channel::unbounded();
    let (end_sender, ended) = channel::bounded(0);
    let reader = move || {
        let _ends_with_the_thread = end_sender;
        read_all(source, &line_sender, &switch, &journal);
    };
    // Where no thread can be had, both channels are disconnected: the session ends at once.
    drop(std::thread::Builder::new().name("reader".into()).spawn(reader));
    Input { lines, ended }
}

fn read_all(source: impl Read, lines: &Sender<Line>, switch: &StopSwitch, journal: &Journal) {
    let mut source = BufReader::with_capacity(1 << 16, source);
    let mut bytes = Vec::new();
    let mut first = true;
    while read_line(&mut source, &mut bytes) {
        // PowerShell opens a pipe with a byte order mark.
        let content = if first { bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes) } else { &bytes };
        first = false;
        let line = Line { text: String::from_utf8_lossy(content).into_owned(), arrived: Instant::now() };
        journal.note("<<", &line.text);
        if !switch.pass(line, lines) {
            return;
        }
    }
}

/// Reads up to the next line feed into `line`, without the line end. False at the end of the input.
fn read_line(source: &mut impl BufRead, line: &mut Vec<u8>) -> bool {
    line.clear();
    let mut any = false;
    loop {
        let chunk = match source.fill_buf() {
            Ok([]) => break,
            Ok(chunk) => chunk,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        any = true;
        let end = chunk.iter().position(|&b| b == b'\n');
        let content = &chunk[..end.unwrap_or(chunk.len())];
        line.extend_from_slice(&content[..content.len().min(MAX_LINE - line.len())]);
        let used = content.len() + usize::from(end.is_some());
        source.consume(used);
        if end.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    any
}

/// Lets the reader thread stop the running search.
#[derive(Clone, Default)]
pub struct StopSwitch(Arc<Mutex<Switch>>);

struct Switch {
    /// The search that runs.
    search: Option<StopHandle>,
    /// [`Dialect::interrupts`](super::Dialect::interrupts) of the dialect in use.
    interrupts: fn(&str) -> bool,
}

impl Default for Switch {
    fn default() -> Self {
        Self { search: None, interrupts: |_| false }
    }
}

impl StopSwitch {
    /// A search runs from now on; `None`: none does.
    pub fn set_search(&self, search: Option<StopHandle>) {
        lock(&self.0).search = search;
    }

    /// Which lines stop it.
    pub fn set_interrupts(&self, interrupts: fn(&str) -> bool) {
        lock(&self.0).interrupts = interrupts;
    }

    /// Queues `line`, and stops the search if it says so. One lock holds both together: a search that
    /// starts because of this line, or after it, is not hit; and the line is in the queue before the
    /// end of the search that it stops can be. False when nobody listens any more.
    fn pass(&self, line: Line, lines: &Sender<Line>) -> bool {
        let switch = lock(&self.0);
        let stops = switch.search.is_some() && (switch.interrupts)(&line.text);
        let heard = lines.send(line).is_ok();
        if let (true, Some(search)) = (stops, &switch.search) {
            search.set();
        }
        heard
    }
}

/// The one writer of standard output (or, in tests, of something else). Clones write to the same place.
#[derive(Clone)]
pub struct Output {
    sink: Arc<Mutex<Sink>>,
    journal: Journal,
}

struct Sink {
    to: Box<dyn Write + Send>,
    open: bool,
    line: String,
}

impl Output {
    /// Writes to standard output.
    pub fn stdout(journal: Journal) -> Self {
        Self::new(io::stdout(), journal)
    }

    /// Writes to `to`.
    pub fn new(to: impl Write + Send + 'static, journal: Journal) -> Self {
        let sink = Sink { to: Box::new(to), open: true, line: String::new() };
        Self { sink: Arc::new(Mutex::new(sink)), journal }
    }

    /// Writes one line and flushes it. Control characters become blanks, so that text echoed from the
    /// input cannot break a line in two. Once the other end is closed this does nothing.
    pub fn line(&self, text: &str) {
        let mut sink = lock(&self.sink);
        let Sink { to, open, line } = &mut *sink;
        if !*open {
            return;
        }
        line.clear();
        line.extend(text.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }));
        self.journal.note(">>", line);
        line.push('\n');
        *open = to.write_all(line.as_bytes()).and_then(|()| to.flush()).is_ok();
    }

    /// Whether the other end still listens, as far as the last write told.
    pub fn is_open(&self) -> bool {
        lock(&self.sink).open
    }
}

/// A record of both directions in a file (`Debug Log File`), when one is open.
#[derive(Clone, Default)]
pub struct Journal(Arc<Mutex<Option<Record>>>);

struct Record {
    file: File,
    since: Instant,
}

impl Journal {
    /// Appends to the file at `path` from now on; the empty path closes the journal.
    /// # Errors
    /// The file cannot be opened; the journal is as it was.
    pub fn open(&self, path: &str) -> io::Result<()> {
        let record = if path.is_empty() {
            None
        } else {
            let file = File::options().create(true).append(true).open(Path::new(path))?;
            Some(Record { file, since: Instant::now() })
        };
        *lock(&self.0) = record;
        Ok(())
    }

    /// Writes `text` with the seconds since the journal was opened. Errors are nobody's concern.
    fn note(&self, direction: &str, text: &str) {
        if let Some(Record { file, since }) = &mut *lock(&self.0) {
            let seconds = since.elapsed().as_secs_f64();
            drop(file.write_all(format!("{seconds:10.4} {direction} {text}\n").as_bytes()));
        }
    }
}

/// A lock that goes on after a panic elsewhere: what these locks guard is valid at any moment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(bytes: &[u8]) -> Vec<String> {
        let input = read(io::Cursor::new(bytes.to_vec()), StopSwitch::default(), Journal::default());
        input.lines.iter().map(|line| line.text).collect()
    }

    #[test]
    fn lines_are_framed_whatever_they_hold() {
        assert_eq!(lines_of(b"uci\nisready\r\n\nquit"), ["uci", "isready", "", "quit"]);
        assert_eq!(lines_of(b""), [""; 0]);
        assert_eq!(lines_of(b"\xEF\xBB\xBFuci\n\xEF\xBB\xBF"), ["uci", "\u{FEFF}"]);
        assert_eq!(lines_of(b"\xFF\x00\xC3\n"), ["\u{FFFD}\0\u{FFFD}"]);
    }

    #[test]
    fn a_line_longer_than_any_buffer_arrives_whole_and_an_endless_one_is_cut() {
        let long = "x".repeat(1_000_000);
        assert_eq!(lines_of(format!("{long}\nuci\n").as_bytes()), [long.as_str(), "uci"]);
        let endless = lines_of(&[vec![b'y'; MAX_LINE + 70_000], b"\nuci\n".to_vec()].concat());
        assert_eq!(endless.iter().map(String::len).collect::<Vec<_>>(), [MAX_LINE, 3]);
    }

    #[test]
    fn only_a_running_search_is_interrupted_and_only_by_what_the_dialect_says() {
        let switch = StopSwitch::default();
        let (sender, lines) = channel::unbounded();
        let stop = StopHandle::default();
        let pass = |text: &str| {
            let line = Line { text: text.into(), arrived: Instant::now() };
            assert!(switch.pass(line, &sender));
            assert_eq!(lines.recv().map(|line| line.text).as_deref(), Ok(text));
            std::mem::take(&mut *lock(&switch.0)).search.is_some_and(|s| s.is_set())
        };
        switch.set_interrupts(|line| line == "stop");
        assert!(!pass("stop"), "no search runs");
        switch.set_interrupts(|line| line == "stop");
        switch.set_search(Some(stop.clone()));
        assert!(!pass("isready"));
        switch.set_interrupts(|line| line == "stop");
        switch.set_search(Some(stop));
        assert!(pass("stop"));
    }

    /// A pipe whose other end is closed after some bytes.
    struct Closing(usize);

    impl Write for Closing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_pipe_is_noticed_and_written_no_more() {
        let output = Output::new(Closing(8), Journal::default());
        output.line("readyok");
        assert!(output.is_open());
        output.line("readyok");
        assert!(!output.is_open());
        output.line("readyok");
    }
}
