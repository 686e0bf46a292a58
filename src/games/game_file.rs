//! A file of games that grows: PGN or SGF, a game after the other, perhaps of several matches.
//!
//! Nothing in it is ever removed, except the beginning of a game of this match that an interruption left at
//! the very end.

use crate::message;
use crate::util::message::Message;
use crate::util::{files, system};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// This many bytes identify a file: a heading in blanks and comments fits.
const FIRST_BYTES: u64 = 4096;

pub struct GameFile {
    path: PathBuf,
    file: File,
    /// The last line has no end.
    is_cut: bool,
}

impl GameFile {
    /// Opens the file, or makes it.
    /// # Errors
    /// With the path: a file of something else, or as the file system reports.
    pub fn open(path: &Path) -> Result<Self, Message> {
        Self::begin(path).map_err(|why| files::at(path, why))
    }

    fn begin(path: &Path) -> io::Result<Self> {
        let mut file = File::options().read(true).append(true).create(true).open(path)?;
        let found = file.metadata()?;
        let mut last = [b'\n'];
        if found.is_file() && found.len() > 0 {
            check(&mut file)?;
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        Ok(Self { path: path.to_owned(), file, is_cut: last != *b"\n" })
    }

    pub fn add(&mut self, text: &str) -> Result<(), Message> {
        if self.file.metadata().is_ok_and(|found| found.is_file()) && !system::is_at(&self.file, &self.path) {
            // It was taken away: games of now are found where games are looked for.
            *self = Self::open(&self.path)?;
        }
        let line_end = if std::mem::take(&mut self.is_cut) { "\n" } else { "" };
        let written = self.file.write_all([line_end, text].concat().as_bytes());
        written.map_err(|why| files::at(&self.path, why))
    }

    /// Adds those of `games` that are not in the file yet. All of them begin with `head`.
    pub fn complete(&mut self, games: &[String], head: &str) -> Result<(), Message> {
        self.is_cut = false;
        self.add_missing(games, head).map_err(|why| files::at(&self.path, why))
    }

    fn add_missing(&mut self, games: &[String], head: &str) -> io::Result<()> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        // The games of others may be in any encoding.
        let mut whole = bytes.as_slice();
        let starts = starts(whole, head.as_bytes());
        let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
        let found: HashSet<&[u8]> = starts
            .iter()
            .zip(ends)
            .filter_map(|(&start, end)| Some(bytes.get(start..end)?.trim_ascii_end()))
            .collect();
        let missing: Vec<&String> =
            games.iter().filter(|game| !found.contains(game.as_bytes().trim_ascii_end())).collect();
        // The last line may be the beginning of a head, or one within the torn game.
        let torn = |start: usize| {
            let tail = bytes.get(start..).unwrap_or_default();
            missing.iter().any(|game| game.as_bytes().starts_with(tail))
        };
        if let Some(start) = starts.iter().rev().take(2).rev().copied().find(|&start| torn(start)) {
            whole = bytes.get(..start).unwrap_or_default();
            self.file.set_len(start as u64)?;
        }
        if whole.last().is_some_and(|&last| last != b'\n') {
            self.file.write_all(b"\n")?;
        }
        missing.into_iter().try_for_each(|game| self.file.write_all(game.as_bytes()))
    }
}

/// Refuses a file that cannot be one of games, by its first bytes.
/// # Errors
/// It is none, or it cannot be read.
pub fn check(file: &mut File) -> io::Result<()> {
    let mut first = Vec::new();
    file.take(FIRST_BYTES).read_to_end(&mut first)?;
    match may_be_games(&first) {
        true => Ok(()),
        false => Err(io::Error::other(message!("it is not a file of games" | "它不是棋谱文件"))),
    }
}

/// Whether a file may be PGN or SGF, by its first bytes. An interruption may have cut it off anywhere.
fn may_be_games(first: &[u8]) -> bool {
    let text = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first).trim_ascii_start();
    let line = text.split(|&b| b == b'\n').next().unwrap_or_default();
    match text.first() {
        // A tag has a value in quotes; a section of other files has none.
        Some(b'[') => line.contains(&b'"') || !line.contains(&b']'),
        Some(byte) => b"({%;".contains(byte) || text.strip_prefix(b"1.").is_some_and(begins_with_a_move),
        None => true,
    }
}

/// Whether the first word looks like a move of chess or xiangqi in Latin letters: `e4`, `Nf3`, `h2e2`,
/// `C2.5`.
fn begins_with_a_move(text: &[u8]) -> bool {
    let words = text.split(u8::is_ascii_whitespace);
    let word = words.into_iter().find(|word| !word.is_empty()).unwrap_or_default();
    word.first().is_some_and(u8::is_ascii_alphabetic) && word.iter().any(u8::is_ascii_digit) && word.len() < 8
}

/// Where lines begin with `head`.
fn starts(bytes: &[u8], head: &[u8]) -> Vec<usize> {
    let lines = bytes.split_inclusive(|&b| b == b'\n');
    let mut at = 0_usize;
    lines
        .filter_map(|line| {
            let start = at;
            at = start.saturating_add(line.len());
            // The end of the file may cut the head short as well.
            let cut = at == bytes.len() && head.starts_with(line);
            (line.starts_with(head) || cut).then_some(start)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    #[test]
    fn a_file_of_something_else_is_left_alone() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("notes");
        for (text, games) in [
            ("", true),
            ("\n\n", true),
            ("[Eve", true),
            ("\u{feff}[Event \"x\"]\r\n", true),
            ("% made by hand\n[Event \"x\"]\n", true),
            (" (;GM[1]", true),
            ("[engine]\nname = \"x\"\n", false),
            ("1. e4 e5 2. Nf3 *\n", true),
            ("1.h2e2", true),
            ("1. Bread, 2 pounds\n", false),
            ("#!/bin/sh\n", false),
            ("Milk, bread\n", false),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(GameFile::open(&path).is_ok(), games, "{text:?}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_file_that_was_taken_away_is_begun_anew() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut file = GameFile::open(&path).unwrap();
        file.add("1\n").unwrap();
        if system::identity(&path).is_some() {
            std::fs::rename(&path, folder.path().join("old.pgn")).unwrap();
            file.add("2\n").unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "2\n");
        }
    }

    #[test]
    fn a_file_is_completed_and_keeps_what_is_not_ours() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let game = |n: usize| format!("[Event \"x\"]\n[Round \"{n}\"]\n\n1. e4 *\n\n");
        let other = b"[Event \"M\xfcller\"]\n\n1. d4 *\n\n";
        let ours: Vec<String> = (1..=3).map(game).collect();
        for cut in 0..=game(2).len() {
            let mut before = other.to_vec();
            before.extend(game(1).as_bytes());
            before.extend(&game(2).as_bytes()[..cut]);
            std::fs::write(&path, before).unwrap();
            GameFile::open(&path).unwrap().complete(&ours, "[Event \"").unwrap();
            let mut whole = other.to_vec();
            whole.extend(ours.concat().as_bytes());
            let text = std::fs::read(&path).unwrap();
            // What misses no more than its last empty line is whole.
            let count = text.windows(8).filter(|w| w == b"[Event \"").count();
            assert_eq!(count, 4, "cut at {cut}");
            assert!(text.starts_with(other), "cut at {cut}");
        }
    }
}
