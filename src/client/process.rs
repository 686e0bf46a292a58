//! An engine's process: lines to its stdin, lines from its stdout, each stamped when it arrived.
//!
//! Nothing an engine does may hold up or bring down the manager. So one thread reads its output into a
//! bounded queue (an engine that floods waits at its own pipe), one thread writes its input (an engine that
//! does not read does not block), lines are cut at a limit, and every process started is also reaped.

use super::cancel::CancelToken;
use crate::ensure;
use crate::message;
use crate::util::message::Message;
use crate::util::system::ProcessTree;
use crossbeam::channel::{self, Receiver, Sender, bounded, unbounded};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Lines the queue holds before the engine has to wait.
const QUEUE: usize = 4096;
/// Bytes after which the rest of a line is dropped.
const MAX_LINE: u64 = 1 << 16;

#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    pub words: Vec<String>,
    /// Working directory; that of the manager if none.
    pub directory: Option<PathBuf>,
    /// File that its stderr is appended to; thrown away if none.
    pub stderr: Option<PathBuf>,
}

impl CommandLine {
    /// Splits a command at blanks; single and double quotes hold words together.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for c in text.chars() {
            match (quote, c) {
                (Some(q), _) if c == q => quote = None,
                (None, '"' | '\'') => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                (None, c) if c.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        ensure!(quote.is_none(), "unclosed quote in command {text:?}" | "命令 {text:?} 的引号没有配对", text);
        ensure!(!words.is_empty(), "empty command" | "命令是空的");
        Ok(Self { words, ..Self::default() })
    }

    fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    fn spawn(&self) -> io::Result<(Child, ProcessTree)> {
        let mut command = Command::new(self.program());
        command.args(self.words.iter().skip(1)).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(match &self.stderr {
            Some(path) => std::fs::File::options().create(true).append(true).open(path)?.into(),
            None => Stdio::null(),
        });
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        ProcessTree::spawn(&mut command)
    }
}

/// A line of output and when it was complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    /// Without its end; invalid UTF-8 replaced, control characters dropped.
    pub text: String,
    pub at: Instant,
}

/// How often a silent process is checked for its end.
const PROBE: Duration = Duration::from_millis(200);

/// How long an engine may take to end once the match is cancelled: a person waits for it.
const LAST_MOMENT: Duration = Duration::from_millis(400);
/// A signal to several processes reaches all of them within this time.
const SAME_SIGNAL: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    TimedOut,
    /// The output has ended: the process is gone or closed it.
    Ended,
    Cancelled,
}

/// A running engine. Dropping it ends it.
pub struct Process {
    child: Child,
    tree: ProcessTree,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<OutputLine>,
    cancel: CancelToken,
    /// Whether its end was noticed.
    has_ended: bool,
}

impl Process {
    pub fn start(command: &CommandLine) -> Result<Self, Message> {
        let program = command.program();
        let cannot = |e: io::Error| {
            message!(
                "cannot start {program}: {why}" | "启动不了 {program}：{why}",
                program,
                why = Message::from(e)
            )
        };
        let (mut child, tree) = command.spawn().map_err(cannot)?;
        let (sender, output) = bounded(QUEUE);
        let (input, lines) = unbounded();
        let (stdout, stdin) = (child.stdout.take(), child.stdin.take());
        // From here on a failure drops the process, which ends it.
        let process = Self {
            child,
            tree,
            input: Some(input),
            output,
            cancel: CancelToken::default(),
            has_ended: false,
        };
        let thread = || std::thread::Builder::new().name("engine".into());
        if let Some(stdout) = stdout {
            thread().spawn(move || read_lines(stdout, &sender)).map_err(cannot)?;
        }
        if let Some(stdin) = stdin {
            thread().spawn(move || write_lines(stdin, &lines)).map_err(cannot)?;
        }
        Ok(process)
    }

    /// Cancels waiting for a line, from now on.
    pub fn set_cancel(&mut self, cancel: CancelToken) {
        self.cancel = cancel;
    }

    /// Sends one line. Whether the engine reads it shows in what it answers.
    pub fn send(&self, line: &str) {
        self.send_bytes(format!("{line}\n").into_bytes());
    }

    pub fn send_bytes(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            // The writer ends when the engine has closed its stdin; the missing answer will show it.
            let _ = input.send(bytes);
        }
    }

    /// Closes its stdin once all that was sent has been written.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line that arrives before `deadline`, or at any time without one.
    pub fn receive(&mut self, deadline: Option<Instant>) -> Result<OutputLine, Silence> {
        // A line that has arrived counts even when the deadline has passed.
        if let Ok(line) = self.output.try_recv() {
            return Ok(line);
        }
        let timeout = deadline.map_or_else(channel::never, channel::at);
        loop {
            crossbeam::select! {
                recv(self.output) -> line => return line.map_err(|_| Silence::Ended),
                recv(self.cancel.receiver()) -> _ => return Err(Silence::Cancelled),
                recv(timeout) -> _ => return Err(Silence::TimedOut),
                // What the process started may hold its output open when it is gone. It ends with the
                // process, and the output with it.
                recv(channel::after(PROBE)) -> _ => drop(self.reap()),
            }
        }
    }

    /// How the process ended, if it has. What it started, and left behind, is ended then.
    fn reap(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        if status.is_some() && !std::mem::replace(&mut self.has_ended, true) {
            // Its number is still that of the group: numbers are not reused so soon.
            self.tree.kill_rest();
        }
        Ok(status)
    }

    /// How the process ended, if it has.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        // The end of output comes a moment before the end of the process.
        let asked = Instant::now();
        loop {
            match self.reap() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if asked.elapsed() < Duration::from_millis(200) => {
                    std::thread::sleep(Duration::from_millis(2))
                }
                _ => return None,
            }
        }
    }

    /// Whether the match is cancelled. A signal to all processes of a job may reach the engine first.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.receiver().recv_timeout(SAME_SIGNAL) == Err(channel::RecvTimeoutError::Disconnected)
    }

    /// Waits until `deadline` for the process to end by itself, and only a moment once the match is
    /// cancelled. `None`: it runs on.
    pub fn await_end(&mut self, mut deadline: Instant) -> Option<ExitStatus> {
        let mut is_cancelled = false;
        loop {
            if !is_cancelled && self.cancel.is_cancelled() {
                is_cancelled = true;
                deadline =
                    Instant::now().checked_add(LAST_MOMENT).map_or(deadline, |soon| soon.min(deadline));
            }
            match self.reap() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    // A process that floods its pipe must still be able to end.
                    while self.output.try_recv().is_ok() {}
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => return None,
            }
        }
    }

    /// Waits until `deadline` for the process to end by itself, then kills it and what it started.
    pub fn end(&mut self, deadline: Instant) {
        self.close_input();
        if self.await_end(deadline).is_none() {
            self.kill();
        }
    }

    /// Kills the process and what it started, and reaps it.
    pub fn kill(&mut self) {
        self.input = None;
        if !matches!(self.reap(), Ok(Some(_))) {
            self.tree.kill(&mut self.child);
        }
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

pub fn describe_exit(status: ExitStatus) -> Message {
    match status.code() {
        Some(code) => Message::new(status.to_string(), format!("退出状态 {code}")),
        None => status.to_string().into(),
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>) {
    for line in lines {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, queue: &Sender<OutputLine>) {
    let mut reader = BufReader::with_capacity(1 << 16, stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if bytes.last() != Some(&b'\n') && skip_line(&mut reader).is_err() {
            return;
        }
        let at = Instant::now();
        let text =
            String::from_utf8_lossy(&bytes).chars().filter(|c| !c.is_control() || *c == '\t').collect();
        if queue.send(OutputLine { text, at }).is_err() {
            return;
        }
    }
}

/// Drops the rest of a line that is too long.
fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let (used, done) = match buffer.iter().position(|&b| b == b'\n') {
            Some(at) => (at.saturating_add(1), true),
            None => (buffer.len(), buffer.is_empty()),
        };
        reader.consume(used);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let words = ["sh", "-c", script].map(str::to_owned).to_vec();
        Process::start(&CommandLine { words, ..CommandLine::default() }).unwrap()
    }

    fn soon() -> Option<Instant> {
        Some(Instant::now() + Duration::from_secs(5))
    }

    #[test]
    fn commands_split_at_blanks_outside_quotes() {
        let words = CommandLine::parse("./my 'a b' --x=\"c d\" ''").unwrap().words;
        assert_eq!(words, ["./my", "a b", "--x=c d", ""]);
        assert!(CommandLine::parse("a 'b").is_err());
        assert!(CommandLine::parse("  ").is_err());
    }

    #[test]
    fn lines_go_to_and_fro() {
        let mut p = shell("read a; echo got $a");
        p.send("it");
        assert_eq!(p.receive(soon()).unwrap().text, "got it");
        assert_eq!(p.receive(soon()), Err(Silence::Ended));
    }

    #[test]
    fn long_lines_are_cut_and_bytes_replaced() {
        let mut p = shell("head -c 300000 /dev/zero | tr '\\0' x; echo; printf 'a\\377b\\n'; echo end");
        assert_eq!(p.receive(soon()).unwrap().text.len() as u64, MAX_LINE);
        assert_eq!(p.receive(soon()).unwrap().text, "a\u{fffd}b");
        assert_eq!(p.receive(soon()).unwrap().text, "end");
    }

    #[test]
    fn a_flood_neither_blocks_nor_outlives_its_process() {
        let mut p = shell("trap '' TERM; while :; do echo flood; done");
        assert_eq!(p.receive(soon()).unwrap().text, "flood");
        p.end(Instant::now() + Duration::from_millis(50));
        assert!(p.exit_status().is_some());
    }

    #[test]
    fn a_cancelled_match_does_not_wait_for_an_engine_that_stays() {
        let mut p = shell("trap '' TERM; while :; do sleep 1; done");
        let cancel = CancelToken::default();
        p.set_cancel(cancel.clone());
        cancel.cancel();
        let asked = Instant::now();
        p.end(asked + Duration::from_secs(60));
        assert!(asked.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn an_engine_that_does_not_read_does_not_block() {
        let mut p = shell("sleep 60");
        let line = "x".repeat(1000);
        for _ in 0..1000 {
            p.send(&line);
        }
        assert_eq!(p.receive(Some(Instant::now())), Err(Silence::TimedOut));
    }

    #[test]
    fn a_missing_program_is_named() {
        let command = CommandLine::parse("/no/such/engine").unwrap();
        assert!(Process::start(&command).err().unwrap().to_string().contains("/no/such/engine"));
    }
}
