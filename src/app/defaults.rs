//! Where `sanqi.toml` is looked for, and how it is printed.

use super::console::{Outcome, put};
use crate::message;
use crate::protocol::defaults::{Defaults, FILE_NAME};
use crate::util::files;
use crate::util::message::Message;
use crate::util::system::{self, remark};
use std::path::{Path, PathBuf};

/// Maximum size of a file of options, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Where the file may be: beside the program, then among the user's own settings.
pub fn places() -> Vec<PathBuf> {
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent).map(|folder| folder.join(FILE_NAME));
    let own = system::config_folder().map(|folder| folder.join("sanqi").join(FILE_NAME));
    beside.into_iter().chain(own).collect()
}

/// Where a new file is made: among the user's own settings.
pub fn new_place() -> Option<PathBuf> {
    places().pop()
}

/// The file in use, if there is one.
pub fn found() -> Option<PathBuf> {
    places().into_iter().find(|path| path.exists())
}

/// The file `given`; without it the first one of [`places`]; nothing if that is not wanted. What is wrong in
/// a file is among its problems.
pub fn load(given: Option<&Path>, unwanted: bool) -> Result<Defaults, Message> {
    if unwanted {
        return Ok(Defaults::default());
    }
    match given {
        Some(path) => read(path),
        None => {
            Ok(found()
                .map_or_else(Defaults::default, |path| read(&path).unwrap_or_else(Defaults::unreadable)))
        }
    }
}

fn read(path: &Path) -> Result<Defaults, Message> {
    let name = path.display().to_string();
    let bytes = files::read(path, MAX_BYTES).map_err(|why| files::at(path, why))?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Defaults::parse(text.strip_prefix('\u{FEFF}').unwrap_or(&text), &name),
        Err(error) => Defaults::unreadable(message!(
            "{name}: {error}; nothing of this file is used" | "{name}：{error}；这个文件完全不用",
            name,
            error
        )),
    })
}

/// Prints every option; what is wrong in the file that was read goes to standard error.
pub fn print(defaults: &Defaults) -> Outcome {
    for problem in defaults.problems() {
        remark!("sanqi: {problem}");
    }
    put(defaults.render());
    Ok(())
}
