//! What survives a match that is interrupted, and what explains a game that went wrong.
//!
//! The *journal* has a line of JSON for the match and one for each finished game, on disk before the game is
//! counted. A match killed at any moment goes on from it: a half-written last line is cut off, and that game
//! is played again. The *trace* has a line for every line that went to or came from an engine.

use super::config::MatchConfig;
use super::player::Tap;
use super::record::GameRecord;
use super::tournament::MakeTap;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Entry {
    Match(Box<MatchConfig>),
    Game(Box<GameRecord>),
}

/// A journal being written.
pub struct Journal {
    file: File,
}

/// A journal that was read.
pub struct Kept {
    /// How the match was set up.
    pub config: MatchConfig,
    /// The games that are finished, in the order they ended.
    pub games: Vec<GameRecord>,
}

fn at(path: &Path) -> impl Fn(io::Error) -> String + '_ {
    move |e| format!("{}: {e}", path.display())
}

impl Journal {
    /// Starts a journal.
    /// # Errors
    /// When there is one already, or it cannot be written.
    pub fn create(path: &Path, config: &MatchConfig) -> Result<Self, String> {
        let file = File::options().write(true).create_new(true).open(path).map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("{}: there is one already; --resume goes on", path.display())
            }
            _ => at(path)(e),
        })?;
        let mut journal = Self { file };
        journal.write(&Entry::Match(Box::new(config.clone()))).map_err(at(path))?;
        Ok(journal)
    }

    /// Reads a journal and opens it to go on. A half-written last line is cut off.
    /// # Errors
    /// When it cannot be read, or a line before the last makes no sense.
    pub fn resume(path: &Path) -> Result<(Self, Kept), String> {
        let file = File::options().read(true).write(true).open(path).map_err(at(path))?;
        let (mut config, mut games, mut seen) = (None, Vec::<GameRecord>::new(), HashSet::new());
        let (mut good, mut number) = (0, 0);
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(at(path))?;
            if line.last() != Some(&b'\n') {
                break;
            }
            number += 1;
            match serde_json::from_slice(&line).map_err(|e| format!("{}:{number}: {e}", path.display()))? {
                Entry::Match(found) => config = Some(*found),
                Entry::Game(game) if seen.insert(game.number) => games.push(*game),
                Entry::Game(_) => {}
            }
            good += length as u64;
        }
        let config = config.ok_or_else(|| format!("{}: no match is described in it", path.display()))?;
        file.set_len(good).map_err(at(path))?;
        let file = File::options().append(true).open(path).map_err(at(path))?;
        Ok((Self { file }, Kept { config, games }))
    }

    /// Writes a finished game down; it is on disk when this returns.
    /// # Errors
    /// As the file system says.
    pub fn game(&mut self, record: &GameRecord) -> Result<(), String> {
        self.write(&Entry::Game(Box::new(record.clone())))
            .map_err(|e| format!("cannot write the journal: {e}"))
    }

    fn write(&mut self, entry: &Entry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.sync_data()
    }
}

/// One line to or from an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Traffic {
    /// Microseconds since the match started. Lines are in the order in which the manager dealt with them: one
    /// received while an engine pondered may be older than the one before it.
    pub us: u64,
    /// Number of the game, from 1 as people count.
    pub game: usize,
    /// The engine's name.
    pub engine: String,
    /// Whether the engine was sent it.
    pub sent: bool,
    /// The line.
    pub line: String,
}

/// Writes a trace; makes the listeners that feed it.
/// # Errors
/// When the file cannot be written.
pub fn trace_to(path: &Path) -> Result<MakeTap, String> {
    let sink =
        Arc::new(Sink { file: Mutex::new(File::create(path).map_err(at(path))?), start: Instant::now() });
    Ok(Arc::new(move |game, engine| {
        Arc::new(Listener { sink: Arc::clone(&sink), game: game + 1, engine: engine.to_owned() })
    }))
}

/// Reads the traffic of one game.
/// # Errors
/// When the file cannot be read, or a line makes no sense.
pub fn traffic_of(path: &Path, game: usize) -> Result<Vec<Traffic>, String> {
    let file = File::open(path).map_err(at(path))?;
    let mut found = Vec::new();
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let line = line.map_err(at(path))?;
        let traffic: Traffic =
            serde_json::from_str(&line).map_err(|e| format!("{}:{}: {e}", path.display(), number + 1))?;
        if traffic.game == game {
            found.push(traffic);
        }
    }
    Ok(found)
}

struct Sink {
    file: Mutex<File>,
    start: Instant,
}

struct Listener {
    sink: Arc<Sink>,
    game: usize,
    engine: String,
}

impl Tap for Listener {
    fn line(&self, sent: bool, at: Instant, text: &str) {
        let us = at.saturating_duration_since(self.sink.start).as_micros() as u64;
        let traffic =
            Traffic { us, game: self.game, engine: self.engine.clone(), sent, line: text.to_owned() };
        if let Ok(mut line) = serde_json::to_vec(&traffic) {
            line.push(b'\n');
            // A full disk must not decide games.
            let _ = self.sink.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
        }
    }
}
