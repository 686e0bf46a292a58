//! The registry of options: the controller's and the engine's, and how values are checked.
//! Each dialect declares them in a form of its own.

use crate::engine::{self, GameId, OptionKind, OptionSpec, option_specs};
use crate::util::files::{self, Sandbox};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::system::LIST_SEPARATORS;
use crate::{errors, message};

/// The option that names the journal's file.
pub const DEBUG_LOG_FILE: &str = "Debug Log File";
/// The option by which the client announces that it will ponder.
pub const PONDER: &str = "Ponder";

pub const CONTROLLER: &[OptionSpec] = &option_specs! {
    DEBUG_LOG_FILE, OptionKind::text("") =>
        "Appends everything read and written to this file." | "把读到和写出的一切附加到这个文件。";
    PONDER, OptionKind::Check(false) =>
        "Thinks on the opponent's time: in Go always, in the other games when the client sends go ponder."
        | "用对方的时间思考：围棋中总是如此，其他棋在客户端发送 go ponder 时。";
};

/// Names of the rules of repetition in other programs, and ours for each.
const RULE_NAMES: &[(&str, &str)] = &[
    ("asianrule", "asian"),
    ("chineserule", "chinese"),
    // The rules of the servers where most games are played: only perpetual check and chase.
    ("skyrule", "computer"),
    ("computerrule", "computer"),
];

/// A name without blanks in lower case: how names of options are compared.
pub fn plain(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase()
}

/// The option, with its value, that stands for one of other programs. `Some(None)`: it asks for the default
/// behavior.
pub fn translate(name: &str, value: &str) -> Option<Option<(&'static str, String)>> {
    let (name, word) = (plain(name), plain(value));
    match name.as_str() {
        "repetitionrule" => {
            let (_, ours) = RULE_NAMES.iter().find(|(theirs, _)| *theirs == word)?;
            Some(Some(("Repetition Rule", (*ours).to_owned())))
        }
        "sixtymoverule" if word == "true" => Some(Some(("No Progress Limit", "60".to_owned()))),
        "sixtymoverule" if word == "false" => Some(Some(("No Progress Limit", "0".to_owned()))),
        "drawrule" if word == "none" => Some(None),
        "strictthreefold" if word == "true" => Some(None),
        _ => None,
    }
}

errors! {
    /// The reason why an option cannot be set.
    pub enum OptionError {
        Unknown(name: String) = "no such option: {name}" | "没有这个选项：{name}",
        Value(name: &'static str, wanted: Message, found: String) = "{name} must be {wanted}, not '{found}'"
            | "{name} 须为{wanted}，而不是“{found}”",
    }
}

/// An option that comes while a search runs.
pub fn busy(name: &str) -> Message {
    message!("{name} cannot be set while searching" | "搜索时不能设置 {name}", name)
}

/// The option called `name`, whatever the case of its letters.
pub fn find<'a>(specs: &'a [OptionSpec], name: &str) -> Result<&'a OptionSpec, OptionError> {
    specs
        .iter()
        .find(|spec| spec.name.eq_ignore_ascii_case(name))
        .or_else(|| specs.iter().find(|spec| plain(spec.name) == plain(name)))
        .ok_or_else(|| OptionError::Unknown(name.to_owned()))
}

/// Whether the controller or one of these games has an option called `name`.
pub fn is_known(games: &[GameId], name: &str) -> bool {
    let has = |specs: &[OptionSpec]| find(specs, name).is_ok();
    has(CONTROLLER) || games.iter().any(|&game| has(&engine::declared(game)))
}

/// Describes the values of this kind.
pub fn wanted(kind: &OptionKind) -> Message {
    match kind {
        OptionKind::Check(_) => message!("true or false" | " true 或 false"),
        OptionKind::Spin { min, max, .. } => {
            message!("a whole number from {min} to {max}" | " {min} 至 {max} 的整数", min, max)
        }
        OptionKind::Combo { choices, .. } => {
            message!("one of {choices}" | "以下之一：{choices}", choices = choices.join(", "))
        }
        OptionKind::Text(_) => message!("a text" | "文字"),
        OptionKind::Button => message!("none, it is done at once" | "没有，设置时立即执行"),
    }
}

/// The default value. `None`: a button.
pub fn default_value(kind: &OptionKind) -> Option<String> {
    match kind {
        OptionKind::Check(default) => Some(default.to_string()),
        OptionKind::Spin { default, .. } => Some(default.to_string()),
        OptionKind::Combo { default, .. } => Some((*default).to_owned()),
        OptionKind::Text(default) => Some(default.clone().into_owned()),
        OptionKind::Button => None,
    }
}

/// The answer to `help option NAME`: what the option does, its values and its default. `declared` are all
/// options with the names that the dialect has for them; blanks and case do not count. Without a name, or for
/// one that is not known, it lists them.
pub fn help(name: &str, declared: &[(String, OptionSpec)]) -> String {
    let name = name.trim();
    let found =
        declared.iter().find(|(own, spec)| [own, spec.name].iter().any(|known| plain(known) == plain(name)));
    if let Some((own, spec)) = found {
        return format!("{own}: {}", about(spec, &Message::default()));
    }
    let names = declared.iter().map(|(own, _)| own.as_str()).collect::<Vec<_>>().join(", ");
    if name.is_empty() {
        format!("options: {names}")
    } else {
        format!("no such option: {name}; options: {names}")
    }
}

/// What an option does, its values, what they mean, and its default.
pub fn about(spec: &OptionSpec, meaning: &Message) -> Message {
    let (help, values) = (spec.help, wanted(&spec.kind));
    let default = match default_value(&spec.kind) {
        None => Message::default(),
        Some(text) if text.is_empty() => message!("; empty by default" | "默认为空。"),
        Some(text) => message!("; {text} by default" | "默认：{text}。", text),
    };
    let chinese = format!("{help:#}取值：{}{meaning:#}。{default:#}", values.text(Language::Chinese).trim());
    Message::new(format!("{help} Value: {values}{meaning}{default}."), chinese)
}

/// Checks a value and normalizes it: `true` or `false`, a number without sign or
/// zeros in front, a choice as declared, text without blanks around it, nothing for a button.
pub fn check(spec: &OptionSpec, value: &str) -> Result<String, OptionError> {
    let value = value.trim();
    let wrong = || OptionError::Value(spec.name, wanted(&spec.kind), value.to_owned());
    match &spec.kind {
        OptionKind::Check(_) => match value.to_ascii_lowercase().as_str() {
            "true" | "on" => Ok("true".to_owned()),
            "false" | "off" => Ok("false".to_owned()),
            _ => Err(wrong()),
        },
        OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
            Ok(number) if (*min..=*max).contains(&number) => Ok(number.to_string()),
            _ => Err(wrong()),
        },
        OptionKind::Combo { choices, .. } => choices
            .iter()
            .find(|choice| choice.eq_ignore_ascii_case(value))
            .map(|choice| (*choice).to_owned())
            .ok_or_else(wrong),
        OptionKind::Text(_) => Ok(if value == "<empty>" { String::new() } else { value.to_owned() }),
        OptionKind::Button => Ok(String::new()),
    }
}

/// Values of `EvalFile` that name no file.
const EVALUATORS: [&str; 3] = ["<embedded>", "<hand-made>", "<none>"];

/// The value with the places of the files that it names, as far as the sandbox lets a client name them. A
/// text that is none of [`EVALUATORS`] is a list of paths, of one path in most options. Every character that
/// separates paths in some option does so here in each, and blanks around a path are none of it, as for what
/// opens it.
pub fn locate(spec: &OptionSpec, value: String, sandbox: &Sandbox) -> Result<String, Message> {
    let is_name = spec.name == "EvalFile" && EVALUATORS.contains(&value.as_str());
    if !matches!(spec.kind, OptionKind::Text(_)) || value.is_empty() || is_name || !sandbox.is_set() {
        return Ok(value);
    }
    let located = |path: &str| sandbox.locate(path).map_err(|error| files::at(path.as_ref(), error));
    let mut list = String::new();
    for part in value.split_inclusive(LIST_SEPARATORS) {
        let path = part.trim_end_matches(LIST_SEPARATORS);
        if !path.trim().is_empty() {
            list += &located(path.trim())?.to_string_lossy();
        }
        list += part.strip_prefix(path).unwrap_or_default();
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::lang::Bilingual;

    const HASH: OptionSpec = OptionSpec::new("Hash", OptionKind::spin(16, 1, 1024), "", "");
    const RULE: OptionSpec = OptionSpec::new(
        "Rule",
        OptionKind::Combo { default: "chinese", choices: &["chinese", "asian"] },
        "",
        "",
    );

    /// Whether every dialect can declare `spec`: managers read numbers as 32 bits, and split choices and
    /// names at blanks and keywords.
    fn is_portable(spec: &OptionSpec) -> Result<(), String> {
        let name = spec.name;
        let keyword = |w: &str| matches!(w, "type" | "default" | "min" | "max" | "var" | "value");
        if name.is_empty() || name.split(' ').any(|w| w.is_empty() || keyword(w)) {
            return Err(format!("'{name}' is no name for an option"));
        }
        match &spec.kind {
            OptionKind::Spin { default, min, max } => {
                if [default, min, max].iter().any(|n| i32::try_from(**n).is_err()) {
                    return Err(format!("{name}: a number beyond 32 bits"));
                }
                if !(min..=max).contains(&default) {
                    return Err(format!("{name}: the default is out of range"));
                }
            }
            OptionKind::Combo { default, choices } => {
                if choices.iter().any(|c| c.is_empty() || c.contains(char::is_whitespace)) {
                    return Err(format!("{name}: a choice with blanks"));
                }
                if !choices.contains(default) {
                    return Err(format!("{name}: the default is no choice"));
                }
            }
            _ => (),
        }
        Ok(())
    }

    fn checked(kind: OptionKind, value: &str) -> Result<String, String> {
        check(&OptionSpec::new("X", kind, "", ""), value).map_err(|e| e.to_string())
    }

    #[test]
    fn values_out_of_range_are_refused_not_clamped() {
        for value in ["0", "1025", "-1", "", "abc", "16MB", "1.5", "99999999999999999999999"] {
            let error = check(&HASH, value).map_err(|e| e.to_string());
            assert_eq!(error, Err(format!("Hash must be a whole number from 1 to 1024, not '{value}'")));
        }
        assert_eq!(check(&HASH, " 1024 ").as_deref(), Ok("1024"));
        assert_eq!(check(&HASH, "+0016").as_deref(), Ok("16"));
    }

    #[test]
    fn values_come_in_one_spelling() {
        assert_eq!(checked(OptionKind::Check(false), "TRUE"), Ok("true".into()));
        assert_eq!(checked(OptionKind::Check(false), "1"), Err("X must be true or false, not '1'".into()));
        assert_eq!(check(&RULE, "Asian").as_deref(), Ok("asian"));
        assert!(check(&RULE, "japanese").is_err());
        assert_eq!(checked(OptionKind::text(""), " C:\\my tables "), Ok("C:\\my tables".into()));
        assert_eq!(checked(OptionKind::text("a"), "<empty>"), Ok(String::new()));
        assert_eq!(checked(OptionKind::Button, "anything"), Ok(String::new()));
    }

    #[test]
    fn names_are_found_in_any_case() {
        let specs = [HASH, RULE];
        assert_eq!(find(&specs, "hASH"), Ok(&HASH));
        assert_eq!(find(&specs, "hash "), Ok(&HASH));
        assert_eq!(find(&specs, "hash x"), Err(OptionError::Unknown("hash x".into())));
    }

    #[test]
    fn options_of_other_programs_are_translated() {
        let rule = |value: &str| Some(Some(("Repetition Rule", value.to_owned())));
        assert_eq!(translate("Repetition Rule", "AsianRule"), rule("asian"));
        assert_eq!(translate("repetitionrule", "SkyRule"), rule("computer"));
        assert_eq!(translate("Repetition Rule", "asian"), None);
        assert_eq!(translate("Draw Rule", "None"), Some(None));
        assert_eq!(translate("Draw Rule", "DrawAsBlackWin"), None);
        assert_eq!(translate("Sixty Move Rule", "true"), Some(Some(("No Progress Limit", "60".to_owned()))));
    }

    #[test]
    fn a_sandbox_holds_every_path_of_a_text() {
        let folder = tempfile::tempdir().unwrap();
        let sandbox = Sandbox::new(folder.path()).unwrap();
        let file = OptionSpec::new("EvalFile", OptionKind::text("<embedded>"), "", "");
        let located = |value: &str| locate(&file, value.to_owned(), &sandbox);
        let root = folder.path().canonicalize().unwrap();
        let [a, b] = ["a", "b"].map(|name| root.join(name).display().to_string());
        for separator in LIST_SEPARATORS {
            assert_eq!(located(&format!("a{separator}b")), Ok(format!("{a}{separator}{b}")));
            assert_eq!(
                located(&format!("{separator}a{separator}")),
                Ok(format!("{separator}{a}{separator}"))
            );
            let out = located(&format!("a{separator}../b"));
            assert_eq!(out.map_err(String::from), Err("../b: it is not in the sandbox".to_owned()));
        }
        for name in ["", "<embedded>"] {
            assert_eq!(located(name).as_deref(), Ok(name));
        }
        // A text that only looks like a name is a path, without the blanks around it.
        let log = OptionSpec { name: "Debug Log File", ..file.clone() };
        assert_eq!(
            locate(&log, "<none>".to_owned(), &sandbox),
            Ok(root.join("<none>").display().to_string())
        );
        for separator in LIST_SEPARATORS {
            assert!(located(&format!("<{separator}/etc{separator}>")).is_err());
        }
        let secret = tempfile::tempdir().unwrap();
        if crate::util::system::link(secret.path(), &root.join("link")) {
            for text in ["link", "link ", "\u{a0}link", "a; link ;b"] {
                assert!(located(text).is_err(), "{text:?}");
            }
        }
        assert_eq!(locate(&HASH, "16".to_owned(), &sandbox).as_deref(), Ok("16"));
        assert_eq!(
            locate(&file, "/etc/passwd".to_owned(), &Sandbox::default()).as_deref(),
            Ok("/etc/passwd")
        );
    }

    #[test]
    fn every_option_has_help_in_both_languages() {
        let engines = GameId::ALL.map(engine::declared);
        for spec in engines.iter().flatten().chain(CONTROLLER) {
            let Bilingual(english, chinese) = spec.help;
            assert!(english.is_ascii() && english.ends_with('.'), "{}", spec.name);
            assert!(chinese.ends_with('。'), "{}", spec.name);
        }
    }

    /// A text that is not a path would be mangled, and a path of another kind would get out of the sandbox.
    #[test]
    fn every_text_option_names_files() {
        let all = crate::engine::GameId::ALL.into_iter().flat_map(crate::engine::declared);
        for spec in all.chain(CONTROLLER.iter().cloned()) {
            let is_path = spec.name.ends_with("File") || spec.name.ends_with("Path");
            assert!(!matches!(spec.kind, OptionKind::Text(_)) || is_path, "{}", spec.name);
        }
    }

    #[test]
    fn what_some_manager_would_misread_is_not_portable() {
        assert_eq!(is_portable(&HASH), Ok(()));
        assert_eq!(is_portable(&RULE), Ok(()));
        for (name, kind) in [
            ("Max value", OptionKind::Button),
            ("two  blanks", OptionKind::Button),
            ("Big", OptionKind::spin(0, 0, 1 << 40)),
            ("Off", OptionKind::spin(5, 0, 4)),
            ("Style", OptionKind::Combo { default: "a", choices: &["a", "b c"] }),
            ("Style", OptionKind::Combo { default: "d", choices: &["a", "b"] }),
        ] {
            assert!(is_portable(&OptionSpec::new(name, kind.clone(), "", "")).is_err(), "{name} {kind:?}");
        }
        for spec in CONTROLLER {
            assert_eq!(is_portable(spec), Ok(()));
        }
    }
}
