//! An engine as the command line gives it, and the protocols that engines of a game have.

use super::player::EngineSpec;
use super::request::EngineProtocol;
use crate::game::GameId;
use crate::games::record::GameKind;
use crate::message;
use crate::util::message::Message;

/// One argument as a command line has it: in quotes where it is empty, or has blanks or quotes.
pub fn quoted(arg: &str) -> String {
    if !arg.is_empty() && !arg.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')) {
        return arg.to_owned();
    }
    // A quote stands within quotes of the other kind.
    let parts: Vec<&str> = arg.split('"').collect();
    parts.iter().map(|part| format!("\"{part}\"")).collect::<Vec<_>>().join("'\"'")
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

/// Whether a word sets something of an engine, as [`engine_from_words`] reads it.
pub fn is_setting(word: &str) -> bool {
    const KEYS: [&str; 19] = [
        "name",
        "human",
        "terminal",
        "cmd",
        "arg",
        "args",
        "dir",
        "stderr",
        "init",
        "initstr",
        "nodes",
        "depth",
        "plies",
        "tc",
        "st",
        "restart",
        "ponder",
        "timemargin",
        "proto",
    ];
    word.split_once('=').is_some_and(|(key, _)| KEYS.contains(&key) || key.starts_with("option."))
}

/// Reads an engine as the command line gives it: words such as `cmd=./a`, `name=A`, `option.Hash=16`.
/// # Errors
/// Names the word that is wrong.
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
