//! What the KGS server (its `kgsGtp` client) says besides moves. Rules, clocks and the clean-up are with
//! their own kind.

use super::command::{GtpCommand, done};

/// The commands of this family.
pub const COMMANDS: &[GtpCommand] = &[
    GtpCommand {
        name: "kgs-game_over",
        usage: "",
        help: "the game has ended on the server",
        run: |_, _| done(),
    },
    GtpCommand {
        name: "kgs-chat",
        usage: "ROOM USER [TEXT...]",
        help: "answers a remark made on the server",
        run: |s, _| {
            let Some(analysis) = &s.state.last_analysis else {
                return Ok("I am Sanqi, a program.".into());
            };
            let winrate = 100.0 * analysis.winrate;
            Ok(format!("I saw {winrate:.0}% for me after {} visits.", analysis.visits).into())
        },
    },
];
