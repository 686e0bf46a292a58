//! Files named by a client or a user, read whole: only regular ones, and none beyond a limit.
//!
//! A pipe would block its reader for ever, a device would fill the memory, and a folder would give an error that
//! names none of this.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Error, ErrorKind, Read};
use std::path::Path;

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
        file.take(limit + 1).read_to_end(&mut bytes)?;
    }
    if length > limit || bytes.len() as u64 > limit {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it is longer than {limit} bytes")));
    }
    Ok(bytes)
}

/// Opens `path` as `options` say, unless something is there that is no regular file.
/// # Errors
/// As the system's, or: it is no regular file.
pub fn open_regular(path: impl AsRef<Path>, options: &OpenOptions) -> io::Result<File> {
    let path = path.as_ref();
    if let Ok(found) = std::fs::metadata(path) {
        regular(&found)?;
    }
    options.open(path)
}

/// The length of a regular file.
fn regular(found: &Metadata) -> io::Result<u64> {
    match found.is_file() {
        true => Ok(found.len()),
        false if found.is_dir() => Err(Error::new(ErrorKind::IsADirectory, "it is a folder")),
        false => Err(Error::new(ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_within_the_limit_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        assert_eq!(read(&path, 4).unwrap_err().to_string(), "it is longer than 4 bytes");
        assert_eq!(read(folder.path(), 5).unwrap_err().to_string(), "it is a folder");
        assert_eq!(read(folder.path().join("b"), 5).unwrap_err().kind(), ErrorKind::NotFound);
        if std::path::Path::new("/dev/zero").exists() {
            assert_eq!(read("/dev/zero", 5).unwrap_err().to_string(), "it is not a regular file");
            let append = OpenOptions::new().append(true).clone();
            assert!(open_regular("/dev/null", &append).is_err());
        }
        assert!(open_regular(&path, OpenOptions::new().append(true)).is_ok());
    }
}
