//! The table in a file: saved, and loaded by another process that goes on from it.

use super::{AlphaBeta, Position, Setup};
use crate::game::{Game, Text};
use crate::util::kept::{self, Header, Kept, KeptError};
use std::path::Path;

/// What the files hold.
const KIND: &str = "table";

impl<S: Setup> AlphaBeta<S> {
    /// What a table that is saved now means.
    fn header(&self) -> Header {
        let (net, terms) = self.meaning();
        Header {
            kind: KIND.to_owned(),
            game: S::ID.name().to_owned(),
            terms,
            net,
            keys: fingerprint::<S>(),
            size: self.settings.hash_mib as u64,
            extra: u64::from(self.shared.generation()),
            length: self.shared.table.bytes(),
        }
    }

    /// The file that the option names.
    fn hash_file(&self) -> Result<String, String> {
        match self.settings.hash_file.as_str() {
            "" => Err("Hash File names no file".to_owned()),
            name => Ok(name.to_owned()),
        }
    }

    /// Saves the table.
    /// # Errors
    /// It cannot be written: what was there stays.
    pub(super) fn save_table(&mut self) -> Result<(), String> {
        let (name, mut entries) = (self.hash_file()?, 0);
        let table = &self.shared.table;
        kept::save(Path::new(&name), &self.header(), |out| {
            entries = table.copy_to(out)?;
            Ok(())
        })
        .map_err(|error| format!("cannot save to '{name}': {error}"))?;
        self.remarks.push(format!("{entries} positions were saved to {name}"));
        Ok(())
    }

    /// Loads a table that was saved.
    /// # Errors
    /// It cannot be used: the present table stays.
    pub(super) fn load_table(&mut self) -> Result<(), String> {
        let name = self.hash_file()?;
        let entries = self.load(&name).map_err(|error| format!("cannot load '{name}': {error}"))?;
        self.remarks.push(format!("{entries} positions were loaded from {name}"));
        Ok(())
    }

    /// The whole file is verified before anything of it is taken.
    fn load(&self, name: &str) -> Result<u64, String> {
        let text = |error: KeptError| error.to_string();
        let ours = self.header();
        let mut kept = Kept::open(Path::new(name)).map_err(text)?;
        let theirs = kept.header().clone();
        theirs.check(&ours).map_err(text)?;
        if theirs.size != ours.size {
            return Err(format!("it is of a table of {0} MiB: set Hash to {0} first", theirs.size));
        }
        if theirs.length != ours.length {
            return Err(text(KeptError::Content("its length is not that of its table")));
        }
        kept.verify().map_err(text)?;
        let table = &self.shared.table;
        let read = kept.read(|content| table.copy_from(content)).map_err(|error| {
            // It was whole a moment ago: somebody is writing to it.
            self.clear_table();
            format!("{error}; it has changed while it was read, and the table is empty now")
        })?;
        self.shared.set_generation(theirs.extra as u8);
        Ok(read)
    }

    /// Tells whoever wants the table cleared that it is kept.
    pub(super) fn tell_kept(&mut self) {
        if self.settings.keeps_hash {
            self.remarks.push("the table is kept: Never Clear Hash is set".to_owned());
        }
    }
}

/// That of the benchmark's positions.
fn fingerprint<S: Setup>() -> u64 {
    kept::fingerprint(
        S::BENCH.iter().filter_map(|fen| Position::<S>::from_fen(fen).ok()).map(|pos| pos.key()),
    )
}
