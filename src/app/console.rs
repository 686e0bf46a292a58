//! The console: results on stdout, failures as one line on stderr with an exit code, and named files.

use crate::message;
use crate::util::message::Message;
use crate::util::{files, stdout, system};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub use crate::util::files::at;

pub type Outcome = Result<(), Message>;

/// Refuses an output that would overwrite an input.
pub fn check_output<'a>(flag: &str, out: &Path, read: impl IntoIterator<Item = &'a PathBuf>) -> Outcome {
    match read.into_iter().any(|file| files::is_same(out, file)) {
        true => Err(at(
            out,
            message!("{flag} would take the place of another file" | "{flag} 会顶替另一个文件", flag),
        )),
        false => Ok(()),
    }
}

/// The exit code of a command; a failure is printed.
pub fn conclude(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // A closed stderr is not an error.
            let _ = writeln!(io::stderr(), "sanqi: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Writes one line of the result. A reader that went away ends the program quietly; a full disk ends it with
/// code 1.
pub fn say(line: impl fmt::Display) {
    put(format_args!("{line}\n"));
}

/// The same without a line end.
pub fn put(text: impl fmt::Display) {
    let text = text.to_string();
    if let Err(error) = stdout::write(system::plain(&text).as_bytes()) {
        cannot_write(&error);
    }
}

/// Ends the program after a failed write to stdout.
pub fn cannot_write(error: &io::Error) -> ! {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    let _ = writeln!(io::stderr(), "sanqi: cannot write to stdout: {error}");
    std::process::exit(1)
}

/// Reads a file; the error names it.
pub fn read(path: &Path) -> Result<String, Message> {
    files::read_named_text(path).map_err(|e| at(path, e))
}
