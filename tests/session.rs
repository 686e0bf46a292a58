//! A running engine, as its client meets it: lines in, lines out, times.
#![allow(dead_code, reason = "each test program uses a part")]

use crate::support::{built_with_tests, program};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long any answer may take before the test fails. Nothing should come near it.
const PATIENCE: Duration = Duration::from_secs(120);

/// The engine in a process of its own.
pub struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
}

impl Session {
    /// Starts the binary under test.
    pub fn start(arguments: &[&str]) -> Self {
        let mut child = program(built_with_tests())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        // Through `eprintln!`, so that only a test that fails shows what its engine remarked.
        let remarks = BufReader::new(child.stderr.take().expect("piped"));
        std::thread::spawn(move || {
            remarks
                .split(b'\n')
                .map_while(Result::ok)
                .for_each(|line| eprintln!("{}", String::from_utf8_lossy(&line)));
        });
        let input = child.stdin.take();
        let output = child.stdout.take().expect("piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let line = line.expect("output is UTF-8");
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        Self { child, input, lines }
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line. An engine that has quit does not mind.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// The next line, and when it came; `None` at the end of the output.
    /// # Errors
    /// None comes.
    pub fn try_next(&self) -> Result<Option<(Instant, String)>, String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(format!("no answer within {PATIENCE:?}")),
        }
    }

    /// The next line, if it comes before `until`.
    pub fn next_before(&self, until: Instant) -> Option<String> {
        let left = until.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).ok().map(|(_, line)| line)
    }

    /// The next line, and when it came; `None` at the end of the output.
    pub fn next(&self) -> Option<(Instant, String)> {
        self.try_next().unwrap_or_else(|e| panic!("{e}"))
    }

    /// The lines up to one that begins with `start`, that one last, and when it came.
    pub fn until(&self, start: &str) -> (Instant, Vec<String>) {
        let mut lines = Vec::new();
        while let Some((at, line)) = self.next() {
            lines.push(line);
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return (at, lines);
            }
        }
        panic!("the output ended before '{start}': {lines:#?}");
    }

    /// Ends the input; returns the rest of the output, how it exited, and how long that took.
    pub fn finish(self) -> (Vec<String>, ExitStatus, Duration) {
        self.try_finish().unwrap_or_else(|(rest, problem)| panic!("{problem}, after {rest:#?}"))
    }

    /// Ends the input; returns the rest of the output, how it exited, and how long that took.
    /// # Errors
    /// It does not end: the rest of the output so far, and what is wrong.
    pub fn try_finish(mut self) -> Result<(Vec<String>, ExitStatus, Duration), (Vec<String>, String)> {
        let began = Instant::now();
        self.input = None;
        let mut rest = Vec::new();
        loop {
            match self.try_next() {
                Ok(Some((_, line))) => rest.push(line),
                Ok(None) => break,
                Err(problem) => return Err((rest, problem)),
            }
        }
        let status = self.child.wait().expect("the engine ends");
        Ok((rest, status, began.elapsed()))
    }
}

/// A session in GTP.
impl Session {
    /// The answer to a command: its text, or the error's.
    pub fn ask(&mut self, command: &str) -> Result<String, String> {
        self.send(command);
        let text = self.response().join("\n");
        match text.split_at_checked(1) {
            Some(("=", text)) => Ok(text.trim().to_owned()),
            Some(("?", text)) => Err(text.trim().to_owned()),
            _ => panic!("no answer to {command}: {text}"),
        }
    }

    /// The lines of one response, without the empty line that ends it.
    pub fn response(&self) -> Vec<String> {
        std::iter::from_fn(|| self.next().map(|(_, line)| line)).take_while(|line| !line.is_empty()).collect()
    }

    /// The answer to a command that must not be refused.
    pub fn must(&mut self, command: &str) -> String {
        self.ask(command).unwrap_or_else(|e| panic!("{command}: {e}"))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // After a failed test; does nothing to a process that has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
