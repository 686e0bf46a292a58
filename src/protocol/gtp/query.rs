//! Questions about the board, most of them in GNU Go's words.

use super::args::{Refusal, color_name};
use super::command::{GtpCommand, Reply, commands, list};
use super::line::Request;
use super::session::Session;

pub const COMMANDS: &[GtpCommand] = commands! {
    "all_legal" "COLOR" => |s, r| list(s.game_state().legal_points(r.color(0)?)),
        "all points where the color may play";
    "is_legal" "COLOR VERTEX" => is_legal, "1 if the move is legal, else 0";
    "color" "VERTEX" => |s, r| Ok(s.game_state().stone(r.arg(0)?)?.map_or("empty", color_name).into()),
        "what is on a point: black, white or empty";
    "list_stones" "COLOR" => |s, r| list(s.game_state().stones(r.color(0)?)), "the stones of a color";
    "countlib" "VERTEX" => |s, r| Ok(s.game_state().liberties(r.arg(0)?)?.len().to_string().into()),
        "number of liberties of the group on a point";
    "findlib" "VERTEX" => |s, r| list(s.game_state().liberties(r.arg(0)?)?),
        "liberties of the group on a point";
    "unconditional_status" "VERTEX" => |s, r| Ok(s.game_state().unconditional_status(r.arg(0)?)?.into()),
        "what is certain whichever side moves: alive, dead, black_territory, white_territory or undecided";
    "captures" "COLOR" => |s, r| Ok(s.game_state().captured_by(r.color(0)?).to_string().into()),
        "stones that the color has captured";
    "last_move" "" => last_move, "color and vertex of the last move";
    "move_history" "" => move_history, "the moves, last one first";
    "query_boardsize" "" => |s, _| {
        let (columns, rows) = s.game_state().size();
        Ok(if columns == rows { columns.to_string() } else { format!("{columns} {rows}") }.into())
    }, "size of the board";
    "get_komi" "" => |s, _| Ok(s.game_state().komi().to_string().into()), "the komi in points";
    "get_handicap" "" => |s, _| Ok(s.game_state().handicap().to_string().into()), "number of handicap stones";
    "sanqi-position" "" => |s, _| Ok(super::setup::position_words(s)?.into()),
        "the stones on the board, as set_position takes them";
};

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
