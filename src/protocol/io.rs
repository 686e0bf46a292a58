//! Standard input and standard output: one thread that reads, one handle that writes.
//!
//! The reader frames lines of any length and any bytes, stamps them, and hands them to the controller
//! through a channel. A line that stops the running search does so while it is being queued, so that
//! the search ends even while the controller is busy with something else; and a question whose answer
//! is always the same during a search is answered then and there ([`FastAction`]).

use crate::engine::StopHandle;
use crate::util::sync::lock;
use crate::util::{files, stdout, system};
use crossbeam::channel::{self, Receiver, Sender};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum bytes of a line; the rest is dropped, lest one line fill the memory.
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

/// Starts the reader thread on `source`; its own answers go to `output`.
pub fn read(source: impl Read + Send + 'static, fast_path: FastPath, output: Output) -> io::Result<Input> {
    let (line_sender, lines) = channel::unbounded();
    let (end_sender, ended) = channel::bounded(0);
    fast_path.state().may_exit = output.is_stdout;
    let reader = move || {
        let _ends_with_the_thread = end_sender;
        read_all(source, &line_sender, &fast_path, &output);
        fast_path.end_soon();
    };
    std::thread::Builder::new().name("reader".into()).spawn(reader)?;
    Ok(Input { lines, ended })
}

fn read_all(source: impl Read, lines: &Sender<Line>, fast_path: &FastPath, output: &Output) {
    let mut source = BufReader::with_capacity(1 << 16, source);
    let mut bytes = Vec::new();
    let mut first = true;
    while read_line(&mut source, &mut bytes) {
        // PowerShell opens a pipe with a byte order mark.
        let content = if first { bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes) } else { &bytes };
        first = false;
        let line = Line { text: String::from_utf8_lossy(content).into_owned(), arrived: Instant::now() };
        output.journal.note("<<", &line.text);
        if !fast_path.pass(line, lines, output) {
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
        let content = chunk.split(|&b| b == b'\n').next().unwrap_or_default();
        let ends = content.len() < chunk.len();
        let room = MAX_LINE.saturating_sub(line.len());
        line.extend_from_slice(content.get(..room).unwrap_or(content));
        let used = content.len().saturating_add(usize::from(ends));
        source.consume(used);
        if ends {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    any
}

/// The reader thread's immediate reaction to a line while a search runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FastAction {
    /// Nothing: the line waits for the controller.
    None,
    /// Stops the search. The controller still gets the line.
    Stop,
    /// Ends the session: stops the search and those that wait before this line. The controller still gets the
    /// line.
    Quit,
    /// Writes this line, which is all there is to do, unless earlier lines are still to be dealt with or the
    /// client does not read. Waking a second thread can cost a slice of the scheduler when all processors
    /// search, so the reader answers itself.
    Answer(&'static str),
}

/// Time for the lines that came with the end of the input, or with the word that ends the session: piped
/// input gets its quick answers, and no engine outlives its client.
pub const GRACE: Duration = Duration::from_millis(800);
const _: () = assert!(GRACE.as_millis() < 1000, "an engine ends within a second");
/// A client that then reads nothing for this long gets no more.
const LAST_RESORT: Duration = Duration::from_secs(1);

/// With this number of lines or bytes unread the reader waits: then the pipe holds the client. Lines
/// behind them are not seen, so the limit is more than any client sends without reading.
const MAX_UNREAD: usize = 1 << 18;
const MAX_UNREAD_BYTES: usize = 64 << 20;

/// The state of the reader thread.
#[derive(Clone, Default)]
pub struct FastPath(Arc<(Mutex<FastPathState>, Condvar)>);

struct FastPathState {
    /// The work that runs, if any.
    running: Option<Running>,
    /// [`Dialect::fast_action`](super::Dialect::fast_action) of the dialect in use.
    fast_action: fn(&str) -> FastAction,
    /// Lines given to the controller that it has not dealt with yet, the one it deals with first; at first
    /// one for those that it starts with.
    unread: VecDeque<Unread>,
    unread_bytes: usize,
    /// How many of these end the session.
    unread_quits: usize,
    /// The controller still deals with the lines that it starts with: no end of the input concerns these.
    starting: bool,
    /// [`fast_action`](Self::fast_action) is that of a dialect.
    has_dialect: bool,
    /// The end was announced: it comes after [`GRACE`].
    ends_soon: bool,
    /// The process ends even if the client does not read: it has no other work.
    may_exit: bool,
    /// Nothing may be started any more.
    ended: bool,
}

/// The beginning of a line, as long as any command word, the length of all of it, and whether it ends the
/// session.
#[derive(Default)]
struct Unread {
    head: String,
    bytes: usize,
    quits: bool,
}

/// A search, or other work that takes time.
#[derive(Clone)]
pub struct Running {
    pub stops: Vec<StopHandle>,
    /// The end of the session stops it only after [`GRACE`].
    pub patient: bool,
}

impl Running {
    fn stop(&self) {
        self.stops.iter().for_each(|stop| stop.set());
    }
}

impl Default for FastPathState {
    fn default() -> Self {
        Self {
            running: None,
            fast_action: |_| FastAction::None,
            unread: VecDeque::from([Unread::default()]),
            unread_bytes: 0,
            unread_quits: 0,
            starting: true,
            has_dialect: false,
            ends_soon: false,
            may_exit: false,
            ended: false,
        }
    }
}

impl FastPathState {
    /// Whether the first line behind this one that is more than a question stops what runs.
    fn stop_follows(&self) -> bool {
        let actions = self.unread.iter().skip(1).map(|line| ((self.fast_action)(&line.head), &line.head));
        let is_question = |action: &FastAction, head: &str| match action {
            FastAction::Answer(_) => true,
            FastAction::None => head.trim_start().is_empty() || head.trim_start().starts_with('#'),
            FastAction::Stop | FastAction::Quit => false,
        };
        let mut others = actions.skip_while(|(action, head)| is_question(action, head));
        others.next().is_some_and(|(action, _)| action == FastAction::Stop)
    }

    /// Whether a line that waits ends the session.
    fn quit_follows(&self) -> bool {
        // The line being handled does not count.
        let current = self.unread.front().is_some_and(|line| line.quits);
        self.unread_quits > usize::from(current)
    }

    fn is_full(&self) -> bool {
        self.unread.len() > MAX_UNREAD || (self.unread.len() > 1 && self.unread_bytes > MAX_UNREAD_BYTES)
    }
}

impl FastPath {
    fn state(&self) -> MutexGuard<'_, FastPathState> {
        lock(&self.0.0)
    }

    /// Sets the running work; `None`: none. A line behind it that stops it does so now, one that ends
    /// the session in [`GRACE`]: a client that sends both at once wants an answer.
    pub fn set_running(&self, running: Option<Running>) {
        let mut state = self.state();
        state.running = running;
        let Some(running) = &state.running else { return };
        let stopped = state.stop_follows();
        let quit = !state.ends_soon && state.quit_follows();
        if state.ended || stopped {
            running.stop();
        }
        drop(state);
        if quit {
            self.end_soon();
        }
    }

    /// Sets the reactions to lines. The same lines must end the session in all reactions of a dialect.
    pub fn set_fast_action(&self, fast_action: fn(&str) -> FastAction) {
        let mut state = self.state();
        state.fast_action = fast_action;
        if std::mem::replace(&mut state.has_dialect, true) {
            return;
        }
        let mut quits = 0_usize;
        for line in &mut state.unread {
            line.quits = fast_action(&line.head) == FastAction::Quit;
            quits = quits.saturating_add(usize::from(line.quits));
        }
        state.unread_quits = quits;
        drop(state);
        if quits > 0 {
            self.end_soon();
        }
    }

    /// Whether nothing may be started any more: the time for lines before the end is over.
    pub fn is_ending(&self) -> bool {
        self.state().ended
    }

    /// Stops what runs after [`GRACE`], and from then on whatever is started; some time later the process is
    /// ended if its output is not read. Lines that the controller starts with are dealt with before that time
    /// begins.
    pub fn end_soon(&self) {
        let mut state = self.state();
        let first = !std::mem::replace(&mut state.ends_soon, true);
        if first && !state.starting {
            drop(state);
            self.end_later();
        }
    }

    fn end_later(&self) {
        let later = self.clone();
        let end = move || {
            std::thread::sleep(GRACE);
            later.end();
            if later.state().may_exit {
                stdout::exit_when_unread(LAST_RESORT);
            }
        };
        // Without a thread there is no grace.
        if std::thread::Builder::new().name("end".into()).spawn(end).is_err() {
            self.end();
        }
    }

    fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        if let Some(running) = &state.running {
            running.stop();
        }
    }

    /// The controller has dealt with a line, or with those it starts with.
    pub fn done(&self) {
        let mut state = self.state();
        if let Some(line) = state.unread.pop_front() {
            state.unread_bytes = state.unread_bytes.saturating_sub(line.bytes);
            state.unread_quits = state.unread_quits.saturating_sub(usize::from(line.quits));
        }
        let started = std::mem::replace(&mut state.starting, false);
        let ends = started && state.ends_soon;
        drop(state);
        self.0.1.notify_one();
        if ends {
            self.end_later();
        }
    }

    /// Answers `line`, or queues it and stops the search if it has to. One lock holds all of it together: a
    /// search that starts because of this line, or after it, is not hit by a line that stops the one before;
    /// and the line is in the queue before the end of the search that it stops can be. False when the
    /// receiver is gone.
    fn pass(&self, line: Line, lines: &Sender<Line>, output: &Output) -> bool {
        let mut state = self.state();
        if state.is_full() && (state.fast_action)(&line.text) == FastAction::Quit {
            drop(state);
            self.end_soon();
            state = self.state();
        }
        while state.is_full() {
            state = self.0.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let fast_action = (state.fast_action)(&line.text);
        if let (FastAction::Answer(answer), Some(_), true) =
            (fast_action, &state.running, state.unread.is_empty())
            && output.line_at_once(answer)
        {
            return true;
        }
        let head = line.text.chars().take(64).collect();
        state.unread_bytes = state.unread_bytes.saturating_add(line.text.len());
        let quits = fast_action == FastAction::Quit;
        state.unread_quits = state.unread_quits.saturating_add(usize::from(quits));
        state.unread.push_back(Unread { head, bytes: line.text.len(), quits });
        let heard = lines.send(line).is_ok();
        if let Some(running) = &state.running
            && (fast_action == FastAction::Stop || (fast_action == FastAction::Quit && !running.patient))
        {
            running.stop();
        }
        drop(state);
        if fast_action == FastAction::Quit {
            self.end_soon();
        }
        heard
    }
}

/// The one writer of standard output (or, in tests, of something else). Clones write to the same place.
#[derive(Clone)]
pub struct Output {
    sink: Arc<Mutex<Sink>>,
    journal: DebugLog,
    is_stdout: bool,
}

struct Sink {
    to: Box<dyn Write + Send>,
    open: bool,
    /// The error that closed it, unless the other end closed it.
    failure: Option<io::Error>,
    line: String,
}

impl Output {
    pub fn stdout(journal: DebugLog) -> Self {
        Self { is_stdout: true, ..Self::new(stdout::Stdout, journal) }
    }

    pub fn new(to: impl Write + Send + 'static, journal: DebugLog) -> Self {
        let sink = Sink { to: Box::new(to), open: true, failure: None, line: String::new() };
        Self { sink: Arc::new(Mutex::new(sink)), journal, is_stdout: false }
    }

    /// Writes one line and flushes it. Control characters become blanks, so that text echoed from the
    /// input cannot break a line in two. Once the other end is closed this does nothing.
    pub fn line(&self, text: &str) {
        lock(&self.sink).write(text, &self.journal);
    }

    /// The same, unless it would have to wait for another line or for the client to read. False: nothing was
    /// written.
    pub fn line_at_once(&self, text: &str) -> bool {
        let Ok(mut sink) = self.sink.try_lock() else { return false };
        let has_room = !self.is_stdout || system::stdout_has_room();
        if has_room {
            sink.write(text, &self.journal);
        }
        has_room
    }

    /// Writes lines as the program ends by a fault, if nothing else is being written. No line is begun in the
    /// middle of another.
    pub fn last_words(&self, lines: &[String]) {
        let Ok(mut sink) = self.sink.try_lock() else { return };
        for line in lines {
            let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let _ = writeln!(sink.to, "{line}");
        }
        let _ = sink.to.flush();
    }

    /// The error that ended writing. A client that closed its end is none: that is how sessions end.
    pub fn failure(&self) -> Option<io::Error> {
        lock(&self.sink).failure.take()
    }

    /// Whether the other end is still open, as of the last write.
    pub fn is_open(&self) -> bool {
        lock(&self.sink).open
    }
}

impl Sink {
    fn write(&mut self, text: &str, journal: &DebugLog) {
        let Self { to, open, line, .. } = self;
        if !*open {
            return;
        }
        line.clear();
        line.extend(text.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }));
        journal.note(">>", line);
        line.push('\n');
        if let Err(error) = to.write_all(line.as_bytes()).and_then(|()| to.flush()) {
            self.close(error);
        }
    }

    fn close(&mut self, error: io::Error) {
        self.open = false;
        self.failure = (error.kind() != io::ErrorKind::BrokenPipe).then_some(error);
    }
}

/// A record of both directions in a file (`Debug Log File`), when one is open.
#[derive(Clone, Default)]
pub struct DebugLog(Arc<Mutex<Option<Record>>>);

struct Record {
    file: File,
    since: Instant,
    /// Bytes that the file may still grow by.
    room: usize,
}

/// The start of a journal. Only a file that begins so, or an empty one, is appended to.
const JOURNAL_MARK: &str = "# Sanqi reads (<<) and writes (>>): seconds since this line, and what\n";
/// Maximum bytes of a journal, since clients decide what is in it.
const MAX_JOURNAL: usize = 1 << 30;

impl DebugLog {
    /// Appends to the file at `path` from now on; the empty path closes the journal.
    /// # Errors
    /// The file cannot be opened, or holds anything but a journal; the journal is as it was.
    pub fn open(&self, path: &str) -> io::Result<()> {
        self.open_up_to(MAX_JOURNAL, path)
    }

    fn open_up_to(&self, limit: usize, path: &str) -> io::Result<()> {
        let record = if path.is_empty() {
            None
        } else {
            let mut file = files::open_own(path, JOURNAL_MARK.trim_end())?;
            let length = file.seek(SeekFrom::End(0))?;
            let room = limit.saturating_sub(usize::try_from(length).unwrap_or(usize::MAX));
            let mut record = Record { file, since: Instant::now(), room };
            record.write(JOURNAL_MARK)?;
            Some(record)
        };
        *lock(&self.0) = record;
        Ok(())
    }

    /// Writes `text` with the seconds since the journal was opened. A full disk closes the journal with
    /// a remark: it must not decide a game.
    fn note(&self, direction: &str, text: &str) {
        let mut record = lock(&self.0);
        let Some(open) = &mut *record else { return };
        let seconds = open.since.elapsed().as_secs_f64();
        if let Err(error) = open.write(&format!("{seconds:10.4} {direction} {text}\n")) {
            *record = None;
            system::remark!("sanqi: the log file is closed: {error}");
        }
    }
}

impl Record {
    fn write(&mut self, text: &str) -> io::Result<()> {
        let full = || io::Error::new(io::ErrorKind::FileTooLarge, "it is as long as a log file may be");
        self.room = self.room.checked_sub(text.len()).ok_or_else(full)?;
        self.file.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests;
