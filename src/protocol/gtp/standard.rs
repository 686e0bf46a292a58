//! Administration, the board's size and content, moves: the core of GTP 2.

use super::args::Refusal;
use super::command::{GtpCommand, Reply, commands, done};
use super::line::Request;
use super::session::Session;
use super::{kata, registry};
use crate::ensure;
use crate::protocol::options;

pub const COMMANDS: &[GtpCommand] = commands! {
    "protocol_version" "" => |_, _| Ok("2".into()), "2";
    "name" "" => |_, _| Ok("Sanqi".into()), "name of the engine";
    "version" "" => |_, _| Ok(env!("CARGO_PKG_VERSION").into()), "version of the engine";
    "known_command" "COMMAND" => |_, r| Ok(registry::find(r.arg(0)?).is_some().to_string().into()),
        "whether the command is known";
    "list_commands" "" => list_commands, "all commands, a line each";
    "help" "[COMMAND|option NAME]" => help,
        "arguments and purpose of commands; what an option does, its values and its default";
    "quit" "" => quit, "ends the session";
    "boardsize" "SIZE [ROWS]" => boardsize, "size of the board, 2 to 25; clears it";
    "rectangular_boardsize" "COLUMNS ROWS" => rectangular_boardsize,
        "size of a board that need not be square; clears it";
    "clear_board" "" => clear_board, "takes all stones off the board";
    "komi" "POINTS" => komi, "komi in points, or in stones: 3.75zi";
    "play" "COLOR VERTEX" => play, "plays a move or pass";
    "undo" "" => undo, "takes back a move, or the whole handicap";
    "showboard" "" => |s, _| Ok(s.host.engine().diagram().into()), "the board as a picture";
};

fn list_commands(_: &mut Session<'_>, _: &Request) -> Reply {
    Ok(registry::all().map(|c| c.name).collect::<Vec<_>>().join("\n").into())
}

fn help(s: &mut Session<'_>, request: &Request) -> Reply {
    let line = |c: &GtpCommand| [c.name, c.usage, "-", c.help].join(" ").replace("  ", " ");
    match request.args.split_first() {
        Some((word, name)) if word == "option" => {
            s.engine();
            let declared: Vec<_> =
                s.host.options().into_iter().map(|spec| (spec.name.to_owned(), spec)).collect();
            let name = name.join(" ");
            Ok(options::help(kata::option_named(&name).unwrap_or(&name), &declared).into())
        }
        Some((name, _)) => {
            registry::find(name).map(|c| line(c).into()).ok_or_else(|| "unknown command".into())
        }
        None => Ok(registry::all().map(line).collect::<Vec<_>>().join("\n").into()),
    }
}

fn quit(s: &mut Session<'_>, _: &Request) -> Reply {
    s.host.quit();
    done()
}

/// A number in any range; only a text that is no number is a syntax error.
fn size(request: &Request, index: usize) -> Result<usize, Refusal> {
    let text = request.arg(index)?;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    ensure!(!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()), Refusal::SYNTAX);
    text.parse().map_err(|_| "unacceptable size".into())
}

fn boardsize(s: &mut Session<'_>, request: &Request) -> Reply {
    let columns = size(request, 0)?;
    let rows = if request.args.len() > 1 { size(request, 1)? } else { columns };
    resize(s, columns, rows)
}

fn rectangular_boardsize(s: &mut Session<'_>, request: &Request) -> Reply {
    let (columns, rows) = (size(request, 0)?, size(request, 1)?);
    resize(s, columns, rows)
}

fn resize(s: &mut Session<'_>, columns: usize, rows: usize) -> Reply {
    s.game_state().set_size(columns, rows)?;
    s.new_game();
    done()
}

fn clear_board(s: &mut Session<'_>, _: &Request) -> Reply {
    s.game_state().clear();
    s.new_game();
    done()
}

fn komi(s: &mut Session<'_>, request: &Request) -> Reply {
    let komi = crate::games::referee::read_komi(request.arg(0)?).ok_or(Refusal::SYNTAX)?;
    s.game_state().set_komi(komi).map_err(|_| Refusal::SYNTAX)?;
    done()
}

fn play(s: &mut Session<'_>, request: &Request) -> Reply {
    let (color, vertex) = (request.arg(0)?, request.arg(1)?);
    let side = super::args::color(color).ok_or(Refusal::MOVE)?;
    let game = s.game_state();
    ensure!(game.vertex(vertex).is_some(), Refusal::MOVE);
    game.play(side, vertex)?;
    done()
}

fn undo(s: &mut Session<'_>, _: &Request) -> Reply {
    s.game_state().undo()?;
    done()
}

impl Session<'_> {
    /// A game begins: both clocks are full again, and the search gets ready.
    pub fn new_game(&mut self) {
        self.state.clocks.reset();
        self.state.last_analysis = None;
        let engine = self.engine();
        engine.new_game_begins();
        engine.warm_up();
    }
}
