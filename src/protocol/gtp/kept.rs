//! The search tree in a file, to go on from in another session.

use super::command::{GtpCommand, Reply, commands};
use super::line::Request;
use super::session::Session;
use crate::engine::go::GoEngine;
use crate::util::message::Message;
use std::path::Path;

pub const COMMANDS: &[GtpCommand] = commands! {
    "sanqi-save_tree" "FILE" => |s, r| with_file(s, r, "save", GoEngine::save_tree),
        "writes the search tree of this game to a file";
    "sanqi-load_tree" "FILE" => |s, r| with_file(s, r, "load", GoEngine::load_tree),
        "goes on from the search tree in a file: one of the same board, rules, komi and net";
};

/// Does something with the file that is named, and answers how many positions it has. Its name may hold
/// blanks, and may then stand in quotes.
fn with_file(
    s: &mut Session<'_>,
    request: &Request,
    verb: &str,
    act: fn(&mut GoEngine, &Path) -> Result<u64, Message>,
) -> Reply {
    let quoted = request.rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let file = quoted.filter(|name| !name.is_empty()).unwrap_or(&request.rest);
    let path = s.host.locate(file).map_err(Message::from);
    let positions = path.and_then(|path| act(s.engine(), &path));
    let positions = positions.map_err(|error| format!("cannot {verb} '{file}': {error}"))?;
    Ok(format!("{positions} positions").into())
}
