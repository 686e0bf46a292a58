//! The engines of a match: read from words, completed, with what they leave open taken from the settings of
//! all.

use crate::client::player::{EngineProtocol, EngineSpec};
use crate::client::spec::protocols;
use crate::games::record::GameKind;
use crate::games::time::Control;
use crate::message;
use crate::util::message::Message;
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

/// The command as a whole, and a name that no other engine has: the program's, unless it has one.
pub(super) fn complete_command(engine: &mut EngineSpec, names: &mut HashSet<String>) -> Result<(), Message> {
    if engine.human {
        complete_name(engine, "Human", names);
        return Ok(());
    }
    if engine.cmd.is_empty() {
        return Err(message!("engine \"{name}\" has no cmd" | "引擎“{name}”没有 cmd", name = engine.name));
    }
    engine.join_args();
    let program = engine.cmd.split_whitespace().next().unwrap_or("engine").to_owned();
    let usual =
        Path::new(&program).file_name().map_or_else(|| program.as_str().into(), |n| n.to_string_lossy());
    complete_name(engine, &usual, names);
    Ok(())
}

fn complete_name(player: &mut EngineSpec, usual: &str, names: &mut HashSet<String>) {
    if player.name.is_empty() {
        usual.clone_into(&mut player.name);
    }
    while !names.insert(player.name.clone()) {
        player.name.push('\'');
    }
}

/// Why an engine cannot play a game within its limit, if it cannot.
pub(super) fn unfit(engine: &EngineSpec, game: GameKind, control: &Control) -> Option<Message> {
    if engine.human {
        let is_program = !engine.cmd.is_empty() || engine.proto.is_some() || !engine.options.is_empty();
        let is_limited = engine.nodes.is_some() || engine.depth.is_some() || engine.ponders();
        return (is_program || is_limited)
            .then(|| message!("a person has a name and a clock only" | "人只有名字和时限"));
    }
    let protocol = engine.protocol(game);
    let limit = engine.tc.as_ref().unwrap_or(control);
    let is_limited = limit.is_timed() || engine.nodes.is_some() || engine.depth.is_some();
    let fits = protocols(game).contains(&protocol);
    let is_short = limit.per_move.is_some_and(|time| time < Duration::from_secs(1));
    let name = format!("{protocol:?}");
    Some(match protocol {
        EngineProtocol::Gtp | EngineProtocol::Xboard if engine.ponders() => message!(
            "{name} has no command to ponder; an engine's own option may switch it on"
                | "{name} 没有后台思考的命令；也许能用引擎自己的选项打开",
            name
        ),
        EngineProtocol::Xboard if engine.nodes.is_some() => {
            message!(
                "XBoard's protocol has no command that limits nodes" | "XBoard 的协议没有限制结点数的命令"
            )
        }
        EngineProtocol::Gtp if !limit.later.is_empty() => {
            message!("GTP has no command for several periods" | "GTP 没有分时段的命令")
        }
        EngineProtocol::Xboard if is_short => message!(
            "XBoard's protocol has no time per move below a second"
                | "XBoard 的协议不能规定每着不到一秒的时限"
        ),
        _ if !fits => {
            message!("{name} is not a protocol of {game}" | "{game} 不用 {name} 协议", name, game)
        }
        EngineProtocol::Gtp if engine.depth.is_some() => {
            message!("GTP has no command that limits depth" | "GTP 没有限制深度的命令")
        }
        _ if !is_limited && game != GameKind::GO => message!(
            "needs a time control (--tc 8+0.08), nodes=N or depth=N"
                | "需要时限（--tc 8+0.08）、nodes=N 或 depth=N"
        ),
        _ => return None,
    })
}

/// Takes from `each` what `engine` leaves open.
pub(super) fn inherit(engine: &mut EngineSpec, each: &EngineSpec) {
    if engine.human {
        engine.tc = engine.tc.take().or_else(|| each.tc.clone());
        return;
    }
    let inherited =
        each.options.iter().filter(|(name, _)| !engine.options.iter().any(|(own, _)| own == name));
    let mut options: Vec<_> = inherited.cloned().collect();
    options.append(&mut engine.options);
    engine.options = options;
    if engine.cmd.is_empty() {
        engine.cmd = each.cmd.clone();
    }
    engine.args.extend_from_slice(&each.args);
    let init = each.init.clone();
    engine.init.splice(0..0, init);
    engine.proto = engine.proto.or(each.proto);
    engine.tc = engine.tc.take().or_else(|| each.tc.clone());
    engine.nodes = engine.nodes.or(each.nodes);
    engine.depth = engine.depth.or(each.depth);
    engine.dir = engine.dir.take().or_else(|| each.dir.clone());
    engine.stderr = engine.stderr.take().or_else(|| each.stderr.clone());
    engine.restart = engine.restart.or(each.restart);
    engine.ponder = engine.ponder.or(each.ponder);
    engine.timemargin = engine.timemargin.or(each.timemargin);
}
