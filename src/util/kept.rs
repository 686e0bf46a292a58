//! Files of saved analysis, from which another process continues.
//!
//! A file is a header of [`HEADER_BYTES`] bytes, the content, and the CRC-32 of the content in four bytes;
//! all numbers are little-endian. The header begins with [`MARK`], describes what the content means and how
//! long it is, and ends with a CRC-32 of its own. Every changed bit is noticed. Whether the content makes
//! sense is for its reader to check: a malicious file can have a valid checksum.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use super::files;
use super::lang::Bilingual;
use super::message::Message;
use crate::ensure;
use crate::{errors, message};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// How every file begins.
pub const MARK: &str = "Sanqi analysis\n\n";
/// Of the form described here.
const VERSION: u32 = 1;
pub const HEADER_BYTES: usize = 256;
/// How long the texts of the header may be.
const KIND_BYTES: usize = 8;
const GAME_BYTES: usize = 8;
const TERMS_BYTES: usize = 180;
/// Bytes that are read at once.
const PIECE: usize = 1 << 16;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// What it is a copy of: `table` or `tree`; at most 8 bytes.
    pub kind: String,
    /// The game, at most 8 bytes.
    pub game: String,
    /// The rules that decide what a position is worth, in words for people; at most 180 bytes.
    pub terms: String,
    /// The checksum of the net that evaluated; 0: there was none.
    pub net: u32,
    /// A fingerprint of the keys of positions: files of programs that number positions differently differ in
    /// it.
    pub keys: u64,
    /// The size of what was saved, in a unit of its kind.
    pub size: u64,
    /// An extra number, whose meaning depends on the kind.
    pub extra: u64,
    /// The length of the content in bytes.
    pub length: u64,
}

/// A number that changes when the keys of positions do: made of some of them.
pub fn fingerprint(keys: impl Iterator<Item = u64>) -> u64 {
    keys.fold(0, |sum: u64, key| (sum.rotate_left(5) ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    /// The next field; zeros where the header has ended.
    fn next<const N: usize>(&mut self) -> [u8; N] {
        let (field, rest) = self.0.split_first_chunk().unwrap_or((&[0; N], &[]));
        self.0 = rest;
        *field
    }
}

/// A text with zeros behind it.
fn text<const N: usize>(field: [u8; N]) -> String {
    String::from_utf8_lossy(&field).trim_end_matches('\0').to_owned()
}

errors! {
    /// Why a file of kept analysis is refused.
    pub enum KeptError from io::Error => Io {
        Io(why: Message) = "{why}" | "{why}",
        NotKept = "it is no file of kept analysis" | "这不是保存的分析文件",
        Damaged(part: Bilingual) =
            "it is damaged: the checksum of its {part} is wrong" | "文件已损坏：{part}的校验和不对",
        Length(expected: u64, found: u64) = "it is damaged: it has {found} bytes, not {expected}"
            | "文件已损坏：有 {found} 字节，应为 {expected}",
        Version(version: u32) = "it has version {version} of the form, and this program reads version 1"
            | "文件格式是第 {version} 版，本程序读第 1 版",
        Other(theirs: Message, ours: Message) = "it was saved with {theirs}, and here is {ours}"
            | "保存时是{theirs}，现在是{ours}",
        Keys = "it was saved by a version of this program that numbers positions differently"
            | "保存它的程序版本给局面编号的方法不同",
        Content(why: Bilingual) = "its content makes no sense: {why}" | "内容不合理：{why}",
    }
}

impl Header {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MARK.as_bytes().to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.net.to_le_bytes());
        for number in [self.keys, self.size, self.extra, self.length] {
            bytes.extend(number.to_le_bytes());
        }
        for (text, max) in [(&self.kind, KIND_BYTES), (&self.game, GAME_BYTES), (&self.terms, TERMS_BYTES)] {
            let end = bytes.len().saturating_add(max);
            bytes.extend(text.bytes().take(max));
            bytes.resize(end, 0);
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> Result<Self, KeptError> {
        let mut fields = Fields(bytes.strip_prefix(MARK.as_bytes()).ok_or(KeptError::NotKept)?);
        let is_whole = |(body, crc): (&[u8], &[u8; 4])| crc32fast::hash(body).to_le_bytes() == *crc;
        if !bytes.split_last_chunk().is_some_and(is_whole) {
            return Err(KeptError::Damaged(Bilingual("header", "文件头")));
        }
        let version = u32::from_le_bytes(fields.next());
        ensure!(version == VERSION, KeptError::Version(version));
        Ok(Self {
            net: u32::from_le_bytes(fields.next()),
            keys: u64::from_le_bytes(fields.next()),
            size: u64::from_le_bytes(fields.next()),
            extra: u64::from_le_bytes(fields.next()),
            length: u64::from_le_bytes(fields.next()),
            kind: text(fields.next::<KIND_BYTES>()),
            game: text(fields.next::<GAME_BYTES>()),
            terms: text(fields.next::<TERMS_BYTES>()),
        })
    }

    /// Whether what was saved with this header means the same to a program whose own header is `ours`. Sizes
    /// and the extra number are not compared.
    pub fn check(&self, ours: &Self) -> Result<(), KeptError> {
        let net = |header: &Self| match header.net {
            0 => message!("no net" | "没有网络"),
            crc => message!("the net {crc:08x}" | "网络 {crc}", crc),
        };
        let kind = |header: &Self| Message::from(format!("a {} of {}", header.kind, header.game));
        for (theirs, ours) in [(kind(self), kind(ours)), (net(self), net(ours))] {
            ensure!(theirs == ours, KeptError::Other(theirs, ours));
        }
        if self.terms != ours.terms {
            return Err(KeptError::Other(self.terms.as_str().into(), ours.terms.as_str().into()));
        }
        if self.keys == ours.keys { Ok(()) } else { Err(KeptError::Keys) }
    }
}

/// Writes a file in place of an earlier one of this kind, or of none. `content` writes as many bytes as the
/// header states.
/// # Errors
/// It cannot be written, or something else is there: what was there stays.
pub fn save(
    path: &Path,
    header: &Header,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    files::replace_own(path, MARK.trim_end(), |file| {
        let mut out = Summed { inner: BufWriter::with_capacity(PIECE, file), crc: crc32fast::Hasher::new() };
        out.inner.write_all(&header.to_bytes())?;
        content(&mut out)?;
        let crc = out.crc.finalize();
        out.inner.write_all(&crc.to_le_bytes())?;
        out.inner.flush()
    })
}

/// A file whose header has been read, but not its content.
pub struct Kept {
    file: File,
    header: Header,
}

impl Kept {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Self, KeptError> {
        let mut file = files::open_regular(path, OpenOptions::new().read(true))?;
        let found = file.metadata()?.len();
        let mut bytes = [0; HEADER_BYTES];
        file.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => KeptError::NotKept,
            _ => error.into(),
        })?;
        let header = Header::from_bytes(&bytes)?;
        let expected = header.length.saturating_add(const { HEADER_BYTES as u64 + 4 });
        ensure!(found == expected, KeptError::Length(expected, found));
        Ok(Self { file, header })
    }

    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Reads the whole content and verifies its checksum.
    pub fn verify(&mut self) -> Result<(), KeptError> {
        self.read(|content| io::copy(content, &mut io::sink()).map(drop))
    }

    /// Has `take` read the content, and compares the checksum of it. A caller that cannot undo what it was
    /// given calls [`verify`](Self::verify) first.
    /// # Errors
    /// As for [`verify`](Self::verify), or that of `take`; it may have had some of the content then.
    pub fn read<T>(&mut self, take: impl FnOnce(&mut dyn Read) -> io::Result<T>) -> Result<T, KeptError> {
        self.file.seek(SeekFrom::Start(HEADER_BYTES as u64))?;
        let inner = BufReader::with_capacity(PIECE, &self.file);
        let mut content = Summed { inner: inner.take(self.header.length), crc: crc32fast::Hasher::new() };
        let taken = take(&mut content)?;
        io::copy(&mut content, &mut io::sink())?;
        let crc = content.crc.finalize();
        let mut written = [0; 4];
        content.inner.into_inner().read_exact(&mut written)?;
        if crc.to_le_bytes() == written {
            Ok(taken)
        } else {
            Err(KeptError::Damaged(Bilingual("content", "内容")))
        }
    }
}

/// A reader or writer, and the checksum of what went through it.
struct Summed<T> {
    inner: T,
    crc: crc32fast::Hasher,
}

impl<T: Write> Write for Summed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.crc.update(bytes.get(..count).unwrap_or_default());
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Summed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.crc.update(bytes.get(..count).unwrap_or_default());
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            kind: "table".to_owned(),
            game: "xiangqi".to_owned(),
            terms: "Repetition Rule chinese".to_owned(),
            net: 7,
            keys: 1 << 40,
            size: 16,
            extra: 3,
            length: 10,
        }
    }

    fn read(path: &Path) -> Result<(Header, Vec<u8>), KeptError> {
        let mut kept = Kept::open(path)?;
        kept.verify()?;
        let mut content = Vec::new();
        kept.read(|reader| reader.read_to_end(&mut content))?;
        Ok((kept.header, content))
    }

    #[test]
    fn what_is_saved_is_read_and_every_flipped_bit_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        save(&path, &header(), |out| out.write_all(b"0123456789")).unwrap();
        assert_eq!(read(&path).unwrap(), (header(), b"0123456789".to_vec()));
        let good = std::fs::read(&path).unwrap();
        for bit in 0..8 * good.len() {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, bytes).unwrap();
            assert!(read(&path).is_err(), "bit {bit}");
        }
        for length in 0..good.len() {
            std::fs::write(&path, &good[..length]).unwrap();
            assert!(read(&path).is_err(), "{length} bytes");
        }
        std::fs::write(&path, [&good[..], b"x"].concat()).unwrap();
        assert!(matches!(read(&path), Err(KeptError::Length(270, 271))));
    }

    #[test]
    fn what_differs_is_named() {
        let theirs = |change: fn(&mut Header)| {
            let mut theirs = header();
            change(&mut theirs);
            theirs.check(&header()).unwrap_err().to_string()
        };
        assert!(header().check(&header()).is_ok());
        for (found, message) in [
            (
                theirs(|h| h.game = "chess".to_owned()),
                "it was saved with a table of chess, and here is a table of xiangqi",
            ),
            (theirs(|h| h.net = 0), "it was saved with no net, and here is the net 00000007"),
            (
                theirs(|h| h.terms = "Repetition Rule asian".to_owned()),
                "it was saved with Repetition Rule asian, and here is Repetition Rule chinese",
            ),
            (
                theirs(|h| h.keys += 1),
                "it was saved by a version of this program that numbers positions differently",
            ),
        ] {
            assert_eq!(found, message);
        }
    }

    #[test]
    fn a_form_of_another_version_is_refused() {
        let mut bytes: [u8; HEADER_BYTES] = header().to_bytes().try_into().unwrap();
        bytes[16] = 2;
        let (body, crc) = bytes.split_last_chunk_mut().unwrap();
        *crc = crc32fast::hash(body).to_le_bytes();
        let error = Header::from_bytes(&bytes).unwrap_err().to_string();
        assert_eq!(error, "it has version 2 of the form, and this program reads version 1");
    }

    #[test]
    fn what_others_wrote_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter");
        let other = folder.path().join("letter.part");
        for letter in [&path, &other] {
            std::fs::write(letter, "Dear reader").unwrap();
        }
        assert!(save(&path, &header(), |_| Ok(())).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"Dear reader");
        std::fs::remove_file(&path).unwrap();
        save(&path, &header(), |out| out.write_all(b"0123456789")).unwrap();
        assert_eq!(std::fs::read(&other).unwrap(), b"Dear reader");
        std::fs::remove_file(other).unwrap();
        let full = |_: &mut dyn Write| Err(io::ErrorKind::StorageFull.into());
        assert!(save(&path, &header(), full).is_err());
        assert_eq!(read(&path).unwrap().1, b"0123456789");
        assert!(!folder.path().join("letter.part").exists());
    }
}
