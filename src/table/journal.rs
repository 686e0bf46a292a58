//! A table on disk: a line of JSON for the agreement, and one for each event, written before it counts for
//! anyone else.
//!
//! A program that is killed at any moment loses no more than the time of the move under way: a half-written
//! last line is cut off, and the game goes on from the events before it. The file is locked as long as a
//! table writes it.

use super::{Agreement, Table, TableEvent};
use crate::message;
use crate::util::files::{self, AppendFile, Lock};
use crate::util::message::Message;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::time::SystemTime;

/// The first line. What a driver keeps beside the agreement, such as the level of its engine, is its own
/// business.
#[derive(Serialize, Deserialize)]
struct Heading {
    /// The version of the format.
    sanqi_table: u32,
    agreement: Agreement,
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    driver: serde_json::Value,
}

const VERSION: u32 = 1;

/// A line for an event.
#[derive(Serialize, Deserialize)]
struct TableEntry {
    /// Milliseconds since 1970.
    at: u64,
    #[serde(flatten)]
    event: TableEvent,
}

/// The journal of a table, being written.
#[derive(Debug)]
pub struct TableJournal {
    file: AppendFile,
}

/// A table as its journal has it.
#[derive(Debug)]
pub struct Journaled {
    /// The table with its clocks stopped.
    pub table: Table,
    /// What its driver kept.
    pub driver: serde_json::Value,
    /// The envelope's hash is the table's; when the game began, in seconds since 1970.
    pub began: u64,
}

impl TableJournal {
    /// Starts a journal in a file that is missing or empty.
    /// # Errors
    /// When there is one already, or it cannot be written.
    pub fn create(path: &Path, agreement: &Agreement, driver: serde_json::Value) -> Result<Self, Message> {
        let begin = || -> Result<Self, Message> {
            let file = files::open_regular(path, File::options().read(true).append(true).create(true))?;
            lock(&file, path)?;
            if file.metadata()?.len() > 0 {
                return Err(message!("it holds a game already" | "其中已有一局棋"));
            }
            let mut journal = Self { file: AppendFile::new(file, path)? };
            let heading = Heading { sanqi_table: VERSION, agreement: agreement.clone(), driver };
            journal.write_lines([&heading])?;
            Ok(journal)
        };
        begin().map_err(|why| files::at(path, why))
    }

    /// Opens a journal to go on with its game.
    /// # Errors
    /// When it cannot be read, is in use, or holds what cannot have happened; with the file and its line.
    pub fn resume(path: &Path) -> Result<(Self, Journaled), Message> {
        let open = || -> Result<_, Message> {
            let file = files::open_regular(path, File::options().read(true).append(true))?;
            lock(&file, path)?;
            let (journaled, whole) = read(&file)?;
            file.set_len(whole)?;
            Ok((Self { file: AppendFile::new(file, path)? }, journaled))
        };
        open().map_err(|why| files::at(path, why))
    }

    /// Writes events down; they are on disk when this returns.
    pub fn add(&mut self, events: &[TableEvent]) -> io::Result<()> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let at = now.map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let entries: Vec<_> = events.iter().map(|event| TableEntry { at, event: event.clone() }).collect();
        if entries.is_empty() { Ok(()) } else { self.write_lines(&entries) }
    }

    fn write_lines<'e, T: Serialize + 'e>(
        &mut self,
        values: impl IntoIterator<Item = &'e T>,
    ) -> io::Result<()> {
        let mut lines = Vec::new();
        for value in values {
            serde_json::to_writer(&mut lines, value)?;
            lines.push(b'\n');
        }
        self.file.write_all(&lines)?;
        self.file.flush()
    }
}

/// Locks a journal until it is closed: two programs at one table would play two games.
fn lock(file: &File, path: &Path) -> Result<(), Message> {
    match files::lock(file, path)? {
        Lock::Taken => Err(message!("another program plays this game" | "另一个程序正在下这局棋")),
        Lock::Ours | Lock::None => Ok(()),
    }
}

/// The whole lines of a journal, and their length in bytes.
fn read(file: &File) -> Result<(Journaled, u64), Message> {
    let (mut heading, mut events, mut began) = (None, Vec::new(), 0);
    let (mut whole, mut number) = (0_u64, 0_usize);
    let (mut reader, mut line) = (BufReader::new(file), Vec::new());
    loop {
        line.clear();
        let length = files::read_line(&mut reader, &mut line)?;
        if line.last() != Some(&b'\n') {
            break;
        }
        number = number.saturating_add(1);
        let unreadable = |why: serde_json::Error| {
            message!("line {number}: {why}" | "第 {number} 行：{why}", number, why = why.to_string())
        };
        if heading.is_none() {
            heading = Some(serde_json::from_slice::<Heading>(&line).map_err(|_| not_a_table())?);
        } else {
            let entry: TableEntry = serde_json::from_slice(&line).map_err(unreadable)?;
            began = if events.is_empty() { entry.at / 1000 } else { began };
            events.push(entry.event);
        }
        whole = whole.saturating_add(length as u64);
    }
    let Heading { sanqi_table, agreement, driver } = heading.ok_or_else(not_a_table)?;
    if sanqi_table != VERSION {
        return Err(message!(
            "it is of version {sanqi_table}, this program reads version {VERSION}"
                | "它是第 {sanqi_table} 版，本程序只读第 {VERSION} 版",
            sanqi_table,
            VERSION
        ));
    }
    Ok((Journaled { table: Table::replay(agreement, events)?, driver, began }, whole))
}

fn not_a_table() -> Message {
    message!("it is not a game that can be resumed" | "它不是可以续下的棋局")
}
