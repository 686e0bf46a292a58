//! Administration, the board's size and content, moves: the core of GTP 2.

use super::args::Refusal;
use super::command::{GtpCommand, Reply, done};
use super::line::Request;
use super::session::Session;
use super::{kata, registry};
use crate::protocol::options;

/// The commands of this family.
pub const COMMANDS: &[GtpCommand] = &[
    GtpCommand { name: "protocol_version", usage: "", help: "2", run: |_, _| Ok("2".into()) },
    GtpCommand { name: "name", usage: "", help: "name of the engine", run: |_, _| Ok("Sanqi".into()) },
    GtpCommand {
        name: "version",
        usage: "",
        help: "version of the engine",
        run: |_, _| Ok(env!("CARGO_PKG_VERSION").into()),
    },
    GtpCommand {
        name: "known_command",
        usage: "COMMAND",
        help: "whether the command is known",
        run: |_, r| Ok(registry::find(r.arg(0)?).is_some().to_string().into()),
    },
    GtpCommand { name: "list_commands", usage: "", help: "all commands, a line each", run: list_commands },
    GtpCommand {
        name: "help",
        usage: "[COMMAND|option NAME]",
        help: "arguments and purpose of commands; what an option does, its values and its default",
        run: help,
    },
    GtpCommand { name: "quit", usage: "", help: "ends the session", run: quit },
    GtpCommand {
        name: "boardsize",
        usage: "SIZE [ROWS]",
        help: "size of the board, 2 to 25; clears it",
        run: boardsize,
    },
    GtpCommand {
        name: "rectangular_boardsize",
        usage: "COLUMNS ROWS",
        help: "size of a board that need not be square; clears it",
        run: rectangular_boardsize,
    },
    GtpCommand { name: "clear_board", usage: "", help: "takes all stones off the board", run: clear_board },
    GtpCommand { name: "komi", usage: "POINTS", help: "komi in points, or in stones: 3.75zi", run: komi },
    GtpCommand { name: "play", usage: "COLOR VERTEX", help: "plays a move or pass", run: play },
    GtpCommand { name: "undo", usage: "", help: "takes back a move, or the whole handicap", run: undo },
    GtpCommand {
        name: "showboard",
        usage: "",
        help: "the board as a picture",
        run: |s, _| Ok(s.host.engine().diagram().into()),
    },
];

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

/// A number that may be out of any range: not a number is a syntax error, anything else is a size.
fn size(request: &Request, index: usize) -> Result<usize, Refusal> {
    let text = request.arg(index)?;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Refusal::SYNTAX);
    }
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
    if game.vertex(vertex).is_none() {
        return Err(Refusal::MOVE);
    }
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
