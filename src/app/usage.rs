//! Usage and its errors in the person's language. clap writes English; the Chinese texts are in
//! `usage.zh.txt`.

use crate::util::lang::Language;
use crate::util::message::Message;
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::error::Error as _;
use std::ffi::OsString;

const CHINESE: &str = include_str!("usage.zh.txt");

/// The parts of clap's pages that are the same for every command, longest first where one begins another.
const FIXED: [(&str, &str); 15] = [
    ("Usage: ", "用法："),
    ("Arguments:", "参数："),
    ("Options:", "选项："),
    ("Commands:", "命令："),
    ("Examples:", "示例："),
    ("Possible values:", "可选值："),
    ("[possible values: ", "[可选值："),
    ("[default: ", "[默认："),
    ("[aliases: ", "[别名："),
    ("[alias: ", "[别名："),
    ("[OPTIONS]", "[选项]"),
    ("<COMMAND>", "<命令>"),
    ("Print help (see a summary with '-h')", "显示帮助（-h 为简短的一页）"),
    ("Print help (see more with '--help')", "显示帮助（--help 更详细）"),
    ("Print help", "显示帮助"),
];

/// The language of a command line that is not read yet: that of `--lang`, else the system's.
pub fn language_of(arguments: impl Iterator<Item = OsString>) -> Language {
    let mut asked = None;
    let mut is_next = false;
    for word in arguments.filter_map(|word| word.into_string().ok()) {
        let name =
            if std::mem::take(&mut is_next) { Some(word.as_str()) } else { word.strip_prefix("--lang=") };
        asked = name.and_then(Language::from_name).or(asked);
        is_next = word == "--lang";
    }
    asked.unwrap_or_else(Language::of_system)
}

/// The text of `name` in a section.
fn chinese(section: &str, name: &str) -> Option<&'static str> {
    let (_, rest) = CHINESE.split_once(&format!("\n[{section}]\n"))?;
    let own = rest.lines().take_while(|line| !line.starts_with('['));
    own.filter_map(|line| line.split_once(" = ")).find(|(id, _)| *id == name).map(|(_, text)| text)
}

/// The command line with its help in a language.
pub fn localized(command: Command, language: Language) -> Command {
    match language {
        Language::English => command,
        Language::Chinese => in_chinese(command),
    }
}

fn in_chinese(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let text = |id: &str| {
        let shared = match id {
            "lang" => Some("语言：en 或 zh；不写则为系统的语言（LC_ALL、LC_MESSAGES、LANG）"),
            _ => chinese("protocol", id).filter(|_| ["sanqi", "uci", "ucci", "gtp"].contains(&name.as_str())),
        };
        chinese(&name, id).or(shared)
    };
    let command = match text("about") {
        Some(about) => command.about(about).long_about(about),
        None => command,
    };
    let command = command.mut_args(|mut arg| {
        if let Some(heading) = arg.get_help_heading().and_then(|heading| text(&format!("heading {heading}")))
        {
            arg = arg.help_heading(heading);
        }
        match text(arg.get_long().unwrap_or(arg.get_id().as_str())) {
            Some(help) => arg.help(help).long_help(help),
            None => arg,
        }
    });
    command.mut_subcommands(in_chinese)
}

/// What clap prints, in a language.
pub fn text(error: &Error, language: Language) -> String {
    let english = error.to_string();
    if language == Language::English {
        return english;
    }
    let usage = || {
        let found = english.lines().skip_while(|line| !line.starts_with("Usage: "));
        let lines: Vec<&str> = found.take_while(|line| !line.is_empty()).collect();
        if lines.is_empty() { String::new() } else { format!("{}\n\n", lines.join("\n")) }
    };
    match cause(error) {
        Some(cause) => translated(&format!("错误：{cause}\n\n{}详见 --help。\n", usage())),
        None => translated(&english),
    }
}

fn translated(text: &str) -> String {
    let text = FIXED.iter().fold(text.to_owned(), |text, (english, chinese)| text.replace(english, chinese));
    // Headings, whose colon is clap's.
    let heading =
        |line: &str| line.strip_suffix(':').filter(|line| !line.is_ascii()).map(|line| format!("{line}："));
    text.split('\n')
        .map(|line| heading(line).unwrap_or_else(|| line.to_owned()))
        .collect::<Vec<_>>()
        .join("\n")
}

/// What is wrong with a command line. `None`: nothing is, or it has no words here.
fn cause(error: &Error) -> Option<String> {
    let one = |kind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join("、")),
        other => Some(other.to_string()),
    };
    let arg = one(ContextKind::InvalidArg).unwrap_or_default();
    let value = one(ContextKind::InvalidValue).unwrap_or_default();
    let guess = [ContextKind::SuggestedArg, ContextKind::SuggestedValue, ContextKind::SuggestedSubcommand];
    let guess =
        guess.into_iter().find_map(one).map_or_else(String::new, |guess| format!("；是不是 {guess}？"));
    Some(match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => format!("{arg} 后面缺少值"),
        ErrorKind::InvalidValue => {
            let known = one(ContextKind::ValidValue).unwrap_or_default();
            format!("{arg} 没有“{value}”这个值；可选值：{known}{guess}")
        }
        ErrorKind::ValueValidation => {
            let source = error.source();
            let message = source.and_then(|source| source.downcast_ref::<Message>());
            let why = message.map(|message| message.text(Language::Chinese).to_owned());
            let why = why.or_else(|| source.map(ToString::to_string));
            match (arg.as_str(), why) {
                ("", why) => why.or_else(|| raw(error))?,
                (_, why) => {
                    format!("{arg} 不能是“{value}”{}", why.map_or_else(String::new, |why| format!("：{why}")))
                }
            }
        }
        ErrorKind::UnknownArgument => format!("没有参数 {arg}{guess}"),
        ErrorKind::InvalidSubcommand => {
            format!("没有命令 {}{guess}", one(ContextKind::InvalidSubcommand).unwrap_or_default())
        }
        ErrorKind::ArgumentConflict => {
            format!("{arg} 不能与 {} 同用", one(ContextKind::PriorArg).unwrap_or_default())
        }
        ErrorKind::MissingRequiredArgument => format!("缺少 {arg}"),
        ErrorKind::MissingSubcommand => "缺少命令".to_owned(),
        ErrorKind::NoEquals => format!("{arg} 后面要写 ="),
        ErrorKind::TooManyValues | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            format!("{arg} 的值的个数不对")
        }
        _ => return None,
    })
}

/// The words of an error that the program made itself.
fn raw(error: &Error) -> Option<String> {
    Some(error.to_string().lines().next()?.trim_start_matches("error: ").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_command_line_is_that_of_its_last_flag() {
        let of = |line: &str| language_of(line.split(' ').map(OsString::from));
        assert_eq!(of("sanqi play --lang zh"), Language::Chinese);
        assert_eq!(of("sanqi play --lang=zh --lang en"), Language::English);
    }

    #[test]
    fn every_line_belongs_to_a_section() {
        let lines = CHINESE.lines().filter(|line| !line.starts_with(['#', '[']));
        for line in lines {
            let (id, text) = line.split_once(" = ").expect(line);
            assert!(!id.is_empty() && !text.is_ascii(), "{line}");
        }
        assert_eq!(chinese("play", "hash"), Some("哈希表的 MiB 数"));
        assert_eq!(chinese("play", "trace"), None);
    }
}
