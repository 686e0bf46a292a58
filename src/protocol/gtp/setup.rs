//! Positions that do not arise by moves: handicap, set-up, records of games.

use super::args::{Refusal, color, color_name, words};
use super::command::{GtpCommand, Reply, commands, done, list};
use super::line::Request;
use super::session::Session;
use crate::engine::Side;
use crate::ensure;
use crate::games::formats::{decode, sgf};
use crate::util::files;
use crate::util::system::remark;
use std::io::Write;
use std::path::Path;

pub const COMMANDS: &[GtpCommand] = commands! {
    "fixed_handicap" "STONES" => |s, r| list(s.game_state().fixed_handicap(r.number(0)?)?),
        "places handicap stones on the star points and names them";
    "place_free_handicap" "STONES" => |s, r| list(s.game_state().free_handicap(r.number(0)?)?),
        "places handicap stones where the engine likes and names them";
    "set_free_handicap" "VERTEX VERTEX [VERTEX...]" => set_free_handicap, "places these handicap stones";
    "set_position" "[COLOR VERTEX...]" => set_position, "clears the board and sets up these stones";
    "loadsgf" "[FILE] [MOVE]" => loadsgf, "loads a game up to just before this move; names the color to play";
    "printsgf" "[FILE]" => printsgf, "the game as SGF, answered or written to a file";
};

fn set_free_handicap(s: &mut Session<'_>, request: &Request) -> Reply {
    let vertices: Vec<&str> = request.args.iter().map(String::as_str).collect();
    s.game_state().set_handicap(&vertices)?;
    done()
}

/// Pairs of color and vertex, from argument `from` on.
pub fn stones(s: &mut Session<'_>, request: &Request, from: usize) -> Result<Vec<(Side, String)>, Refusal> {
    let args = request.args.get(from..).unwrap_or_default();
    ensure!(args.len().is_multiple_of(2), Refusal::SYNTAX);
    let game = s.game_state();
    args.chunks_exact(2)
        .map(|pair| {
            let [word, vertex] = pair else { return Err(Refusal::SYNTAX) };
            let side = color(word).ok_or(Refusal::MOVE)?;
            let vertex = game.vertex(vertex).ok_or(Refusal::MOVE)?;
            Ok((side, vertex))
        })
        .collect()
}

fn set_position(s: &mut Session<'_>, request: &Request) -> Reply {
    let stones = stones(s, request, 0)?;
    ensure!(stones.iter().all(|(_, vertex)| vertex != "pass"), Refusal::MOVE);
    s.game_state().set_up(&stones)?;
    s.new_game();
    done()
}

/// A file name may hold blanks: only a last word that is a number is the move.
fn loadsgf(s: &mut Session<'_>, request: &Request) -> Reply {
    ensure!(!request.rest.is_empty(), "missing filename".into());
    let (file, number) = match request.rest.rsplit_once(char::is_whitespace) {
        Some((file, last)) => match last.parse::<usize>() {
            Ok(number) => (file.trim(), Some(number)),
            Err(_) => (request.rest.as_str(), None),
        },
        None => (request.rest.as_str(), None),
    };
    // Clients match the text of the error: the cause is logged beside it.
    let failure = |cause: &dyn std::fmt::Display| {
        remark!("{file}: {cause}");
        Refusal(format!("cannot open or parse '{file}'").into())
    };
    let path = s.host.locate(file).map_err(|error| failure(&error))?;
    let bytes = files::read(path, sgf::MAX_BYTES).map_err(|error| failure(&error))?;
    let text = decode(&bytes);
    let game = s.game_state();
    let (position, damage) =
        sgf::load(&text, number, *game.position().rules()).map_err(|error| failure(&error))?;
    game.load(position).map_err(|error| failure(&error))?;
    let side = game.side_to_move();
    if let Some(damage) = damage {
        remark!("{file}: {damage}");
    }
    s.new_game();
    Ok(color_name(side).into())
}

fn printsgf(s: &mut Session<'_>, request: &Request) -> Reply {
    let text = sgf::save(s.game_state().position(), &sgf::GameInfo::default());
    if request.rest.is_empty() || request.rest == "-" {
        return Ok(text.into());
    }
    let path = s.host.locate(&request.rest);
    match path.and_then(|path| write_over(&path, &format!("{text}\n"))) {
        Ok(()) => done(),
        Err(error) => Err(format!("cannot write '{}': {error}", request.rest).into()),
    }
}

/// Writes a record to a new file, or in place of one that this program wrote.
fn write_over(path: &Path, text: &str) -> std::io::Result<()> {
    files::replace_own(path, sgf::MARK, |file| file.write_all(text.as_bytes()))
}

/// The stones on the board as arguments of `set_position`.
pub fn position_words(s: &mut Session<'_>) -> Result<String, Refusal> {
    let game = s.game_state();
    let of = |side| game.stones(side).into_iter().map(move |v| format!("{} {v}", super::args::letter(side)));
    Ok(words(of(Side::First).chain(of(Side::Second))))
}
