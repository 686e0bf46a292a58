//! UCCI's options: those its text names, those of the engine under names without blanks.

use crate::engine::{OptionKind, OptionSpec};
use crate::message;
use crate::protocol::options;
use crate::util::lang::Bilingual;
use crate::util::message::Message;

/// The longest line that every adapter takes unharmed (Debian's uci2wb breaks at about 256 bytes).
pub const MAX_LINE: usize = 249;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The dialect itself changes.
    Dialect,
    /// The engine option of this name is set. Where the engine has none, the value is only checked.
    Engine(&'static str),
    /// As `Engine`, but zero stands for the engine's default.
    EngineOrDefault(&'static str),
    /// As `Engine`, but zero stands for one thread per processor.
    Threads(&'static str),
    /// Its words stand for numbers of the engine option of this name.
    Words(&'static str, &'static [(&'static str, &'static str)]),
    NewGame,
}

/// An option as the client sees it.
pub(in crate::protocol) struct Setting {
    /// Name (without blanks), kind, help.
    pub spec: OptionSpec,
    pub effect: Effect,
}

/// Times are in milliseconds instead of seconds.
pub const USEMILLISEC: &str = "usemillisec";
/// Leaves input unread while thinking.
pub const BATCH: &str = "batch";
pub const DEBUG: &str = "debug";
/// Soldiers that reach the last rank become something else: not in these rules.
pub const PROMOTION: &str = "promotion";

const SIZES: &[&str] = &["none", "small", "medium", "large"];

/// Percent of the time that the engine rests.
const IDLE: &[(&str, &str)] = &[("none", "0"), ("small", "20"), ("medium", "50"), ("large", "80")];
/// Centipawns that a move may be worse than the best one.
const RANDOMNESS: &[(&str, &str)] =
    &[("none", "0"), ("tiny", "5"), ("small", "10"), ("medium", "20"), ("large", "40"), ("huge", "80")];
/// Centipawns that a draw is worse than an even position.
const STYLE: &[(&str, &str)] = &[("solid", "-20"), ("normal", "0"), ("risky", "20")];

/// Names of options in earlier versions of the text.
const EARLIER_NAMES: &[(&str, &str)] = &[("selectivity", "randomness"), ("drawmoves", "noprogresslimit")];

/// The name of an option in this version of the text, without blanks.
fn present_name(name: &str) -> String {
    let name = options::plain(name);
    let renamed = EARLIER_NAMES.iter().find(|(earlier, _)| *earlier == name);
    renamed.map_or(name, |(_, now)| (*now).to_owned())
}

/// The options of UCCI 3.0 that this engine has, and the rule set, in the order of the text.
const NAMED: &[(&str, OptionKind, Effect)] = &[
    (USEMILLISEC, OptionKind::Check(false), Effect::Dialect),
    (BATCH, OptionKind::Check(false), Effect::Dialect),
    (DEBUG, OptionKind::Check(false), Effect::Dialect),
    ("ponder", OptionKind::Check(false), Effect::Engine(options::PONDER)),
    ("usebook", OptionKind::Check(false), Effect::Engine("OwnBook")),
    ("bookfiles", OptionKind::text(""), Effect::Engine("Book File")),
    ("evalapi", OptionKind::text(""), Effect::Engine("EvalFile")),
    ("hashsize", OptionKind::Spin { default: 0, min: 0, max: 1024 }, Effect::EngineOrDefault("Hash")),
    ("threads", OptionKind::Spin { default: 1, min: 0, max: 1 }, Effect::Threads("Threads")),
    ("idle", OptionKind::Combo { default: "none", choices: SIZES }, Effect::Words("Idle", IDLE)),
    (PROMOTION, OptionKind::Check(false), Effect::Dialect),
    ("pruning", OptionKind::Combo { default: "large", choices: SIZES }, Effect::Engine("Pruning")),
    (
        "randomness",
        OptionKind::Combo { default: "none", choices: &["none", "tiny", "small", "medium", "large", "huge"] },
        Effect::Words("Randomness", RANDOMNESS),
    ),
    (
        "style",
        OptionKind::Combo { default: "normal", choices: &["solid", "normal", "risky"] },
        Effect::Words("Contempt", STYLE),
    ),
    ("newgame", OptionKind::Button, Effect::NewGame),
    (
        "ruleset",
        OptionKind::Combo { default: "chinese", choices: &["chinese", "asian", "computer", "none"] },
        Effect::Engine("Repetition Rule"),
    ),
];

/// Help for the options that belong to no engine.
const OWN_HELP: &[(&str, Bilingual)] = &[
    (USEMILLISEC, Bilingual("Times are in milliseconds instead of seconds.", "时间以毫秒而不是秒为单位。")),
    (BATCH, Bilingual("Input is not read while thinking.", "思考时不读输入。")),
    (
        DEBUG,
        Bilingual(
            "Reports each iteration in more detail, and commands that are not known.",
            "更详细地报告每次迭代，也报告不认识的命令。",
        ),
    ),
    (
        PROMOTION,
        Bilingual(
            "Soldiers promote on the last rank; must be false, as these rules have no promotion.",
            "兵到底线升变：只能为 false，这里的规则没有升变。",
        ),
    ),
    ("newgame", Bilingual("Forgets earlier games.", "忘记以前的对局。")),
];

fn help(name: &str, effect: Effect, engine: &[OptionSpec]) -> Bilingual {
    let own = OWN_HELP.iter().find(|(own, _)| *own == name).map(|(_, help)| *help);
    own.or_else(|| Some(options::find(engine, target(effect)?).ok()?.help)).unwrap_or(Bilingual("", ""))
}

/// The options that have a name of their own in UCCI.
pub fn named(engine: &[OptionSpec]) -> impl Iterator<Item = Setting> {
    NAMED.iter().map(|(name, kind, effect)| Setting {
        spec: OptionSpec { name, kind: adapted(kind, *effect, engine), help: help(name, *effect, engine) },
        effect: *effect,
    })
}

/// Everything that can be set, given the options of controller and engine.
pub fn all(engine: &[OptionSpec]) -> Vec<Setting> {
    let is_named = |spec: &OptionSpec| {
        NAMED.iter().any(|(name, _, effect)| target(*effect) == Some(spec.name) || *name == plain_name(spec))
    };
    let others = engine
        .iter()
        .filter(|spec| !is_named(spec))
        .map(|spec| Setting { spec: spec.clone(), effect: Effect::Engine(spec.name) });
    named(engine).chain(others).collect()
}

/// The option that a client calls `name`: by its name here or, as in UCI, by the name that the engine has for
/// it; blanks and case do not count. A number for an option that has words here is meant for the engine's.
pub fn find(engine: &[OptionSpec], name: &str, value: &str) -> Option<Setting> {
    let name = present_name(name);
    let meant = |setting: &Setting| {
        !(matches!(setting.effect, Effect::Words(..)) && value.trim().parse::<i64>().is_ok())
    };
    let found = all(engine).into_iter().find(|setting| plain_name(&setting.spec) == name);
    if let Some(found) = found.filter(meant) {
        return Some(found);
    }
    let spec = engine.iter().find(|spec| plain_name(spec) == name)?;
    Some(Setting { spec: spec.clone(), effect: Effect::Engine(spec.name) })
}

/// The meaning of an option's values, where it is not obvious.
pub fn meaning(effect: Effect) -> Message {
    match effect {
        Effect::Words(_, words) => {
            let pairs = |is: &str, comma: &str| {
                words.iter().map(|(word, value)| format!("{word}{is}{value}")).collect::<Vec<_>>().join(comma)
            };
            Message::new(format!(" ({})", pairs(" ", ", ")), format!("（{}）", pairs(" 为 ", "，")))
        }
        Effect::EngineOrDefault(_) => message!(" (0: the default size)" | "（0 为默认大小）"),
        Effect::Threads(_) => message!(" (0: one for each processor)" | "（0 为每个处理器一个线程）"),
        Effect::Engine(_) | Effect::Dialect | Effect::NewGame => Message::default(),
    }
}

pub fn target(effect: Effect) -> Option<&'static str> {
    match effect {
        Effect::Engine(name)
        | Effect::EngineOrDefault(name)
        | Effect::Threads(name)
        | Effect::Words(name, _) => Some(name),
        Effect::Dialect | Effect::NewGame => None,
    }
}

/// The kind of a named option with the engine's own range and default.
fn adapted(kind: &OptionKind, effect: Effect, engine: &[OptionSpec]) -> OptionKind {
    let own = target(effect).and_then(|name| options::find(engine, name).ok());
    match (own.map(|spec| &spec.kind), effect) {
        (Some(OptionKind::Spin { max, .. }), Effect::EngineOrDefault(_)) => {
            OptionKind::Spin { default: 0, min: 0, max: *max }
        }
        (Some(OptionKind::Spin { default, max, .. }), Effect::Threads(_)) => {
            OptionKind::Spin { default: *default, min: 0, max: *max }
        }
        (Some(OptionKind::Spin { default, .. }), Effect::Words(_, words)) => {
            let number = default.to_string();
            let word = words.iter().find(|(_, stands_for)| *stands_for == number);
            match (word, kind) {
                (Some((word, _)), OptionKind::Combo { choices, .. }) => {
                    OptionKind::Combo { default: word, choices }
                }
                _ => kind.clone(),
            }
        }
        (Some(own), Effect::Engine(_)) => own.clone(),
        _ => kind.clone(),
    }
}

/// The name without blanks, in lower case: `Move Overhead` is `moveoverhead`.
pub fn plain_name(spec: &OptionSpec) -> String {
    options::plain(spec.name)
}

/// `option <name> type ..`; nothing when the line would be too long to be safe.
pub fn line(setting: &Setting) -> Option<String> {
    let name = plain_name(&setting.spec);
    let line = match &setting.spec.kind {
        OptionKind::Check(default) => format!("option {name} type check default {default}"),
        OptionKind::Spin { default, min, max } => {
            format!("option {name} type spin min {min} max {max} default {default}")
        }
        OptionKind::Combo { default, choices } => {
            let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("option {name} type combo{vars} default {default}")
        }
        OptionKind::Text(default) if default.is_empty() => format!("option {name} type string"),
        OptionKind::Text(default) => format!("option {name} type string default {default}"),
        OptionKind::Button => format!("option {name} type button"),
    };
    (line.len() <= MAX_LINE).then_some(line)
}
