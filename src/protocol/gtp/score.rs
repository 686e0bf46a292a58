//! The end of the game: dead stones and the score.

use super::args::Refusal;
use super::command::{GtpCommand, Reply, commands};
use super::line::Request;
use super::session::Session;
use crate::engine::go::Status;
use crate::ensure;

pub const COMMANDS: &[GtpCommand] = commands! {
    "final_score" "" => |s, _| Ok(status(s)?.score.into()),
        "the result by the rules of the game, dead stones taken off: B+3.5, W+12, 0";
    "final_status_list" "STATUS" => final_status_list,
        "stones that are dead, alive or in seki, a group a line; or black_territory, white_territory, dame";
    "final_status" "VERTEX" => final_status, "dead, alive, seki, black_territory, white_territory or dame";
    "sanqi-area_score" "[DEAD_VERTEX...]" => area_score, "area score with just these stones taken off first";
    "gogui-rules_final_result" "" => |s, _| {
        let over = s.game_state().passes() >= 2;
        Ok(if over { status(s)?.score } else { String::new() }.into())
    }, "the result of the game once it is over";
};

/// The status of every stone and point. It takes searches: they end with the session.
fn status(s: &mut Session<'_>) -> Result<Status, Refusal> {
    ensure!(!s.host.is_ending(), Refusal::ENDING);
    let mut status = None;
    s.host.work(&mut |player, stop| status = player.go().and_then(|engine| engine.status_until(stop)));
    status.ok_or_else(|| if s.host.is_ending() { Refusal::ENDING } else { "cancelled".into() })
}

fn final_status_list(s: &mut Session<'_>, request: &Request) -> Reply {
    let name = request.arg(0)?;
    let status = status(s)?;
    let groups = status.groups(name).ok_or(Refusal::SYNTAX)?;
    Ok(groups.iter().map(|group| group.join(" ")).collect::<Vec<_>>().join("\n").into())
}

fn final_status(s: &mut Session<'_>, request: &Request) -> Reply {
    let vertex = s.game_state().vertex(request.arg(0)?).ok_or(Refusal::COORDINATE)?;
    let status = status(s)?;
    status.of(&vertex).map(Into::into).ok_or(Refusal::COORDINATE)
}

fn area_score(s: &mut Session<'_>, request: &Request) -> Reply {
    let dead: Vec<&str> = request.args.iter().map(String::as_str).collect();
    Ok(s.game_state().score_without(&dead)?.into())
}
