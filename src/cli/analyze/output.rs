//! The file of `--out`: annotated games, one after the other.

use crate::app::console::{Outcome, at};
use crate::games::game_file;
use crate::util::files;
use crate::util::message::Message;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between two savings of a long run.
const INTERVAL: Duration = Duration::from_secs(10);

/// The games so far, and where they go.
pub struct Annotated {
    path: PathBuf,
    games: String,
    saved: Instant,
    /// A device or a pipe, which gets every game at once. A file is replaced by a whole one.
    device: Option<File>,
}

impl Annotated {
    /// An output that can be written.
    pub fn new(path: &Path) -> Result<Self, Message> {
        Self::open(path).map_err(|e| at(path, e))
    }

    fn open(path: &Path) -> io::Result<Self> {
        let device = match std::fs::metadata(path) {
            Ok(found) if !found.is_file() && !found.is_dir() => {
                Some(File::options().append(true).open(path)?)
            }
            found => {
                if found.is_ok() {
                    game_file::check(&mut File::open(path)?)?;
                }
                files::try_to_write(path)?;
                None
            }
        };
        Ok(Self { path: path.to_owned(), games: String::new(), saved: Instant::now(), device })
    }

    /// Adds a game. Now and then all of them are saved, so that a run that is ended early leaves what it has
    /// done.
    pub fn add(&mut self, game: &str) -> Outcome {
        if let Some(device) = &mut self.device {
            return device.write_all(game.as_bytes()).map_err(|e| at(&self.path, e));
        }
        self.games.push_str(game);
        if self.saved.elapsed() > INTERVAL {
            self.save()?;
            self.saved = Instant::now();
        }
        Ok(())
    }

    /// Writes the file, if there is a game to put in it.
    pub fn save(&self) -> Outcome {
        match self.games.as_str() {
            "" => Ok(()),
            games => files::write_at_once(&self.path, games.as_bytes()).map_err(|e| at(&self.path, e)),
        }
    }
}
