//! The engines of a match: read from words, completed, with what they leave open taken from the settings of
//! all.

use crate::client::player::{EngineProtocol, EngineSpec};
use crate::game::GameId;
use crate::games::record::GameKind;
use crate::games::time::Control;
use crate::message;
use crate::util::message::Message;
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

/// One argument as a command line has it: in quotes where it is empty, or has blanks or quotes.
pub(super) fn quoted(arg: &str) -> String {
    if !arg.is_empty() && !arg.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')) {
        return arg.to_owned();
    }
    // A quote stands within quotes of the other kind.
    let parts: Vec<&str> = arg.split('"').collect();
    parts.iter().map(|part| format!("\"{part}\"")).collect::<Vec<_>>().join("'\"'")
}

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

/// The protocols that engines of a game have, the usual one first.
pub fn protocols(game: GameKind) -> &'static [EngineProtocol] {
    match game.game() {
        GameId::Chess if game == GameKind::CHESS960 => &[EngineProtocol::Uci],
        GameId::Chess => &[EngineProtocol::Uci, EngineProtocol::Xboard],
        GameId::Xiangqi => &[EngineProtocol::Uci, EngineProtocol::Ucci, EngineProtocol::Xboard],
        GameId::Go => &[EngineProtocol::Gtp],
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

/// Reads an engine as the command line gives it: words such as `cmd=./a`, `name=A`, `option.Hash=16`.
pub fn engine_from_words<S: AsRef<str>>(words: &[S]) -> Result<EngineSpec, Message> {
    let mut spec = EngineSpec::default();
    for word in words.iter().map(AsRef::as_ref) {
        // cutechess has it without a value.
        let word = if word == "ponder" { "ponder=on" } else { word };
        match word {
            "human" => {
                spec.human = true;
                continue;
            }
            "terminal" => {
                (spec.human, spec.terminal) = (true, true);
                continue;
            }
            _ => {}
        }
        let (key, value) = word.split_once('=').ok_or_else(|| {
            message!(
                "engine: \"{word}\" is not key=value; a program is cmd={word}"
                    | "引擎：“{word}”不是 key=value；程序写作 cmd={word}",
                word
            )
        })?;
        let switch = || match value {
            "on" | "true" => Ok(true),
            "off" | "auto" | "false" => Ok(false),
            _ => Err(message!(
                "engine: \"{word}\": \"{value}\" is neither on nor off"
                    | "引擎：“{word}”：“{value}”既不是 on 也不是 off",
                word,
                value
            )),
        };
        let number = || {
            value.parse::<u64>().map_err(|_| {
                message!(
                    "engine: \"{word}\": \"{value}\" is not a number" | "引擎：“{word}”：“{value}”不是数",
                    word,
                    value
                )
            })
        };
        match key {
            "name" => spec.name = value.to_owned(),
            "human" => (spec.human, spec.name) = (true, value.to_owned()),
            "terminal" => {
                (spec.human, spec.terminal, spec.name) = (true, true, value.to_owned());
            }
            "cmd" => spec.cmd = value.to_owned(),
            "arg" => spec.args.push(quoted(value)),
            "args" => spec.args.push(value.to_owned()),
            "dir" => spec.dir = Some(value.into()),
            "stderr" => spec.stderr = Some(value.into()),
            "init" | "initstr" => spec.init.push(value.to_owned()),
            "nodes" => spec.nodes = Some(number()?),
            "depth" | "plies" => spec.depth = Some(number()?.min(u64::from(u32::MAX)) as u32),
            "tc" => spec.limit(value)?,
            "st" => spec.tc = Some(format!("st={value}").parse()?),
            "restart" => spec.restart = Some(switch()?),
            "ponder" => spec.ponder = Some(switch()?),
            "timemargin" => spec.timemargin = Some(number()?),
            "proto" => {
                spec.proto = Some(EngineProtocol::from_name(value).ok_or_else(|| {
                    message!(
                        "engine: unknown protocol \"{value}\": uci, ucci, gtp or xboard"
                            | "引擎：没有协议“{value}”，只有 uci、ucci、gtp 和 xboard",
                        value
                    )
                })?);
            }
            _ => match key.strip_prefix("option.") {
                Some(option) => spec.options.push((option.to_owned(), value.to_owned())),
                None => return Err(message!("engine: unknown key \"{key}\"" | "引擎：没有键“{key}”", key)),
            },
        }
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::process::CommandLine;

    #[test]
    fn engines_are_read_from_words() {
        let spec = engine_from_words(&[
            "cmd=./a",
            "args=-x 1",
            "name=A",
            "proto=ucci",
            "option.Hash=16",
            "tc=8+0.08",
        ])
        .unwrap();
        assert_eq!((spec.cmd.as_str(), spec.name.as_str()), ("./a", "A"));
        assert_eq!(spec.args, ["-x 1"]);
        assert_eq!(spec.proto, Some(EngineProtocol::Ucci));
        assert_eq!(spec.options, [("Hash".to_owned(), "16".to_owned())]);
        assert_eq!(spec.tc, Some("8+0.08".parse().unwrap()));
        for bad in ["x", "colour=blue", "proto=usi", "nodes=many", "tc=never"] {
            assert!(engine_from_words(&[bad]).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_argument_stays_as_it_is() {
        for arg in ["-x", "", "two words", "it's", "--x=\"a\"", "it's \"a b\"", "\""] {
            let mut spec = engine_from_words(&["cmd=a", &format!("arg={arg}")]).unwrap();
            spec.join_args();
            assert_eq!(CommandLine::parse(&spec.cmd).unwrap().words, ["a", arg], "{}", spec.cmd);
        }
    }
}
