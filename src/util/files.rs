//! Files named by a client or a user: only regular ones, none beyond a limit, and for a client that is not
//! trusted only those in one folder.
//!
//! A pipe would block its reader for ever, a device would fill the memory, and a folder would give an error
//! that names none of this.

use super::message::Message;
use super::system::remark;
use crate::ensure;
use crate::message;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufRead, Error, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

/// A failure that names the file.
pub fn at(path: &Path, why: impl Into<Message>) -> Message {
    message!("{path}: {why}" | "{path}：{why}", path = path.display(), why = why.into())
}

/// Reads a regular file of at most `limit` bytes.
/// # Errors
/// There is none, it is something else, it is longer, or the system cannot read it.
pub fn read(path: impl AsRef<Path>, limit: u64) -> io::Result<Vec<u8>> {
    let path = path.as_ref();
    // Asked before opening: opening a pipe waits for its other end.
    let length = regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    if length <= limit {
        // The file may have grown since it was asked.
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    }
    if length > limit || bytes.len() as u64 > limit {
        return Err(Error::new(
            ErrorKind::FileTooLarge,
            message!("it is longer than {limit} bytes" | "超过 {limit} 字节", limit),
        ));
    }
    Ok(bytes)
}

/// Reads a file that the person at the command line names: a regular one whatever its length, and of a pipe
/// or a device at most [`MAX_PIPE_BYTES`] bytes.
/// # Errors
/// There is none, it is a folder, it has no end, or the memory or the system does not hold it.
pub fn read_named(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let found = file.metadata()?;
    if found.is_dir() {
        regular(&found)?;
    }
    let limit = if found.is_file() { u64::MAX } else { MAX_PIPE_BYTES };
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        length if length < limit => Ok(bytes),
        _ => Err(Error::new(
            ErrorKind::FileTooLarge,
            message!("it does not end after {limit} bytes" | "{limit} 字节之后仍没有结束", limit),
        )),
    }
}

/// Bytes that are read of what is no regular file.
const MAX_PIPE_BYTES: u64 = 1 << 30;

/// The same as text.
pub fn read_named_text(path: impl AsRef<Path>) -> io::Result<String> {
    String::from_utf8(read_named(path)?).map_err(|_| {
        Error::new(ErrorKind::InvalidData, message!("stream did not contain valid UTF-8" | "不是 UTF-8 文本"))
    })
}

/// Reads a line with its end behind what is in `line`, of a file whose lines have at most [`MAX_LINE`] bytes.
pub fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let length = reader.take(MAX_LINE).read_until(b'\n', line)?;
    match length as u64 {
        MAX_LINE => Err(Error::new(
            ErrorKind::FileTooLarge,
            message!("a line is longer than {limit} bytes" | "有一行超过 {limit} 字节", limit = MAX_LINE),
        )),
        _ => Ok(length),
    }
}

/// Bytes of a line of a journal: a game of a million moves.
const MAX_LINE: u64 = 256 << 20;

/// Opens `path` with `options`, unless something is there that is no regular file.
pub fn open_regular(path: impl AsRef<Path>, options: &OpenOptions) -> io::Result<File> {
    let path = path.as_ref();
    if let Ok(found) = std::fs::metadata(path) {
        regular(&found)?;
    }
    options.open(path)
}

/// Opens `path` to add to it, makes it where it is missing, and keeps what stands in it. A file in use must
/// have `mark` in its first [`MARKED`] bytes, as files that this program made have: no other file is changed.
/// # Errors
/// As the system's, or: it is no regular file, or not one of ours.
pub fn open_own(path: impl AsRef<Path>, mark: &str) -> io::Result<File> {
    // Two that write at once add to each other's lines.
    let mut file = open_regular(path, File::options().read(true).append(true).create(true))?;
    check_own(&mut file, mark.as_bytes())?;
    Ok(file)
}

/// A file that one run appends to while it holds the lock.
///
/// What is written to a file that was removed, or past the point where it was truncated, is lost or
/// unreadable; the next [`flush`](Write::flush) detects that.
#[derive(Debug)]
pub struct AppendFile {
    file: File,
    path: PathBuf,
    length: u64,
}

impl AppendFile {
    /// `file` was opened at `path` to be appended to.
    pub fn new(file: File, path: &Path) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file, path: path.to_owned(), length })
    }
}

impl Write for AppendFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.length = self.length.saturating_add(written as u64);
        Ok(written)
    }

    /// What was written is on disk when this returns.
    /// # Errors
    /// As the system's, or: the file was taken away, replaced or changed.
    fn flush(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        if !super::system::is_at(&self.file, &self.path) {
            return Err(Error::new(
                ErrorKind::NotFound,
                message!("it was taken away or replaced" | "它被移走或顶替了"),
            ));
        }
        match self.file.metadata()?.len() == self.length {
            true => Ok(()),
            false => Err(Error::new(
                ErrorKind::InvalidData,
                message!("another program has changed it" | "它被别的程序改动了"),
            )),
        }
    }
}

/// Whether a file is empty, or has `mark` in its first [`MARKED`] bytes. Leaves it at its start.
fn check_own(file: &mut File, mark: &[u8]) -> io::Result<()> {
    let mut beginning = Vec::new();
    Read::by_ref(file).take(MARKED).read_to_end(&mut beginning)?;
    if !beginning.is_empty() && !beginning.windows(mark.len()).any(|window| window == mark) {
        return Err(Error::new(
            ErrorKind::AlreadyExists,
            message!("it holds something that this program did not write" | "其中有不是本程序写的内容"),
        ));
    }
    file.seek(SeekFrom::Start(0)).map(drop)
}

#[derive(PartialEq, Eq, Debug)]
pub enum Lock {
    /// It is this run's until it is closed.
    Ours,
    Taken,
    /// Its file system has no locks: nothing keeps other runs away.
    None,
}

/// Locks a file until it is closed. That its file system has no locks is remarked once.
pub fn lock(file: &File, path: &Path) -> io::Result<Lock> {
    static REMARKED: Once = Once::new();
    let lock = outcome(file.try_lock())?;
    if lock == Lock::None {
        REMARKED.call_once(|| {
            remark!("sanqi: {}: no locks on this file system: let no other run write here", path.display());
        });
    }
    Ok(lock)
}

/// What the system's answer to a lock means.
fn outcome(answer: Result<(), TryLockError>) -> io::Result<Lock> {
    match answer {
        Ok(()) => Ok(Lock::Ours),
        Err(TryLockError::WouldBlock) => Ok(Lock::Taken),
        Err(TryLockError::Error(e)) if super::system::has_no_locks(&e) => Ok(Lock::None),
        Err(TryLockError::Error(e)) => Err(e),
    }
}

/// Writes a file beside `path` and renames it: whatever happens, there is the old file or the new one.
/// # Errors
/// When it cannot be written: the old file stays.
pub fn write_at_once(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = destination(path)?;
    let mark = bytes.get(..BEGINNING).unwrap_or(bytes);
    let (part, file) = new_part(&path, Some(mark).filter(|mark| !mark.is_empty()))?;
    finish_part(&part, &path, file, |file| file.write_all(bytes))
}

/// The same where the person at the command line may name a device or a pipe, which is written to.
/// # Errors
/// When it cannot be written: an old file stays.
pub fn write_named(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() => std::fs::write(path, bytes),
        _ => write_at_once(path, bytes.as_ref()),
    }
}

/// The file that a name leads to: links are followed, so that what is replaced is not the link.
/// # Errors
/// Something is there that is no regular file, or a link leads nowhere.
fn destination(path: &Path) -> io::Result<PathBuf> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(path.to_owned()),
        Err(error) => Err(error),
        Ok(found) => {
            let path = if found.is_symlink() { path.canonicalize()? } else { path.to_owned() };
            regular(&std::fs::metadata(&path)?)?;
            Ok(path)
        }
    }
}

/// Whether two names lead to one file, or would if it were made.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Some(folder.unwrap_or(Path::new(".")).canonicalize().ok()?.join(path.file_name()?))
        })
    };
    // What is written to a device or a pipe takes nothing away.
    let is_file = |path: &Path| std::fs::metadata(path).map_or(true, |found| found.is_file());
    // Two hard links have two places.
    let has = |path: &Path| super::system::identity(path);
    is_file(one)
        && (place(one).is_some_and(|place_of_one| place(other) == Some(place_of_one))
            || has(one).is_some_and(|file| has(other) == Some(file)))
}

/// Has `write` write a file beside `path` and renames it: whatever happens, there is the old file or the new
/// one. What has no `mark`, as in [`open_own`], is not replaced.
/// # Errors
/// When it cannot be written, or is not one of ours: the old file stays.
pub fn replace_own(
    path: &Path,
    mark: &str,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    match open_regular(path, File::options().read(true)) {
        Err(error) if error.kind() == ErrorKind::NotFound => (),
        found => check_own(&mut found?, mark.as_bytes())?,
    }
    let path = destination(path)?;
    let (part, file) = new_part(&path, Some(mark.as_bytes()))?;
    finish_part(&part, &path, file, write)
}

/// Writes the file that stands as `part`, and gives it the name `path`.
fn finish_part(
    part: &Path,
    path: &Path,
    mut file: File,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let written = write(&mut file).and_then(|()| file.sync_all());
    // The new file has the read permissions of the old one. Some systems of files know no
    // permissions.
    if let Some(old) = std::fs::metadata(path).ok().filter(Metadata::is_file) {
        let _ = file.set_permissions(old.permissions());
    }
    // Locked until it has its name: another run would take it for left behind, and empty it.
    let renamed = written.and_then(|()| std::fs::rename(part, path));
    if renamed.is_err() {
        // Half a file is useless, and the disk may be full.
        let _ = std::fs::remove_file(part);
    }
    drop(file);
    renamed
}

/// Checks that [`write_at_once`] can write here, without changing anything: called before work whose result
/// would be lost.
pub fn try_to_write(path: &Path) -> io::Result<()> {
    let (part, _) = new_part(&destination(path)?, None)?;
    std::fs::remove_file(part)
}

/// The same for [`write_named`]: a device or a pipe is not opened before there is something to write.
pub fn try_to_write_named(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() => Ok(()),
        _ => try_to_write(path),
    }
}

/// Makes the file that stands beside `path` until it is whole: `NAME.part`, or `NAME.part1` and so on where
/// something has that name. Nothing that is there is written to, and no link is followed; but what has the
/// `mark` and has no writer was left behind by a run that ended, and is used again.
fn new_part(path: &Path, mark: Option<&[u8]>) -> io::Result<(PathBuf, File)> {
    let mut number = 0_u32;
    loop {
        let mut part = path.as_os_str().to_owned();
        part.push(if number == 0 { ".part".to_owned() } else { format!(".part{number}") });
        match File::options().write(true).create_new(true).open(&part) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < MAX_PARTS => {
                if let Some(file) = mark.and_then(|mark| left_behind(part.as_ref(), mark)) {
                    return Ok((part.into(), file));
                }
                number = number.saturating_add(1);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let why = message!(
                    "files of its name with .part to .part{last} stand beside it: take them away"
                        | "旁边已有同名加 .part 到 .part{last} 的文件，请移走它们",
                    last = MAX_PARTS
                );
                return Err(Error::new(error.kind(), why));
            }
            made => {
                let file = made?;
                // Locked, so that no other run takes it for an abandoned one.
                match outcome(file.try_lock()) {
                    // Another run has, before it was locked.
                    Ok(Lock::Taken) => number = number.saturating_add(1),
                    _ => return Ok((part.into(), file)),
                }
            }
        }
    }
}

/// A file with the mark that has no writer, emptied.
fn left_behind(part: &Path, mark: &[u8]) -> Option<File> {
    let found = part.symlink_metadata().ok().filter(Metadata::is_file)?;
    let mut file = File::options().read(true).write(true).open(part).ok()?;
    match outcome(file.try_lock()).ok()? {
        Lock::Ours => {}
        Lock::Taken => return None,
        Lock::None => {
            found.modified().ok()?.elapsed().ok().filter(|age| *age > ABANDONED)?;
        }
    }
    // The run that made it may have finished it meanwhile: it has another name then, and is whole.
    if !super::system::is_at(&file, part) {
        return None;
    }
    check_own(&mut file, mark).ok()?;
    file.set_len(0).ok()?;
    Some(file)
}

/// Bytes at the start of a file that is written at once by which a part of it is known.
const BEGINNING: usize = 16;

/// How long nothing was written to a part whose writer has ended, where no lock shows it.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Names for files that are not whole yet, besides the first.
const MAX_PARTS: u32 = 99;

/// Where the mark of a file of ours must stand, in bytes from the start.
pub const MARKED: u64 = 256;

/// Where a client may have files read and written: everywhere, or in one folder only.
///
/// Links are followed before the place is judged. Who else may change the folder can lead a client out of it:
/// between the judgment and the opening there is time for a new link. A client itself can make no link.
#[derive(Clone, Debug, Default)]
pub struct Sandbox(Option<PathBuf>);

impl Sandbox {
    /// Everything in `folder`, and in the folders in it.
    /// # Errors
    /// It is no folder, or its name is not UTF-8 or holds a character that separates paths.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let root = folder.canonicalize()?;
        let Some(name) = root.to_str().filter(|name| !name.contains(super::system::LIST_SEPARATORS)) else {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                message!("its name could be taken for several paths" | "它的名称可能被当作几个路径"),
            ));
        };
        match root.is_dir() {
            true => Ok(Self(Some(name.into()))),
            false => {
                Err(Error::new(ErrorKind::NotADirectory, message!("it is not a folder" | "它不是文件夹")))
            }
        }
    }

    /// Whether there is a folder to stay in.
    pub fn is_set(&self) -> bool {
        self.0.is_some()
    }

    /// Where the file or folder `name` is: relative to the sandbox's folder, if there is one.
    ///
    /// The error is the same for all that is outside, so that it does not reveal what is there.
    /// # Errors
    /// It is outside, or in a folder that does not exist.
    pub fn locate(&self, name: &str) -> io::Result<PathBuf> {
        let path = Path::new(name);
        let Some(root) = &self.0 else { return Ok(path.to_owned()) };
        let outside = || {
            Error::new(
                ErrorKind::PermissionDenied,
                message!("it is not in the sandbox" | "它不在允许的文件夹内"),
            )
        };
        ensure!(path.components().all(|part| part != Component::ParentDir), outside());
        let path = root.join(path);
        let inside = |path: PathBuf| if path.starts_with(root) { Ok(path) } else { Err(outside()) };
        if let Ok(real) = path.canonicalize() {
            return inside(real);
        }
        let (Some(folder), Some(file)) = (path.parent(), path.file_name()) else { return Err(outside()) };
        let real = inside(folder.canonicalize().map_err(|_| outside())?)?.join(file);
        // A link to nothing yet would be followed when the file is made.
        if real.symlink_metadata().is_ok() { Err(outside()) } else { Ok(real) }
    }
}

/// The length of a regular file.
fn regular(found: &Metadata) -> io::Result<u64> {
    match found.is_file() {
        true => Ok(found.len()),
        false if found.is_dir() => {
            Err(Error::new(ErrorKind::IsADirectory, message!("it is a folder" | "它是文件夹")))
        }
        false => {
            Err(Error::new(ErrorKind::InvalidInput, message!("it is not a regular file" | "它不是普通文件")))
        }
    }
}

/// The exclusive right to a file, as long as this lives. `NAME.lock` stands beside the file meanwhile.
#[derive(Debug)]
pub struct Hold {
    locked: File,
    path: PathBuf,
}

impl Drop for Hold {
    /// Removes the lock file if it is still empty; one with content is not ours.
    fn drop(&mut self) {
        if super::system::is_at(&self.locked, &self.path)
            && self.locked.metadata().is_ok_and(|found| found.len() == 0)
        {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Keeps other runs from what is written at `path`, or under names that begin so.
/// # Errors
/// Another run has it, or nothing can be written there.
pub fn hold(path: &Path) -> io::Result<Hold> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let path = PathBuf::from(name);
    let taken = || Error::other("another run is writing it");
    for _ in 0..LOCK_ATTEMPTS {
        let file = open_regular(&path, File::options().write(true).create(true).truncate(false))?;
        match lock(&file, &path)? {
            Lock::Taken => return Err(taken()),
            // A run that ended between the opening and the locking has taken the file away: the next run
            // would lock another.
            _ if !super::system::is_at(&file, &path) => {}
            _ => return Ok(Hold { locked: file, path }),
        }
    }
    Err(taken())
}

/// Attempts to open a lock file that other runs remove.
const LOCK_ATTEMPTS: u32 = 100;

#[cfg(test)]
mod tests;
