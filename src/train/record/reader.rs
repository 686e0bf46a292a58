//! Reading records: an iterator that reports damage and goes on with the next good block.

use super::{
    BLOCK_HEADER_BYTES, BLOCK_MAGIC, Fields, FileHeader, HEADER_BYTES, MAGIC, MAX_PAYLOAD, Record,
    TrainingGame, VERSION,
};
use crate::ensure;
use crate::errors;
use crate::message;
use crate::util::bytes::u32_at;
use crate::util::message::Message;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Iterates over the games of one file or of several in a row.
///
/// After [`RecordError::Damaged`] it looks for the next block or header and goes on; any other error ends it.
pub struct Reader<R, T: Record = TrainingGame> {
    input: R,
    game: &'static str,
    /// Bytes read ahead; `buffer[at..]` is not parsed yet.
    buffer: Vec<u8>,
    at: usize,
    /// Offset in the input of `buffer[0]`.
    base: u64,
    input_ended: bool,
    headers: Vec<T::Header>,
    ready: VecDeque<T>,
    good_end: u64,
    ended: bool,
    /// Bytes of blocks whose checksum was computed, good or not.
    hashed: u64,
}

/// Limits on the bytes that are checksummed, in all and for each byte of the input: a false block is read
/// again from the next place that looks like one.
const HASHED: (u64, u64) = (64 << 20, 16);

errors! {
    pub enum RecordError from io::Error => Io {
        Io(why: Message) = "cannot read: {why}" | "读不了：{why}",
        NotRecords = "not a file of game records" | "不是对局记录的文件",
        Version(version: u32) =
            "record version {version} is not known here (newest: {VERSION})"
                | "不认识对局记录的第 {version} 版（最新：{VERSION}）",
        Branches = "records with branches are not supported" | "不支持带分支的记录",
        WrongGame(found: String, wanted: &'static str) =
            "records of {found}, not of {wanted}" | "这是 {found} 的记录，不是 {wanted} 的",
        /// Too much of it only looks like records: reading on would take too long.
        BeyondUse(offset: u64) = "damaged beyond use at byte {offset}" | "自字节 {offset} 起损坏，无法再用",
        /// A stretch of the file, from `offset` on, is not what was written.
        Damaged(offset: u64, what: Message) = "damaged at byte {offset}: {what}" | "字节 {offset} 处损坏：{what}",
    }
}

/// The item at the front of the buffer.
enum Chunk {
    End,
    Header,
    Games,
}

impl<R: Read> Reader<R> {
    /// Reads records of `game`, chess or xiangqi, as [`of`](Reader::of) does.
    pub fn new(input: R, game: &'static str) -> Self {
        Self::of(input, game)
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "places within the buffer and the input")]
impl<R: Read, T: Record> Reader<R, T> {
    /// Reads records of `game` (the game's [`NAME`](crate::game::Game::NAME)) from `input`, which need not
    /// be buffered. Nothing is read before the first call of [`next`](Iterator::next).
    pub fn of(input: R, game: &'static str) -> Self {
        Self {
            input,
            game,
            buffer: Vec::new(),
            at: 0,
            base: 0,
            input_ended: false,
            headers: Vec::new(),
            ready: VecDeque::new(),
            good_end: 0,
            ended: false,
            hashed: 0,
        }
    }

    pub fn header(&self) -> Option<&T::Header> {
        self.headers.last()
    }

    /// The headers so far: one for each part.
    pub fn headers(&self) -> &[T::Header] {
        &self.headers
    }

    /// The next game that is whole, in the file at `path`; damage before it is a line of `complaints`.
    pub fn next_whole(
        &mut self,
        path: &Path,
        complaints: &mut Vec<String>,
    ) -> Result<Option<T>, RecordError> {
        loop {
            match self.next().transpose() {
                Err(damage @ RecordError::Damaged(..)) => {
                    complaints.push(format!("{}: {damage}", path.display()));
                }
                other => return other,
            }
        }
    }

    /// Bytes taken from the input, for a progress bar.
    pub fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Where the last good block or header ended.
    pub fn good_end(&self) -> u64 {
        self.good_end
    }

    /// The unread bytes, at least `n` of them unless the input ends before.
    fn front(&mut self, n: usize) -> io::Result<&[u8]> {
        while self.buffer.len() - self.at < n && !self.input_ended {
            if self.at > 1 << 16 {
                self.base += self.at as u64;
                self.buffer.drain(..self.at);
                self.at = 0;
            }
            let filled = self.buffer.len();
            self.buffer.resize(filled + n.max(1 << 16), 0);
            let got = loop {
                match self.input.read(self.buffer.get_mut(filled..).unwrap_or_default()) {
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => (),
                    other => break other,
                }
            };
            self.buffer.truncate(filled + *got.as_ref().unwrap_or(&0));
            self.input_ended = got? == 0;
        }
        Ok(self.buffer.get(self.at..).unwrap_or_default())
    }

    fn accept(&mut self, bytes: usize) {
        self.at += bytes;
        self.good_end = self.offset();
    }

    fn damaged(&self, what: Message) -> RecordError {
        RecordError::Damaged(self.offset(), what)
    }

    fn next_chunk(&mut self) -> Result<Chunk, RecordError> {
        let inside = !self.headers.is_empty();
        let front = self.front(HEADER_BYTES)?;
        if front.is_empty() {
            return Ok(Chunk::End);
        }
        if front.starts_with(&MAGIC) {
            return self.read_header();
        }
        if !inside {
            let torn_header = front.len() < MAGIC.len() && MAGIC.starts_with(front);
            return Err(if torn_header {
                self.damaged(message!("cut short" | "不完整"))
            } else {
                RecordError::NotRecords
            });
        }
        self.read_block()
    }

    fn read_header(&mut self) -> Result<Chunk, RecordError> {
        let Some(&bytes) = self.front(HEADER_BYTES)?.first_chunk::<HEADER_BYTES>() else {
            return Err(self.damaged(message!("header cut short" | "文件头不完整")));
        };
        let fields = Fields::decode(&bytes, self.offset())?;
        ensure!(fields.game == self.game, RecordError::WrongGame(fields.game, self.game));
        self.headers.push(T::Header::from_fields(fields));
        self.accept(HEADER_BYTES);
        Ok(Chunk::Header)
    }

    fn read_block(&mut self) -> Result<Chunk, RecordError> {
        let front = self.front(BLOCK_HEADER_BYTES)?;
        if !front.iter().zip(&BLOCK_MAGIC).all(|(found, wanted)| found == wanted) {
            return Err(self.damaged(message!("no block begins here" | "这里没有数据块")));
        }
        let Some(&head) = front.first_chunk::<BLOCK_HEADER_BYTES>() else {
            return Err(self.damaged(message!("block cut short" | "数据块不完整")));
        };
        let [length, games, first, crc] = [4, 8, 12, 16].map(|at| u32_at(&head, at));
        let length = length as usize;
        if length > MAX_PAYLOAD {
            return Err(self.damaged(message!("impossible length of a block" | "数据块的长度不可能")));
        }
        let ((min, share), offset) = (HASHED, self.offset());
        self.hashed = self.hashed.saturating_add(length as u64);
        ensure!(self.hashed <= min + share * (offset + length as u64), RecordError::BeyondUse(offset));
        let front = self.front(BLOCK_HEADER_BYTES + length)?;
        let Some(mut payload) = front.get(BLOCK_HEADER_BYTES..BLOCK_HEADER_BYTES + length) else {
            return Err(self.damaged(message!("block cut short" | "数据块不完整")));
        };
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&head[..16]);
        hasher.update(payload);
        if hasher.finalize() != crc {
            return Err(self.damaged(message!("checksum of a block is wrong" | "数据块的校验和不对")));
        }
        let mut ready = VecDeque::new();
        for number in 0..games {
            match T::decode(&mut payload, first.wrapping_add(number)) {
                Some(game) => ready.push_back(game),
                None => return Err(self.damaged(message!("a game that cannot be read" | "有一局无法读取"))),
            }
        }
        if !payload.is_empty() {
            return Err(self.damaged(message!("more bytes than games in a block" | "数据块里有多余的字节")));
        }
        self.ready = ready;
        self.accept(BLOCK_HEADER_BYTES + length);
        Ok(Chunk::Games)
    }

    /// Moves on to the next place where a header or a block could begin.
    fn skip_damage(&mut self) -> io::Result<()> {
        self.at += 1;
        loop {
            let front = self.front(1 << 16)?;
            let found = front.windows(4).position(|w| w == BLOCK_MAGIC || w == &MAGIC[..4]);
            if let Some(skip) = found {
                self.at += skip;
                return Ok(());
            }
            // The last three bytes may begin a magic that the next read completes.
            let unread = front.len();
            self.at += if self.input_ended { unread } else { unread - 3 };
            if self.input_ended {
                return Ok(());
            }
        }
    }
}

/// The game of the records in the file at `path`, whatever it is.
pub fn game_of(path: &Path) -> Result<String, RecordError> {
    let mut bytes = [0; HEADER_BYTES];
    File::open(path)?.read_exact(&mut bytes).map_err(|_| RecordError::NotRecords)?;
    ensure!(bytes.starts_with(&MAGIC), RecordError::NotRecords);
    Ok(Fields::decode(&bytes, 0)?.game)
}

impl<R: Read, T: Record> Iterator for Reader<R, T> {
    type Item = Result<T, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.ended {
            match self.next_chunk() {
                Ok(Chunk::End) => self.ended = true,
                Ok(Chunk::Header | Chunk::Games) => (),
                Err(error @ RecordError::Damaged(..)) => {
                    if let Err(e) = self.skip_damage() {
                        self.ended = true;
                        return Some(Err(e.into()));
                    }
                    return Some(Err(error));
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        self.ready.pop_front().map(Ok)
    }
}
