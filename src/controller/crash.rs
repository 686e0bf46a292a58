//! The report of a crash: a file with the last commands and the position, and a line that names the file, in
//! the form of the protocol.

use crate::protocol::io::Output;
use crate::util::sync::lock;
use crate::util::system::{self, remark};
use crate::util::{build, files};
use std::backtrace::Backtrace;
use std::collections::VecDeque;
use std::fmt::Write;
use std::panic::PanicHookInfo;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Numbers of the last commands that are kept, and of the characters kept of each.
const COMMANDS: usize = 500;
const CHARACTERS: usize = 2000;

/// How a protocol sends an unsolicited text, in any state.
pub type Form = fn(&str) -> Vec<String>;

/// The state of the session, kept up to date for a crash report. Clones share it.
#[derive(Clone, Default)]
pub struct Recorder(Arc<Mutex<Recent>>);

#[derive(Default)]
struct Recent {
    commands: VecDeque<String>,
    /// The position that was searched or set up last.
    position: String,
    form: Option<Form>,
}

impl Recorder {
    /// The client has sent a line.
    pub fn command(&self, line: &str) {
        let mut recent = lock(&self.0);
        if recent.commands.len() >= COMMANDS {
            recent.commands.pop_front();
        }
        recent.commands.push_back(line.chars().take(CHARACTERS).collect());
    }

    /// The position that is to be searched, in words.
    pub fn position(&self, position: String) {
        lock(&self.0).position = position;
    }

    pub fn set_form(&self, form: Form) {
        lock(&self.0).form = Some(form);
    }

    /// From now on a panic of any thread is written to a file, reported on `output`, and ends the program.
    pub fn install(&self, output: Output) {
        let (recorder, usual) = (self.clone(), std::panic::take_hook());
        std::panic::set_hook(Box::new(move |fault| {
            usual(fault);
            recorder.report(fault, &output);
            std::process::abort();
        }));
    }

    fn report(&self, fault: &PanicHookInfo<'_>, output: &Output) {
        // The thread that failed may be at work on what is recorded.
        let recent = match self.0.try_lock() {
            Ok(recent) => Some(recent),
            Err(TryLockError::Poisoned(recent)) => Some(recent.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        let text = describe(fault, recent.as_deref());
        let what = match write(&text) {
            Ok(path) => format!("the engine has failed; please report it with {}", path.display()),
            Err(error) => format!("the engine has failed, and no report of it could be written: {error}"),
        };
        remark!("sanqi: {what}");
        if let Some(form) = recent.and_then(|recent| recent.form) {
            output.last_words(&form(&what));
        }
    }
}

fn describe(fault: &PanicHookInfo<'_>, recent: Option<&Recent>) -> String {
    let mut text = String::new();
    let thread = std::thread::current();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "Sanqi {}, commit {}", build::VERSION, build::COMMIT);
    let _ = writeln!(text, "built by {} for {}", build::COMPILER, build::TARGET);
    let _ = writeln!(text, "thread {}: {fault}", thread.name().unwrap_or("without a name"));
    if let Some(recent) = recent {
        let _ = writeln!(text, "\nposition: {}", recent.position);
        let _ = writeln!(text, "\nlast commands, the oldest first:");
        recent.commands.iter().for_each(|command| {
            let _ = writeln!(text, "{command}");
        });
    }
    let _ = writeln!(text, "\n{}", Backtrace::force_capture());
    text
}

/// Writes the report to a file of its own, among the user's own files or else among temporary ones.
fn write(text: &str) -> std::io::Result<PathBuf> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let name = format!("sanqi-crash-{}-{}.txt", since.as_secs(), std::process::id());
    let write_in = |folder: PathBuf| {
        std::fs::create_dir_all(&folder)?;
        let path = folder.join(&name);
        files::write_at_once(&path, text.as_bytes()).map(|()| path)
    };
    let own = system::state_folder().map(|folder| write_in(folder.join("sanqi")));
    own.and_then(Result::ok).map_or_else(|| write_in(std::env::temp_dir()), Ok)
}

/// Fails, in builds for tests, at the line that the variable `SANQI_TEST_FAULT` of the environment holds:
/// `main LINE` in the thread that deals with lines, `worker LINE` in another one. Nothing that a client sends
/// sets a variable.
#[cfg(debug_assertions)]
#[allow(clippy::panic, reason = "this is what is tested")]
pub fn fail_for_a_test(line: &str) {
    let wanted = std::env::var("SANQI_TEST_FAULT").unwrap_or_default();
    match wanted.split_once(' ') {
        Some(("main", at)) if at == line => panic!("a test asked for this fault"),
        Some(("worker", at)) if at == line => {
            let worker = std::thread::Builder::new().name("worker".into());
            drop(worker.spawn(|| panic!("a test asked for this fault")).map(std::thread::JoinHandle::join));
        }
        _ => (),
    }
}
