//! Commands of the KGS server (its `kgsGtp` client). Its rules, clocks and clean-up are with the other
//! commands of their kind.

use super::command::{GtpCommand, commands, done};

pub const COMMANDS: &[GtpCommand] = commands! {
    "kgs-game_over" "" => |_, _| done(), "the game has ended on the server";
    "kgs-chat" "ROOM USER [TEXT...]" => |s, _| {
        let Some(analysis) = &s.state.last_analysis else {
            return Ok("I am Sanqi, a program.".into());
        };
        let winrate = 100.0 * analysis.winrate;
        Ok(format!("I saw {winrate:.0}% for me after {} visits.", analysis.visits).into())
    }, "answers a remark made on the server";
};
