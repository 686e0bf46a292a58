//! Writing records, and going on with a file after a crash.

use super::{BLOCK_MAGIC, FileHeader, HEADER_BYTES, Reader, Record, RecordError};
use crate::errors;
use crate::util::files::{self, AppendFile, Lock, open_regular};
use crate::util::message::Message;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::Path;

/// Appends games to a file, [`BLOCK_GAMES`](Record::BLOCK_GAMES) to a block. Games must come in the order of
/// their numbers.
pub struct Writer<W: Write> {
    out: W,
    payload: Vec<u8>,
    games: u32,
    next: u32,
}

/// The contents of a file that was opened again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Resumed {
    /// Games, which is also the number of the next one.
    pub games: u32,
    pub positions: u64,
    /// Bytes of a torn tail that were cut off.
    pub cut: u64,
}

errors! {
    /// The reason why a file cannot be continued.
    pub enum WriterError from io::Error => Io, RecordError => Record {
        Io(why: Message) = "cannot write: {why}" | "写不了：{why}",
        Exists = "cannot write: there is one already; --resume goes on" | "写不了：它已经存在；接着下用 --resume",
        /// The file is not what it should be.
        Record(why: RecordError) = "{why}" | "{why}",
        /// Other seed, shard, limits or net: going on would mix two runs.
        OtherRun(found: String) =
            "the file was begun with other settings: {found}" | "文件是以别的设置开始的：{found}",
        /// Two runs on one file would cut off each other's blocks.
        InUse = "another run is writing it" | "另一个进程正在写它",
        /// Its games are not those of one run: something was added to it, or taken out of it.
        Order(found: u32, due: u32) =
            "game {found} stands where game {due} is due" | "应为第 {due} 局的地方是第 {found} 局",
        /// There are good blocks after damaged ones, so this is not a torn tail.
        DamagedInside(offset: u64) = "damaged in the middle, at byte {offset}" | "中间损坏，在字节 {offset} 处",
    }
}

impl Writer<AppendFile> {
    pub fn create(path: &Path, header: &impl FileHeader) -> Result<Self, WriterError> {
        let file = OpenOptions::new().append(true).create_new(true).open(path).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists { WriterError::Exists } else { error.into() }
        })?;
        Ok(Self::new(AppendFile::new(locked(file, path)?, path)?, header)?)
    }

    /// Goes on with a file, or begins it when there is none. A torn tail is cut off.
    /// # Errors
    /// When the file is of another run, damaged elsewhere than at its end, or cannot be written.
    pub fn resume<H: FileHeader>(
        path: &Path,
        header: &H,
        game: &'static str,
    ) -> Result<(Self, Resumed), WriterError> {
        let file = match open_regular(path, OpenOptions::new().read(true).append(true)) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                return Ok((Self::create(path, header)?, Resumed::default()));
            }
            file => locked(file?, path)?,
        };
        let (mut found, good_end) = survey(&file, header, game)?;
        found.cut = file.metadata()?.len().saturating_sub(good_end);
        file.set_len(good_end)?;
        let file = AppendFile::new(file, path)?;
        if good_end == 0 {
            return Ok((Self::new(file, header)?, found));
        }
        Ok((Self { out: file, payload: Vec::new(), games: 0, next: found.games }, found))
    }
}

/// The file, held by this run only until it is closed, where its file system has locks.
fn locked(file: File, path: &Path) -> Result<File, WriterError> {
    match files::lock(&file, path)? {
        Lock::Taken => Err(WriterError::InUse),
        Lock::Ours | Lock::None => Ok(file),
    }
}

/// Counts the good games in `file`, and finds their end. Nothing is good where the file is shorter than a
/// header.
fn survey<H: FileHeader>(file: &File, header: &H, game: &'static str) -> Result<(Resumed, u64), WriterError> {
    let mut reader = Reader::<_, H::Record>::of(BufReader::new(file), game);
    let mut found = Resumed::default();
    let mut damage = None;
    let mut good_end = 0;
    while let Some(item) = reader.next() {
        match (item, damage) {
            (Ok(_), Some(offset)) => return Err(WriterError::DamagedInside(offset)),
            (Ok(record), None) if record.index() != found.games => {
                return Err(WriterError::Order(record.index(), found.games));
            }
            (Ok(record), None) => {
                found.games = found.games.saturating_add(1);
                found.positions = found.positions.saturating_add(record.positions());
            }
            (Err(RecordError::Damaged(offset, _)), None) => {
                damage = Some(offset);
                good_end = reader.good_end();
            }
            (Err(RecordError::Damaged(..) | RecordError::NotRecords), Some(_)) => (),
            (Err(e), _) => return Err(e.into()),
        }
    }
    match reader.header() {
        // Nothing is known of the data after a wrong header.
        None if file.metadata()?.len() >= HEADER_BYTES as u64 => {
            Err(WriterError::DamagedInside(damage.unwrap_or(0)))
        }
        Some(of_file) if of_file != header => Err(WriterError::OtherRun(format!("{of_file:?}"))),
        _ => Ok((found, if damage.is_some() { good_end } else { reader.good_end() })),
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "a file has fewer than 2^32 games")]
impl<W: Write> Writer<W> {
    pub fn new(mut out: W, header: &impl FileHeader) -> io::Result<Self> {
        out.write_all(&header.to_fields().encode())?;
        out.flush()?;
        Ok(Self { out, payload: Vec::new(), games: 0, next: 0 })
    }

    /// Number of the game to be pushed next.
    pub fn next_index(&self) -> u32 {
        self.next
    }

    /// Appends a game. Every [`BLOCK_GAMES`](Record::BLOCK_GAMES)-th call writes a block.
    pub fn push<T: Record>(&mut self, record: &T) -> io::Result<()> {
        debug_assert_eq!(record.index(), self.next, "games come in order");
        record.encode(&mut self.payload);
        self.games += 1;
        self.next += 1;
        // Blocks end at multiples, so that a resumed file equals one written at a stretch.
        if self.next.is_multiple_of(T::BLOCK_GAMES) { self.flush() } else { Ok(()) }
    }

    /// Writes the pending games as a block, in one piece.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.games == 0 {
            return Ok(());
        }
        let mut block = Vec::with_capacity(20 + self.payload.len());
        block.extend_from_slice(&BLOCK_MAGIC);
        block.extend_from_slice(&(self.payload.len() as u32).to_le_bytes());
        block.extend_from_slice(&self.games.to_le_bytes());
        block.extend_from_slice(&(self.next - self.games).to_le_bytes());
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&block);
        hasher.update(&self.payload);
        block.extend_from_slice(&hasher.finalize().to_le_bytes());
        block.extend_from_slice(&self.payload);
        self.out.write_all(&block)?;
        self.out.flush()?;
        self.payload.clear();
        self.games = 0;
        Ok(())
    }

    /// Writes the pending games and returns the sink.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        Ok(self.out)
    }
}
