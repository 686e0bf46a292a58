//! `sanqi help TOPIC`: the pages of the documentation, in the program.

use crate::util::lang::Language;
use std::ffi::OsString;
use std::fmt::Write;

/// A topic, what its page is about, and the page, each in English and in Chinese.
struct Topic {
    names: [&'static str; 2],
    about: [&'static str; 2],
    pages: [&'static str; 2],
}

macro_rules! topics {
    ($($english:literal | $chinese:literal: $about:literal | $of:literal, $page:literal | $chinese_page:literal;)*) => {
        [$(Topic {
            names: [$english, $chinese],
            about: [$about, $of],
            pages: [
                include_str!(concat!("../../docs/", $page)),
                include_str!(concat!("../../docs/", $chinese_page)),
            ],
        }),*]
    };
}

const TOPICS: [Topic; 16] = topics! {
    "terminal" | "终端": "sanqi play: a game in the terminal" | "sanqi play：在终端里下棋", "PLAY.md" | "zh/PLAY.md";
    "levels" | "级别": "how strong each level is" | "各级棋力", "LEVELS.md" | "zh/LEVELS.md";
    "options" | "选项": "chess, xiangqi: threads, hash, endgame tables and all other options" | "国际象棋、象棋的选项：线程、置换表、残局库等", "OPTIONS.md" | "zh/OPTIONS.md";
    "go-options" | "围棋选项": "the options of Go" | "围棋的选项", "OPTIONS-GO.md" | "zh/OPTIONS-GO.md";
    "records" | "棋谱": "annotating game records, judging by the rules; formats" | "评注棋谱，按规则裁决，能读的格式", "RECORDS.md" | "zh/RECORDS.md";
    "matches" | "比赛": "matches between engines" | "引擎比赛", "MATCHES.md" | "zh/MATCHES.md";
    "tournaments" | "杯赛": "Swiss, knockout, groups; points, tie-breaks, fouls" | "瑞士制、淘汰赛、分组赛；积分、加赛、犯规", "TOURNAMENTS.md" | "zh/TOURNAMENTS.md";
    "persons" | "参赛": "persons in a match, the arbiter's desk" | "人参加比赛，裁判席", "PERSONS.md" | "zh/PERSONS.md";
    "boards" | "棋盘": "sanqi serve: boards in the browser" | "sanqi serve：浏览器里的棋盘", "SERVE.md" | "zh/SERVE.md";
    "guis" | "界面": "the engine in other programs" | "在图形界面中使用", "guis/README.md" | "zh/GUIS.md";
    "checking" | "检查": "sanqi check: is an engine fit for matches?" | "sanqi check：引擎能不能参加比赛", "CHECK.md" | "zh/CHECK.md";
    "findings" | "发现": "what sanqi check finds" | "sanqi check 的各项发现", "FINDINGS.md" | "zh/FINDINGS.md";
    "install" | "安装": "installing and packages" | "安装与软件包", "INSTALL.md" | "zh/INSTALL.md";
    "moving" | "换用": "coming from Cute Chess, Sabaki, KaTrain and others" | "从其他程序换用", "MOVING.md" | "zh/MOVING.md";
    "json" | "分析": "KataGo's JSON protocol" | "KataGo 的 JSON 协议", "ANALYSIS.md" | "ANALYSIS.md";
    "results" | "成绩": "how strong and how fast the engine is" | "棋力与速度", "RESULTS.md" | "RESULTS.md";
};

/// The page that `sanqi help TOPIC` asks for; for `sanqi help topics` the list. `None`: another command.
pub(super) fn page(arguments: impl Iterator<Item = OsString>, language: Language) -> Option<String> {
    let mut arguments = arguments.skip(1).filter_map(|word| word.into_string().ok());
    let mut words = Vec::new();
    while let Some(word) = arguments.next() {
        if word == "--lang" {
            arguments.next();
        } else if !word.starts_with("--lang=") {
            words.push(word);
        }
    }
    let [help, topic] = &words[..] else { return None };
    if help != "help" {
        return None;
    }
    if ["topics", "题目"].contains(&topic.as_str()) {
        return Some(topics(language));
    }
    let found = TOPICS.iter().find(|each| each.names.contains(&topic.as_str()))?;
    let [english, chinese] = found.pages;
    Some(language.pick(english, chinese).to_owned())
}

fn topics(language: Language) -> String {
    let mut list = String::new();
    for Topic { names, about, .. } in &TOPICS {
        let [name, about] = [names, about].map(|[english, chinese]| language.pick(*english, *chinese));
        let _ = writeln!(
            list,
            "sanqi help {name}{}{about}",
            " ".repeat(12_usize.saturating_sub(crate::app::language::columns(name)))
        );
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_found_in_both_languages_and_are_no_commands() {
        let asked = |line: &str| page(line.split(' ').map(OsString::from), Language::English);
        for topic in &TOPICS {
            for name in topic.names {
                assert_eq!(asked(&format!("sanqi help {name}")).as_deref(), Some(topic.pages[0]));
                assert!(asked(&format!("sanqi help {name} --lang zh")).is_some());
                assert!(asked("sanqi help topics").is_some_and(|list| list.contains(topic.names[0])));
            }
            let commands = <super::super::Cli as clap::CommandFactory>::command();
            assert!(commands.find_subcommand(topic.names[0]).is_none(), "{}", topic.names[0]);
        }
        assert_eq!(asked("sanqi help match"), None);
        assert_eq!(asked("sanqi levels"), None);
    }
}
