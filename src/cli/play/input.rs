//! Lines from the person: edited and remembered on a terminal, read plainly from anything else.

use crate::util::system;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, BufRead, IsTerminal, Write};

/// Where the lines come from.
pub(super) enum Input {
    /// A terminal, with history.
    Terminal(Box<DefaultEditor>),
    /// A pipe or a file.
    Plain,
}

impl Input {
    /// An editor where stdin and stdout are a terminal that can be edited on.
    pub fn new() -> Self {
        if io::stdin().is_terminal()
            && io::stdout().is_terminal()
            && let Ok(editor) = DefaultEditor::new()
        {
            system::remember_terminal();
            return Self::Terminal(Box::new(editor));
        }
        Self::Plain
    }

    /// Whether a person sits at a terminal.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    /// Columns of the terminal.
    pub fn width(&mut self) -> usize {
        match self {
            Self::Terminal(editor) => editor.dimensions().map_or(80, |(columns, _)| columns.into()),
            Self::Plain => 80,
        }
    }

    /// The next line; `None` at the end of the input, or when the person has had enough (Ctrl-C, Ctrl-D).
    /// # Errors
    /// When it cannot be read.
    pub fn line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        match self {
            Self::Terminal(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    // A line that is not remembered is still played.
                    let _ = editor.add_history_entry(line.as_str());
                    Ok(Some(line))
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(ReadlineError::Io(error)) => Err(error),
                Err(other) => Err(io::Error::other(other)),
            },
            Self::Plain => {
                // The prompt is for people; what is asked for it is on stdout.
                let _ = write!(io::stderr(), "{prompt}");
                let mut bytes = Vec::new();
                let length = io::stdin().lock().read_until(b'\n', &mut bytes)?;
                Ok((length > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
            }
        }
    }
}
