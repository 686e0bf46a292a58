//! The moves of games under way, so that a match that is interrupted goes on in the middle of them.
//!
//! Beside the journal stands a folder with a file for each game: a line that says which game it is, then one
//! for each move, each change of a clock and each entry of the ledger, written before the other side hears of
//! it. Nothing is forced to the disk: a program that is killed loses the thinking time of a move, and a
//! machine without power perhaps a few moves. A sealed move is in the envelope beside the file, of which the
//! file has the hash. Both are deleted once the game is in the journal.

use crate::game::Side;
use crate::games::record::{Opening, Thought};
use crate::table::{Envelope, Written};
use crate::util::files;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder.
#[derive(Debug)]
pub struct UnderWay {
    folder: PathBuf,
}

/// Which game a file has.
#[derive(PartialEq, Serialize, Deserialize)]
pub(super) struct Heading {
    /// Its number in the match, from 0.
    pub game: usize,
    pub round: usize,
    pub pair: usize,
    pub seats: [usize; 2],
    pub opening: Opening,
    /// Seconds since 1970.
    pub started: u64,
}

/// What happened in a game.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "step")]
pub(super) enum Step {
    /// A move in coordinates, legal or not, or none where there was one; and what has been thought about it
    /// altogether, in microseconds.
    Move {
        mv: Option<String>,
        us: u64,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        draw: bool,
        #[serde(default, flatten)]
        thought: Thought,
    },
    /// A draw was declined in words.
    Declined,
    /// A clock was changed, by the arbiter or for a wrong claim.
    Adjusted { side: Side, seconds: i64 },
    /// Something for the ledger, and what the record remarks on the next move.
    Noted {
        text: Written,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        remark: Option<String>,
    },
    /// The game is to be adjourned.
    Adjourned,
    /// The adjournment was called off before a move was sealed.
    NotAdjourned,
    /// A move was sealed: its hash, and the microseconds that it took. The move itself follows when the
    /// envelope is opened.
    Sealed { hash: String, us: u64 },
    /// Go: a dispute about dead stones is played out.
    PlayedOut,
}

/// A move that is sealed, and what it took. Without its envelope it is lost.
#[derive(Debug)]
pub(super) struct SealedMove {
    pub envelope: Option<Envelope>,
    pub time: Duration,
}

/// The file of a game, being written.
#[derive(Debug)]
pub(super) struct GameLog {
    file: File,
    path: PathBuf,
}

/// A game to be played, or to be gone on with.
pub(super) struct Opened {
    pub log: Option<GameLog>,
    /// What has happened already.
    pub steps: Vec<Step>,
    /// When it began, in seconds since 1970.
    pub started: u64,
}

impl UnderWay {
    /// The folder beside a journal.
    pub fn beside(journal: &Path) -> Self {
        let mut name = journal.as_os_str().to_owned();
        name.push(".games");
        Self { folder: name.into() }
    }

    /// Removes what an earlier match has left.
    pub fn clear(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for path in entries.flatten().map(|entry| entry.path()) {
            let stem = path.file_stem().and_then(|stem| stem.to_str()?.parse::<usize>().ok());
            if let Some(number) = stem.and_then(|ordinal| ordinal.checked_sub(1))
                && (path == self.path(number) || path == self.envelope_path(number))
            {
                let _ = fs::remove_file(path);
            }
        }
        self.close();
    }

    /// Removes the folder, unless games are left in it.
    pub fn close(&self) {
        let _ = fs::remove_dir(&self.folder);
    }

    /// A game is in the journal, or is to be played from its start.
    pub fn remove(&self, number: usize) {
        let _ = fs::remove_file(self.path(number));
        let _ = fs::remove_file(self.envelope_path(number));
    }

    /// Keeps the envelope of a game that is adjourned.
    pub(super) fn keep_envelope(&self, number: usize, envelope: &Envelope) -> std::io::Result<()> {
        fs::write(self.envelope_path(number), format!("{envelope}\n"))
    }

    /// The envelope of a game, unless it is lost.
    pub(super) fn envelope(&self, number: usize) -> Option<Envelope> {
        fs::read_to_string(self.envelope_path(number)).ok()?.parse().ok()
    }

    fn envelope_path(&self, number: usize) -> PathBuf {
        self.path(number).with_extension("envelope")
    }

    fn path(&self, number: usize) -> PathBuf {
        self.folder.join(format!("{}.jsonl", number.saturating_add(1)))
    }

    /// Opens the file of a game that begins now, or goes on. What cannot be written is not kept: a full disk
    /// decides no game.
    pub(super) fn open(&self, heading: &Heading) -> Opened {
        let path = self.path(heading.game);
        if let Some(opened) = resume(&path, heading) {
            return opened;
        }
        let create = || {
            fs::create_dir_all(&self.folder)?;
            let mut log = GameLog { file: File::create(&path)?, path: path.clone() };
            log.add(heading)?;
            Ok::<_, std::io::Error>(log)
        };
        Opened { log: create().ok(), steps: Vec::new(), started: heading.started }
    }
}

/// The file of the same game, with its whole lines.
fn resume(path: &Path, heading: &Heading) -> Option<Opened> {
    let file = File::options().read(true).append(true).open(path).ok()?;
    let (mut reader, mut line, mut whole) = (BufReader::new(&file), Vec::new(), 0_u64);
    let mut next = || {
        line.clear();
        let length = files::read_line(&mut reader, &mut line).ok()?;
        (line.last() == Some(&b'\n')).then(|| {
            whole = whole.saturating_add(length as u64);
            line.clone()
        })
    };
    let found: Heading = serde_json::from_slice(&next()?).ok()?;
    let started = found.started;
    if (Heading { started: heading.started, ..found }) != *heading {
        return None;
    }
    let mut steps = Vec::new();
    while let Some(line) = next() {
        steps.push(serde_json::from_slice(&line).ok()?);
    }
    file.set_len(whole).ok()?;
    Some(Opened { log: Some(GameLog { file, path: path.to_owned() }), steps, started })
}

impl GameLog {
    fn add(&mut self, line: &impl Serialize) -> std::io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }

    /// Writes a step down. False: it could not be written, and the file is gone.
    pub fn step(&mut self, step: &Step) -> bool {
        let written = self.add(step);
        if written.is_err() {
            // A game that lacks a move would go on from another position.
            let _ = fs::remove_file(&self.path);
        }
        written.is_ok()
    }
}
