//! Questions about the board, most of them in GNU Go's words.

use super::args::{Refusal, color_name};
use super::command::{GtpCommand, Reply, command, list};
use super::line::Request;
use super::session::Session;

pub const COMMANDS: &[GtpCommand] = &[
    command("all_legal", "COLOR", "all points where the color may play", |s, r| {
        let side = r.color(0)?;
        list(s.game_state().legal_points(side))
    }),
    command("is_legal", "COLOR VERTEX", "1 if the move is legal, else 0", is_legal),
    command("color", "VERTEX", "what is on a point: black, white or empty", |s, r| {
        let v = r.arg(0)?;
        Ok(s.game_state().stone(v)?.map_or("empty", color_name).into())
    }),
    command("list_stones", "COLOR", "the stones of a color", |s, r| {
        let side = r.color(0)?;
        list(s.game_state().stones(side))
    }),
    command("countlib", "VERTEX", "number of liberties of the group on a point", |s, r| {
        let v = r.arg(0)?;
        Ok(s.game_state().liberties(v)?.len().to_string().into())
    }),
    command("findlib", "VERTEX", "liberties of the group on a point", |s, r| {
        let v = r.arg(0)?;
        list(s.game_state().liberties(v)?)
    }),
    command(
        "unconditional_status",
        "VERTEX",
        "what is certain whichever side moves: alive, dead, black_territory, white_territory or undecided",
        |s, r| {
            let v = r.arg(0)?;
            Ok(s.game_state().unconditional_status(v)?.into())
        },
    ),
    command("captures", "COLOR", "stones that the color has captured", |s, r| {
        let side = r.color(0)?;
        Ok(s.game_state().captured_by(side).to_string().into())
    }),
    command("last_move", "", "color and vertex of the last move", last_move),
    command("move_history", "", "the moves, last one first", move_history),
    command("query_boardsize", "", "size of the board", |s, _| {
        let (columns, rows) = s.game_state().size();
        Ok(if columns == rows { columns.to_string() } else { format!("{columns} {rows}") }.into())
    }),
    command("get_komi", "", "the komi in points", |s, _| Ok(s.game_state().komi().to_string().into())),
    command("get_handicap", "", "number of handicap stones", |s, _| {
        Ok(s.game_state().handicap().to_string().into())
    }),
    command("sanqi-position", "", "the stones on the board, as set_position takes them", |s, _| {
        Ok(super::setup::position_words(s)?.into())
    }),
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
