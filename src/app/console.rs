//! The console: results on stdout, failures as one line on stderr with an exit code, and named files.

use super::usage;
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::{files, stdout, system};
use clap::error::ErrorKind;
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

/// Ends the program with exit code 2, for arguments that can be parsed but make no sense. `A`: those of
/// `command`.
pub fn misuse<A: clap::Args>(command: &'static str, why: impl fmt::Display) -> ! {
    let language = usage::language_of(std::env::args_os());
    let mut command_line = A::augment_args(clap::Command::new(command).bin_name(format!("sanqi {command}")));
    let why = language.pick(format!("{why}"), format!("{why:#}"));
    exit_with(&command_line.error(ErrorKind::ValueValidation, why), language)
}

/// Prints what clap has to print and ends the program with clap's code.
pub fn exit_with(error: &clap::Error, language: Language) -> ! {
    print_usage(error, language).unwrap_or_else(|why| cannot_write(&why));
    std::process::exit(error.exit_code())
}

/// Prints it on the stream where it belongs.
pub fn print_usage(error: &clap::Error, language: Language) -> io::Result<()> {
    match (language, error.use_stderr()) {
        (Language::English, _) => error.print().and_then(|()| io::stdout().flush()),
        // A closed stderr is not an error.
        (Language::Chinese, true) => {
            let _ = write!(io::stderr(), "{}", usage::text(error, language));
            Ok(())
        }
        (Language::Chinese, false) => stdout::write(usage::text(error, language).as_bytes()),
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
