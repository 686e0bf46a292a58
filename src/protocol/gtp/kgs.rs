//! What the KGS server (its `kgsGtp` client) sends besides moves. Rules, clocks and the clean-up are with
//! their own kind.

use super::command::{GtpCommand, command, done};

pub const COMMANDS: &[GtpCommand] = &[
    command("kgs-game_over", "", "the game has ended on the server", |_, _| done()),
    command("kgs-chat", "ROOM USER [TEXT...]", "answers a remark made on the server", |s, _| {
        let Some(analysis) = &s.state.last_analysis else {
            return Ok("I am Sanqi, a program.".into());
        };
        let winrate = 100.0 * analysis.winrate;
        Ok(format!("I saw {winrate:.0}% for me after {} visits.", analysis.visits).into())
    }),
];
