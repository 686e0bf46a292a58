//! Lines from the person: edited and remembered on a terminal, read plainly from anything else. A thread
//! reads them, so that clocks run meanwhile.

use crate::app::language::columns;
use crate::util::sync::lock;
use crate::util::system;
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::history::DefaultHistory;
use rustyline::{ColorMode, Config, Editor, ExternalPrinter};
use std::borrow::Cow;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Reads the lines, and shows on a terminal what happens while the person types.
pub struct LineInput {
    asked: Sender<String>,
    lines: Receiver<io::Result<Read>>,
    terminal: Option<Live>,
    /// A line was asked for and has not come.
    is_waiting: bool,
    width: usize,
}

/// A line that came, and the columns of the terminal.
struct Read {
    line: Option<String>,
    width: usize,
}

/// What came while the person was asked for a line.
pub enum Heard {
    Line(String),
    /// The end of the input, or the person has had enough (Ctrl-C, Ctrl-D).
    End,
    /// No line: what was to be looked at meanwhile needs the program.
    Nothing,
}

/// How the prompt stands while a line is awaited.
pub struct Waiting {
    pub prompt: String,
    /// Columns by which a later prompt may be longer.
    pub reserve: usize,
    /// When to ask again; `None`: once there is a line.
    pub again: Option<Duration>,
    /// Lines to show above the prompt.
    pub notices: Vec<String>,
    /// Stop waiting.
    pub is_over: bool,
}

impl Waiting {
    /// A prompt that stays as it is.
    pub fn still(prompt: impl Into<String>) -> Self {
        Self { prompt: prompt.into(), reserve: 0, again: None, notices: Vec::new(), is_over: false }
    }
}

/// A prompt on a terminal that changes while a line is typed behind it.
struct Live {
    printer: Box<dyn ExternalPrinter + Send>,
    shown: Arc<Mutex<String>>,
    /// Columns of the prompt behind which the line was begun: its successors have to fill them.
    columns: usize,
}

impl Live {
    /// Puts another prompt in the place of the one that is shown.
    fn show(&mut self, prompt: &str) {
        let fitted = fitted(prompt, self.columns);
        if std::mem::replace(&mut *lock(&self.shown), fitted.clone()) != fitted {
            // The editor draws the prompt anew after a message, and ends each with a line feed: this one goes
            // up first.
            self.print("\x1b[A");
        }
    }

    /// Without the end of the line it would have one only where the editor is at work.
    fn print_line(&mut self, text: &str) {
        self.print(&format!("{text}\n"));
    }

    fn print(&mut self, text: &str) {
        // A message that does not arrive costs no game.
        let _ = self.printer.print(text.to_owned());
    }
}

/// A prompt of exactly `width` columns: with blanks before its end, or cut.
fn fitted(prompt: &str, width: usize) -> String {
    let short = width.saturating_sub(columns(prompt));
    match prompt.strip_suffix("> ") {
        Some(start) if short > 0 => format!("{start}{}> ", " ".repeat(short)),
        _ => super::typed::cut(prompt, width).to_owned(),
    }
}

/// Draws the prompt of the moment.
struct Shown(Arc<Mutex<String>>);

impl rustyline::Helper for Shown {}
impl rustyline::hint::Hinter for Shown {
    type Hint = String;
}
impl rustyline::completion::Completer for Shown {
    type Candidate = String;
}
impl rustyline::validate::Validator for Shown {}
impl Highlighter for Shown {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        let shown = lock(&self.0).clone();
        if columns(&shown) == columns(prompt) { Cow::Owned(shown) } else { Cow::Borrowed(prompt) }
    }
}

type TerminalEditor = Editor<Shown, DefaultHistory>;

impl LineInput {
    /// An editor where stdin and stdout are a terminal that can be edited on.
    pub fn open() -> Self {
        let (asked, to_ask) = bounded::<String>(1);
        let (send, lines) = bounded(1);
        let mut input = Self { asked, lines, terminal: None, is_waiting: false, width: 80 };
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            let shown = Arc::default();
            let (ready, printer) = bounded(1);
            let helper = Shown(Arc::clone(&shown));
            let (to_ask, send) = (to_ask.clone(), send.clone());
            thread::spawn(move || {
                if let Ok((editor, printer)) = editor(helper) {
                    let _ = ready.send(printer);
                    edit(editor, &to_ask, &send);
                }
            });
            if let Ok(printer) = printer.recv() {
                system::remember_terminal();
                input.terminal = Some(Live { printer, shown, columns: 0 });
                return input;
            }
        }
        thread::spawn(move || read_plainly(&to_ask, &send));
        input
    }

    pub fn is_terminal(&self) -> bool {
        self.terminal.is_some()
    }

    pub fn width(&self) -> usize {
        self.width
    }

    /// Prints a line; above the prompt where the person is typing.
    pub fn say(&mut self, text: &str) {
        match &mut self.terminal {
            Some(live) if self.is_waiting => live.print_line(text),
            _ => crate::app::console::say(text),
        }
    }

    /// The next line behind a prompt that stays as it is; `None` at the end of the input.
    pub fn line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        loop {
            match self.hear(&mut || Waiting::still(prompt))? {
                Heard::Line(line) => return Ok(Some(line)),
                Heard::End => return Ok(None),
                Heard::Nothing => {}
            }
        }
    }

    /// Waits for the next line; `look` gives the prompt at the start and whenever it asked to be called
    /// again.
    pub fn hear(&mut self, look: &mut dyn FnMut() -> Waiting) -> io::Result<Heard> {
        let mut waiting = look();
        self.ask(&waiting);
        loop {
            for notice in waiting.notices.drain(..) {
                match &mut self.terminal {
                    Some(live) => live.print_line(&notice),
                    None => drop(writeln!(io::stderr(), "{notice}")),
                }
            }
            if waiting.is_over {
                return Ok(Heard::Nothing);
            }
            let received = match waiting.again {
                None => self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(time) => self.lines.recv_timeout(time),
            };
            match received {
                Ok(read) => {
                    self.is_waiting = false;
                    let Read { line, width } = read?;
                    self.width = width;
                    return Ok(line.map_or(Heard::End, Heard::Line));
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(Heard::End),
                Err(RecvTimeoutError::Timeout) => {
                    waiting = look();
                    if let Some(live) = &mut self.terminal {
                        live.show(&waiting.prompt);
                    }
                }
            }
        }
    }

    fn ask(&mut self, Waiting { prompt, reserve, .. }: &Waiting) {
        let was_waiting = std::mem::replace(&mut self.is_waiting, true);
        let mut asked = prompt.clone();
        match &mut self.terminal {
            // The line that is being typed goes on behind the new prompt.
            Some(live) if was_waiting => return live.show(prompt),
            Some(live) => {
                live.columns = columns(prompt).saturating_add(*reserve);
                asked = fitted(prompt, live.columns);
                asked.clone_into(&mut lock(&live.shown));
            }
            // The prompt is for people; what is asked for it is on stdout.
            None => drop(write!(io::stderr(), "{prompt}")),
        }
        if !was_waiting {
            // Without a reader the next receipt says so.
            let _ = self.asked.send(asked);
        }
    }
}

fn editor(helper: Shown) -> rustyline::Result<(TerminalEditor, Box<dyn ExternalPrinter + Send>)> {
    let mut editor = TerminalEditor::with_config(Config::builder().color_mode(ColorMode::Forced).build())?;
    editor.set_helper(Some(helper));
    let printer = editor.create_external_printer()?;
    Ok((editor, Box::new(printer)))
}

fn edit(mut editor: TerminalEditor, asked: &Receiver<String>, lines: &Sender<io::Result<Read>>) {
    for prompt in asked {
        let line = match editor.readline(&prompt) {
            Ok(line) => {
                // A line that is not remembered is still played.
                let _ = editor.add_history_entry(line.as_str());
                Ok(Some(line))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(other) => Err(io::Error::other(other)),
        };
        let width = editor.dimensions().map_or(80, |(columns, _)| columns.into());
        if lines.send(line.map(|line| Read { line, width })).is_err() {
            return;
        }
    }
}

fn read_plainly(asked: &Receiver<String>, lines: &Sender<io::Result<Read>>) {
    for _ in asked {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_until(b'\n', &mut bytes);
        let line = |length| (length > 0).then(|| String::from_utf8_lossy(&bytes).into_owned());
        if lines.send(read.map(|length| Read { line: line(length), width: 80 })).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_keeps_its_columns() {
        assert_eq!(fitted("White [5:00]> ", 16), "White [5:00]  > ");
        assert_eq!(fitted("> ", 5), "   > ");
        assert_eq!(fitted("红方 [1:00:00]> ", 10), "红方 [1:00");
    }
}
