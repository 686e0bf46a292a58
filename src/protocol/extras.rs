//! Commands that UCI does not have, but people and scripts expect.

use super::Host;
use crate::game::perft::MAX_PLIES;
use crate::message;
use crate::util::build;
use crate::util::message::Message;
use crate::util::rate::per_second;
use std::time::Duration;

/// Commands beyond the protocols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extension {
    /// `d`: shows the board.
    Diagram,
    Eval,
    Bench(Option<u32>),
    /// `compiler`: how this program was built.
    Compiler,
    /// `help`: the commands of the protocol in use.
    Help,
}

/// The form of a remark.
type Remark<'a> = &'a dyn Fn(&Message) -> String;

impl Extension {
    /// Runs the command; `help` lists the protocol's commands.
    pub fn run(&self, help: &[&str], remark: Remark<'_>, host: &mut dyn Host) {
        match self {
            Self::Diagram => {
                let text = host.engine().diagram();
                send_lines(&text, host);
            }
            Self::Eval => {
                let text = host.engine().explain_evaluation();
                send_lines(&text, host);
            }
            Self::Bench(depth) => bench(*depth, remark, host),
            Self::Compiler => compiler(host),
            Self::Help => help.iter().for_each(|line| host.send(line)),
        }
    }
}

fn send_lines(text: &str, host: &mut dyn Host) {
    text.lines().for_each(|line| host.send(line));
}

/// Nodes below each root move and in all. A depth below one has one node, the position itself.
pub fn perft(depth: u32, remark: Remark<'_>, host: &mut dyn Host) {
    if depth == 0 {
        host.send("Nodes searched: 1");
        return;
    }
    if depth > MAX_PLIES {
        return host.send(&remark(&message!(
            "perft counts at most {plies} plies" | "perft 至多 {plies} 步",
            plies = MAX_PLIES
        )));
    }
    let mut counts = None;
    let stopped = host.work(&mut |player, stop| counts = player.engine().perft(depth, stop));
    match counts {
        _ if stopped => host.send(&remark(&message!("perft was stopped" | "perft 已停止"))),
        None => host.send(&remark(&message!("there is no perft in this game" | "这种棋没有 perft"))),
        Some(counts) => {
            for (mv, nodes) in &counts {
                host.send(&format!("{mv}: {nodes}"));
            }
            host.send("");
            let total: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
            host.send(&format!("Nodes searched: {total}"));
        }
    }
}

fn bench(depth: Option<u32>, remark: Remark<'_>, host: &mut dyn Host) {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    if host.work(&mut |player, stop| (nodes, time) = player.engine().bench(depth, stop)) {
        return host.send(&remark(&message!("bench was stopped" | "bench 已停止")));
    }
    host.send(&format!("{nodes} nodes {} nps", per_second(nodes, time)));
}

fn compiler(host: &mut dyn Host) {
    host.send(&format!("Sanqi {}, commit {}", build::VERSION, build::COMMIT));
    let checks = if cfg!(debug_assertions) { "on" } else { "off" };
    host.send(&format!("built by {} for {}; debug assertions {checks}", build::COMPILER, build::TARGET));
}
