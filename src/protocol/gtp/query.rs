//! Questions about the board, most of them in GNU Go's words.

use super::args::{Refusal, color_name};
use super::command::{GtpCommand, Reply, list};
use super::line::Request;
use super::session::Session;

/// The commands of this family.
pub const COMMANDS: &[GtpCommand] = &[
    GtpCommand {
        name: "all_legal",
        usage: "COLOR",
        help: "all points where the color may play",
        run: |s, r| {
            let side = r.color(0)?;
            list(s.game_state().legal_points(side))
        },
    },
    GtpCommand {
        name: "is_legal",
        usage: "COLOR VERTEX",
        help: "1 if the move is legal, else 0",
        run: is_legal,
    },
    GtpCommand {
        name: "color",
        usage: "VERTEX",
        help: "what is on a point: black, white or empty",
        run: |s, r| {
            let v = r.arg(0)?;
            Ok(s.game_state().stone(v)?.map_or("empty", color_name).into())
        },
    },
    GtpCommand {
        name: "list_stones",
        usage: "COLOR",
        help: "the stones of a color",
        run: |s, r| {
            let side = r.color(0)?;
            list(s.game_state().stones(side))
        },
    },
    GtpCommand {
        name: "countlib",
        usage: "VERTEX",
        help: "number of liberties of the group on a point",
        run: |s, r| {
            let v = r.arg(0)?;
            Ok(s.game_state().liberties(v)?.len().to_string().into())
        },
    },
    GtpCommand {
        name: "findlib",
        usage: "VERTEX",
        help: "liberties of the group on a point",
        run: |s, r| {
            let v = r.arg(0)?;
            list(s.game_state().liberties(v)?)
        },
    },
    GtpCommand {
        name: "unconditional_status",
        usage: "VERTEX",
        help: "what is certain whichever side moves: alive, dead, black_territory, white_territory or undecided",
        run: |s, r| {
            let v = r.arg(0)?;
            Ok(s.game_state().unconditional_status(v)?.into())
        },
    },
    GtpCommand {
        name: "captures",
        usage: "COLOR",
        help: "stones that the color has captured",
        run: |s, r| {
            let side = r.color(0)?;
            Ok(s.game_state().captured_by(side).to_string().into())
        },
    },
    GtpCommand { name: "last_move", usage: "", help: "color and vertex of the last move", run: last_move },
    GtpCommand { name: "move_history", usage: "", help: "the moves, last one first", run: move_history },
    GtpCommand {
        name: "query_boardsize",
        usage: "",
        help: "size of the board",
        run: |s, _| {
            let (columns, rows) = s.game_state().size();
            Ok(if columns == rows { columns.to_string() } else { format!("{columns} {rows}") }.into())
        },
    },
    GtpCommand {
        name: "get_komi",
        usage: "",
        help: "the komi in points",
        run: |s, _| Ok(s.game_state().komi().to_string().into()),
    },
    GtpCommand {
        name: "get_handicap",
        usage: "",
        help: "number of handicap stones",
        run: |s, _| Ok(s.game_state().handicap().to_string().into()),
    },
    GtpCommand {
        name: "sanqi-position",
        usage: "",
        help: "the stones on the board, as set_position takes them",
        run: |s, _| Ok(super::setup::position_words(s)?.into()),
    },
];

fn is_legal(s: &mut Session<'_>, request: &Request) -> Reply {
    let side = request.color(0)?;
    let game = s.game_state();
    let vertex = game.vertex(request.arg(1)?).ok_or(Refusal::COORDINATE)?;
    let legal = vertex == "pass" || game.legal_points(side).contains(&vertex);
    Ok(u8::from(legal).to_string().into())
}

fn last_move(s: &mut Session<'_>, _: &Request) -> Reply {
    match s.game_state().moves().last() {
        Some((side, vertex)) => Ok(format!("{} {vertex}", color_name(*side)).into()),
        None => Err("no previous move known".into()),
    }
}

fn move_history(s: &mut Session<'_>, _: &Request) -> Reply {
    let lines: Vec<String> =
        s.game_state().moves().iter().rev().map(|(side, v)| format!("{} {v}", color_name(*side))).collect();
    Ok(lines.join("\n").into())
}
